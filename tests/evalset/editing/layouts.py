"""The ways in which programs lay JSON out: whatever a revision adds to such a file looks like the rest."""

import json
from collections.abc import Callable
from typing import Any

import pytest

LAYOUTS: dict[str, Callable[[Any], str]] = {
    "two blanks": lambda value: json.dumps(value, indent=2) + "\n",
    "tabs": lambda value: json.dumps(value, indent="\t"),
    "crlf": lambda value: json.dumps(value, indent=4).replace("\n", "\r\n"),
    "one line": json.dumps,
    "tight": lambda value: json.dumps(value, separators=(",", ":")),
}
in_each_layout = pytest.mark.parametrize("laid_out", LAYOUTS.values(), ids=LAYOUTS)

"""Plain data as one JSON document: UTF-8 whatever it holds, and no NaN."""

from __future__ import annotations

import json
import re
import sys
from typing import Any

from evaltui.scoring.plain_json import plain

_half = re.compile("[\ud800-\udfff]")


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """The document; halves of surrogate pairs are escaped, NaN and Infinity stand as texts."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return _half.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def print_json(value: Any, *, indent: int | None = 2) -> None:
    """Write the document to stdout, in UTF-8 whatever the terminal takes."""
    sys.stdout.flush()
    sys.stdout.buffer.write(json_text(value, indent=indent).encode() + b"\n")
    sys.stdout.buffer.flush()

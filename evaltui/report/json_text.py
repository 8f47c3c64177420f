"""JSON text of reports."""

from __future__ import annotations

import json
import re
from typing import Any

from evaltui.scoring.results import plain

_half = re.compile("[\ud800-\udfff]")


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """The document as JSON text. Lone surrogates are escaped, NaN and Infinity become strings."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return _half.sub(lambda found: f"\\u{ord(found[0]):04x}", text)

"""JSON text of reports."""

from __future__ import annotations

import json
from typing import Any

from evaltui.printable import json_escaped
from evaltui.scoring.results import plain


def json_text(value: Any, *, indent: int | None = 2) -> str:
    """The document as JSON text that is safe to show (`json_escaped`). NaN and Infinity become strings."""
    try:
        text = json.dumps(value, ensure_ascii=False, indent=indent, allow_nan=False)
    except ValueError:
        text = json.dumps(plain(value), ensure_ascii=False, indent=indent)
    return json_escaped(text)

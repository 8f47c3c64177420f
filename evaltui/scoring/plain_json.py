"""Values of files as any writer of JSON can write them."""

from __future__ import annotations

import math
from typing import Any

_DEEPEST = 300
"""google-adk reads no values deeper than about 200 levels."""


def plain(value: Any, depth: int = 0) -> Any:
    """`value` with the strings that stand for NaN and Infinity in reports, and … for what lies 300 levels deep."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if not isinstance(value, dict | list | tuple):
        return value
    if depth == _DEEPEST:
        return "…"
    if isinstance(value, dict):
        return {key: plain(member, depth + 1) for key, member in value.items()}
    return [plain(element, depth + 1) for element in value]

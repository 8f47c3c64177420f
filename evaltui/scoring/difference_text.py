"""How one argument of a call differs, in words."""

from __future__ import annotations

import json
from typing import Any
from unicodedata import normalize

from evaltui.printable import one_line
from evaltui.scoring.argument_differences import ABSENT, ArgumentDifference, kind_of
from evaltui.scoring.plain_json import plain

_PLACE, _VALUE = 60, 40
"""So many characters of a place and of a value are shown."""


def difference_text(each: ArgumentDifference) -> str:
    """`flight_id is text "1" in the set and number 1 in the recording`."""
    place = one_line(each.pointer[1:].replace("~1", "/").replace("~0", "~"), _PLACE) or '""'
    with_kind = each.state == "type_differs"
    ours, theirs = _said(each.expected, with_kind=with_kind), _said(each.actual, with_kind=with_kind)
    if normalize("NFC", ours) == normalize("NFC", theirs):
        return f"{place} {_alike(each.expected, each.actual, ours)}"
    return f"{place} is {ours} in the set and {theirs} in the recording"


def _alike(ours: Any, theirs: Any, shown: str) -> str:
    """How two values differ that would be shown as the same."""
    if isinstance(ours, float):
        return f"is {shown} on both sides, which equals nothing"
    if not isinstance(ours, str) or not isinstance(theirs, str):
        return "differs where it is too long to be shown"
    at = next((at for at, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), -1)
    at = min(len(ours), len(theirs)) if at < 0 else at
    ends = [_said(side[at:], with_kind=False) for side in (ours, theirs)]
    if ends[0] == ends[1] or normalize("NFC", ours) == normalize("NFC", theirs):
        return f"is {shown} on both sides, in other characters that look the same"
    return f"differs from character {at + 1} on, {ends[0]} in the set and {ends[1]} in the recording"


def _said(value: Any, *, with_kind: bool) -> str:
    if value is ABSENT:
        return "absent"
    shown = plain(value)
    text = shown if isinstance(value, float) and shown != value else json.dumps(shown, ensure_ascii=False)
    text = one_line(text, _VALUE)
    says_its_kind = value is None or isinstance(value, bool)
    return f"{kind_of(value)} {text}" if with_kind and not says_its_kind else text

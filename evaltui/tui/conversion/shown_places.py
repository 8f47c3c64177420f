"""Finds the value on screen for a pointer into the source of a conversion."""

from __future__ import annotations

from evaltui.document import pointer as pointers
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of

_LISTS_OF_TURNS = ("data", "conversation", "turns")
"""The keys of the lists of turns in the formats."""


def nearest_value(root: Node, pointer: str) -> tuple[Node, str]:
    """The value at a pointer, or the nearest value around it and the name of the missing key."""
    at, tokens = root, pointers.parse_pointer(pointer)
    for token in tokens:
        try:
            at = at.step(token, pointer)
        except DocumentError:
            return at, token
    return at, ""


def shown_place(eval_set: CaseFile, pointer: str, *, is_list_of_turns: bool) -> Node:
    """The turn or case of the shown set for a pointer into its source; the set itself if there is none.

    Conversions keep the order of cases and turns. `is_list_of_turns` says whether the source is one case, as a list of
    its turns.
    """
    case_at, turn_at, before = 0, -1, ""
    is_case_known = is_list_of_turns
    for token in pointers.parse_pointer(pointer):
        if token.isdecimal() and (before in _LISTS_OF_TURNS or is_list_of_turns):
            turn_at = int(token)
            break
        if token.isdecimal():
            case_at, is_case_known = int(token), True
        before = token
    cases = eval_set.cases
    if not (is_case_known or turn_at >= 0 or len(cases) == 1) or case_at >= len(cases):
        return eval_set.root
    turns = turns_of(cases[case_at])
    return turns[turn_at] if 0 <= turn_at < len(turns) else cases[case_at]

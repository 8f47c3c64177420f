"""Misspelled names, and the known names that were meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_CLOSE = 0.75
_OLDER = {
    "tool_name": "name",
    "tool_input": "args",
    "case_id": "eval_id",
    "eval_case_id": "eval_id",
    "id": "eval_id",
    "agent_content": "final_response",
}
"""Names in other formats and in older versions of google-adk."""
_OF_DATASETS = dict.fromkeys(("id", "case_id", "eval_id"), "eval_case_id")
"""Other names for the id of a case in an EvaluationDataset."""


def meant(key: str, known: Iterable[str]) -> str:
    """The one of the `known` names (in snake_case) that is similar to `key`; "" if none is, or several are."""
    names = list(known)
    for others in (_OLDER, _OF_DATASETS):
        if others.get(key) in names:
            return others[key]
    bare = {_bare(name): name for name in names}
    near = get_close_matches(_bare(key), bare, n=2, cutoff=_CLOSE)
    if not near or (len(near) > 1 and _bare(key) != near[0] and _is_as_near(key, *near)):
        return ""
    return bare[near[0]]


def _bare(name: str) -> str:
    """A name without the most frequent differences: case, and the characters between words."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _is_as_near(key: str, first: str, second: str) -> bool:
    return not get_close_matches(_bare(key), [first, second], n=1, cutoff=0.85)


def nearest(name: str, known: Iterable[str]) -> str:
    """The one of the `known` names that is most similar to a mistyped name; "" if none is similar."""
    return next(iter(get_close_matches(name, [*known], n=1, cutoff=0.6)), "")

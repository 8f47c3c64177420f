"""Misspelled names, and the known names that were meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from evaltui.evalset.keys import snake

_CLOSE = 0.75
_SAME_WORD = 0.7
"""The likeness of `create` and `creation` is 0.71, that of `initial` and `final` 0.67."""
_LONGER = 2
"""The most letters that a misspelled name has more than the known name."""
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
_words = re.compile(r"[^\W\d_]+|\d+").findall


def meant(key: str, known: Iterable[str]) -> str:
    """The one of the `known` names (in snake_case) that is similar to `key`; "" if none is, or several are.

    A key with a word more, or with another word in place of one, is another key: `actual_conversation`.
    """
    names = list(known)
    for others in (_OLDER, _OF_DATASETS):
        if others.get(key) in names:
            return others[key]
    bare = {_bare(name): name for name in names}
    near = get_close_matches(_bare(key), bare, n=2, cutoff=_CLOSE)
    if not near or (len(near) > 1 and _bare(key) != near[0] and _is_as_near(key, *near)):
        return ""
    return "" if _is_another(key, bare[near[0]]) else bare[near[0]]


def _is_another(key: str, name: str) -> bool:
    """Whether a key has a word that is not a misspelled word of the known name."""
    words, known = _words(snake(key)), _words(name)
    if len(_bare(key)) > len(_bare(name)) + _LONGER:
        return True
    if len(words) == len(known):
        return any(_likeness(*pair) < _SAME_WORD for pair in zip(words, known, strict=True))
    # A word more is one without which the key is more like the name. A blank in a name is none: conver_sation.
    whole = "".join(words)
    rests = ("".join(words[:at] + words[at + 1 :]) for at in range(len(words)))
    return any(_likeness(rest, _bare(name)) >= _likeness(whole, _bare(name)) for rest in rests)


def _likeness(one: str, other: str) -> float:
    """1.0 for equal words, 0.0 for words without a common letter."""
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


def _bare(name: str) -> str:
    """A name without the most frequent differences: case, and the characters between words."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def _is_as_near(key: str, first: str, second: str) -> bool:
    return not get_close_matches(_bare(key), [first, second], n=1, cutoff=0.85)


def nearest(name: str, known: Iterable[str]) -> str:
    """The one of the `known` names that is most similar to a mistyped name; "" if none is similar."""
    return next(iter(get_close_matches(name, [*known], n=1, cutoff=0.6)), "")

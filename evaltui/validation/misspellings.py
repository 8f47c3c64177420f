"""Misspelled names, and the known names that were meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches
from functools import lru_cache

from evaltui.evalset.keys import snake

_CLOSE = 0.75
_SAME_WORD = 0.7
"""The least likeness of two spellings of a word."""
# The likeness of `create` and `creation` is 0.71, that of `initial` and `final` 0.67.
_LONGER = 2
"""The most letters that a misspelled name has more than the known name."""
_OLDER_NAMES = {
    "tool_name": "name",
    "tool_input": "args",
    "case_id": "eval_id",
    "eval_case_id": "eval_id",
    "id": "eval_id",
    "agent_content": "final_response",
}
"""Names in other formats and in older versions of google-adk."""
_DATASET_NAMES = dict.fromkeys(("id", "case_id", "eval_id"), "eval_case_id")
"""Other names for the id of a case in an EvaluationDataset."""
_words = re.compile(r"[^\W\d_]+|\d+").findall


def meant(key: str, names: Iterable[str]) -> str:
    """The one of the `names` (in snake_case) that is similar to `key`; "" if none is, or several are."""
    names = list(names)
    for substitutes in (_OLDER_NAMES, _DATASET_NAMES):
        if substitutes.get(key) in names:
            return substitutes[key]
    bare_key, bare = _bare(key), {_bare(name): name for name in names}
    similar = get_close_matches(bare_key, bare, n=2, cutoff=_CLOSE)
    if not similar:
        return ""
    is_exact = len(similar) == 1 or bare_key == similar[0]
    # Two names are similar: the first counts only if one of them is much more similar than the limit.
    if not is_exact and not get_close_matches(bare_key, similar, n=1, cutoff=0.85):
        return ""
    name = bare[similar[0]]
    return "" if _is_another(key, name) else name


def _is_another(key: str, name: str) -> bool:
    """Whether a key has a word that is not a misspelled word of the known name."""
    # Such a key is no misspelling but another name: `actual_conversation`.
    key_words, name_words = _words(snake(key)), _words(name)
    if len(_bare(key)) > len(_bare(name)) + _LONGER:
        return True
    if len(key_words) == len(name_words):
        return any(_likeness(*pair) < _SAME_WORD for pair in zip(key_words, name_words, strict=True))
    # A word more is one without which the key is more like the name. A blank in a name is none: conver_sation.
    likeness = _likeness("".join(key_words), _bare(name))
    rests = ("".join(key_words[:index] + key_words[index + 1 :]) for index in range(len(key_words)))
    return any(_likeness(rest, _bare(name)) >= likeness for rest in rests)


def _likeness(first: str, second: str) -> float:
    """1.0 for equal words, 0.0 for words without a common letter."""
    return SequenceMatcher(None, first.casefold(), second.casefold()).ratio()


@lru_cache(maxsize=1_000)  # the names of fields come again for each unknown key
def _bare(name: str) -> str:
    """A name without the most frequent differences: case, and the characters between words."""
    return name.casefold().replace("_", "").replace("-", "").replace(" ", "")


def nearest(name: str, names: Iterable[str]) -> str:
    """The one of the `names` that is most similar to a mistyped name; "" if none is similar."""
    return next(iter(get_close_matches(name, [*names], n=1, cutoff=0.6)), "")

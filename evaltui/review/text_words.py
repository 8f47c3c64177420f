"""Words of a text and the separators between them. Joined by turns, they are the text.

Words of languages without blanks are characters or clusters, as `response_match_score` counts them. Marks stay with
their letter, and the parts of an emoji with each other.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import accumulate, chain, pairwise
from typing import NamedTuple

from evaltui.scoring.words import begins_cluster, is_word_alone

_IN_ASCII = re.compile(r"(\w+)")
_IN_CLASSES = re.compile("(w[wmj]*|a[mj]*|e(?:[mj]|(?<=j)e)*|ff?)")
"""A word, in a text whose characters are replaced by their classes (`_class_of`)."""


class SplitText(NamedTuple):
    """A text split at its words."""

    words: list[str]
    separators: list[str]
    """Spaces and punctuation before each word and after the last: one more than words."""

    def edges(self) -> list[int]:
        """The offsets of separators and words, alternately, and of the end of the text."""
        by_turns = chain.from_iterable(zip(self.separators, [*self.words, ""], strict=True))
        return [*accumulate(map(len, by_turns), initial=0)][:-1]


class _Classes(dict[int, str]):
    """The class of each character."""

    def __missing__(self, code: int) -> str:
        # On first use: all of Unicode would take 0.2 s.
        self[code] = char_class = _class_of(chr(code))
        return char_class


def _class_of(char: str) -> str:
    """w part of a word, a word alone, m mark, j joiner, e emoji, f half of a flag, p space or punctuation."""
    if char in "\u200c\u200d":
        return "j"
    category = unicodedata.category(char)
    if category.startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff":  # tones of skin
        return "m"
    if is_word_alone(char) or begins_cluster(char):
        return "a"
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "f"
    if category == "So" and char >= "\u2600":  # symbols before draw boxes and tables
        return "e"
    return "w" if char.isalnum() or char == "_" else "p"


_CLASSES = _Classes()


def split_words(text: str) -> SplitText:
    """Split a text at its words."""
    if text.isascii():
        parts = _IN_ASCII.split(text)
    else:
        lengths = map(len, _IN_CLASSES.split(text.translate(_CLASSES)))
        parts = [text[start:stop] for start, stop in pairwise(accumulate(lengths, initial=0))]
    return SplitText(parts[1::2], parts[0::2])

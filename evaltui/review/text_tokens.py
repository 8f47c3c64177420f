"""Tokens of a text: words, blanks, line ends, and each other sign by itself. Joined, they are the text.

Words of languages without blanks are characters or clusters, as `response_match_score` counts them. Marks stay with
their letter, and the parts of an emoji with each other.
"""

from __future__ import annotations

import re
import unicodedata

from evaltui.scoring.words import begins_cluster, is_word_alone

_TOKENS = re.compile("w[wmj]*|[ap][mj]*|e(?:[mj]|(?<=j)e)*|ff?|b+|.")
"""A token, in a text whose characters are replaced by their classes (`_class_of`)."""
_IN_ASCII = re.compile(r"\w+|\n|[^\S\n]+|.")
_OF_WORDS = frozenset("waef")


class _Classes(dict[int, str]):
    """The class of each character. Found when it is first met: asking for all of Unicode takes 0.2 s."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _class_of(chr(code))
        return found


def _class_of(char: str) -> str:
    """n for a line end, b blank, w part of a word, a word alone, m mark, j joiner, e emoji, f half a flag, p other."""
    category = unicodedata.category(char)
    if char in "\n\u200c\u200d":
        return "n" if char == "\n" else "j"
    if category.startswith("M") or "\U0001f3fb" <= char <= "\U0001f3ff":  # tones of skin
        return "m"
    if is_word_alone(char) or begins_cluster(char):
        return "a"
    if "\U0001f1e6" <= char <= "\U0001f1ff":
        return "f"
    if char.isspace():
        return "b"
    return "w" if char.isalnum() or char == "_" else "e" if category == "So" else "p"


_CLASSES = _Classes()


def tokens_of(text: str) -> list[str]:
    """The tokens of a text in order."""
    if text.isascii():
        return _IN_ASCII.findall(text)
    return [text[found.start() : found.end()] for found in _TOKENS.finditer(text.translate(_CLASSES))]


def is_word(token: str) -> bool:
    """Whether a token is a word or an emoji, and no blank or punctuation."""
    return _CLASSES[ord(token[0])] in _OF_WORDS

"""The words of a text, as `response_match_score` compares them.

The rules are those of `_UnicodeAwareTokenizer` in google.adk.evaluation.final_response_match_v1 (google-adk 2.6 and
later) and of rouge_score's tokenizer, which it calls for words in ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from evaltui.scoring.porter import stem

_ALONE = ((0x4E00, 0x9FFF), (0x3040, 0x309F), (0x30A0, 0x30FF), (0xAC00, 0xD7AF))
"""Han, Hiragana, Katakana and Hangul: each character is a word."""
_CLUSTERED = ((0x0E00, 0x0E7F), (0x0E80, 0x0EFF), (0x1780, 0x17FF), (0x1000, 0x109F))
"""Thai, Lao, Khmer and Burmese, which are written without blanks: each letter with its marks is a word."""

_ASCII_WORDS = re.compile("[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """The words of a text in order, in lower case and not yet stemmed."""
    if text.isascii():
        return _ASCII_WORDS.findall(text.lower())
    return unicodedata.normalize("NFKC", text).lower().translate(_SPACED).split()


@lru_cache(maxsize=1 << 16)
def compared(word: str) -> str:
    """The part of a word that is compared: its stem, if it is in ASCII and longer than three letters."""
    return stem(word) if len(word) > 3 and word.isascii() else word


class _Spaced(dict[int, str]):
    """The text that stands for a character: itself, with blanks around, or a blank. Found when it is first met."""

    def __missing__(self, code: int) -> str:
        self[code] = found = _spaced(chr(code))
        return found


def _spaced(char: str) -> str:
    code, is_mark = ord(char), unicodedata.category(char).startswith("M")
    if any(first <= code <= last for first, last in _ALONE):
        return f" {char} "
    if any(first <= code <= last for first, last in _CLUSTERED):
        return char if is_mark else f" {char}"
    return char if is_mark or char.isalnum() else " "


_SPACED = _Spaced()

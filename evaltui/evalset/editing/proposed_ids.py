"""Ids for cases made from recordings, built from the first words of the user message."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

LONGEST = 40
"""The longest proposed id, in characters."""
_UNWRITTEN = str.maketrans("", "", "'’ʼ\u200d")
"""Apostrophes, and the joiner inside words of Indic scripts."""
_INVISIBLE = "\u034f\u180b\u180c\u180d\u180f"
"""Marks that only change how a letter looks, beside the variation selectors."""


def proposed_id(user_text: str, number: int, is_taken: Callable[[str], bool]) -> str:
    """An id such as `book_flight_1`: the first words in lower case, or `case_` and the number without words.

    Letters with their marks and digits of any script count. If the id is taken, it gets the next free number (`_2`).
    """
    text = unicodedata.normalize("NFC", user_text[: 20 * LONGEST].lower().translate(_UNWRITTEN))
    base = _joined(_words(text)) or f"case_{number}"
    made, count = base, 1
    while is_taken(made):
        count += 1
        tail = f"_{count}"
        made = _beginning(base, LONGEST - len(tail)).rstrip("_") + tail
    return made


def is_mark(char: str) -> bool:
    """Whether a character is a visible mark of the letter before it: a vowel of Thai or Hindi, an accent."""
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in _INVISIBLE
    return unicodedata.category(char) in ("Mn", "Mc") and not is_selector


def _words(text: str) -> list[str]:
    """Runs of letters and digits with their marks; marks without a letter are left out."""
    made = ""
    for char in text:
        is_kept = char.isalnum() or (is_mark(char) and made[-1:] not in ("", " "))
        made += char if is_kept else " "
    return made.split()


def _joined(words: list[str]) -> str:
    """As many whole words as fit; if the first word is too long, its beginning."""
    made = ""
    for word in words:
        longer = f"{made}_{word}" if made else word
        if len(longer) > LONGEST:
            return made or _beginning(longer, LONGEST)
        made = longer
    return made


def _beginning(text: str, length: int) -> str:
    """The beginning of a text. The last letter has all its marks, unless they alone are too many."""
    end = length
    while 0 < end < len(text) and is_mark(text[end]):
        end -= 1
    return text[: end or length]

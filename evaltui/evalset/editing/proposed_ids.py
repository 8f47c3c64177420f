"""Ids for cases made from recordings, built from the first words of the user message."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

LONGEST = 40
"""The longest proposed id, in characters."""
_words = re.compile(r"[^\W_]+").findall
_APOSTROPHES = str.maketrans("", "", "'’ʼ")


def proposed_id(user_text: str, number: int, is_taken: Callable[[str], bool]) -> str:
    """An id such as `book_flight_1`: the first words in lower case, or `case_` and the number without words.

    Letters and digits of any script count. If the id is taken, it gets the next free number (`_2`).
    """
    text = unicodedata.normalize("NFC", user_text[: 20 * LONGEST].lower().translate(_APOSTROPHES))
    base = _joined(_words(text)) or f"case_{number}"
    made, count = base, 1
    while is_taken(made):
        count += 1
        tail = f"_{count}"
        made = base[: LONGEST - len(tail)].rstrip("_") + tail
    return made


def _joined(words: list[str]) -> str:
    """As many whole words as fit; if the first word is too long, its beginning."""
    made = ""
    for word in words:
        longer = f"{made}_{word}" if made else word
        if len(longer) > LONGEST:
            return made or longer[:LONGEST]
        made = longer
    return made

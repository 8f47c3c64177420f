"""Numbers that are spelt out in English, or in groups of three digits."""

from __future__ import annotations

_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    *("thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_VALUES = {
    **{name: value for value, name in enumerate(_UNITS)},
    **{name: 10 * value for value, name in enumerate(_TENS, 2)},
}


def numbers_in_digits(words: list[str]) -> list[str]:
    """The words with those from zero to ninety-nine in digits, and groups of digits joined: twenty one → 21."""
    found: list[str] = []
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        if before in _TENS and 0 < _VALUES.get(word, 0) < 10:
            found[-1] = str(int(found[-1]) + _VALUES[word])
        elif len(word) == 3 and word.isdigit() and before.isdigit() and len(before) <= 3:
            found[-1] += word
        else:
            found.append(str(_VALUES[word]) if word in _VALUES else word)
    return found

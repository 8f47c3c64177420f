"""What is wrong with a final response, in sentences that a person can act on."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.printable import one_line
from evaltui.scoring.words import WordsCompared

_WORDS, _LENGTH = 5, 24
"""So many words are named, with so many characters each."""


def sentences_on_response(expected: str, actual: str, words: WordsCompared, threshold: float) -> tuple[str, ...]:
    """What keeps a response below a threshold, a sentence without its end each."""
    if not expected:
        return ("the set expects no final response, which scores 0.0: write the response or leave the metric out",)
    if not words.expected:
        return ("the expected response has no words that count, only signs: it scores 0.0 whatever the agent says",)
    if not actual:
        return ("the recording has no final response",)
    said = []
    if words.missing:
        count = len(words.missing)
        of_all = f"{count} of {len(words.expected)} expected words {'is' if count == 1 else 'are'} missing"
        said.append(f"{of_all}: {_listed(words.missing)}")
    if words.added:
        count = len(words.added)
        said.append(f"{count} {'word is' if count == 1 else 'words are'} added: {_listed(words.added)}")
    said.append(f"the score is {distance(threshold - words.score)} below the threshold")
    return (*said, *([words.note] if words.note else []))


def distance(number: float) -> str:
    """How far a score is from its threshold, in as many digits as it takes to see it."""
    for digits in (2, 3, 6):
        if round(abs(number), digits) > 0:
            return f"{abs(number):.{digits}f}"
    return f"{abs(number):.0e}"


def _listed(words: Sequence[str]) -> str:
    shown = [one_line(word, _LENGTH) for word in words[:_WORDS]]
    more = len(words) - len(shown)
    return f"{', '.join(shown)}{f' and {more} more' if more else ''}"

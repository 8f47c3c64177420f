"""Sentences about recorded conversations that belong to no case: one for each reason and file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from evaltui.printable import one_line

_OTHER_SET = "recorded for eval set "
# A folder of recordings of several sets has hundreds of such conversations: one sentence for all of them is enough.
_SHARED = _OTHER_SET, "it names a case that this dataset does not have"
"""The starts of reasons that conversations of several files share."""
_WITHOUT_IDS = (*_SHARED, "no case has the same", "there is no user message", "no case of these sets matches")
"""The starts of reasons that belong to the whole file. For other reasons, such as an unknown case, the id is needed."""
_NAMED, _LENGTH = 5, 60
"""The most ids that are named, and the most characters of each."""
_PLURALS = {
    "there is no recording of this case": "there is no recording of these cases",
    "there is no user message, so no case matches": "there are no user messages, so no case matches",
    "it names a case that this dataset does not have": "they name cases that this dataset does not have",
    "this case cannot be read": "these cases cannot be read",
    "google-adk rejects this case": "google-adk rejects these cases",
    "the case is a scenario without": "the cases are scenarios without",
    "the case has no turns": "the cases have no turns",
    "the case states no expectation: it has": "the cases state no expectation: they have",
    "the case states no expected tool calls: it has": "the cases state no expected tool calls: they have",
    "the case states no expected response: it has": "the cases state no expected response: they have",
}
"""Reasons of one case or conversation, in the plural when several share it."""


class FirstNames:
    """Names of cases or conversations that share a sentence, of which only the first are kept."""

    def __init__(self) -> None:
        self.count = 0
        self.files: dict[str, None] = {}
        self._first: list[str] = []

    def add(self, name: str) -> None:
        """Count one more name."""
        self.count += 1
        if len(self._first) < _NAMED:
            self._first.append(name)

    def list_first(self, number_format: str = "") -> str:
        """The first names, and the number of the others."""
        rest = f" and {self.count - _NAMED:{number_format}} more" if self.count > _NAMED else ""
        return f"{', '.join(self._first)}{rest}"

    def count_cases(self) -> str:
        """The only case, or the number of cases with the first of them."""
        return self.list_first() if self.count == 1 else f"{self.count} cases ({self.list_first()})"


def skipped_lines(skipped: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """`run.json: 2 conversations skipped: …`, for conversations that belong to no case.

    Each is there once: the name of its file, its id, and the reason as a clause. Conversations of another set share a
    sentence in all their files.
    """
    groups: defaultdict[tuple[str, str], FirstNames] = defaultdict(FirstNames)
    for file, conversation_id, reason in skipped:
        group = groups["" if reason.startswith(_SHARED) else file, reason]
        group.add(one_line(conversation_id, _LENGTH))
        group.files[file] = None
    for (_, reason), group in groups.items():
        who, why = f"{group.count:,} conversation{'s' * (group.count != 1)}", reason_for(group.count, reason)
        if not reason.startswith(_WITHOUT_IDS):
            first = group.list_first(",")
            who = f"conversation {first}" if group.count == 1 else f"{who} ({first})"
        if reason.startswith(_OTHER_SET):
            belongs = "it belongs" if group.count == 1 else "they belong"
            why = f"{belongs} to eval set {reason.removeprefix(_OTHER_SET)}"
        several = f"{who} in {len(group.files):,} files skipped"
        yield f"{several}: {why}" if len(group.files) > 1 else f"{next(iter(group.files))}: {who} skipped: {why}"


def reason_for(count: int, reason: str) -> str:
    """The reason in the plural if `count` cases or conversations share it."""
    if count > 1:
        for singular, plural in _PLURALS.items():
            reason = reason.replace(singular, plural)
    return reason

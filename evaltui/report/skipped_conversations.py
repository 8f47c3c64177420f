"""Sentences about recorded conversations that belong to no case: one for each reason and file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evaltui.printable import one_line
from evaltui.report.shared_reasons import reason_for

_OTHER_SET = "recorded for eval set "
_WITHOUT_IDS = (_OTHER_SET, "no case has the same", "there is no user message", "no case of these sets matches")
"""The starts of reasons that belong to the whole file. For other reasons, such as an unknown case, the id is needed."""
_NAMED, _LENGTH = 5, 60
"""The most ids that are named, and the most characters of each."""


class Skipped(NamedTuple):
    """A conversation that belongs to no case."""

    file: str
    """The name of its file, as the sentence shows it."""
    id: str
    reason: str
    """A clause."""


def skipped_lines(skipped: Iterable[Skipped]) -> Iterator[str]:
    """`run.json: 2 conversations skipped: …`. Conversations of another eval set share a sentence in all their files."""
    found: defaultdict[tuple[str, str], dict[tuple[str, str], None]] = defaultdict(dict)
    for each in skipped:
        file = "" if each.reason.startswith(_OTHER_SET) else each.file
        found[file, each.reason][each.file, each.id] = None
    for (_, reason), conversations in found.items():
        files = dict.fromkeys(file for file, _ in conversations)
        who, why = _who(conversations, reason), _why(len(conversations), reason)
        several = f"{who} in {len(files):,} files skipped"
        yield f"{several}: {why}" if len(files) > 1 else f"{next(iter(files))}: {who} skipped: {why}"


def _who(conversations: Iterable[tuple[str, str]], reason: str) -> str:
    ids = [one_line(identifier, _LENGTH) for _, identifier in conversations]
    count = f"{len(ids):,} conversation{'s' * (len(ids) != 1)}"
    if reason.startswith(_WITHOUT_IDS):
        return count
    if len(ids) == 1:
        return f"conversation {ids[0]}"
    rest = f" and {len(ids) - _NAMED:,} more" if len(ids) > _NAMED else ""
    return f"{count} ({', '.join(ids[:_NAMED])}{rest})"


def _why(count: int, reason: str) -> str:
    if reason.startswith(_OTHER_SET):
        belongs = "it belongs" if count == 1 else "they belong"
        return f"{belongs} to eval set {reason.removeprefix(_OTHER_SET)}"
    return reason_for(count, reason)

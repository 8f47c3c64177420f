"""Losses of a conversion in groups of one kind and one reason, and their sentences for all reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaltui.interop.fields import Field
from evaltui.interop.losses import Loss
from evaltui.interop.output_tree import LossKind

WORDS: dict[LossKind, str] = {
    "no_place": "lost",
    "changed": "changed",
    "merged": "merged",
    "invented": "added",
}
"""The participle of each kind, in the order in which reports list them."""
_UNKNOWN = "members that neither format knows"
_MOST_NAMED = 3


class LossGroup(NamedTuple):
    """Losses with one kind, field, reason and advice."""

    kind: LossKind
    subject: str
    """The field that was lost, as tables call it."""
    reason: str
    advice: str
    losses: Sequence[Loss]

    @property
    def title(self) -> str:
        """The number, the kind and the field: "3 lost: recorded responses"."""
        return f"{len(self.losses):,} {WORDS[self.kind]}: {self.subject}"


def grouped(losses: Iterable[Loss]) -> list[LossGroup]:
    """The losses in groups: by kind, then in the order of the source."""
    found: dict[tuple[LossKind, Field | None, str, str], list[Loss]] = {}
    for each in losses:
        found.setdefault((each.kind, each.field, each.reason, each.advice), []).append(each)
    groups = [
        LossGroup(kind, _subject(kind, field, members), reason, advice, members)
        for (kind, field, reason, advice), members in found.items()
    ]
    order = list(WORDS)
    return sorted(groups, key=lambda group: order.index(group.kind))


def _subject(kind: LossKind, field: Field | None, losses: Sequence[Loss]) -> str:
    if field is not None:
        return field.value
    names = {each.pointer.rpartition("/")[2] for each in losses}
    return names.pop().replace("_", " ") if kind == "invented" and len(names) == 1 else _UNKNOWN


def losses_in_short(losses: Sequence[Loss], most: int = _MOST_NAMED) -> str:
    """The number of losses with their first fields: "3 losses: recorded responses, rubrics of a case".

    "" for none. Required values that the source lacks are no losses and are not counted here.
    """
    counts = Counter(group.subject for group in grouped(losses) for _ in group.losses if group.kind != "invented")
    if not counts:
        return ""
    names = [*list(counts)[:most], *([f"{len(counts) - most} more"] if len(counts) > most else [])]
    return f"{counted_losses(losses)}: {', '.join(names)}"


def counted_losses(losses: Sequence[Loss]) -> str:
    """The number of losses, "nothing is lost" for none. Values that were added are not counted."""
    count = sum(each.kind != "invented" for each in losses)
    return f"{count:,} loss{'es' * (count != 1)}" if count else "nothing is lost"

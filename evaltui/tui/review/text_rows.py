"""Rows of texts: both sides with marked words; long texts are folded around the differences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from evaltui.evalset.content_parts import OtherPart
from evaltui.evalset.turn import NOT_RECORDED
from evaltui.printable import one_line
from evaltui.review.review_changes import Place, ReviewChange
from evaltui.review.text_difference import TextDifference, TextFold, TextRun, folded
from evaltui.scoring.call_equality import ABSENT
from evaltui.tui.lines import NO_MARK, STATE_MARKS, Run, paragraphs
from evaltui.tui.review.review_row import Lines, ReviewRow, heading

_AROUND = 25
"""Words that are shown on each side of a difference in a folded text."""
_CHARACTERS = 1_200
"""The most characters of a side that are shown while a text is folded."""

_ABSENT = {"User": "no user message", "Response": "no response"}
"""The words in the place of an empty text, by the heading above it."""


class TextRows:
    """Makes the rows of texts."""

    def __init__(self, opened: frozenset[str], difference: Callable[[str, str], TextDifference]) -> None:
        """`opened` are the keys of the rows that are shown whole."""
        self.opened = opened
        self._difference = difference

    def rows(
        self,
        key: str,
        name: str,
        ours: str | None,
        theirs: str | None,
        *,
        changes: tuple[ReviewChange, ...] = (),
        said: str = "",
        is_quiet: bool = False,
        place: Place | None = None,
        is_recorded: bool = True,
    ) -> Iterator[ReviewRow]:
        """A heading, and a row with the text of both sides; with `is_quiet` without the mark of a difference.

        `is_recorded` is false if the recording does not hold the text.
        """
        yield heading(f"{key} heading", name)
        is_open = key in self.opened
        absent = _ABSENT.get(name, "")
        theirs = theirs if is_recorded else None
        is_quiet = is_quiet or not is_recorded
        left, right, is_cut = self.sides(ours, theirs if is_recorded else ours, is_open=is_open, absent=absent)
        right = right if is_recorded else ([(NOT_RECORDED, "dim")],)
        state = (
            "matched" if ours == theirs else "missing" if not theirs else "extra" if not ours else "arguments_differ"
        )
        mark = NO_MARK if is_quiet or ours == theirs else STATE_MARKS[state]
        if said and not ours:
            left = ()
        fold = is_open if is_cut or is_open else None
        yield ReviewRow(key, mark, left, right, said, changes, fold, values=(_value(ours), _value(theirs)), place=place)

    def sides(
        self, ours: str | None, theirs: str | None, *, is_open: bool, absent: str = '""'
    ) -> tuple[Lines, Lines, bool]:
        """The lines of both sides, and whether something of them is left out; `absent` stands for an empty text."""
        difference = self._difference(ours or "", theirs or "")
        shown = [_shown(runs, is_open=is_open) for runs in difference]
        left, right = (_paragraphs(side, text, absent) for (side, _), text in zip(shown, (ours, theirs), strict=True))
        return left, right, any(cut for _, cut in shown)


def part_rows(key: str, ours: Sequence[OtherPart], theirs: Sequence[OtherPart]) -> Iterator[ReviewRow]:
    """The parts that are no text: their type, size and hash."""
    for at in range(max(len(ours), len(theirs))):
        one, other = (side[at] if at < len(side) else None for side in (ours, theirs))
        is_same = one is not None and other is not None and one.digest == other.digest
        said = "" if is_same else "not compared"
        yield ReviewRow(f"{key} part {at}", NO_MARK, _part_lines(one), _part_lines(other), said)


def _part_lines(part: OtherPart | None) -> Lines:
    return ([(one_line(part.description, 100), ""), (f"  {part.digest}", "dim")],) if part is not None else ()


def _shown(runs: Sequence[TextRun], *, is_open: bool) -> tuple[list[Run], bool]:
    """The runs of a side with their roles, and whether something is left out."""
    if is_open:
        return [(run.text, _role(run)) for run in runs], False
    shown: list[Run] = []
    is_cut, room = False, _CHARACTERS
    for part in folded(runs, _AROUND):
        if isinstance(part, TextFold):
            shown.append((f" … {part.words:,} more words … ", "dim"))
            is_cut = True
        elif len(part.text) > room:
            shown += [(part.text[:room], _role(part)), (f" … {len(part.text) - room:,} more characters", "dim")]
            return shown, True
        else:
            shown.append((part.text, _role(part)))
            room -= len(part.text)
    return shown, is_cut


def _role(run: TextRun) -> str:
    return "" if run.is_shared else "differs"


def _value(text: str | None) -> Any:
    return ABSENT if text is None else text


def _paragraphs(runs: Sequence[Run], text: str | None, absent: str) -> Lines:
    """The runs of a text, a line each; a role marks those that only this side has."""
    if text is None:
        return ()
    if not text:
        return ([(absent, "dim")],)
    return tuple(paragraphs(runs))

"""Chooses the keys for the keys line of the review: those that can do something now."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from evaltui.printable import one_line
from evaltui.review.review_changes import ReviewChange, changes_text, turns_title
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.review.entry_view import EntryView
from evaltui.tui.review.review_list import ReviewList
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.review_row import argument_name
from evaltui.tui.widgets.line_input import title_while_filtering

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_STILL_FAILS = " (still fails)"
_NAME = 16
"""The most characters of the name of an argument in the keys line."""


class OfferedKeys:
    """Gives the titles of the commands of the review; "" for a command that would do nothing now."""

    FIRST = ("review.write_config", "review.drop_trial")
    """Commands that the keys line shows before all others: they end a trial of criteria."""

    def __init__(
        self,
        file: OpenFile,
        queue: ReviewQueue,
        view: EntryView,
        rows: ReviewList,
        *,
        is_first: bool,
        shows_conversation: Callable[[], bool],
    ) -> None:
        """`is_first`: evaltui started in the review, so there is no editor behind it.

        `shows_conversation`: whether the whole conversation is on the screen.
        """
        self._shows_conversation = shows_conversation
        self._queue, self._view, self._rows = queue, view, rows
        self._useful: dict[str, Callable[[], bool]] = {
            "review.accept": lambda: bool(self._of_row()),
            "review.accept_turn": lambda: len(self._texts_and_args()) > len(self._of_row()),
            "review.accept_sequence": lambda: "sequence" in self._kinds(),
            "review.reject": self._has_difference,
            "review.skip": self._is_entry,
            "review.undo": lambda: file.decisions.next_undo is not None,
            "review.next_item": self._is_entry,
            "review.open": self._is_folded,
            "review.save": lambda: file.document.is_dirty,
            "review.note": self._is_turn,
            "review.edit": self._is_turn,
            "review.fills": lambda: "fill" in self._kinds(),
            "review.conversation": self._has_other_turns,
            "review.leave": lambda: not is_first,
            "review.conversations": self._is_unmatched,
            "review.write_config": lambda: file.scores.trial.is_unwritten and not file.readonly,
            "review.drop_trial": lambda: file.scores.trial.is_unwritten,
        }

    def title_of(self, command: Command) -> str:
        """The title of a command; "" if it would do nothing now."""
        if command.place != "review":
            return title_while_filtering(command)
        is_useful = self._useful.get(command.id)
        if is_useful is not None and not is_useful():
            return ""
        if command.id == "review.conversation" and self._shows_conversation():
            return "this turn"
        if command.id == "review.accept":
            changes = self._of_row()
            return f"accept {_part(changes)}{_STILL_FAILS if any(each.remark for each in changes) else ''}"
        if command.id == "review.accept_turn" and "sequence" in self._kinds():
            return f"texts and arguments{self._remark()}"
        if command.id == "review.accept_turn" and self._view.item is not None and self._view.item.status == "passed":
            return "passing differences"
        if command.id == "review.accept_turn":
            return f"{command.title}{self._remark()}"
        return self._sequence() if command.id == "review.accept_sequence" else command.title

    def _remark(self) -> str:
        """The end of the title of the key that accepts the turn, if the turn still fails then."""
        return _STILL_FAILS if any(change.remark for change in self._texts_and_args()) else ""

    def _sequence(self) -> str:
        """The title of the key that adds, deletes or moves calls and turns: its effect on the selected row."""
        row, item = self._rows.row, self._view.item
        here = [each for each in (row.changes if row is not None else ()) if each.kind == "sequence"]
        found = here or [each for each in (item.changes if item is not None else ()) if each.kind == "sequence"]
        actions = {each.place.action for each in found}
        said = turns_title(found) or (actions.pop().replace("_", " ") if len(found) == 1 else "calls")
        return f"{said}{_STILL_FAILS if any(each.remark for each in found) else ''}"

    def _is_entry(self) -> bool:
        return self._queue.entry is not None and not self._queue.is_over

    def _is_unmatched(self) -> bool:
        return self._is_entry() and self._queue.entry is not None and self._queue.entry.unmatched is not None

    def _is_turn(self) -> bool:
        return self._view.item is not None

    def _has_difference(self) -> bool:
        item = self._view.item
        return item is not None and (item.status != "passed" or bool(item.changes))

    def _has_other_turns(self) -> bool:
        item = self._view.item
        return item is not None and max(len(item.case.turns), len(item.run.conversation.turns)) > 1

    def _is_folded(self) -> bool:
        row = self._rows.row
        return row is not None and (row.goal is not None or (row.fold is not None and self._is_entry()))

    def _kinds(self) -> set[str]:
        item = self._view.item
        return {change.kind for change in item.changes} if item is not None else set()

    def _texts_and_args(self) -> list[ReviewChange]:
        item = self._view.item
        return [change for change in item.changes if change.kind != "sequence"] if item is not None else []

    def _of_row(self) -> list[ReviewChange]:
        """The changes of the selected row that its key accepts."""
        row = self._rows.row
        changes = row.changes if row is not None and self._is_turn() else ()
        return [change for change in changes if change.kind != "sequence"]


def _part(changes: Sequence[ReviewChange]) -> str:
    """A word for the value that changes write: `response`, `call`, the name of an argument, or `arguments`."""
    place = changes[0].place
    if len(changes) > 1 or place.action == "arguments":
        return "arguments"
    if place.action in ("add_call", "no_calls"):
        return "call" if place.action == "add_call" else changes[0].summary
    return one_line(argument_name(place.pointer), _NAME) if place.action == "argument" else "response"


def accepting_text(changes: Sequence[ReviewChange]) -> str:
    """The keys that accept changes, with the effect of each. The text of a `sequence` begins with its own verb."""
    values, others = ([each for each in changes if (each.kind == "sequence") is kind] for kind in (False, True))
    said = [f"{key_of('review.accept')}: accept {changes_text(values)}"] if values else []
    said += [f"{key_of('review.accept_sequence')}: {changes_text(others)}"] if others else []
    return " · ".join(said)

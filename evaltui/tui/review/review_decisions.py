"""The keys that decide in a review: accept, keep the expected side, skip, note, and undo."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from evaltui.document.errors import DocumentError
from evaltui.evalset.titles import case_title
from evaltui.printable import json_escaped
from evaltui.review.decisions import DecisionKind
from evaltui.review.review_changes import ReviewChange, changes_text
from evaltui.review.review_items import ReviewItem
from evaltui.review.sidecar import author_in
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.results import plain
from evaltui.tui.commands import key_of
from evaltui.tui.editor.clipboard import copy_text
from evaltui.tui.lines import cut_in_the_middle
from evaltui.tui.messages import redone_said, undo_said, undone_said
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.review.decision_history import DecisionStep
from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.review.queue_entry import QueueEntry
from evaltui.tui.review.queue_survey import QueueSurvey
from evaltui.tui.review.review_queue import ReviewQueue
from evaltui.tui.review.review_row import ReviewRow
from evaltui.tui.review.verdict_change import VerdictChange, is_one_turn, verdict_of

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_NAME_MIN, _NAME_MAX = 12, 60
_NAME = 20
"""The most cells of the name of a turn beside the name of a step."""
_SKIPPED = 36
"""The most cells of the name of a skipped entry."""
_AROUND_NAME = 62
"""Cells of the status line around the title of a case: the verdict, and the undo key."""


class DecisionKeys:
    """The actions of the review screen that decide about the present entry."""

    def __init__(
        self,
        file: OpenFile,
        queue: ReviewQueue,
        survey: QueueSurvey,
        screen: Screen[str],
        display: EntryDisplay,
    ) -> None:
        self._file, self._history = file, file.decisions
        self._queue, self._survey = queue, survey
        self._front, self._display = screen, display
        self._filling: list[QueueEntry] = []
        """The entries to fill, counted at the first press of the key."""
        self._asked_at = -1
        """The number of keys and clicks at the first press: any other key in between cancels the fill."""

    # --- accept ------------------------------------------------------------------------------------------------

    def accept(self) -> None:
        """Accept the selected row: an argument, all differing arguments of a call, the response."""
        row = self._display.rows.row
        changes = row.changes if row is not None and self._item is not None else ()
        chosen = [change for change in changes if change.kind != "sequence"]
        if chosen:
            self._accept(chosen)
        elif changes:
            self._say(f"{changes_text(changes)}: press {key_of('review.accept_sequence')} to accept it.")
        else:
            self._say_nothing("No difference on this line.")

    def accept_turn(self) -> None:
        """Accept all changes of the turn, except added, deleted and moved calls and turns."""
        item = self._item
        changes = item.changes if item is not None else ()
        chosen = [change for change in changes if change.kind != "sequence"]
        if chosen:
            self._accept(chosen)
        elif changes:
            self._say(f"{changes_text(changes)}: press {key_of('review.accept_sequence')} to accept it.")
        else:
            self._say_nothing("No difference in this turn.")

    def _say_nothing(self, otherwise: str) -> None:
        if self._item is not None:
            otherwise = self._item.why_no_change(otherwise)
        elif not self._file.scores.has_any:
            otherwise = why_none(self._file.scores, in_editor=False)
        self._say(otherwise)

    def accept_sequence(self) -> None:
        """Accept added, deleted and moved calls and turns: of the selected row, else of the whole item."""
        item, row = self._item, self._display.rows.row
        here = [change for change in row.changes if change.kind == "sequence"] if row is not None else []
        chosen = here or [change for change in (item.changes if item else ()) if change.kind == "sequence"]
        if chosen:
            self._accept(chosen)
        else:
            self._say_nothing("No tool call or turn to add, delete or move here.")

    def _accept(self, changes: Sequence[ReviewChange]) -> None:
        entry, item, screen = self._entry, self._item, self._display
        if entry is None or item is None:
            return
        following = _following(screen.rows.rows, screen.rows.cursor, {change.id for change in changes})
        step = self._write([(entry, item, changes)], _label(changes), self._key)
        if step is None:
            return
        if entry.decision == "accepted":
            # The next entry takes the screen: the verdict comes first, so that a narrow line does not cut it.
            verdict = f" {step.verdict.said(self._named(entry))}." if step.verdict is not None else ""
            said = self._said(f"Accepted.{verdict}{self._new_file()}")
            # Draw the passing turn for one frame, so that the person sees it pass, then show the next entry.
            screen.show_entry()
            self._file.app.input_order.call_in_next_frame(self._front, lambda: screen.go_on(said, undo_said()))
            return
        said = self._said(f"Accepted: {changes_text(changes)}")
        if step.verdict is not None:
            said = f"{said} · {_as_phrase(step.verdict.said())}"
        screen.show_entry(key=following)
        left = self._item.changes if self._item is not None else ()
        if left and all(change.kind == "sequence" for change in left):
            said = f"{said} · {key_of('review.accept_sequence')}: accept the rest ({changes_text(left)})"
        screen.status.say(said, undo_said())

    def _write(
        self,
        accepted: Sequence[tuple[QueueEntry, ReviewItem, Sequence[ReviewChange]]],
        label: str,
        row: str | None = None,
    ) -> DecisionStep | None:
        """Accept changes as one step, which undo shows at `row`; None, and a message, if that is refused."""
        if self._file.readonly:
            self._say(self._file.refusal)
            return None
        queue, entry = self._queue, accepted[0][0]
        is_turn = is_one_turn(queue, entry)
        before = verdict_of(queue, self._file.scores, entry, is_turn=is_turn)
        cases = [(entry.case, item, changes) for entry, item, changes in accepted if entry.case is not None]
        try:
            step = self._history.accept(cases, label, entry=entry, row=row)
        except DocumentError as error:
            self._say(f"Not accepted: {error}")
            return None
        queue.are_kept = not self._history.trouble
        for accepted_entry, _, _ in accepted:  # after scoring: an entry is accepted once its turn needs nobody
            is_over = not queue.needs_person(accepted_entry)
            step.decide(accepted_entry, "accepted" if is_over else accepted_entry.decision)
        after = verdict_of(queue, self._file.scores, entry, is_turn=is_turn)
        if len(accepted) == 1 and before is not None and after is not None:
            step.verdict = VerdictChange(entry.turn if is_turn else None, before, after)
        return step

    def fill(self) -> None:
        """Show how many expected values are missing; the second press fills them from the recording."""
        if self._filling and self._file.app.input_order.inputs == self._asked_at + 1:
            entries, self._filling = self._filling, []
            self._say(f"Filling {_counted(len(entries), 'turn')} …")
            self._file.app.input_order.call_in_next_frame(self._front, lambda: self._fill(entries))
        else:
            self._survey.then(self._show_fills)

    def _show_fills(self) -> None:
        queue = self._queue
        fills = {entry: queue.items.facts(entry).fills for entry in queue.entries if entry.is_open}
        self._filling = [entry for entry, count in fills.items() if count]
        if not self._filling:
            self._say("All turns in the queue have their expected values.")
            return
        first = _fills_of(queue.item(self._filling[0]))[0].summary
        self._asked_at = self._file.app.input_order.inputs
        several = _counted(sum(fills.values()), "missing expected value")
        turns = _counted(len(self._filling), "turn")
        self._say(f"{several} in {turns}. Press {key_of('review.fills')} again to fill from the recording: {first}")

    def _fill(self, entries: Sequence[QueueEntry]) -> None:
        items = ((entry, self._queue.item(entry)) for entry in entries)
        accepted = [(entry, item, _fills_of(item)) for entry, item in items if item is not None]
        count = sum(len(changes) for _, _, changes in accepted)
        if self._write(accepted, f"fill {_counted(count, 'expected value')}") is not None:
            filled = f"Filled {_counted(count, 'expected value')} in {_counted(len(accepted), 'turn')}"
            self._display.go_on(self._said(filled))

    # --- other decisions ---------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Keep what is expected: the agent is wrong."""
        entry = self._entry
        if entry is None or self._item is None:
            self._say("Only a turn of the set can be marked wrong.")
            return
        if self._item.status == "passed" and not self._item.changes:
            self._say(f"No difference is left. {self._way_back(entry)}")
            return
        if self._has_kept(entry, self._item):
            self._say("The expected values of this turn are kept already: the agent is wrong.")
            return
        parts = self._file.decisions.parts(entry.case, entry.turn)
        stays = f" {_counted(parts, 'accepted change')} stay{'s' * (parts == 1)} accepted." if parts else ""
        self._decide(entry, "agent is wrong")
        name = "" if self._history.made else f" of {self._queue.name(entry)}"
        said = f"Kept expected{name}: the agent is wrong.{self._new_file()}{stays}"
        self._display.go_on(self._said(said), undo_said())

    def _has_kept(self, entry: QueueEntry, item: ReviewItem) -> bool:
        """Whether this person kept the expected side already, and it was written."""
        if entry.decision != "agent is wrong" or self._history.unwritten():
            return False
        path = self._file.document.path
        mine = self._queue.decisions.verdicts(item).get(author_in(path.parent if path is not None else Path()))
        return mine is not None and mine.verdict == "agent is wrong"

    def _decide(self, entry: QueueEntry, verdict: DecisionKind | None, note: str = "") -> None:
        self._history.decide(entry, self._queue.item(entry), verdict, note)
        self._queue.are_kept = not self._history.trouble

    def _way_back(self, entry: QueueEntry) -> str:
        """How to take back what was accepted of a turn: undo, if it takes this turn next, else in the editor."""
        undo, editor = key_of("review.undo"), key_of("review.editor")
        if (step := self._history.next_undo) is None:
            return f"Press {editor} to edit this turn."
        if entry in step.entries:
            return f"Press {undo} to undo the accepted changes."
        decided = [cut_in_the_middle(self._queue.name(entry), _NAME) for entry in [*step.entries][:1]]
        return f"{undo} undoes first: {step.label}{''.join(f' ({name})' for name in decided)}"

    def skip(self) -> None:
        """Skip the entry; it comes once more, after all entries without a decision."""
        entry = self._entry
        if entry is None:
            return
        name = cut_in_the_middle(self._queue.name(entry), _SKIPPED)
        if entry.decision == "skipped":
            self._display.go_on(f"Skipped {name} again.")
            return
        self._decide(entry, "skipped")
        self._display.go_on("")
        again = "" if self._queue.is_over else " It comes again."
        self._display.status.say(self._said(f"Skipped {name}.{again}"), undo_said())

    def note(self) -> None:
        """Ask for a note and keep it beside the set."""
        from evaltui.tui.screens.name_dialog import NameDialog

        entry = self._entry
        if entry is None or self._item is None:
            self._say("Only a turn of the set can have a note.")
            return

        def answered(text: str | None) -> None:
            if text:
                self._decide(entry, None, text)
                self._display.show_entry(key=self._key)
                sidecar = self._history.sidecar
                noted = f"Noted in {sidecar.path.name}" if sidecar is not None else "Noted"
                self._display.status.say(self._said(noted), undo_said())

        self._file.app.push_screen(NameDialog(f"Note on {self._queue.name(entry)}", "", lambda _: None), answered)

    # --- undo --------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Undo the last decision, and its edit."""
        self._step(self._history.undo, VerdictChange.said_undone, undone_said)

    def redo(self) -> None:
        """Redo the decision that was undone last."""
        self._step(self._history.redo, VerdictChange.said, redone_said)

    def _step(
        self,
        act: Callable[[], DecisionStep | str],
        verdict_text: Callable[[VerdictChange], str],
        step_text: Callable[[str], str],
    ) -> None:
        queue, case_count = self._queue, self._case_count
        step = act()
        if isinstance(step, str):
            self._say(step)
            return
        queue.are_kept = not self._history.trouble
        queue.refresh({entry.case: None for entry in step.entries if entry.case is not None})
        queue.is_over = False
        entries = (entry for entry in (*step.entries, step.entry) if entry in queue.entries)
        if (entry := next(entries, None)) is not None:
            queue.select(entry)
        elif step.cases:  # accepted in the editor
            queue.go_to(step.cases[0], step.decisions[0].turn)
        self._display.go(key=step.row)
        if self._case_count != case_count:  # a case came or went: recordings must be matched again
            self._file.scorer.score()
        # The verdict comes first, so that a narrow line does not cut it.
        verdict = f"{verdict_text(step.verdict)}. " if step.verdict is not None else ""
        self._say(self._said(f"{verdict}{step_text(step.label)}"))

    @property
    def _case_count(self) -> int:
        case_file = self._file.case_file
        return len(case_file.cases) if case_file is not None else 0

    # --- copy --------------------------------------------------------------------------------------------------

    def copy_side(self, side: str) -> None:
        """Copy one side of the selected row as JSON."""
        row = self._display.rows.row
        value = row.values[side == "actual"] if row is not None else ABSENT
        if value is ABSENT:
            self._say(f"This line has no {side} value to copy.")
            return
        text = json_escaped(json.dumps(plain(value), ensure_ascii=False))
        copy_text(self._file.app, self._display.status, text, f"copied the {side} value")

    # --- parts -------------------------------------------------------------------------------------------------

    @property
    def _entry(self) -> QueueEntry | None:
        return self._queue.entry if not self._queue.is_over else None

    @property
    def _item(self) -> ReviewItem | None:
        return self._queue.item(self._entry) if self._entry is not None else None

    @property
    def _key(self) -> str | None:
        return self._display.rows.row.key if self._display.rows.row is not None else None

    def _named(self, entry: QueueEntry) -> str:
        """The title of the case of an entry, cut for the status line."""
        title = case_title(entry.case) if entry.case is not None else ""
        return cut_in_the_middle(title, max(_NAME_MIN, min(_NAME_MAX, self._front.size.width - _AROUND_NAME)))

    def _say(self, text: str) -> None:
        self._display.status.say(text)

    def _said(self, message: str) -> str:
        trouble = f"Not saved yet: {self._history.trouble} · " if self._history.trouble else ""
        return f"{trouble}{message}"

    def _new_file(self) -> str:
        """Names the sidecar if the last decision made it, since the set itself is saved by a key only."""
        return f" Decisions go to {self._history.made}." if self._history.made else ""


def _following(rows: Sequence[ReviewRow], at: int, accepted: set[str]) -> str | None:
    """The key of the next row with an open change, searched from row `at` on and then from the first."""
    order = [*rows[at + 1 :], *rows[: at + 1]]
    return next((row.key for row in order if {change.id for change in row.changes} - accepted), None)


def _label(changes: Sequence[ReviewChange]) -> str:
    """The name of the undo step. The text of an added, deleted or moved call or turn begins with its own verb."""
    said = changes_text(changes)
    return said if all(change.kind == "sequence" for change in changes) else f"accept {said}"


def _as_phrase(sentence: str) -> str:
    """A sentence as a part of another one."""
    return f"{sentence[:1].lower()}{sentence[1:]}"


def _fills_of(item: ReviewItem | None) -> list[ReviewChange]:
    return [change for change in item.changes if change.kind == "fill"] if item is not None else []


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"

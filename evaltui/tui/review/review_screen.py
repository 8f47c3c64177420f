"""The review desk: one failing turn after the other, expected and actual side by side, decided by single keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import cases_of, text_of
from evaltui.evalset.titles import case_title
from evaltui.recordings.matching import unmatched_of_set
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.open_file.case_rescoring import score_case
from evaltui.tui.recordings.recordings_door import RecordingsDoor
from evaltui.tui.review.entry_display import EntryDisplay
from evaltui.tui.review.expected_field import ExpectedField
from evaltui.tui.review.queue_filter import QueueFilter
from evaltui.tui.review.queue_survey import QueueSurvey
from evaltui.tui.review.review_decisions import DecisionKeys
from evaltui.tui.review.review_list import ReviewList
from evaltui.tui.review.review_start import ALL_FAILING, ReviewStart
from evaltui.tui.review.summary import is_all_decided, said_at_start
from evaltui.tui.review.trial import Trial
from evaltui.tui.review.unmatched_door import UnmatchedDoor
from evaltui.tui.review_commands import IN_REVIEW
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.widgets.line_input import FilterInput

if TYPE_CHECKING:
    from textual.widgets import Input

    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.conversations.adding_keys import MakeAddition
    from evaltui.tui.open_file.open_file import OpenFile


class ReviewScreen(CommandScreen):
    """The screen of the review: composes it, follows the scores, and handles keys that change the place or the view."""

    PLACE = "review"
    BINDINGS = bindings("review")
    OWN_WAYS = IN_REVIEW
    AUTO_FOCUS = "#review-lines"
    may_move = True

    def __init__(
        self, file: OpenFile, case: Node | None = None, turn: int | None = None, start: ReviewStart = ALL_FAILING
    ) -> None:
        """With `case`, the review begins at its `turn` (a number from 1). `start` says which cases are reviewed."""
        super().__init__()
        self.file = file
        self._start, self._asked = (case, turn), start
        self._trouble = ""
        """A sentence about trouble with the sidecar, or ""."""
        self._is_first = start.is_first
        """Whether evaltui started in the review, so there is no editor behind it."""
        self.queue = file.review_queue
        self._inputs_before = 0
        """The number of keys and clicks when the review began to wait for scores; 0 if it did not wait."""
        self._is_asked = False
        """Whether a key asked for the scores that are being computed."""
        self._runs = 0
        """The number of runs whose scores the queue was built from."""
        self.entry_display = display = EntryDisplay(file, self.queue, is_first=self._is_first)
        self.status = display.status
        self._survey = QueueSurvey(self.queue, self, display)
        self.queue_filter = QueueFilter(file, self.queue, self, display)
        self.trial = Trial(file, self.queue, display)
        self._field = ExpectedField(file, self.status.say, self._edited)
        self.unmatched_door = UnmatchedDoor(file, self.queue, self._add_case, self.status.say)
        self.decisions = DecisionKeys(file, self.queue, self._survey, self, display)
        self.recordings_door = RecordingsDoor(self)

    def compose(self) -> ComposeResult:
        """Head, rows, why, and the bars below."""
        display = self.entry_display
        yield display.head
        yield display.rows
        yield display.why
        yield display.status
        yield display.keys

    def on_mount(self) -> None:
        """Begin at the turn that was selected in the editor, or at the first of the queue."""
        self.file.review = self
        self._trouble = self.queue.begin(self._asked)
        self._take_up_scores()
        said = self._begin()
        self.entry_display.show_entry()
        self.status.say(" · ".join(filter(None, [self._trouble, said])))
        if self.queue.order != "file":
            self._survey.then(self._arrange)
        if not self.file.scores.has_any:
            self._inputs_before = self.file.app.input_order.inputs
            self.show_scores()

    def on_unmount(self) -> None:
        """The editor is in front again."""
        self.file.review = None

    def _take_up_scores(self) -> None:
        """Build the queue from the present scores."""
        scores, root = self.file.scores, self.file.document.root
        self._runs = scores.runs
        self._score_outdated()
        if root is None or scores.facts is None:
            self.queue.build([], ())
        else:
            unmatched = unmatched_of_set(scores.facts.unmatched, text_of(root, "eval_set_id"))
            self.queue.build(cases_of(root), unmatched)

    def _score_outdated(self) -> list[Node]:
        """Score the cases that were edited, against the same recordings as before; returns them."""
        outdated = [*self.file.scores.stale]
        for case in outdated:
            score_case(self.file, case)
        return outdated

    def _begin(self) -> str:
        """Go to the wanted turn, else to the first undecided one. Returns a sentence about it, or ""."""
        case, turn = self._start
        self.queue.is_over = False  # a key may have led to the summary while there were no scores
        if case is not None and self.queue.go_to(case, turn):
            return said_at_start(self.queue)
        missing = f"{self._why_not_queued(case)} " if case is not None and self.queue.entries else ""
        if is_all_decided(self.queue):
            self.queue.is_over = True
        elif self.queue.entry is not None and not self.queue.entry.is_open:
            self.queue.is_over = not self.queue.go_to_open()
        if missing and not self.queue.is_over:
            return f"{missing}The review starts at the first undecided turn."
        return f"{missing}{said_at_start(self.queue)}"

    def on_screen_resume(self) -> None:
        """The screen in front has closed: look at the file now if a change on disk waits."""
        self.file.disk.look_if_waiting()

    def on_resize(self) -> None:
        """Lay out the titles of the columns for another width."""
        if self.is_mounted and self.entry_display.rows.rows:
            self.call_after_refresh(self.entry_display.show_around)

    @on(ReviewList.RowSelected)
    def _row_selected(self) -> None:
        self.entry_display.row_selected()

    # --- what others tell this screen ------------------------------------------------------------------------

    def show_message(self, said: str | None) -> None:
        """Show what became of the file."""
        if said:
            self.status.say(said)
        if self.queue.is_over and self.is_mounted:  # the summary tells what is not saved
            self.entry_display.show_again()
        self.entry_display.keys.update()

    def show_scores(self) -> None:
        """Show new scores, for example after a save or with other recordings."""
        if self.file.scores.is_running:
            if not self.queue.entries:
                self.status.say(self.file.scores.progress or "Scoring …")
            return
        was_empty = not self.queue.entries
        row = self.entry_display.rows.row
        if self._runs == self.file.scores.runs:  # only criteria are tried: the queue stays
            self.queue.items.forget()
            self.entry_display.show_entry(key=row.key if row is not None else None)
            return
        self._take_up_scores()
        if self._is_asked:
            self._is_asked = False
            self.status.say(f"Scored again: {self.file.scores.counted() or 'no case has a score'}.")
        if was_empty:
            if 0 < self._inputs_before < self.file.app.input_order.inputs:
                self.file.app.opener_guard.hold("the turn has just appeared")
            self.status.say(" · ".join(filter(None, [self._trouble, self._begin()])))
        self.entry_display.show_entry(key=row.key if row is not None and not was_empty else None)

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self._is_asked = True
        self.status.say("Scoring …")
        self.file.scorer.score(anew=True)

    def note_change(self, scored: Sequence[Node]) -> None:
        """Take up a change of the document, after which some cases were scored already."""
        self.queue.refresh(dict.fromkeys([*scored, *self._score_outdated()]))

    # --- keys ------------------------------------------------------------------------------------------------

    def edit(self) -> None:
        """Edit the expected side of the selected line."""
        row, entry = self.entry_display.rows.row, self.queue.entry
        if row is None or row.place is None or entry is None or entry.case is None:
            self.status.say(
                f"This line has no expected value to edit. Press {key_of('review.editor')} to open the editor."
            )
        else:
            self._field.edit(entry.case, row.place)

    def _edited(self, revision: Revision) -> None:
        """Apply an edit of the expected side, and score its case again."""
        change, entry, row = self.file.apply(revision), self.queue.entry, self.entry_display.rows.row
        if change is None or entry is None or entry.case is None:
            return
        self.file.decisions.add_edit(change, entry, row.key if row is not None else None)
        self.entry_display.show_entry(key=row.key if row is not None else None)
        self.status.say(in_past_tense(change.label), undo_said())

    def _add_case(self, make: MakeAddition) -> None:
        """Add a case that was made from a recording; scoring then matches them."""
        eval_set = self.file.eval_set
        try:
            if eval_set is None:
                return
            addition = make(eval_set)
            change = self.file.apply(addition.revision)
        except DocumentError as error:
            self.status.say(str(error))
            return
        if change is not None:
            self.file.decisions.add_edit(change)
            self.status.say(" · ".join([in_past_tense(change.label), *addition.remarks]), undo_said())
            self.file.scorer.score()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the turn or of the filter."""
        self.entry_display.keys.show_place("filter" if isinstance(self.focused, FilterInput) else "review")

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed in the line of the filter."""
        self.queue_filter.apply(event.value)

    def next_order(self) -> None:
        """Sort the queue in the next order."""
        order = self.queue.next_order()
        said = {
            "file": "Sorted in file order.",
            "loss": "Sorted by score loss, greatest first.",
            "kind": "Sorted by kind, missing expected values first.",
        }

        def arranged() -> None:
            self._arrange()
            self.status.say(said[order])

        self._survey.then(arranged)

    def _arrange(self) -> None:
        """Sort the queue by facts that are known now."""
        self.queue.arrange()
        self.entry_display.show_entry()

    def case_here(self) -> Node | None:
        """The case of the turn that is shown."""
        return self.queue.entry.case if self.queue.entry is not None else None

    def show_conversation(self, key: ConversationKey) -> None:
        """Show a conversation without a case, to add it as a case."""
        self.unmatched_door.show_conversation(key)

    def go_to_case(self, case: Node) -> None:
        """Go to a case that was chosen among the recordings, if there is anything to review of it."""
        if self.queue.go_to(case, None):
            self.entry_display.show_entry()
        else:
            self.status.say(self._why_not_queued(case))

    def _why_not_queued(self, case: Node) -> str:
        """Why no turn of a case is in the queue."""
        scored = self.file.scores.of(case)
        has_recording = scored is None or scored.result.run is not None
        return f"{case_title(case)} {'needs no review' if has_recording else 'has no recording'}."

    def leave(self) -> None:
        """Go back: from the conversation or JSON to the turn, from a filter, to the editor. A trial stays."""
        if self.entry_display.leave_mode():
            return
        if self.queue_filter.is_on:
            self.queue_filter.clear_filter()
        elif self._is_first:
            self.status.say(
                f"The review is the first screen. Press {key_of('review.editor')} to open the editor, "
                f"or {key_of('quit')} to quit."
            )
        else:
            self._close(self.file.trial.said_left)

    def leave_or_quit(self) -> None:
        """Go back, or quit where evaltui began in the review."""
        if self._is_first and not self.entry_display.leave_mode():
            self.file.leaving.quit()
        else:
            self.leave()

    def go_to_editor(self) -> None:
        """Go to the editor, at this turn."""
        entry = self.queue.entry
        turns = expected_rows(entry.case) if entry is not None and entry.case is not None else []
        turn = turns[entry.turn - 1] if entry is not None and entry.turn and entry.turn <= len(turns) else None
        back = f"This is the editor. Press {key_of('list.review')} to go back to the review."
        self._close(self.file.trial.said_left or (back if self.queue.entries else ""))
        if entry is not None and entry.case is not None:
            view = self.file.lead_to(entry.case)
            view.score_steps.open_case_here(entry.case, turn, stay=True)

    def _close(self, said: str = "") -> None:
        self.file.scores.arrange()
        self.dismiss(said)

    def quit(self) -> None:
        """Quit; what is unsaved is asked about in front of the review."""
        self.file.leaving.quit()

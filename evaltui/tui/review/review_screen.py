"""The review desk: one failing turn after the other, expected and actual side by side, decided by single keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import getters, on
from textual.app import ComposeResult
from textual.content import Content

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_views import EvalCaseView, cases_of
from evaltui.evalset.titles import case_title
from evaltui.review.review_change import ReviewChange, changes_text
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.messages import in_past_tense, undo_said
from evaltui.tui.panes.bars import KeysBar, StatusBar
from evaltui.tui.panes.requests import adopt_actions
from evaltui.tui.review.desk import ReviewDesk
from evaltui.tui.review.entry_view import EntryView, Mode
from evaltui.tui.review.expected_field import ExpectedField
from evaltui.tui.review.offered_keys import OfferedKeys
from evaltui.tui.review.queue_filter import QueueFilter
from evaltui.tui.review.queue_survey import QueueSurvey
from evaltui.tui.review.review_decisions import DecisionKeys
from evaltui.tui.review.review_head import ReviewHead
from evaltui.tui.review.review_list import ReviewList
from evaltui.tui.review.text_differences import TextDifferences
from evaltui.tui.review.trial import Trial
from evaltui.tui.review.why_lines import WhyLines
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.text_pages import TextScreen
from evaltui.tui.session.review_queue import QueueEntry, ReviewQueue
from evaltui.tui.session.review_start import ALL_FAILING, ReviewStart

if TYPE_CHECKING:
    from textual.widgets import Input


_AROUND = 6
"""Lines of the screen that are neither rows nor sentences below them: head, borders, status and keys."""


class ReviewScreen(CommandScreen):
    """Shows the entry of the queue that is looked at. Gives the case and turn to go on at in the editor."""

    PLACE = "review"
    BINDINGS = bindings("review")
    AUTO_FOCUS = "#review-lines"

    rows = getters.query_one("#review-lines", ReviewList)
    status = getters.query_one("#status", StatusBar)
    keys = getters.query_one("#keys", KeysBar)
    why = getters.query_one("#review-why", WhyLines)
    head = getters.query_one("#review-head", ReviewHead)

    def __init__(
        self, file: OpenFile, case: Node | None = None, turn: int | None = None, start: ReviewStart = ALL_FAILING
    ) -> None:
        """With `case`, the review begins there, at the `turn` of this number. `start` says what is reviewed."""
        super().__init__()
        self.file = file
        self._start = case, turn
        self._trouble = ""
        """What is wrong with the sidecar, a sentence; "" if nothing is."""
        self._is_first = start.is_first
        """Whether evaltui began here, so that no editor is behind it."""
        self.queue = ReviewQueue(file.session.scores, start, file.session.reviewed)
        self.desk = ReviewDesk(file.session, self.queue, self._show_change)
        self._is_asked = False
        """Whether the person asked for the scores that are being made."""
        self._mode: Mode = "turn"
        self._opened: frozenset[str] = frozenset()
        self._shown: QueueEntry | None = None
        """The entry that was shown last."""
        self._view = EntryView(self.queue, file.session, TextDifferences(file.stage, self._show_again))
        self._offered = OfferedKeys(
            file.session, self.queue, self.desk, self._view, lambda: self.rows, is_first=self._is_first
        )
        self._survey = QueueSurvey(self.queue, self, self)
        self._filter = QueueFilter(file.session, self.queue, self, self)
        self._trial = Trial(file, self.queue, self, self)
        self._field = ExpectedField(file, self._say, self._edited)
        adopt_actions(
            self,
            file.saver,
            DecisionKeys(file, self.queue, self.desk, self._survey, self, self),
            self._filter,
            self._trial,
        )

    def compose(self) -> ComposeResult:
        """Head, rows, why, and the bars below."""
        yield ReviewHead(self.queue)
        yield ReviewList()
        yield WhyLines()
        yield StatusBar()
        keys = KeysBar(self._offered.title_of)
        keys.place = "review"
        yield keys

    def on_mount(self) -> None:
        """Begin at the turn where one was, or at the first of the queue."""
        self._read_sidecar()
        self.rebuild()
        said = self._begin()
        self.show_entry()
        self.status.say(" · ".join(filter(None, [said, self._trouble])))
        if not self.file.session.scores.has_any:
            self.show_scores()

    def _read_sidecar(self) -> None:
        from evaltui.document.errors import DocumentError

        sidecar = self.desk.sidecar
        if sidecar is None:
            return
        try:
            self.queue.decisions = sidecar.read()
        except DocumentError as error:
            self._trouble = str(error)
        else:
            if lines := self.queue.decisions.unread:
                self._trouble = f"{sidecar.path.name}: line {lines[0]} is no decision"

    def _begin(self) -> str:
        """Go to the turn where one was, else to the first open one; returns why that is another turn, or ""."""
        case, turn = self._start
        if case is not None:
            if not self.queue.go_to(case, turn) and self.queue.entries:
                return f"{case_title(case)} needs no review. This is the first turn that does."
        elif self.queue.entry is not None and not self.queue.entry.is_open:
            self.queue.is_over = not self.queue.go_to_open()
        return ""

    # --- showing -------------------------------------------------------------------------------------------

    def rebuild(self) -> None:
        """Take up what the scores of the session say now."""
        session = self.file.session
        for case in [*session.scores.stale]:
            self.desk.score(case)
        root, facts = session.document.root, session.scores.facts
        if root is None or facts is None:
            self.queue.build([], ())
            return
        own = text_of(root, "eval_set_id")
        # A folder of recordings may hold those of other sets: nobody need decide about them here.
        of_this = tuple(each for each in facts.unmatched if each.conversation.eval_set_id in (None, own))
        self.queue.build(cases_of(root), of_this)

    def show_entry(self, *, key: str | None = None) -> None:
        """Show the entry of the queue, with the cursor on a row."""
        self.rows.show(self._view.rows(self._mode, self._opened), key)
        self._show_words(keeps_height=self.queue.entry is self._shown)
        self._shown = self.queue.entry

    def _show_again(self) -> None:
        """A difference of long texts is there."""
        row = self.rows.row
        self.show_entry(key=row.key if row is not None else None)

    def _show_words(self, *, keeps_height: bool = True) -> None:
        self.head.refresh()
        self.rows.border_title = Content(self._view.sources(self.rows.size.width))
        size = self.size
        free = size.height - _AROUND - self.rows.line_count()
        self.why.show(self._view.words(), max(20, size.width - 2), free, keeps_height=keeps_height)
        self.keys.update()

    def action_explain(self) -> None:
        """Show in full why the turn fails, and what people noted."""
        entry, words = self.queue.entry, self._view.words(whole=True)
        if entry is not None and words:
            self.file.stage.ask(TextScreen(f"Why: {self.queue.name(entry)}", "\n\n".join(words)))

    def on_resize(self) -> None:
        """The title of the columns stands above them."""
        if self.is_mounted and self.rows.rows:
            self.call_after_refresh(self._show_words)

    @on(ReviewList.RowSelected)
    def _row_selected(self) -> None:
        row = self.rows.row
        self.status.hint(_accepting(row.changes) if row is not None else "")
        self.keys.update()

    # --- what others tell this screen ------------------------------------------------------------------------

    may_move = True
    """Whether the text may change under the person: no field is edited here."""

    def hear(self, said: str | None) -> None:
        """Show what became of the file."""
        if said:
            self.status.say(said)
        self.keys.update()

    def show_scores(self) -> None:
        """There are other scores than before: of what was saved, or of other recordings."""
        if self.file.session.scores.is_running:
            if not self.queue.entries:
                self.status.say(self.file.session.scores.progress or "scoring …")
            return
        was_empty = not self.queue.entries
        row = self.rows.row
        self.rebuild()
        if self._is_asked:
            self._is_asked = False
            self.status.say(f"Scored again: {self.file.session.scores.counted() or 'nothing'}.")
        if was_empty:
            self.status.say(self._trouble)
            self._begin()
        self.show_entry(key=row.key if row is not None and not was_empty else None)

    def action_run_again(self) -> None:
        """Score all cases again, with recordings and config read anew."""
        self._is_asked = True
        self.status.say("scoring …")
        self.file.scorer.score(anew=True)

    def _show_change(self, change: Change) -> None:
        """Tell the editor behind the review, once what the key did is drawn here."""

        def show() -> None:
            for view in self.file.stage.views:
                view.apply_change(change)

        self.file.stage.call_in_next_frame(self, show)

    # --- going about -----------------------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """Go to the next row."""
        self.status.say("")
        self.rows.action_move(step)

    def action_move_page(self, direction: int) -> None:
        """Go a page on."""
        self.status.say("")
        self.rows.action_move_page(direction)

    def action_move_end(self, direction: int) -> None:
        """Go to the first or last line."""
        self.status.say("")
        self.rows.action_move_end(direction)

    def action_step_difference(self, step: int) -> None:
        """Go to the next difference, of one turn after another."""
        self.status.say("")
        if not self.rows.next_difference(step):
            self.action_step_item(step)

    def action_step_item(self, step: int) -> None:
        """Go to the next entry of the queue; behind the last comes the summary."""
        if self.queue.is_over and step < 0:
            self.queue.is_over = False
        elif not self.queue.step(step):
            if step < 0:
                self.status.say("This is the first.")
                return
            self.queue.is_over = True
        self.go()

    def go(self, said: str = "", aside: str = "") -> None:
        """Show the entry that the queue is at now, from its start; say what was done, `aside` at the right."""
        self._opened, self._mode = frozenset(), "turn"
        self.show_entry()
        self.status.say(said, aside)

    def go_on(self, said: str, aside: str = "") -> None:
        """Go to the next open entry; behind the last the summary closes the queue."""
        self.queue.is_over = not self.queue.go_to_open()
        self.go(said, aside)

    def action_fold(self) -> None:
        """Show all of the selected row, or fold it."""
        row = self.rows.row
        if row is None or row.fold is None:
            self.status.say("There is nothing more to show of this line.")
            return
        self._opened ^= {row.key}
        self.show_entry(key=row.key)

    def action_conversation(self) -> None:
        """Show the whole conversation, or the turn again."""
        self._show_mode(
            "conversation", f"The whole conversation. {key_of('review.conversation')} goes back to the turn."
        )

    def action_show_json(self) -> None:
        """Show both sides as JSON, or the turn again."""
        self._show_mode("json", f"Both sides as JSON. {key_of('review.json')} goes back to the turn.")

    def _show_mode(self, mode: Mode, said: str) -> None:
        entry = self.queue.entry
        if self.queue.is_over or entry is None or entry.case is None:
            return
        self._mode = "turn" if self._mode == mode else mode
        self.show_entry()
        self.status.say(said if self._mode == mode else "")

    def action_edit(self) -> None:
        """Edit the expected side of the selected line."""
        row, entry = self.rows.row, self.queue.entry
        if row is None or row.place is None or entry is None or entry.case is None:
            self.status.say("Nothing is expected on this line that could be edited here.")
        else:
            self._field.edit(entry.case, row.place)

    def _edited(self, revision: Revision) -> None:
        """Do an edit of the expected side, and score its case again."""
        change, entry, row = self.file.session.revise(revision), self.queue.entry, self.rows.row
        if change is None or entry is None or entry.case is None:
            return
        self.file.session.document.history.seal()
        self._show_change(change)
        self.desk.score(entry.case)
        self.desk.edited()
        self.queue.refresh([entry.case])
        self.show_entry(key=row.key if row is not None else None)
        self.status.say(in_past_tense(change.label), undo_said())

    def _say(self, text: str) -> None:
        self.status.say(text)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed in the line of the filter."""
        self._filter.apply(event.value)

    def action_next_order(self) -> None:
        """Order the queue otherwise."""
        order = self.queue.next_order()
        said = {"file": "as the file has them", "loss": "by loss, the greatest first", "kind": "by kind, fills first"}

        def arranged() -> None:
            self.queue.arrange()
            self.show_entry()
            self.status.say(f"Ordered {said[order]}.")

        self._survey.then(arranged)

    def action_leave(self) -> None:
        """Go back: from the conversation or JSON to the turn, from a trial or filter, to the editor one came from."""
        if self._mode != "turn":
            self._show_mode(self._mode, "")
        elif self._trial.is_on:
            self._trial.stop()
        elif self._filter.is_on:
            self._filter.action_clear_filter()
        elif self._is_first:
            self.status.say(
                f"Nothing is behind the review. {key_of('review.editor')} opens the editor, {key_of('quit')} quits."
            )
        else:
            self._close()

    def action_leave_or_quit(self) -> None:
        """Go back, or quit where evaltui began in the review."""
        if self._is_first and self._mode == "turn":
            self.file.exit.action_quit()
        else:
            self.action_leave()

    def action_go_to_editor(self) -> None:
        """Go to the editor, at this turn."""
        entry = self.queue.entry
        turns = EvalCaseView(entry.case).invocations if entry is not None and entry.case is not None else []
        turn = turns[entry.turn - 1] if entry is not None and entry.turn and entry.turn <= len(turns) else None
        self._close(f"The editor. {key_of('list.review')} goes back to the review." if self.queue.entries else "")
        if entry is not None and entry.case is not None:
            view = self.file.stage.lead_to(entry.case)
            view.open_case(entry.case, turn, stay=True)

    def _close(self, said: str = "") -> None:
        session = self.file.session
        session.scores.arrange()
        session.reviewed = self.queue.every
        self.dismiss(said)

    def action_quit(self) -> None:
        """Quit; what is unsaved is asked about in front of the review."""
        self.file.exit.action_quit()


def _accepting(changes: Sequence[ReviewChange]) -> str:
    """The keys that accept changes, and what they would do."""
    kinds = {"review.accept": [each for each in changes if each.kind != "sequence"]}
    kinds["review.accept_sequence"] = [each for each in changes if each.kind == "sequence"]
    return " · ".join(f"{key_of(key)} accepts: {changes_text(found)}" for key, found in kinds.items() if found)

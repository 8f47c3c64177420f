"""The review: one failing turn after the other, expected and actual side by side, decided by single keys."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult

from evaltui.document.node import Node
from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.review.review_changes import changes_text
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.comparison.compared_turns import parted
from evaltui.tui.comparison.row_list import RowList
from evaltui.tui.editor.tree_filter import marks_of
from evaltui.tui.lines import counted
from evaltui.tui.open_file.case_rescoring import score_case
from evaltui.tui.recordings.recordings_screen import RecordingsCommands
from evaltui.tui.review.review_decisions import DecisionKeys
from evaltui.tui.review.review_queue import ALL_FAILING, Order, ReviewQueue, ReviewStart
from evaltui.tui.review.review_trial import ReviewTrial
from evaltui.tui.review.review_view import EntryView
from evaltui.tui.review_commands import IN_REVIEW
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.widgets.line_input import FilterInput, FilterLine

if TYPE_CHECKING:
    from textual.widgets import Input

    from evaltui.evalset.editing.revision import Revision
    from evaltui.recordings.conversation import ConversationKey
    from evaltui.tui.open_file.open_file import OpenFile

_SLICE, _REST = 0.004, 0.001
"""Seconds of work between two looks at the keyboard, and seconds to rest then."""
_ORDERED: dict[Order, str] = {
    "file": "Sorted in file order.",
    "loss": "Sorted by score loss, greatest first.",
    "kind": "Sorted by kind, missing expected values first.",
}


class ReviewScreen(CommandScreen):
    """The screen of the review: composes it, follows the scores, and handles keys that change the place or the view."""

    PLACE = "review"
    BINDINGS = bindings("review")
    OWN_WAYS = IN_REVIEW
    may_move = True
    AUTO_FOCUS = "#review-lines"

    def __init__(
        self, file: OpenFile, case: Node | None = None, turn: int | None = None, start: ReviewStart = ALL_FAILING
    ) -> None:
        """With `case`, the review begins at its `turn` (a number from 1). `start` says which cases are reviewed."""
        super().__init__()
        self.file: OpenFile = file
        self._first_turn = case, turn
        self._trouble = file.decisions.read()
        """A sentence about trouble with the sidecar, or ""."""
        self.queue = ReviewQueue(file.scores, file.decisions, start)
        self._inputs_before = 0
        """The number of keys and clicks when the review began to wait for scores; 0 if it did not wait."""
        self._is_asked = False
        """Whether a key asked for the scores that are being computed."""
        self._runs = 0
        """The number of runs whose scores the queue was built from."""
        self._filter = FilterLine()
        self.entry_view: EntryView = EntryView(self)
        self.status = self.entry_view.status
        self.trial = ReviewTrial(self)
        self.decision_keys = DecisionKeys(self)
        self.recordings = RecordingsCommands(self)

    def compose(self) -> ComposeResult:
        """Head, rows, why, and the bars below."""
        view = self.entry_view
        yield from (view.head, view.rows, view.why, view.status, view.keys)

    def on_mount(self) -> None:
        """Begin at the turn that was selected in the editor, or at the first of the queue."""
        self.file.review = self
        self._build_queue()
        # Whatever the order of the last review, this one begins at the first undecided turn of the file.
        self._begin()
        self.queue.order = self.file.review_order
        self.entry_view.show_entry()
        if self.queue.order != "file":
            self.when_compared(self._arrange)
        # Where the review is the first screen, the first run may not be done yet.
        if not self.file.scores.has_any:
            self._inputs_before = self.file.app.input_order.inputs
            self.show_scores()

    def _build_queue(self) -> None:
        self._runs = self.file.scores.runs
        self._score_outdated()
        self.queue.build(self.file.document.root)

    def _score_outdated(self) -> Sequence[Node]:
        """Score the cases that were edited, against the same recordings as before; returns them."""
        outdated = [*self.file.scores.stale]
        for case in outdated:
            score_case(self.file, case)
        return outdated

    def _begin(self) -> None:
        """Go to the wanted turn, else to the first undecided one, and say what there is to know about it."""
        queue, (case, turn), missing = self.queue, self._first_turn, ""
        queue.is_over = False  # a key may have led to the summary while there were no scores
        if case is None or not queue.go_to(case, turn):
            missing = f"{self._why_not_queued(case)} " if case is not None and queue.entries else ""
            if queue.is_all_decided:
                queue.is_over = True
            elif queue.entry is not None and not queue.entry.is_open:
                queue.is_over = not queue.go_to_open()
        starts = "The review starts at the first undecided turn."
        state = starts if missing and not queue.is_over else queue.state_at_start()
        self.status.say(" · ".join(filter(None, [self._trouble, f"{missing}{state}"])))

    def on_resize(self) -> None:
        """Lay out the titles of the columns for another width."""
        if self.is_mounted and self.entry_view.rows.rows:
            self.call_after_refresh(self.entry_view.show_around)

    @on(RowList.Browsed)
    def _row_selected(self) -> None:
        row = self.entry_view.rows.row
        values, sequence = parted(row.changes if row is not None else ())
        clauses = [f"{key_of('review.accept')}: accept {changes_text(values)}"] if values else []
        # The text of a `sequence` begins with its own verb.
        clauses += [f"{key_of('review.accept_sequence')}: {changes_text(sequence)}"] if sequence else []
        self.status.hint(" · ".join(clauses))
        self.entry_view.keys.update()

    # --- what others tell this screen ------------------------------------------------------------------------

    def show_message(self, message: str | None) -> None:
        """Show what became of the file."""
        super().show_message(message)
        if self.queue.is_over and self.is_mounted:  # the summary tells what is not saved
            self.entry_view.show_again()
        self.entry_view.keys.update()

    def show_scores(self) -> None:
        """Show new scores, for example after a save or with other recordings."""
        scores = self.file.scores
        if scores.is_running:
            if not self.queue.entries:  # else old scores are on screen, and the message about the last key stays
                self.status.say(scores.progress or "Scoring …")
            return
        was_empty = not self.queue.entries
        row = self.entry_view.rows.row
        if self._runs == scores.runs:  # only criteria are tried: the queue stays
            self.entry_view.show_again()
            return
        self._build_queue()
        if self._is_asked:
            self._is_asked = False
            outdated = scores.facts.outdated if scores.facts is not None else ""
            again = f"Scored again: {scores.counted() or 'no case has a score'}."
            self.status.say(f"The scores are outdated: {printable(outdated)}" if outdated else again)
        if was_empty:
            # Keys that were pressed while there was nothing to see were not meant for this turn.
            if 0 < self._inputs_before < self.file.app.input_order.inputs:
                self.file.app.opener_guard.hold("the turn has just appeared")
            self._begin()
        self.entry_view.show_entry(key=row.key if row is not None and not was_empty else None)

    def run_again(self) -> None:
        """Read recordings and config again, and score all cases."""
        self._is_asked = True
        self.status.say("Scoring …")
        self.file.scorer.score(anew=True)

    def note_change(self, scored: Sequence[Node]) -> None:
        """Take up a change of the document, after which some cases were `scored` already."""
        self.queue.refresh(dict.fromkeys([*scored, *self._score_outdated()]))

    # --- order and filter --------------------------------------------------------------------------------------

    def next_order(self) -> None:
        """Sort the queue in the next order."""
        orders = [*_ORDERED]
        self.file.review_order = self.queue.order = orders[(orders.index(self.queue.order) + 1) % len(orders)]
        self.queue.arrange()
        self.when_compared(lambda: self._arrange(_ORDERED[self.queue.order]))

    def _arrange(self, message: str = "") -> None:
        self.queue.arrange()
        self.entry_view.show_entry()
        if message:
            self.status.say(message)

    def when_compared(self, act: Callable[[], object]) -> None:
        """Call `act` once the facts of all entries are known: at once if few are missing. A later call replaces it."""
        missing = [entry for entry in self.queue.entries if not self.queue.items.has_facts(entry)]
        # So few turns take no longer than a frame or two, but 10,000 take seconds: keys go on meanwhile.
        if len(missing) <= 100:
            for entry in missing:
                self.queue.items.find_facts(entry)
            act()
            return

        async def compare() -> None:
            end = next_message = 0.0
            for number, entry in enumerate(missing):
                self.queue.items.find_facts(entry)
                if (clock := time.monotonic()) < end:
                    continue
                if clock > next_message:
                    next_message = clock + 0.25
                    self.status.say(f"Comparing {len(missing):,} turns … {100 * number // len(missing)} %")
                await asyncio.sleep(_REST)
                end = time.monotonic() + _SLICE
            act()

        self.run_worker(compare(), exclusive=True, group="survey")

    async def find(self) -> None:
        """Open the line of the filter: only turns of cases that it finds are reviewed."""
        if not self._filter.is_attached:  # few reviews filter, and each widget makes the first frame later
            await self.mount(self._filter, before="#keys")
        self._filter.display, self.status.display = True, False
        self.set_focus(self._filter.input, scroll_visible=False)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search for what is typed in the line of the filter."""
        self.run_worker(self._search(event.value), exclusive=True, group="find")

    async def _search(self, text: str) -> None:
        from evaltui.evalset.search.case_filter import Search

        queue, marks = self.queue, marks_of(self.file)
        cases = dict.fromkeys(entry.case for entry in queue.every if entry.case is not None)
        search = Search(text, [*cases], self.file.words, marks)
        if search.terms:
            while not search.is_done:
                search.advance(_SLICE)
                await asyncio.sleep(0)
            hits = set(search.hits)
            queue.restrict(text, lambda entry: entry.case in hits)
        else:
            queue.restrict("", None)
        self._filter.say(search.problem or counted(len(queue.entries), "turn"))
        self.entry_view.go()

    def keep_filter(self) -> None:
        """Go on with the turns that were found."""
        self._filter.display, self.status.display = False, True
        self.set_focus(self.entry_view.rows)

    def clear_filter(self) -> None:
        """Review all turns again."""
        self._filter.input.value = ""
        self.queue.restrict("", None)
        self.keep_filter()
        self.entry_view.go()

    def step_hit(self, step: int) -> None:
        """Look at the next turn that was found."""
        self.queue.step(step)
        self.entry_view.go()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the turn or of the filter."""
        self.entry_view.keys.show_place("filter" if isinstance(self.focused, FilterInput) else "review")

    # --- recordings --------------------------------------------------------------------------------------------

    def conversations(self) -> None:
        """Show the conversation of a recording without a case, to be added at the end of the set."""
        entry = self.queue.shown_entry
        if entry is None or entry.unmatched is None:
            self.status.say("This turn has a case. Recordings without a case are at the end of the queue.")
        elif self.file.eval_set is None:
            self.status.say("A recording cannot be added to a dataset. Add the prompt in the editor.")
        else:
            self.show_conversation(entry.unmatched.conversation.key)

    def show_conversation(self, key: ConversationKey) -> None:
        """Show one conversation, to be added at the end of the set."""
        from evaltui.tui.recordings.add_screen import AddScreen
        from evaltui.tui.recordings.conversations_to_add import AddTarget

        def take(revision: Revision) -> None:
            if self.decision_keys.apply(lambda: revision) is not None:
                self.file.scorer.score()  # which matches the recording with the new case

        self.file.app.push_screen(AddScreen(self.file, AddTarget(), take, key))

    def case_here(self) -> Node | None:
        """The case of the turn that is shown."""
        return self.queue.entry.case if self.queue.entry is not None else None

    def go_to_case(self, case: Node) -> None:
        """Go to a case that was chosen among the recordings, if there is anything to review of it."""
        if self.queue.go_to(case, None):
            self.entry_view.show_entry()
        else:
            self.status.say(self._why_not_queued(case))

    def _why_not_queued(self, case: Node) -> str:
        scored = self.file.scores.of(case)
        has_recording = scored is None or scored.run is not None
        return f"{case_title(case)} {'needs no review' if has_recording else 'has no recording'}."

    # --- leaving -----------------------------------------------------------------------------------------------

    def leave(self) -> None:
        """Go back: from the conversation or JSON to the turn, from a filter, to the editor. A trial stays."""
        if self.entry_view.leave_mode():
            return
        if self.queue.query:
            self.clear_filter()
        elif self.queue.start.is_first:
            self.status.say(
                f"The review is the first screen. Press {key_of('review.editor')} to open the editor, "
                f"or {key_of('quit')} to quit."
            )
        else:
            self._close(self.file.trial.said_left)

    def leave_or_quit(self) -> None:
        """Go back, or quit where evaltui began in the review."""
        if not self.queue.start.is_first:
            self.leave()
        elif not self.entry_view.leave_mode():
            self.quit()

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

    def _close(self, message: str) -> None:
        self.file.review = None
        # Accepting left the rows of the scores where they were; in the editor they are in order again.
        self.file.scores.arrange()
        self.dismiss(message)

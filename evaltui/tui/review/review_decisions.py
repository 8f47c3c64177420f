"""The keys that decide in a review: accept, edit, keep the expected side, skip, note, and undo."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal

from evaltui.document.document import Change
from evaltui.document.edits import Set
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.content_parts import is_text_part, parts_of
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import filled
from evaltui.evalset.titles import case_title
from evaltui.printable import json_escaped
from evaltui.review.compared_rows import ComparedRow
from evaltui.review.decisions import DecisionKind
from evaltui.review.review_changes import Place, ReviewChange, changes_text
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.results import Status, plain
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.compared_turns import NOTHING, Way, changes_to_accept
from evaltui.tui.editor.clipboard import copy_text
from evaltui.tui.editor.reviser import reason_of
from evaltui.tui.forms.value_text import shown_text, value_edits
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.lines import counted, cut_in_the_middle
from evaltui.tui.messages import in_past_tense, undo_said, with_full_stop
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.review.decision_history import DecisionStep
from evaltui.tui.review.review_queue import QueueEntry
from evaltui.tui.screens.text_dialogs import NameDialog, ValueDialog

if TYPE_CHECKING:
    from evaltui.tui.review.review_screen import ReviewScreen

_VERBS: dict[Status, tuple[str, str]] = {
    "passed": ("passes", "still passes"),
    "failed": ("fails", "still fails"),
    "not_evaluated": ("is not evaluated", "is still not evaluated"),
    "informational": ("is informational", "is informational"),
}
"""The verb of a verdict, and of one that an acceptance has not changed."""


class DecisionKeys:
    """The actions of the review screen that decide about the entry on screen."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen, self._file, self._queue = screen, screen.file, screen.queue
        self._history, self._view, self._say = screen.file.decisions, screen.entry_view, screen.status.say
        self._filling: list[QueueEntry] = []
        """The entries to fill, counted at the first press of the key."""
        self._second_press = SecondPress(self._file.app)

    # --- accept ------------------------------------------------------------------------------------------------

    def accept(self, way: Way) -> None:
        """Accept what the key means: the selected row, the turn, or added, deleted and moved calls and turns."""
        entry, item, view = self._queue.shown_entry, self._queue.shown_item, self._view
        if entry is None or item is None:
            has_scores = self._file.scores.has_any
            self._say(NOTHING[way] if has_scores else why_none(self._file.scores, in_editor=False))
            return
        rows, row, start = view.rows.rows, view.rows.row, view.rows.cursor + 1
        changes = changes_to_accept(item, row if isinstance(row, ComparedRow) else None, way, "review")
        if isinstance(changes, str):
            self._say(changes)
            return
        # The key of the next row with an open change, searched from the selected row on and then from the first.
        accepted = {change.id for change in changes}
        ahead = (row for row in (*rows[start:], *rows[:start]) if {change.id for change in row.changes} - accepted)
        following = next((row.key for row in ahead), None)
        text = changes_text(changes)
        # The text of an added, deleted or moved call or turn begins with its own verb.
        label = text if all(change.kind == "sequence" for change in changes) else f"accept {text}"
        step = self._accept_all([(entry, item, changes)], label, row.key if row is not None else None)
        if step is None:
            return
        if entry.decision == "accepted":
            # The next entry takes the screen: the verdict comes first, so that a narrow line does not cut it.
            title = case_title(entry.case) if entry.case is not None else ""
            # The verdict and the undo key take 62 cells.
            title = cut_in_the_middle(title, max(12, min(60, self._screen.size.width - 62)))
            verdict = _verdict_text(step, title)
            message = self._with_trouble(f"Accepted.{f' {verdict}.' if verdict else ''}{self._history.made}")
            # Draw the passing turn for one frame, so that the person sees it pass, then show the next entry.
            view.show_entry()
            self._file.app.input_order.call_in_next_frame(self._screen, lambda: view.go_on(message, undo_said()))
            return
        verdict = _verdict_text(step)
        clauses = [f"Accepted: {text}", f"{verdict[:1].lower()}{verdict[1:]}"]
        view.show_entry(key=following)
        rest = item.changes if (item := self._queue.shown_item) is not None else ()
        if rest and all(change.kind == "sequence" for change in rest):
            clauses.append(f"{key_of('review.accept_sequence')}: accept the rest ({changes_text(rest)})")
        self._say(self._with_trouble(" · ".join(filter(None, clauses))), undo_said())

    def _accept_all(
        self, accepted: Sequence[tuple[QueueEntry, ReviewItem, Sequence[ReviewChange]]], label: str, row: str | None
    ) -> DecisionStep | None:
        """Accept changes as one step, which undo shows at `row`; None, and a message, if that is refused."""
        if self._file.readonly:
            self._say(self._file.refusal)
            return None
        queue, (entry, item, _) = self._queue, accepted[0]
        is_turn = item.compared is not None and not item.is_unscored_turn
        earlier = self._verdict(entry, is_turn=is_turn)
        cases = [(entry.case, item, changes) for entry, item, changes in accepted if entry.case is not None]
        try:
            step = self._history.accept(cases, label, row)
        except DocumentError as error:
            self._say(f"Not accepted: {error}")
            return None
        queue.are_kept = not self._history.trouble
        for accepted_entry, _, _ in accepted:  # after scoring: an entry is accepted once its turn needs nobody
            step.decide(accepted_entry, "accepted" if accepted_entry.passes_now else accepted_entry.decision)
        later = self._verdict(entry, is_turn=is_turn)
        if len(accepted) == 1 and earlier is not None and later is not None:
            step.verdict = entry.turn if is_turn else None, earlier, later
        return step

    def _verdict(self, entry: QueueEntry, *, is_turn: bool) -> Status | None:
        if is_turn:
            item = self._queue.item(entry)
            return item.status if item is not None else None
        scored = self._file.scores.of(entry.case) if entry.case is not None else None
        return scored.status if scored is not None else None

    def fill(self) -> None:
        """Show how many expected values are missing; the second press fills them from the recording."""
        if self._second_press.is_answer("fill"):
            # Hundreds of turns take a second: the message is drawn first.
            self._say(f"Filling {counted(len(self._filling), 'turn')} …")
            self._file.app.input_order.call_in_next_frame(self._screen, self._fill)
        else:
            self._screen.when_compared(self._show_fills)

    def _show_fills(self) -> None:
        self._filling = [entry for entry in self._queue.entries if entry.is_open and entry.fills]
        if not self._filling:
            self._say("All turns in the queue have their expected values.")
            return
        first = _fills_of(self._queue.item(self._filling[0]))[0].summary
        self._second_press.ask("fill")
        several = counted(sum(entry.fills for entry in self._filling), "missing expected value")
        turns = counted(len(self._filling), "turn")
        self._say(f"{several} in {turns}. Press {key_of('review.fills')} again to fill from the recording: {first}")

    def _fill(self) -> None:
        items = ((entry, self._queue.item(entry)) for entry in self._filling)
        accepted = [(entry, item, fills) for entry, item in items if item is not None and (fills := _fills_of(item))]
        if not accepted:  # another program has filled them meanwhile
            self._screen.when_compared(self._show_fills)
            return
        several = counted(sum(len(changes) for _, _, changes in accepted), "expected value")
        if self._accept_all(accepted, f"fill {several}", None) is not None:
            filled = f"Filled {several} in {counted(len(accepted), 'turn')}"
            self._view.go_on(self._with_trouble(filled))

    # --- edit --------------------------------------------------------------------------------------------------

    def edit(self) -> None:
        """Edit the expected value of the selected line in a dialog, as one undo step."""
        file, row, entry = self._file, self._view.rows.row, self._queue.entry
        if not isinstance(row, ComparedRow) or row.place is None or entry is None or entry.case is None:
            editor = key_of("review.editor")
            self._say(f"This line has no expected value to edit. Press {editor} to open the editor.")
            return
        node = _node_at(entry.case, row.place)
        if file.readonly:
            self._say(file.refusal)
            return
        if node is None:
            self._say("No expected value here yet. Accept the actual value, or add one in the editor.")
            return
        name, is_text = file.path_to(node), node.kind == "string"
        begun = node.source() if is_text else shown_text(node).encode("utf-8", "surrogateescape")

        def revision_of(source: bytes) -> Revision:
            # Of a list or an object, unchanged parts keep their bytes.
            text = source.decode("utf-8", "surrogateescape")
            return Revision(f"edit {name}", [Set(node.pointer(), source)] if is_text else value_edits(node, text))

        def answered(source: bytes) -> None:
            if source != begun:
                self.apply(lambda: revision_of(source), entry, row.key)

        file.app.ask(ValueDialog(name, begun), answered)

    def apply(
        self, make: Callable[[], Revision], entry: QueueEntry | None = None, row: str | None = None
    ) -> Change | None:
        """Apply an edit that is no acceptance, or say why it failed; undo selects `entry` and `row` again."""
        try:
            change = self._file.apply(revision := make())
        except DocumentError as error:
            self._say(reason_of(error))
            return None
        if change is not None:
            self._history.add_edit(change, entry, row)
            self._view.show_again()
            self._say(" · ".join(filter(None, [in_past_tense(change.label), revision.remark])), undo_said())
        return change

    # --- other decisions ---------------------------------------------------------------------------------------

    def reject(self) -> None:
        """Keep what is expected: the agent is wrong."""
        entry, item = self._queue.shown_entry, self._queue.shown_item
        if entry is None or item is None:
            self._say("Only a turn of the set can be marked wrong.")
        elif item.status == "passed" and not item.changes:
            self._say(f"No difference is left. {self._way_back(entry)}")
        elif self._has_kept(entry, item):
            self._say("The expected values of this turn are kept already: the agent is wrong.")
        else:
            parts = self._history.parts(entry.case, entry.turn)
            stays = f" {counted(parts, 'accepted change')} stay{'s' * (parts == 1)} accepted." if parts else ""
            self._decide(entry, "agent is wrong")
            name = "" if self._history.made else f" of {self._queue.name(entry)}"
            message = f"Kept expected{name}: the agent is wrong.{self._history.made}{stays}"
            self._view.go_on(self._with_trouble(message), undo_said())

    def _has_kept(self, entry: QueueEntry, item: ReviewItem) -> bool:
        """Whether this person kept the expected side already, and it was written."""
        if entry.decision != "agent is wrong" or self._history.unwritten():
            return False
        mine = self._history.standing.verdicts(item).get(self._history.author)
        return mine is not None and mine.verdict == "agent is wrong"

    def _way_back(self, entry: QueueEntry) -> str:
        """How to take back what was accepted of a turn: undo, if it takes this turn next, else in the editor."""
        undo = key_of("review.undo")
        if (step := self._history.next_undo) is None:
            return f"Press {key_of('review.editor')} to edit this turn."
        if entry in step.entries:
            return f"Press {undo} to undo the accepted changes."
        names = [f" ({cut_in_the_middle(self._queue.name(decided), 20)})" for decided in step.entries]
        return f"{undo} undoes first: {step.label}{''.join(names[:1])}"

    def skip(self) -> None:
        """Skip the entry; it comes once more, after all entries without a decision."""
        entry = self._queue.shown_entry
        if entry is None:
            return
        name = cut_in_the_middle(self._queue.name(entry), 36)
        was_skipped = entry.decision == "skipped"
        self._decide(entry, "skipped")
        self._view.go_on("")
        rest = " again." if was_skipped else "." if self._queue.is_over else ". It comes again."
        self._say(self._with_trouble(f"Skipped {name}{rest}"), undo_said())

    def note(self) -> None:
        """Ask for a note and keep it beside the set."""
        entry = self._queue.shown_entry
        if entry is None or self._queue.shown_item is None:
            self._say("Only a turn of the set can have a note.")
            return

        def answered(text: str) -> None:
            if text:
                self._decide(entry, None, text)
                self._view.show_again()
                sidecar = self._history.sidecar
                noted = f"Noted in {sidecar.path.name}" if sidecar is not None else "Noted"
                self._say(self._with_trouble(noted), undo_said())

        self._file.app.ask(NameDialog(f"Note on {self._queue.name(entry)}", "", str), answered)

    def _decide(self, entry: QueueEntry, verdict: DecisionKind | None, note: str = "") -> None:
        self._history.decide(entry, self._queue.item(entry), verdict, note)
        self._queue.are_kept = not self._history.trouble

    def step(self, way: Literal["undo", "redo"]) -> None:
        """Undo the last decision and its edit, or redo what was undone last."""
        queue, step = self._queue, self._history.step(way)
        if isinstance(step, str):
            self._say(step)
            return
        if way == "undo" and queue.shown_entry is not None:
            queue.shown_entry.came_again = False  # the person leaves it without a decision
        queue.are_kept = not self._history.trouble
        root = self._file.document.root
        cases = {case: None for entry in step.entries if (case := entry.case) and root and case.is_in(root)}
        queue.refresh(cases, is_undone=way == "undo")
        queue.is_over = False
        entries = (entry for entry in (*step.entries, step.entry) if entry in queue.entries)
        if (entry := next(entries, None)) is not None:
            queue.select(entry)
        elif step.cases:  # accepted in the editor
            queue.go_to(step.cases[0], step.decisions[0].turn)
        self._view.go(key=step.row)
        if step.is_edit and not step.cases and step.entry is None:
            self._file.scorer.score()  # a recording was added as a case, or is none again: all are matched again
        verdict = _verdict_text(step, is_undone=way == "undo")
        sentence = f"{'Undone' if way == 'undo' else 'Redone'}: {with_full_stop(step.label)}"
        self._say(self._with_trouble(f"{verdict}. {sentence}" if verdict else sentence))

    def copy_side(self, side: Literal["expected", "actual"]) -> None:
        """Copy one side of the selected row as JSON."""
        row = self._view.rows.row
        value = row.value_of(side) if isinstance(row, ComparedRow) else ABSENT
        if value is ABSENT:
            self._say(f"This line has no {side} value to copy.")
            return
        text = json_escaped(json.dumps(plain(value), ensure_ascii=False))
        copy_text(self._file.app, self._view.status, text, f"copied the {side} value")

    # --- messages ----------------------------------------------------------------------------------------------

    def _with_trouble(self, message: str) -> str:
        trouble = f"Not saved yet: {self._history.trouble} · " if self._history.trouble else ""
        return f"{trouble}{message}"


def _verdict_text(step: DecisionStep, case: str = "", *, is_undone: bool = False) -> str:
    """`Turn 2 passes now (was: fails)`, once undone `Turn 2 fails again`, with a title `Turn 2 of CASE …`; else ""."""
    if step.verdict is None:
        return ""
    turn, old_status, new_status = step.verdict
    of_case = f" of {case}" if case else ""
    subject = f"Turn {turn}{of_case}" if turn is not None else f"Case {case}" if case else "The case"
    (earlier, _), (later, same) = _VERBS[old_status], _VERBS[new_status]
    if old_status == new_status:
        return f"{subject} {same}"
    return f"{subject} {earlier} again" if is_undone else f"{subject} {later} now (was: {earlier})"


def _node_at(case: Node, place: Place) -> Node | None:
    """The value at a place: the text of the response, the arguments of a call, or a value within them."""
    turns = expected_rows(case)
    if place.turn is None or place.turn >= len(turns):
        return None
    turn = turns[place.turn]
    if place.action == "response":
        response = filled(turn, "final_response") if turn is not case else filled(filled(case, "reference"), "response")
        if response is not None and response.kind == "string":
            return response
        return filled(next(filter(is_text_part, parts_of(response)), None), "text")
    calls = expected_uses(turn)
    if place.call is None or place.call >= len(calls):
        return None
    args = calls[place.call].args
    try:
        return args.at(place.pointer) if args is not None else None
    except DocumentError:
        return None


def _fills_of(item: ReviewItem | None) -> list[ReviewChange]:
    return [change for change in item.changes if change.kind == "fill"] if item is not None else []

"""The keys that accept the actual side, as in the review: on the lines of Why, and in the recorded turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import one_line
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.forms.form import WhyLine, WhySubject
from evaltui.tui.messages import undo_said
from evaltui.tui.open_file.score_places import is_unscored
from evaltui.tui.panes.recorded_lines import Difference

if TYPE_CHECKING:
    from evaltui.review.review_changes import ReviewChange
    from evaltui.review.review_items import ReviewItem
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.review.turn_review import TurnReview

Changes = Sequence["ReviewChange"]


class _LineDifferences(NamedTuple):
    """The review item of the selected line, and the changes of that line."""

    case: Node
    item: ReviewItem
    line: list[ReviewChange]
    has_subject: bool
    """Whether the line is about a part of the turn."""

    def of_kind(self, *, is_sequence: bool, in_line: bool = True) -> list[ReviewChange]:
        """The changes that add, delete or move calls and turns (`is_sequence`), or all others."""
        return [
            change
            for change in (self.line if in_line else self.item.changes)
            if (change.kind == "sequence") is is_sequence
        ]


class Acceptor:
    """Accepts the actual side of a line as one undo step, then scores the case at once."""

    def __init__(self, screen: EditScreen) -> None:
        self._file, self._panes = screen.file, screen.panes
        self._loaded: TurnReview | None = None

    # --- where the keys act ------------------------------------------------------------------------------------

    @property
    def is_on_why(self) -> bool:
        """Whether the keys of Why act now: on other lines, the same keys do other things."""
        return self._line is not None

    @property
    def place(self) -> str:
        """The place whose keys come first in the keys line: why on a line of Why, else form."""
        return "form" if self._line is None else "why"

    @property
    def said(self) -> str:
        """A clause about the change that accepting would make; "" if no difference is selected."""
        line = self._line
        differing = self._at(line) if line is not None else None
        return "; ".join(one_line(change.sentence, 160) for change in differing.line) if differing is not None else ""

    def title(self, command: Command) -> str:
        """The title of a command on the selected line; "" if there is nothing to accept."""
        line = self._line
        differing = self._at(line) if line is not None else None
        if differing is None:
            return ""
        changes = {
            "why.accept": differing.of_kind(is_sequence=False) if not self._is_of_turn(line) else [],
            "why.accept_turn": differing.of_kind(is_sequence=False, in_line=False) if differing.item.compared else [],
            "why.accept_sequence": self._sequence(differing),
        }[command.id]
        if not changes:
            return ""
        if command.id == "why.accept_turn" and differing.item.status == "passed":
            return "accept passing differences"
        wording = (command.id == "why.accept_sequence" and _turns_title(changes)) or command.title
        return f"{wording} (still fails)" if any(change.remark for change in changes) else wording

    @property
    def _line(self) -> WhyLine | Difference | None:
        """The selected line of Why or of the recorded turn; None if the keys act on something else."""
        panes = self._panes
        if panes.recorded is not None and panes.are_keys_in_recorded:
            return panes.recorded.lines.selected
        if panes.current != "form" or panes.form.edited is not None or not isinstance(panes.form.stop, WhyLine):
            return None
        return panes.form.stop

    def _is_of_turn(self, line: WhyLine | Difference | None) -> bool:
        return line is not None and line.subject is not None and line.subject.turn is not None

    @property
    def _review(self) -> TurnReview:
        """The review of the set, for accepting."""
        if self._loaded is None:
            # Loaded at the first line of Why: no first frame needs it.
            from evaltui.tui.review.turn_review import TurnReview

            self._loaded = TurnReview(self._file)
        return self._loaded

    def _at(self, line: WhyLine | Difference) -> _LineDifferences | None:
        from evaltui.tui.review.turn_review import changes_on

        node, subject = self._panes.form.node, line.subject
        case = self._file.scores.case_around(node)
        case_file = self._file.case_file
        turn = case_file.enclosing(node, "case" if case_file.is_dataset else "turn") if case_file is not None else None
        if turn is None and subject is not None:
            turn = subject.turn
        item = self._review.item(case, turn) if case is not None else None
        if case is None or item is None:
            return None
        return _LineDifferences(
            case, item, changes_on(subject, item) if subject is not None else [], subject is not None
        )

    def _sequence(self, differing: _LineDifferences) -> list[ReviewChange]:
        """The added, deleted or moved call of the line, else all of the turn; for a whole case only its turns."""
        every = differing.of_kind(is_sequence=True) or differing.of_kind(is_sequence=True, in_line=False)
        if differing.item.compared is not None:
            return every
        return [change for change in every if change.place.action in ("add_turn", "delete_turn")]

    # --- accepting ---------------------------------------------------------------------------------------------

    def accept(self) -> None:
        """Accept the argument, response or differing arguments of the selected line."""

        def chosen(differing: _LineDifferences) -> Changes | str:
            if self._is_of_turn(self._line):
                return f"This line shows a whole turn. Press {key_of('why.accept_turn')} to accept the turn."
            if changes := differing.of_kind(is_sequence=False):
                return changes
            if differing.line:
                return f"{_said(differing.line[:1])}: press {key_of('why.accept_sequence')} to accept it."
            has_others = differing.item.compared is not None and differing.of_kind(is_sequence=False, in_line=False)
            nothing = "No difference on this line." if differing.has_subject else "Nothing to accept on this line."
            nothing = differing.item.why_no_change(nothing)
            return f"{nothing}{_turn_said() if has_others else self._adding_said()}"

        self._accept(chosen, nothing_ends=self._adding_said())

    def accept_turn(self) -> None:
        """Accept the whole turn except added, deleted and moved calls."""

        def chosen(differing: _LineDifferences) -> Changes | str:
            if differing.item.compared is None:
                return f"{_said(self._sequence(differing))}: press {key_of('why.accept_sequence')} to accept it."
            if changes := differing.of_kind(is_sequence=False, in_line=False):
                return changes
            if differing.item.changes:
                return f"{_said(differing.item.changes)}: press {key_of('why.accept_sequence')} to accept it."
            return differing.item.why_no_change("No difference in this turn.")

        self._accept(chosen)

    def accept_sequence(self) -> None:
        """Accept the added, deleted or moved call or turn of the line, else all of them."""
        self._accept(lambda differing: self._sequence(differing) or "No tool call or turn to add, delete or move here.")

    def _accept(self, choose: Callable[[_LineDifferences], Changes | str], *, nothing_ends: str = "") -> None:
        """Accept the chosen changes of the selected line, or say why nothing can be accepted.

        `nothing_ends` is the end of the sentence on a form without a recorded turn.
        """
        line, status = self._line, self._panes.status
        self._review.forget()
        differing = self._at(line) if line is not None else None
        if self._file.readonly:
            status.say(self._file.refusal)
            return
        if line is None or differing is None:
            status.say(f"{self._why_nothing().removesuffix('.')}.{nothing_ends}")
            return
        was_outdated = self._review.is_outdated(differing.case)
        if was_outdated:
            # The line describes the text before the edit; accepting needs the current differences.
            self._review.score(differing.case)
            differing = self._at(line)
        chosen = choose(differing) if differing is not None else "No difference is left."
        if isinstance(chosen, str) or differing is None:
            status.say(f"{'Scored again. ' if was_outdated else ''}{chosen}")
            if was_outdated:
                self._file.show_scores()
            return
        self._write(differing, chosen)

    def _why_nothing(self) -> str:
        """A sentence about why the form has no single recorded turn to accept."""
        node, scores = self._panes.form.node, self._file.scores
        case = scores.case_around(node)
        reason = self._review.reason(case) if case is not None else ""
        if is_unscored(scores, node):
            return "Nothing to accept: not scored yet."
        if reason:
            return f"Nothing to accept: {reason}"
        return "Nothing to accept: this line is not about a single turn."

    def _adding_said(self) -> str:
        """How to add an item of the form, for a person who pressed the key of adding in Why; "" if nothing is added."""
        adds = self._panes.form.form.adds
        is_in_why = adds and not self._panes.are_keys_in_recorded and not self._file.readonly
        if not is_in_why or key_of("form.add") != key_of("why.accept"):
            return ""
        article = "an" if adds[0] in "aeiou" else "a"
        return f" To add {article} {adds}, press {key_of('list.top')} first."

    def _write(self, differing: _LineDifferences, changes: Changes) -> None:
        panes, ahead, label = self._panes, self._subjects_ahead(), f"accept {_said(changes)}"
        was_beside = panes.are_keys_in_recorded
        try:
            self._file.decisions.accept([(differing.case, differing.item, changes)], label)
        except DocumentError as error:
            panes.status.say(f"Not accepted: {error}")
            return
        if not was_beside:  # in the recorded turn the cursor is already on the next difference
            self._select_following(ahead)
        elif panes.recorded is not None and not panes.recorded.lines.entry_count():
            # No difference is left, and elsewhere the keys do other things.
            panes.form.go_to_why()
            self._file.app.opener_guard.hold("no difference is left beside the form")
        reason, trouble = self._review.reason(differing.case), self._file.decisions.trouble
        outcome = f"Accepted, but the decision was not saved: {trouble}" if trouble else f"Accepted: {_said(changes)}"
        panes.status.say(" · ".join(filter(None, [outcome, reason])), undo_said())

    # --- the cursor --------------------------------------------------------------------------------------------

    def _told(self) -> list[tuple[int, WhyLine]]:
        """The lines of Why with their indexes in the form."""
        placed = self._panes.form.lines.layout_of_form.placed
        return [
            (number, placed_line.item)
            for number, placed_line in enumerate(placed)
            if isinstance(placed_line.item, WhyLine)
        ]

    def _subjects_ahead(self) -> list[WhySubject]:
        """The subjects of the selected line and later lines, then of earlier lines, nearest first."""
        cursor, lines = self._panes.form.lines.cursor, self._told()
        behind = [line for number, line in lines if number >= cursor]
        earlier = [line for number, line in reversed(lines) if number < cursor]
        return [_lasting(line.subject) for line in (*behind, *earlier) if line.subject is not None]

    def _select_following(self, ahead: Sequence[WhySubject]) -> None:
        """Select the next line with a difference, or the verdict if no difference is left."""
        form = self._panes.form
        # By subject: accepting changes the sentences of the lines, and their number.
        differing: dict[WhySubject, int] = {}
        for number, line in self._told():
            compared = self._at(line) if line.subject is not None else None
            if line.subject is not None and compared is not None and compared.line:
                differing.setdefault(_lasting(line.subject), number)
        goal = next((differing[subject] for subject in ahead if subject in differing), None)
        if goal is None:
            form.go_to_why()
        else:
            form.lines.cursor = goal


def _lasting(subject: WhySubject) -> WhySubject:
    """The subject without the fields that change when calls are added or deleted."""
    return subject._replace(expected_call=None, call=None)


def _turn_said() -> str:
    return f" Press {key_of('why.accept_turn')} to accept the turn."


def _turns_title(changes: Changes) -> str:
    from evaltui.review.review_changes import turns_title

    return turns_title(changes)


def _said(changes: Changes) -> str:
    from evaltui.review.review_changes import changes_text

    return changes_text(changes)

"""The keys that accept what the agent did, as in the review: on the lines of Why, and in the recorded turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import one_line
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.editor.open_file import OpenFile
from evaltui.tui.editor.pane_layout import Panes
from evaltui.tui.editor.reviser import ShowChange
from evaltui.tui.forms.form import WhyLine, WhySubject
from evaltui.tui.messages import undo_said
from evaltui.tui.panes.recorded_lines import Difference

if TYPE_CHECKING:
    from evaltui.review.review_change import ReviewChange
    from evaltui.review.review_item import ReviewItem
    from evaltui.tui.session.turn_review import TurnReview

_ACTIONS = ("accept", "accept_turn", "accept_sequence")
Changes = Sequence["ReviewChange"]


class _Here(NamedTuple):
    """The item that the selected line is about, and the changes of that line."""

    case: Node
    item: ReviewItem
    line: list[ReviewChange]
    has_subject: bool
    """Whether the line is about a part of the turn."""

    def of_kind(self, *, is_sequence: bool, in_line: bool = True) -> list[ReviewChange]:
        """The changes of the line or of the item that let calls and turns come, go or move, or the others."""
        return [
            each for each in (self.line if in_line else self.item.changes) if (each.kind == "sequence") is is_sequence
        ]


class Acceptor:
    """Accepts the recorded side of a line: one undo step, after which the case is scored at once."""

    def __init__(self, file: OpenFile, panes: Panes, show: ShowChange) -> None:
        self._session = file.session
        self._stage = file.stage
        self._panes = panes
        self._show = show
        self._loaded: TurnReview | None = None

    # --- where the keys act ------------------------------------------------------------------------------------

    def takes(self, action: str) -> bool:
        """Whether an action has its key at present: the keys of Why have another meaning on all other lines."""
        return action not in _ACTIONS or self._line is not None

    @property
    def place(self) -> str:
        """The place of the selected line of the form, whose keys are shown first."""
        return "form" if self._line is None else "why"

    @property
    def said(self) -> str:
        """The change that accepting the selected difference would make, in words; "" where none is selected."""
        line = self._line
        here = self._at(line) if line is not None else None
        return "; ".join(one_line(change.summary, 100) for change in here.line) if here is not None else ""

    def title(self, command: Command) -> str:
        """The title of a command on the selected line; "" where it would accept nothing."""
        line = self._line
        here = self._at(line) if line is not None else None
        if here is None:
            return ""
        found = {
            "why.accept": here.of_kind(is_sequence=False) if not self._is_of_turn(line) else [],
            "why.accept_turn": here.of_kind(is_sequence=False, in_line=False) if here.item.compared else [],
            "why.accept_sequence": self._sequence(here),
        }[command.id]
        return command.title if found else ""

    @property
    def _line(self) -> WhyLine | Difference | None:
        """The selected line of Why or of the recorded turn; None where another line, or another pane, has the keys."""
        panes = self._panes
        if panes.recorded.lines.has_focus:
            return panes.recorded.lines.selected
        if panes.current != "form" or panes.form.edited is not None or not isinstance(panes.form.stop, WhyLine):
            return None
        return panes.form.stop

    def _is_of_turn(self, line: WhyLine | Difference | None) -> bool:
        return line is not None and line.subject is not None and line.subject.turn is not None

    @property
    def _review(self) -> TurnReview:
        """Loaded at the first line of Why: no first frame needs it."""
        if self._loaded is None:
            from evaltui.tui.session.turn_review import TurnReview

            self._loaded = TurnReview(self._session)
        return self._loaded

    def _at(self, line: WhyLine | Difference) -> _Here | None:
        from evaltui.tui.session.turn_review import changes_on

        node, subject = self._panes.form.node, line.subject
        case = self._session.scores.case_around(node)
        case_file = self._session.case_file
        turn = case_file.enclosing(node, self._session.scored_rows) if case_file is not None else None
        if turn is None and subject is not None:
            turn = subject.turn
        item = self._review.item(case, turn) if case is not None else None
        if case is None or item is None:
            return None
        return _Here(case, item, changes_on(subject, item) if subject is not None else [], subject is not None)

    def _sequence(self, here: _Here) -> list[ReviewChange]:
        """The call of the line that comes, goes or moves, else all of the turn; of a case, its turns alone."""
        every = here.of_kind(is_sequence=True) or here.of_kind(is_sequence=True, in_line=False)
        if here.item.compared is not None:
            return every
        return [each for each in every if each.place.action in ("add_turn", "delete_turn")]

    # --- accepting ---------------------------------------------------------------------------------------------

    def action_accept(self) -> None:
        """Accept the argument, the differing arguments of the call, or the response that the line is about."""

        def chosen(here: _Here) -> Changes | str:
            if self._is_of_turn(self._line):
                return f"This line shows a whole turn. {key_of('why.accept_turn')} accepts it."
            if found := here.of_kind(is_sequence=False):
                return found
            if here.line:
                return f"{_said(here.line[:1])}: {key_of('why.accept_sequence')} accepts it."
            has_others = here.item.compared is not None and here.of_kind(is_sequence=False, in_line=False)
            nothing = "No difference on this line." if here.has_subject else "Nothing to accept on this line."
            return f"{nothing}{_turn_said() if has_others else ''}"

        self._accept(chosen)

    def action_accept_turn(self) -> None:
        """Accept all of the turn but calls that come, go or move."""

        def chosen(here: _Here) -> Changes | str:
            if here.item.compared is None:
                return f"{_said(self._sequence(here))}: {key_of('why.accept_sequence')} accepts it."
            if found := here.of_kind(is_sequence=False, in_line=False):
                return found
            if here.item.changes:
                return f"{_said(here.item.changes)}: {key_of('why.accept_sequence')} accepts it."
            return "No difference in this turn."

        self._accept(chosen)

    def action_accept_sequence(self) -> None:
        """Accept the call or turn that comes, goes or moves: of the line, else all of them."""
        self._accept(lambda here: self._sequence(here) or "No tool call or turn is added, deleted or moved here.")

    def _accept(self, choose: Callable[[_Here], Changes | str]) -> None:
        """Accept the chosen changes of the selected line, or say why there are none."""
        line, status = self._line, self._panes.status
        self._review.forget()
        here = self._at(line) if line is not None else None
        if self._session.readonly:
            status.say(self._session.refusal)
            return
        if line is None or here is None:
            status.say(self._why_nothing())
            return
        was_outdated = self._review.is_outdated(here.case)
        if was_outdated:
            # The line tells of the text before the edit; accepting needs what differs now.
            self._review.score(here.case)
            here = self._at(line)
        chosen = choose(here) if here is not None else "No difference is left."
        if isinstance(chosen, str) or here is None:
            status.say(f"{'Scored again. ' if was_outdated else ''}{chosen}")
            if was_outdated:
                self._stage.show_scores()
            return
        self._write(here, chosen)

    def _why_nothing(self) -> str:
        """Why the form has no recorded turn to accept, or no single one."""
        case = self._session.scores.case_around(self._panes.form.node)
        reason = self._review.reason(case) if case is not None else ""
        if reason:
            return f"Nothing to accept: {reason}"
        return "Nothing to accept: this line is not about a single turn."

    def _write(self, here: _Here, changes: Changes) -> None:
        panes, ahead = self._panes, self._subjects_ahead()
        was_beside = panes.recorded.lines.has_focus
        try:
            change = self._review.accept(here.case, here.item, changes, f"accept {_said(changes)}")
        except DocumentError as error:
            panes.status.say(f"Not accepted: {error}")
            return
        self._show(change)
        self._review.score(here.case)
        self._stage.show_scores()
        trouble = self._review.note(here.case, here.item, changes)
        if not was_beside:  # there, the cursor is on the next difference already
            self._select_following(ahead)
        elif not panes.recorded.lines.has_focus:  # nothing is left: not to a line whose keys have another meaning
            panes.form.go_to_why()
        reason = self._review.reason(here.case)
        said = f"Accepted, but the decision is not saved: {trouble}" if trouble else f"Accepted: {_said(changes)}"
        panes.status.say(" · ".join(filter(None, [said, reason])), undo_said())

    # --- the cursor --------------------------------------------------------------------------------------------

    def _told(self) -> list[tuple[int, WhyLine]]:
        """The lines of Why with their places in the form."""
        placed = self._panes.form.lines.layout_of_form.placed
        return [(number, each.item) for number, each in enumerate(placed) if isinstance(each.item, WhyLine)]

    def _subjects_ahead(self) -> list[WhySubject]:
        """The subjects of the selected line and those behind it, then of those before it, the nearest first."""
        at, told = self._panes.form.lines.cursor, self._told()
        behind = [line for number, line in told if number >= at]
        before = [line for number, line in reversed(told) if number < at]
        return [_lasting(line.subject) for line in (*behind, *before) if line.subject is not None]

    def _select_following(self, ahead: Sequence[WhySubject]) -> None:
        """Select the next line that can be accepted; where nothing differs any more, the verdict.

        Found by its subject: the sentences above it have changed, and their number.
        """
        form = self._panes.form
        differing: dict[WhySubject, int] = {}
        for number, line in self._told():
            here = self._at(line) if line.subject is not None else None
            if line.subject is not None and here is not None and here.line:
                differing.setdefault(_lasting(line.subject), number)
        goal = next((differing[subject] for subject in ahead if subject in differing), None)
        if goal is None:
            form.go_to_why()
        else:
            form.lines.cursor = goal


def _lasting(subject: WhySubject) -> WhySubject:
    """The subject without what moves when calls come and go."""
    return subject._replace(expected_call=None, call=None)


def _turn_said() -> str:
    return f" {key_of('why.accept_turn')} accepts the turn."


def _said(changes: Changes) -> str:
    from evaltui.review.review_change import changes_text

    return changes_text(changes)

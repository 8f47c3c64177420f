"""The keys that accept the actual side on the lines of Why and beside the form: their cursor and their messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import one_line
from evaltui.review.review_changes import ReviewChange, changes_text, turns_title
from evaltui.tui.command import Command
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.compared_turns import Way, changes_on, changes_to_accept
from evaltui.tui.forms.form import WhyLine
from evaltui.tui.messages import undo_said
from evaltui.tui.open_file.score_places import is_unscored

if TYPE_CHECKING:
    from evaltui.review.compared_rows import ComparedRow
    from evaltui.review.review_items import ReviewItem
    from evaltui.tui.editor.edit_screen import EditScreen


class WhyKeys:
    """Accepts the actual side of a line as one undo step."""

    def __init__(self, screen: EditScreen) -> None:
        self._file, self._panes = screen.file, screen.panes

    # --- where the keys act ------------------------------------------------------------------------------------

    @property
    def hint(self) -> str:
        """A clause about the change that accepting would make; "" if no difference is selected."""
        if (item := self._item(self.line)) is None:
            return ""
        changes = changes_on(item, _row_of(self.line))
        return "; ".join(one_line(change.sentence, 160) for change in changes)

    def title(self, command: Command) -> str:
        """The title of a command on the selected line; "" if there is nothing to accept."""
        if (item := self._item(self.line)) is None:
            return ""
        way = cast("Way", command.id.removeprefix("why."))
        changes = changes_to_accept(item, _row_of(self.line), way, "why")
        if isinstance(changes, str):
            return ""
        if way == "accept_turn" and item.status == "passed":
            return "accept passing differences"
        wording = (way == "accept_sequence" and turns_title(changes)) or command.title
        return f"{wording} (still fails)" if any(change.remark for change in changes) else wording

    @property
    def line(self) -> WhyLine | ComparedRow | None:
        """The selected line of Why, or row of the recorded turn; None if the keys act on something else."""
        panes = self._panes
        if panes.recorded is not None and panes.are_keys_in_recorded:
            return panes.recorded.lines.selected_row
        if panes.current != "form" or panes.form.edited is not None or not isinstance(panes.form.stop, WhyLine):
            return None
        return panes.form.stop

    @property
    def _case(self) -> Node | None:
        return self._file.scores.case_around(self._panes.form.node)

    def _item(self, line: WhyLine | ComparedRow | None) -> ReviewItem | None:
        """The item of the turn of a line; on the form of a case, of the turns that were added or deleted."""
        case_file, scores, row = self._file.case_file, self._file.scores, _row_of(line)
        if line is None or case_file is None or (case := self._case) is None:
            return None
        node = case_file.enclosing(self._panes.form.node, "case" if case_file.is_dataset else "turn")
        if node is None and isinstance(line, WhyLine) and row is not None and row.kind == "turn":
            node = line.target
        if node is None:
            return next((item for item in scores.compared_turns.items(case) if item.added or item.deleted), None)
        turn = scores.turn(node)
        item = scores.compared_turns.item(case, turn.number) if turn is not None else None
        return item if item is not None and item.compared is not None else None

    # --- accepting ---------------------------------------------------------------------------------------------

    def accept(self, way: Way) -> None:
        """Accept what the key means on the selected line, or say why nothing can be accepted."""
        line, status, case = self.line, self._panes.status, self._case
        item = self._item(line)
        ending = self._advice_on_adding() if way == "accept" else ""
        if self._file.readonly:
            status.say(self._file.refusal)
            return
        if line is None or case is None or item is None:
            reason = self._reason(case) if case is not None else ""
            why = reason or "this line is not about a single turn."
            if is_unscored(self._file.scores, self._panes.form.node):
                why = "not scored yet."
            status.say(f"Nothing to accept: {why.removesuffix('.')}.{ending}")
            return
        from evaltui.tui.open_file.case_rescoring import score_case

        was_outdated = case in self._file.scores.stale
        if was_outdated:
            # The line describes the text before the edit; accepting needs the current differences.
            score_case(self._file, case)
            self._file.scores.arrange()
            item = self._item(line)
        changes: Sequence[ReviewChange] | str = "No difference is left."
        if item is not None:
            changes = changes_to_accept(item, _row_of(line), way, "why", ending=ending)
        if item is None or isinstance(changes, str):
            status.say(f"{'Scored again. ' if was_outdated else ''}{changes}")
            if was_outdated:
                self._file.show_scores()
            return
        self._write(case, item, changes)

    def _write(self, case: Node, item: ReviewItem, changes: Sequence[ReviewChange]) -> None:
        panes, cursor, rows = self._panes, self._panes.form.lines.cursor, self._rows_of_why()
        # The keys of the selected row and later ones, then of earlier ones from the top, as the review goes on.
        keys = [row.key for _, row, _ in sorted(rows, key=lambda placed: placed[0] < cursor)]
        was_beside, text = panes.are_keys_in_recorded, changes_text(changes)
        try:
            self._file.decisions.accept([(case, item, changes)], f"accept {text}")
        except DocumentError as error:
            panes.status.say(f"Not accepted: {error}")
            return
        if not was_beside:  # in the recorded turn the cursor is already on the next difference
            # The next row with a difference, or the verdict if no difference is left. By key: accepting changes the
            # sentences of the lines, and their number.
            differing: dict[str, int] = {}
            for index, row, line in self._rows_of_why():
                following = self._item(line) if row.key not in differing else None
                if following is not None and changes_on(following, row):
                    differing[row.key] = index
            if (key := next((key for key in keys if key in differing), None)) is None:
                panes.form.go_to_why()
            else:
                panes.form.lines.cursor = differing[key]
        elif panes.recorded is not None and not panes.recorded.lines.entry_count():
            # No difference is left, and elsewhere the keys do other things.
            panes.form.go_to_why()
            self._file.app.opener_guard.hold("no difference is left beside the form")
        trouble = self._file.decisions.trouble
        outcome = f"Accepted, but the decision was not saved: {trouble}" if trouble else f"Accepted: {text}"
        panes.status.say(" · ".join(filter(None, [outcome, self._reason(case)])), undo_said())

    def _reason(self, case: Node) -> str:
        """Why a case cannot be scored, possibly because of an accepted value; "" if it can."""
        scored = self._file.scores.of(case)
        return scored.reason or "" if scored is not None and scored.status == "not_evaluated" else ""

    def _advice_on_adding(self) -> str:
        """How to add an item of the form, for a person who pressed the key of adding in Why; "" if nothing is added."""
        adds = self._panes.form.form.adds
        is_in_why = adds and not self._panes.are_keys_in_recorded and not self._file.readonly
        if not is_in_why or key_of("form.add") != key_of("why.accept"):
            return ""
        article = "an" if adds[0] in "aeiou" else "a"
        return f" To add {article} {adds}, press {key_of('list.top')} first."

    def _rows_of_why(self) -> list[tuple[int, ComparedRow, WhyLine]]:
        """The lines of Why that are about a part of a turn, each with its index in the form."""
        placed = enumerate(self._panes.form.lines.placed)
        lines = [(index, line.item) for index, line in placed if isinstance(line.item, WhyLine)]
        return [(index, line.row, line) for index, line in lines if line.row is not None]


def _row_of(line: WhyLine | ComparedRow | None) -> ComparedRow | None:
    return line.row if isinstance(line, WhyLine) else line

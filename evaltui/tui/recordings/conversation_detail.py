"""The conversation that is selected in a list of recordings: its facts and its turns, with ticks and marked values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.evalset.turn import TurnCall
from evaltui.printable import one_line
from evaltui.tui.comparison.conversation_rows import ConversationDrawing, ConversationRow, conversation_rows
from evaltui.tui.comparison.row_list import RowList
from evaltui.tui.lines import FILL, Line, text_of
from evaltui.tui.recordings.turn_ticks import TICKED, VOLATILE, TurnTicks, ValueDecisions

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation
    from evaltui.tui.recordings.found_conversations import FoundConversation

_KINDS = {"date": "date", "uuid": "uuid", "from_response": "from a tool response"}
"""The kinds of volatile values, in words."""
_UNWRAPPED = 20_000
"""More cells than a row needs, where the turns are read as a text: its page wraps them."""


class TickedTurns(ConversationDrawing):
    """Draws a conversation to add: ticks before its turns, and `≈` behind calls whose arguments are volatile."""

    def __init__(self, ticks: TurnTicks, decided: ValueDecisions) -> None:
        super().__init__()
        self._ticks, self._decided = ticks, decided
        self.entry: FoundConversation | None = None
        """The conversation that is drawn."""

    def marked(self, row: ConversationRow, line: Line) -> Line:
        """The first row of a turn with its tick."""
        if self.entry is None or not row.is_head:
            return line
        return [TICKED["all" if row.turn in self._ticks.turns(self.entry) else "none"], *line[1:]]

    def call_of(self, row: ConversationRow) -> TurnCall:
        """The tool call without the arguments that are dropped as a whole."""
        call = super().call_of(row)
        if self.entry is None or row.call is None or not call.args:
            return call
        decisions = self._decided.of_call(self.entry, row.turn, row.call)
        dropped = {value.path for value, decision in decisions if decision == "dropped"}
        args = {name: value for name, value in call.args.items() if (name,) not in dropped}
        return call._replace(args=args) if len(args) < len(call.args) else call

    def call_note(self, row: ConversationRow) -> Line:
        """The volatile arguments of the call: they are likely to change in the next run."""
        notes: list[str] = []
        if self.entry is not None and row.call is not None:
            for value, decision in self._decided.of_call(self.entry, row.turn, row.call):
                name = one_line(str(value.path[-1]) if value.path else "args", 24)
                if decision == "undecided":
                    notes.append(f"{name} ({_KINDS.get(value.kind, value.kind)})")
                elif decision == "dropped":
                    notes.append(f"{name} dropped")
        if not notes:
            return []
        more = f", {len(notes) - 2} more" if len(notes) > 2 else ""
        return [("", FILL), (f"  {VOLATILE[0]}changes: {', '.join(notes[:2])}{more} ", VOLATILE[1])]


class ConversationDetail:
    """Shows the selected conversation in a list of rows."""

    def __init__(self, id: str, drawing: ConversationDrawing, *places: str) -> None:
        """Commands of all `places` act in the rows."""
        self.drawing = drawing
        self.rows: RowList[ConversationRow] = RowList(drawing, id, *places, marks_away=False)
        self._shown: tuple[Conversation | None, Sequence[str]] = None, ()

    def show(self, conversation: Conversation | None, facts: Sequence[str] = ()) -> None:
        """Show facts and a conversation from its first row."""
        # Each report of the reading thread shows the selected conversation again: its folds and its cursor stay.
        if conversation is self._shown[0] and facts == self._shown[1]:
            return
        self._shown = conversation, facts
        self.drawing.fold_all()
        longer = conversation_rows(conversation, facts)
        self.rows.show(next(longer), None, longer)

    def fold(self, *, is_open: bool) -> bool:
        """Unfold the selected row, or fold it; False if there is nothing to unfold or fold."""
        row = self.rows.row
        if row is None or not self.rows.can_fold or self.drawing.is_open(row) is is_open:
            return False
        self.rows.toggle()
        return True


def conversation_text(conversation: Conversation) -> str:
    """The first turns of a conversation as a text of a page, with long texts folded."""
    # Only the first portion: a page wraps its text at once.
    drawing, rows = ConversationDrawing(), next(conversation_rows(conversation))
    return "\n".join(text_of(line) for row in rows for line in drawing.lines(row, _UNWRAPPED))

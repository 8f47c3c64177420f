"""Rows of a conversation: user messages, tool calls and responses, texts of agents, and remarks of the recording."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from evaltui.evalset.case_data import PlainTurn, get, items_in, objects_in, parts_of, text_of_parts
from evaltui.evalset.content_parts import OtherPart
from evaltui.evalset.turn import Turn, TurnCall, UnrecordedArguments
from evaltui.printable import one_line
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.scoring.results import plain
from evaltui.tui.comparison.row_drawing import recorded_call_line
from evaltui.tui.comparison.row_list import ListDrawing, RowList
from evaltui.tui.lines import ERROR, FILL, INFO, NO_MARK, WARNING, Line, Run, behind_start, folded, text_of, value_text

PORTION = 60
"""Turns that are laid out at once: wrapping hundreds of turns takes longer than a frame."""
_LABEL = 9
"""Cells of the column of labels."""
_INNER: Run = (" " * 6, "")
"""Indent of an unfolded value."""
_RESPONSE, _LONGEST, _SENTENCE = 400, 100_000, 2_000
"""Characters of a response on its one line, of an unfolded argument, and of a sentence."""
_FOLDED = 6
"""Lines of a folded text."""
_MOST_WRAPPED, _MANY_LINES = 4_000, 100
"""The most characters and lines that are wrapped to count hidden lines."""
_UNWRAPPED = 20_000
"""More cells than a row needs, where the turns are read as a text: its page wraps them."""
_MOST_SHOWN, _MOST_LINES = 60_000, 2_000
"""The most characters and lines of an unfolded text."""


RowKind = Literal["fact", "user", "text", "call", "tool response", "remark", "more"]
Between = tuple[RowKind, Any, str]
"""The kind, value and label of a row between user message and response."""


class ConversationRow(NamedTuple):
    """A part of a conversation before it is drawn."""

    key: str
    """Identifies the row, folded or not."""
    turn: int
    """The place of its turn, from 0; -1 for a row before the first turn."""
    kind: RowKind
    value: Any
    """A text, the call, or the response."""
    label: str = ""
    """What stands before a text, such as its author; the tool of a response."""
    note: str = ""
    """A word at the right end."""
    mark: Run = INFO
    """The mark of a remark."""
    call: int | None = None
    """The place of the call among those of its turn, from 0; None on other rows."""
    is_rewound: bool = False
    """Whether a rewind removed the turn from the session."""


# --- rows ------------------------------------------------------------------------------------------------------------


def conversation_rows(
    conversation: Conversation | None, facts: Sequence[str] = ()
) -> Iterator[Sequence[ConversationRow]]:
    """The rows of the facts and the first turns, then each time the same rows with more turns at the end."""
    rows = [ConversationRow(f"fact {number}", -1, "fact", fact) for number, fact in enumerate(facts)]
    if conversation is None:
        yield rows
        return
    # Recordings that are only scored are read without the turns that cannot count.
    turns: Sequence[Turn | RecordedTurn] = conversation.recorded_turns or conversation.turns
    for first in range(0, len(turns), PORTION):
        for number, turn in enumerate(turns[first : first + PORTION], first):
            rows += rows_of_recorded(number, turn)
        if (hidden := len(turns) - first - PORTION) > 0:
            yield [*rows, ConversationRow("more", -1, "more", f"… {hidden:,} more turns")]
    remarks = [(f"end {number}", f"left out: {text}", INFO) for number, text in enumerate(conversation.left_out)]
    # The facts or the last turn of a failed conversation may have the same sentence.
    repeated = {*facts, *(turn.error if isinstance(turn, RecordedTurn) else turn.failure for turn in turns)}
    faults = [fault for fault in (conversation.failure, conversation.unread) if fault and fault not in repeated]
    remarks += [(f"fault {number}", fault, ERROR) for number, fault in enumerate(faults)]
    if not turns and not remarks:
        remarks = [("nothing", "This conversation has no turns.", INFO)]
    # Facts about the conversation as a whole are rows of its last turn.
    last = len(turns) - 1
    for key, text, mark in remarks:
        rows.append(ConversationRow(f"{last} {key}", last, "remark", one_line(text, _SENTENCE), mark=mark))
    yield rows


def rows_of_recorded(number: int, recorded: Turn | RecordedTurn) -> Iterator[ConversationRow]:
    """The rows of the turn with a place; those of a `RecordedTurn` in the order of its events, with their authors."""
    if isinstance(recorded, RecordedTurn):
        turn, error, is_rewound, left_out = recorded.turn, recorded.error, recorded.is_rewound, recorded.left_out
        between = _between(PlainTurn(recorded.invocation), is_known="arguments" not in turn.unrecorded)
    else:
        turn, error, is_rewound, left_out = recorded, None, False, ()
        between = _calls_of(turn)

    def row(key: str, kind: RowKind, value: Any, label: str = "", note: str = "", mark: Run = INFO) -> ConversationRow:
        return ConversationRow(f"{number} {key}", number, kind, value, label, note, mark, None, is_rewound)

    def rows_of_parts(key: str, start: str, parts: Iterable[OtherPart]) -> Iterator[ConversationRow]:
        for part in parts:
            if part.kind not in ("function_call", "function_response"):
                yield row(f"{key} {part.digest}", "remark", f"{start}{one_line(part.description, 100)}")

    note = "rewound" if is_rewound else "" if turn.user_text.strip() else "no user message"
    yield row("user", "user", turn.user_text or "–", f"{number + 1} User", note)
    yield from rows_of_parts("user", "", turn.user_parts)
    counts: Counter[RowKind] = Counter()
    for kind, value, label in between:
        place = counts[kind]
        counts[kind] += 1
        if kind != "call" or value is not None:
            yield row(f"{kind} {place}", kind, value, label)._replace(call=place if kind == "call" else None)
    if turn.response:
        yield row("final", "text", turn.response, "Response")
    yield from rows_of_parts("final", "response: ", turn.other_parts)
    if error := error or turn.failure:
        yield row("error", "remark", one_line(error, _SENTENCE), mark=ERROR)
    elif not turn.response:
        is_recorded = "response" not in turn.unrecorded
        sentence = "The agent gave no response in this turn." if is_recorded else "The response is not recorded."
        yield row("no response", "remark", sentence, mark=WARNING)
    for place, sentence in enumerate(left_out):
        yield row(f"left {place}", "remark", f"left out: {one_line(sentence, _SENTENCE)}")


# --- between user message and response -------------------------------------------------------------------------------


def _calls_of(turn: Turn) -> Iterator[Between]:
    for call in turn.calls:
        yield "call", call, ""
        if call.response is not None:
            yield "tool response", call.response, one_line(call.name or "", 40)


def _between(data: PlainTurn, *, is_known: bool) -> Iterator[Between]:
    """Tool calls, tool responses and intermediate responses, in the recorded order if it is known."""

    def call_in(call: Any) -> Between:
        args = get(call, "args")
        read_args = args if isinstance(args, dict) else None if args is not None or is_known else UnrecordedArguments()
        return "call", TurnCall(str(call.get("name") or ""), read_args) if isinstance(call, dict) else None, ""

    def response_in(response: Mapping[str, Any]) -> Between:
        return "tool response", response.get("response"), one_line(str(response.get("name") or ""), 40)

    for event in data.events:
        author = get(event, "author")
        for part in parts_of(get(event, "content")):
            call, response, text = (get(part, name) for name in ("function_call", "function_response", "text"))
            if call is not None:
                yield call_in(call)
            if isinstance(response, dict):
                yield response_in(response)
            if isinstance(text, str) and text:
                label = "thought" if get(part, "thought") is True else author if isinstance(author, str) else ""
                yield "text", text, label
    if data.has_events:
        return
    with_ids = [response for response in objects_in(data.responses) if isinstance(response.get("id"), str)]
    answers = {response["id"]: response for response in with_ids}
    for call in data.calls:
        yield call_in(call)
        # Nobody has checked the ids: a list or an object cannot be looked up.
        if isinstance(call_id := get(call, "id"), str) and call_id in answers:
            yield response_in(answers.pop(call_id))
    yield from (response_in(response) for response in with_ids if response["id"] in answers)
    # Intermediate responses in google-adk's older shape: pairs of author and parts.
    for pair in items_in(get(data.data, "intermediate_data"), "intermediate_responses"):
        is_pair = isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str)
        if is_pair and (text := text_of_parts({"parts": pair[1]})):
            yield "text", text, pair[0]


# --- drawing ---------------------------------------------------------------------------------------------------------


class ConversationDrawing(ListDrawing[ConversationRow]):
    """Draws the rows of one conversation. A long text is folded; so are tool responses and the arguments of calls."""

    def __init__(self) -> None:
        super().__init__()
        self._cut: set[str] = set()
        """The keys of the texts of which a part was not shown."""
        self._shown: tuple[Conversation | None, Sequence[str]] = None, ()

    def show_in(
        self, rows: RowList[ConversationRow], conversation: Conversation | None, facts: Sequence[str] = ()
    ) -> None:
        """Show facts and a conversation in a list that has this drawing, from the first row."""
        # Each report of the reading thread shows the selected conversation again: its folds and its cursor stay.
        if conversation is self._shown[0] and facts == self._shown[1]:
            return
        self._shown = conversation, facts
        self.toggled.clear()
        longer = conversation_rows(conversation, facts)
        rows.show(next(longer), None, longer)

    def stops_at(self, row: ConversationRow) -> bool:
        """Facts and the number of hidden turns are only read."""
        return row.kind not in ("fact", "more")

    def can_fold(self, row: ConversationRow) -> bool:
        """Whether a row has more to show, or less."""
        if row.kind == "call":
            return bool(row.value.args)
        return row.kind == "tool response" or self.is_open(row) or row.key in self._cut

    def lines(self, row: ConversationRow, width: int) -> list[Line]:
        """The lines of a row, dimmed if a rewind removed its turn."""
        lines = self._draw(row, width)
        if not row.is_rewound:
            return lines
        return [[(text, role if role in (FILL, "warning") else "dim") for text, role in line] for line in lines]

    def _draw(self, row: ConversationRow, width: int) -> list[Line]:
        is_open = self.is_open(row)
        match row.kind:
            case "fact":
                return [[(one_line(row.value), "prose")]]
            case "more":
                return [[NO_MARK, (row.value, "dim")]]
            case "call":
                args = (row.value.args or {}).items() if is_open else ()
                texts = (f"{one_line(name, 40)}={value_text(value, _LONGEST)}" for name, value in args)
                lines = [line for text in texts for line in text_lines(text, width - 6, is_open=True)[0]]
                return [[NO_MARK, NO_MARK, *recorded_call_line(row.value)], *([_INNER, *line] for line in lines)]
            case "tool response" if is_open:
                lines = text_lines(indented_json(row.value), width - 6, is_open=True)[0]
                return [[("    → ", "dim"), (row.label or "response", "dim")], *([_INNER, *line] for line in lines)]
            case "tool response":
                return [[("    → ", "dim"), (value_text(row.value, _RESPONSE), "dim")]]
            case "remark":
                return behind_start([NO_MARK, row.mark], text_lines(row.value, width - 8, is_open=False)[0])
        lines, is_cut = text_lines(row.value, width - _LABEL - 3, is_open=is_open)
        (self._cut.add if is_cut else self._cut.discard)(row.key)
        if row.kind == "user":
            lines = [[(text, "heading") for text, _ in line] for line in lines]
        lines = behind_start([NO_MARK, (one_line(row.label, _LABEL - 1).ljust(_LABEL), "dim")], lines)
        return [[*lines[0], ("", FILL), (f"  {row.note} ", "warning")], *lines[1:]] if row.note else lines


def conversation_text(conversation: Conversation) -> str:
    """The first turns of a conversation as a text of a page, with long texts folded."""
    # Only the first portion: a page wraps its text at once.
    drawing, rows = ConversationDrawing(), next(conversation_rows(conversation))
    return "\n".join(text_of(line) for row in rows for line in drawing.lines(row, _UNWRAPPED))


def text_lines(text: str, width: int, *, is_open: bool) -> tuple[list[Line], bool]:
    """The first lines of a text, with a count of what is hidden, and whether unfolding shows more."""
    most, most_lines = (_MOST_SHOWN, _MOST_LINES) if is_open else (_MOST_WRAPPED, _MANY_LINES)
    start = "\n".join(text[:most].split("\n", most_lines)[:most_lines])
    lines, count, hidden = folded(start, max(10, width)) or [""], text.count("\n") + 1, ""
    # A line that counts one hidden line would take as much room as that line.
    is_cut = not is_open and (start != text or len(lines) > _FOLDED + 1)
    visible = lines[:_FOLDED] if is_cut else lines
    if is_cut and (start == text or count > _MANY_LINES):
        hidden = f"{(count if count > _MANY_LINES else len(lines)) - len(visible):,} more lines"
    elif start != text:
        hidden = f"{len(text) - (len(start) if is_open else sum(map(len, visible))):,} more characters"
    return [*([(line, "")] for line in visible), *([[(f"… {hidden}", "dim")]] if hidden else [])], is_cut


def indented_json(value: Any) -> str:
    """A value as indented JSON."""
    try:
        return json.dumps(plain(value), ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return type(value).__name__

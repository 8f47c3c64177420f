"""Rows of a conversation: user messages, tool calls and responses, texts of agents, and remarks of the recording."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from evaltui.evalset.case_data import PlainTurn, get, objects_in, parts_of
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.turn import TurnCall, UnrecordedArguments
from evaltui.printable import one_line
from evaltui.recordings.conversation import RecordedTurn
from evaltui.tui.comparison.row_drawing import recorded_call_line
from evaltui.tui.conversations.folded_text import beginning_of, folded_value, text_lines
from evaltui.tui.lines import ERROR, FILL, INFO, WARNING, Line, value_text
from evaltui.tui.recordings.found_conversations import FoundConversation
from evaltui.tui.recordings.turn_ticks import VOLATILE, ValueDecisions

_LABEL = 9
"""Cells of the column of labels."""
_LEFT = "  "
"""Room for the mark of a tick."""
_KINDS = {"date": "date", "uuid": "uuid", "from_response": "from a tool response"}
"""The kinds of volatile values, in words."""
_RESPONSE = 400
"""Characters of a response on its one line."""


class ChatRow(NamedTuple):
    """A row of a conversation, of one or more lines."""

    key: str
    """Identifies the row, folded or not."""
    turn: int
    """The place of its turn, from 0."""
    lines: tuple[Line, ...]
    call: int | None = None
    """The place of the call among those of its turn, from 0; None on other rows."""
    is_open: bool | None = None
    """Whether the row is unfolded; None if it cannot be unfolded."""
    is_head: bool = False
    """Whether it is the first row of its turn, where the tick stands."""


class ChatRows:
    """Makes the rows of one conversation for a list of `width` cells."""

    def __init__(self, found: FoundConversation, decided: ValueDecisions, width: int, opened: Collection[str]) -> None:
        """`opened` has the keys of the unfolded rows."""
        self._found, self._decided, self._width, self._opened = found, decided, width, opened

    def of_turn(self, number: int) -> list[ChatRow]:
        """The rows of a turn, by its place from 0; dimmed if a rewind removed the turn."""
        turn = self._found.turns[number]
        rows = list(self._rows(number, turn))
        if turn.is_rewound:
            rows = [row._replace(lines=tuple(_dimmed(line) for line in row.lines)) for row in rows]
        return [rows[0]._replace(is_head=True), *rows[1:]]

    def at_end(self) -> list[ChatRow]:
        """Facts about the conversation as a whole, as rows of its last turn."""
        conversation, last = self._found.conversation, len(self._found.turns) - 1
        said = [f"left out: {each}" for each in conversation.left_out]
        rows = [self._remark(last, f"end {at}", one_line(each, 2_000)) for at, each in enumerate(said)]
        faults = [each for each in (conversation.failure, conversation.unread) if each]
        told = {turn.error for turn in self._found.turns}
        rows += [
            self._remark(last, f"fault {at}", one_line(each, 2_000), ERROR)
            for at, each in enumerate(faults)
            if each not in told
        ]
        if last < 0 and not rows:
            rows.append(self._remark(last, "nothing", "This conversation has no turns."))
        return rows

    def _rows(self, number: int, turn: RecordedTurn) -> Iterator[ChatRow]:
        data = PlainTurn(turn.invocation)
        text, parts = read_content(get(data.data, "user_content"))
        said = "rewound" if turn.is_rewound else "" if text.strip() else "no user message"
        yield self._text_row(f"{number} user", number, f"{number + 1} User", text or "–", said, "heading")
        for part in parts:
            if part.kind not in ("function_call", "function_response"):
                yield self._remark(number, f"user {part.digest}", one_line(part.description, 100))
        yield from self._between(number, data)
        response, parts = read_content(get(data.data, "final_response"))
        if response:
            yield self._text_row(f"{number} final", number, "Response", response)
        for part in parts:
            if part.kind not in ("function_call", "function_response"):
                yield self._remark(number, f"final {part.digest}", f"response: {one_line(part.description, 100)}")
        if turn.error:
            yield self._remark(number, "error", one_line(turn.error, 2_000), ERROR)
        elif not response:
            is_recorded = "response" not in turn.turn.unrecorded
            said = "The agent gave no response in this turn." if is_recorded else "The response is not recorded."
            yield self._remark(number, "no response", said, WARNING)
        for at, sentence in enumerate(turn.left_out):
            yield self._remark(number, f"left {at}", f"left out: {one_line(sentence, 2_000)}")

    # --- between user message and response -----------------------------------------------------------------------

    def _between(self, number: int, data: PlainTurn) -> Iterator[ChatRow]:
        """Tool calls, tool responses and intermediate responses, in the recorded order if it is known."""
        if data.has_events:
            yield from self._events(number, data)
            return
        answers = {each.get("id"): each for each in objects_in(data.responses) if isinstance(each.get("id"), str)}
        for at, call in enumerate(data.calls):
            if isinstance(call, dict):
                yield self._call(number, at, call)
                if (answer := answers.pop(call.get("id"), None)) is not None:
                    yield self._response(number, at, answer)
        for at, answer in enumerate(each for each in objects_in(data.responses) if each.get("id") in answers):
            yield self._response(number, len(data.calls) + at, answer)
        for at, pair in enumerate(_pairs(get(get(data.data, "intermediate_data"), "intermediate_responses"))):
            author, text = pair
            yield self._text_row(f"{number} text {at}", number, author, text)

    def _events(self, number: int, data: PlainTurn) -> Iterator[ChatRow]:
        calls = responses = 0
        for at, event in enumerate(data.events):
            author = get(event, "author")
            for place, part in enumerate(parts_of(get(event, "content"))):
                call, response, text = (get(part, name) for name in ("function_call", "function_response", "text"))
                if call is not None:
                    if isinstance(call, dict):
                        yield self._call(number, calls, call)
                    calls += 1
                if isinstance(response, dict):
                    yield self._response(number, responses, response)
                    responses += 1
                if isinstance(text, str) and text:
                    label = "thought" if get(part, "thought") is True else author if isinstance(author, str) else ""
                    yield self._text_row(f"{number} text {at} {place}", number, label, text)

    def _call(self, number: int, at: int, data: Mapping[str, Any]) -> ChatRow:
        key = f"{number} call {at}"
        args = data.get("args")
        kept = self._kept(number, at, args) if isinstance(args, dict) else None
        if args is None and "arguments" in self._found.turns[number].turn.unrecorded:
            kept = UnrecordedArguments()
        call = TurnCall(str(data.get("name") or ""), kept)
        brief = call._replace(args=beginning_of(call.args) if call.args else call.args)
        line = [(_LEFT, ""), ("  ", ""), *recorded_call_line(brief), *self._volatile(number, at)]
        is_open = key in self._opened
        lines: list[Line] = [line]
        if is_open:
            for name, value in (call.args or {}).items():
                shown = text_lines(f"{one_line(name, 40)}={_json(value)}", self._width - 6, most=None)
                lines += [[(" " * 6, ""), *each] for each in shown.lines]
        return ChatRow(key, number, tuple(lines), at, is_open if call.args else None)

    def _kept(self, number: int, at: int, args: dict[str, Any]) -> dict[str, Any]:
        """The arguments of a call without those that are dropped as a whole."""
        decided = self._decided.of_call(self._found, number, at)
        dropped = {value.path for value, decision in decided if decision == "dropped"}
        return {name: value for name, value in args.items() if (name,) not in dropped} if dropped else args

    def _volatile(self, number: int, at: int) -> Line:
        """The remark at the right of a call about volatile values: likely to change in the next run."""
        said: list[str] = []
        for value, decision in self._decided.of_call(self._found, number, at):
            name = one_line(str(value.path[-1]) if value.path else "args", 24)
            if decision == "found":
                said.append(f"{name} ({_KINDS.get(value.kind, value.kind)})")
            elif decision == "dropped":
                said.append(f"{name} dropped")
        if not said:
            return []
        more = f", {len(said) - 2} more" if len(said) > 2 else ""
        return [("", FILL), (f"  {VOLATILE[0]}changes: {', '.join(said[:2])}{more} ", VOLATILE[1])]

    def _response(self, number: int, at: int, data: Mapping[str, Any]) -> ChatRow:
        key = f"{number} response {at}"
        response = data.get("response")
        is_open = key in self._opened
        name = one_line(str(data.get("name") or ""), 40)
        if not is_open:
            line: Line = [(f"{_LEFT}  → ", "dim"), (value_text(beginning_of(response), _RESPONSE), "dim")]
            return ChatRow(key, number, (line,), None, False)
        shown = text_lines(folded_value(response), self._width - 6, most=None)
        head: Line = [(f"{_LEFT}  → {name or 'response'}", "dim")]
        return ChatRow(key, number, (head, *([(" " * 6, ""), *each] for each in shown.lines)), None, True)

    # --- texts -------------------------------------------------------------------------------------------------

    def _text_row(self, key: str, number: int, label: str, text: str, said: str = "", role: str = "") -> ChatRow:
        is_open = key in self._opened
        shown = text_lines(text, self._width - _LABEL - len(_LEFT) - 1, most=None if is_open else 6)
        blank = " " * _LABEL
        lines: list[Line] = []
        for at, line in enumerate(shown.lines):
            label_here = one_line(label, _LABEL - 1).ljust(_LABEL) if at == 0 else blank
            styled: Line = [(each, role or old) for each, old in line] if role else line
            lines.append([(_LEFT, ""), (label_here, "dim"), *styled])
        if said:
            lines[0] = [*lines[0], ("", FILL), (f"  {said} ", "warning")]
        return ChatRow(key, number, tuple(lines), None, is_open if shown.is_cut or is_open else None)

    def _remark(self, number: int, key: str, text: str, mark: tuple[str, str] = INFO) -> ChatRow:
        shown = text_lines(text, self._width - 8, most=6)
        lines: list[Line] = [[(_LEFT, ""), mark, *shown.lines[0]]]
        lines += [[(" " * 4, ""), *line] for line in shown.lines[1:]]
        return ChatRow(f"{number} {key}", number, tuple(lines))


def _json(value: Any) -> str:
    return value_text(value, 100_000)


def _pairs(value: Any) -> Iterator[tuple[str, str]]:
    """Intermediate responses in google-adk's older shape: pairs of author and parts."""
    for pair in value if isinstance(value, list) else ():
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and isinstance(pair[0], str):
            texts = (part.get("text") for part in objects_in(pair[1] if isinstance(pair[1], list) else []))
            text = "\n".join(text for text in texts if isinstance(text, str) and text)
            if text:
                yield pair[0], text


def _dimmed(line: Line) -> Line:
    return [(text, role if role in (FILL, "warning") else "dim") for text, role in line]

"""Turns of EvaluationDatasets, read: the events of a case in their order, split at user messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evaltui.document.node import Node
from evaltui.evalset.case_data import moment
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.eval_sets.reader import CHANGES_OF_EVENTS, DURATIONS, TIMES_OF_EVENTS, EvalSetReader
from evaltui.interop.eval_sets.writer import DEFAULT_AUTHOR
from evaltui.interop.evaluation_datasets.kept_details import (
    AUTHOR_OF_USERS,
    KEPT_FINAL,
    KEPT_GROUP,
    KEPT_NO_CALLS,
    KEPT_SHAPE,
    UNNAMED_AUTHORS,
    TurnDetails,
)
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.genai_contents import ContentReader
from evaltui.interop.output_tree import Made, sources_of, text_in
from evaltui.interop.portable_set import PortableContent, PortableEvent, PortableTurn, Shape

_KEPT = (
    "turn_id",
    "invocation_id",
    "creation_timestamp",
    *DURATIONS,
    KEPT_SHAPE,
    KEPT_NO_CALLS,
    KEPT_FINAL,
    KEPT_GROUP,
)
_UNNAMED_RESPONSE = "evaltui keeps such fields of a final response only if it has an author"
_OTHER_TURN_ID = "a message of the same turn has another turn_id, which evaltui uses"
_ROLES = ("user", "model", "agent")
"""Roles of messages that agents-cli knows (`_to_adk_evalset_dict`)."""
_SHAPES: tuple[Shape, ...] = ("tool_uses", "events", "absent")


@dataclass(slots=True)
class DatasetEvent:
    """A message or a state change in the source."""

    node: Node
    content: Node | None
    """A content, or a plain text in its place."""
    author: Node | None = None
    turn: Node | None = None
    """The turn of agent_data around it."""
    is_prompt: bool = False
    is_first: bool = False
    """Whether it is the first message of its turn."""
    is_state_taken: bool = False
    """Whether its change of state is the state at the start."""

    @property
    def is_of_user(self) -> bool:
        """Whether a user speaks."""
        if self.is_prompt:
            return True
        # Tool responses among other events also have the role of a user, but no user says them.
        if self.content is None or (has_calls(self.content) and not self.is_first):
            return False
        if self.author is not None:
            return self.author.text().lower() == AUTHOR_OF_USERS
        return "user" in (text_of(self.content, "role"), text_of(self.node, "role"))

    @property
    def is_of_system(self) -> bool:
        """Whether the message instructs the model."""
        # An agent may be called `system`: its messages have a role, which comes first.
        role = text_of(self.content, "role") or text_of(self.node, "role") or text_of(self.node, "author")
        return self.content is not None and not self.is_prompt and role.lower() == "system"


def listed_events(case: Node, name: str) -> list[DatasetEvent]:
    """The events in a list: `Event`s, `Message`s, bare contents, or messages with a role as agents-cli takes them."""
    events = []
    for node in items_of(case, name):
        content = filled(node, "content")
        bare = node if content is None and filled(node, "parts") is not None else None
        events.append(DatasetEvent(node, content if content is not None else bare, filled(node, "author")))
    return events


def turn_events(case: Node) -> Iterator[DatasetEvent]:
    """Events of agent_data.turns."""
    for turn in items_of(filled(case, "agent_data"), "turns"):
        is_first = True
        for node in items_of(turn, "events"):
            content = filled(node, "content")
            yield DatasetEvent(node, content, filled(node, "author"), turn, is_first=is_first)
            is_first = is_first and content is None


def exchanges_of(events: list[DatasetEvent]) -> list[list[DatasetEvent]]:
    """Events split at user messages. Events before the first user message are an exchange of their own."""
    exchanges: list[list[DatasetEvent]] = []
    for event in events:
        if event.is_of_user or not exchanges:
            exchanges.append([event])
        else:
            exchanges[-1].append(event)
    return exchanges


def has_calls(content: Node) -> bool:
    """Whether a content has calls of tools or their responses."""
    return any(
        filled(part, name) is not None
        for part in items_of(content, "parts")
        for name in ("function_call", "function_response")
    )


def keep_calls(turn: PortableTurn) -> None:
    """Have calls in a turn of lists stay with the words, or with the author, that calls of a list never have."""
    for event in turn.events if turn.shape == "tool_uses" else ():
        tool_parts = event.content.tool_parts if event.content is not None else []
        is_named = text_in(event.author) not in ("", DEFAULT_AUTHOR)
        event.keeps_calls = bool(tool_parts) and (is_named or len(tool_parts) < len(event.parts))


class TurnReader(ContentReader):
    """Reads turns and notes the fields of their values."""

    def __init__(self, fields: SourceFields, cases: EvalSetReader) -> None:
        super().__init__(fields)
        self._cases = cases

    def turn(self, exchange: list[DatasetEvent], turn_details: TurnDetails, index: int) -> PortableTurn:
        """The exchange with the number `index`, with the details that the case keeps of its turns."""
        first = exchange[0]
        events = exchange[1:] if first.is_of_user else exchange
        turn = PortableTurn(first.node)
        around = [event.turn for event in events if event.turn is not None]
        owner = first.turn or (around[0] if around and first.is_prompt else first.node)
        turn_id = filled(owner, "turn_id")
        if turn_id is not None and turn_id not in self._fields.noted:
            turn.id = self._fields.note(turn_id, SetField.TURN_ID)
        number = filled(owner, "turn_index")
        if number is not None and type(number.value()) is int:
            self._fields.pass_over(number)
        details = turn_details.for_turn(turn.id, index)
        if first.is_of_user:
            self._read_user(turn, first)
        # The final response is the last message, unless it has calls; its form may suggest otherwise.
        is_kept = self._truth(filled(details, KEPT_FINAL))
        messages = (event for event in reversed(events) if event.content is not None and is_kept is not False)
        final = next(messages, None)
        if final is not None and final.content is not None and not is_kept and has_calls(final.content):
            final = None
        for event in events:
            if event is final:
                self._read_final(turn, event)
            else:
                turn.events.append(self.event(event, turn))
        if details is not None:
            self._read_details(turn, details)
        return turn

    def _read_user(self, turn: PortableTurn, event: DatasetEvent) -> None:
        content = self.content(event.content, "user", SetField.USER_TEXT, SetField.USER_PARTS)
        turn.user = content if content is not None else PortableContent()
        if event.is_prompt:
            return
        self._pass_over_conventions(event, (AUTHOR_OF_USERS,))
        for name, value in self._members(event, turn).items():
            if name in CHANGES_OF_EVENTS:
                turn.extras[name] = value
            elif name in TIMES_OF_EVENTS and (seconds := moment(value.value())) is not None:
                turn.time = Made(seconds, (value,))

    def _read_final(self, turn: PortableTurn, event: DatasetEvent) -> None:
        turn.final = self.content(event.content, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        self._pass_over_conventions(event, UNNAMED_AUTHORS)
        members = self._members(event, turn)
        if event.author is not None and event.author not in self._fields.noted:
            # An empty event keeps the author, as in google-adk.
            author = self._fields.note(event.author, SetField.AUTHOR)
            turn.events.append(PortableEvent(None, author, extras=members))
        else:
            self._fields.unread.update(dict.fromkeys(members.values(), _UNNAMED_RESPONSE))

    def event(self, event: DatasetEvent, turn: PortableTurn) -> PortableEvent:
        """A message of a turn before the final response, or a tool call of a trajectory."""
        content = self.content(event.content, "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN)
        self._pass_over_conventions(event, UNNAMED_AUTHORS[:1])
        if event.author is not None and event.author not in self._fields.noted:
            self._fields.note(event.author, SetField.AUTHOR)
        portable = PortableEvent(content, event.author, extras=self._members(event, turn))
        self._cases.finish_event(portable, event.node)
        return portable

    def _members(self, event: DatasetEvent, turn: PortableTurn) -> dict[str, Node]:
        """The keys of an event except author, content and the details of its turn."""
        if event.content is event.node:
            return {}
        turn_id = filled(event.node, "turn_id")
        if turn_id is not None and turn_id not in sources_of(turn.id):
            self._fields.note(turn_id, SetField.TURN_ID, _OTHER_TURN_ID)
            if turn.id is None:
                turn.id = turn_id
            elif turn_id.kind == "string" and turn_id.text() == text_in(turn.id):  # each message of a turn has its id
                turn.id = Made(text_in(turn.id), (*sources_of(turn.id), turn_id))
        read_before = ("state_delta",) if event.is_state_taken else ()
        return self._cases.event_members(event.node, ("turn_id", "role", *read_before))

    def _pass_over_conventions(self, event: DatasetEvent, authors: tuple[str, ...]) -> None:
        self._fields.pass_over(event.author, authors)
        if event.content is not event.node:
            self._fields.pass_over(filled(event.node, "role"), _ROLES)

    def _truth(self, node: Node | None) -> bool | None:
        """A value under one of evaltui's own keys, which needs no report; None if absent."""
        if node is None or node.kind != "boolean":
            return None
        self._fields.pass_over(node)
        return node.source() == b"true"

    def _read_details(self, turn: PortableTurn, details: Node) -> None:
        turn.id = self._fields.read(details, "invocation_id", SetField.TURN_ID) or turn.id
        turn.time = self._cases.time(details, SetField.TURN_TIME) or turn.time
        for name in DURATIONS:
            if (duration := self._fields.read(details, name, SetField.TURN_DURATIONS)) is not None:
                turn.durations[name] = duration
        shape = filled(details, KEPT_SHAPE)
        self._fields.pass_over(shape, _SHAPES)
        # The value may have been edited, so only words that evaltui itself writes count.
        turn.shape = next((name for name in _SHAPES if name == text_in(shape)), None)
        turn.expects_no_calls = self._truth(filled(details, KEPT_NO_CALLS)) or None
        turn.extras |= self._fields.read_extras(details, _KEPT, SetField.TURN_OTHER)

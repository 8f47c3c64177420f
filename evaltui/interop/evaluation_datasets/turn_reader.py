"""Reader of turns in EvaluationDatasets: events split at user messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evaltui.document.node import Node
from evaltui.evalset.case_data import moment
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.eval_sets.reader import CHANGES_OF_EVENTS, DURATIONS, TIMES_OF_EVENTS, CaseReader
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
from evaltui.interop.portable_set import CallPart, PortableContent, PortableEvent, PortableTurn, ResponsePart, Shape


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
        """Whether a user speaks. Tool responses among other events also have the role of a user, but do not count."""
        if self.is_prompt:
            return True
        if self.content is None or (has_calls(self.content) and not self.is_first):
            return False
        if self.author is not None:
            return self.author.text().lower() == AUTHOR_OF_USERS
        return "user" in (text_of(self.content, "role"), text_of(self.node, "role"))

    @property
    def is_of_system(self) -> bool:
        """Whether the message instructs the model. An agent may be called `system`: its messages have a role."""
        role = text_of(self.content, "role") or text_of(self.node, "role") or text_of(self.node, "author")
        return self.content is not None and not self.is_prompt and role.lower() == "system"


@dataclass(slots=True)
class TurnEvents:
    """The words of a user with the events that follow."""

    user: DatasetEvent | None
    events: list[DatasetEvent] = field(default_factory=list)


def history_events(case: Node) -> Iterator[DatasetEvent]:
    """Messages of conversation_history: `Message`s, or contents, or messages with a role as agents-cli takes them."""
    for each in items_of(case, "conversation_history"):
        content = filled(each, "content")
        bare = each if content is None and filled(each, "parts") is not None else None
        yield DatasetEvent(each, content if content is not None else bare, filled(each, "author"))


def turn_events(case: Node) -> Iterator[DatasetEvent]:
    """Events of agent_data.turns."""
    for turn in items_of(filled(case, "agent_data"), "turns"):
        is_first = True
        for each in items_of(turn, "events"):
            content = filled(each, "content")
            yield DatasetEvent(each, content, filled(each, "author"), turn, is_first=is_first)
            is_first = is_first and content is None


def listed_events(case: Node, name: str) -> list[DatasetEvent]:
    """Events of the last turn: `Event`s, or bare contents."""
    found = []
    for each in items_of(case, name):
        if each.kind == "object":
            content = filled(each, "content")
            bare = each if content is None and filled(each, "parts") is not None else None
            found.append(DatasetEvent(each, content if content is not None else bare, filled(each, "author")))
    return found


def exchanges_of(events: list[DatasetEvent]) -> list[TurnEvents]:
    """Events split at user messages. Events before the first user message are an exchange of their own."""
    found: list[TurnEvents] = []
    for event in events:
        if event.is_of_user:
            found.append(TurnEvents(event))
        elif found:
            found[-1].events.append(event)
        else:
            found.append(TurnEvents(None, [event]))
    return found


def has_calls(content: Node) -> bool:
    """Whether a content has calls of tools or their responses."""
    return any(
        filled(part, name) is not None
        for part in items_of(content, "parts")
        for name in ("function_call", "function_response")
    )


def final_event(events: list[DatasetEvent], *, is_told: bool | None = None) -> DatasetEvent | None:
    """The final response among the events of a turn: the last message, unless it holds calls.

    `is_told` is True or False if the file says whether the last message is the final response.
    """
    last = next((event for event in reversed(events) if event.content is not None), None)
    if last is None or last.content is None or is_told is False:
        return None
    return last if is_told or not has_calls(last.content) else None


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


def keep_calls(turn: PortableTurn) -> None:
    """Have calls in a turn of lists stay with the words, or with the author, that calls of a list never have."""
    if turn.shape != "tool_uses":
        return
    for event in turn.events:
        parts = event.content.parts if event.content is not None else []
        of_tools = sum(isinstance(part, CallPart | ResponsePart) for part in parts)
        is_named = text_in(event.author) not in ("", DEFAULT_AUTHOR)
        event.keeps_calls = bool(of_tools) and (is_named or of_tools < len(parts))


class TurnReader:
    """Reads turns and notes the fields of their values."""

    def __init__(self, fields: SourceFields, cases: CaseReader) -> None:
        self._fields, self._cases = fields, cases
        self._contents = ContentReader(fields)

    def turn(self, exchange: TurnEvents, listed: TurnDetails, index: int) -> PortableTurn:
        """The exchange with the number `index`; `listed` is what the case keeps of its turns beside them."""
        first = exchange.user if exchange.user is not None else exchange.events[0]
        found = PortableTurn(first.node)
        around = [event.turn for event in exchange.events if event.turn is not None]
        self._read_id(found, first.turn or (around[0] if around and first.is_prompt else first.node))
        details = listed.of(found.id, index)
        if exchange.user is not None:
            self._read_user(found, exchange.user)
        final = final_event(exchange.events, is_told=self._truth(filled(details, KEPT_FINAL)))
        for event in exchange.events:
            if event is final:
                self._read_final(found, event)
            else:
                found.events.append(self.event(event, found))
        if details is not None:
            self._read_details(found, details)
        return found

    def _read_id(self, turn: PortableTurn, owner: Node) -> None:
        given = filled(owner, "turn_id")
        if given is not None and not self._fields.is_noted(given):
            turn.id = self._fields.note(given, SetField.TURN_ID)
        if (number := filled(owner, "turn_index")) is not None and number.kind == "number":
            self._fields.pass_over(number)

    def _read_user(self, turn: PortableTurn, event: DatasetEvent) -> None:
        content = self._contents.content(event.content, "user", SetField.USER_TEXT, SetField.USER_PARTS)
        turn.user = content if content is not None else PortableContent()
        if event.is_prompt:
            return
        self._pass_over_conventions(event, (AUTHOR_OF_USERS,))
        for name, each in self._members(event, turn).items():
            if name in CHANGES_OF_EVENTS:
                turn.others[name] = each
            elif name in TIMES_OF_EVENTS and (seconds := moment(each.value())) is not None:
                turn.time = Made(seconds, (each,))

    def _read_final(self, turn: PortableTurn, event: DatasetEvent) -> None:
        """The final response. If it has an author, an empty event keeps the author, as in google-adk."""
        turn.final = self._contents.content(event.content, "model", SetField.FINAL_TEXT, SetField.FINAL_PARTS)
        self._pass_over_conventions(event, UNNAMED_AUTHORS)
        members = self._members(event, turn)
        if event.author is not None and not self._fields.is_noted(event.author):
            author = self._fields.note(event.author, SetField.AUTHOR)
            turn.events.append(PortableEvent(None, author, others=members))
        else:
            self._fields.unread.update(dict.fromkeys(members.values(), _UNNAMED_RESPONSE))

    def event(self, event: DatasetEvent, turn: PortableTurn) -> PortableEvent:
        """A message of a turn before the final response, or a tool call of a trajectory."""
        content = self._contents.content(event.content, "model", SetField.TEXT_BETWEEN, SetField.PARTS_BETWEEN)
        self._pass_over_conventions(event, UNNAMED_AUTHORS[:1])
        if event.author is not None and not self._fields.is_noted(event.author):
            self._fields.note(event.author, SetField.AUTHOR)
        found = PortableEvent(content, event.author, others=self._members(event, turn))
        self._cases.take_role(found)
        self._cases.take_call(found, event.node)
        return found

    def _members(self, event: DatasetEvent, turn: PortableTurn) -> dict[str, Node]:
        """The keys of an event except author, content and the details of its turn."""
        if event.content is event.node:
            return {}
        given = filled(event.node, "turn_id")
        if given is not None and given not in sources_of(turn.id):
            self._fields.note(given, SetField.TURN_ID, _OTHER_TURN_ID)
            if turn.id is None:
                turn.id = given
            elif given.text() == text_in(turn.id):  # each message of a turn has its id
                turn.id = Made(text_in(turn.id), (*sources_of(turn.id), given))
        taken = ("state_delta",) if event.is_state_taken else ()
        return self._cases.event_members(event.node, ("turn_id", "role", *taken))

    def _pass_over_conventions(self, event: DatasetEvent, authors: tuple[str, ...]) -> None:
        self._fields.pass_over_word(event.author, authors)
        if event.content is not event.node:
            self._fields.pass_over_word(filled(event.node, "role"), _ROLES)

    def _truth(self, node: Node | None) -> bool | None:
        """A value under one of evaltui's own keys, which needs no report; None if absent."""
        if node is None or node.kind != "boolean":
            return None
        self._fields.pass_over(node)
        return node.source() == b"true"

    def _read_details(self, turn: PortableTurn, details: Node) -> None:
        turn.id = self._cases.value(details, "invocation_id", SetField.TURN_ID) or turn.id
        turn.time = self._cases.time(details, SetField.TURN_TIME) or turn.time
        for name in DURATIONS:
            if (each := self._cases.value(details, name, SetField.TURN_DURATIONS)) is not None:
                turn.durations[name] = each
        shape = filled(details, KEPT_SHAPE)
        self._fields.pass_over_word(shape, _SHAPES)
        turn.shape = next((each for each in _SHAPES if each == text_in(shape)), None)
        turn.expects_no_calls = self._truth(filled(details, KEPT_NO_CALLS)) or None
        turn.others |= self._cases.own_members(details, _KEPT, SetField.TURN_OTHER)

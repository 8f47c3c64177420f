"""The events of a case in their order, from all keys of an EvaluationDataset that hold events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.interop.evaluation_datasets.dataset_names import AUTHOR_OF_USERS


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

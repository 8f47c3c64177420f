"""The conversation of a dataset case as plain data, split at user messages.

A case need not be valid: a value of the wrong type counts as absent. Expected and actual events are both read
here, so that they are split alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from evaltui.evalset.case_data import get, items_in, objects_in, parts_of, text_of_parts

_Object = dict[str, Any]


@dataclass(slots=True)
class Exchange:
    """A user message and the events that follow it."""

    messages: list[Any]
    events: list[_Object] = field(default_factory=list)
    identifier: str = ""
    """The `turn_id` of the turn in which it begins; "" without one."""
    recorded: list[_Object] = field(default_factory=list)
    """All its events as they are, also messages of the user and events without a content that can be read."""

    @property
    def user_content(self) -> _Object:
        """The user message as one content."""
        return {"role": "user", "parts": [part for content in self.messages for part in parts_of(content)]}

    @property
    def final(self) -> _Object | None:
        """The event with the final response: the last text without a call, as in google-adk."""
        return next((event for event in reversed(self.events) if is_final(event)), None)


def exchanges_of(case: Any, *, with_intermediate: bool) -> list[Exchange]:
    """The exchanges of a case; consecutive user messages count as one.

    The `intermediate_events` of a case without turns may be actual or expected. The caller decides whether they
    belong to the last exchange.
    """
    exchanges: list[Exchange] = []
    leading: list[_Object] = []
    for event in _events(case, with_intermediate=with_intermediate):
        content = content_in(get(event, "content"))
        if content is None:  # a state change, or the rest of a final response in google-adk
            (exchanges[-1].recorded if exchanges else leading).append(event)
            continue
        identifier = _text(event, "turn_id")
        if is_of_user(event):
            if exchanges and not exchanges[-1].events:
                exchanges[-1].messages.append(content)
            else:
                exchanges.append(Exchange([content], identifier=identifier))
        else:
            if not exchanges:
                exchanges.append(Exchange([], identifier=identifier))
            exchanges[-1].events.append({"author": get(event, "author"), "content": content})
        exchanges[-1].recorded.append(event)
    if exchanges:
        exchanges[0].recorded[:0] = leading
    return exchanges


def _events(case: Any, *, with_intermediate: bool) -> Iterator[_Object]:
    """All events of a case in order; user events have the author `user`.

    Trace files of agents-cli keep the message that begins the only turn in `prompt`.
    """
    prompt = content_in(get(case, "prompt"))
    turns = turns_of(case)
    if turns:
        events = [dict(event, turn_id=get(turn, "turn_id")) for turn in turns for event in _objects(turn, "events")]
        if prompt is not None and not any(is_of_user(event) for event in events):
            yield {"author": "user", "content": prompt}
        yield from events
        return
    yield from _objects(case, "conversation_history")
    if prompt is not None:
        yield {"author": "user", "content": prompt}
    if with_intermediate:
        yield from intermediate_events(case)


def turns_of(case: Any) -> list[_Object]:
    """The turns of `agent_data`."""
    return list(_objects(get(case, "agent_data"), "turns"))


def intermediate_events(case: Any) -> Iterator[_Object]:
    """The `intermediate_events` that are objects."""
    return _objects(case, "intermediate_events")


def responses_of(case: Any) -> list[Any]:
    """The recorded responses to the last user message, contents or texts."""
    responses = (get(response, "response") for response in _objects(case, "responses"))
    return [response for response in responses if response is not None]


def is_answered(case: Any) -> bool:
    """Whether a case records what an agent responded to the last user message.

    `intermediate_events` without a response do not count: they are expectations.
    """
    exchanges = exchanges_of(case, with_intermediate=True)
    if not exchanges or responses_of(case):
        return bool(exchanges)
    return bool(exchanges_of(case, with_intermediate=False)[-1].events) if exchanges[-1].messages else False


def is_of_user(event: Any) -> bool:
    """Whether the author is a user: a tool response has the role `user`, too."""
    content = content_in(get(event, "content"))
    if content is None or any(get(part, "function_response") is not None for part in parts_of(content)):
        return False
    author = get(event, "author")
    return author.lower() == "user" if isinstance(author, str) else content.get("role") == "user"


def is_final(event: Any) -> bool:
    """Whether an event has a text, and neither a call nor a tool response."""
    content = content_in(get(event, "content"))
    acts = any(
        get(part, name) is not None for part in parts_of(content) for name in ("function_call", "function_response")
    )
    return not acts and bool(text_of_parts(content))


def content_in(value: Any) -> _Object | None:
    """A content with parts; a bare text becomes its only part, as in tables."""
    if isinstance(value, str):
        return {"parts": [{"text": value}]}
    return value if isinstance(value, dict) and any(parts_of(value)) else None


def joined_text(contents: Iterable[Any]) -> str:
    """The texts of contents, joined line by line."""
    return "\n".join(filter(None, map(text_of_parts, contents)))


def _objects(value: Any, name: str) -> Iterator[_Object]:
    return objects_in(items_in(value, name))


def _text(value: Any, name: str) -> str:
    text = get(value, name)
    return text if isinstance(text, str) else ""


_OF_DATASETS = (
    *("eval_case_id", "prompt", "responses", "agent_data", "conversation_history", "user_scenario"),
    *("reference", "intermediate_events"),
)
_OF_EVAL_SETS = ("eval_id", "conversation", "conversation_scenario")
"""Keys of google-adk's cases. A case with one of them is never a case of a dataset."""


def is_dataset_case(case: Any) -> bool:
    """Whether a case (as plain data) is a dataset case, judged by its keys."""
    has_own = any(get(case, name) is not None for name in _OF_DATASETS)
    return has_own and not any(get(case, name) is not None for name in _OF_EVAL_SETS)

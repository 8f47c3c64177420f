"""EvaluationDataset of the Gemini Enterprise Agent Platform, and the trace files of agents-cli, which are some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evaltui.evalset.case_data import get, items_in, parts_of, text_of_parts
from evaltui.evalset.turn import Turn, UnreadError, check_content, check_object, list_items, turn_of
from evaltui.recordings.conversation import Conversation, ConversationDetails, ConversationsRead, RecordedTurn
from evaltui.recordings.json_members import moment, objects, text

_Object = dict[str, Any]
_AGENT = "agent"
"""Who speaks where a dataset does not say; google-adk wants an author."""


@dataclass(slots=True)
class _Exchange:
    """The words of a user and the events that follow, as contents and events."""

    said: list[Any]
    events: list[_Object] = field(default_factory=list)
    identifier: str = ""

    def turn(self) -> Turn:
        """The turn; as in google-adk, the last text without a call is the final response."""
        final = next((event for event in reversed(self.events) if _is_final(event)), None)
        turn = turn_of(
            {
                "invocation_id": self.identifier,
                "intermediate_data": {"invocation_events": self.events},
                "final_response": get(final, "content"),
            }
        )
        return replace(turn, user_text="\n".join(filter(None, map(text_of_parts, self.said))))

    def invocation(self, response: _Object | None) -> _Object:
        """The turn as an invocation; `response` stands for the last text, where it is another one."""
        final = next((event for event in reversed(self.events) if _is_final(event)), None)
        found: _Object = {"invocation_id": self.identifier} if self.identifier else {}
        found["user_content"] = {"role": "user", "parts": [part for each in self.said for part in parts_of(each)]}
        answer = response if response is not None else get(final, "content")
        if answer is not None:
            found["final_response"] = answer
        events = [{**event, "author": event["author"] or _AGENT} for event in self.events if event is not final]
        if events:
            found["intermediate_data"] = {"invocation_events": events}
        return found


def conversations_of_dataset(dataset: Any, path: Path, *, with_details: bool = False) -> ConversationsRead:
    """A conversation for each response to a case; a case that nobody answered is a warning."""
    cases = dataset if isinstance(dataset, list) else get(dataset, "eval_cases")
    cases = cases if isinstance(cases, list) else [dataset]
    found: list[Conversation] = []
    warnings: list[str] = []
    for index, case in enumerate(cases, 1):
        eval_id = text(case, "eval_case_id") or text(case, "eval_id")
        name = eval_id or f"case {index}"
        runs, said = _runs(case)
        warnings += [f"{name}: {sentence}" for sentence in said]
        recorded_at = max(_times(case), default=None)
        unread = _unread(case) if runs else None
        conversations = [
            Conversation(path, name, turns, eval_id=eval_id, recorded_at=recorded_at, unread=unread) for turns in runs
        ]
        if with_details:
            each_details = _details(case, len(runs), min(_times(case), default=None))
            pairs = zip(conversations, each_details, strict=True)
            conversations = [replace(each, details=details) for each, details in pairs]
        found += conversations
    return found, warnings


def _unread(case: Any) -> str | None:
    """The first thing of what is compared that cannot be read."""
    try:
        for at, turn in list_items(get(get(case, "agent_data"), "turns"), "agent_data/turns"):
            check_object(turn, at)
            _check_contents(get(turn, "events"), f"{at}/events", "content")
        for name in ("conversation_history", "intermediate_events"):
            _check_contents(get(case, name), name, "content")
        _check_contents(get(case, "responses"), "responses", "response")
    except UnreadError as error:
        return str(error)
    return None


def _check_contents(values: Any, place: str, name: str) -> None:
    for at, value in list_items(values, place):
        check_object(value, at)
        content = get(value, name)
        if not isinstance(content, str):
            check_content(content, f"{at}/{name}")


def _runs(case: Any) -> tuple[list[tuple[Turn, ...]], list[str]]:
    """The turns of each response to a case, and what could not be used."""
    exchanges = _exchanges(_events(case))
    told = bool(exchanges) and bool(items_in(get(case, "agent_data"), "turns"))
    responses = [get(each, "response") for each in objects(case, "responses") if get(each, "response") is not None]
    if not exchanges or (not exchanges[-1].events and not responses):
        return [], ["there is no answer to it; `agents-cli eval generate` gets one"]
    turns = [exchange.turn() for exchange in exchanges]
    if not responses:
        return [tuple(turns)], []
    last = [replace(turns[-1], response=_text(each) or turns[-1].response) for each in responses[: 1 if told else None]]
    more = len(responses) - len(last)
    warnings = [f"{more} more responses are left out: agent_data tells of one"] if more else []
    return [(*turns[:-1], each) for each in last], warnings


def _details(case: Any, runs: int, started: float | None) -> Iterator[ConversationDetails]:
    """The details of each of so many runs, which differ in the last response."""
    exchanges = _exchanges(_events(case))
    responses = [get(each, "response") for each in objects(case, "responses") if get(each, "response") is not None]
    for number in range(runs):
        last = _content(responses[number]) if number < len(responses) else None
        said = [None] * (len(exchanges) - 1) + [last if _text(last) else None]
        turns = (RecordedTurn(each.invocation(answer)) for each, answer in zip(exchanges, said, strict=True))
        yield ConversationDetails(tuple(turns), started=started)


def _events(case: Any) -> Iterator[_Object]:
    """All events of a case in order, those of users with the author `user`.

    The trace files of agents-cli leave the message that begins the only turn in `prompt`.
    """
    prompt = _content(get(case, "prompt"))
    turns = list(objects(get(case, "agent_data"), "turns"))
    if turns:
        told = [dict(event, turn_id=get(turn, "turn_id")) for turn in turns for event in objects(turn, "events")]
        if prompt is not None and not any(_is_users(event) for event in told):
            yield {"author": "user", "content": prompt}
        yield from told
        return
    yield from objects(case, "conversation_history")
    if prompt is not None:
        yield {"author": "user", "content": prompt}
    yield from objects(case, "intermediate_events")


def _exchanges(events: Iterable[_Object]) -> list[_Exchange]:
    """Events divided where users speak; messages with nothing between them are one."""
    found: list[_Exchange] = []
    for event in events:
        content = _content(get(event, "content"))
        if content is None:  # a change of state, or what google-adk leaves of a final response
            continue
        if _is_users(event):
            if found and not found[-1].events:
                found[-1].said.append(content)
            else:
                found.append(_Exchange([content], identifier=text(event, "turn_id") or ""))
        else:
            if not found:
                found.append(_Exchange([], identifier=text(event, "turn_id") or ""))
            found[-1].events.append({"author": get(event, "author"), "content": content})
    return found


def _is_users(event: _Object) -> bool:
    """Whether a user speaks: an answer of a tool has the role `user` as well."""
    content = _content(get(event, "content"))
    if content is None or any(get(part, "function_response") is not None for part in parts_of(content)):
        return False
    author = get(event, "author")
    return author.lower() == "user" if isinstance(author, str) else content.get("role") == "user"


def _is_final(event: _Object) -> bool:
    parts = list(parts_of(get(event, "content")))
    acts = any(get(part, name) is not None for part in parts for name in ("function_call", "function_response"))
    return not acts and bool(text_of_parts(get(event, "content")))


def _content(value: Any) -> _Object | None:
    """A content; a bare text stands for one, as in tables."""
    if isinstance(value, str):
        return {"parts": [{"text": value}]}
    return value if isinstance(value, dict) and any(parts_of(value)) else None


def _text(response: Any) -> str:
    return text_of_parts(_content(response))


def _times(case: Any) -> Iterator[float]:
    events = [event for turn in objects(get(case, "agent_data"), "turns") for event in objects(turn, "events")]
    for event in (*events, *objects(case, "intermediate_events")):
        found = moment(get(event, "event_time") or get(event, "creation_timestamp"))
        if found is not None:
            yield found

"""Calls of models in a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from evaltui.evalset.turn import Tokens
from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import count, scalar_text
from evaltui.recordings.traces.messages import (
    Answer,
    Message,
    Request,
    answer_of,
    asks_for_tools,
    ends_with_answers,
    first_read,
    unread_of,
)
from evaltui.recordings.traces.span_view import SpanView
from evaltui.recordings.traces.spans import Kind
from evaltui.recordings.traces.trace_tree import TurnStep
from evaltui.recordings.traces.user_messages import after_user, earlier_text, last_of_user, user_text_of

Found = TypeVar("Found")


class ModelCall(NamedTuple):
    """A model call, with only the parts of its messages that turns need; times in nanoseconds."""

    start: int
    end: int
    is_delegated: bool
    """Whether a tool made the call, so that its text does not belong to the turn."""
    is_told: bool
    """Whether the messages it got are recorded."""
    is_said: bool
    """Whether the messages it answers are recorded."""
    has_failed: bool
    """Whether it ended with an error, so that its text is only a beginning, and its tools may not have run."""
    user_text: str | None
    """The last message of the user; None for none, "" for one that cannot be read."""
    follows: str | None
    """The text of the user in the turn before, if its messages hold one; "" if it cannot be read."""
    ends_with_answers: bool
    answers: tuple[Answer, ...]
    """The tool responses that the model received."""
    told: tuple[Request | Answer, ...]
    """The tool calls and responses that followed the last message of the user."""
    requests: tuple[Request, ...]
    """The tools that it calls."""
    every_request: tuple[tuple[Request, ...], ...]
    """The tools that it calls, by each source of its messages."""
    unread: tuple[str, ...]
    """What may be further tool calls: parts of its answer that nobody reads, or the reason for which it stopped."""
    text: str | None
    """Its answer; None if nobody knows which of its texts it is."""
    tokens: Tokens | None
    model: str | None
    stopped_for_tools: bool

    @property
    def beginning(self) -> tuple[int, int]:
        """The sort key by start time."""
        return self.start, self.end

    @property
    def ending(self) -> tuple[int, int]:
        """The sort key by end time."""
        return self.end, self.start

    @property
    def response(self) -> str | None:
        """Its text, if it is the last call of its turn; None if it is not recorded, or if the call asks for tools."""
        return None if self.requests or self.stopped_for_tools or self.unread else self.text or None


def model_calls(steps: Iterable[TurnStep], view: Callable[[TurnStep], SpanView]) -> list[ModelCall]:
    """The model calls of a turn in the order of their start times.

    Model spans can be nested, such as a framework's span around a provider's span. If there is only one innermost span,
    it is the call, and the spans around it complete it. If there are several, each innermost span is a call, and the
    outer span is not.
    """
    inner = [step for step in steps if step.kind is Kind.INFERENCE]
    calls = [_call(chain, view) for chain in _chains(inner)]
    return sorted(calls, key=lambda call: call.beginning)


def _chains(steps: list[TurnStep]) -> list[list[TurnStep]]:
    """The spans of each call, innermost first."""
    by_id = {step.span.id: step for step in steps}
    # The number of leaf spans at or below each span. 1 means no fork, so the span and its leaf are the same call.
    leaves = dict.fromkeys(by_id, 0)
    for step in reversed(steps):  # children before their parents
        leaves[step.span.id] = leaves[step.span.id] or 1
        if step.model in by_id:
            leaves[step.model] += leaves[step.span.id]
    chains: dict[str, list[TurnStep]] = {}
    top: dict[str, str] = {}
    for step in steps:
        if leaves[step.span.id] == 1:
            top[step.span.id] = top.get(step.model or "", step.span.id)
            chains.setdefault(top[step.span.id], []).append(step)
    return [chain[::-1] for chain in chains.values()]


def _call(chain: list[TurnStep], view: Callable[[TurnStep], SpanView]) -> ModelCall:
    views = [view(step) for step in chain]
    told = first_read(each.input for each in views) or ()
    said = first_read(each.output for each in views) or ()
    of_user, since_then = last_of_user(told), after_user(told)
    requests = tuple(_parts(said, Request))
    unread = tuple(each.name for each in unread_of(said))
    stopped_for_tools = any(map(asks_for_tools, _first(views, lambda each: each.finish_reasons) or ()))
    if not unread and not requests and stopped_for_tools:
        unread = ("finish_reason",)
    if not said and any(each.has_unread_output for each in views):
        unread = ("messages",)
    return ModelCall(
        start=min(step.span.start for step in chain),
        end=max(step.span.end for step in chain),
        is_delegated=chain[0].is_delegated,
        is_told=bool(told),
        is_said=bool(said),
        has_failed=any(each.has_failed for each in views),
        user_text=user_text_of(of_user) if of_user else None,
        follows=earlier_text(told),
        ends_with_answers=ends_with_answers(told),
        answers=tuple(_parts(told, Answer)),
        told=calls_and_responses(since_then),
        requests=requests,
        every_request=tuple(tuple(_parts(messages, Request)) for each in views for messages in each.every_output),
        unread=unread,
        text=answer_of(said),
        tokens=_first(views, _tokens),
        model=_named(views, attribute_names.REQUEST_MODEL) or _named(views, attribute_names.RESPONSE_MODEL),
        stopped_for_tools=stopped_for_tools,
    )


def calls_and_responses(messages: Iterable[Message]) -> tuple[Request | Answer, ...]:
    """The tool calls in messages, and the tool responses."""
    messages = tuple(messages)
    return (*_parts(messages, Request), *_parts(messages, Answer))


def _first(views: Iterable[SpanView], what: Callable[[SpanView], Found | None]) -> Found | None:
    return next((found for view in views if (found := what(view))), None)


def _parts(messages: Iterable[Message], kind: type[Found]) -> Iterable[Found]:
    return (part for message in messages for part in message.parts if isinstance(part, kind))


def _named(views: Iterable[SpanView], key: str) -> str | None:
    return _first(views, lambda view: scalar_text(view.value(key)))


def _tokens(view: SpanView) -> Tokens | None:
    taken, given = count(view.value(attribute_names.INPUT_TOKENS)), count(view.value(attribute_names.OUTPUT_TOKENS))
    if taken is None and given is None:
        return None
    return Tokens(
        total=(taken or 0) + (given or 0),
        input=taken,
        cached=count(view.value(attribute_names.CACHED_TOKENS)),
        output=given,
        reasoning=count(view.value(attribute_names.REASONING_TOKENS)),
    )

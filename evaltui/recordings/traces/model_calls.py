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
    ends_with_answers,
    has_others,
    last_of_user,
    text_of,
)
from evaltui.recordings.traces.span_view import SpanView
from evaltui.recordings.traces.spans import Kind
from evaltui.recordings.traces.trace_tree import TurnStep

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
    user_text: str | None
    """The last message of the user; None for none."""
    ends_with_answers: bool
    answers: tuple[Answer, ...]
    """The tool responses that the model received."""
    requests: tuple[Request, ...]
    """The tools that it calls."""
    text: str
    tokens: Tokens | None
    model: str | None
    stopped_for_tools: bool
    has_others: bool
    """Whether it answers with a part that is neither text nor a call, such as an image."""
    lacks_requests: bool
    """Whether it may call tools that are not recorded: its messages were cut off, or it stopped for tools."""

    @property
    def beginning(self) -> tuple[int, int]:
        """The sort key by start time."""
        return self.start, self.end

    @property
    def ending(self) -> tuple[int, int]:
        """The sort key by end time."""
        return self.end, self.start


_FOR_TOOLS = frozenset({"tool_calls", "tool_call", "tool_use", "function_call"})


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
    told = _first(views, lambda each: each.input) or ()
    said = _first(views, lambda each: each.output) or ()
    of_user = last_of_user(told)
    requests = tuple(_parts(said, Request))
    stopped_for_tools = bool((_first(views, lambda each: each.finish_reasons) or frozenset()) & _FOR_TOOLS)
    return ModelCall(
        start=min(step.span.start for step in chain),
        end=max(step.span.end for step in chain),
        is_delegated=chain[0].is_delegated,
        is_told=bool(told),
        is_said=any(each.tells_output for each in views),
        user_text=text_of(of_user) if of_user else None,
        ends_with_answers=ends_with_answers(told),
        answers=tuple(_parts(told, Answer)),
        requests=requests,
        text=text_of(said),
        tokens=_first(views, _tokens),
        model=_named(views, attribute_names.REQUEST_MODEL) or _named(views, attribute_names.RESPONSE_MODEL),
        stopped_for_tools=stopped_for_tools,
        has_others=has_others(said),
        lacks_requests=not requests and (stopped_for_tools or (not said and any(v.has_unread_output for v in views))),
    )


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

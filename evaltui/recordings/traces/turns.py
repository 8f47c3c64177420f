"""The turns of a conversation, from the drafts of its traces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from evaltui.evalset.turn import Durations, Tokens, Turn, TurnCall
from evaltui.recordings.traces.attribute_values import as_object
from evaltui.recordings.traces.doubts import FAILED_TURN, MAY_CONTINUE, NO_ARGUMENTS, NO_RESPONSE, NO_USER_TEXT, Doubts
from evaltui.recordings.traces.model_calls import ModelCall
from evaltui.recordings.traces.tool_calls import Called
from evaltui.recordings.traces.turn_drafts import TurnDraft, tools_of

_SECOND = 1e9


def turns_of(drafts: Iterable[TurnDraft], doubts: Doubts) -> tuple[Turn, ...]:
    """The turns in the order of their beginnings.

    Where only models are recorded, each call of one has a trace of its own: one that is told what the tools answered
    for which the turn before it asked goes on with that turn.
    """
    chains: list[_Chain] = []
    for draft in sorted(drafts, key=lambda draft: (draft.start, draft.span.id)):
        if chains and chains[-1].goes_on_with(draft):
            chains[-1].add(draft)
            continue
        if chains and chains[-1].may_go_on_with(draft):
            doubts.note(MAY_CONTINUE, f"span {draft.span.id}")
        chains.append(_Chain([draft], _last(draft)))
    return tuple(_turn(_joined(chain.drafts), doubts) for chain in chains)


@dataclass(slots=True)
class _Chain:
    """Drafts that are one turn."""

    drafts: list[TurnDraft]
    last: ModelCall | None
    """The call of a model that ended last."""

    def goes_on_with(self, draft: TurnDraft) -> bool:
        """Whether a draft begins with the answers to what this turn asked for last."""
        first = _first(draft)
        if self.last is None or first is None or not first.ends_with_answers:
            return False
        asked = {request.id for request in self.last.requests if request.id}
        answered = {answer.id for answer in first.answers if answer.id}
        return bool(asked & answered) if asked and answered else bool(self.last.requests)

    def may_go_on_with(self, draft: TurnDraft) -> bool:
        """Whether this turn stopped for tools, and the first model call of `draft` can continue it."""
        first = _first(draft)
        return bool(self.last and self.last.stopped_for_tools and first and not first.is_told)

    def add(self, draft: TurnDraft) -> None:
        """Add a draft to the turn; the model call that ended last becomes `last`."""
        self.drafts.append(draft)
        last = _last(draft)
        if last and (self.last is None or last.ending > self.last.ending):
            self.last = last


def _first(draft: TurnDraft) -> ModelCall | None:
    return None if draft.is_agent else min(draft.calls, key=lambda call: call.beginning, default=None)


def _last(draft: TurnDraft) -> ModelCall | None:
    return max(draft.calls, key=lambda call: call.ending, default=None)


def _joined(drafts: Sequence[TurnDraft]) -> TurnDraft:
    first = drafts[0]
    if len(drafts) == 1:
        return first
    calls = sorted((call for draft in drafts for call in draft.calls), key=lambda call: call.beginning)
    spans = [tool for draft in drafts for tool in draft.tools if tool.span]
    responses = [draft.response for draft in drafts if draft.response is not None]
    return first._replace(
        last=max((draft.last for draft in drafts), key=lambda span: span.end),
        user_text=next((draft.user_text for draft in drafts if draft.user_text is not None), None),
        response=responses[-1] if responses else None,
        calls=calls,
        tools=tools_of(spans, calls),
        has_failed=any(draft.has_failed for draft in drafts),
    )


def _turn(draft: TurnDraft, doubts: Doubts) -> Turn:
    place = f"span {draft.span.id}"
    for doubt, holds in (
        (NO_USER_TEXT, not draft.user_text),
        (NO_RESPONSE, not draft.response),
        (FAILED_TURN, draft.has_failed),
    ):
        if holds:
            doubts.note(doubt, place)
    return Turn(
        user_text=draft.user_text or "",
        calls=tuple(_tool_call(tool, doubts) for tool in draft.tools),
        response=draft.response or "",
        invocation_id=draft.span.id,
        inference_calls=len(draft.calls),
        tokens=_sum([call.tokens for call in draft.calls if call.tokens]),
        durations=_durations(draft),
        models=tuple(dict.fromkeys(call.model for call in draft.calls if call.model)),
    )


def _tool_call(tool: Called, doubts: Doubts) -> TurnCall:
    for doubt in sorted(tool.doubts | ({NO_ARGUMENTS} if tool.arguments is None else set())):
        doubts.note(doubt, f"tool {tool.name}")
    response = None if tool.result is None else as_object(tool.result, "result")
    return TurnCall(tool.name, as_object(tool.arguments, "value"), tool.id, response)


def _sum(tokens: Sequence[Tokens]) -> Tokens | None:
    if not tokens:
        return None
    counted = {field.name: [getattr(each, field.name) for each in tokens] for field in fields(Tokens)}
    known = {name: [count for count in counts if count is not None] for name, counts in counted.items()}
    return Tokens(**{name: sum(counts) if counts else None for name, counts in known.items()})


def _durations(draft: TurnDraft) -> Durations:
    tools = [_seconds(tool.span.start, tool.span.end) for tool in draft.tools if tool.span]
    return Durations(
        total=_seconds(draft.span.start, draft.last.end),
        model=_total([_seconds(call.start, call.end) for call in draft.calls]),
        tool=_total(tools),
    )


def _total(seconds: Sequence[float | None]) -> float | None:
    known = [each for each in seconds if each is not None]
    return sum(known) if known else None


def _seconds(start: int, end: int) -> float | None:
    return (end - start) / _SECOND if 0 < start <= end else None

"""Turns in the making, and whether a turn is missing before or between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from evaltui.recordings.traces.messages import Answer, Request
from evaltui.recordings.traces.model_calls import ModelCall
from evaltui.recordings.traces.spans import TraceSpan
from evaltui.recordings.traces.tool_calls import Called


class TurnDraft(NamedTuple):
    """A turn in the making."""

    span: TraceSpan
    """The span that it begins with."""
    last: TraceSpan
    """The span that it ends with: the same, unless traces were joined."""
    is_agent: bool
    start: int
    """When the first of its spans began, in nanoseconds."""
    user_text: str | None
    """None if no message of a user is recorded, "" if it has no text or cannot be read."""
    response: str | None
    has_own_response: bool
    """Whether the span of its agent has the response, whatever its models said."""
    tells_response: bool
    """Whether the response is recorded; it may be empty."""
    tells_calls: bool
    """Whether the tool calls are recorded; there may be none."""
    told: tuple[Request | Answer, ...]
    """The tool calls and responses in the messages of its agent. agentevals reads no calls there."""
    calls: list[ModelCall]
    tools: list[Called]
    follows: str | None
    """The text of the user in the turn before, if its messages hold one; "" if it cannot be read."""
    ends_early: bool
    """Whether it ends with a call of a tool, or with a model that does not answer."""
    failure: str
    """The error with which the agent ended; "" if it did not fail."""

    def with_losses(self, *, may_lack_spans: bool) -> TurnDraft:
        """The draft, if a call of a tool may be missing, and perhaps the span of a model that gave the response."""
        if self.has_own_response or not may_lack_spans:
            return self._replace(tells_calls=False)
        return self._replace(tells_calls=False, tells_response=False, response=None)


def lacks_turns(drafts: Iterable[TurnDraft]) -> bool:
    """Whether a turn came before the drafts, or between two of them, as their messages tell.

    A history may be cut off, or begin with a summary, so only its last turn must be among the drafts before it.
    """
    seen: set[str] = set()
    last: set[str] = set()
    for draft in sorted(drafts, key=order_of):
        if draft.follows is not None and not _is_among(draft.follows, seen, last):
            return True
        last = {(text or "").strip() for text in (draft.user_text, *(call.user_text for call in draft.calls))}
        seen |= last
    return False


def _is_among(text: str, seen: set[str], last: set[str]) -> bool:
    """Whether the user said `text` in a turn that was seen. The last of them may have had a context beside its text."""
    if not seen or text in seen:
        return bool(seen)
    is_unknown = not text or "" in seen
    return is_unknown or any(each.startswith(text) or each.endswith(text) for each in last)


def order_of(draft: TurnDraft) -> tuple[int, str]:
    """The sort key among other drafts."""
    return draft.start, draft.span.id

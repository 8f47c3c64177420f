"""The shape of intermediate data in an eval set: lists of tool calls and tool responses, or events."""

from __future__ import annotations

from evaltui.interop.output_tree import LeftOutItem, Tree, remade, text_in
from evaltui.interop.portable_set import CallPart, PortableEvent, PortableTurn, ResponsePart, Shape

CALLS_BESIDE = "the turn also has tool calls or tool responses"
DEFAULT_AUTHOR = "agent"
"""The author of calls without an author in the source (as in google-adk's conversions and agents-cli's migration)."""


def natural_shape(turn: PortableTurn) -> Shape:
    """Lists if they hold everything, else events.

    Lists have no authors of calls, no token counts, no order between texts and calls.
    """
    return "tool_uses" if _fits_lists(turn.events) else "events"


def shape_to_write(turn: PortableTurn) -> Shape:
    """The shape of the source, else the natural shape."""
    if turn.shape is None and turn.no_calls is not None and _has_only_texts(turn.events):
        return "tool_uses"  # events cannot say that no call is expected
    return turn.shape or natural_shape(turn)


def _has_only_texts(events: list[PortableEvent]) -> bool:
    return all(
        event.content is not None
        and not event.others
        and event.content.role is None
        and not any(isinstance(part, CallPart | ResponsePart) for part in event.content.parts)
        for event in events
    )


def no_calls_tree(turn: PortableTurn) -> Tree:
    """The empty list of calls that says that a turn has none."""
    return remade(turn.no_calls, []) if turn.no_calls is not None else []


def calls_tree(turn: PortableTurn, calls: list[Tree]) -> Tree:
    """The list of calls of a turn. Beside calls, a value that expects none is lost."""
    if not calls:
        return no_calls_tree(turn)
    return [*calls, *([LeftOutItem(turn.no_calls, CALLS_BESIDE)] if turn.no_calls is not None else [])]


def _fits_lists(events: list[PortableEvent]) -> bool:
    called = False
    for event in events:
        if event.content is None or event.content.role is not None or event.others:
            return False
        parts = event.content.parts
        of_tools = sum(isinstance(part, CallPart | ResponsePart) for part in parts)
        if not parts or of_tools not in (0, len(parts)):
            return False
        if not of_tools:
            if called or event.author is None or event.is_of_user:
                return False
            continue
        called = True
        has_more = any(isinstance(part, CallPart | ResponsePart) and part.part_others for part in parts)
        if has_more or (event.author is not None and text_in(event.author) != DEFAULT_AUTHOR):
            return False
    return True

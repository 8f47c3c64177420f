"""Lists of expected tool calls in a file, and how new calls are written there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from evaltui.document.edits import Edit
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import add_to_data, author_nearby, uses_events, write_response
from evaltui.evalset.editing.call_style import CallStyle, style_of_turn


class CallList(Protocol):
    """The expected calls of one turn."""

    near: Node
    """The object whose key spelling (snake_case or camelCase) new events follow."""

    def uses(self) -> list[ToolUse]:
        """The calls that are there now, in order."""
        ...

    def style(self) -> CallStyle:
        """The style of a new call."""
        ...

    def has_events(self) -> bool:
        """Whether calls are in events, not in a list of calls."""
        ...

    def author(self) -> str:
        """The author of a new event, if the list has no author."""
        ...

    def add(self, item: dict[str, Any], behind: Node | None) -> Edit:
        """Add a call, or an event with a call, after the item `behind` or at the end."""
        ...

    def respond(self, use: ToolUse, source: bytes) -> Sequence[Edit]:
        """Write the response (JSON text of an object) to a call."""
        ...


class TurnCalls:
    """The calls of a turn of an eval set, in either shape of intermediate data."""

    def __init__(self, eval_set: CaseFile, turn: Node) -> None:
        self._eval_set, self.near = eval_set, turn

    def uses(self) -> list[ToolUse]:
        """The calls that are there now, in order."""
        return tool_uses_of(self.near).calls

    def style(self) -> CallStyle:
        """The style of a new call."""
        return style_of_turn(self._eval_set, self.near)

    def has_events(self) -> bool:
        """Whether the turn has its calls in events; if it has no calls, its neighbours decide."""
        return uses_events(self._eval_set, self.near)

    def author(self) -> str:
        """The author of some event nearby."""
        return author_nearby(self._eval_set, self.near)

    def add(self, item: dict[str, Any], behind: Node | None) -> Edit:
        """Add a call to `tool_uses`, or an event to `invocation_events`."""
        return add_to_data(self.near, "invocation_events" if self.has_events() else "tool_uses", item, behind)

    def respond(self, use: ToolUse, source: bytes) -> Sequence[Edit]:
        """Write the response to a call."""
        return write_response(self._eval_set, use, source).edits

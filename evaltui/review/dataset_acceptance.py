"""Edits that accept changes of a dataset case: calls go to `intermediate_events`, the response to `reference`.

agents-cli 1.11 keeps both when it generates. Turns before the last message are input of the agent, so they never
change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from evaltui.document.edits import Edit, Insert, Set, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import ToolUse, ToolUses, tool_uses_of_events
from evaltui.evalset.case_file import CaseFile, EventView, dataset_turns_of
from evaltui.evalset.editing.call_edits import event_of, new_event, place_of_answer
from evaltui.evalset.editing.call_style import CallStyle, calls_of_other_cases
from evaltui.evalset.editing.revision import add_item, in_order_of, put
from evaltui.evalset.keys import filled, items_of, member
from evaltui.review.expected_calls import ExpectedCalls, NewIds
from evaltui.review.response_edits import write_reference_text
from evaltui.review.review_change import ReviewChange, in_written_order
from evaltui.review.review_item import ReviewItem

_AGENT = "agent"
"""The author of a call if no agent of the case is known."""


class DatasetItem:
    """An item about a case of a dataset, and the nodes of the case."""

    def __init__(self, dataset: CaseFile, item: ReviewItem) -> None:
        self._dataset, self._item = dataset, item
        self._case = dataset.cases[item.case.number]

    def edits(self, changes: Iterable[ReviewChange]) -> Iterator[tuple[ReviewChange, Edit]]:
        """The edits of these changes, each with the change that it belongs to."""
        compared = self._item.compared
        if compared is None:
            return
        chosen = {change.id for change in changes}
        in_order = in_written_order(change for change in self._item.changes if change.id in chosen)
        on_calls = [change for change in in_order if change.place.action not in ("no_calls", "response")]
        expected, actual = compared.scores.expected, compared.scores.actual
        if on_calls:
            ids = NewIds(f"{self._item.eval_id}/{self._item.run.conversation.id}")
            calls = ExpectedCalls(DatasetCalls(self._dataset, self._case), len(expected.calls), compared.rows, ids)
            for change in on_calls:
                yield from ((change, edit) for edit in calls.accept(change, actual.calls))
        for change in in_order:
            if change.place.action == "no_calls":
                yield change, put(self._case, "intermediate_events", [])
            elif change.place.action == "response":
                yield from ((change, edit) for edit in write_reference_text(self._case, actual.response))


class DatasetCalls:
    """The expected calls of a dataset's case, in its `intermediate_events`."""

    def __init__(self, dataset: CaseFile, case: Node) -> None:
        self._dataset, self.near = dataset, case

    def uses(self) -> list[ToolUse]:
        """The calls that are there now, in order."""
        return _expected(self.near).calls

    def style(self) -> CallStyle:
        """The style of a new call."""
        own_uses = _expected(self.near)
        other_calls = calls_of_other_cases(self._dataset.cases, self.near, lambda case: _expected(case).calls)
        style = CallStyle(own_uses, own_uses.calls, other_calls)
        if style.model is None:  # as the recorded calls are laid out, whose ids and responses are not expected
            style.model = next((use.node for use in tool_uses_of_events(_recorded(self.near)).calls), None)
        return style

    def has_events(self) -> bool:
        """A dataset knows calls in events only."""
        return True

    def author(self) -> str:
        """The agent that speaks in the case, or is described there."""
        events = [*_events(self.near), *reversed(_recorded(self.near))]
        speaks = (event.author for event in map(EventView, events) if event.author and not event.is_of_user)
        agents = filled(filled(self.near, "agent_data"), "agents")
        described = (agent.name for agent in (agents.items if agents is not None and agents.kind == "object" else ()))
        return next(speaks, None) or next(filter(None, described), _AGENT)

    def add(self, item: dict[str, Any], behind: Node | None) -> Edit:
        """Add an event to `intermediate_events`, which is created if missing."""
        if (prompt := filled(self.near, "prompt")) is not None and not self.uses():
            # No event shows its order of keys yet, so the prompt does.
            item = {**item, "content": in_order_of(prompt, item["content"])}
        is_beside = behind is not None and behind.parent is member(self.near, "intermediate_events")
        position = behind.index() + 1 if behind is not None and is_beside else "-"
        return add_item(self.near, "intermediate_events", item, position)

    def respond(self, use: ToolUse, source: bytes) -> Sequence[Edit]:
        """Write the response to a call into its event, or into a new event after the event of the call."""
        if use.response is not None:
            existing = member(use.response, "response")
            if existing is not None:
                return [Set(existing.pointer(), source)]
            return [Insert(f"{use.response.pointer()}/response", source)]
        event = event_of(use.node)
        if event is None or event.parent is None:
            return []
        near = next((use.response for use in self.uses() if use.response is not None), None)
        answer = {**({"id": use.id} if use.id else {}), "name": use.name, "response": {}}
        value = new_event(self.near, near or use.node, use.author, "function_response", in_order_of(near, answer))
        pointer = f"{event.parent.pointer()}/{place_of_answer(self.uses(), use, event)}"
        (key,) = value["content"]["parts"][0]
        return [Insert(pointer, json_text(value)), Set(f"{pointer}/content/parts/0/{escape(key)}/response", source)]


def _events(case: Node) -> list[Node]:
    return items_of(case, "intermediate_events")


def _recorded(case: Node) -> list[Node]:
    return [event for turn in dataset_turns_of(case) for event in items_of(turn, "events")]


def _expected(case: Node) -> ToolUses:
    return tool_uses_of_events(_events(case))

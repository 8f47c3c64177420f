"""The style of tool calls in an eval set: whether they have ids and responses, and the order of their keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, ToolUses, tool_uses_of
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.editing.new_ids import fresh_id
from evaltui.evalset.editing.revision import in_order_of
from evaltui.evalset.keys import text_of
from evaltui.evalset.turn import TurnCall

_NEAR, _FAR = 8, 1_000
"""Cases to look at on either side, then from the start of the set."""
_has_calls = re.compile(rb'"(?:tool_uses|toolUses|function_call|functionCall)"').search


class CallStyle:
    """The style for an added call: from the calls of its turn, else of its case, else of the nearest cases."""

    def __init__(self, here: ToolUses, own: list[ToolUse], others: Iterator[list[ToolUse]]) -> None:
        """`here`: the calls of its turn; `own`: all calls of its case; `others`: the calls of each other case."""
        self._taken = {use.id for use in own} | {text_of(each, "id") for each in here.orphans}
        nearest = here.calls or own or next(filter(None, others), [])
        self._ids = [use.id for use in nearest if use.id]
        self.model: Node | None = nearest[-1].node if nearest else None
        """A call whose layout and key order a new call copies; None if the set has no calls."""
        self.has_responses = any(use.response is not None for use in nearest)
        """Whether the calls have tool responses."""

    def members_of(self, call: TurnCall, seed: str = "", reserved: int = 0) -> dict[str, Any]:
        """The keys of a recorded call as this set writes them, with a fresh id if its calls have ids.

        `seed` makes random ids repeatable (see `fresh_id`); this many ids before it are `reserved`.
        """
        members: dict[str, Any] = {"name": call.name} if call.name is not None else {}
        if call.args is not None:
            members["args"] = call.args
        if self._ids:
            members["id"] = self._fresh_id(seed, reserved)
        return in_order_of(self.model, members)

    def _fresh_id(self, seed: str, reserved: int) -> str:
        taken = set(self._taken)
        for _ in range(reserved):
            taken.add(fresh_id(self._ids, "call_1", taken.__contains__, seed))
        return fresh_id(self._ids, "call_1", taken.__contains__, seed)


def style_of_turn(eval_set: CaseFile, turn: Node) -> CallStyle:
    """The style for a call that is added to a turn."""
    case = eval_set.enclosing(turn, "case")
    tools = tool_uses_of(turn)
    turns = turns_of(case) if case is not None else []
    own = [use for each in turns for use in (tools.calls if each is turn else _uses(each))]
    return CallStyle(tools, own, calls_of_other_cases(eval_set.cases, case, _uses_in_case))


def _uses_in_case(case: Node) -> list[ToolUse]:
    return [use for turn in turns_of(case) for use in _uses(turn)]


def _uses(turn: Node) -> list[ToolUse]:
    return tool_uses_of(turn).calls


def calls_of_other_cases(
    cases: list[Node], case: Node | None, uses_in: Callable[[Node], list[ToolUse]]
) -> Iterator[list[ToolUse]]:
    """The calls of other cases, nearest first; `uses_in` gives the calls of one case."""
    here = case.index() if case is not None else 0
    near = chain(reversed(cases[max(0, here - _NEAR) : here]), cases[here + 1 : here + _NEAR])
    for other in chain(near, cases[:_FAR]):
        if _has_calls(other.source()):
            yield uses_in(other)

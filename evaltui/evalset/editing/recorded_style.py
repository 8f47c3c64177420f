"""The style in which an eval set writes turns and cases: shape, spelling, order and choice of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, has_events, turns_of
from evaltui.evalset.editing.recorded_turns import Shape
from evaltui.evalset.keys import camel, filled, items_of, key_for, member

_NEAR, _FAR = 8, 1_000
"""Cases to look at on either side, then from the start of the set."""
_TURNS = 4
"""Turns to look at in each case."""
_has_data = re.compile(rb'"(?:tool_?[uU]ses|invocation_?[eE]vents)"').search
_FREE = frozenset(["args", "response", "state", "final_session_state", "part_metadata"])
"""Keys whose values have free keys, chosen by the author."""
_LISTS = ("tool_uses", "tool_responses", "intermediate_responses")


class RecordedStyle:
    """The style for a new case or turn, copied from the nearest cases and turns."""

    def __init__(self, eval_set: CaseFile, at: Node | None, shape: Shape | None = None) -> None:
        """`at` is the case or turn beside the new one, or the one it replaces; None for the end of the set."""
        case = eval_set.enclosing(at, "case") if at is not None else next(reversed(eval_set.cases), None)
        turn = eval_set.enclosing(at, "turn") if at is not None else None
        own = turns_of(case) if case is not None else []
        self.cases = list(_nearest(eval_set.cases, case))
        """The nearest cases, nearest first."""
        near = chain.from_iterable(turns_of(each)[:_TURNS] for each in self.cases if each is not case)
        beside = [*([turn] if turn is not None else []), *own[-_TURNS:]]
        self.turns = [each for each in chain(beside, islice(near, 3 * _TURNS)) if each.kind == "object"]
        """The nearest turns, nearest first."""
        around = case or member(eval_set.root, "eval_cases") or eval_set.root
        self._is_camel = key_for(around, "user_content") == "userContent"
        self.shape: Shape = shape or _shape_of(self.turns) or _shape_of(_turns_far_off(eval_set)) or "tool_uses"
        """The shape of intermediate data."""

    def turn(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """The keys (snake_case) that a turn has in this set, without empty lists and times that its turns lack."""
        members = dict(turn)
        if self.turns and not _some_have(self.turns, "creation_timestamp"):
            members.pop("creation_timestamp", None)
        found = members.pop("intermediate_data", {})
        if data := {name: value for name, value in found.items() if value or self._has_empty(name)}:
            members["intermediate_data"] = data
        return {name: members[name] for name in turn if name in members}

    def _has_empty(self, name: str) -> bool:
        """Whether turns write this list when it is empty; `tool_uses` counts if they write any list."""
        if not self.turns:
            return name in ("tool_uses", "invocation_events")
        names = _LISTS if name == "tool_uses" else (name,)
        data = [filled(each, "intermediate_data") for each in self.turns]
        found = (filled(each, list_) for each in data for list_ in names)
        return any(each is not None and not each.items for each in found)

    def written_case(self, case: Mapping[str, Any]) -> dict[str, Any]:
        """A case (in snake_case) with keys spelled and ordered as in its neighbours."""
        from evaltui.evalset.schema.eval_case import EvalCase  # noqa: PLC0415 - pydantic, which few commands need

        written: dict[str, Any] = self._spelt(EvalCase.model_validate(case), self.cases)
        return written

    def written_turn(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """A turn (in snake_case) with keys spelled and ordered as in its neighbours."""
        from evaltui.evalset.schema.eval_case import Invocation  # noqa: PLC0415 - as above

        written: dict[str, Any] = self._spelt(Invocation.model_validate(turn), self.turns)
        return written

    def _spelt(self, value: Any, models: Sequence[Node]) -> Any:
        """The value of a pydantic model; its fields tell which keys are google-adk's own."""
        snake, other = (
            value.model_dump(mode="json", exclude_unset=True, exclude_none=True, by_alias=by_alias)
            for by_alias in (False, True)
        )
        return _like(snake, other, models, self._is_camel)


def _like(value: Any, aliased: Any, models: Sequence[Node], is_camel: bool) -> Any:
    """`value` with keys spelled and ordered as in the most similar object of `models`."""
    if isinstance(value, list):
        examples = [item for model in models for item in model.items[:_TURNS]][: 3 * _TURNS]
        return [_like(item, other, examples, is_camel) for item, other in zip(value, aliased, strict=True)]
    if not isinstance(value, dict):
        return value
    objects = [model for model in models if model.kind == "object"]
    model = max(objects, key=lambda each: _shared(each, value), default=None)
    order = [item.name for item in model.items] if model is not None else []
    made: dict[str, Any] = {}
    for (name, item), (alias, other) in zip(value.items(), aliased.items(), strict=True):
        there = member(model, name)
        key = there.name if there is not None else alias if is_camel else name
        below = [each for parent in objects if (each := filled(parent, name)) is not None]
        made[key] = item if name in _FREE else _like(item, other, below, is_camel)
    return dict(sorted(made.items(), key=lambda pair: order.index(pair[0]) if pair[0] in order else len(order)))


def _shared(model: Node, value: Mapping[str, Any]) -> int:
    """The number of keys in both objects."""
    names = {*value, *map(camel, value)}
    return sum(item.name in names for item in model.items)


def _nearest(cases: Sequence[Node], case: Node | None) -> Iterator[Node]:
    """The case and the cases around it, earlier ones first."""
    here = case.index() if case is not None else len(cases)
    if case is not None:
        yield case
    yield from reversed(cases[max(0, here - _NEAR) : here])
    yield from cases[here + 1 : here + 1 + _NEAR]


def _turns_far_off(eval_set: CaseFile) -> Iterator[Node]:
    for case in eval_set.cases[:_FAR]:
        if _has_data(case.source()):
            yield from turns_of(case)


def _shape_of(turns: Sequence[Node] | Iterator[Node]) -> Shape | None:
    """The shape of the first turn that shows one; None if no turn does."""
    for turn in turns:
        data = filled(turn, "intermediate_data")
        if has_events(turn):
            return "events"
        if any(items_of(data, name) or member(data, name) is not None for name in _LISTS):
            return "tool_uses"
    return None


def _some_have(turns: Sequence[Node], name: str) -> bool:
    return any(filled(turn, name) is not None for turn in turns)

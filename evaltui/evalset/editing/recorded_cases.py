"""Makes cases and turns from recordings, written in the style of the eval set."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple

from evaltui.document.edits import Edit, Insert, Remove, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_data import get, text_of_parts
from evaltui.evalset.case_file import CaseFile, has_events, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.new_ids import cases_near, fresh_id, proposed_id
from evaltui.evalset.editing.recorded_turns import KEPT, Shape, turn_in_shape
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.templates import refuse_turns_beside_scenario, spelled_like
from evaltui.evalset.keys import filled, key_for, key_in, member, snake, text_of
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line, quoted

_FAR = 1_000
"""Cases from the start of the set that may show a shape."""
_TURNS = 4
"""Turns to look at in each case."""
_LISTS = ("tool_uses", "tool_responses", "intermediate_responses")
_has_data = re.compile(rb'"(?:tool_?[uU]ses|invocation_?[eE]vents)"').search


class RecordedCase(NamedTuple):
    """A conversation, or some of its turns, that becomes a case."""

    invocations: Sequence[Mapping[str, Any]]
    """The turns in the form of `RecordedTurn.invocation`."""
    app_name: str | None = None
    user_id: str | None = None
    eval_id: str | None = None
    """The id of the new case; a taken id gets a number. None: made from the first user message."""


def add_recorded_cases(
    eval_set: CaseFile, previous: Node | None, cases: Sequence[RecordedCase], shape: Shape | None = None
) -> Revision:
    """New cases after `previous`, or at the end of the set, as one step.

    Without a `shape` they copy the shape of their neighbours. Raises `EditError` if google-adk would reject them.
    """
    root, listed = eval_set.root, member(eval_set.root, "eval_cases")
    if root.kind != "object":
        raise EditError("this file is not an eval set: its outermost value must be an object")
    if listed is not None and listed.kind not in ("array", "null"):
        raise EditError(f"no cases can be added: eval_cases must be a list and is JSON {listed.kind}")
    style = _Style(eval_set, previous, shape)
    used, count = set(eval_set.ids.of(eval_set.cases)), len(eval_set.cases)
    values = [_case(case, style, used, number) for number, case in enumerate(cases, count + 1)]
    index = previous.index() + 1 if previous is not None else count
    ids = [str(value.get("eval_id") or value.get("evalId")) for value in values]
    rows = f"case {one_line(ids[0], 60)}" if len(ids) == 1 else f"{len(ids):,} recorded cases"
    return Revision(f"add {rows}", _inserts(root, "eval_cases", values, index))


def add_recorded_turns(
    eval_set: CaseFile,
    case: Node,
    previous: Node | None,
    invocations: Sequence[Mapping[str, Any]],
) -> Revision:
    """New turns after `previous`, or at the end of the case, as one step.

    Raises `EditError` for a case with a scenario, and if google-adk would reject the turns.
    """
    refuse_turns_beside_scenario(case)
    style = _Style(eval_set, previous or case)
    used = {text_of(turn, "invocation_id") for turn in turns_of(case)}
    values = [style.spelled(turn, style.turns) for turn in _turns(invocations, style, used)]
    index = previous.index() + 1 if previous is not None else len(turns_of(case))
    rows = "a recorded turn" if len(values) == 1 else f"{len(values):,} recorded turns"
    return Revision(f"add {rows} to {case_title(case)}", _inserts(case, "conversation", values, index))


def replace_by_recorded_turn(eval_set: CaseFile, turn: Node, invocation: Mapping[str, Any]) -> Revision:
    """Replace messages, calls and responses of a turn with recorded ones; rubrics and other fields stay.

    Raises `EditError` if google-adk would reject the turn.
    """
    style = _Style(eval_set, turn)
    siblings = turn.parent.items if turn.parent is not None else []
    used = {text_of(sibling, "invocation_id") for sibling in siblings if sibling is not turn}
    (recorded,) = _turns([invocation], style, used)
    members = {snake(key): value for key, value in style.spelled(recorded, style.turns).items()}
    # The id stays if the recording has none, because results are matched by it.
    edits: list[Edit] = []
    for name in KEPT:
        existing = member(turn, name)
        if name in members:
            edits.append(put(turn, name, members[name]))
        elif existing is not None and name != "invocation_id":
            edits.append(Remove(existing.pointer()))
    return Revision(f"replace {title(eval_set, turn)} with the recorded turn", edits)


def new_recorded_set(eval_set_id: str, cases: Sequence[RecordedCase], shape: Shape = "tool_uses") -> bytes:
    """The text of a new eval set in google-adk's layout: snake_case, indent 2, a final newline.

    Raises `EditError` if google-adk would reject it.
    """
    root = Node(json_text({"eval_set_id": eval_set_id, "eval_cases": []}))
    style = _Style(CaseFile(root, EVAL_SET), None, shape)
    used = set[str]()
    values = [_case(case, style, used, number) for number, case in enumerate(cases, 1)]
    eval_set = {"eval_set_id": eval_set_id, "eval_cases": values}
    try:
        text = json.dumps(eval_set, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # lone surrogate
        text = json.dumps(eval_set, indent=2).encode()
    return text + b"\n"


def _case(case: RecordedCase, style: _Style, used: set[str], number: int) -> dict[str, Any]:
    """A case in the style of this set; its id is added to `used`."""
    turns = _turns(case.invocations, style, set())
    if not turns:
        raise EditError("this conversation has no turns; a case needs at least one")
    first = text_of_parts(get(turns[0], "user_content"))
    eval_id = _free_id(case.eval_id or proposed_id(first, number, used.__contains__), used)
    value: dict[str, Any] = {"eval_id": eval_id, "conversation": turns}
    if case.app_name:
        # A recording that names an app but no user gets the user of adk web.
        value["session_input"] = {"app_name": case.app_name, "user_id": case.user_id or "user"}
        sessions = [session for near in style.cases if (session := filled(near, "session_input")) is not None]
        # adk web writes an empty state.
        if not sessions or any(member(session, "state") is not None for session in sessions):
            value["session_input"]["state"] = {}
    started = get(case.invocations[0], "creation_timestamp")
    if started and any(filled(near, "creation_timestamp") is not None for near in style.cases):
        value["creation_timestamp"] = float(started)
    from evaltui.evalset.schema.eval_case import EvalCase  # noqa: PLC0415 - pydantic, which few commands need

    try:
        EvalCase.model_validate(value)
    except ValueError as error:
        raise EditError(f"google-adk rejects case {quoted(eval_id, 60)}; leave it out") from error
    written: dict[str, Any] = style.spelled(value, style.cases)
    return written


def _turns(invocations: Iterable[Mapping[str, Any]], style: _Style, used: set[str]) -> list[dict[str, Any]]:
    """The turns in the style of the set; a turn id that the case has already gets a number."""
    turns = [style.pruned(turn_in_shape(invocation, style.shape)) for invocation in invocations]
    for turn in turns:
        if identifier := turn.get("invocation_id"):
            turn["invocation_id"] = _free_id(identifier, used)
    return turns


def _free_id(identifier: str, used: set[str]) -> str:
    """The id, with another number if it is used; it is added to `used`."""
    identifier = fresh_id([], identifier, used.__contains__)
    used.add(identifier)
    return identifier


def _inserts(owner: Node, name: str, values: Sequence[Any], index: int) -> list[Edit]:
    """The edits that add items to a list of `owner`; the list is added if it is missing."""
    items = member(owner, name)
    if items is None or items.kind != "array":
        return [put(owner, name, list(values))] if values else []
    pointer = f"{owner.pointer()}/{key_in(owner, name)}"
    return [Insert(f"{pointer}/{number}", json_text(value)) for number, value in enumerate(values, index)]


class _Style:
    """The style for a new case or turn, copied from the nearest cases and turns."""

    def __init__(self, eval_set: CaseFile, beside: Node | None, shape: Shape | None = None) -> None:
        """`beside` is the case or turn beside the new one, or the one it replaces; None for the end of the set."""
        cases = eval_set.cases
        case = eval_set.enclosing(beside, "case") if beside is not None else next(reversed(cases), None)
        turn = eval_set.enclosing(beside, "turn") if beside is not None else None
        self.cases = cases_near(cases, case)
        own = turns_of(case)[-_TURNS:] if case is not None else []
        nearby = chain.from_iterable(turns_of(near)[:_TURNS] for near in self.cases if near is not case)
        turns = [*([turn] if turn is not None else []), *own, *islice(nearby, 3 * _TURNS)]
        self.turns = [turn for turn in turns if turn.kind == "object"]
        around = case or member(eval_set.root, "eval_cases") or eval_set.root
        self._is_camel = key_for(around, "user_content") == "userContent"
        # Only a set with calls shows a shape, and its calls may be far from the place.
        far_off = (turn for case in cases[:_FAR] if _has_data(case.source()) for turn in turns_of(case))
        self.shape: Shape = shape or _shape_of(self.turns) or _shape_of(far_off) or "tool_uses"

    def pruned(self, turn: Mapping[str, Any]) -> dict[str, Any]:
        """A turn (in snake_case) without empty lists and times that the turns of this set lack."""
        members = dict(turn)
        if self.turns and all(filled(near, "creation_timestamp") is None for near in self.turns):
            members.pop("creation_timestamp", None)
        lists = members.pop("intermediate_data", {})
        if data := {name: items for name, items in lists.items() if items or self._writes_empty(name)}:
            members["intermediate_data"] = data
        return {name: members[name] for name in turn if name in members}

    def _writes_empty(self, name: str) -> bool:
        """Whether turns write this list when it is empty; `tool_uses` counts if they write any list."""
        if not self.turns:
            return name in ("tool_uses", "invocation_events")
        names = _LISTS if name == "tool_uses" else (name,)
        data = [filled(turn, "intermediate_data") for turn in self.turns]
        lists = (filled(near, name) for near in data for name in names)
        return any(items is not None and not items.items for items in lists)

    def spelled(self, value: Mapping[str, Any], siblings: Sequence[Node]) -> Any:
        """A case or turn (in snake_case) with keys spelled and ordered as in its siblings."""
        return spelled_like(value, siblings, EVAL_SET.free_values, is_camel=self._is_camel)


def _shape_of(turns: Iterable[Node]) -> Shape | None:
    """The shape of the first turn that shows one; None if no turn does."""
    for turn in turns:
        if has_events(turn):
            return "events"
        if any(member(filled(turn, "intermediate_data"), name) is not None for name in _LISTS):
            return "tool_uses"
    return None

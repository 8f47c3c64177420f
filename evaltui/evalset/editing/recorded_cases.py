"""Makes cases and turns from recordings, written in the style of the eval set."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from evaltui.document.edits import Edit, Insert, Remove, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_data import get, text_of_parts
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.new_ids import fresh_id, proposed_id
from evaltui.evalset.editing.recorded_style import RecordedStyle
from evaltui.evalset.editing.recorded_turns import KEPT, Shape, turn_in_shape
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.editing.templates import takes_turns
from evaltui.evalset.keys import filled, key_in, member, snake, text_of
from evaltui.evalset.titles import case_title, title
from evaltui.printable import one_line, quoted

_USER = "user"
"""The user of adk web, for a recording that names an app but no user."""


class RecordedCase(NamedTuple):
    """A conversation, or some of its turns, that becomes a case."""

    invocations: Sequence[Mapping[str, Any]]
    """The turns in the form of `RecordedTurn.invocation`."""
    app_name: str | None = None
    user_id: str | None = None
    eval_id: str | None = None
    """The id of the new case; a taken id gets a number. None: made from the first user message."""


def add_recorded_cases(
    eval_set: CaseFile, after: Node | None, cases: Sequence[RecordedCase], shape: Shape | None = None
) -> Revision:
    """New cases after `after`, or at the end of the set, as one step.

    Without a `shape` they copy the shape of their neighbours. Raises `EditError` if google-adk would reject them.
    """
    _check_root(eval_set)
    style = RecordedStyle(eval_set, after, shape)
    taken = set(eval_set.ids.of(eval_set.cases))
    values = [_case(case, style, taken, len(eval_set.cases) + number) for number, case in enumerate(cases, 1)]
    index = after.index() + 1 if after is not None else len(eval_set.cases)
    ids = [str(value.get("eval_id") or value.get("evalId")) for value in values]
    what = f"case {one_line(ids[0], 60)}" if len(ids) == 1 else f"{len(ids):,} recorded cases"
    return Revision(f"add {what}", _inserts(eval_set.root, "eval_cases", values, index))


def add_recorded_turns(
    eval_set: CaseFile,
    case: Node,
    after: Node | None,
    invocations: Sequence[Mapping[str, Any]],
    shape: Shape | None = None,
) -> Revision:
    """New turns after `after`, or at the end of the case, as one step.

    Raises `EditError` for a case with a scenario, and if google-adk would reject the turns.
    """
    if not takes_turns(case):
        raise EditError("this case has a scenario; google-adk rejects a case with both a scenario and turns")
    style = RecordedStyle(eval_set, after or case, shape)
    turns = turns_of(case)
    taken = {text_of(turn, "invocation_id") for turn in turns}
    values = [style.written_turn(style.turn(turn)) for turn in _turns(invocations, style.shape, taken)]
    index = after.index() + 1 if after is not None else len(turns)
    what = "a recorded turn" if len(values) == 1 else f"{len(values):,} recorded turns"
    return Revision(f"add {what} to {case_title(case)}", _inserts(case, "conversation", values, index))


def replace_by_recorded_turn(
    eval_set: CaseFile, turn: Node, invocation: Mapping[str, Any], shape: Shape | None = None
) -> Revision:
    """Replace messages, calls and responses of a turn with recorded ones; rubrics and other fields stay.

    Raises `EditError` if google-adk would reject the turn.
    """
    style = RecordedStyle(eval_set, turn, shape)
    siblings = turn.parent.items if turn.parent is not None else []
    taken = {text_of(each, "invocation_id") for each in siblings if each is not turn}
    (recorded,) = _turns([invocation], style.shape, taken)
    written = {snake(key): value for key, value in style.written_turn(style.turn(recorded)).items()}
    edits: list[Edit] = []
    for name in KEPT:
        existing = member(turn, name)
        if name in written:
            edits.append(put(turn, name, written[name]))
        elif existing is not None and name != "invocation_id":
            edits.append(Remove(existing.pointer()))
    return Revision(f"replace {title(eval_set, turn)} with the recorded turn", edits)


def new_recorded_set(eval_set_id: str, cases: Sequence[RecordedCase], shape: Shape = "tool_uses") -> bytes:
    """The text of a new eval set in google-adk's layout: snake_case, indent 2, a final newline.

    Raises `EditError` if google-adk would reject it.
    """
    root = Node(json_text({"eval_set_id": eval_set_id, "eval_cases": []}))
    style = RecordedStyle(CaseFile(root, EVAL_SET), None, shape)
    taken: set[str] = set()
    values = [_case(case, style, taken, number) for number, case in enumerate(cases, 1)]
    value = {"eval_set_id": eval_set_id, "eval_cases": values}
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # lone surrogate
        text = json.dumps(value, indent=2).encode()
    return text + b"\n"


def _check_root(eval_set: CaseFile) -> None:
    root, cases = eval_set.root, member(eval_set.root, "eval_cases")
    if root.kind != "object":
        raise EditError("this file is not an eval set: its outermost value must be an object")
    if cases is not None and cases.kind not in ("array", "null"):
        raise EditError(f"no cases can be added: eval_cases must be a list and is JSON {cases.kind}")


def _case(case: RecordedCase, style: RecordedStyle, taken: set[str], number: int) -> dict[str, Any]:
    """A case in the style of this set; its id is added to `taken`."""
    turns = [style.turn(turn) for turn in _turns(case.invocations, style.shape, set())]
    if not turns:
        raise EditError("this conversation has no turns; a case needs at least one")
    first = text_of_parts(get(turns[0], "user_content"))
    eval_id = case.eval_id or proposed_id(first, number, taken.__contains__)
    eval_id = eval_id if eval_id not in taken else fresh_id([eval_id], eval_id, taken.__contains__)
    taken.add(eval_id)
    value: dict[str, Any] = {"eval_id": eval_id, "conversation": turns}
    if (session := _session(case, style)) is not None:
        value["session_input"] = session
    started = get(case.invocations[0], "creation_timestamp")
    if started and any(filled(each, "creation_timestamp") is not None for each in style.cases):
        value["creation_timestamp"] = started
    try:
        return style.written_case(value)
    except ValueError as error:
        raise EditError(f"google-adk rejects case {quoted(eval_id, 60)}; leave it out") from error


def _session(case: RecordedCase, style: RecordedStyle) -> dict[str, Any] | None:
    """App and user, if the app is known, with an empty state as adk web writes it."""
    if not case.app_name:
        return None
    session: dict[str, Any] = {"app_name": case.app_name, "user_id": case.user_id or _USER}
    others = [found for each in style.cases if (found := filled(each, "session_input")) is not None]
    if not others or any(member(each, "state") is not None for each in others):
        session["state"] = {}
    return session


def _turns(invocations: Iterable[Mapping[str, Any]], shape: Shape, taken: set[str]) -> list[dict[str, Any]]:
    """The turns in a shape; a turn id that the case has already gets a number."""
    turns = [turn_in_shape(invocation, shape) for invocation in invocations]
    for turn in turns:
        identifier = turn.get("invocation_id", "")
        if identifier and identifier in taken:
            turn["invocation_id"] = identifier = fresh_id([identifier], identifier, taken.__contains__)
        taken.update([identifier] if identifier else [])
    return turns


def _inserts(owner: Node, name: str, values: Sequence[Any], index: int) -> list[Edit]:
    """The edits that add items to a list of `owner`; the list is added if it is missing."""
    items = member(owner, name)
    if items is None or items.kind != "array":
        return [put(owner, name, list(values))] if values else []
    pointer = f"{owner.pointer()}/{key_in(owner, name)}"
    return [Insert(f"{pointer}/{index + number}", json_text(value)) for number, value in enumerate(values)]

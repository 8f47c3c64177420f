"""Copies of rows in either format, put beside others with fresh ids and the keys spelled alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Rename, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.layout import line_indent
from evaltui.document.node import Node, parse_value
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile, dataset_turns_of, scenario_of, turns_of
from evaltui.evalset.editing.call_edits import author_nearby, event_of, last_event_of, new_event, uses_events
from evaltui.evalset.editing.new_ids import (
    Renaming,
    fresh_call,
    fresh_case,
    fresh_dataset_case,
    fresh_turn,
    fresh_where_taken,
    renamed,
    taken_turn_ids,
)
from evaltui.evalset.editing.revision import Revision, put, refuse_other_kind
from evaltui.evalset.editing.turn_numbers import are_counted, count_turns
from evaltui.evalset.keys import camel, filled, items_of, key_for, key_in, member, snake, text_of
from evaltui.evalset.titles import title
from evaltui.printable import one_line


class Copy(NamedTuple):
    """A copied case, turn, or call with its response, before it is pasted."""

    kind: str
    source: bytes
    indent: bytes | None = None
    """The indent of the line it was copied from; None if its layout should not be kept."""
    response: bytes | None = None
    """The response of a copied call."""
    author: str = ""
    """The author of a call inside an event."""
    made_ids: frozenset[str] = frozenset()
    """Ids that evaltui made for the copy and that its source does not have."""


def copy_of(case_file: CaseFile, node: Node) -> Copy | None:
    """A copy of a row; None for the file itself and for other values."""
    kind = case_file.kind(node)
    if kind in ("set", "value"):
        return None
    if kind != "call":
        return Copy(kind, node.source(), line_indent(node))
    use = use_of(case_file, node)
    response = use.response.source() if use.response is not None else None
    return Copy(kind, node.source(), line_indent(node), response, use.author)


def use_of(eval_set: CaseFile, node: Node) -> ToolUse:
    """The tool use of a row that is a call."""
    turn = eval_set.enclosing(node, "turn")
    assert turn is not None
    return next(use for use in tool_uses_of(turn).calls if use.node is node)


def clone_rows(case_file: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Copy rows of one kind, and put the copies after the last of them."""
    copies = [copy for node in nodes if (copy := copy_of(case_file, node)) is not None]
    if not copies:
        raise EditError(f"the {case_file.format.noun} itself cannot be cloned")
    revision = put_copies(case_file, copies, nodes[-1], before=False)
    what = title(case_file, nodes[0]) if len(nodes) == 1 else counted_kind(copies[0].kind, len(copies))
    return Revision(f"clone {what}", revision.edits, revision.remark)


def counted_kind(kind: str, count: int) -> str:
    """A number of rows in words: `1 case`, `3 tool calls`."""
    return f"{count} {_word(kind)}{'s' * (count != 1)}"


def _word(kind: str) -> str:
    return "tool call" if kind == "call" else kind


def put_copies(
    case_file: CaseFile, copies: Sequence[Copy], near: Node, before: bool, *, from_elsewhere: bool = False
) -> Revision:
    """Put copies of one kind beside the row `near`, or inside it if that is a row one level up.

    Copies `from_elsewhere` get their keys in the spelling of their neighbours.
    Raises `EditError` if they cannot be there.
    """
    kind = copies[0].kind
    label = f"paste {counted_kind(kind, len(copies))}"
    case, turn = case_file.enclosing(near, "case"), case_file.enclosing(near, "turn")
    if kind == "case":
        edits, remark = _cases(case_file, copies, case, before, from_elsewhere=from_elsewhere)
    elif case is None:
        raise EditError(f"select a case first: {_word(kind)}s belong in a case")
    elif kind == "turn":
        label += f" into {title(case_file, case)}"
        put_turns = _dataset_turns if case_file.is_dataset else _turns
        edits, remark = put_turns(case_file, copies, case, turn, before)
    else:
        turn = turn or next(reversed(case_file.turns(case)), None)
        if turn is None:
            raise EditError(f"add a turn first: {_word(kind)}s belong in a turn")
        label += f" into {title(case_file, turn)}"
        put_in_turn = _calls if kind == "call" else _events
        edits, remark = put_in_turn(case_file, copies, turn, near, before)
    if from_elsewhere:
        like = next(iter(case_file.cases), near) if near is case_file.root else near
        renames = [rename for edit in edits if isinstance(edit, Insert) for rename in _respelt(case_file, edit, like)]
        if renames:
            edits += renames
            remark = "; ".join(filter(None, [remark, "keys changed to the spelling of this file"]))
    return Revision(label, edits, remark)


def _cases(
    case_file: CaseFile, copies: Sequence[Copy], beside: Node | None, before: bool, *, from_elsewhere: bool
) -> tuple[list[Edit], str]:
    cases = member(case_file.root, "eval_cases")
    if cases is None or cases.kind != "array":
        raise EditError(f"add a case first: this {case_file.format.noun} has no list of cases")
    index = beside.index() + (not before) if beside is not None else len(cases.items)
    taken = case_file.ids.of(cases.items)
    values = [parse_value(copy.source) for copy in copies]
    if case_file.is_dataset:
        renamings = [fresh_dataset_case(value, taken) for value in values]
    else:
        taken_turns = taken_turn_ids(case_file, beside)
        # A case of this set whose eval_id is free was cut: it comes back as it was.
        are_copies = [from_elsewhere or text_of(value, "eval_id") in taken for value in values]
        renamings = [
            fresh_case(value, taken, taken_turns if is_copy else set())
            for value, is_copy in zip(values, are_copies, strict=True)
        ]
    return _inserts_at(cases.pointer(), index, copies, renamings), _renaming_remark(renamings, copies)


def _turns(
    eval_set: CaseFile, copies: Sequence[Copy], case: Node, turn: Node | None, before: bool
) -> tuple[list[Edit], str]:
    turns = filled(case, "conversation")
    if turns is None and scenario_of(case) is not None:
        raise EditError("this case has a scenario; google-adk rejects a case with both a scenario and turns")
    neighbours = turns_of(case)
    taken = taken_turn_ids(eval_set, case)
    renamings = [fresh_turn(parse_value(copy.source), neighbours, taken) for copy in copies]
    if turns is None or turns.kind != "array":
        pointer = f"{case.pointer()}/{key_in(case, 'conversation')}"
        edits = [put(case, "conversation", [])]
        return [*edits, *_inserts_at(pointer, 0, copies, renamings)], _renaming_remark(renamings, copies)
    index = turn.index() + (not before) if turn is not None else len(neighbours)
    return _inserts_at(turns.pointer(), index, copies, renamings), _renaming_remark(renamings, copies)


def _dataset_turns(
    _: CaseFile, copies: Sequence[Copy], case: Node, beside: Node | None, before: bool
) -> tuple[list[Edit], str]:
    """Copies of turns beside a turn or at the end of the case, numbered with the others."""
    refuse_other_kind(case, "agent_data", "object")
    data = filled(case, "agent_data")
    if data is not None:
        refuse_other_kind(data, "turns", "array")
    turns, there = filled(data, "turns"), dataset_turns_of(case)
    taken = {text_of(turn, "turn_id") for turn in there}
    values = [parse_value(copy.source) for copy in copies]
    renamings = [fresh_where_taken(member(value, "turn_id"), taken) for value in values]
    index = beside.index() + (not before) if beside is not None else len(there)
    edits: list[Edit] = []
    pointer = f"{case.pointer()}/{key_in(case, 'agent_data')}/turns"
    if data is None:
        edits.append(put(case, "agent_data", {"turns": []}))
    elif turns is None:
        edits.append(put(data, "turns", []))
    edits += _inserts_at(pointer, index, copies, renamings)
    counted = not there or are_counted(there)
    for number, value in enumerate(values):
        own = member(value, "turn_index")
        if counted and own is not None and own.source() != b"%d" % (index + number):
            edits.append(Set(f"{pointer}/{index + number}/{escape(own.name)}", b"%d" % (index + number)))
    if turns is not None:
        edits += count_turns(turns, [*there[:index], *[None] * len(copies), *there[index:]])
    return edits, _renaming_remark(renamings)


def _events(dataset: CaseFile, copies: Sequence[Copy], turn: Node, near: Node, before: bool) -> tuple[list[Edit], str]:
    refuse_other_kind(turn, "events", "array")
    there, beside = items_of(turn, "events"), dataset.enclosing(near, "event")
    index = beside.index() + (not before) if beside is not None else len(there)
    edits = [put(turn, "events", [])] if filled(turn, "events") is None else []
    return [*edits, *_inserts_at(f"{turn.pointer()}/events", index, copies, [[] for _ in copies])], ""


def _inserts_at(pointer: str, index: int, copies: Sequence[Copy], renamings: Sequence[list[Renaming]]) -> list[Edit]:
    """The edits that insert copies into the list at `pointer`, from `index` on, and rename their ids."""
    edits: list[Edit] = []
    for number, (copy, changes) in enumerate(zip(copies, renamings, strict=True)):
        pointer_of_copy = f"{pointer}/{index + number}"
        edits.append(Insert(pointer_of_copy, copy.source, origin_indent=copy.indent))
        edits += renamed(changes, pointer_of_copy)
    return edits


def _renaming_remark(renamings: Sequence[list[Renaming]], copies: Sequence[Copy] = ()) -> str:
    """A clause about ids that changed; "" if only ids changed that evaltui made for the copies."""
    made = {each for copy in copies for each in copy.made_ids}
    changed = [(node.text(), text) for renaming in renamings for node, text in renaming if node.text() not in made]
    if not changed:
        return ""
    old, new = changed[0]
    more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
    return f"duplicate id {one_line(old, 30)} renamed to {one_line(new, 30)}{more}"


def _calls(eval_set: CaseFile, copies: Sequence[Copy], turn: Node, at: Node, before: bool) -> tuple[list[Edit], str]:
    uses = tool_uses_of(turn)
    taken = {use.id for use in uses.calls} | {text_of(orphan, "id") for orphan in uses.orphans}
    renamings = [fresh_call(parse_value(copy.source), None, taken) for copy in copies]
    fresh = [
        _with_id(copy, changes[0][1]) if changes else copy for copy, changes in zip(copies, renamings, strict=True)
    ]
    beside = next((use for use in uses.calls if use.node is at), None)
    return _insert_calls(eval_set, turn, fresh, beside, before), _renaming_remark(renamings)


def _with_id(copy: Copy, identifier: str) -> Copy:
    response = _set_id(copy.response, identifier) if copy.response is not None else None
    return copy._replace(source=_set_id(copy.source, identifier), response=response)


def _set_id(source: bytes, identifier: str) -> bytes:
    document = Document(source)
    if member(document.root, "id") is not None:
        document.apply([Set("/id", json_text(identifier))], "")
    return document.to_bytes()


# --- calls, in the shape of the turn's intermediate data -----------------------------------------------------------


def _insert_calls(
    eval_set: CaseFile, turn: Node, copies: Sequence[Copy], beside: ToolUse | None, before: bool
) -> list[Edit]:
    """The edits that insert calls before or after the call `beside`, or at the end of the turn's calls."""
    if uses_events(eval_set, turn):
        return _as_events(eval_set, turn, copies, beside, before)
    edits: list[Edit] = []
    data = filled(turn, "intermediate_data")
    pointer = f"{turn.pointer()}/{key_in(turn, 'intermediate_data')}"
    if data is None or data.kind != "object":
        edits.append(put(turn, "intermediate_data", {}))
        data = None
    place = (beside.node.index() + (not before)) if beside is not None and beside.node.key == b"" else None
    for number, copy in enumerate(copies):
        at = "-" if place is None else str(place + number)
        edits += _listed(turn, data, pointer, "tool_uses", at, copy.source, copy.indent, first=number == 0)
    answers = [copy for copy in copies if copy.response is not None]
    for number, copy in enumerate(answers):
        assert copy.response is not None
        edits += _listed(turn, data, pointer, "tool_responses", "-", copy.response, copy.indent, first=number == 0)
    return edits


def _listed(
    turn: Node, data: Node | None, pointer: str, name: str, at: str, source: bytes, indent: bytes | None, *, first: bool
) -> list[Edit]:
    """The edit that inserts an item into a list of the intermediate data; the list is added if missing."""
    items = filled(data, name)
    existing = member(data, name)
    key = existing.name if existing is not None else key_for(turn, name)
    insert = Insert(f"{pointer}/{key}/{at}", source, origin_indent=indent)
    if not first or (items is not None and items.kind == "array"):
        return [insert]
    empty = Set(f"{pointer}/{key}", b"[]") if existing is not None else Insert(f"{pointer}/{key}", b"[]")
    return [empty, insert]


def _as_events(
    eval_set: CaseFile, turn: Node, copies: Sequence[Copy], beside: ToolUse | None, before: bool
) -> list[Edit]:
    """Each call and each response as one event."""
    edits: list[Edit] = []
    data = filled(turn, "intermediate_data")
    events = filled(data, "invocation_events")
    holder = f"{turn.pointer()}/{key_in(turn, 'intermediate_data')}"
    pointer = f"{holder}/{events.name if events is not None else key_for(turn, 'invocation_events')}"
    if data is None or data.kind != "object":
        edits.append(put(turn, "intermediate_data", {key_for(turn, "invocation_events"): []}))
    elif events is None or events.kind != "array":
        edits.append(put(data, "invocation_events", []))
    near = beside or next(iter(tool_uses_of(turn).calls[-1:]), None)
    event = (event_of(beside.node) if before else last_event_of(beside)) if beside is not None else None
    count = len(events.items) if events is not None and events.kind == "array" else 0
    place = event.index() + (not before) if event is not None else count
    for copy in copies:
        author = copy.author or (near.author if near is not None else "") or author_nearby(eval_set, turn)
        for name, source in (("function_call", copy.source), ("function_response", copy.response)):
            if source is None:
                continue
            value = new_event(turn, near.node if near is not None else None, author, name, {})
            (part,) = value["content"]["parts"][0]
            edits.append(Insert(f"{pointer}/{place}", json_text(value)))
            edits.append(Set(f"{pointer}/{place}/content/parts/0/{part}", parse_value(source).source()))
            place += 1
    return edits


# --- keys spelt as around a copy -----------------------------------------------------------------------------------


def _respelt(case_file: CaseFile, insert: Insert, like: Node) -> Iterator[Edit]:
    """The edits that rename keys of an inserted copy to the spelling around `like`, outer keys first."""
    keys, free_values = case_file.format.keys, case_file.format.free_values
    is_camel = key_for(like, "user_content") == "userContent"
    pending = [(parse_value(insert.source), insert.pointer)]
    while pending:  # a stack, because a pasted value may nest deeper than Python can recurse
        node, pointer = pending.pop()
        below: list[tuple[Node, str]] = []
        for number, item in enumerate(node.items):
            if node.kind == "array":
                below.append((item, f"{pointer}/{number}"))
                continue
            name = snake(item.name)
            key = (camel(name) if is_camel else name) if name in keys else item.name
            if key != item.name and node.member(key) is None:
                yield Rename(f"{pointer}/{escape(item.name)}", key)
            else:
                key = item.name
            if name not in free_values:
                below.append((item, f"{pointer}/{escape(key)}"))
        pending += reversed(below)

"""Pasted rows: recognized in JSON text, and put beside other rows, with fresh ids and the keys spelled alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Rename, Set, json_text
from evaltui.document.errors import EditError, JsonSyntaxError
from evaltui.document.node import Node, parse_value, read_document
from evaltui.document.pointer import escape
from evaltui.document.positions import line_and_column
from evaltui.document.strings import read_encoding
from evaltui.evalset.call_views import calls_and_orphans, expected_uses
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.call_edits import insert_calls
from evaltui.evalset.editing.new_ids import fresh_id, is_uuid, taken_turn_ids
from evaltui.evalset.editing.revision import Copy, Revision, are_counted, opened_list, refuse_other_kind, renumbered
from evaltui.evalset.keys import OWN_OF_CASES, camel, filled, items_of, key_for, member, snake, text_of
from evaltui.evalset.titles import counted_kind, title
from evaltui.printable import one_line

_DATASET_CASE_KEYS = (
    *("eval_case_id", "prompt", "agent_data", "responses", "reference", "conversation_history", "user_scenario"),
)
_DATASET_TURN_KEYS = ("events", "turn_index")
_EVENT_KEYS = ("author", "content", "state_delta")
_TURN_KEYS = ("user_content", "final_response", "invocation_id", "intermediate_data")


def recognise_rows(text: str, *, of_dataset: bool = False) -> tuple[list[Copy], str]:
    """The rows of an eval set or dataset in a pasted text, all of one kind, and a clause about conversions.

    Raises `EditError` with a description of any other value.
    """
    noun, read_row = ("dataset", _row_of_dataset) if of_dataset else ("eval set", _row_of_set)
    root = read_pasted(text)
    cases = member(root, "eval_cases")
    if cases is not None and cases.kind == "array":
        container, nodes = noun, cases.items
    else:
        container, nodes = ("list", root.items) if root.kind == "array" else ("value", [root])
    rows = [read_row(node) for node in nodes]
    if not rows:
        raise EditError(f"nothing to paste: the {container} is empty")
    kinds = {copy.kind for copy, _ in rows}
    if len(kinds) > 1:
        raise EditError(f"the {container} mixes several kinds: {', '.join(sorted(kinds))}")
    remarks = dict.fromkeys(remark for _, remark in rows if remark)
    return [copy for copy, _ in rows], "; ".join(remarks)


def read_pasted(text: str) -> Node:
    """The value that pasted text holds. Raises `EditError` for what is not JSON."""
    _, body = read_encoding(text.strip().encode("utf-8", "surrogatepass"))
    if not body:
        raise EditError("nothing to paste")
    try:
        return read_document(body)
    except JsonSyntaxError as error:
        line, column = line_and_column(body[: error.offset])
        raise EditError(
            f"the clipboard has text, not JSON: {one_line(text, 30)}"
            if body[:1] not in b'{["'
            else f"the clipboard is not valid JSON: line {line}, column {column}: {error.message}"
        ) from error


def _row_of_set(node: Node) -> tuple[Copy, str]:
    """The copy that a value makes, and a clause about its conversion."""
    if node.kind == "object":
        if _has(node, OWN_OF_CASES):
            return Copy("case", node.source()), ""
        if _has(node, _TURN_KEYS):
            return Copy("turn", node.source()), ""
        # A call, alone or in its part, or a call with its response as `text_of_copies` writes them.
        call = filled(node, "function_call") or filled(node, "tool_use")
        is_call = bool(text_of(node, "name")) and (member(node, "args") is not None or len(node.items) <= 2)
        if call is not None or (is_call and member(node, "response") is None):
            response = filled(node, "tool_response") if call is not None else None
            return Copy("call", (call or node).source(), response=response.source() if response else None), ""
        if filled(node, "parts") is not None:
            key, empty = b'"user_content"', b""
            if text_of(node, "role") == "model":  # google-adk requires a user message beside the response
                key, empty = b'"final_response"', b'"user_content": {"parts": [{"text": ""}], "role": "user"}, '
            return Copy("turn", b"{" + empty + key + b": " + node.source() + b"}"), "content pasted as a turn"
    raise EditError(f"not a case, turn, tool call or content: {_in_few_words(node)}")


def _row_of_dataset(node: Node) -> tuple[Copy, str]:
    if node.kind == "object":
        # A list of turns under `conversation` is google-adk's, whatever the other keys of the case.
        is_of_dataset = _has(node, _DATASET_CASE_KEYS) and not items_of(node, "conversation")
        if _has(node, OWN_OF_CASES) and not is_of_dataset:
            raise EditError("this is a case of an eval set: convert its file with evaltui convert")
        for kind, keys in (("case", _DATASET_CASE_KEYS), ("turn", _DATASET_TURN_KEYS), ("event", _EVENT_KEYS)):
            if _has(node, keys):
                return Copy(kind, node.source()), ""
        if _has(node, ("parts",)):
            return Copy("event", b'{"content": ' + node.source() + b"}"), "content pasted as an event"
    raise EditError(f"not a case, turn, event or content: {_in_few_words(node)}")


def _has(node: Node, keys: Sequence[str]) -> bool:
    return any(member(node, key) is not None for key in keys)


def _in_few_words(node: Node) -> str:
    if node.kind != "object":
        return f"JSON {node.kind}"
    names = ", ".join(one_line(item.name, 20) for item in node.items[:5])
    return f"object with {names}{' …' if len(node.items) > 5 else ''}" if names else "empty object"


def as_one_case(turns: Sequence[Copy]) -> Copy:
    """Pasted turns as the conversation of one new case, for a set without a case to paste into."""
    listed = b", ".join(copy.source for copy in turns)
    return Copy("case", b'{"eval_id": "pasted", "conversation": [' + listed + b"]}")


# --- beside other rows -----------------------------------------------------------------------------------------------

Renaming = tuple[Node, str]
"""The node of an id in a copy, and its new text."""


def put_copies(
    case_file: CaseFile, copies: Sequence[Copy], near: Node, is_before: bool, *, from_elsewhere: bool = False
) -> Revision:
    """Put copies of one kind beside the row `near`, or inside it if that is a row one level up.

    Copies `from_elsewhere` get their keys in the spelling of their neighbours.
    Raises `EditError` if they cannot be there.
    """
    kind = copies[0].kind
    label = f"paste {counted_kind(kind, len(copies))}"
    kinds = "tool calls" if kind == "call" else f"{kind}s"
    case, turn = case_file.enclosing(near, "case"), case_file.enclosing(near, "turn")
    if kind == "case":
        edits, renamings = _cases(case_file, copies, case, is_before, from_elsewhere=from_elsewhere)
    elif case is None:
        raise EditError(f"select a case first: {kinds} belong in a case")
    elif kind == "turn":
        label += f" into {title(case_file, case)}"
        edits, renamings = _turns(case_file, copies, case, turn, is_before)
    else:
        turn = turn or next(reversed(case_file.turns(case)), None)
        if turn is None:
            raise EditError(f"add a turn first: {kinds} belong in a turn")
        label += f" into {title(case_file, turn)}"
        put_in_turn = _calls if kind == "call" else _events
        edits, renamings = put_in_turn(case_file, copies, turn, near, is_before)
    remarks = [_renaming_remark(renamings, copies)]
    if from_elsewhere:
        sibling = next(iter(case_file.cases), near) if near is case_file.root else near
        # The items of lists; a list that was added for them is spelled like its place already.
        inserts = [edit for edit in edits if isinstance(edit, Insert) and edit.pointer.rpartition("/")[2].isdigit()]
        renames = [rename for insert in inserts for rename in _respelt(case_file, insert, sibling)]
        edits += renames
        remarks += ["keys changed to the spelling of this file"] if renames else []
    return Revision(label, edits, "; ".join(filter(None, remarks)))


Put = tuple[list[Edit], list[Renaming]]
"""The edits that insert copies, and the ids that they change."""


def _cases(
    case_file: CaseFile, copies: Sequence[Copy], beside: Node | None, is_before: bool, *, from_elsewhere: bool
) -> Put:
    # The file itself gets no new key from a paste: `a` adds the first case.
    cases = member(case_file.root, "eval_cases")
    if cases is None or cases.kind != "array":
        raise EditError(f"add a case first: this {case_file.format.noun} has no list of cases")
    index = beside.index() + (not is_before) if beside is not None else len(cases.items)
    used = case_file.ids.of(cases.items)
    used_by_turns = taken_turn_ids(case_file, beside) if not case_file.is_dataset else set()
    values = [parse_value(copy.source) for copy in copies]
    # A case of this set whose id is free was cut: it comes back as it was. All are asked before any id is added.
    are_copies = [from_elsewhere or case_file.case_id(value) in used for value in values]
    renamings = [
        _fresh_case(case_file, value, used, used_by_turns if not case_file.is_dataset else set())
        if is_copy
        else _fresh(member(value, case_file.format.case_id), used)
        for value, is_copy in zip(values, are_copies, strict=True)
    ]
    return _inserts(cases.pointer(), index, copies, renamings)


def _turns(case_file: CaseFile, copies: Sequence[Copy], case: Node, beside: Node | None, is_before: bool) -> Put:
    """Copies of turns beside a turn or at the end of the case; turns of a dataset are numbered with the others."""
    if case_file.is_dataset:
        refuse_other_kind(case, "agent_data", "object")
        if (data := filled(case, "agent_data")) is not None:
            refuse_other_kind(data, "turns", "array")
    elif filled(case, "conversation") is None and filled(case, "conversation_scenario") is not None:
        raise EditError("this case has a scenario; google-adk rejects a case with both a scenario and turns")
    pointer, turns, opening = opened_list(
        case, *(("agent_data", "turns") if case_file.is_dataset else ["conversation"])
    )
    edits = [opening] if opening is not None else []
    used = {text_of(turn, case_file.format.turn_id) for turn in turns}
    used |= taken_turn_ids(case_file, case) if not case_file.is_dataset else set()
    values = [parse_value(copy.source) for copy in copies]
    renamings = [_fresh_turn(case_file, value, turns, used) for value in values]
    index = beside.index() + (not is_before) if beside is not None else len(turns)
    if case_file.is_dataset and turns and (listed := turns[0].parent) is not None:
        edits += renumbered(listed, [*turns[:index], *[None] * len(copies), *turns[index:]])
    inserts, changes = _inserts(pointer, index, copies, renamings)
    if case_file.is_dataset and (not turns or are_counted(turns)):
        for number, value in enumerate(values, index):
            own = member(value, "turn_index")
            if own is not None and own.source() != b"%d" % number:
                inserts.append(Set(f"{pointer}/{number}/{escape(own.name)}", b"%d" % number))
    return [*edits, *inserts], changes


def _events(dataset: CaseFile, copies: Sequence[Copy], turn: Node, near: Node, is_before: bool) -> Put:
    refuse_other_kind(turn, "events", "array")
    pointer, events, opening = opened_list(turn, "events")
    beside = dataset.enclosing(near, "event")
    index = beside.index() + (not is_before) if beside is not None else len(events)
    inserts, _ = _inserts(pointer, index, copies, [[] for _ in copies])
    return [opening, *inserts] if opening is not None else inserts, []


def _calls(eval_set: CaseFile, copies: Sequence[Copy], turn: Node, near: Node, is_before: bool) -> Put:
    uses, orphans = calls_and_orphans(turn)
    used = {use.id for use in uses} | {text_of(orphan, "id") for orphan in orphans}
    beside = next((use for use in uses if use.node is near), None)
    sibling = beside or next(reversed(uses), None)
    calls, changes = list[Copy](), list[Renaming]()
    for copy in copies:
        renamings = _fresh(member(parse_value(copy.source), "id"), used)
        source, response = copy.source, copy.response
        if renamings:  # a call in an event has no place of its own yet, so its text changes before it is inserted
            source = _with_id(source, renamings[0][1])
            response = _with_id(response, renamings[0][1]) if response is not None else None
        author = copy.author or (sibling.author if sibling is not None else "")
        calls.append(copy._replace(source=source, response=response, author=author))
        changes += renamings
    node = sibling.node if sibling is not None else None
    return insert_calls(eval_set, turn, calls, beside, node, is_before=is_before, are_copies=True), changes


def _with_id(source: bytes, identifier: str) -> bytes:
    document = Document(source)
    if member(document.root, "id") is not None:
        document.apply([Set("/id", json_text(identifier))], "")
    return document.to_bytes()


def _inserts(pointer: str, index: int, copies: Sequence[Copy], renamings: Sequence[list[Renaming]]) -> Put:
    """The edits that insert copies into the list at `pointer`, from `index` on, and rename their ids."""
    edits: list[Edit] = []
    for number, (copy, changes) in enumerate(zip(copies, renamings, strict=True), index):
        edits.append(Insert(f"{pointer}/{number}", copy.source, origin_indent=copy.indent))
        edits += [Set(f"{pointer}/{number}{node.pointer()}", json_text(text)) for node, text in changes]
    return edits, [change for changes in renamings for change in changes]


def _renaming_remark(renamings: Sequence[Renaming], copies: Sequence[Copy]) -> str:
    """A clause about ids that changed; "" if only ids changed that evaltui made for the copies."""
    made_ids = {identifier for copy in copies for identifier in copy.made_ids}
    changed = [(node.text(), text) for node, text in renamings if node.text() not in made_ids]
    if not changed:
        return ""
    (old, new), *further = changed
    more = f" and {len(further)} more" if further else ""
    return f"duplicate id {one_line(old, 30)} renamed to {one_line(new, 30)}{more}"


def _respelt(case_file: CaseFile, insert: Insert, sibling: Node) -> Iterator[Edit]:
    """The edits that rename keys of an inserted copy to the spelling around `sibling`, outer keys first."""
    keys, free_values = case_file.format.keys, case_file.format.free_values
    is_camel = key_for(sibling, "user_content") == "userContent"
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
            # A key in both spellings stays: renamed it would be a duplicate.
            if key != item.name and node.member(key) is None:
                yield Rename(f"{pointer}/{escape(item.name)}", key)
            else:
                key = item.name
            if name not in free_values:
                below.append((item, f"{pointer}/{escape(key)}"))
        pending += reversed(below)


# --- ids of copies ---------------------------------------------------------------------------------------------------


def _fresh_case(case_file: CaseFile, copy: Node, used: set[str], used_by_turns: set[str]) -> list[Renaming]:
    """The ids of a copied case that must change: used ids of the case and its turns, and globally unique ids.

    The final ids are added to `used` and `used_by_turns`.
    """
    renamings = _fresh(member(copy, case_file.format.case_id), used)
    identifiers = [member(turn, case_file.format.turn_id) for turn in case_file.turns(copy)]
    own = {identifier.text() for identifier in identifiers if identifier is not None}
    for identifier in identifiers:
        if identifier is None or not identifier.text():
            continue
        # A UUID names one turn in the world, so a copy of it needs another whether or not it is used here.
        if is_uuid(identifier.text()) or identifier.text() in used_by_turns:
            fresh = fresh_id([identifier.text()], "", (used_by_turns | own).__contains__)
            used_by_turns.add(fresh)
            renamings.append((identifier, fresh))
    used_by_turns |= own
    return renamings


def _fresh_turn(case_file: CaseFile, copy: Node, turns: Iterable[Node], used: set[str]) -> list[Renaming]:
    """The ids of a copied turn that its new neighbours `turns` have already, or that are `used`.

    The final id is added to `used`.
    """
    renamings = _fresh(member(copy, case_file.format.turn_id), used)
    calls = {use.id for turn in turns for use in expected_uses(turn)}
    for use in expected_uses(copy):
        answer_id = member(use.response, "id")
        for identifier, fresh in _fresh(member(use.node, "id"), calls):
            renamings += [(node, fresh) for node in (identifier, answer_id) if node is not None]
    return renamings


def _fresh(identifier: Node | None, used: set[str]) -> list[Renaming]:
    """The id with a new text if it is `used`; the final id is added to `used`."""
    if identifier is None or not (text := identifier.text()):
        return []
    fresh = fresh_id([], text, used.__contains__)
    used.add(fresh)
    return [(identifier, fresh)] if fresh != text else []

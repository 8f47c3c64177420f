"""Pasted JSON text, recognized as rows of an eval set or of a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaltui.document.errors import EditError, JsonSyntaxError
from evaltui.document.layout import shifted
from evaltui.document.node import Node, read_document
from evaltui.document.positions import line_and_column
from evaltui.document.strings import read_encoding
from evaltui.evalset.editing.revision import Copy
from evaltui.evalset.keys import filled, items_of, member, text_of
from evaltui.printable import one_line

_CASE_KEYS = ("eval_id", "conversation", "conversation_scenario")
_DATASET_CASE_KEYS = (
    *("eval_case_id", "prompt", "agent_data", "responses", "reference", "conversation_history", "user_scenario"),
)
_DATASET_TURN_KEYS = ("events", "turn_index")
_EVENT_KEYS = ("author", "content", "state_delta")
_TURN_KEYS = ("user_content", "final_response", "invocation_id", "intermediate_data")


@dataclass(frozen=True, slots=True)
class PastedRows:
    """Rows read from pasted text: copies of one kind, and a clause about conversions."""

    copies: list[Copy]
    remark: str = ""


def recognise_rows(text: str, *, of_dataset: bool = False) -> PastedRows:
    """Rows of an eval set or dataset in a pasted text. Raises `EditError` with a description of any other value."""
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
    return PastedRows([copy for copy, _ in rows], "; ".join(remarks))


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
        if _has(node, _CASE_KEYS):
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
        if _has(node, _CASE_KEYS) and not is_of_dataset:
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


def as_one_case(turns: PastedRows) -> PastedRows:
    """Pasted turns as the conversation of one new case, for a set without a case to paste into."""
    listed = b", ".join(copy.source for copy in turns.copies)
    case = Copy("case", b'{"eval_id": "pasted", "conversation": [' + listed + b"]}")
    return PastedRows([case], turns.remark)


def text_of_copies(copies: list[Copy]) -> str:
    """Copies as JSON text for the clipboard: one as it is, several as a list, a call with its response."""
    texts: list[bytes] = []
    for copy in copies:
        # In another program the text stands alone, so it begins at the left margin.
        source, *response = (
            shifted(json, copy.indent, b"") if copy.indent else json
            for json in (copy.source, copy.response)
            if json is not None
        )
        texts.append(b'{"tool_use": %s, "tool_response": %s}' % (source, *response) if response else source)
    text = texts[0] if len(texts) == 1 else b"[\n" + b",\n".join(texts) + b"\n]"
    return text.decode("utf-8", "replace")

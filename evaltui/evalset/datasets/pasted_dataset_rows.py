"""Pasted JSON text, recognized as cases, turns or events of a dataset."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.editing.pasted_values import PastedRows, read_pasted, seen
from evaltui.evalset.editing.row_copies import Copy
from evaltui.evalset.keys import items_of, member

_CASE_KEYS = (
    "eval_case_id", "prompt", "agent_data", "responses", "reference", "conversation_history", "user_scenario",
)  # fmt: skip
_TURN_KEYS = ("events", "turn_index")
_EVENT_KEYS = ("author", "content", "state_delta")
_CASE_OF_SETS = ("eval_id", "conversation", "conversation_scenario")


def recognise_dataset_rows(text: str) -> PastedRows:
    """Rows in a pasted text. Raises `EditError` with a description of any other value."""
    root = read_pasted(text)
    if member(root, "eval_cases") is not None:
        return _all_alike(items_of(root, "eval_cases"), "the dataset")
    return _all_alike(root.items, "the list") if root.kind == "array" else _all_alike([root], "the value")


def _all_alike(nodes: Sequence[Node], whole: str) -> PastedRows:
    found = [_one(node) for node in nodes]
    if not found:
        raise EditError(f"nothing to paste: {whole} is empty")
    kinds = {copy.kind for copy, _ in found}
    if len(kinds) > 1:
        raise EditError(f"{whole} mixes several kinds: {', '.join(sorted(kinds))}")
    return PastedRows([copy for copy, _ in found], "; ".join(dict.fromkeys(remark for _, remark in found if remark)))


def _one(node: Node) -> tuple[Copy, str]:
    """The copy that a value makes, and a clause about its conversion."""
    if node.kind == "object":
        has_words = _has(node, _CASE_KEYS) and not items_of(node, "conversation")
        if _has(node, _CASE_OF_SETS) and not has_words:
            raise EditError("this is a case of an eval set: convert its file with evaltui convert")
        for kind, keys in (("case", _CASE_KEYS), ("turn", _TURN_KEYS), ("event", _EVENT_KEYS)):
            if _has(node, keys):
                return Copy(kind, node.source()), ""
        if _has(node, ("parts",)):
            return Copy("event", b'{"content": ' + node.source() + b"}"), "content pasted as an event"
    raise EditError(f"not a case, turn, event or content: {seen(node)}")


def _has(node: Node, keys: Sequence[str]) -> bool:
    return any(member(node, key) is not None for key in keys)

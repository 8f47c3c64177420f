"""Fresh ids for copies: what is pasted or cloned must not be taken for what it was copied from."""

from __future__ import annotations

from collections.abc import Iterable

from evaltui.document import Edit, Node, Set, json_text
from evaltui.evalset.eval_set import EvalCase, Invocation
from evaltui.evalset.keys import member, text_of
from evaltui.evalset.naming import fresh_id, is_universal

Renaming = tuple[Node, str]
"""The node of an id in a copy, and the text it gets."""


def fresh_case(copy: Node, taken: set[str]) -> list[Renaming]:
    """The ids of a copied case that must change: its own where it is taken, and those that are unique in the world.

    The id it ends up with is added to `taken`.
    """
    renamings: list[Renaming] = []
    node = member(copy, "eval_id")
    if node is not None and node.kind == "string":
        renamings += _fresh(node, taken)
        taken.add(renamings[0][1] if renamings else node.text())
    for turn in EvalCase(copy).invocations:
        identifier = member(turn, "invocation_id")
        if identifier is not None and is_universal(identifier.text()):
            renamings.append((identifier, fresh_id([identifier.text()], "", lambda _: False)))
    return renamings


def fresh_turn(copy: Node, turns: Iterable[Node], taken_ids: set[str]) -> list[Renaming]:
    """The ids of a copied turn that its new neighbours `turns`, or what was copied along, have already."""
    taken = {text_of(turn, "invocation_id") for turn in turns} | taken_ids
    identifier = member(copy, "invocation_id")
    renamings = _fresh(identifier, taken) if identifier is not None and identifier.text() else []
    if identifier is not None:
        taken_ids.add(renamings[0][1] if renamings else identifier.text())
    calls = {use.id for turn in turns for use in Invocation(turn).tool_uses.calls}
    for use in Invocation(copy).tool_uses.calls:
        renamings += fresh_call(use.node, use.response, calls)
    return renamings


def fresh_call(call: Node, response: Node | None, taken: set[str]) -> list[Renaming]:
    """Another id for a copied call and its response, where its own is among `taken`, which gets the new one."""
    identifier = member(call, "id")
    if identifier is None or not identifier.text():
        return []
    renamings = _fresh(identifier, taken)
    text = renamings[0][1] if renamings else identifier.text()
    taken.add(text)
    answered = member(response, "id")
    if renamings and answered is not None:
        renamings.append((answered, text))
    return renamings


def _fresh(node: Node, taken: set[str]) -> list[Renaming]:
    text = node.text()
    return [(node, fresh_id([text], text, taken.__contains__))] if text in taken else []


def renamed(renamings: Iterable[Renaming], pointer: str) -> list[Edit]:
    """The edits that rename ids in a copy once it stands at `pointer`."""
    return [Set(pointer + node.pointer(), json_text(text)) for node, text in renamings]

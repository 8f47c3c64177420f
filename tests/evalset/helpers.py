"""Short ways to say what the tests of eval sets do again and again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.call_edits import write_response
from evaltui.evalset.editing.revision import Revision
from evaltui.printable import one_line


class Revised(NamedTuple):
    """A file after a revision."""

    text: str
    revision: Revision

    @property
    def value(self) -> Any:
        return json.loads(self.text)

    @property
    def turn(self) -> Any:
        return self.value["eval_cases"][0]["conversation"][0]


def node_of(value: Any) -> Node:
    """A value as the root of a document of its own."""
    root = Document(json.dumps(value).encode()).root
    assert root is not None
    return root


def set_of(*cases: Any) -> CaseFile:
    """An eval set of `cases`, its own keys in snake_case."""
    return CaseFile(node_of({"eval_set_id": "s", "eval_cases": cases}), EVAL_SET)


def turn_of(turn: Any) -> Node:
    """A turn in its place in a set."""
    return first_turn(set_of({"eval_id": "c", "conversation": [turn]}))


def first_turn(eval_set: CaseFile) -> Node:
    return turns_of(eval_set.cases[0])[0]


def use(eval_set: CaseFile, number: int = 0) -> ToolUse:
    """A tool call of the first turn."""
    return expected_uses(first_turn(eval_set))[number]


def revised(source: str, make: Callable[[CaseFile], Revision]) -> Revised:
    """A file that held `source` after a revision; undo, redo and undo must give either text exactly."""
    document = Document(source.encode())
    assert document.root is not None
    revision = make(CaseFile(document.root, EVAL_SET))
    document.apply(revision.edits, revision.label)
    text = document.to_bytes()
    document.undo()
    assert document.to_bytes() == source.encode()
    document.redo()
    assert document.to_bytes() == text
    document.undo()
    assert document.to_bytes() == source.encode()
    assert revision.label == one_line(revision.label), "a label stands on one line and acts on no terminal"
    return Revised(text.decode(), revision)


def turn_with(data: Any, make: Callable[[CaseFile], Revision]) -> Revised:
    """A turn with these intermediate data, after a revision."""
    turn = {"user_content": {}, "intermediate_data": data}
    source = json.dumps({"eval_cases": [{"eval_id": "a", "conversation": [turn]}]})
    return revised(source, make)


def respond(source: bytes, number: int = 0) -> Callable[[CaseFile], Revision]:
    """Gives a call of the first turn another response."""
    return lambda eval_set: write_response(eval_set, use(eval_set, number), source)


def layers(value: Any) -> Any:
    """A value with its key order: objects as lists of pairs."""
    if isinstance(value, dict):
        return [(name, layers(item)) for name, item in value.items()]
    return [layers(item) for item in value] if isinstance(value, list) else value


def difference(before: str, after: str) -> tuple[str, str]:
    """What is gone and what has come, between what both texts begin and end with."""
    start = next(
        (n for n, (a, b) in enumerate(zip(before, after, strict=False)) if a != b), min(len(before), len(after))
    )
    rest = min(len(before), len(after)) - start
    pairs = zip(reversed(before), reversed(after), strict=False)
    tail = min(rest, next((n for n, (a, b) in enumerate(pairs) if a != b), rest))
    return before[start : len(before) - tail], after[start : len(after) - tail]


def everything(eval_set: CaseFile) -> Iterator[Node]:
    """All nodes of a set."""
    pending = [eval_set.root]
    while pending:
        at = pending.pop()
        yield at
        pending += reversed(at.items)

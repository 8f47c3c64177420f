"""The names that a set uses, for suggestions."""

from __future__ import annotations

import json
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.editing.call_edits import fill_in_arguments
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.search.case_text import CaseTexts
from tests.evalset.helpers import first_turn, revised


def case(*calls: Any, **more: Any) -> dict[str, Any]:
    turn = {"user_content": {}, "intermediate_data": {"tool_uses": list(calls)}}
    return {"eval_id": "a", "conversation": [turn], **more}


BOOK = {"name": "book", "args": {"to": "Oslo", "seats": 2, "aisle": True, "via": [], "extra": {}, "note": None}}
SOURCE = json.dumps(
    {
        "eval_cases": [
            case(BOOK, {"name": "boot", "args": {}}, rubrics=[{"rubric_id": "polite"}]),
            case({"name": "book", "args": {"from": "Bergen"}}, {"name": "", "args": {}}),
            {"eval_id": "p", "conversation_scenario": {"starting_prompt": "x", "user_persona": "NOVICE"}},
        ]
    }
)


def read(document: Document) -> tuple[CaseFile, CaseTexts]:
    assert document.root is not None
    eval_set, texts = CaseFile(document.root, EVAL_SET), CaseTexts()
    for node in eval_set.cases:
        texts.of(node)
    return eval_set, texts


def test_names_are_suggested_by_kind_the_most_used_first() -> None:
    _, texts = read(Document(SOURCE.encode()))
    words = texts.vocabulary
    assert words.words("tool") == ["book", "boot"]
    assert words.words("argument of book") == ["to", "seats", "aisle", "via", "extra", "note", "from"]
    assert words.words("rubric") == ["polite"]
    assert words.words("persona") == ["NOVICE"]
    assert words.words("nothing") == []
    assert [words.completion("tool", text) for text in ("", "b", "book", "boo", "boot", "x")] == [
        "book",
        "ook",
        "",
        "k",
        "",
        "",
    ]


def test_they_keep_up_with_edits() -> None:
    document = Document(SOURCE.encode())
    _, texts = read(document)
    change = document.apply([Set("/eval_cases/0/conversation/0/intermediate_data/tool_uses/1/name", b'"reboot"')], "x")
    texts.forget(change.nodes)
    assert texts.vocabulary.words("tool") == ["book", "reboot"]
    undone = document.undo()
    assert undone is not None
    texts.forget(undone.nodes)
    assert texts.vocabulary.words("tool") == ["book", "boot"]


def test_a_call_without_arguments_gets_those_of_the_last_one_empty() -> None:
    _, texts = read(Document(SOURCE.encode()))
    assert list(texts.vocabulary.last_arguments("book")) == [("from", "string")]
    kinds = [("to", "string"), ("n", "number"), ("b", "boolean"), ("z", "null"), ("l", "array"), ("o", "object")]
    source = json.dumps({"eval_cases": [case({"name": "book", "args": {}})]})

    def make(eval_set: CaseFile) -> Revision:
        made = fill_in_arguments(expected_uses(first_turn(eval_set))[0].node, kinds)
        assert made is not None
        return made

    args = revised(source, make).turn["intermediate_data"]["tool_uses"][0]["args"]
    assert args == {"to": "", "n": 0, "b": False, "z": None, "l": [], "o": {}}
    assert list(args) == ["to", "n", "b", "z", "l", "o"]


def test_arguments_that_are_there_stay() -> None:
    eval_set, _ = read(Document(SOURCE.encode()))
    call = expected_uses(first_turn(eval_set))[0].node
    assert fill_in_arguments(call, [("x", "string")]) is None
    assert fill_in_arguments(call, []) is None

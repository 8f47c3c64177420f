"""Eval sets that people have published: reading raises nothing, and what is added goes without a trace."""

import os
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, expected_uses
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.content_parts import describe_part, is_text_part, parts_of
from evaltui.evalset.editing.call_edits import add_call, delete_call, write_response
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import delete_rows
from evaltui.evalset.editing.templates import add_case, add_turn
from evaltui.evalset.file_formats import is_eval_set
from evaltui.evalset.keys import filled, text_of
from evaltui.evalset.titles import title
from evaltui.printable import one_line
from tests.evalset.helpers import everything
from tests.sampling import sampled


def published_sets() -> list[Path]:
    """The files in the shared corpus that hold an eval set; none where there is no corpus."""
    folder = os.environ.get("EVALTUI_SHARED")
    found = sorted(Path(folder, "corpus").glob("*.json")) if folder else []
    return [path for path in found if is_eval_set(Document(path.read_bytes()).root)]


NO_CORPUS = pytest.param(Path(), id="corpus", marks=pytest.mark.skip("EVALTUI_SHARED names no folder with a corpus"))
SAMPLES = sorted((Path(__file__).parents[2] / "sample_sets").glob("*.json"))
PUBLISHED = published_sets()
SETS = [pytest.param(path, id=path.stem) for path in [*sampled(PUBLISHED, 12), *SAMPLES]] + [NO_CORPUS][: not PUBLISHED]


def opened(path: Path) -> tuple[Document, CaseFile]:
    document = Document(path.read_bytes())
    assert document.root is not None
    return document, CaseFile(document.root, EVAL_SET)


@pytest.mark.parametrize("path", SETS)
def test_everything_in_a_set_is_told_and_named(path: Path) -> None:
    document, eval_set = opened(path)
    kinds = [eval_set.kind(node) for node in everything(eval_set)]
    turns = [turn for case in eval_set.cases for turn in turns_of(case)]
    uses = [use for turn in turns for use in expected_uses(turn)]
    assert [kinds.count(kind) for kind in ("set", "case", "turn")] == [1, len(eval_set.cases), len(turns)]
    assert kinds.count("call") == len(uses)
    assert all(is_line(title(eval_set, node)) for node in everything(eval_set))
    contents = [content for turn in turns for content in (filled(turn, "user_content"), filled(turn, "final_response"))]
    parts = [part for content in contents for part in parts_of(content)]
    assert all(is_text_part(part) or is_line(one_line(describe_part(part))) for part in parts)
    assert document.to_bytes() == path.read_bytes()


def is_line(text: str) -> bool:
    return bool(text) and text == one_line(text)


def do(document: Document, revision: Revision) -> None:
    document.apply(revision.edits, revision.label)


def assert_all_undone(document: Document, path: Path) -> None:
    while document.undo():
        pass
    assert document.to_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", SETS)
def test_a_case_that_comes_and_goes_leaves_no_trace(path: Path) -> None:
    document, eval_set = opened(path)
    for case in list(eval_set.cases):
        do(document, add_case(eval_set, case))
        new = eval_set.cases[case.index() + 1]
        assert [text_of(other, "eval_id") for other in eval_set.cases].count(text_of(new, "eval_id")) == 1
        do(document, delete_rows(eval_set, [new]))
        assert document.to_bytes() == path.read_bytes()
    assert_all_undone(document, path)


@pytest.mark.parametrize("path", SETS)
def test_a_turn_that_comes_and_goes_leaves_no_trace(path: Path) -> None:
    document, eval_set = opened(path)
    for case in eval_set.cases:
        if filled(case, "conversation_scenario") is not None:
            continue
        for turn in list(turns_of(case)):
            do(document, add_turn(eval_set, case, turn))
            do(document, delete_rows(eval_set, [turns_of(case)[turn.index() + 1]]))
            assert document.to_bytes() == path.read_bytes()
        do(document, add_turn(eval_set, case, None))
        assert_all_undone(document, path)
    assert document.to_bytes() == path.read_bytes()


@pytest.mark.parametrize("path", SETS)
def test_a_call_that_comes_and_goes_leaves_the_others_as_they_were(path: Path) -> None:
    document, eval_set = opened(path)
    for turn in (turn for case in eval_set.cases for turn in turns_of(case)):
        before = calls_of(turn)
        do(document, add_call(eval_set, turn))
        do(document, write_response(eval_set, calls_of(turn)[-1], b'{"ok": true}'))
        new = calls_of(turn)[-1]
        assert new.response is not None
        assert new.response.value()["response"] == {"ok": True}
        do(document, delete_call(eval_set, new))
        assert calls_of(turn) == before
    assert_all_undone(document, path)


def calls_of(turn: Node) -> list[ToolUse]:
    return expected_uses(turn)

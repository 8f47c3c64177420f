"""Problems of an EvaluationDataset in the editor: case by case, while it is edited."""

import json
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Set
from evaltui.tui.open_file.open_file import OpenFile
from tests.tui.headless import HeadlessApp
from tests.tui.scenario import NORMAL, scenario
from tests.validation.datasets import ASKED, CALLED, HI, case, dataset, talk

NAME = "basic-dataset.json"
TWICE = json.dumps({"eval_cases": [case("greeting"), case("refund"), case("greeting")]}, indent=2)


@pytest.mark.thorough
async def test_problems_come_and_go_with_edits_and_are_fixed_as_one_step() -> None:
    async with scenario(TWICE, NORMAL, name=NAME) as s:
        assert "1 warning" in s.title
        s.expect('greeting  eval_case_id "greeting" is a duplicate of case 1')
        await s.press("3", "enter", "enter", "f7")
        await s.type("third")
        await s.press("escape")
        assert "warning" not in s.title
        assert b'"third"' in s.bytes()
        await s.press("ctrl+z")
        assert "1 warning" in s.title
        await s.start_over()
        await s.press("3", "f")
        ids = [each["eval_case_id"] for each in json.loads(s.bytes())["eval_cases"]]
        assert ids == ["greeting", "refund", "greeting_2"]
        assert "warning" not in s.title
        assert 'fixed greeting: "greeting" renamed to "greeting_2"' in s.status


async def test_all_safe_fixes_are_offered_and_done_as_one_step() -> None:
    broken = json.dumps({"eval_cases": [case("a", reference="Hello"), case("a", promt=HI)]}, indent=2)
    async with scenario(broken, NORMAL, name=NAME) as s:
        assert "1 error" in s.title
        await s.press("3", "F")
        s.expect("unwrapped-content", "duplicate-eval-case-id")
        await s.press("F")
        assert "error" not in s.title
        await s.press("ctrl+z")
        assert s.bytes() == s.original


async def test_a_problem_is_told_with_its_turn_and_event() -> None:
    async with scenario(dataset(talk(ASKED, CALLED, name="refund")), NORMAL, name=NAME) as s:
        s.expect("turn 1 › event 2", "eval generate needs a user message as the last event")


async def checked(file: OpenFile) -> list[tuple[str, str]]:
    """Check all that waits; the codes of the problems and the cases they are in."""
    await file.checks.run()
    owners = [(problem.code, problem.owner) for problem in file.problems.all]
    return [(code, file.problems_called(owner)) for code, owner in owners if owner is not None]


async def test_only_the_edited_case_is_checked_again() -> None:
    document = Document(dataset(*(case(f"case_{number}") for number in range(200))))
    file = OpenFile(document, HeadlessApp())
    file.problems.begin()
    assert await checked(file) == []
    file.problems.changed(document.apply([Set("/eval_cases/7/prompt/role", b'"human"')], "edit"))
    assert [each.index() for each in file.problems.edited] == [7]
    assert await checked(file) == [("unknown-role", "case_7")]


async def test_a_dataset_that_becomes_an_eval_set_is_checked_as_one() -> None:
    members: dict[str, Any] = {"id": "a", "prompt": HI}
    document = Document(dataset(members, case("b")))
    file = OpenFile(document, HeadlessApp())
    file.problems.begin()
    assert [code for code, _ in await checked(file)] == ["misspelt-key-ignored"]
    file.problems.changed(document.apply([Set("/eval_cases/0", b'{"eval_id": "a", "conversation": []}')], "edit"))
    assert file.format == "eval_set"
    assert "missing-field" in [code for code, _ in await checked(file)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'[{"eval_case_id": "a", "prompt": {"role": "user"}}]', ["wrong-type"]),
        (b'{"evalCases": [{"eval_case_id": "a", "prompt": {"role": "user"}}]}', ["camel-case-key", "no-user-text"]),
        (b'{"eval_cases": [{"eval_case_id": "a"}, 1, null]}', ["wrong-type", "wrong-type", "empty-dataset-case"]),
        (b'{"candidate_name": 1}', ["wrong-type"]),
        (b'{"eval_cases": [{"eval_case_id": "\\ud800"}]}', ["bad-character", "empty-dataset-case"]),
    ],
)
async def test_datasets_of_odd_shape_have_problems(text: bytes, expected: list[str]) -> None:
    file = OpenFile(Document(text), HeadlessApp())
    file.problems.begin()
    assert sorted(code for code, _ in await checked(file)) == sorted(expected)


async def test_of_a_long_place_the_last_steps_are_shown_and_half_of_the_line_is_the_message() -> None:
    long = "/usr/local/home/projects/agents/fines/desk.py"
    by_user = {**CALLED, "author": "user"}
    data = json.dumps({"eval_cases": [{**talk(ASKED, by_user, ASKED), "eval_case_id": long}]}, indent=2)
    async with scenario(data, (80, 24), name=NAME) as s:
        await s.press("3")
        row = next(row for row in s.rows() if "the user calls" in row)
        assert "… › turn" not in row
        assert "desk.py › turn 1 › event 2  the user calls" in row
        assert row.index("the user calls") < 40
    async with scenario(data, (160, 40), name=NAME) as s:
        await s.press("3")
        assert f"{long} › turn 1 › event 2  the user calls" in next(row for row in s.rows() if "the user calls" in row)

"""Problems while one edits: the pane, marks and messages, the way to them, and the filter."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Set
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.open_file.pending_checks import check_cases
from evaltui.tui.open_file.problem_list import NO_PROBLEMS
from tests.tui.headless import HeadlessApp
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario, scenario

BROKEN = SAMPLES / "broken.evalset.json"


def said(text: str) -> dict[str, Any]:
    return {"parts": [{"text": text}]}


def turn(**members: Any) -> dict[str, Any]:
    return {"invocation_id": "t1", "user_content": said("Hi"), "final_response": said("Hello"), **members}


def misspelt() -> dict[str, Any]:
    return {("user_contents" if key == "user_content" else key): value for key, value in turn().items()}


def case(eval_id: str, *turns: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"eval_id": eval_id, "conversation": list(turns) or [turn()], **members}


def a_set(*cases: dict[str, Any]) -> str:
    return json.dumps({"eval_set_id": "desk", "eval_cases": list(cases)}, indent=2)


GOOD = a_set(case("first"), case("second"), case("third"))
MISSPELT = a_set(case("first"), case("second", misspelt()), case("third"))


def problems(s: Scenario) -> list[str]:
    return [" ".join(row.split()) for row in s.rows()]


# --- as one types ----------------------------------------------------------------------------------------------


async def test_a_problem_that_is_typed_is_shown_and_goes_when_it_is_typed_away() -> None:
    async with scenario(GOOD) as s:
        assert "warning" not in s.title
        await s.edit_id("first", "first,b")
        assert "1 warning" in s.title
        s.expect("! ")
        await s.press("escape", "enter", "enter")
        await s.press("end", "backspace", "backspace")
        assert "warning" not in s.title
        await s.start_over()
        await s.press("f8")
        assert "No problems" in s.status


@pytest.mark.thorough
async def test_problems_go_and_come_with_their_case_and_are_marked_all_around_it() -> None:
    async with scenario(MISSPELT) as s:
        assert s.status.strip() == "1 error (press 3)"
        await s.to("second")
        assert "1 error (press 3) · ✗ turn 1: user_contents should be user_content" in s.status
        await s.to("1 ")
        assert s.status.strip() == "1 error (press 3)"
        await s.press("home")
        assert "1 error (press 3) · ✗ second › turn 1: user_contents should be" in s.status
        await s.start_over()
        assert "1 error" in s.title
        await s.to("second")
        await s.press("d")
        assert "error" not in s.title
        await s.press("u")
        assert "1 error" in s.title
        await s.press("U")
        assert "error" not in s.title
        await s.start_over()
        await s.to("second")
        await s.press("c")
        assert "2 errors" in s.title
        await s.press("alt+up", "alt+up")
        assert "2 errors" in s.title
        await s.start_over()
        await s.press("equals_sign")
        marked = [row.split()[0] for row in s.rows() if "✗" in row]
        assert marked == ["▾", "1"]
        assert "second" in next(row for row in s.rows() if "✗" in row)


@pytest.mark.thorough
async def test_what_depends_on_other_cases_is_found_when_those_change() -> None:
    async with scenario(GOOD, NORMAL) as s:
        await s.edit_id("first", "third")
        s.expect("is a duplicate of case 1")
        assert "1 warning" in s.title
        await s.press("escape", "u")
        assert "warning" not in s.title


@pytest.mark.thorough
async def test_a_file_that_is_read_again_is_checked_again() -> None:
    async with scenario(GOOD) as s:
        s.path.write_text(MISSPELT)
        await s.press("R")
        assert "1 error" in s.title
        s.original = s.path.read_bytes()
        await s.press("u")
        assert "error" not in s.title
        s.original = GOOD.encode()


async def test_files_that_are_no_eval_sets_have_only_what_opening_found() -> None:
    async with scenario('{"a": 1, "a": 2, "eval_id": 5}', NORMAL, name="notes.json") as s:
        assert "1 warning" in s.title
        s.expect('line 1: duplicate key "a"')


async def test_bytes_that_are_no_text_are_said_once() -> None:
    async with scenario(GOOD.encode().replace(b"Hello", b"H\xff", 1), NORMAL) as s:
        assert "1 error" in s.title
        s.expect("0xFF is not UTF-8")
        await s.press("3", "enter")
        assert s.focused == "form"
        await s.press("f9")
        s.expect("unsafe fix: Replace it with ÿ")
        await s.press("f9")
        assert "error" not in s.title
        assert b"H\xc3\xbf" in s.bytes()


async def test_the_config_beside_the_set_is_heeded() -> None:
    silent = {"invocation_id": "t1", "user_content": said("Hi")}
    async with scenario(a_set(case("a"), case("b", silent))) as s:
        assert "warning" not in s.title
        (s.path.parent / "test_config.json").write_text('{"criteria": {"response_match_score": 0.8}}')
        await s.edit_id("a", "other")
        assert "warning" in s.title
        (s.path.parent / "test_config.json").unlink()
        await s.press("escape", "u")
        assert "warning" not in s.title


async def test_the_rules_that_a_project_leaves_out_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('ignore = ["unselectable-eval-id"]\n')
    document = Document(a_set(case("a,b"), case("c", misspelt())).encode(), tmp_path / "set.evalset.json")
    file = OpenFile(document, HeadlessApp())
    problems = file.problems
    file.checks.begin()
    await file.checks.run()
    assert [problem.code for problem in problems.all] == ["misspelt-key"]


async def test_of_a_case_that_changes_while_it_is_checked_the_old_findings_are_dropped() -> None:
    document = Document(a_set(case("a,b")).encode())
    problems = EditedDocument(document).problems
    problems.begin()
    cases = [*problems.unedited]
    sources = [case.source() for case in cases]
    problems.changed(document.apply([Set("/eval_cases/0/eval_id", b'"ab"')], "edit"))
    assert problems.put(cases, sources, check_cases(sources)) is False
    assert [*problems.edited] == cases
    sources = [case.source() for case in cases]
    problems.put(cases, sources, check_cases(sources))
    problems.arrange()
    assert problems.all == []


async def test_what_an_earlier_session_left_is_checked_in_the_place_of_the_file() -> None:
    file = OpenFile(Document(GOOD.encode()), HeadlessApp())
    file.document = Document(MISSPELT.encode())
    file.checks.begin()
    await file.checks.run()
    assert file.problems.counted() == "1 error"


async def test_an_added_row_is_checked_after_the_frame_in_which_its_first_field_is_edited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("evaltui.tui.open_file.pending_checks.PAUSE", 3600.0)
    file = OpenFile(Document(GOOD.encode()), HeadlessApp())
    file.checks.begin()
    await file.checks.run()
    file.changed(file.document.apply([Insert("/eval_cases/0/conversation/-", b"{}")], "add turn"), begin=True)
    check = asyncio.create_task(file.checks.run())
    await asyncio.wait([check], timeout=0.1)
    assert file.problems.is_checking
    file.checks.hurry()  # as when the field is left
    await check
    assert not file.problems.is_checking


# --- marks and messages ----------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_message_stands_under_the_field_at_rest_and_while_it_is_edited() -> None:
    async with scenario(a_set(case("a,b"), case("c"))) as s:
        await s.enter("a,b")
        below = s.screen().index(s.line_with("eval_id     a,b")) + 1
        assert s.screen()[below].startswith(("▌!", " !"))
        message = s.screen()[below]
        await s.press("enter", "end", "d")
        assert message.split(":")[0].strip("▌ ") in s.screen()[below]


@pytest.mark.thorough
async def test_a_missing_member_is_said_at_its_line_or_at_the_head_of_the_form() -> None:
    lacking = case("x")
    del lacking["eval_id"]
    async with scenario(a_set(lacking)) as s:
        await s.enter("without an id")
        line = s.screen().index(s.line_with("eval_id"))
        assert "eval_id is required" in s.screen()[line + 1]
    async with scenario(a_set({"eval_id": "x"})) as s:
        await s.enter("x")
        assert s.screen()[2].startswith(("✗", " ✗"))


# --- going to them ---------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_pane_has_the_worst_first_and_leads_to_the_very_field(size: tuple[int, int]) -> None:
    async with scenario(BROKEN, size) as s:
        await s.press("3")
        marks = [row[0] for row in s.rows()]
        assert marks == sorted(marks, key="✗!·".index)
        number = next(n for n, row in enumerate(s.rows()) if "args must be" in row)
        await s.burst("home", *["down"] * number)
        assert "renew_a_loan › turn 1 › tool call 1" in s.cursor()
        await s.press("enter")
        assert s.focused == "form"
        assert "args" in s.cursor()
        s.expect("─ renew_a_loan › turn 1 › tool call 1")


@pytest.mark.thorough
async def test_f8_goes_round_all_problems_from_anywhere() -> None:
    async with scenario(BROKEN) as s:
        await s.press("3")
        count = len(s.rows())
        await s.press("1", "2", "enter")
        assert s.focused == "field"
        seen = []
        for _ in range(count):
            await s.press("f8")
            assert s.focused != "field"
            seen.append(s.status.split(":")[0].strip())
        assert seen == [f"{n} of {count}" for n in range(1, count + 1)]
        await s.press("f8")
        assert s.status.startswith(f" 1 of {count}")
        await s.press("shift+f8")
        assert s.status.startswith(f" {count} of {count}")


@pytest.mark.thorough
async def test_f8_leads_into_views_of_inner_values_and_out_of_them() -> None:
    odd = case("b", session_input={"app_name": "x", "user_id": "u", "state": {}}, rubrics=[{"rubric_id": 5}])
    async with scenario(a_set(case("a,b"), odd)) as s:
        screens = set()
        for _ in range(8):
            await s.press("f8")
            assert "of" in s.status
            screens.add(len(s.app.screen_stack))
        assert screens == {1, 2}
        await s.press("escape", "escape", "escape")


async def test_esc_after_a_jump_to_a_problem_leads_to_its_row() -> None:
    """A link of a form begins a way back; a jump from there begins another."""
    for keys in (("f8",), ("3", "enter"), ("ctrl+g", *"second", "enter")):
        async with scenario(MISSPELT) as s:
            await s.enter("third")
            await s.enter("1 Hi")
            s.expect("─ third › turn 1 ─")
            await s.press(*keys)
            await s.press("escape")
            assert s.focused == "tree"
            await s.press("enter")
            s.expect("─ second")


@pytest.mark.thorough
async def test_header_pane_and_status_line_count_the_same_problems() -> None:
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "polite"}}
    odd = a_set(case("a", misspelt()), case("b", rubrics=[rubric]), case("c", final_session_state={"paid": True}))
    for size in (NARROW, WIDE):
        async with scenario(odd, size) as s:
            counts = {word.rstrip("s"): int(n) for n, word in re.findall(r"(\d+) (errors?|warnings?|infos?)", s.title)}
            total = sum(counts.values())
            assert set(counts) == {"error", "warning", "info"}
            if size == NARROW:
                counted = re.search(r"1 error .*infos?", s.title)
                assert counted
                assert f"{counted[0]} (press 3)" in s.status
            await s.press("3")
            s.expect(f" Problems {total} ")
            assert len(s.rows()) == total
            await s.press("s")
            s.expect(f" Problems {counts['error']} of {total} · errors only ")
            await s.press("4")
            s.expect(f"Problems {counts['error']} of {total}")


# --- showing some of them --------------------------------------------------------------------------------------


async def test_the_pane_shows_some_severities_or_one_case() -> None:
    async with scenario(BROKEN) as s:
        await s.press("3")
        everything = s.rows()
        await s.press("s")
        assert {row[0] for row in s.rows()} == {"✗"}
        s.expect("errors only")
        await s.press("s")
        assert {row[0] for row in s.rows()} == {"✗", "!"}
        await s.press("s")
        assert s.rows() == everything
        await s.press("c")
        assert {row.split()[1] for row in s.rows()} == {"renew_a_loan", "…a_loan"}  # a long place is cut
        assert len(s.rows()) < len(everything)
        await s.press("c")
        assert s.rows() == everything


async def test_the_filter_finds_cases_by_their_problems() -> None:
    sets = a_set(case("good"), case("bad", misspelt()), case("a,b"))
    async with scenario(sets) as s:
        for query, found in [("is:invalid", "bad"), ("is:warning", "a,b"), ("has:fix", "2 of 3")]:
            await s.press("/")
            await s.type(f"{query}\r")
            s.expect("of 3 cases", found)
            await s.press("escape", "escape")


async def test_a_filter_by_problems_follows_what_is_edited() -> None:
    async with scenario(a_set(case("good"), case("bad", misspelt()), case("more"))) as s:
        await s.type("/is:invalid\r")
        s.expect("1 of 3 cases")
        await s.press("f")
        s.expect("0 of 3 cases")
        await s.press("escape", "u")


async def test_the_list_names_a_renamed_case_at_once() -> None:
    async with scenario(a_set(case("first"), case("second", misspelt())), NORMAL) as s:
        s.expect(re.compile(r"second › turn 1  "))
        await s.enter("second", "eval_id")
        await s.press("f7")
        await s.type("last")
        s.expect(re.compile(r"last › turn 1  "))
        assert not s.shows("second › turn 1  ")
        await s.press("ctrl+z")
        s.expect(re.compile(r"second › turn 1  "))


async def test_a_sentence_that_there_are_no_problems_goes_when_there_are_some() -> None:
    async with scenario(MISSPELT) as s:
        view = s.app.file.views[0]
        view.panes.status.say(NO_PROBLEMS + ".")
        view.show_problems()
        assert s.status.strip() == "1 error (press 3)"


async def test_a_problem_of_a_rubric_is_shown_in_the_form_of_the_rubric() -> None:
    rubrics = [{"rubric_id": "a", "rubric_content": {"text_property": text}} for text in ("It asks.", "It says.")]
    async with scenario(a_set(case("first", rubrics=rubrics))) as s:
        await s.press("f8", "f8", "f8")
        assert "first › rubrics › a" in s.screen()[1]
        assert s.focused == "form"
        assert s.cursor().split() == ["string", "a"]  # the line of its rubric_id

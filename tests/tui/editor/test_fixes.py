"""Fixes: one problem by a key, all safe ones after a look, rules explained and ignored."""

import json
import tomllib

import pytest

from evaltui.settings.user_settings import settings_path
from evaltui.tui.launch import settings_in_force
from evaltui.validation.rules.rule_registry import RULES
from tests.tui.editor.test_problems import MISSPELT, a_set, case, misspelt, turn
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, scenario

BROKEN = SAMPLES / "broken.evalset.json"
TWICE = a_set(case("a")).replace('"eval_set_id"', '"name": "x",\n  "name": "y",\n  "eval_set_id"')


async def test_a_key_fixes_the_problem_one_is_at_as_one_step() -> None:
    async with scenario(MISSPELT) as s:
        for keys in (("3", "f"), ("f8", "f9"), ("f8", "alt+q")):
            await s.press(*keys)
            assert s.bytes() == s.original.replace(b"user_contents", b"user_content")
            assert " ".join(s.status.split()) == "fixed second › turn 1: user_contents renamed to user_content u: undo"
            assert "error" not in s.title
            await s.press("ctrl+z")
            assert s.bytes() == s.original
            assert "1 error" in s.title
            await s.start_over()


async def test_the_question_before_all_fixes_tells_the_whole_of_each() -> None:
    async with scenario(BROKEN, NARROW) as s:
        await s.press("F")
        said = " ".join(" ".join(line.strip("│ ") for line in s.screen()).split())
        for code in ("misspelt-key", "duplicate-eval-id"):
            assert all(word in said for word in RULES[code].fix.split()), code
        s.expect("in the style (snake_case", "F  fix them all")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (MISSPELT, "fix: a safe fix. f applies it."),
        (TWICE, "fix?: an unsafe fix. f shows it, a second f applies it."),
    ],
)
async def test_the_hint_of_a_problem_explains_its_fix(text: str, hint: str) -> None:
    async with scenario(text, NORMAL) as s:
        await s.press("3")
        assert s.status.strip() == hint


@pytest.mark.thorough
async def test_of_two_problems_of_a_field_the_one_is_fixed_that_was_gone_to() -> None:
    async with scenario(a_set(case("a,b"), case("a,b"))) as s:
        count = len(s.app.file.problems.rows)
        for _ in range(count):
            await s.press("f8")
            said = s.status
            await s.press("f9")
            assert (s.bytes() != s.original) == ("f9: fix" in said)
            if "f9: show a fix" in said:
                await s.press("f9")
            assert (s.bytes() != s.original) == ("f9" in said)
            if "f9" in said:
                await s.press("ctrl+z")


async def test_what_is_said_at_the_head_of_a_form_is_fixed_there() -> None:
    async with scenario(a_set(case("a", turn(intermediate_data={"tool_uses": [{"id": "c", "name": "look"}]})))) as s:
        await s.press("f8")
        while "f9" not in s.status:
            await s.press("f8")
            assert not s.status.startswith(" 1 of"), "nothing in here has a fix"
        before = s.bytes()
        await s.press("f9", "f9")
        assert s.bytes() != before


@pytest.mark.thorough
async def test_in_the_tree_the_row_is_fixed() -> None:
    async with scenario(MISSPELT) as s:
        await s.to("first")
        await s.press("f")
        assert "No problem here." in s.status
        await s.to("second")
        await s.press("f")
        assert b"user_contents" not in s.bytes()


@pytest.mark.thorough
async def test_a_field_is_fixed_while_one_types_in_it() -> None:
    async with scenario(a_set(case("first"), case("second"))) as s:
        await s.enter("second", "eval_id")
        await s.press("f7")
        await s.type("first")
        assert "1 warning" in s.title
        await s.press("f9")
        assert s.focused == "field"
        s.expect("first_2")
        assert b'"first_2"' in s.bytes()
        assert "warning" not in s.title


async def test_two_presses_in_one_burst_show_an_unsafe_fix_only() -> None:
    async with scenario(TWICE) as s:
        await s.press("3")
        await s.burst("f", "f")
        assert "unsafe fix: Delete the ignored keys" in s.status
        assert s.bytes() == s.original
        await s.press("f")
        assert b'"x"' not in s.bytes()


async def test_what_was_shown_is_forgotten_once_the_text_is_another() -> None:
    async with scenario(TWICE) as s:
        await s.press("3", "f")
        assert s.bytes() == s.original
        assert 'unsafe fix: Delete the ignored keys: − name: "x"' in s.status
        await s.press("f")
        assert b'"x"' not in s.bytes()
        assert "warning" not in s.title
        await s.start_over()
        await s.press("3", "f")
        await s.press("1")
        await s.edit_id("a", "b")
        await s.press("3", "f")
        assert "unsafe fix" in s.status
        assert b'"x"' in s.bytes()


@pytest.mark.thorough
async def test_all_safe_fixes_are_counted_and_done_as_one_step() -> None:
    async with scenario(a_set(case("a", misspelt()), case("a", misspelt()), case("b"))) as s:
        await s.press("F")
        assert s.focused == "fixes question"
        s.expect("Apply 3 safe fixes as one step?", "2  misspelt-key", "1  duplicate-eval-id")
        await s.press("escape")
        assert s.bytes() == s.original
        await s.press("F", "F")
        assert "fixed 3 problems" in s.status
        assert "error" not in s.title
        assert b'"a_2"' in s.bytes()
        await s.press("u")
        assert s.bytes() == s.original
        assert "2 errors 1 warning" in s.title


async def test_without_safe_fixes_that_is_said() -> None:
    async with scenario(TWICE) as s:
        await s.press("F")
        assert "No safe fixes. 1 unsafe fix: " in s.status
    async with scenario('{"a": 1}', name="notes.json") as s:
        await s.press("F")
        assert "Only eval sets and datasets have fixes" in s.status


async def test_nothing_is_fixed_where_one_only_looks() -> None:
    async with scenario(BROKEN) as s:
        s.app.file.readonly = True
        for keys in (("3", "f"), ("F",)):
            await s.press(*keys)
            assert "Read-only" in s.status
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_rule_is_explained() -> None:
    async with scenario(MISSPELT, NORMAL) as s:
        await s.press("3", "full_stop")
        s.expect("error: misspelt-key", "Fix: Rename it to user_content (safe)", "Why", "Instead of")
        await s.press("escape")
        assert s.focused == "problems"


async def test_a_rule_is_ignored_in_this_file_or_everywhere_and_stays_so() -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('# mine\ntheme = "nord"  # dark\n')
    async with scenario(a_set(case("a,b"), case("c", turn(extra=1)))) as s:
        await s.press("3", "I")
        assert "google-adk rejects a file with unknown-key" in s.status
        assert "1 error" in s.title
        await s.press("I")
        assert "unknown-key is ignored everywhere · h: show all rules again" in s.status
        assert "error" not in s.title
        s.expect("1 ignored")
        await s.press("i")
        assert "is ignored in this file" in s.status
        assert "warning" not in s.title
        assert s.bytes() == s.original
    kept = settings_path().read_text()
    assert kept.startswith('# mine\ntheme = "nord"  # dark\n')
    table = tomllib.loads(kept)
    assert table["ignore"] == ["unknown-key"]
    assert table["ignore_in"] == {str(s.path): ["unselectable-eval-id"]}
    assert settings_in_force().ignored_in(s.path) == {"unknown-key", "unselectable-eval-id"}


async def test_settings_that_cannot_be_read_are_left_alone() -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text("theme = \n")
    async with scenario(a_set(case("a,b"))) as s:
        await s.press("3", "i")
        assert "the rule is not ignored" in s.status
        assert "1 warning" in s.title
    assert settings_path().read_text() == "theme = \n"


async def test_what_is_ignored_is_shown_again_by_a_key() -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text('theme = "nord"  # dark\nignore = ["args-absent"]\n[ignore_in]\n"/other" = ["secret"]\n')
    async with scenario(a_set(case("a,b"))) as s:
        await s.press("3", "i")
        assert "warning" not in s.title
        await s.press("h")
        assert "shown again: unselectable-eval-id" in s.status
        assert "1 warning" in s.title
        await s.press("h")
        assert "No rule is ignored." in s.status
    assert tomllib.loads(settings_path().read_text()) == {"theme": "nord", "ignore_in": {"/other": ["secret"]}}


async def test_another_key_between_two_presses_makes_the_second_a_first_one() -> None:
    async with scenario(a_set(case("a,b"), case("c", turn(extra=1)))) as s:
        await s.press("3", "f", "down", "up", "f")
        assert s.bytes() == s.original
        await s.press("f")
        assert s.bytes() != s.original


async def test_a_marked_line_that_leads_on_is_fixed_and_explained_where_it_stands() -> None:
    rubric = {"rubric_id": "r", "rubric_content": {"text_property": "Polite?"}, "type": "TOOL_USE_QUALITY"}
    async with scenario(a_set({**case("a"), "rubrics": [rubric, rubric]})) as s:
        await s.to("a")
        await s.press("enter")
        while "Polite?" not in s.cursor() or "!" not in s.cursor():
            await s.press("down")
        await s.press("f9")
        assert '"r" renamed to "r_2"' in s.status
        assert b'"r_2"' in s.bytes()


async def test_a_key_that_does_something_else_in_the_form_names_the_one_that_fixes() -> None:
    async with scenario(a_set(case("a,b"))) as s:
        await s.press("f8", "f")
        assert "f9: fix the problem" in s.status


async def test_the_keys_line_follows_the_problem() -> None:
    call = {"name": "f", "args": []}
    async with scenario(a_set(case("a,b", turn(intermediate_data={"tool_uses": [call]})))) as s:
        await s.press("3")
        rows = s.rows()
        offered = []
        for _ in rows:
            offered.append("f fix" in s.keys)
            await s.press("down")
        assert offered == ["fix" in row.rpartition("  ")[2] for row in rows]
        assert len(set(offered)) == 2


async def test_a_fix_inside_a_case_is_called_unsafe_in_a_set_that_other_programs_read() -> None:
    turn = {"userContent": {"parts": [{"text": "Hi"}]}}
    case = {"evalId": "a", "conversation": [turn], "creationTimestamp": 1747000000000000}
    async with scenario(json.dumps({"evalSetId": "s", "evalCases": [case]}), WIDE) as s:
        fixes = [problem.fix for problem in s.app.file.problems.all if problem.fix is not None]
        assert fixes
        assert not any(fix.safe for fix in fixes)


async def test_undo_of_a_fix_selects_the_problem_that_is_back() -> None:
    """And what was said about the fix of another row is gone once its pane is left."""
    async with scenario(BROKEN) as s:
        await s.press("3")
        await s.to("fix?")
        first = s.cursor()
        await s.press("f", "f")
        assert s.cursor() != first
        await s.press("u")
        assert s.cursor() == first
        await s.press("f")
        assert "unsafe fix" in s.status
        await s.press("escape")
        assert "unsafe fix" not in s.status


async def test_a_fix_of_the_whole_file_has_no_name_before_its_colon() -> None:
    async with scenario("{}") as s:
        await s.press("f9", "f9")
        assert s.status.strip().startswith("fixed: added eval_set_id"), s.status

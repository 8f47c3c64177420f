"""The run: cases and their scores, the way to them, and what is said where there are none."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.lines import text_of
from evaltui.tui.panes.scores_pane import ScoresPane
from tests.sampling import sampled
from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, history, recording_with, turn
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario


@asynccontextmanager
async def scored(size: tuple[int, int] = WIDE, recording: str = RECORDING, **beside: str) -> AsyncIterator[Scenario]:
    async with scenario(SET, size, beside={"actual.json": recording, **beside}, recordings=["actual.json"]) as s:
        yield s


def lines(s: Scenario) -> list[str]:
    return [" ".join(row.split()) for row in s.rows()]


# --- what is shown ---------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_in_a_wide_terminal_the_last_columns_stay_near_the_scores() -> None:
    async with scored((240, 50)) as s:
        await s.press("4")
        head = next(line for line in s.screen() if line.rstrip().endswith("age"))
        case = next(line for line in s.screen() if line.rstrip().endswith("actual.json     now"))
        assert len(head.rstrip()) == len(case.rstrip()) < 200
        assert "invocation_duration" in head


@pytest.mark.drawn
@pytest.mark.parametrize("case", ["case_5", "greeting"])
async def test_an_id_is_shown_while_it_is_typed(case: str) -> None:
    async with scored() as s:
        await s.to("greeting")
        await s.press("a", "escape", "4", "1")
        await s.to(case)
        await s.press("enter")
        await s.enter("eval_id")
        await s.press("home", "x", "y", "z")
        assert f"xyz{case}" in next(line for line in s.screen()[-13:] if case in line)


async def test_a_narrow_terminal_has_hints_for_what_has_no_room() -> None:
    async with scored(NARROW) as s:
        # In a narrow terminal what has no room is said of the selected case.
        assert "scores 1 ✓ 2 ✗ 1 – (press 4)" in s.status
        await s.press("4")
        s.expect("4 more", "actual.json")
        await s.press("down", "up")
        assert "tool_call_count 1.50" in s.status
        await s.press("1")

        # A hint of the run does not stay in the tree.
        await s.press("4", "end")
        assert s.status.strip() == "enter: show the whole line"
        await s.press("escape")
        assert s.focused == "tree"
        assert "enter:" not in s.status
        await s.press("4", "home")
        assert "tool_call_count" in s.status
        await s.press("1")
        assert "tool_call_count_v1" not in s.status

        # The heading of why is in sight although a scrollbar narrows the form.
        await s.press("4", "enter")
        assert "Why" in s.cursor()
        s.expect("▌Why")


async def test_tree_and_scores_show_verdicts_and_lead_to_what_fails() -> None:
    async with scored() as s:
        # The tree shows verdicts and the score that decides.
        rows = lines(s)
        assert "▾ ✗ book_flight 0.50" in rows
        assert "▸ ✓ 1 Find me a flight 1.00" in rows
        assert "▸ ✗ 2 Book the first 0.00" in rows
        assert "▾ – escalate" in rows
        assert "▾ ✓ greeting 0.92" in rows

        # A click leads there too.
        await s.click("1 turn recorded")
        s.expect("─ too_long ─")
        assert s.focused == "form"
        await s.press("escape", "escape", "1", "home")

        # A run shows each case with its scores failing first.
        await s.press("4")
        assert s.focused == "run"
        assert re.fullmatch(
            r"1 of 4 pass \(25 %\) · scored \d\d:\d\d:\d\d · sorted: failing first · took \d+\.\d\d s", lines(s)[0]
        )
        assert lines(s)[1:] == [
            "case tool_trajectory response_match tool_call_count inference_call_count token_usage 1 more recording age",
            "✗ book_flight ✗ 0.50 < 1.00 ✗ 0.65 < 0.80 1.50 – – actual.json now",
            "✗ too_long 1 turn recorded, 2 expected actual.json now",
            "– escalate there is no recording of this case",
            "✓ greeting ✓ 1.00 ≥ 1.00 ✓ 0.92 ≥ 0.80 0.00 – – actual.json now",
            '! actual.json: conversation nobody skipped: case "nobody" is not in this eval set; '
            "no case has the same first user message",
        ]
        s.expect("─ Scores 1 ✓ 2 ✗ 1 – · google-adk's defaults")
        assert s.title.endswith("4 cases  1 ✓ 2 ✗ 1 –")
        await s.press("escape", "escape", "1", "home")

        # Enter on a case that failed as a whole leads to its form.
        await s.press("4", "home", "down", "enter")
        s.expect("─ too_long ─")
        assert "✗ 1 turn recorded, 2 expected" in "\n".join(s.rows())
        await s.press("escape", "escape", "1", "home")

        # Brackets step through failing cases and stay in their pane.
        await s.press("right_square_bracket")
        assert "2 Book the first" in s.cursor()
        assert s.status.strip() == "Failing case 1 of 2: book_flight › turn 2"
        await s.press("right_square_bracket")
        assert "too_long" in s.cursor()
        await s.press("right_square_bracket")
        assert "2 Book the first" in s.cursor()
        assert s.status.strip() == "No more failing turns and cases. Back at the first: book_flight › turn 2"
        await s.press("left_square_bracket")
        assert "too_long" in s.cursor()
        assert s.status.strip() == "No more failing turns and cases. Back at the last: too_long"
        await s.press("2", "left_square_bracket")
        assert s.focused == "form"
        assert "Why" in s.cursor()
        await s.press("escape", "escape", "1", "home")

        # Going on in the tree makes room for what is known of the row.
        await s.press("right_square_bracket")
        assert "Failing case" in s.status
        await s.press("up")
        assert "Failing case" not in s.status
        assert "1.00" in s.status
        await s.press("escape", "escape", "1", "home")

        # The filter knows verdicts.
        for query, found in {
            "is:failing": ["book_flight", "too_long"],
            "is:passing": ["greeting"],
            "is:unscored": ["escalate"],
            "is:outdated": [],
        }.items():
            await s.press("slash")
            await s.type(query)
            await s.press("enter")
            cases = [case for case in EXPECTED if any(case in row for row in s.rows())]
            assert cases == found
            await s.press("escape")


@pytest.mark.thorough
async def test_the_config_beside_the_set_decides_and_f5_reads_it_anew() -> None:
    config = '{"criteria": {"response_match_score": 0.95}}'
    async with scored(test_config=config) as s:  # a file of another name
        s.expect("google-adk's defaults")
        (s.path.parent / "test_config.json").write_text(config)
        await s.press("f5")
        s.expect("test_config.json")
        assert "scored: 3 failed, 1 not evaluated" in s.status
        await s.press("4")
        assert "✗ greeting ✗ 0.92 < 0.95" in " ".join(lines(s))
        assert "tool_trajectory" not in lines(s)[1]


async def test_a_named_config_holds_for_scores_and_for_problems() -> None:
    config = '{"criteria": {"rubric_based_final_response_quality_v1": {"threshold": 0.8, "rubrics": []}}}'
    beside = {"actual.json": RECORDING, "other.json": config}
    async with scenario(SET, WIDE, beside=beside, recordings=["actual.json"], config="other.json") as s:
        assert s.title.endswith("1 warning  1 ✗ 3 –")
        await s.press("3")
        assert "rubric" in s.cursor()


async def test_a_config_that_does_not_hold_is_said_and_no_old_score_stays() -> None:
    async with scored() as s:
        config = s.path.parent / "test_config.json"
        config.write_text('{"criteria": ')
        await s.press("f5", "4")
        assert "✓" not in s.title
        assert "4 outdated" in s.title
        assert lines(s)[0].startswith("outdated: test_config.json:1:14: invalid JSON")
        assert all(line.startswith("~") for line in lines(s)[2:6])
        config.unlink()
        await s.press("f5")
        s.expect("Scores 1 ✓ 2 ✗ 1 –")


async def test_what_is_not_evaluated_says_why() -> None:
    config = '{"criteria": {"tool_trajectory_avg_score": 0.5, "final_response_match_v2": 0.8}}'
    beside = {"actual.json": RECORDING, "judge.json": config}
    async with scenario(SET, WIDE, beside=beside, recordings=["actual.json"], config="judge.json") as s:
        await s.press("4")
        assert any("final_response_match_v2 is not evaluated for 2 cases: " in line for line in lines(s))
        await s.press("end", *["up"] * 2)
        assert "final_response_match_v2: " in s.status
        await s.press("enter")
        assert any("– final_response_match_v2 not evaluated" in line for line in lines(s))


# --- recordings ------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_recordings_are_found_beside_the_set() -> None:
    async with scenario(SET, WIDE, beside=history({each: ACTUAL[each] for each in ("greeting", "book_flight")})) as s:
        s.expect("Scores 1 ✓ 1 ✗ 2 –", "app_trips_1760000000.5")


@pytest.mark.thorough
async def test_without_recordings_nothing_is_marked_and_the_pane_says_what_to_do() -> None:
    async with scenario(SET, WIDE) as s:
        assert not s.shows("Scores")
        assert "✓" not in "".join(s.rows())
        await s.press("4")
        s.expect("No recordings. Press H to add one, f6 to run the agent.")
        await s.press("enter")
        assert "No recordings" in s.status
        await s.press("escape", "]")
        assert s.focused == "tree"


async def test_a_recording_that_cannot_be_read_is_a_line_and_the_others_count() -> None:
    beside = {"actual.json": RECORDING, "broken.json": '{"resourceSpans": ['}
    async with scenario(SET, WIDE, beside=beside, recordings=["broken.json", "actual.json", "gone.json"]) as s:
        await s.press("4")
        shown = "\n".join(lines(s))
        assert "✗ book_flight ✗ 0.50" in shown
        assert "broken.json" in shown
        assert "gone.json" in shown


async def test_enter_shows_a_sentence_that_is_cut_in_full() -> None:
    for size in (NARROW, NORMAL):
        async with scored(size) as s:
            await s.press("4", "end")
            assert "nobody skipped" in s.cursor()
            if size == NARROW:
                assert s.status.strip() == "enter: show the whole line"
                assert not s.shows("the same first user message")
            assert "enter read" in s.keys
            await s.press("enter")
            assert s.focused == "TextScreen"
            s.expect(
                "─ warning ─",
                re.compile(r"no\W+case\W+has\W+the\W+same\W+first\W+user\W+message"),
            )
            await s.press("escape")
            assert s.focused == "run"
            assert "nobody skipped" in s.cursor()


@pytest.mark.thorough
async def test_the_reason_of_a_case_that_is_cut_is_told_by_its_form() -> None:
    long = {"case_" + "x" * 40: [turn(1, "Say", "Said"), turn(2, "More", "Said")], "other": [turn(1, "A", "B")]}
    shorter = {name: turns[:1] for name, turns in long.items()}
    beside = {"actual.json": a_set(shorter)}
    async with scenario(a_set(long), (44, 24), beside=beside, recordings=["actual.json"]) as s:
        await s.press("4", "down", "up")
        assert s.status.strip() == "1 turn recorded, 2 expected"
        await s.press("enter")
        assert "1 turn recorded, 2 expected" in " ".join("\n".join(s.rows()).split())


async def test_why_nothing_could_be_scored_is_said_over_several_lines() -> None:
    config = '{"criteria": {"response_match_score": "' + "much " * 30 + '"}}'
    beside = {"actual.json": RECORDING, "test_config.json": config}
    async with scenario(SET, NARROW, beside=beside, recordings=["actual.json"]) as s:
        await s.press("f5", "4")
        said = " ".join(" ".join(lines(s)).split())
        assert said.startswith("not scored: ")
        assert said.endswith("press f5 to try again")
        assert 1 < len(lines(s)) < 7
        await s.press("end", "home", "down", "enter")
        assert s.focused == "TextScreen"
        await s.press("escape")
        await s.resize(200, 30)
        (s.path.parent / "test_config.json").unlink()
        await s.press("f5")
        assert lines(s)[2].startswith("✗ book_flight")
        await s.click("1 turn recorded")
        s.expect("─ too_long ─")


@pytest.mark.thorough
async def test_recordings_none_of_which_can_be_read_score_nothing() -> None:
    async with scored(recording="nothing") as s:
        await s.press("4")
        assert "No recording could be read" in lines(s)[0]
        assert "actual.json" in lines(s)[1]
        (s.path.parent / "actual.json").write_text(RECORDING)
        await s.press("f5")
        s.expect("Scores 1 ✓ 2 ✗ 1 –")


# --- edits -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_scores_follow_moves_edits_undo_and_f5() -> None:
    async with scored() as s:
        # Scores stay with their cases across moves deletions and undo.
        await s.to("book_flight")
        await s.press("alt+up")
        assert lines(s)[1] == "▾ ✗ book_flight ● 0.50"
        assert "~" not in s.title
        await s.press("d")
        assert s.title.endswith("1 ✓ 1 ✗ 1 –")
        await s.press("u", "u")
        assert s.title.endswith("1 ✓ 2 ✗ 1 –")

        # Undo makes a score current again.
        await s.enter("Hello")
        await s.edit("Hello", "Good day")
        assert "1 outdated" in s.title
        await s.press("u")
        assert s.title.endswith("1 ✓ 2 ✗ 1 –")
        await s.press("U")
        assert s.title.endswith("2 ✗ 1 – 1 outdated")
        await s.press("u", "escape", "escape")

        # F5 scores what is not saved.
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Completely other words")
        await s.press("f5")
        assert s.is_dirty
        assert s.title.endswith("3 ✗ 1 –")
        assert "scored: 3 failed, 1 not evaluated" in s.status


@pytest.mark.thorough
async def test_a_new_case_is_not_scored_yet() -> None:
    async with scored() as s:
        await s.to("greeting")
        await s.press("c", "4")
        assert "not scored yet" in "\n".join(lines(s))
        assert s.title.endswith("5 cases  1 warning  1 ✓ 2 ✗ 1 –") or "5 cases" in s.title


async def test_what_others_wrote_is_scored() -> None:
    async with scored() as s:
        s.path.write_text(a_set({"greeting": [turn(1, "Hello", "Nothing of the kind")]}))
        await s.press("R")
        assert s.title.endswith("1 case  1 ✗")


@pytest.mark.thorough
async def test_a_result_that_comes_meanwhile_is_found_by_the_next_save() -> None:
    async with scenario(SET, WIDE) as s:
        for name, content in history({"greeting": ACTUAL["greeting"]}).items():
            (s.path.parent / name).parent.mkdir(parents=True)
            (s.path.parent / name).write_text(content)
        await s.enter("Hello")
        await s.edit("Hello", "Good day")
        await s.press("ctrl+s")
        s.expect("Scores 1 ✓ 3 –")


@pytest.mark.thorough
async def test_what_is_saved_elsewhere_is_scored_with_the_recordings_there() -> None:
    async with scenario(SET, WIDE, beside=history({"greeting": ACTUAL["greeting"]})) as s:
        s.expect("Scores 1 ✓ 3 –")
        (s.path.parent / "other").mkdir()
        await s.press("S", "f7")
        await s.type(f"{s.path.parent}/other/set.evalset.json\r")
        s.expect("Saved as")
        assert "✓" not in s.title


@pytest.mark.thorough
async def test_a_save_says_what_it_scored_and_makes_outdated_scores_current() -> None:
    async with scored() as s:
        # A save says which case passes or fails since.
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Completely other words")
        await s.press("ctrl+s")
        assert s.status.strip() == "Saved set.evalset.json. Scored again: greeting fails now, 0 of 4 cases pass."
        await s.press("f7", "ctrl+s")
        assert "now" not in s.status
        await s.edit("Completely", "Hi, how can I help you today?")
        await s.press("ctrl+s")
        assert "greeting passes now" in s.status
        await s.press("escape", "escape", "home")

        # An edited case is stale until it is saved.
        await s.enter("Hello")
        await s.edit("Hello", "Good day")
        s.expect("Scores 2 ✗ 1 – 1 outdated", "~ greeting", "~ outdated: edited since it was scored")
        assert s.title.endswith("2 ✗ 1 – 1 outdated")
        await s.press("escape", "ctrl+s")
        s.expect("Scores 1 ✓ 2 ✗ 1 –")
        assert not s.shows("outdated")


@pytest.mark.thorough
async def test_of_several_cases_a_run_says_how_many_pass_or_fail_since() -> None:
    changed = {**ACTUAL, "greeting": [turn(1, "Hello", "No")], "too_long": EXPECTED["too_long"]}
    changed["escalate"], changed["book_flight"] = EXPECTED["escalate"], EXPECTED["book_flight"]
    async with scored() as s:
        (s.path.parent / "actual.json").write_text(a_set(changed))
        await s.press("f5")
        assert s.status.strip() == "scored: 3 passed, 1 failed · 3 cases pass now, 1 fails now"


async def test_what_is_said_meanwhile_stays_when_the_scores_of_a_save_come() -> None:
    async with scored() as s:
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Completely other words")
        screen = s.app.screen
        assert isinstance(screen, EditScreen)
        s.app.file.scorer.score_saved(screen.panes.status.text)
        screen.panes.status.say("something newer")
        await s.settle()
        assert s.status.strip() == "something newer"


# --- the way to what fails -------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_w_leads_from_the_scores_to_why_the_first_failing_turn_fails_and_says_so() -> None:
    for size in sampled((NARROW, NORMAL, WIDE)):
        async with scored(size) as s:
            await s.press("4")
            assert "w why turn 2 fails" in s.keys
            await s.press("w")
            assert s.focused == "form"
            s.expect("book_flight › turn 2", "response_match_score 0.")
            assert "Why" in s.cursor()


@pytest.mark.thorough
async def test_enter_leads_to_the_first_failing_turn_and_why() -> None:
    for size in sampled((NARROW, NORMAL, WIDE)):
        async with scored(size) as s:
            await s.press("4", "enter")
            assert s.focused == "form"
            s.expect("book_flight › turn 2", "response_match_score 0.")
            assert "Why" in s.cursor()
            assert s.status == ""


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE], 1))
async def test_the_status_line_names_the_metric_of_the_score_beside_a_row(size: tuple[int, int]) -> None:
    async with scored(size) as s:
        named = {}
        for row in ("book_flight", "Book the first", "greeting", "escalate"):
            await s.to(row)
            named[row] = s.status.split("  ")[-1].strip()
        assert named["book_flight"] == "tool_trajectory 0.50 < 1.00"
        assert named["Book the first"] == "tool_trajectory 0.00 < 1.00"
        assert named["greeting"] == "response_match 0.92 ≥ 0.80"
        assert "tool_trajectory" not in named["escalate"]
        assert "response_match" not in named["escalate"]
        await s.enter("book_flight")
        assert "tool_trajectory" not in s.status


SEVERAL = {
    "first": [turn(1, "Ask a", "Right."), turn(2, "Ask b", "Right."), turn(3, "Ask c", "Right.")],
    "second": [turn(1, "Ask d", "Right."), turn(2, "Ask e", "Right.")],
}
WRONG = {
    "first": [turn(1, "Ask a", "No."), turn(2, "Ask b", "Right."), turn(3, "Ask c", "No.")],
    "second": [turn(1, "Ask d", "No."), turn(2, "Ask e", "No.")],
}


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(100, 42), WIDE], 1))
async def test_brackets_show_why_and_the_user_message_if_both_fit(size: tuple[int, int]) -> None:
    long = "\n".join(f"line {number}" for number in range(60))
    named = {"actual.json": a_set({"first": [turn(1, "Ask a", long)]})}
    async with scenario(
        a_set({"first": [turn(1, "Ask a", "Right.")]}), size, beside=named, recordings=["actual.json"]
    ) as s:
        await s.press("right_square_bracket")
        s.expect("Why  actual.json")
        s.expect(re.compile(r" User *│?\n"))


@pytest.mark.thorough
async def test_brackets_stop_at_every_failing_turn_both_ways() -> None:
    named = {"actual.json": a_set(WRONG)}
    async with scenario(a_set(SEVERAL), WIDE, beside=named, recordings=["actual.json"]) as s:
        await s.press("home")
        order = ["1 Ask a", "3 Ask c", "1 Ask d", "2 Ask e"]
        for wanted in [*order, order[0]]:
            assert "Back at" not in s.status
            await s.press("right_square_bracket")
            assert wanted in s.cursor()
        assert "No more failing turns. Back at the first: first › turn 1" in s.status
        await s.press("home", "right_square_bracket")
        assert "Failing turn 1 of 2 in failing case 1 of 2: first › turn 1" in s.status
        await s.press("right_square_bracket")
        assert "Failing turn 2 of 2 in failing case 1 of 2: first › turn 3" in s.status
        await s.press("left_square_bracket")
        for wanted in [*reversed(order), order[-1]]:
            await s.press("left_square_bracket")
            assert wanted in s.cursor()
        assert "No more failing turns. Back at the last: second › turn 2" in s.status
        await s.to("second")
        await s.press("left_square_bracket")
        assert "3 Ask c" in s.cursor()
        await s.to("2 Ask b")
        await s.press("right_square_bracket")
        assert "3 Ask c" in s.cursor()
        await s.to("second")
        await s.press("right_square_bracket")
        assert "1 Ask d" in s.cursor()


@pytest.mark.thorough
async def test_esc_after_a_jump_leads_to_the_row_where_one_is_now() -> None:
    for size in sampled((NARROW, WIDE), 1):
        async with scored(size) as s:
            for keys, row in [
                (("right_square_bracket",), "too_long"),
                (("left_square_bracket",), "2 Book the first"),
                (("4", "home", "enter"), "2 Book the first"),
                (("4", "home", "down", "enter"), "too_long"),
            ]:
                await s.to("Get me a human")
                await s.press("enter")
                assert s.focused == "form"
                await s.press(*keys)
                assert s.focused == "form"
                await s.press("escape")
                assert s.focused == "tree", keys
                assert row in s.cursor()


async def test_an_edited_case_is_outdated_and_stays_in_the_filter_till_it_is_scored() -> None:
    async with scored() as s:
        # A stale case is not among the failing ones.
        await s.edit_id("too_long", "much_too_long")
        await s.press("escape", "right_square_bracket")
        assert s.status.strip() == "The only failing turn: book_flight › turn 2"
        await s.press("home", "right_square_bracket")
        assert s.status.strip() == "Failing case 1 of 1: book_flight › turn 2"
        for query, found in {"is:failing": ["book_flight"], "is:outdated": ["too_long"]}.items():
            await s.press("slash")
            await s.type(query)
            await s.press("enter")
            assert [case for case in EXPECTED if any(case in row for row in s.rows())] == found
            await s.press("escape")
        await s.press("u", "home")

        # A case one edits stays in the filter of failing ones till it is scored.
        await s.press("slash")
        await s.type("is:failing")
        await s.press("enter")
        await s.edit_id("too_long", "much_too_long")
        assert s.focused == "form"
        await s.press("escape")
        assert "much_too_long" in s.cursor()
        await s.press("u", "U")
        assert "much_too_long" in s.cursor()
        await s.press("home", "slash")
        await s.type(" -is:dirty")
        await s.press("enter")
        assert not any("too_long" in row for row in s.rows())


@pytest.mark.thorough
async def test_where_no_case_failed_it_is_said_how_many_are_not_known() -> None:
    async with scored(recording=a_set({"nobody": ACTUAL["nobody"]})) as s:
        await s.press("right_square_bracket")
        assert s.status.strip() == "No case failed; 4 cases are not evaluated."
    async with scenario(SET, WIDE) as s:
        await s.press("right_square_bracket")
        assert s.status.strip() == "No recordings. Press H to add one, f6 to run the agent."


async def test_a_case_that_passes_after_a_save_leaves_the_filter_of_failing_ones() -> None:
    good = recording_with("too_long", turn(1, "Long", "One."), turn(2, "Longer", "Two."))
    async with scored() as s:
        await s.press("slash")
        await s.type("is:failing")
        await s.press("enter")
        (s.path.parent / "actual.json").write_text(good)
        await s.press("f5")
        assert not any("too_long" in row for row in s.rows())
        assert any("book_flight" in row for row in s.rows())


async def test_who_types_stays_in_the_field_when_the_case_leaves_the_filter() -> None:
    passing = recording_with("escalate", turn(1, "Get me a human", "Done.", ("handover", {})))
    async with scored(recording=passing) as s:
        await s.press("slash")
        await s.type("is:failing")
        await s.press("enter")
        await s.to("Get me a human")
        await s.press("enter")
        await s.to("I hand you over.")
        await s.press("enter", "f7")
        await s.type("Done.")
        await s.press("ctrl+s")
        assert s.focused == "field"
        await s.type("!")
        assert b"Done.!" in s.bytes()
        await s.press("escape", "ctrl+s", "escape")
        assert not any("escalate" in row for row in s.rows())


# --- panes -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_problems_and_run_share_their_place() -> None:
    odd = SET.replace('"greeting"', '"greeting, odd"')
    async with scenario(odd, WIDE, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        s.expect("─ Problems 1 ─ Scores 1 ✓ 2 ✗ 1 –")
        await s.press("4")
        s.expect("─ Scores 1 ✓ 2 ✗ 1 – · google-adk's defaults ─ Problems 1")
        await s.press("escape")
        s.expect("─ Scores 1 ✓ 2 ✗")
        await s.press("3")
        s.expect("─ Problems 1")
        await s.press("tab")
        assert s.focused == "run"
        await s.press("tab")
        assert s.focused == "tree"


INFORMS = SET.replace('"eval_id": "greeting",', '"eval_id": "greeting", "final_session_state": {"a": 1},')


@pytest.mark.thorough
async def test_scores_of_which_some_fail_go_before_problems_that_only_inform() -> None:
    beside = {"actual.json": RECORDING}
    for size in sampled((NORMAL, WIDE), 1):
        async with scenario(INFORMS, size, beside=beside, recordings=["actual.json"]) as s:
            s.expect("─ Scores 1 ✓ 2 ✗ 1 – · google-adk's defaults ─ Problems 1")
            assert s.status.strip().startswith("1 info (press 3) · final_session_state is never scored")
            await s.press("3", "escape")
            s.expect("─ Problems 1 ─ Scores")
    passing = {"actual.json": a_set({"greeting": EXPECTED["greeting"]})}
    async with scenario(INFORMS, WIDE, beside=passing, recordings=["actual.json"]) as s:
        s.expect("─ Problems 1 ─ Scores 1 ✓ 3 –")


@pytest.mark.thorough
async def test_the_first_hint_leads_to_scores_of_which_some_fail_unless_there_are_errors() -> None:
    beside = {"actual.json": RECORDING}
    async with scenario(INFORMS, NARROW, beside=beside, recordings=["actual.json"]) as s:
        assert s.status.strip().startswith("scores 1 ✓ 2 ✗ 1 – (press 4) · 1 info (press 3)")
        assert "· ·" not in s.status
    broken = SET.replace('"final_response"', '"final_responses"', 1)
    async with scenario(broken, NARROW, beside=beside, recordings=["actual.json"]) as s:
        assert s.status.strip().startswith("1 error (press 3) · ✗ ")


async def test_the_head_stays_while_the_lines_scroll() -> None:
    many = {f"case_{number:02}": [turn(1, f"Say {number}", f"Said {number}")] for number in range(40)}
    async with scenario(a_set(many), NORMAL, beside={"all.json": a_set(many)}, recordings=["all.json"]) as s:
        await s.press("4", "end")
        s.expect("case_39", "tool_trajectory")
        await s.press("k", "k")
        assert "case_37" in s.cursor()
        await s.press("home")
        s.expect("case_00")
        await s.press("pagedown", "pageup")
        assert "case_00" in s.cursor()
        await s.press("z")
        s.expect("case_20", "tool_trajectory")


async def test_json_that_is_no_eval_set_has_no_run() -> None:
    async with scenario("[1, 2]", name="list.json", beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4")
        assert "Only cases of eval sets are scored." in s.status
        await s.press("f5")
        assert "Only cases of eval sets are scored." in s.status


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE], 1))
async def test_the_columns_stay_in_place_with_another_filter_and_order(size: tuple[int, int]) -> None:
    async with scored(size) as s:
        await s.press("4")
        pane = s.app.screen.query_one(ScoresPane)

        def places() -> tuple[str, int]:
            head, row = (text_of(pane.line(at)) for at in (1, 2))
            return head, row.index("actu")

        everywhere = places()
        await s.press("f")
        assert places() == everywhere
        await s.press("a", "s")
        assert places() == everywhere
        texts = ["".join(segment.text for segment in pane.render_line(y)) for y in (1, 2)]
        assert texts[0].index("recording") == texts[1].index("actu"), "the name stands below its title"


@pytest.mark.thorough
async def test_the_columns_fit_the_pane_after_the_terminal_was_resized() -> None:
    async with scored(WIDE) as s:
        await s.press("4")
        wide = lines(s)
    async with scored(NARROW) as s:
        await s.press("4")
        assert lines(s)[1] != wide[1]
        await s.resize(*WIDE)
        assert lines(s)[1] == wide[1]


@pytest.mark.thorough
async def test_a_status_line_too_narrow_for_the_threshold_names_the_metric_alone() -> None:
    beside = {"actual.json": RECORDING}
    async with scenario(INFORMS, (64, 24), beside=beside, recordings=["actual.json"]) as s:
        await s.to("Book the first")
        assert s.status.endswith("  score: tool_trajectory")

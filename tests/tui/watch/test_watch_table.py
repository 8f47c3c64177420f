"""The table of a watch: rows and their marks, what is outdated, keys, hostile texts, and large sets."""

import json
import re
from pathlib import Path

import pytest

from evaltui.tui.watch.watch_screen import WatchScreen
from tests.sampling import sampled
from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, recording_with, turn
from tests.tui.watch.tables import NARROW, WIDE, Table, failure, table, troubles, work

FILES = {"set.evalset.json": SET, "actual.json": RECORDING}
OTHER_WORDS = recording_with("greeting", turn(1, "Hello", "Other words"))


def rows(s: Table) -> list[str]:
    """The lines of the table, with single blanks."""
    return [" ".join(line.split()) for line in s.rows()]


@pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1))
async def test_failing_cases_come_first_with_their_scores(tmp_path: Path, size: tuple[int, int]) -> None:
    async with table(tmp_path, FILES, size) as s:
        assert [row.split()[:2] for row in rows(s)[:4]] == [
            ["✗", "book_flight"],
            ["✗", "too_long"],
            ["–", "escalate"],
            ["✓", "greeting"],
        ]
        s.expect("1 of 4 pass (25 %) · sorted: failing first", "✗ 0.50 < 1.00", "there is no recording of this case")
        assert re.search(r"set\.evalset\.json +\d\d:\d\d:\d\d, 0\.12 s$", s.title)
        assert s.loop.asked == ["run"]


async def test_what_changed_is_marked_and_said_and_a_second_look_wipes_no_mark(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE) as s:
        (tmp_path / "actual.json").write_text(OTHER_WORDS)
        await s.change("actual.json")
        row = next(row for row in rows(s) if "greeting" in row)
        assert row.startswith("✗ greeting")
        assert re.search(r"▼ -0\.\d\d fails now, text changed", row)
        s.expect("▼1", "after actual.json", "actual.json changed: 1 case fails now.")
        await s.change()
        s.expect("▼1", "after actual.json")
        (tmp_path / "actual.json").write_text(RECORDING)
        await s.change("actual.json")
        s.expect("▲1", "actual.json changed: 1 case passes now.")


async def test_a_change_is_below_its_head_and_the_reason_without_a_score_below_the_scores(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, (62, 24)) as s:
        longer = recording_with("too_long", *(turn(number, "Long", "Text") for number in range(3)))
        (tmp_path / "actual.json").write_text(longer)
        await s.change("actual.json")
        head, row = (next(row for row in s.screen() if word in row) for word in ("  case ", "✗ too_long"))
        assert row.index("changed") == head.index("change")
        assert row.index("3 turns recorded, 2 expected") == head.index("tool_trajectory")
        (tmp_path / "actual.json").write_text(recording_with("greeting"))
        await s.change("actual.json")
        await s.press("home", "down", "down")
        assert "there is no recording of this…   –" in s.cursor()
        assert "there is no recording of this case" in s.status


async def test_a_broken_source_marks_all_rows_until_it_is_well(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.tell(troubles("set.evalset.json:7:5: invalid JSON: the text ends here"))
        assert all(row.startswith("~") for row in rows(s)[:4])
        s.expect("outdated: set.evalset.json:7:5: invalid JSON")
        assert "pass" not in " ".join(s.lines()[:4])
        await s.tell(WatchScreen.end_work)
        assert all(row.startswith("~") for row in rows(s)[:4])
        await s.press("enter")
        s.expect("failed, outdated")
        await s.press("escape")
        await s.change()
        s.expect("1 of 4 pass")
        assert "~" not in " ".join(rows(s))


async def test_a_source_that_is_gone_is_said_above_scores_that_are_current(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.tell(troubles("x.json: this file is gone"))
        await s.tell(lambda table: table.take_run(s.runs.next(), ("x.json: this file is gone",)))
        s.expect("! x.json: this file is gone", "1 of 4 pass")
        assert rows(s)[0].startswith("✗")


async def test_many_long_sentences_leave_room_for_rows(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.tell(troubles(*(f"{number}.json: {'very ' * 200}broken" for number in range(20))))
        s.expect("0.json: very very", "… 17 more sources cannot be used", "~ book_flight")


async def test_filters_and_orders_offer_only_what_shows_something_else(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE) as s:
        for key in ("enter why", "f failing", "s sort", "p pause", "f5 again", "? help", "q quit"):
            assert key in s.keys
        for key in ("a all", "o changed"):
            assert key not in s.keys
        await s.press("f")
        assert [row.split()[1] for row in rows(s)[:2]] == ["book_flight", "too_long"]
        s.expect("only failing: 2")
        assert "a all" in s.keys
        await s.press("a", "s")
        assert [row.split()[1] for row in rows(s)[:4]] == ["greeting", "book_flight", "escalate", "too_long"]
        s.expect("Sorted: file order.")
        (tmp_path / "actual.json").write_text(OTHER_WORDS)
        await s.change("actual.json")
        assert "o changed" in s.keys
        await s.press("o")
        assert [row.split()[1] for row in rows(s)[:1]] == ["greeting"]
        s.expect("only changed: 1")


async def test_a_filter_that_leaves_nothing_names_the_key_that_shows_all(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.press("o")
        s.expect("No case changed. Press a to show all cases.")
        await s.press("f", "a")
        s.expect("4 pass")


@pytest.mark.thorough
async def test_the_cursor_stays_on_its_case(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.press("down", "down", "down")
        assert "greeting" in s.cursor()
        (tmp_path / "actual.json").write_text(OTHER_WORDS)
        await s.change("actual.json")
        assert "greeting" in s.cursor()
        await s.press("s")
        assert "greeting" in s.cursor()


async def test_enter_shows_why_in_full(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE) as s:
        await s.press("enter")
        assert s.focused == "TextScreen"
        s.expect("book_flight · ", "✗ failed", "tool_trajectory_avg_score 0.50 < 1.00", "flight_id", "actual.json")
        await s.press("escape", "end", "enter")
        s.expect("Note", "nobody")


async def test_pause_and_f5_reach_the_loop(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.press("p")
        s.expect("Paused: changes on disk are not scored. Press p to resume.", "paused · ")
        assert "p resume" in s.keys
        await s.press("f5")
        await s.change()
        s.expect("Scored again. No source has changed.")
        await s.press("p")
        assert "paused" not in s.title
        assert s.loop.asked == ["run", "pause", "score again", "go on"]


@pytest.mark.thorough
async def test_the_command_that_runs_stands_in_the_title_and_its_failure_below_the_rows(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        await s.tell(work("make \x1b[31meval"))
        assert re.search(r"running: make ␛\[31meval · \d+\.\d s$", s.title)
        lines = tuple(f"line {number} \x1b]0;owned\x07" for number in range(1, 30))
        await s.tell(
            failure("the command failed (exit code 3); its last lines:", *lines),
            WatchScreen.end_work,
        )
        s.expect("✗ the command failed (exit code 3); its last lines:", "line 29 ␛]0;owned␇", "book_flight")
        assert not s.shows("line 10 ")
        assert "running" not in s.title
        await s.change("actual.json")
        s.expect("line 29")
        await s.tell(work("make eval"))
        assert not s.shows("line 29")


async def test_a_failed_command_is_told_until_the_next_change_after_its_scores_or_f5(tmp_path: Path) -> None:
    failed = failure("the command failed (exit code 3); its last lines:", "line 1")
    async with table(tmp_path, FILES) as s:
        await s.tell(work("make eval"), failed, work(""))
        await s.change("actual.json")
        await s.tell(WatchScreen.end_work)
        s.expect("line 1")
        await s.change("set.evalset.json")
        assert not s.shows("line 1")
        await s.tell(failed)
        s.expect("line 1")
        await s.press("f5")
        assert not s.shows("line 1")
        assert "score again" in s.loop.asked


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
async def test_quitting_stops_the_loop_and_gives_the_exit_code_of_the_last_run(tmp_path: Path, key: str) -> None:
    async with table(tmp_path, FILES, code=1) as s:
        await s.change("actual.json", code=3)
        await s.press(key)
        assert s.app.return_code == 3
        assert s.loop.asked == ["run", "stop"]


@pytest.mark.thorough
async def test_ctrl_c_ends_the_watch_from_a_page_too(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, code=1) as s:
        await s.press("question_mark")
        s.expect("In the table of evaltui watch")
        await s.press("ctrl+c")
        assert s.app.return_code == 1


async def test_several_sets_have_headings_and_their_own_order(tmp_path: Path) -> None:
    files = {**FILES, "other.evalset.json": a_set({"farewell": EXPECTED["greeting"]})}
    async with table(tmp_path, files, WIDE, sets=["set.evalset.json", "other.evalset.json"]) as s:
        s.expect("2 eval sets")
        found = rows(s)
        assert found[0].endswith("1 of 4 pass (25 %)")
        assert "set.evalset.json" in found[0]
        assert "other.evalset.json" in found[5]
        assert "book_flight" in s.cursor()
        await s.press("up", "enter")
        s.expect("Cases: 4", "google-adk's defaults", "tool_trajectory_avg_score ≥ 1.0")
        await s.press("escape", "f")
        assert not any("other.evalset.json" in row for row in rows(s)[:3])


async def test_cases_with_one_id_are_told_apart(tmp_path: Path) -> None:
    same = json.loads(a_set({"twin": EXPECTED["greeting"]}))
    same["eval_cases"] *= 2
    async with table(tmp_path, {**FILES, "set.evalset.json": json.dumps(same)}) as s:
        assert sum("twin" in row for row in rows(s)[:2]) == 2
        await s.change()
        assert s.state.run.changes == {}


async def test_a_set_without_cases_says_so(tmp_path: Path) -> None:
    async with table(tmp_path, {**FILES, "set.evalset.json": a_set({})}) as s:
        s.expect("No cases to score. Add a case in the editor: evaltui FILE", "0 of 0 pass")
        await s.press("enter", "escape", "down", "f", "o", "a", "s", "end", "pagedown")
        s.expect("No cases to score.")


@pytest.mark.parametrize("size", sampled([NARROW, WIDE, (20, 8)], 1))
async def test_hostile_texts_act_on_nothing(tmp_path: Path, size: tuple[int, int]) -> None:
    evil = "\x1b[31m\u202e[bold]\x07\n漢字\U000e0041" * 3
    cases = {evil: EXPECTED["greeting"], "greeting": EXPECTED["book_flight"]}
    files = {"set.evalset.json": a_set(cases), "actual.json": a_set({evil: ACTUAL["book_flight"]})}
    async with table(tmp_path, files, size) as s:
        await s.tell(
            troubles(evil),
            work(evil),
            failure(evil, evil),
            WatchScreen.end_work,
        )
        s.expect_harmless()
        for _ in s.rows():
            await s.press("enter")
            s.expect_harmless()
            await s.press("escape", "down")
        await s.change(evil)
        s.expect_harmless()


@pytest.mark.thorough
async def test_a_set_of_many_cases_scrolls_and_keeps_its_cursor(tmp_path: Path) -> None:
    cases = {f"case_{number}": EXPECTED["greeting"] for number in range(800)}
    async with table(tmp_path, {**FILES, "set.evalset.json": a_set(cases)}) as s:
        await s.press("end", "up", "up")
        selected = s.cursor()
        await s.change("set.evalset.json")
        assert s.cursor() == selected
        s.expect(re.compile("case_7[0-9]{2}"))


async def test_another_width_lays_the_columns_out_anew(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        assert "tool_call_count" not in s.line_with("tool_trajectory")
        await s.resize(*WIDE)
        assert "tool_call_count" in s.line_with("tool_trajectory")


async def test_the_mouse_selects_opens_and_presses_keys_and_a_click_beside_keeps_the_focus(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE) as s:
        await s.click("greeting")
        assert "greeting" in s.cursor()
        await s.click("of 4 pass")
        await s.press("up")
        assert "escalate" in s.cursor()
        await s.click("too_long", times=2)
        s.expect("1 turn recorded", "✗ failed")
        await s.press("escape")
        await s.click_key("failing")
        s.expect("only failing: 2")


async def test_the_palette_and_the_theme_belong_to_the_table(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE) as s:
        await s.press("colon", *"pause", "enter")
        assert "paused" in s.title
        await s.press("T")
        s.expect("Theme")
        await s.press("escape")
        s.expect("1 of 4 pass")


async def test_the_cursor_stays_in_sight_above_a_failed_command(tmp_path: Path) -> None:
    cases = {f"case_{number}": EXPECTED["greeting"] for number in range(50)}
    async with table(tmp_path, {**FILES, "set.evalset.json": a_set(cases)}) as s:
        await s.press(*["down"] * 18)
        selected = s.cursor()
        await s.tell(
            failure("the command failed (exit code 1); its last lines:", *["x"] * 20),
            WatchScreen.end_work,
        )
        s.expect("▌" + selected[:10])


async def test_the_keys_of_everywhere_act_on_the_table_and_in_front_of_it(tmp_path: Path) -> None:
    async with table(tmp_path, FILES, WIDE, code=1) as s:
        await s.press("p", "p")
        for key in ("f2", "alt+m"):
            await s.press(key)
            s.expect("Messages, newest first", "Scoring resumed.")
            await s.press(key)
        for front in ((), ("enter",), ("colon",)):
            await s.press(*front, "f1")
            assert s.focused == "HelpScreen"
            await s.press("f1", *["escape"] * len(front))
            assert s.focused == "watch"
        await s.press("f1")
        assert "In the table of evaltui watch" in "".join(s.screen()[:8])
        await s.press("f1", "enter", "ctrl+q")
        assert s.app.return_code == 1


async def test_a_source_that_is_back_as_it_was_has_not_changed(tmp_path: Path) -> None:
    async with table(tmp_path, FILES) as s:
        (tmp_path / "actual.json").write_text(OTHER_WORDS)
        await s.change("actual.json")
        s.expect("actual.json changed: 1 case fails now.")
        await s.tell(lambda table: table.take_troubles(["set.evalset.json: this file is gone"]))
        await s.change("set.evalset.json")
        s.expect("set.evalset.json: usable again, no score changed.")
        await s.tell(lambda table: table.take_troubles(["actual.json: this file is gone"]))
        (tmp_path / "actual.json").write_text(FILES["actual.json"])
        await s.change("actual.json")
        s.expect("actual.json changed: 1 case passes now.")

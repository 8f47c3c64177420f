"""Live mode: edits score their cases at once, undo too; without it, edited cases are outdated."""

import pytest

from tests.sampling import sampled
from tests.scored_sets import ACTUAL, RECORDING, SET, a_set, turn
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario


async def live(s: Scenario) -> None:
    await s.press("L")
    assert s.status.strip() == "Live scores on: each edit is scored at once. Press L to turn them off."


def scored(size: tuple[int, int] = WIDE, set_: str = SET, recording: str = RECORDING):  # type: ignore[no-untyped-def]
    return scenario(set_, size, beside={"actual.json": recording}, recordings=["actual.json"])


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([WIDE, NARROW], most=1))
async def test_each_letter_scores_its_case(size: tuple[int, int]) -> None:
    async with scored(size) as s:
        await live(s)
        await s.enter("Hello", "Hi, how can I")
        await s.press("f7")
        seen = []
        for letter in "Hi,":
            await s.press(letter)
            seen.append(s.title.split("  ")[-1].strip())
        assert set(seen) == {"3 ✗ 1 –"}
        await s.paste(" how can I help you?")
        assert s.title.endswith("1 ✓ 2 ✗ 1 –")
        assert s.focused == "field"
        if size == WIDE:
            s.expect(
                "Scores 1 ✓ 2 ✗ 1 – · live ·",
                "· live · sorted: failing first",
                "✓ 1.00 ≥ 0.80",
                "▲ +0.08 case changed",
            )


async def test_undo_and_redo_score_at_once_and_so_do_new_turns_and_cases() -> None:
    async with scored() as s:
        await live(s)
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        assert s.title.endswith("  3 ✗ 1 –")
        await s.press("u")
        assert s.title.endswith("1 ✓ 2 ✗ 1 –")
        assert not s.shows("▼")
        await s.press("U")
        assert s.title.endswith("  3 ✗ 1 –")
        s.expect("▼ -0.92 fails now, case changed")
        await s.start_over()
        await s.press("L")
        await live(s)
        await s.to("greeting")
        await s.press("A", "escape")
        assert s.title.endswith("  3 ✗ 1 –")
        await s.press("4")
        s.expect("✗ greeting      1 turn recorded, 2 expected  ", "▼ fails now, case changed")
        await s.press("1", "u")
        assert s.title.endswith("1 ✓ 2 ✗ 1 –")
        await s.start_over()
        await s.press("L")
        await live(s)
        await s.to("escalate")
        await s.press("c")
        assert "5 cases" in s.title
        assert s.title.endswith("1 ✓ 2 ✗ 2 –")
        assert not s.shows("not scored yet")


@pytest.mark.thorough
async def test_a_save_keeps_what_live_mode_said() -> None:
    async with scored() as s:
        await live(s)
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        s.expect("▼ -0.92 fails now, case changed")
        await s.press("ctrl+s")
        s.expect("▼ -0.92 fails now, case changed")
        assert s.status.strip() == "Saved set.evalset.json. Scored again: greeting fails now, 0 of 4 cases pass."


async def test_a_case_that_loses_its_recording_is_not_scored_by_it() -> None:
    by_text = a_set({"other": ACTUAL["greeting"], "more": ACTUAL["book_flight"]})
    async with scored(recording=by_text) as s:
        assert s.title.endswith("1 ✓ 1 ✗ 2 –")
        await live(s)
        await s.enter("Hello")
        await s.edit("Hello", "Something else")
        assert s.title.endswith("1 ✗ 3 –")
        s.expect("there is no recording of this case")
        await s.edit("Something else", "Hello")
        assert s.title.endswith("1 ✓ 1 ✗ 2 –")


async def test_live_mode_scores_what_is_outdated_and_leaves_it_current() -> None:
    async with scored() as s:
        await s.enter("Hello")
        await s.edit("Hi, how can I", "Good day")
        s.expect("1 outdated", "~ greeting")
        await s.press("escape")
        await live(s)
        assert not s.shows("outdated")
        assert s.title.endswith("  3 ✗ 1 –")
        await s.press("L")
        s.expect("with unsaved changes")
        assert s.status.strip() == "Live scores off: press ^s or f5 to score edited cases."
        await s.enter("Hello")
        await s.edit("Good day", "Good night")
        s.expect("1 outdated", "~ greeting", "~ outdated: edited since it was scored")
        await s.press("ctrl+s")
        assert not s.shows("outdated")


@pytest.mark.thorough
async def test_replacing_in_many_cases_scores_all_of_them() -> None:
    many = {f"case_{number:02}": [turn(1, f"Say {number}", f"Said {number}")] for number in range(30)}
    async with scored(set_=a_set(many), recording=a_set(many)) as s:
        await live(s)
        await s.press("ctrl+r")
        await s.type("Said\tNever\r")
        await s.press("escape")
        await s.press("ctrl+r")
        await s.press("escape", "escape")
        assert "~" not in s.title


@pytest.mark.thorough
async def test_without_recordings_there_is_nothing_to_score_live() -> None:
    async with scenario(SET, WIDE) as s:
        await s.press("L")
        assert "No recordings. Press H to add one" in s.status
        assert not s.app.file.scores.is_live


@pytest.mark.thorough
async def test_l_is_a_letter_while_typing() -> None:
    async with scored() as s:
        await s.enter("Hello", "Hi, how can I")
        await s.type("L")
        assert b"L" in s.bytes()
        assert not s.app.file.scores.is_live

"""Why a turn has its scores: below its form, read line by line."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.answered_dataset import ANSWERED, DATASET
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET, a_set, recording_with, turn
from tests.tui.scenario import NARROW, SAMPLES, WIDE, Scenario, scenario


@asynccontextmanager
async def at_turn(
    text: str, size: tuple[int, int] = WIDE, set_: str = SET, recording: str = RECORDING
) -> AsyncIterator[Scenario]:
    async with scenario(set_, size, beside={"actual.json": recording}, recordings=["actual.json"]) as s:
        await s.to(text)
        await s.press("enter")
        yield s


def told(s: Scenario) -> list[str]:
    rows = [" ".join(row.split()) for row in s.rows()]
    return rows[next(n for n, row in enumerate(rows) if row.startswith("Why")) :]


@pytest.mark.thorough
async def test_a_failing_turn_tells_calls_words_and_what_was_answered_and_none_of_it_is_edited() -> None:
    async with at_turn("Book the first") as s:
        # A failing turn tells calls words and what was answered.
        s.expect("✗ tool_trajectory 0.00 < 1.00   ✗ response_match 0.")
        rows = told(s)
        assert "✗ tool_trajectory_avg_score 0.00 < 1.00" in rows
        assert '~ book_flight flight_id="1"' in rows
        assert 'flight_id "1" (string) → 1 (number) type differs' in rows
        assert '+ send_email to="a@b.c" not expected' in rows
        assert any("send_email is called" in row for row in rows)
        assert any(row.startswith("- missing booking") for row in rows)
        assert any(row.startswith("+ added ") for row in rows)
        assert rows[rows.index("Actual response") + 1] == "It is confirmed. [bold]Enjoy[/bold] ␛[31mred"

        # The words that differ are said once.
        rows = told(s)
        assert "4 of 6 expected words missing, 5 added; 0.31 is 0.49 below 0.80" in rows
        assert [row for row in rows if "booking" in row] == ["- missing booking your code abc"]

        # What is told is not edited.
        await s.press("4", "enter")
        for key in ("enter", "d", "r", "t", "p", "escape"):
            await s.press(key)
            assert s.bytes() == s.original
        await s.press("y")
        assert "no value" in s.status

        # What is told of an edited case says that it is stale.
        await s.edit("Book the first", "Book the second")
        s.expect("~ outdated: edited since it was scored")
        assert "Outdated: edited since it was scored. Press f5 to score again." in told(s)[1]


@pytest.mark.thorough
async def test_failing_metrics_are_told_before_passing_ones() -> None:
    searched = ("search", {"to": "OSL"})
    expected = a_set({"greeting": [turn(1, "Hello", "Hi, how can I help you today?", searched)]})
    actual = recording_with("greeting", turn(1, "Hello", "I am closed.", searched))
    for text in ("greeting", "1 Hello"):  # the case, then its turn
        async with at_turn(text, NARROW, set_=expected, recording=actual) as s:
            s.expect("✗ response_match 0.20 < 0.80   ✓ tool_trajectory 1.00 ≥ 1.00")
            await s.press("w")
            assert s.cursor().startswith("Why")
            names = [row.split()[:2] for row in told(s) if row[:1] in ("✗", "✓") and "_score" in row]
            assert names == [["✗", "response_match_score"], ["✓", "tool_trajectory_avg_score"]]
            if text != "greeting":
                assert any("- missing  hi how can" in row for row in s.screen())


@pytest.mark.thorough
async def test_informational_scores_stand_apart_from_the_response() -> None:
    async with at_turn("Book the first") as s:
        await s.press("w", "end")
        rows = [row.strip("│▌ ") for row in s.screen()]
        heading = next(n for n, row in enumerate(rows) if row.startswith("Informational"))
        assert (rows[heading - 1], rows[heading + 1].split(" · ")[0]) == ("", "tool_call_count 2.00")
    async with at_turn("book_flight") as s:
        rows = told(s)
        assert rows[rows.index("Informational means per turn") + 1].startswith("tool_call_count 1.50")


@pytest.mark.thorough
async def test_a_passing_turn_tells_its_scores_too() -> None:
    async with at_turn("Find me a flight") as s:
        assert told(s)[:3] == [
            "Why actual.json",
            "✓ tool_trajectory_avg_score 1.00 ≥ 1.00",
            '= search_flights to="OSL"',
        ]


@pytest.mark.thorough
async def test_a_case_without_a_recording_says_so() -> None:
    async with at_turn("escalate") as s:
        assert told(s) == [
            "Why",
            "– there is no recording of this case",
            "Press H to add a recording, or f6 to run the agent.",
        ]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        ("Get me a human", "– there is no recording of this case"),
        ("Longer", "✗ 1 turn recorded, 2 expected"),
    ],
)
async def test_a_turn_without_scores_tells_the_reason_of_its_case(turn: str, reason: str) -> None:
    async with at_turn(turn) as s:
        s.expect(reason)


@pytest.mark.thorough
async def test_nothing_is_told_without_recordings() -> None:
    async with scenario(SET) as s:
        await s.enter("Get me a human")
        assert not s.shows("Why")


@pytest.mark.thorough
async def test_every_line_is_reached_and_scrolls_into_sight() -> None:
    long = recording_with("greeting", turn(1, "Hello", "\n".join(f"line {number}" for number in range(60))))
    async with at_turn("Hello", NARROW, recording=long) as s:
        await s.press("end")
        s.expect("tool_call_count")
        await s.burst(*["up"] * 3)
        s.expect("line 0")
        await s.press("home")
        assert "Hello" in s.cursor()


@pytest.mark.thorough
async def test_scores_that_come_while_a_field_is_edited_leave_the_caret_alone() -> None:
    async with at_turn("Hello") as s:
        await s.enter("Hi, how can I")
        await s.press("end")
        await s.type(" Now")
        await s.press("ctrl+s")
        await s.type("!")
        assert "Hi, how can I help you today? Now!" in s.bytes().decode()
        assert s.focused == "field"


async def test_texts_of_recordings_are_no_markup_and_do_not_act_on_the_terminal() -> None:
    odd = "[/nope] [red]x[/] \x1b]0;title\x07 \u202e \ud83d\n\r\t"
    answered = recording_with("greeting", turn(1, "Hello", odd, ("[/x]\x1b[2J", {"[/y]\x9b": "[/z]\x1b"})))
    for size in sampled((NARROW, WIDE), 1):
        async with at_turn("Hello", size, recording=answered) as s:
            await s.press("end")
            s.expect_harmless()
            await s.press("escape", "4")
            s.expect_harmless()


@pytest.mark.thorough
async def test_values_that_are_no_json_to_others_are_shown() -> None:
    odd = a_set(
        {"greeting": [turn(1, "Hello", "Hi", ("count", {"n": float("nan"), "big": 10**400, "deep": [[[[]]]]}))]}
    )
    async with at_turn("Hello", recording=odd) as s:
        assert any("NaN" in row for row in told(s))


def is_why_in_sight(s: Scenario) -> bool:
    return any("│ Why " in row or "│▌Why " in row for row in s.screen())


@pytest.mark.thorough
async def test_why_comes_into_sight_from_the_tree_and_the_run() -> None:
    many = [turn(1, "Hello", "\n".join(f"Line {number}" for number in range(30)))]
    long = a_set({"greeting": many, "bye": many})
    other = a_set({name: [turn(1, "Hello", "Hi")] for name in ("greeting", "bye")})
    async with scenario(long, WIDE, beside={"actual.json": other}, recordings=["actual.json"]) as s:
        await s.to("1 Hello")
        assert not is_why_in_sight(s)
        for key in ("]", "]", "["):
            await s.press(key)
            assert s.focused == "tree"
            assert is_why_in_sight(s)
        await s.press("4", "down", "enter")
        assert s.focused == "form"
        assert is_why_in_sight(s)


@pytest.mark.thorough
async def test_w_leads_to_why_from_the_tree_the_form_and_a_call() -> None:
    for size in sampled((NARROW, WIDE), 1):
        async with at_turn("Book the first", size) as s:
            for before in ((), ("escape",)):
                await s.press(*before, "w")
                assert s.focused == "form"
                assert s.cursor().startswith("Why")
            await press_on(s, "~ book_flight")
            await s.press("w")
            assert s.cursor().startswith("Why")
            s.expect("book_flight › turn 2")


@pytest.mark.thorough
async def test_w_says_where_nothing_was_scored() -> None:
    async with at_turn("Book the first") as s:
        await s.press("escape", "home", "w")
        assert s.focused == "tree"
        assert "No scores here: select a scored case or turn." in s.status
    async with scenario(SET) as s:
        await s.press("w")
        assert "No recordings. Press H to add one, f6 to run the agent." in s.status


async def press_on(s: Scenario, text: str) -> None:
    """Press enter on the line of Why that holds a text."""
    rows = s.rows()
    first = next(n for n, row in enumerate(rows) if row.startswith("Why"))
    found = next(n for n, row in enumerate(rows) if n > first and text in row)
    await s.burst("home", *["down"] * found)
    await s.press("enter")


@pytest.mark.thorough
async def test_a_case_tells_its_scores_leads_to_its_turns_and_they_keep_their_scores_when_edited() -> None:
    async with at_turn("book_flight") as s:
        # Enter on a turn that fails leads there and esc back.
        await press_on(s, "turn 2")
        assert s.focused == "form"
        s.expect("─ book_flight › turn 2 ─")
        await s.press("escape")
        s.expect("─ book_flight ─")

        # A case tells its scores and its turns keep theirs when it is edited.
        # A case tells its metrics its recording and which turns fail.
        rows = told(s)
        assert "✗ tool_trajectory_avg_score 0.50 < 1.00" in rows
        recording = next(row for row in rows if row.startswith("recording "))
        assert "book_flight · matched by its eval_id" in recording.replace("\n", "")
        assert any(row.startswith("✗ turn 2 tool_trajectory 0.00 < 1.00") for row in rows)

        # Turns of an edited case keep their scores.
        await s.press("escape")
        await s.to("Find me a flight")
        await s.press("d")
        rows = [" ".join(row.split()) for row in s.rows()]
        assert any(row.startswith("▸ ~ 1 Book the first 0.00") for row in rows)
        await s.press("u")
        assert any(row.startswith("▾ ✗ book_flight 0.50") for row in (" ".join(row.split()) for row in s.rows()))


@pytest.mark.thorough
async def test_enter_on_a_call_leads_to_it_or_says_why_not() -> None:
    async with at_turn("Book the first") as s:
        # Enter on a call that only the recording has says so.
        await press_on(s, "precision")
        assert s.status.strip() == "This line is read-only."
        await press_on(s, "+ send_email")
        assert s.focused == "form"
        assert "Only the recording has this tool call" in s.status

        # Enter on a call leads to its form and on an argument to its line.
        await press_on(s, "~ book_flight")
        s.expect("─ book_flight › turn 2 › tool call 1 ─")
        await s.press("escape")
        assert s.cursor().strip().startswith("~ book_flight")
        await press_on(s, "flight_id  ")
        s.expect("─ book_flight › turn 2 › tool call 1 ─")
        assert "flight_id" in s.cursor()
        await s.press("escape")

        # Enter on a call that is gone since it was scored says so.
        await press_on(s, "~ book_flight")
        await s.edit("name", "book_train")
        await s.press("escape")
        await press_on(s, "~ book_flight")
        assert s.status.strip() == "This tool call is no longer in the set."


@pytest.mark.thorough
async def test_a_score_that_fails_only_in_the_turn_has_the_mean_of_the_case_beside_it() -> None:
    recording = (SAMPLES / "recordings" / "trip_planner_first.evalset_result.json").read_text("utf-8")
    set_ = SAMPLES / "trip_planner.evalset.json"
    async with scenario(set_, WIDE, beside={"r.json": recording}, recordings=["r.json"]) as s:
        await s.enter("No, keep the bag")
        s.expect("✗ response_match_score 0.48 < 0.80 (the mean of the case passes: 0.83 ≥ 0.80)")
        await s.press("escape")
        await s.enter("Please book me a flight")
        await s.press("w")
        s.expect("the tool calls would pass if the config had ignore_args (press alt+c to try)")


@pytest.mark.thorough
async def test_scores_of_graders_stand_below_with_their_time() -> None:
    graders = {"politeness": {"score": 0.75}, "broken": {"error_message": "no\x1b judge"}}
    result = {
        "eval_case_results": [{"response_candidate_results": [{"metric_results": graders}]}],
        "evaluation_dataset": [json.loads(ANSWERED)],
        "metadata": {"creation_timestamp": "2026-06-06T07:41:27Z"},
    }
    async with scenario(DATASET, WIDE, beside={"r.json": json.dumps(result)}, recordings=["r.json"]) as s:
        await s.press("down", "w", "end")
        rows = [row.rpartition("│")[2].strip("▌ ") for row in s.screen()]
        at = rows.index("Recorded  scores of graders, without a verdict")
        assert rows[at + 1 : at + 3] == [
            "politeness 0.75 · 2026-06-06 07:41 UTC",
            "broken – · 2026-06-06 07:41 UTC · the grader failed: no␛ judge",
        ]

"""The lines of Why accept what the agent did: one key, one undo step, and the case is scored at once."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.review.decisions import Sidecar
from evaltui.tui.open_file.edited_document import READ_ONLY
from evaltui.tui.open_file.score_places import count_failing
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET, a_set, recording_with, turn
from tests.tui.scenario import NORMAL, SAMPLES, WIDE, Scenario, scenario

SIZES = sampled([(80, 24), (140, 40), (200, 60)], most=1)
BOOKED = b'"flight_id": "1"', b'"flight_id": 1'
ANSWERED = b"Booking confirmed, your code is ABC.", b"It is confirmed. [bold]Enjoy[/bold] \\u001b[31mred"


@asynccontextmanager
async def at_why(
    *rows: str, size: tuple[int, int] = WIDE, set_: str | Path = SET, recording: str = RECORDING
) -> AsyncIterator[Scenario]:
    """At the line of Why that holds the last text, below the form of the row that holds the first."""
    async with scenario(set_, size, beside={"actual.json": recording}, recordings=["actual.json"]) as s:
        await s.to(rows[0])
        await s.press("enter")
        await to_why(s, rows[-1])
        yield s


async def to_why(s: Scenario, text: str) -> None:
    rows = s.rows()
    first = next(n for n, row in enumerate(rows) if row.startswith("Why"))
    found = next(n for n, row in enumerate(rows) if n >= first and text in row)
    await s.burst("home", *["down"] * found)


def told(s: Scenario) -> list[str]:
    rows = [" ".join(row.split()) for row in s.rows()]
    return rows[next(n for n, row in enumerate(rows) if row.startswith("Why")) :]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
async def test_an_argument_and_a_call_are_accepted_on_their_lines(size: tuple[int, int]) -> None:
    async with at_why("Book the first", "flight_id  ", size=size) as s:
        assert "a accept" in s.keys
        await s.press("a")
        assert s.bytes() == s.original.replace(*BOOKED)
        assert 'Accepted: flight_id: "1" → 1 (type differs)' in s.status
        assert s.status.endswith("u: undo")
        assert "= book_flight flight_id=1" in told(s)
        assert not s.shows("as it was before")
        assert "+ send_email" in s.cursor()
        await s.start_over()
        await s.enter("Book the first")
        await to_why(s, "+ send_email")
        assert "S accept calls" in s.keys
        await s.press("a")
        assert s.bytes() == s.original
        assert 'add call send_email(to="a@b.c") after book_flight: press S to accept it.' in s.status
        await s.press("S")
        calls = json.loads(s.bytes())["eval_cases"][1]["conversation"][1]["intermediate_data"]["tool_uses"]
        assert [call["name"] for call in calls] == ["book_flight", "send_email"]
        s.expect("2 send_email")
        await s.press("u")
        assert s.bytes() == s.original


async def test_after_the_last_difference_the_cursor_goes_on_from_the_top() -> None:
    expected = a_set({"trip": [turn(1, "Go", "Done", ("fly", {"from": "BGO", "to": "OSL", "via": "TRD"}))]})
    actual = a_set({"trip": [turn(1, "Go", "Done", ("fly", {"from": "1", "to": "2", "via": "3"}))]})
    async with at_why("Go", "via  ", set_=expected, recording=actual) as s:
        await s.press("a")
        assert "Accepted: via" in s.status
        assert "~ fly" in s.cursor()


@pytest.mark.parametrize("size", SIZES)
async def test_all_differing_arguments_are_accepted_on_the_line_of_their_call(size: tuple[int, int]) -> None:
    expected = a_set({"trip": [turn(1, "Go", "Done", ("fly", {"to": "OSL", "bags": "1", "meal": True}))]})
    actual = a_set({"trip": [turn(1, "Go", "Done", ("fly", {"to": "OSL", "bags": 1, "seat": {"row": 3}}))]})
    async with at_why("Go", "~ fly", size=size, set_=expected, recording=actual) as s:
        await s.press("a")
        args = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"][0]["args"]
        assert args == {"to": "OSL", "bags": 1, "seat": {"row": 3}}
        assert "✓ tool_trajectory_avg_score 1.00 ≥ 1.00" in told(s)
        await s.press("u")
        assert s.bytes() == s.original


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(200, 60), (140, 40), (80, 24)], most=1))
async def test_the_response_is_accepted_on_all_lines_about_it(size: tuple[int, int]) -> None:
    async with at_why("Book the first", "Why", size=size) as s:
        for line in ("Actual response", "It is confirmed", "missing  booking", "response_match"):
            await to_why(s, line)
            await s.press("a")
            assert s.bytes() == s.original.replace(*ANSWERED), line
            assert "Accepted: the response" in s.status
            assert "✓ response_match_score 1.00 ≥ 0.80" in told(s)
            await s.press("u")
            assert s.bytes() == s.original


async def test_one_of_two_equal_calls_that_were_not_made_goes() -> None:
    call = ("look", {"at": 1})
    expected = a_set({"trip": [turn(1, "Go", "Done", call, ("fly", {}), call)]})
    actual = a_set({"trip": [turn(1, "Go", "Done", ("fly", {}))]})
    async with at_why("Go", "- look", set_=expected, recording=actual) as s:
        await s.press("end", "up", "up")
        await to_why(s, "- look")
        await s.press("S")
        calls = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]["intermediate_data"]["tool_uses"]
        assert [each["id"] for each in calls] == ["c1", "c2"]


@pytest.mark.thorough
@pytest.mark.parametrize("size", SIZES)
async def test_the_whole_turn_is_accepted_but_its_sequence_and_then_the_case_passes_at_once(
    size: tuple[int, int],
) -> None:
    async with at_why("Book the first", "Why", size=size) as s:
        await s.press("A")
        assert s.bytes() == s.original.replace(*BOOKED).replace(*ANSWERED)
        assert "✗ tool_trajectory_avg_score 0.00 < 1.00" in told(s)
        assert "+ send_email" in s.cursor()
        await s.press("S")
        assert "✓ tool_trajectory_avg_score 1.00 ≥ 1.00" in told(s)
        s.expect("2 ✓ 1 ✗ 1 –")
        assert s.cursor().startswith("Why")
        await s.press("a")
        assert "Nothing to accept on this line." in s.status
        await s.press("A")
        assert "No difference in this turn." in s.status
        await s.press("S")
        assert "No tool call or turn to add, delete or move here." in s.status


async def test_keys_of_a_line_come_first_and_the_cursor_goes_on_to_the_next_difference() -> None:
    async with at_why("Book the first", "flight_id  ") as s:
        assert s.keys.strip().startswith("enter go to  a accept  A accept turn  S accept calls")
        await s.press("?")
        s.expect("In the Why pane, below a form", "Accept the actual value of this line")
        await s.press("escape", "home")
        assert s.keys.strip().startswith("enter edit")
        await s.press("?")
        s.expect("In the form", "Edit the field, or open the form of the line.")
        await s.start_over()
        await s.enter("Book the first")
        await to_why(s, "flight_id  ")
        await s.press("a")
        assert "+ send_email" in s.cursor()
        await s.press("S")
        assert "response_match_score" in s.cursor()
        await s.press("a")
        assert s.cursor().startswith("Why")
        await s.start_over()
        await s.enter("Book the first")
        await to_why(s, "flight_id  ")
        sidecar = Sidecar(s.path)
        await s.press("a")
        (decision,) = sidecar.read().every
        assert (decision.eval_id, decision.turn, decision.verdict) == ("book_flight", 2, "accepted")
        assert decision.changes[0].startswith("book_flight/2/calls/1/book_flight/flight_id@")
        assert decision.became
        assert s.file_bytes() == s.original
        await s.press("u")
        assert not sidecar.path.exists()
        await s.press("U")
        assert sidecar.path.exists()
        await s.start_over()
        await s.enter("Book the first")
        await to_why(s, "flight_id  ")
        s.app.file.readonly = True
        s.app.screen.panes.form.show(s.app.screen.panes.form.node)
        for key in ("a", "A", "S"):
            await s.press("down", "up", key)
            assert READ_ONLY in s.status
            assert "accept" not in s.keys
        assert s.bytes() == s.original
        assert not Sidecar(s.path).path.exists()


@pytest.mark.thorough
async def test_a_sidecar_that_cannot_be_written_is_said_and_the_edit_holds() -> None:
    async with at_why("Book the first", "flight_id  ") as s:
        Sidecar(s.path).path.mkdir()
        await s.press("a")
        assert s.bytes() == s.original.replace(*BOOKED)
        assert "the decision was not saved" in s.status


@pytest.mark.thorough
async def test_elsewhere_the_keys_keep_their_meaning() -> None:
    async with at_why("Book the first", "Why", size=NORMAL) as s:
        assert "add" not in s.keys
        await s.press("home")
        assert "a add tool call" in s.keys
        assert "accept" not in s.keys
        await s.press("a")
        assert "Accepted" not in s.status
        assert "tool call 2" in s.screen()[1]
        await s.press("escape", "escape", "S")
        s.expect("Save as")
        await s.press("escape")


async def test_it_is_said_why_a_case_has_nothing_to_accept() -> None:
    async with at_why("escalate", "Why") as s:
        for key in ("a", "A", "S"):
            await s.press(key)
            assert "Nothing to accept: there is no recording of this case" in s.status
        await s.press("escape")
        await s.enter("book_flight")
        await to_why(s, "Why")
        await s.press("A")
        assert "not about a single turn" in s.status


@pytest.mark.thorough
async def test_while_a_field_is_edited_the_letters_are_typed() -> None:
    async with at_why("Book the first", "Why") as s:
        await s.enter("Book the first")
        await s.press("end", "a", "A", "S")
        assert b"Book the firstaAS" in s.bytes()


@pytest.mark.thorough
async def test_a_case_edited_since_it_was_scored_is_scored_before() -> None:
    async with at_why("Book the first", "Why") as s:
        await s.edit("Booking confirmed", "It is confirmed.")
        assert "Outdated: edited since it was scored. Press f5 to score again." in told(s)[1]
        before = s.bytes()
        await to_why(s, "flight_id  ")
        await s.press("a")
        assert s.bytes() == before.replace(*BOOKED)
        assert "as it was before" not in " ".join(told(s))


async def test_a_line_of_an_older_score_accepts_nothing_that_does_not_differ_any_more() -> None:
    async with at_why("Book the first", "Why") as s:
        await s.enter("1 book_flight")
        await s.to("flight_id")
        await s.press("t", "escape")
        before = s.bytes()
        assert b'"flight_id": 1' in before
        await to_why(s, "flight_id  ")
        await s.press("a")
        assert s.bytes() == before
        assert "Scored again. No difference on this line." in s.status
        assert "= book_flight flight_id=1" in told(s)


@pytest.mark.thorough
async def test_a_case_that_moved_since_it_was_scored_is_accepted_all_the_same() -> None:
    async with at_why("Book the first", "Why") as s:
        await s.press("escape")
        await s.to("greeting")
        await s.press("d")
        await s.enter("Book the first")
        await to_why(s, "flight_id  ")
        await s.press("a")
        assert b'"flight_id": 1' in s.bytes()


async def test_the_form_of_a_case_accepts_its_failing_turns() -> None:
    async with at_why("book_flight", "turn 2") as s:
        await s.press("a")
        assert s.bytes() == s.original
        assert "This line shows a whole turn. Press A to accept the turn." in s.status
        await s.press("A")
        assert s.bytes() == s.original.replace(*BOOKED).replace(*ANSWERED)
        await s.press("S")
        s.expect("2 ✓ 1 ✗ 1 –")


@pytest.mark.thorough
async def test_a_turn_that_was_not_recorded_goes_by_the_key_of_calls_and_turns() -> None:
    async with at_why("too_long", "Why") as s:
        assert "S delete turn 2" in s.keys
        await s.press("A")
        assert s.bytes() == s.original
        assert 'delete turn 2 (not in the recording): "Longer"' in s.status
        assert "press S to accept it." in s.status
        await s.press("S")
        assert len(json.loads(s.bytes())["eval_cases"][3]["conversation"]) == 1
        s.expect("2 ✓")


@pytest.mark.thorough
async def test_an_expectation_that_is_absent_is_filled() -> None:
    bare = json.loads(a_set({"greeting": [turn(1, "Hello", "")]}))
    del bare["eval_cases"][0]["conversation"][0]["final_response"]
    del bare["eval_cases"][0]["conversation"][0]["intermediate_data"]
    actual = a_set({"greeting": [turn(1, "Hello", "Hi there", ("wave", {"hands": 2}))]})
    async with at_why("Hello", "Actual response", set_=json.dumps(bare, indent=2), recording=actual) as s:
        await s.press("a")
        assert "Hi there" in s.bytes().decode()
        assert b"wave" not in s.bytes()
        await s.press("A")
        assert b'"wave"' in s.bytes()
        assert "✓ tool_trajectory_avg_score 1.00 ≥ 1.00" in told(s)


async def test_a_recorded_value_that_google_adk_rejects_is_said() -> None:
    half = recording_with("greeting", turn(1, "Hello", "Half a pair: \ud83d"))
    async with at_why("Hello", "Actual response", recording=half) as s:
        await s.press("a")
        assert "Accepted: the response" in s.status
        assert "google-adk" in s.app.messages.newest_first()[0]


@pytest.mark.thorough
async def test_texts_of_recordings_do_no_harm_in_messages() -> None:
    odd = recording_with("greeting", turn(1, "Hello", "[/x]\x1b[2J \u202e", ("[/y]\x9b", {"[/z]\x1b": "\x07"})))
    async with at_why("Hello", "Actual response", recording=odd) as s:
        await s.press("a")
        s.expect_harmless()
        await s.press("S")
        s.expect_harmless()


@pytest.mark.parametrize("size", SIZES)
async def test_a_sample_set_passes_by_these_keys_alone(size: tuple[int, int]) -> None:
    recording = (SAMPLES / "recordings" / "trip_planner_first.evalset_result.json").read_text("utf-8")
    beside = {"first.evalset_result.json": recording}
    sample = SAMPLES / "trip_planner.evalset.json"
    async with scenario(sample, size, beside=beside, recordings=list(beside)) as s:
        scores = s.app.file.scores
        failing = count_failing(scores)[0]
        assert failing > 1
        for _ in range(failing):
            await s.press("1", "]", "w", "A", "S")
        assert not scores.counts["failed"]
        assert scores.counts["passed"]


@pytest.mark.thorough
async def test_a_passing_turn_offers_only_differences_and_says_that_they_pass() -> None:
    async with at_why("Find me a flight", "Why") as s:
        assert "accept" not in s.keys
    async with at_why("Hello", "Why") as s:
        assert "A accept passing differences" in s.keys

"""Decisions in the review: accept, keep, skip, fill and note, with their undo and their file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.scored_sets import ACTUAL, EXPECTED, SET, a_set, recording_with, said, turn
from tests.tui.review.reviewed import at_cursor, head, review, sidecar
from tests.tui.scenario import NARROW


@pytest.mark.thorough
async def test_a_turn_is_accepted_piece_by_piece_until_it_passes_and_the_next_comes() -> None:
    async with review() as s:
        await s.press("a", "S", "a")
        assert "too_long" in head(s)
        assert "Accepted. Turn 2 of book_flight passes now (was: fails)." in s.status
        assert "1 done" in head(s)
        case = json.loads(s.bytes())["eval_cases"][1]
        calls = case["conversation"][1]["intermediate_data"]["tool_uses"]
        assert [(each["name"], each["args"]) for each in calls] == [
            ("book_flight", {"flight_id": 1}),
            ("send_email", {"to": "a@b.c"}),
        ]
        assert calls[1]["id"] == "c1", "a fresh id, as the calls of this set have ids"
        assert case["conversation"][1]["final_response"] == said(
            ACTUAL["book_flight"][1]["final_response"]["parts"][0]["text"]
        )
        await s.press("K")
        assert "accepted" in s.screen()[1]
        s.expect("✓ tool_trajectory 1.00 ≥ 1.00", "✓ response_match 1.00", "Passes")
        await s.press("escape")
        assert "✓" in next(row for row in s.rows() if "book_flight" in row)


async def test_a_change_of_the_sequence_has_a_key_of_its_own() -> None:
    async with review() as s:
        await s.press("A")
        await s.press("a")
        assert "send_email" not in s.bytes().decode()
        s.expect("add call send_email", "press S to accept it")
        await s.press("S")
        assert "send_email" in s.bytes().decode()
        assert "1 done" in head(s)


async def test_turns_that_the_recording_lacks_go_with_the_key_of_the_sequence() -> None:
    async with review() as s:
        await s.press("J", "S")
        assert len(json.loads(s.bytes())["eval_cases"][3]["conversation"]) == 1
        assert "1 done" in head(s)


async def test_a_decision_is_remembered_until_either_side_changes() -> None:
    async with review() as s:
        await s.press("r", "escape", "home", "o")
        assert "too_long" in head(s), "what is decided is not asked again"
        await s.press("K")
        assert "book_flight" in head(s)
        assert "agent is wrong" in s.screen()[1]
        await s.press("down", "e", "f7")
        await s.type("7")
        await s.press("ctrl+s", "escape", "home", "o")
        assert "book_flight › turn 2" in head(s)
        assert "agent is wrong" not in s.screen()[1]


async def test_who_decided_differently_is_named_and_the_turn_stays_open() -> None:
    async with review() as s:
        await s.press("r", "K")
        (mine,) = sidecar(s)
        path = s.path.with_name(f"{s.path.name}.review.jsonl")
        theirs = {
            **mine,
            "id": "other",
            "author": "Bo <bo@example.org>",
            "became": mine["seen"],
            "decision": "accepted",
        }
        _append(path, json.dumps(theirs))
        await s.press("escape", "home", "o")
        assert "book_flight › turn 2" in head(s)
        s.expect("Reviewers disagree about this turn:", "agent is wrong", "Bo: accepted")


def _append(path: Path, line: str) -> None:
    with path.open("a") as file:
        file.write(f"{line}\n")


@pytest.mark.thorough
async def test_what_is_skipped_comes_round_at_the_end() -> None:
    async with review() as s:
        await s.press("s")
        assert "too_long" in head(s)
        assert "1 skipped" in head(s)
        assert "Skipped book_flight › turn 2. It comes again." in s.status
        await s.press("r")
        assert "book_flight" in head(s), "before recordings without a case"
        await s.press("r")
        assert "nobody" in head(s)
        await s.press("s")
        s.expect(
            "Summary", "2 where the agent is wrong", "0 left", "1 recorded conversation without a case, 1 skipped."
        )


_FILLS = {
    "empty": [{"invocation_id": "t1", "user_content": said("Fill me")}],
    "half": [turn(1, "Half", ""), turn(2, "Second", "Right.")],
    "wrong": [turn(1, "Wrong", "Text of the set.")],
}


_FILLED = {
    "empty": [turn(1, "Fill me", "Filled.", ("look", {"q": "x"}))],
    "half": [turn(1, "Half", "Whole."), turn(2, "Second", "Right.")],
    "wrong": [turn(1, "Wrong", "Another text altogether.")],
}


async def test_fills_are_shown_first_and_done_by_the_second_press() -> None:
    async with review(set_=a_set(_FILLS), recording=a_set(_FILLED)) as s:
        s.expect("no expected value yet")
        await s.press("F")
        s.expect("3 missing expected values in 2 turns. Press F again to fill")
        assert s.bytes() == s.original
        await s.press("f2", "f2")
        assert not s.shows("Press F again")
        await s.press("F")
        s.expect("Press F again to fill")
        await s.press("F")
        cases = json.loads(s.bytes())["eval_cases"]
        assert cases[0]["conversation"][0]["final_response"]["parts"][0]["text"] == "Filled."
        assert cases[0]["conversation"][0]["intermediate_data"]["tool_uses"][0]["name"] == "look"
        assert cases[1]["conversation"][0]["final_response"]["parts"][0]["text"] == "Whole."
        assert cases[2] == json.loads(s.original)["eval_cases"][2]
        assert "wrong › turn 1" in head(s)
        await s.press("u")
        assert s.bytes() == s.original


async def test_values_that_another_program_filled_meanwhile_are_not_filled_again() -> None:
    async with review(set_=a_set(_FILLS), recording=a_set(_FILLED)) as s:
        await s.press("F")
        s.path.write_text(a_set(_FILLED))
        s.app.file.disk.merge()
        await s.settle()
        await s.press("F")
        assert "All turns in the queue have their expected values." in s.status
        assert sidecar(s) == []
        assert s.bytes() == a_set(_FILLED).encode()


async def test_another_key_between_the_two_presses_fills_nothing() -> None:
    async with review(set_=a_set(_FILLS), recording=a_set(_FILLED)) as s:
        await s.press("F", "y", "F")
        assert s.bytes() == s.original
        s.expect("Press F again to fill")


async def test_escape_decides_nothing_and_leads_back_to_where_one_was() -> None:
    async with review(at="too_long") as s:
        assert "too_long" in head(s)
        await s.press("escape")
        assert "too_long" in s.cursor()
        assert s.bytes() == s.original
        assert sidecar(s) == []


async def test_typed_text_is_dropped_by_the_second_press_only() -> None:
    async with review() as s:
        await s.press("down", "e", "escape")
        s.expect("Review [1/2]")
        await s.press("e", "f7")
        await s.type("2")
        await s.press("escape")
        s.expect("Press esc again to drop your changes, or ^s to use them.")
        await s.type("3")
        await s.press("escape", "escape")
        assert s.bytes() == s.original
        s.expect("Review [1/2]")
        await s.press("e", "f7")
        await s.type("2")
        await s.press("escape", "ctrl+s")
        assert b'"flight_id": "2"' in s.bytes()
        await s.press("u")


@pytest.mark.thorough
async def test_all_arguments_are_edited_as_at_the_margin_and_those_that_stay_keep_their_bytes() -> None:
    set_ = SET.replace('"flight_id": "1"', '"flight_id":   "1",\n                "seat" : "4A"')
    async with review(set_=set_) as s:
        await s.press("e")
        assert '│   "flight_id":   "1",' in s.line_with('"flight_id":   "1"')
        await s.press("ctrl+home", "down", "end", "left", "left", "backspace")
        await s.type("2")
        await s.press("ctrl+s")
        assert s.bytes() == s.original.replace(b'"flight_id":   "1"', b'"flight_id":   "2"')
        await s.press("u")


@pytest.mark.thorough
async def test_a_note_stands_beside_the_set_and_is_shown() -> None:
    async with review() as s:
        await s.press("n")
        await s.type("ask the airline")
        await s.press("enter")
        s.expect("“ask the airline”")
        (line,) = sidecar(s)
        assert line["note"] == "ask the airline"
        assert "decision" not in line


async def test_the_order_and_the_skipped_turns_stay_when_one_comes_back_from_the_editor() -> None:
    expected = {"near": [turn(1, "A", "one two three four")], "far": [turn(1, "B", "x", ("c", {}))]}
    actual = {"near": [turn(1, "A", "one two three five six")], "far": [turn(1, "B", "y")]}
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        await s.press("s", "o")
        assert "[1/2] far" in head(s)
        for leave in ("E", "escape"):
            s.expect("order: loss", "1 skipped")
            await s.press(leave, "O")
            assert "[1/2] far" in head(s)
        s.expect("order: loss", "1 skipped")
        await s.press("J")
        assert "[2/2] near" in head(s)


async def test_saving_in_the_review_saves_what_was_accepted() -> None:
    async with review() as s:
        await s.press("A", "ctrl+s")
        assert s.file_bytes() == s.bytes() != s.original
        s.expect("Saved")
        await s.press("u")


async def test_a_recording_that_cannot_be_read_as_a_whole_is_not_accepted() -> None:
    broken = json.loads(recording_with("greeting", *EXPECTED["greeting"]))
    broken["eval_cases"][1]["conversation"][1]["intermediate_data"]["tool_uses"][0]["args"] = "no object"
    async with review(recording=json.dumps(broken)) as s:
        assert "book_flight" not in head(s)


@pytest.mark.thorough
async def test_accepted_turns_keep_their_place_in_the_queue() -> None:
    async with review() as s:
        await s.press("A", "S", "ctrl+s", "K")
        assert "[1/2] book_flight" in head(s)
        await s.press("u", "u")


async def test_trouble_with_the_sidecar_is_said_and_reviewing_goes_on() -> None:
    async with review() as s:
        await s.press("escape")
        path = s.path.with_name(f"{s.path.name}.review.jsonl")
        _append(path, "no decision")
        await s.press("home", "o")
        s.expect("line 1 is not a decision")
        path.unlink()
        path.mkdir()
        await s.press("r")
        s.expect("Not saved yet: ")
        await s.press("r", "J")
        s.expect("2 where the agent is wrong")
        assert not s.shows("Decisions and notes are in")
        path.rmdir()


async def test_who_finds_the_agent_wrong_is_told_what_stays_accepted() -> None:
    async with review() as s:
        await s.press("S", "r")
        s.expect("Kept expected of book_flight › turn 2: the agent is wrong.")
        assert "1 accepted change stays accepted." in s.app.messages.newest_first()[0]
        await s.press("u", "u")
        assert s.bytes() == s.original


async def test_the_first_decision_names_the_file_that_it_makes() -> None:
    async with review(NARROW) as s:
        await s.press("r")
        s.expect("Kept expected: the agent is wrong. Decisions go to set.evals")
        await s.press("r")
        s.expect("Kept expected of too_long › turn 2: the agent is wrong.")


@pytest.mark.thorough
async def test_a_turn_in_which_nothing_differs_any_more_is_not_found_wrong() -> None:
    async with review() as s:
        await s.press("A", "S", "K", "r")
        s.expect("No difference is left. Press u to undo the accepted changes.", "1 done")
        assert [each["decision"] for each in sidecar(s)] == ["accepted", "accepted"]
        await s.press("u", "u")


@pytest.mark.thorough
async def test_what_was_decided_is_counted_in_the_next_review_of_the_session_too() -> None:
    async with review() as s:
        await s.press("A", "S", "s", "r", "escape", "home", "o")
        assert "1 done · 1 skipped · 0 left" in head(s)
        await s.press("E")
        s.expect("Press O to go back to the review")
        await s.press("u", "u", "o")
        assert "0 done · 1 skipped · 1 left" in head(s)


async def test_a_review_in_which_all_is_decided_begins_with_the_summary() -> None:
    same = {name: turns for name, turns in ACTUAL.items() if name != "nobody"}
    async with review(recording=a_set(same)) as s:
        await s.press("r", "r", "escape", "home", "o")
        s.expect("Summary", "2 where the agent is wrong")


async def test_parts_that_were_accepted_of_a_turn_found_wrong_are_named_in_the_end() -> None:
    same = {name: turns for name, turns in ACTUAL.items() if name != "nobody"}
    async with review(recording=a_set(same)) as s:
        await s.press("S", "E", "o")
        s.expect("you: accepted in part")
        await s.press("r")
        assert "1 accepted change stays accepted." in s.app.messages.newest_first()[0]
        await s.press("r")
        s.expect("Decisions and notes are saved in set.evalset.json.review.jsonl.")
        s.expect("book_flight › turn 2 (1 change accepted)")


@pytest.mark.thorough
async def test_a_difference_is_accepted_or_edited_and_the_keys_say_so() -> None:
    async with review() as s:
        # The key that accepts says what.
        assert "a accept flight_id" in s.keys
        await s.press("a")
        s.expect("S add call")
        await s.press("S")
        assert "a accept response" in s.keys
        assert "A turn" not in s.keys, "it would do the same"
        await s.press("u", "u")
        await s.press("home")

        # An argument is accepted and nothing else changes.
        await s.press("down")
        assert "flight_id" in at_cursor(s)
        await s.press("a")
        assert s.bytes() == s.original.replace(b'"flight_id": "1"', b'"flight_id": 1')
        assert "send_email" in at_cursor(s), "the cursor goes to the next difference"
        s.expect('Accepted: flight_id: "1" → 1 (type differs)', "u: undo")
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("home")

        # The expected side is edited right there.
        await s.press("down", "e")
        s.expect("flight_id")
        await s.press("f7")
        await s.type("2")
        await s.press("ctrl+s")
        assert s.bytes() == s.original.replace(b'"flight_id": "1"', b'"flight_id": "2"')
        s.expect('~ expected  flight_id="2"')
        await s.press("u")
        assert s.bytes() == s.original
        s.expect('~ expected  flight_id="1"')
        await s.press("home")

        # The keys line says what accepting would do.
        assert "A texts and arguments" in s.keys
        assert "S add call" in s.keys
        await s.press("down", "up")
        s.expect('a: accept flight_id: "1" → 1 (type differs)')
        await s.press("S")
        assert "A turn" in s.keys
        await s.press("u", "J")
        assert "S delete turn 2" in s.keys

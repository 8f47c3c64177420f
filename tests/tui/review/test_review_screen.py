"""The review desk: what it shows of each turn, and what its keys decide."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from evaltui.tui.session.review_start import ReviewStart
from tests.scored_sets import ACTUAL, EXPECTED, RECORDING, SET, a_set, history, recording_with, said, turn
from tests.tui.review.reviewed import at_cursor, head, review, sidecar
from tests.tui.scenario import NARROW, NORMAL, WIDE, scenario


async def test_the_queue_holds_failing_turns_other_turns_and_recordings_without_a_case() -> None:
    async with review() as s:
        assert head(s) == "Review [1/2] book_flight › turn 2 0 done · 2 left"
        s.expect("✗ tool_trajectory 0.00 < 1.00", "✗ response_match 0.")
        await s.press("J")
        assert "too_long › turn 2" in head(s)
        s.expect("not in the recording", "1 turn recorded, 2 expected")
        await s.press("J")
        assert head(s) == "Review [conversation 1/1] actual.json › nobody 2 turns left"
        s.expect("recorded conversation without a case, not counted as a turn")
        s.expect("Strange", "Thing", "not in this eval set")
        await s.press("J")
        s.expect("Summary", "0 accepted", "2 left", "1 recorded conversation without a case. Press enter, then +")


@pytest.mark.parametrize("size", [NORMAL, WIDE])
async def test_from_100_columns_both_sides_stand_beside_each_other_under_their_sources(size: tuple[int, int]) -> None:
    async with review(size) as s:
        titles = s.line_with("Expected · ")
        assert titles.index("Actual · actual.json") > size[0] // 2 - 3
        row = s.line_with("~ book_flight")
        assert row.index('flight_id="1"') < size[0] // 2 < row.index("flight_id=1")
        assert "type differs" in s.line_with("~ flight_id")
        assert "not expected" in s.line_with("send_email")


async def test_at_80_columns_the_same_rows_stand_below_each_other() -> None:
    async with review(NARROW) as s:
        rows = [" ".join(row.split()) for row in s.rows()]
        at = rows.index('~ expected book_flight flight_id="1"')
        assert rows[at + 1 : at + 4] == [
            "actual book_flight flight_id=1",
            '~ expected flight_id="1"',
            "actual flight_id=1 type differs",
        ]
        assert '+ actual send_email to="a@b.c" not expected' in rows


async def test_an_argument_is_accepted_and_nothing_else_changes() -> None:
    async with review() as s:
        await s.press("down")
        assert "flight_id" in at_cursor(s)
        await s.press("a")
        assert s.bytes() == s.original.replace(b'"flight_id": "1"', b'"flight_id": 1')
        assert "send_email" in at_cursor(s), "the cursor goes to the next difference"
        s.expect('Accepted: flight_id: "1" → 1 (type differs)', "u: undo")
        await s.press("u")
        assert s.bytes() == s.original


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


async def test_undo_takes_back_the_edit_and_the_decision_and_redo_takes_them_again() -> None:
    async with review() as s:
        await s.press("A", "S")
        accepted = s.bytes()
        assert "1 done" in head(s)
        await s.press("u")
        assert "0 done" in head(s)
        assert "book_flight › turn 2" in head(s)
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("U", "U")
        assert s.bytes() == accepted
        assert "1 done" in head(s)


async def test_decisions_are_lines_beside_the_set_and_undo_takes_them_back() -> None:
    async with review() as s:
        await s.press("r")
        assert "too_long" in head(s), "the next one comes"
        (line,) = sidecar(s)
        assert (line["eval_id"], line["turn"], line["decision"]) == ("book_flight", 2, "agent is wrong")
        assert line["author"]
        assert s.bytes() == s.original
        await s.press("s", "u")
        assert sidecar(s)[2]["takes_back"] == sidecar(s)[1]["id"]
        await s.press("u")
        assert "book_flight" in head(s)
        assert not sidecar(s), "a new file without a decision is deleted"
        await s.press("A")
        assert sidecar(s)[0]["decision"] == "accepted"
        assert len(sidecar(s)[0]["changes"]) == 2


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
        await s.press("F")
        cases = json.loads(s.bytes())["eval_cases"]
        assert cases[0]["conversation"][0]["final_response"]["parts"][0]["text"] == "Filled."
        assert cases[0]["conversation"][0]["intermediate_data"]["tool_uses"][0]["name"] == "look"
        assert cases[1]["conversation"][0]["final_response"]["parts"][0]["text"] == "Whole."
        assert cases[2] == json.loads(s.original)["eval_cases"][2]
        assert "wrong › turn 1" in head(s)
        await s.press("u")
        assert s.bytes() == s.original


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


async def test_recordings_of_another_set_are_not_in_the_queue() -> None:
    (result,) = history({"elsewhere": ACTUAL["greeting"]}).values()
    others = result.replace('"trips"', '"other"')
    beside = {"actual.json": RECORDING, "other.evalset_result.json": others}
    async with scenario(SET, beside=beside, recordings=list(beside)) as s:
        await s.press("o")
        assert "/2]" in head(s)
        await s.press("J", "J")
        assert "nobody" in head(s)
        await s.press("escape")


async def test_the_review_begins_at_the_selected_turn_or_says_that_it_needs_none() -> None:
    async with review(at="2 Book the first") as s:
        assert "book_flight › turn 2" in head(s)
    async with review(at="greeting") as s:
        s.expect("greeting needs no review")
    unrecorded = {name: turns for name, turns in ACTUAL.items() if name != "greeting"}
    async with review(recording=a_set(unrecorded), at="greeting") as s:
        s.expect("greeting has no recording to review")


async def test_the_whole_conversation_is_one_key_away() -> None:
    async with review() as s:
        await s.press("c")
        s.expect("Find me a flight", "turn 2 · this turn", "Press c to go back to the turn")
        marked = [line.split()[0] for line in s.screen() if "search_flights" in line or "book_flight  " in line]
        assert marked == ["search_flights", "~", "actual"], "only the call that differs is marked"
        await s.press("c")
        assert not s.shows("turn 2 · this turn")


async def test_the_whole_conversation_pairs_calls_as_the_turn_does() -> None:
    expected = {"c": [turn(1, "Hi", "Same", ("book", {"id": 1}))]}
    actual = {"c": [turn(1, "Hi", "Same", ("search", {"to": "OSL"}), ("book", {"id": 1}))]}
    async with review(WIDE, a_set(expected), a_set(actual)) as s:
        for _ in range(2):
            assert "+ " in s.line_with("search")
            assert "not expected" in s.line_with("search")
            assert s.line_with("book  id=1").count("book  id=1") == 2, "the call that both sides have is one row"
            assert "~" not in s.line_with("book  id=1")
            await s.press("c")


async def test_both_sides_as_json() -> None:
    async with review(WIDE) as s:
        await s.press("v")
        s.expect('"invocation_id": "t2"', '"flight_id": "1"', '"flight_id": 1')
        for name in ("user_content", "final_response"):
            sides = s.line_with(f'"{name}"').split(" │ ")
            assert all(f'"{name}"' in side for side in sides), "both sides have one shape"


async def test_a_long_text_is_folded_around_what_differs_and_opens_whole() -> None:
    words = [f"word{number}" for number in range(300)]
    expected = {"long": [turn(1, "Hi", " ".join(words), ("call", {"a": 1}))]}
    actual = {"long": [turn(1, "Hi", " ".join(["other", *words[1:]]), ("call", {"a": 2}))]}
    async with review(WIDE, a_set(expected), a_set(actual)) as s:
        s.expect("more words")
        assert not s.shows("word299")
        await s.press("down", "down")
        await s.press("enter")
        await s.press("end")
        s.expect("word299")
        await s.press("home", "enter")
        assert not s.shows("word299")


async def test_the_expected_side_is_edited_right_there() -> None:
    async with review() as s:
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


async def test_a_note_stands_beside_the_set_and_is_shown() -> None:
    async with review() as s:
        await s.press("n")
        await s.type("ask the airline")
        await s.press("enter")
        s.expect("“ask the airline”")
        (line,) = sidecar(s)
        assert line["note"] == "ask the airline"
        assert "decision" not in line


async def test_the_filter_has_the_words_of_the_tree() -> None:
    async with review() as s:
        await s.press("slash")
        await s.type("id:too")
        assert "[1/1] too_long" in head(s)
        await s.press("enter", "J", "K")
        assert "too_long" in head(s)
        await s.press("slash", "escape")
        assert "/2]" in head(s)


async def test_the_queue_is_ordered_by_file_by_loss_and_by_kind() -> None:
    expected = {"near": [turn(1, "A", "one two three four")], "far": [turn(1, "B", "x", ("c", {}))]}
    actual = {"near": [turn(1, "A", "one two three five six")], "far": [turn(1, "B", "y")]}
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        assert "near" in head(s)
        await s.press("o", "K")
        assert "[1/2] far" in head(s)
        s.expect("order: loss")
        await s.press("o", "K")
        assert "[1/2] near" in head(s), "a text comes before calls"


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


async def test_texts_of_the_file_are_harmless() -> None:
    async with review(WIDE) as s:
        s.expect("It is confirmed. [bold]Enjoy[/bold] ␛[31mred")
        s.expect_harmless()


async def test_a_set_that_passes_has_nothing_to_review() -> None:
    async with review(set_=a_set(ACTUAL), recording=RECORDING) as s:
        s.expect("Nothing to review: no turn fails.")


async def test_without_a_recording_the_key_says_what_is_missing() -> None:
    async with scenario(SET) as s:
        await s.press("o")
        s.expect("No recordings. Press H to add one")


async def test_in_why_in_full_the_keys_that_decide_close_the_page_and_act() -> None:
    async with review() as s:
        await s.press("r", "K", ".")
        s.expect("Why: book_flight › turn 2")
        await s.press("u")
        assert not s.shows("Why: book_flight › turn 2")
        s.expect("Undone: agent is wrong", "0 done")


async def test_a_turn_without_a_response_says_so() -> None:
    async with review(set_=a_set(EXPECTED), recording=recording_with("greeting", turn(1, "Hello", ""))) as s:
        s.expect("actual    no response")


async def test_a_review_without_recordings_says_how_to_name_one_and_offers_no_key_that_does_nothing() -> None:
    async with scenario(SET, starts_with=ReviewStart(is_first=True)) as s:
        s.expect("Press H to add one, f6 to run the agent.")
        assert s.keys.split() == ["?", "help", "E", "editor"]
        await s.press("escape")


async def test_scores_are_made_again_on_request() -> None:
    async with review() as s:
        (s.path.parent / "actual.json").write_text(SET)
        await s.press("f5")
        s.expect("Scored again: 4 ✓", "Nothing to review: no turn fails.")


async def test_a_recording_that_cannot_be_read_as_a_whole_is_not_accepted() -> None:
    broken = json.loads(recording_with("greeting", *EXPECTED["greeting"]))
    broken["eval_cases"][1]["conversation"][1]["intermediate_data"]["tool_uses"][0]["args"] = "no object"
    async with review(recording=json.dumps(broken)) as s:
        assert "book_flight" not in head(s)


async def test_another_match_type_is_tried_at_once_and_marked() -> None:
    async with review(WIDE, set_=a_set(_MOVED), recording=a_set(_MOVED_ACTUAL)) as s:
        s.expect("✗ tool_trajectory 0.00 < 1.00")
        s.expect("The tool calls would pass with match_type ANY_ORDER (press m to try).")
        await s.press("m")
        s.expect("IN_ORDER", "trial scores", "Trial: 0 of 1 case passes, as before · tool_trajectory ≥ 1 IN_ORDER")
        await s.press("m")
        s.expect(
            "✓ tool_trajectory 1.00 ≥ 1.00 ANY_ORDER",
            "Trial: 1 of 1 case passes, 0 before",
        )
        assert s.keys.strip().startswith("w write config  x drop trial  ")
        await s.press("m")
        s.expect("✗ tool_trajectory 0.00 < 1.00")
        assert not s.shows("trial scores")
        assert "drop trial" not in s.keys
        assert s.bytes() == s.original


async def test_what_is_tried_is_written_into_the_config_by_a_key_of_its_own() -> None:
    async with review(WIDE, set_=a_set(_MOVED), recording=a_set(_MOVED_ACTUAL)) as s:
        await s.press("w")
        s.expect("there are no trial criteria")
        await s.press("m", "m", "w")
        s.expect("Press w again to write a new test_config.json")
        await s.press("w")
        config = s.path.with_name("test_config.json")
        assert json.loads(config.read_text())["criteria"]["tool_trajectory_avg_score"] == {
            "threshold": 1.0,
            "match_type": "ANY_ORDER",
        }
        s.expect("Nothing to review: no turn fails.")
        assert s.bytes() == s.original


async def test_arguments_can_be_ignored_and_thresholds_tried() -> None:
    async with review(WIDE) as s:
        await s.press("i")
        s.expect("ignoring args", "trial scores")
        await s.press("i", "t")
        s.expect("Threshold of response_match to try")
        await s.type("0.1")
        await s.press("enter")
        s.expect("✓ response_match 0.31 ≥ 0.10", "Trial: 1 of 4 cases passes, as before · response_match ≥ 0.1")
        await s.press("t")
        s.expect("Threshold of tool_trajectory to try")  # the other metric passes now
        await s.type("nonsense")
        await s.press("enter")
        s.expect("a threshold is a number")
        await s.press("escape")


_MOVED = {"moved": [turn(1, "Mix", "ok then", ("a", {"x": 1}), ("b", {"y": 2}))]}
_MOVED_ACTUAL = {"moved": [turn(1, "Mix", "ok then", ("b", {"y": 2}), ("a", {"x": 1}))]}


_MID = {"mid": [turn(1, "one", "1"), turn(2, "three", "Three it is.")]}
_MID_ACTUAL = {"mid": [turn(1, "one", "1"), turn(2, "two", "2"), turn(3, "three", "Quite another answer.")]}


async def test_a_turn_that_fails_once_others_came_is_reviewed_next() -> None:
    async with review(set_=a_set(_MID), recording=a_set(_MID_ACTUAL)) as s:
        await s.press("S")
        assert "mid › turn 3" in head(s)
        assert "1 left" in head(s)
        await s.press("A")
        s.expect("Summary", "2 accepted", "0 left")
        assert len(json.loads(s.bytes())["eval_cases"][0]["conversation"]) == 3


async def test_undo_in_another_review_brings_the_turn_back_into_the_queue() -> None:
    async with review() as s:
        await s.press("A", "S", "escape", "home", "o")
        assert "[2/2] too_long › turn 2 1 done" in head(s)
        await s.press("u", "u")
        assert s.bytes() == s.original
        assert "2 left" in head(s)


async def test_accepting_while_something_is_tried_counts_by_the_config() -> None:
    expected = {"c": [turn(1, "Hi", "Same", ("f", {"a": 1, "b": 1}))]}
    actual = {"c": [turn(1, "Hi", "Same", ("f", {"a": 2, "b": 2}))]}
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        await s.press("i", "down", "a")
        assert "1 left" in head(s), "it still fails by the config"
        await s.press("a")
        s.expect("Summary", "1 accepted")


async def test_undo_takes_back_what_was_done_last_be_it_an_edit() -> None:
    async with review() as s:
        await s.press("r", "K", "down", "e", "f7")
        await s.type("7")
        await s.press("ctrl+s", "u")
        assert s.bytes() == s.original
        assert "agent is wrong" in s.screen()[1]
        await s.press("u")
        assert "agent is wrong" not in s.screen()[1]
        assert not sidecar(s)


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
        s.expect("The decision was not saved")
        await s.press("r", "J")
        s.expect("2 where the agent is wrong")
        assert not s.shows("Decisions and notes are in")
        path.rmdir()


async def test_what_was_said_before_a_turn_stands_above_it() -> None:
    async with review() as s:
        s.expect("previous turn  Find me a flight → There are two flights to Oslo.")
        await s.press("J")
        assert not s.shows("previous turn")


async def test_who_finds_the_agent_wrong_is_told_what_stays_accepted() -> None:
    async with review() as s:
        await s.press("S", "r")
        s.expect("book_flight › turn 2: the agent is wrong; 1 accepted change kept")
        await s.press("u", "u")
        assert s.bytes() == s.original


async def test_a_turn_in_which_nothing_differs_any_more_is_not_found_wrong() -> None:
    async with review() as s:
        await s.press("A", "S", "K", "r")
        s.expect("No difference is left. Press u to undo the accepted changes.", "1 done")
        assert [each["decision"] for each in sidecar(s)] == ["accepted", "accepted"]
        await s.press("u", "u")


async def test_a_key_drops_a_trial_and_escape_leaves_the_filter_then_the_review() -> None:
    async with review() as s:
        await s.press("slash")
        await s.type("book")
        await s.press("enter", "m")
        s.expect("trial scores", "[1/1]")
        await s.press("x")
        s.expect("Trial dropped: scores use", "[1/1]")
        assert not s.shows("trial scores")
        await s.press("escape")
        s.expect("[1/2]")
        await s.press("escape")
        assert not s.shows("Review [")


async def test_the_summary_names_the_turns_and_says_what_the_filter_leaves_out() -> None:
    async with review() as s:
        await s.press("slash")
        await s.type("book")
        await s.press("enter", "r")
        s.expect("1 where the agent is wrong: book_flight › turn 2", "The filter hides 2 turns. Press esc to clear")
        await s.press("escape", "J", "r", "s", "J")
        s.expect("2 where the agent is wrong: book_flight › turn 2, too_long › turn 2", "without a case, 1 skipped")


async def test_the_end_of_the_queue_is_named_with_the_keys_that_go_on() -> None:
    async with review() as s:
        await s.press("J", "J", "J")
        s.expect("Summary", "2 left")
        assert "There are no more turns. Press K to go back, or E for the editor." in s.status
        await s.press("J")
        assert "There are no more turns." in s.status
        await s.press("K")
        assert "too_long › turn 2" in head(s)
        assert "no more turns" not in s.status


async def test_who_thinks_better_of_quitting_is_in_the_review_still() -> None:
    async with review() as s:
        await s.press("A", "S", "ctrl+q")
        s.expect("unsaved")
        await s.press("escape")
        assert "[2/2] too_long" in head(s)
        await s.press("u", "u")


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


async def test_the_keys_line_says_what_accepting_would_do() -> None:
    async with review() as s:
        assert "A all but calls" in s.keys
        assert "S add call" in s.keys
        await s.press("down", "up")
        s.expect('a: accept flight_id: "1" → 1 (type differs)')
        await s.press("S")
        assert "A turn" in s.keys
        await s.press("u", "J")
        assert "S delete turn 2" in s.keys


async def test_the_words_that_differ_are_counted_below_and_listed_on_request() -> None:
    async with review(WIDE) as s:
        s.expect("response_match: 4 of 6 expected words missing, 5 added; 0.31 is 0.49 below 0.80")
        await s.press("full_stop")
        s.expect("4 of 6 expected words are missing: booking, your, code, abc")
        await s.press("escape")


# --- what others change meanwhile --------------------------------------------------------------------------------


async def test_a_trial_ends_where_the_config_is_another() -> None:
    async with review() as s:
        await s.press("i")
        s.expect("trial scores")
        (s.path.parent / "test_config.json").write_text('{"criteria": {"response_match_score": 0.3}}')
        await s.press("f5")
        s.expect("The config changed on disk. The trial criteria were dropped.")
        assert not s.shows("trial scores")
        await s.press("w")
        s.expect("there are no trial criteria")
        await s.press("i")
        s.expect("The config has no criterion tool_trajectory")


async def test_a_trial_goes_on_where_the_same_config_is_read_again() -> None:
    async with review() as s:
        await s.press("i", "f5")
        s.expect("trial scores")


async def test_a_threshold_is_tried_of_a_turn_that_passes_too() -> None:
    async with review(WIDE, set_=a_set(_MID), recording=a_set(_MID)) as s:
        s.expect("Nothing to review")
    async with review(WIDE) as s:
        await s.press("i", "t")
        await s.type("0.1")
        await s.press("enter", "S", "t")
        s.expect("Threshold of response_match to try (now 0.1)")
        await s.press("escape", "u")


async def test_a_turn_that_was_deleted_says_so_where_one_goes_back_to_it() -> None:
    async with review() as s:
        await s.press("J", "S", "J")
        assert "too_long › turn 2" in head(s)
        s.expect("nothing to compare", "This turn or its recording no longer exists.")
        await s.press("u")
        assert s.bytes() == s.original


async def test_a_change_on_disk_while_a_dialog_is_open_is_seen_when_it_closes() -> None:
    async with review() as s:
        await s.press("n")
        s.path.write_bytes(s.original.replace(b"Booking confirmed", b"Your flight is booked"))
        s.app.on_disk_touched()
        await s.settle()
        await s.press("escape")
        s.expect("Your flight is booked")


async def test_parts_that_were_accepted_of_a_turn_found_wrong_are_named_in_the_end() -> None:
    same = {name: turns for name, turns in ACTUAL.items() if name != "nobody"}
    async with review(recording=a_set(same)) as s:
        await s.press("S", "E", "o")
        s.expect("you: accepted in part")
        await s.press("r")
        s.expect("the agent is wrong; 1 accepted change kept")
        await s.press("r")
        s.expect("Decisions and notes are saved in set.evalset.json.review.jsonl.")
        s.expect("book_flight › turn 2 (1 change accepted)")


async def test_undo_in_the_editor_takes_the_decision_back_and_scores_at_once() -> None:
    async with review() as s:
        s.path.with_name(f"{s.path.name}.review.jsonl").write_text("{}\n")  # a file of somebody else only grows
        await s.press("A", "S", "escape")
        s.expect("✓ 2 Book the first")
        await s.press("u", "u")
        s.expect("✗ 2 Book the first")
        assert s.bytes() == s.original
        lines = sidecar(s)[1:]
        assert len(lines) == 4
        assert {each["id"] for each in lines if "decision" in each} == {each.get("takes_back") for each in lines[2:]}
        await s.press("U")
        assert [each.get("decision") for each in sidecar(s)[5:]] == ["accepted"]
        await s.press("u")


async def test_the_key_that_accepts_says_what() -> None:
    async with review() as s:
        assert "a accept flight_id" in s.keys
        await s.press("a")
        s.expect("S add call")
        await s.press("S")
        assert "a accept response" in s.keys
        assert "A turn" not in s.keys, "it would do the same"
        await s.press("u", "u")


@pytest.mark.parametrize("width", [20, 40, 60, 80])
async def test_however_narrow_the_head_says_first_which_turn_it_is(width: int) -> None:
    async with review((width, 24)) as s:
        assert s.screen()[0].startswith(" Review [1/2]")


async def test_redo_with_nothing_to_redo_decides_nothing() -> None:
    async with review() as s:
        await s.press("A", "escape")
        before = sidecar(s)
        await s.press("U")
        s.expect("Nothing to redo.")
        assert sidecar(s) == before
        await s.press("u")


async def test_a_part_that_was_taken_back_in_the_editor_counts_no_more() -> None:
    async with review() as s:
        await s.press("S", "escape", "u", "o", "r")
        s.expect("book_flight › turn 2: the agent is wrong")
        assert not s.shows("accepted change")


async def test_accepting_undoing_and_redoing_name_the_verdict() -> None:
    async with review() as s:
        await s.press("down", "a")
        assert 'Accepted: flight_id: "1" → 1 (type differs) · turn 2 still fails' in s.screen()[-2]
        await s.press("u")
        assert "Turn 2 still fails. Undone: accept flight_id" in s.status
        await s.press("A", "S")
        assert s.status.startswith(" Accepted. Turn 2 of book_flight passes now (was: fails).")
        await s.press("u")
        assert "Turn 2 fails again. Undone: add call send_email" in s.status
        await s.press("U")
        assert "Turn 2 passes now (was: fails). Redone: " in s.status
        await s.press("J", "S")
        assert "Accepted. Case too_long passes now (was: fails)." in s.status
        await s.press("u")
        assert "The case fails again. Undone: " in s.status


async def test_a_long_name_is_cut_in_the_middle_so_the_turn_stays() -> None:
    name = "book_flight_from_oslo_to_lisbon_with_a_bag_and_a_window"
    expected, actual = ({name: [turn(1, "Hi", text)]} for text in ("Hello there, friend.", "Bye."))
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        assert re.search(r"\[1/1\] book_flight_from_.+….+_window › turn 1 0 done", head(s))


async def test_the_first_message_says_what_the_queue_counts() -> None:
    async with review(at="book_flight") as s:
        assert "2 turns to review. 1 recorded conversation without a case comes after them." in s.status
        await s.press("s", "escape", "o")
        assert "turns to review" not in s.status, "only until something is decided"


async def test_in_one_column_the_title_names_both_files_in_the_order_of_the_lines() -> None:
    async with review(NARROW) as s:
        s.expect("─ Expected (set.evalset.json) ─ below: actual (actual.json) ─")
        await s.press("J", "J")
        s.expect("─ Actual · actual.json ─")

"""The queue of the review: its turns, order, filter and end."""

from __future__ import annotations

import json

import pytest

from evaltui.tui.review.review_queue import ReviewStart
from tests.scored_sets import ACTUAL, RECORDING, SET, a_set, history, turn
from tests.tui.review.reviewed import head, review
from tests.tui.scenario import NARROW, scenario


async def test_the_queue_holds_failing_turns_and_recordings_has_an_end_and_a_filter() -> None:
    async with review() as s:
        # The queue holds failing turns other turns and recordings without a case.
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
        await s.press("K", "K", "K")

        # The end of the queue is named with the keys that go on.
        await s.press("J", "J", "J")
        s.expect("Summary", "2 left")
        assert "Last turn; 2 still open. Press K to go back, or E for the editor." in s.status
        await s.press("J")
        assert "Last turn; 2 still open." in s.status
        await s.press("K")
        assert "too_long › turn 2" in head(s)
        assert "Last turn" not in s.status
        await s.press("K")

        # The filter has the words of the tree.
        await s.expect_keys_of_the_filter()
        await s.press("slash")
        await s.type("id:too")
        assert "[1/1] too_long" in head(s)
        await s.press("enter", "J", "K")
        assert "too_long" in head(s)
        await s.press("slash", "escape")
        assert "/2]" in head(s)


@pytest.mark.thorough
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


@pytest.mark.thorough
async def test_the_review_begins_at_the_selected_turn_or_says_that_it_needs_none() -> None:
    async with review(at="2 Book the first") as s:
        assert "book_flight › turn 2" in head(s)
    async with review(at="greeting") as s:
        s.expect("greeting needs no review")
    unrecorded = {name: turns for name, turns in ACTUAL.items() if name != "greeting"}
    async with review(recording=a_set(unrecorded), at="greeting") as s:
        s.expect("greeting has no recording. The review starts at the first undecided turn.")


@pytest.mark.thorough
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


@pytest.mark.thorough
async def test_a_set_that_passes_has_nothing_to_review() -> None:
    async with review(set_=a_set(ACTUAL), recording=RECORDING) as s:
        s.expect("Nothing to review: no turn fails.")


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


async def test_turns_that_came_with_an_undone_step_leave_the_queue() -> None:
    async with review(set_=a_set(_MID), recording=a_set(_MID_ACTUAL)) as s:
        before = head(s)
        await s.press("S", "u")
        assert head(s) == before
        await s.press("J")
        assert "no longer exists" not in "\n".join(s.screen())


@pytest.mark.thorough
async def test_the_summary_names_the_turns_and_says_what_the_filter_leaves_out() -> None:
    async with review() as s:
        await s.press("slash")
        await s.type("book")
        await s.press("enter", "r")
        s.expect("1 where the agent is wrong: book_flight › turn 2", "The filter hides 2 turns. Press esc to clear")
        await s.press("escape", "J", "r", "s", "J")
        s.expect("2 where the agent is wrong: book_flight › turn 2, too_long › turn 2", "without a case, 1 skipped")


async def test_who_thinks_better_of_quitting_or_of_deleting_a_turn_is_in_the_review_still() -> None:
    async with review() as s:
        # Who thinks better of quitting is in the review still.
        await s.press("A", "S", "ctrl+q")
        s.expect("unsaved")
        await s.press("escape")
        assert "[2/2] too_long" in head(s)
        await s.press("u", "u")

        # A turn that was deleted says so where one goes back to it.
        await s.press("J", "S", "J")
        assert "too_long › turn 2" in head(s)
        s.expect("nothing to compare", "This turn or its recording no longer exists.")
        await s.press("u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_the_first_message_says_what_the_queue_counts() -> None:
    async with review(at="book_flight") as s:
        assert "2 turns to review. 1 recorded conversation without a case comes after them." in s.status
        await s.press("s", "escape", "o")
        assert "turns to review" not in s.status, "only until something is decided"


@pytest.mark.thorough
async def test_in_one_column_the_title_names_both_files_in_the_order_of_the_lines() -> None:
    async with review(NARROW) as s:
        s.expect("─ Expected (set.evalset.json) and actual (actual.json) ─")
        await s.press("J", "J")
        s.expect("─ Actual · actual.json ─")


@pytest.mark.thorough
async def test_a_key_pressed_before_there_are_scores_does_not_lead_to_the_summary() -> None:
    async with scenario(SET, starts_with=ReviewStart(is_first=True)) as s:
        await s.press("J")
        s.expect("There are no more turns")
        recorded = s.path.with_name("actual.json")
        recorded.write_text(RECORDING)
        s.app.file.scorer.add_recordings([recorded])
        await s.press("f5")
        assert head(s) == "Review [1/2] book_flight › turn 2 0 done · 2 left"

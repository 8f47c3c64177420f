"""The review desk: what it shows of each turn, and what its lines say."""

from __future__ import annotations

import re

import pytest

from evaltui.tui.review.review_queue import ReviewStart
from evaltui.tui.review.review_screen import ReviewScreen
from tests.sampling import sampled
from tests.scored_sets import EXPECTED, SET, a_set, recording_with, turn
from tests.tui.review.reviewed import head, others_delete, others_write, review, sidecar
from tests.tui.scenario import NARROW, NORMAL, WIDE, scenario


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NORMAL, WIDE], 1))
async def test_from_100_columns_both_sides_stand_beside_each_other_under_their_sources(size: tuple[int, int]) -> None:
    async with review(size) as s:
        titles = s.line_with("Expected · ")
        assert titles.index("Actual · actual.json") > size[0] // 2 - 3
        row = s.line_with("~ book_flight")
        assert row.index('flight_id="1"') < size[0] // 2 < row.index("flight_id=1")
        assert "type differs" in s.line_with("~ flight_id")
        assert "not expected" in s.line_with("send_email")


@pytest.mark.thorough
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


async def test_a_turn_is_shown_below_its_words_with_the_whole_conversation_one_key_away() -> None:
    async with review() as s:
        # The whole conversation is one key away.
        await s.press("c")
        s.expect("Find me a flight", "turn 2 · this turn", "Press c to go back to the turn")
        assert "all turns" not in s.keys
        marked = [line.split()[0] for line in s.screen() if "search_flights" in line or "book_flight  " in line]
        assert marked == ["search_flights", "~", "actual"], "only the call that differs is marked"
        await s.press("c")
        assert not s.shows("turn 2 · this turn")

        # What was said before a turn stands above it.
        s.expect("previous turn  Find me a flight → There are two flights to Oslo.")
        await s.press("J")
        assert not s.shows("previous turn")


@pytest.mark.thorough
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


async def test_both_sides_their_words_and_their_json() -> None:
    async with review(WIDE) as s:
        # Texts of the file are harmless.
        s.expect("It is confirmed. [bold]Enjoy[/bold] ␛[31mred")
        s.expect_harmless()

        # The words that differ are counted below and listed on request.
        s.expect("response_match: 4 of 6 expected words missing, 5 added; 0.31 is 0.49 below 0.80")
        await s.press("full_stop")
        s.expect("4 of 6 expected words are missing: booking, your, code, abc")
        await s.press("escape")

        # Both sides as json.
        await s.press("v")
        s.expect('"invocation_id": "t2"', '"flight_id": "1"', '"flight_id": 1')
        for name in ("user_content", "final_response"):
            sides = s.line_with(f'"{name}"').split(" │ ")
            assert all(f'"{name}"' in side for side in sides), "both sides have one shape"


async def test_no_key_decides_on_lines_that_the_page_of_reasons_covers() -> None:
    async with review(WIDE) as s:
        before = s.line_with("Review [")
        for key in "aASrsnuUmitFwxo":
            await s.press("full_stop")
            s.expect("Why: ", "esc closes")
            await s.press(key, "escape")
            assert s.bytes() == s.original, key
            assert not sidecar(s), key
            assert s.line_with("Review [") == before, key
            assert not s.app.file.scores.trial.is_unwritten, key


async def test_without_a_recording_the_key_says_what_is_missing() -> None:
    async with scenario(SET) as s:
        await s.press("o")
        s.expect("No recordings. Press H to add one")


@pytest.mark.thorough
async def test_a_turn_that_passes_but_for_a_response_that_is_not_recorded_needs_no_review() -> None:
    async with review(set_=a_set(EXPECTED), recording=recording_with("greeting", turn(1, "Hello", ""))) as s:
        s.expect("greeting needs no review.")


async def test_a_review_without_recordings_says_how_to_name_one_and_offers_no_key_that_does_nothing() -> None:
    async with scenario(SET, starts_with=ReviewStart(is_first=True)) as s:
        s.expect("Press H to add one, f6 to run the agent.")
        assert s.keys.split() == ["?", "help", "E", "editor"]
        await s.press("escape")


@pytest.mark.thorough
async def test_scores_are_made_again_on_request() -> None:
    async with review() as s:
        (s.path.parent / "actual.json").write_text(SET)
        await s.press("f5")
        s.expect("Scored again: 4 ✓", "Nothing to review: no turn fails.")


async def test_a_change_on_disk_while_a_dialog_is_open_is_seen_when_it_closes() -> None:
    async with review() as s:
        await s.press("n")
        await others_write(s, s.original.replace(b"Booking confirmed", b"Your flight is booked"))
        await s.press("escape")
        s.expect("Your flight is booked")


async def test_a_shown_turn_whose_case_is_deleted_on_disk_gives_way_to_the_next_one() -> None:
    async with review() as s:
        assert "book_flight" in head(s)
        await others_delete(s, "book_flight")
        assert "[1/1] too_long" in head(s)
        assert s.status.strip() == "reloaded: 1 case deleted"
        await s.press("A", "u")
        assert "[1/1] too_long" in head(s)


async def test_scoring_again_with_a_broken_config_says_why_the_scores_are_outdated() -> None:
    async with review(WIDE) as s:
        (s.path.parent / "test_config.json").write_text('{"crit')
        await s.press("f5")
        s.expect("The scores are outdated: test_config.json")


async def test_save_after_undo_takes_over_what_a_conflict_was_about() -> None:
    async with review() as s:
        await s.press("A")
        await others_delete(s, "book_flight")
        s.expect("1 conflict with ")
        await s.press("u", "ctrl+s")
        s.expect("reloaded: ")
        assert s.bytes() == s.file_bytes()
        assert "too_long" in head(s)


async def test_a_merge_says_in_the_review_what_came_in() -> None:
    async with review() as s:
        await s.press("A")
        await others_write(s, s.original.replace(b"too_long", b"long"))
        s.expect("merged with the file on disk: ")


@pytest.mark.thorough
@pytest.mark.parametrize("width", sampled([20, 40, 60, 80]))
async def test_however_narrow_the_head_says_first_which_turn_it_is(width: int) -> None:
    async with review((width, 24)) as s:
        assert s.screen()[0].startswith(" Review [1/2]")


@pytest.mark.thorough
async def test_a_long_name_is_cut_in_the_middle_so_the_turn_stays() -> None:
    name = "book_flight_from_oslo_to_lisbon_with_a_bag_and_a_window"
    expected, actual = ({name: [turn(1, "Hi", text)]} for text in ("Hello there, friend.", "Bye."))
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        assert re.search(r"\[1/1\] book_flight_from_.+….+_window › turn 1 0 done", head(s))


async def test_the_key_that_accepts_says_that_the_turn_still_fails_then() -> None:
    expected = {"c": [turn(1, "Hi", "Hello", ("book", {"id": 1}))]}
    actual = {"c": [turn(1, "Hi", "👍", ("book", {"id": 2}))]}
    async with review(NORMAL, a_set(expected), a_set(actual)) as s:
        assert "a accept id  A turn (still fails)" in s.keys
        await s.to("Hello")
        assert "a accept response (still fails)  A turn (still fails)" in s.keys
        s.expect("response_match_score stays 0.0, because the response has no words")


async def test_reasons_without_room_name_the_key_that_shows_all_of_them() -> None:
    async with review(NARROW) as s:
        assert isinstance(s.app.screen, ReviewScreen)
        view = s.app.screen.entry_view
        view.show_reasons([f"Reason {number}." for number in range(40)], 15)
        assert view.why.render().plain.endswith(" … (press . to show all)")

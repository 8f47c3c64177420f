"""Trials in the review: other match types and thresholds, and their way into the config."""

from __future__ import annotations

import json

from tests.scored_sets import a_set, turn
from tests.tui.review.reviewed import head, review
from tests.tui.scenario import WIDE


async def test_another_match_type_is_tried_marked_and_written_into_the_config() -> None:
    async with review(WIDE, set_=a_set(_MOVED), recording=a_set(_MOVED_ACTUAL)) as s:
        # Another match type is tried at once and marked.
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
        await s.press("t")
        await s.type("0\r")
        s.expect("Passes all metrics.")
        assert not s.shows("would pass")
        await s.press("x")
        assert "drop trial" not in s.keys
        assert s.bytes() == s.original

        # What is tried is written into the config by a key of its own.
        await s.press("w")
        s.expect("there are no trial criteria")
        await s.press("m", "m", "w")
        s.expect("Press w again to write a new test_config.json")
        await s.press("f2", "f2")
        assert not s.shows("Press w again")
        await s.press("w", "w")
        config = s.path.with_name("test_config.json")
        assert json.loads(config.read_text())["criteria"]["tool_trajectory_avg_score"] == {
            "threshold": 1.0,
            "match_type": "ANY_ORDER",
        }
        s.expect("Nothing to review: no turn fails.")
        assert s.bytes() == s.original


async def test_the_own_write_of_the_config_is_no_change_on_disk() -> None:
    async with review(WIDE, set_=a_set(_MOVED), recording=a_set(_MOVED_ACTUAL)) as s:
        config, scores, sources = s.path.with_name("test_config.json"), s.app.file.scores, s.app.file.sources
        await s.press("m", "m", "w", "w")
        scores.is_paused = True
        s.app.call_later(sources.touched, frozenset({config}))
        await s.settle()
        assert not scores.has_old_inputs
        assert not any("changed" in message for message in s.app.messages.newest_first())

        # A write of another program is one, even if it brings the same text again.
        written = config.read_text()
        for text in (written.replace("ANY_ORDER", "EXACT"), written):
            config.write_text(text)
            scores.is_paused = True
            sources.touched(frozenset({config}))
            assert scores.has_old_inputs
            s.app.call_later(sources.pause_watch)  # scoring resumes
            await s.settle()
            assert not scores.has_old_inputs


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


async def test_accepting_while_something_is_tried_counts_by_the_config() -> None:
    expected = {"c": [turn(1, "Hi", "Same", ("f", {"a": 1, "b": 1}))]}
    actual = {"c": [turn(1, "Hi", "Same", ("f", {"a": 2, "b": 2}))]}
    async with review(set_=a_set(expected), recording=a_set(actual)) as s:
        await s.press("i", "down", "a")
        assert "1 left" in head(s), "it still fails by the config"
        await s.press("a")
        s.expect("Summary", "1 accepted")


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


# --- what others change meanwhile --------------------------------------------------------------------------------


async def test_a_trial_goes_on_with_the_same_config_and_with_another() -> None:
    async with review() as s:
        # A trial goes on where the same config is read again.
        await s.press("i", "f5")
        s.expect("trial scores")
        await s.press("x")

        # It goes on where the config is another.
        await s.press("m")
        s.expect("trial scores")
        config = s.path.parent / "test_config.json"
        config.write_text('{"criteria": {"tool_trajectory_avg_score": 0.9, "response_match_score": 0.3}}')
        await s.press("n")  # behind the text box of a note, too
        s.app.file.scorer.score(anew=True)
        await s.settle()
        await s.press("escape")
        s.expect("trial scores")
        stays = "The config changed on disk. Your trial stays: tool_trajectory"
        assert any(message.startswith(stays) for message in s.app.messages.newest_first())
        await s.press("w", "w")
        assert json.loads(config.read_text())["criteria"]["response_match_score"] == 0.3


async def test_a_threshold_is_tried_of_a_turn_that_passes_too() -> None:
    async with review(WIDE, set_=a_set(_MID), recording=a_set(_MID)) as s:
        s.expect("Nothing to review")
    async with review(WIDE) as s:
        await s.press("i", "t")
        await s.type("0.1")
        await s.press("enter", "S", "t")
        s.expect("Threshold of response_match to try (now 0.1)")
        await s.press("escape", "u")

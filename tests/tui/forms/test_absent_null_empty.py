"""Absent, null and empty are three things to google-adk, and are shown and made as such; dates; parts in order."""

from pathlib import Path

import pytest

from evaltui.tui.widgets.text_field import TextField
from tests.tui.every_field import choose
from tests.tui.scenario import SAMPLES, scenario
from tests.tui.sets import SNAKE

TURN = '{"user_content": {"parts": []}, "intermediate_data": {"tool_uses": [{"name": "f"}]}}'
CALL = f'{{"eval_set_id": "s", "name": null, "eval_cases": [{{"eval_id": "c", "conversation": [{TURN}]}}]}}'


async def test_values_are_made_empty_null_and_absent() -> None:
    async with scenario(CALL) as s:
        await s.enter("1 no user message", "f  no args")
        s.expect("absent (not the same as {})")
        await s.to("args")
        await s.press("t")
        assert b'"name": "f", "args": {}' in s.bytes()
        await s.press("t")
        assert b'"args": null' in s.bytes()
        await s.press("d")
        assert s.bytes() == s.original
        await s.start_over()
        await s.press("home", "enter")
        await s.to("name  ")
        assert "null" in s.cursor()
        await s.press("t")
        assert b'"name": ""' in s.bytes()
        assert "empty" in s.cursor()
        await s.press("d")
        assert b'"name"' not in s.bytes().split(b"eval_cases")[0]
        assert "absent" in s.cursor()
        await s.press("t", "t")
        assert b'"name": null' in s.bytes()


async def test_a_number_stands_beside_its_date_and_a_date_becomes_a_number() -> None:
    stamped = SNAKE.replace('"eval_id": "greeting"', '"eval_id": "greeting", "creation_timestamp": 1750000000123456')
    async with scenario(stamped) as s:
        await s.enter("greeting")
        s.expect("2025-06-15 15:06:40 UTC (in microseconds)")
        await s.edit("creation_timestamp", "2026-03-12 10:25")
        assert b'"creation_timestamp": 1773311100000000' in s.bytes()


@pytest.mark.thorough
async def test_parts_change_places_and_go() -> None:
    async with scenario(SAMPLES / "picture_quote.evalset.json") as s:
        await s.enter("The lower right pane")
        await s.to("image/png")
        await s.press("alt+up")
        assert "image/png" in s.cursor()
        parts = s.bytes()
        assert parts.index(b"iVBORw0") < parts.index(b"The lower right pane")
        await s.press("alt+down", "d")
        assert b"iVBORw0" not in s.bytes()


@pytest.mark.thorough
async def test_help_stands_below_the_line_it_is_about() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        await s.enter("book_flight_lisbon")
        await s.to("final_session_state")
        assert "google-adk ignores this field" in s.status


@pytest.mark.thorough
async def test_a_fresh_id_is_one_that_no_turn_has() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining")
        await s.to("invocation_id")
        await s.press("f")
        assert b'"invocation_id": "turn-3"' in s.bytes()


async def test_a_file_is_too_large_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # short paths, so that no line is broken
    (tmp_path / "large.bin").write_bytes(b"x" * 5_000_001)
    async with scenario(SNAKE, (140, 40)) as s:
        await s.enter("Is it raining")
        await choose(s, "file from disk to the user", "large.bin")
        s.expect("file has 5.0 MB; the setting inline_data_limit allows 5.0 MB")
        await s.press("f7")
        await s.paste("none.bin")
        await s.press("enter")
        s.expect("none.bin: there is no such file")
        await s.press("escape")
        assert not s.is_dirty


@pytest.mark.thorough
async def test_a_path_is_completed_from_the_folders(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures" / "cracked.png").write_bytes(b"\x89PNG")
    (tmp_path / "plan.pdf").write_bytes(b"%PDF")
    async with scenario(SNAKE, (140, 40)) as s:
        await s.enter("Is it raining")
        await choose(s, "file from disk to the user")
        await s.paste(f"{tmp_path}/p")
        s.expect("tab: pictures/  plan.pdf")
        await s.press("tab", "tab")
        assert s.app.screen.query_one(TextField).value.endswith("pictures/cracked.png")
        await s.press("tab")
        assert not s.is_dirty
        await s.press("enter")
        assert b'"mime_type": "image/png"' in s.bytes()


async def test_inline_data_are_saved_to_a_new_file(tmp_path) -> None:  # type: ignore[no-untyped-def]
    async with scenario(SAMPLES / "picture_quote.evalset.json") as s:
        await s.enter("The lower right pane", "image/png")
        await choose(s, "save to a file", str(tmp_path / "out.png"))
        assert "Saved" in s.status
        assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
        await choose(s, "save to a file", str(tmp_path / "out.png"))
        s.expect("this file already exists")
        await s.press("escape")


@pytest.mark.thorough
async def test_an_empty_expected_response_says_what_it_scores() -> None:
    empty = SNAKE.replace("Good morning to you.", "")
    for text in (empty, empty.replace('"parts": [{"text": ""}]', '"parts": []')):
        async with scenario(text) as s:
            await s.enter("greeting", "Good morning")
            s.expect("so response_match_score is 0 · enter: write")


async def test_behaviors_of_another_type_have_a_line() -> None:
    persona = '{"id": "p", "description": "d", "behaviors": "none"}'
    scenario_text = f'{{"starting_prompt": "hi", "conversation_plan": "x", "user_persona": {persona}}}'
    text = f'{{"eval_set_id": "s", "eval_cases": [{{"eval_id": "c", "conversation_scenario": {scenario_text}}}]}}'
    async with scenario(text, (140, 40)) as s:
        await s.enter("c", "user_persona")
        await s.press("2")
        s.expect("behaviors", "none")
        await s.to("behaviors")
        await s.press("d")
        assert b'"behaviors"' not in s.bytes()

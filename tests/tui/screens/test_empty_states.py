"""What a screen shows where something is missing: one line with the next key, and that key works there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaltui.evalset.editing.templates import new_eval_set
from tests.scored_sets import RECORDING, SET
from tests.tui.recordings.chats import CHATS, write_chats
from tests.tui.scenario import NORMAL, Scenario, scenario
from tests.tui.sets import SNAKE

NEW = new_eval_set("new")
NO_CASES = '{"eval_set_id": "s", "eval_cases": []}'
NO_PROBLEM = (
    '{"eval_set_id": "s", "eval_cases": [{"eval_id": "one", "conversation": [{"invocation_id": "i", '
    '"user_content": {"parts": [{"text": "Hi"}], "role": "user"}, '
    '"final_response": {"parts": [{"text": "Hello"}], "role": "model"}}]}]}'
)
NO_TURNS = '{"eval_set_id": "s", "eval_cases": [{"eval_id": "one", "conversation": []}]}'
BARE_TURN = '{"eval_set_id": "s", "eval_cases": [{"eval_id": "one", "conversation": [{}]}]}'


def cases(s: Scenario) -> list[str]:
    return [case["eval_id"] for case in json.loads(s.bytes())["eval_cases"]]


@pytest.mark.thorough
async def test_a_set_without_cases_offers_to_add_one() -> None:
    async with scenario(NO_CASES) as s:
        s.expect("No cases. Press a to add a case, or + for recorded conversations.")
        await s.press("4")
        s.expect("No cases to score. Press 1 to add a case in the tree.")
        await s.press("1", "a")
        assert cases(s) == ["case_1"]


@pytest.mark.thorough
async def test_a_case_without_turns_offers_to_add_one() -> None:
    async with scenario(NO_TURNS) as s:
        await s.to("one")
        s.expect("No turns. Press A to add a turn.")
        await s.press("A")
        assert len(json.loads(s.bytes())["eval_cases"][0]["conversation"]) == 1


async def test_a_hint_behind_a_message_is_of_the_present_text_once_the_message_goes() -> None:
    async with scenario(NO_TURNS) as s:
        await s.to("one")
        s.expect("No turns. Press A to add a turn.")
        await s.press("d")
        s.expect("deleted case one")
        s.app.screen.status.say("")  # type: ignore[attr-defined]
        await s.settle()
        s.expect("No cases. Press a to add a case")


@pytest.mark.thorough
async def test_a_turn_without_a_user_message_leads_to_its_form() -> None:
    async with scenario(BARE_TURN) as s:
        await s.to("1 no user message")
        s.expect("No user message. Press enter to write one.")
        await s.press("enter")
        s.expect("no user message · enter: write", "No tool calls. Press a to add one (while typing: esc, then a).")


async def test_a_read_only_set_offers_no_key_that_edits() -> None:
    async with scenario(NO_CASES) as s:
        s.app.file.readonly = True
        await s.press("4", "f5")
        s.expect("No cases to score.")
        assert not s.shows("to add a case")
        await s.press("1")
        assert not s.shows("Press a to add")
        await s.press("a")
        assert "To edit, start without it." in s.status


@pytest.mark.thorough
async def test_without_recordings_the_same_keys_are_named_for_scores_review_why_and_failing_cases() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        for key in ("O", "right_square_bracket", "w", "L"):
            await s.press(key)
            assert s.status.strip() == "No recordings. Press H to add one, f6 to run the agent.", key
        await s.press("4")
        s.expect("No recordings. Press H to add one, f6 to run the agent.")
        await s.press("H")
        s.expect("No recordings. Press a to add a file or a folder.")


async def test_conversations_beside_a_set_without_recordings_are_named_with_their_key(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    async with scenario(SNAKE, beside={".adk/session.db": database}) as s:
        await s.press("4")
        s.expect("No recordings. Press H to add one, f6 to run the agent, + for conversations.")
        await s.press("+")
        assert s.focused == "chats"


@pytest.mark.thorough
async def test_without_conversations_only_keys_that_do_something_are_offered() -> None:
    async with scenario(SNAKE) as s:
        await s.press("+")
        s.expect("No conversations found. Press a to open a session database.")
        assert "a source" in s.keys
        assert "tick" not in s.keys
        assert "filter" not in s.keys


@pytest.mark.thorough
async def test_a_filter_without_hits_names_the_key_that_clears_it() -> None:
    async with scenario(SNAKE) as s:
        await s.press("slash")
        await s.type("nowhere at all\r")
        assert s.status.strip() == "The filter finds nothing. Press esc to clear the filter."
        await s.press("escape")
        s.expect("Filter cleared.")


async def test_a_new_set_says_how_to_begin() -> None:
    async with scenario(NEW) as s:
        await s.to("case_1")
        s.expect("Empty case. Press enter to open it, or + for recorded conversations.")
        await s.press("down")
        s.expect("No user message. Press enter to write one, or + for recorded conversations.")


@pytest.mark.thorough
async def test_the_empty_case_of_a_new_set_goes_when_conversations_are_added(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    for row in ("new", "case_1", "1 no user message"):
        async with scenario(NEW, beside={".adk/session.db": database}) as s:
            await s.to(row)
            await s.press("+", "enter")
            assert len(cases(s)) == 1
            assert "case_1" not in cases(s)


@pytest.mark.thorough
async def test_an_edited_first_case_stays_when_conversations_are_added(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    edited = NEW.replace(b'"text": ""', b'"text": "Hello"')
    async with scenario(edited, beside={".adk/session.db": database}) as s:
        await s.to("case_1")
        await s.press("+", "enter")
        assert len(cases(s)) == 2
        assert cases(s)[0] == "case_1"


async def test_typing_in_one_field_leaves_one_message() -> None:
    async with scenario(BARE_TURN) as s:
        await s.enter("one", "eval_id")
        for letter in "abc":
            await s.press(letter)
        await s.press("escape", "f2")
        assert sum("edited eval_id" in line for line in s.screen() if line.count("│") == 2) == 1
        await s.press("escape")


@pytest.mark.thorough
async def test_a_new_file_opens_at_the_user_message_of_its_first_turn() -> None:
    async with scenario(NEW, is_new=True) as s:
        s.expect("New set. Press enter for the user message, + for recorded conversations.")
        assert "enter edit" in s.keys
        await s.press("enter")
        await s.type("Hello")
        await s.press("escape")
        turn = json.loads(s.bytes())["eval_cases"][0]["conversation"][0]
        assert turn["user_content"]["parts"] == [{"text": "Hello"}]
        assert not s.shows("New set.")
        await s.press("escape")
        assert s.focused == "tree"
        assert "1 Hello" in s.cursor()


async def test_conversations_can_be_added_where_a_new_file_opens(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    async with scenario(NEW, is_new=True, beside={".adk/session.db": database}) as s:
        await s.press("+", "enter")
        assert len(cases(s)) == 1
        assert "case_1" not in cases(s)


@pytest.mark.thorough
async def test_a_first_start_is_welcomed_until_the_first_key() -> None:
    welcome = "Welcome. Press ? to show all keys, enter to open a row, or ^q to quit."
    async with scenario(NO_PROBLEM, is_first_start=True) as s:
        assert s.status.strip() == welcome
        await s.press("down")
        assert not s.shows("Welcome")
        await s.press("up")
        assert not s.shows("Welcome")
    async with scenario(NO_PROBLEM) as s:
        assert not s.shows("Welcome")


@pytest.mark.thorough
async def test_a_set_without_recordings_names_the_keys_that_get_some() -> None:
    missing = "No recordings. Press H to add one, f6 to run the agent."
    async with scenario(NO_PROBLEM) as s:
        await s.press("home")
        assert s.status.strip() == missing
    async with scenario(SNAKE) as s:
        await s.press("home")
        assert s.status.strip().startswith(f"{missing} 1 info (press 3)")


async def test_problems_are_counted_at_a_first_start_too() -> None:
    async with scenario(SNAKE, is_first_start=True) as s:
        s.expect("1 info (press 3) · turn 1 › tool call 2: ")


@pytest.mark.thorough
async def test_an_empty_set_at_a_first_start_shows_its_next_step() -> None:
    async with scenario(NO_CASES, is_first_start=True) as s:
        s.expect("No cases. Press a to add a case, or + for recorded conversations.")


async def test_without_a_config_a_read_only_set_offers_no_key_that_writes() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.app.file.readonly = True
        await s.press("4", "c")
        s.expect("Criteria · google-adk's defaults  read-only")
        s.app.file.readonly = False
        await s.press("escape")


@pytest.mark.thorough
async def test_without_an_agent_command_the_settings_are_named_in_editor_and_review() -> None:
    async with scenario(SET, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("f6")
        s.expect("No agent command. Set `run` in evaltui.toml or in the settings (press ,).")
        await s.press("escape", "O", "f6")
        s.expect("No agent command. Set `run` in evaltui.toml or in the settings (esc, then ,).")


async def test_the_recordings_name_the_conversations_found_nearby(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    async with scenario(SNAKE, beside={".adk/session.db": database}) as s:
        await s.press("H")
        s.expect("No recordings. Press a to add a file or a folder.")
        s.expect("Conversations were found near this set: press esc, then + in the editor.")
        await s.press("escape", "+")
        assert s.focused == "chats"


@pytest.mark.thorough
async def test_a_set_without_cases_does_not_blame_its_recording() -> None:
    none = '{"eval_set_id": "s", "name": "n", "eval_cases": []}'
    async with scenario(none, NORMAL, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4")
        s.expect("No cases to score. Press 1 to add a case in the tree.")
        await s.press("f5")
        assert "No recording could be read" not in s.status
        await s.press("1", "O")
        assert s.status.strip().startswith("No cases to score.")
    async with scenario(none, NORMAL, beside={"actual.json": "{"}, recordings=["actual.json"]) as s:
        await s.press("f5")
        assert "No recording could be read" in s.status

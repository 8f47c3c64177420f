"""The screen of conversations by keyboard: found near the set, ticked, shown as a chat, and added as cases or turns."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.recordings.add_screen import AddScreen
from evaltui.tui.recordings.conversations_to_add import AddTarget
from tests.sampling import sampled
from tests.terminal.desk import SET
from tests.tui.editor.test_disk_changes import others_write
from tests.tui.recordings.chats import BOOKED, CHATS, REWOUND, Chat, ChatTurn, many, write_chats
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario

SIZES = pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE], 1))
SESSIONS = ".adk/session.db"
HOSTILE = "\x1b[31m[bold]x\u202ey[/nope]\n"
SCENARIO = """{"eval_set_id": "s", "eval_cases": [{"eval_id": "played", "conversation_scenario":
  {"starting_prompt": "hi", "conversation_plan": "talk"}}]}"""


@asynccontextmanager
async def chats_of(
    folder: Path, chats: Iterable[Chat] = CHATS, size: tuple[int, int] = NARROW, text: str = SET, opens: bool = True
) -> AsyncIterator[Scenario]:
    """The screen on chats that lie beside a set, opened from its first case."""
    database = write_chats(folder / "session.db", chats)
    async with scenario(text, size, beside={SESSIONS: database}) as s:
        if opens:
            await s.press("+")
            assert s.focused == "chats"
        yield s


def lines(s: Scenario) -> list[str]:
    """The lines of the list or the chat, without their first mark and age."""
    return [" ".join(row.split()) for row in s.rows()]


def words(s: Scenario) -> list[str]:
    """The lines of the list behind the age."""
    return [re.split(r" turns? ", line)[1] for line in lines(s)]


def cases(s: Scenario) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(s.bytes())["eval_cases"]
    return found


def ids(s: Scenario) -> list[str]:
    return [case["eval_id"] for case in cases(s)]


async def test_news_of_the_file_may_come_before_the_screen_is_drawn() -> None:
    async with scenario(SET) as s:
        behind = s.app.screen
        assert isinstance(behind, EditScreen)
        screen = AddScreen(behind.file, AddTarget(), bool)
        screen.show_message(None)
        screen.show_message("The file changed on disk.")
        behind.file.app.push_screen(screen)
        await s.settle()
        s.expect("Conversations to add at the end of the set")


# --- what is listed -----------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_chats_beside_the_set_are_listed_newest_first(tmp_path: Path, size: tuple[int, int]) -> None:
    async with chats_of(tmp_path, size=size) as s:
        found = s.rows()
        for row, first in zip(found, ["Good morning", "✗ sing", "is there a bus to Bern", "hi"], strict=True):
            assert first in row
        assert "= greeting" in found[0]
        s.expect("session.db › hello")
        await s.press("escape")
        assert s.focused == "tree"
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_columns_come_with_their_room(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], (200, 30)) as s:
        assert "book send" in s.cursor()
        await s.press("escape")
    async with chats_of(tmp_path / "two", [BOOKED, BOOKED._replace(app="train")], NARROW) as s:
        assert ["train" in row for row in s.rows()] == [True, False]
        assert ["trip" in row for row in s.rows()] == [False, True]
        await s.press("escape")
    async with chats_of(tmp_path / "wide", [BOOKED, BOOKED._replace(app="train")], NORMAL) as s:
        assert ["train" in row for row in s.rows()] == [True, False], "half a screen of 100 columns names the app, too"


async def test_the_filter_leads_to_the_conversation_that_becomes_a_case(tmp_path: Path) -> None:
    async with chats_of(tmp_path) as s:
        # The filter searches texts tools ids and cases.
        await s.expect_keys_of_the_filter()
        for query, first in (("bern bus", "is there"), ("send", "hi"), ("FAILED", "✗ sing"), ("greeting", "Good")):
            await s.press("slash")
            await s.type(query)
            assert "1 conversation" in s.status
            await s.press("enter")
            assert [word.startswith(first) for word in words(s)] == [True], query
            await s.press("escape")
            assert len(s.rows()) == 4
        await s.press("slash")
        await s.type("nothing like it")
        await s.press("enter")
        s.expect("No conversation has these words.")
        await s.press("escape")

        # The selected conversation becomes a case behind the cursor and its id is typed.
        await s.press("end", "enter")
        assert ids(s) == ["greeting", "hi", "farewell"]
        assert s.focused == "field"
        assert "added case hi" in s.status
        assert "^z: undo" in s.status
        await s.type("booking")
        assert ids(s) == ["greeting", "booking", "farewell"]
        await s.press("ctrl+z", "ctrl+z")
        assert s.bytes() == s.original


async def test_where_there_is_nothing_the_places_and_the_key_are_said() -> None:
    async with scenario(SET, WIDE) as s:
        await s.press("+")
        s.expect("No conversations found. Press a to open a session database")
        assert "No conversations found. Press a to open a source" in s.status
        await s.press("space", "right", "enter", "v", "V", "R", "u", "n")
        assert s.bytes() == s.original


@pytest.mark.thorough
@pytest.mark.parametrize("place", sampled(["../.adk/session.db", "agent/.adk/session.db", "../agent/.adk/session.db"]))
async def test_chats_are_found_above_and_in_folders_of_agents(tmp_path: Path, place: str) -> None:
    database = write_chats(tmp_path / "session.db", [BOOKED])
    async with scenario(SET, name="evals/set.evalset.json", beside={place: database, "../.git/HEAD": ""}) as s:
        await s.press("+")
        assert words(s)[0].startswith("hi")


@pytest.mark.thorough
async def test_named_recordings_are_listed_with_those_near_the_set(tmp_path: Path) -> None:
    files = {SESSIONS: write_chats(tmp_path / "a.db", [BOOKED]), "other.db": write_chats(tmp_path / "b.db", [REWOUND])}
    async with scenario(SET, beside=files, recordings=["other.db", ".adk/session.db"]) as s:
        await s.press("+")
        assert sorted(words(s))[1].startswith("is there")
        assert len(s.rows()) == 2


async def test_another_source_is_opened_by_its_path(tmp_path: Path) -> None:
    files = {SESSIONS: write_chats(tmp_path / "a.db", [BOOKED]), "more.db": write_chats(tmp_path / "b.db", [REWOUND])}
    async with scenario(SET, beside=files) as s:
        await s.press("+", "a")
        await s.type("nothing.db")
        await s.press("enter")
        s.expect("there is no such file or folder")
        await s.press("f7", "ctrl+u")
        await s.type("more.db")
        await s.press("enter")
        assert s.focused == "chats"
        assert "is there a bus" in s.cursor()
        assert len(s.rows()) == 2
        assert "Source loaded. The list has 2 conversations now." in s.status
        await s.press("escape", "+")
        assert len(s.rows()) == 2


async def test_a_source_that_cannot_be_read_says_why(tmp_path: Path) -> None:
    async with scenario(SET, WIDE, beside={SESSIONS: "no database at all"}) as s:
        await s.press("+")
        assert "session.db" in s.status
        assert s.rows()
        await s.press("escape")
        assert s.focused == "tree"


async def test_the_next_thousand_are_read_by_a_key_also_if_they_could_not_be_read_before(tmp_path: Path) -> None:
    async with chats_of(tmp_path, many(1_203), WIDE) as s:
        assert len(s.rows()) == 1_000
        assert "Press n to read the next 1,000 of 1,203" in s.status
        s.expect("1,000 of 1,203")
        database = s.path.parent / SESSIONS
        data = database.read_bytes()
        database.unlink()
        await s.press("n")
        assert "there is no such file" in s.status
        assert len(s.rows()) == 1_000
        database.write_bytes(data)
        await s.press("n")
        assert len(s.rows()) == 1_203
        assert "city 1202" in s.rows()[0]
        assert "city 0" in s.rows()[-1]
        await s.press("n")
        assert "All conversations are read." in s.status


# --- the chat -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_a_conversation_reads_as_a_chat(tmp_path: Path, size: tuple[int, int]) -> None:
    async with chats_of(tmp_path, [BOOKED], size) as s:
        await s.press("right")
        assert s.focused == "chat"
        shown = lines(s)
        assert shown[0] == "1 User hi"
        assert shown[1] == "Response Hello!"
        assert shown[3].startswith('book flight="1" day="2026-11-24"')
        assert shown[4] == '→ {"ok": true, "ref": "K7QX91"}'
        assert shown[5] == "Response Booked, your code is K7QX91."
        await s.press("escape")
        assert s.focused == "chats"


async def test_responses_and_long_texts_unfold(tmp_path: Path) -> None:
    text = "\n".join(f"line {number}" for number in range(20))
    chat = Chat("long", [ChatTurn("hi", text, ("look", {"a": "b"}), {"rows": [1, 2, 3]})])
    async with chats_of(tmp_path, [chat]) as s:
        await s.press("right", "end")
        assert "… 14 more lines" in s.cursor()
        await s.press("right")
        assert "line 19" in s.cursor()
        await s.press("left")
        assert "… 14 more lines" in s.cursor()
        await s.press("up")
        assert s.cursor().strip() == '→ {"rows": [1, 2, 3]}'
        await s.press("space")
        assert '"rows": [' in s.cursor()
        await s.press("space", "up", "right")
        assert 'a="b"' in s.cursor().splitlines()[1]
        await s.press("left", "left")
        assert s.focused == "chats"


@pytest.mark.thorough
async def test_errors_rewound_turns_and_turns_without_words_are_told(tmp_path: Path) -> None:
    silent = Chat("silent", [ChatTurn("hi", "Hello"), ChatTurn("", "Here I am again.")])
    async with chats_of(tmp_path, [*CHATS, silent], WIDE) as s:
        await s.press("right", "end", "up")
        s.expect("no user message")
        await s.press("m")
        assert "This turn has no user message" in s.status
        await s.press("J", "J")
        s.expect("quota exceeded")
        await s.press("J")
        s.expect("rewound")
        await s.press("home", "m")
        assert "A rewind removed this turn from the session." in s.status


@SIZES
async def test_nothing_in_a_chat_acts_on_the_screen(tmp_path: Path, size: tuple[int, int]) -> None:
    chat = Chat(
        HOSTILE, [ChatTurn(HOSTILE, HOSTILE, (HOSTILE, {HOSTILE: HOSTILE}), {HOSTILE: HOSTILE})], HOSTILE, HOSTILE
    )
    wide = Chat("wide", [ChatTurn("日本語のテキスト👩‍👩‍👧 " * 40, "答え " * 300, error="")])
    async with chats_of(tmp_path, [chat, wide], size) as s:
        for _ in range(2):
            s.expect_harmless()
            await s.press("right", "end", "right", "up", "right", "up", "right", "V", "v")
            s.expect_harmless()
            await s.press("escape", "J")
        await s.press("space", "enter")
        s.expect_harmless()


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(20, 6), (40, 10), (99, 12), (100, 24), (250, 60)]))
async def test_any_size_shows_list_and_chat(tmp_path: Path, size: tuple[int, int]) -> None:
    async with chats_of(tmp_path, size=size) as s:
        await s.press("down", "down", "down", "right", "down", "m")
        s.expect_harmless()
        await s.press("enter")
        assert ids(s)[1] == "hi"


async def test_a_long_conversation_is_laid_out_as_far_as_one_goes(tmp_path: Path) -> None:
    chat = Chat("long", [ChatTurn(f"question {number}", f"answer {number}") for number in range(500)])
    async with chats_of(tmp_path, [chat]) as s:
        await s.press("right")
        assert len(s.rows()) == 2 * 60 + 1
        assert "… 440 more turns" in s.rows()[-1]
        await s.press("end")
        assert "answer 359" in s.cursor()
        await s.press("end")
        assert "answer 499" in s.cursor()
        assert len(s.rows()) == 1_000
        await s.press("m", "enter")
        assert ids(s)[1] == "question_499"


# --- adding cases -------------------------------------------------------------------------------------------------


async def test_ticked_conversations_and_single_turns_are_added_as_one_step(tmp_path: Path) -> None:
    async with chats_of(tmp_path, size=WIDE) as s:
        await s.press("space", "down", "m", "right", "down", "down", "down", "m", "escape")
        assert [row[:2].strip() for row in s.rows()] == ["◆", "", "◆", "◇"]
        s.expect("3 ticked · 4")
        await s.press("enter")
        assert ids(s) == [
            "greeting", "good_morning", "is_there_a_bus_to_bern", "book_flight_1_for_tomorrow", "farewell",
        ]  # fmt: skip
        assert "added 3 recorded cases · same user messages as greeting" in s.status
        assert "left out: 2 turns not ticked, 1 turn rewound" in s.status
        await s.press("f2")
        s.expect("· a recording of the", "other case may belong to the new one now")
        await s.press("escape", "escape", "1", "u")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_all_that_the_filter_leaves_and_no_case_has_is_ticked_by_one_key(tmp_path: Path) -> None:
    async with chats_of(tmp_path, size=WIDE) as s:
        await s.press("A")
        assert [row[:2].strip() for row in s.rows()] == ["", "", "◆", "◆"]
        assert "2 conversations ticked. Not ticked: 1 already in the set." in s.status
        await s.press("A")
        assert "Nothing is ticked." in s.status
        await s.press("slash")
        await s.type("bern")
        await s.press("enter", "A", "escape", "enter")
        assert ids(s) == ["greeting", "is_there_a_bus_to_bern", "farewell"]
    async with chats_of(tmp_path / "again", size=WIDE) as s:
        await s.press("A", "enter")
        assert ids(s) == ["greeting", "hi", "is_there_a_bus_to_bern", "farewell"]


async def test_a_conversation_without_turns_says_so(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED, Chat("empty", [])]) as s:
        s.expect("This conversation has no turns.")
        await s.press("right", "m", "space", "v", "V", "enter")
        assert "so it cannot become a case" in " ".join(s.app.messages.newest_first())
        await s.press("escape", "end", "enter")
        assert ids(s)[1] == "hi"


@pytest.mark.thorough
async def test_a_plus_opens_the_screen_from_any_pane_and_is_typed_in_a_field(tmp_path: Path) -> None:
    async with chats_of(tmp_path, opens=False) as s:
        # The screen opens from any pane.
        for pane in "234":
            await s.press(pane, "+")
            assert s.focused == "chats"
            await s.press("escape")
        await s.press("1")

        # A plus in a field is typed.
        await s.enter("greeting", "eval_id")
        await s.press("end", "+")
        assert ids(s)[0] == "greeting+"


async def test_from_the_scores_cases_go_behind_the_case_of_the_line(tmp_path: Path) -> None:
    database = write_chats(tmp_path / "session.db", CHATS)
    async with scenario(SET, NARROW, beside={SESSIONS: database}, recordings=[SESSIONS]) as s:
        await s.press("down", "4", "home")
        while "farewell" not in s.cursor():
            await s.press("down")
        await s.press("+")
        s.expect("Conversations to add after farewell ")
        await s.press("down", "down", "enter")
        assert ids(s) == ["greeting", "farewell", "is_there_a_bus_to_bern"]


@pytest.mark.thorough
async def test_a_turn_in_which_the_agent_failed_is_ticked_only_by_itself(tmp_path: Path) -> None:
    failed = Chat("failed", [ChatTurn("is there a ferry?", "Yes."), ChatTurn("and back?", error="quota exceeded")])
    async with chats_of(tmp_path, [BOOKED, failed], WIDE) as s:
        assert "✗ is there a ferry?" in s.cursor()
        await s.press("m")
        assert "1 conversation ticked. Not ticked: 1 turn in which the agent failed." in s.status
        await s.press("home", "enter")
        assert len(cases(s)[1]["conversation"]) == 1
        assert "left out: 1 turn in which the agent failed" in s.status
        await s.press("escape", "1", "+", "home")
        assert "= is_ther" in s.cursor()
    async with chats_of(tmp_path / "again", [failed], WIDE) as s:
        await s.press("right", "end", "m", "enter")
        assert [turn["user_content"]["parts"][0]["text"] for turn in cases(s)[1]["conversation"]] == ["and back?"]


async def test_a_single_turn_makes_its_conversation_partly_ticked(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], WIDE) as s:
        await s.press("right", "down", "down", "m", "escape")
        assert s.cursor().strip().startswith("◇")
        assert "1 turn ticked." in s.status
        await s.press("space")
        assert s.cursor().strip().startswith("◆")
        await s.press("space")
        assert "◆" not in s.cursor()
        assert "◇" not in s.cursor()
        await s.press("right", "m", "c")
        assert "All ticks are removed." in s.status
        await s.press("home", "down", "down", "m", "enter")
        assert [turn["user_content"]["parts"][0]["text"] for turn in cases(s)[1]["conversation"]] == [
            "book flight 1 for tomorrow"
        ]
        assert "left out: 2 turns not ticked" in s.status


@pytest.mark.thorough
async def test_a_conversation_without_user_texts_cannot_be_ticked(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [Chat("silent", [ChatTurn("", "Hello")])], WIDE) as s:
        await s.press("space")
        assert "so it cannot become a case" in s.status
        await s.press("enter")
        assert s.focused == "chats"
        assert "so it cannot become a case" in s.status


async def test_values_that_change_are_kept_or_dropped(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], WIDE) as s:
        await s.press("right", "v")
        assert "Select a tool call marked ≈" in s.status
        await s.press("down", "down", "down")
        assert "≈ changes: day (date)" in s.cursor()
        await s.press("v", "v")
        assert "≈" not in s.cursor()
        assert "day: kept" in s.status
        await s.press("v", "v")
        assert "day dropped" in s.cursor()
        assert "day=" not in s.cursor()
        assert "The case fails unless the criterion sets ignore_args" in s.status
        await s.press("enter")
        _, booked, sent = cases(s)[1]["conversation"]
        assert booked["intermediate_data"]["tool_uses"][0]["args"] == {"flight": "1"}
        assert sent["intermediate_data"]["tool_uses"][0]["args"] == {"ref": "K7QX91"}
        assert "1 value marked ≈ written as recorded" in s.status
        assert "1 value dropped" in s.status


async def test_all_values_of_a_conversation_are_decided_by_one_key(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], WIDE) as s:
        await s.press("V", "enter")
        calls = [
            call["args"] for turn in cases(s)[1]["conversation"][1:] for call in turn["intermediate_data"]["tool_uses"]
        ]
        assert calls == [{"flight": "1"}, {}]


# --- adding turns -------------------------------------------------------------------------------------------------


async def test_from_a_turn_recorded_turns_are_added_or_replace_it_and_from_the_set_cases_are_added(
    tmp_path: Path,
) -> None:
    async with chats_of(tmp_path, [BOOKED], opens=False) as s:
        # From a turn the selected turn is added behind it.
        await s.to("Good morning")
        await s.press("+")
        s.expect("to add after greeting › turn 1")
        await s.press("enter")
        assert s.focused == "chat"
        assert "Select a recorded turn. Press enter to add it, or R to replace your turn." in s.status
        await s.press("down", "down", "enter")
        assert [len(case["conversation"]) for case in cases(s)] == [2, 0]
        assert "book flight 1" in s.cursor()
        assert s.focused == "tree"
        await s.press("u")
        assert s.bytes() == s.original

        # From a turn it is replaced by the recorded one.
        await s.to("Good morning")
        await s.press("+", "right", "R")
        (turn,) = cases(s)[0]["conversation"]
        assert turn["user_content"]["parts"][0]["text"] == "hi"
        assert "replaced greeting › turn 1 with the recorded turn" in s.status
        await s.press("u")
        assert s.bytes() == s.original

        # From the row of the set cases go to its end.
        await s.press("home", "+")
        s.expect("to add at the end of the set")
        await s.press("enter")
        assert ids(s) == ["greeting", "farewell", "hi"]


@pytest.mark.thorough
async def test_a_whole_case_is_not_replaced(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED]) as s:
        await s.press("R")
        assert "No turn to replace" in s.status


@pytest.mark.thorough
async def test_behind_a_scenario_whole_cases_are_added(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], text=SCENARIO) as s:
        await s.press("enter")
        assert ids(s) == ["played", "hi"]
        assert "conversation" in cases(s)[1]


# --- what does not go ---------------------------------------------------------------------------------------------


async def test_a_read_only_set_shows_conversations_and_takes_none(tmp_path: Path) -> None:
    async with chats_of(tmp_path) as s:
        s.app.file.readonly = True
        await s.press("space", "enter")
        assert s.focused == "chats"
        assert "Read-only" in s.status
        s.app.file.readonly = False
        await s.press("escape")


async def test_other_json_takes_no_conversations() -> None:
    async with scenario('{"a": 1}') as s:
        await s.press("+")
        assert isinstance(s.app.screen, EditScreen)
        assert "Conversations can be added only to eval sets." in s.status


async def test_the_text_may_change_on_disk_meanwhile(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED]) as s:
        await others_write(
            s, SET.replace('{"eval_id": "farewell"', '{"eval_id": "new", "conversation": []},{"eval_id": "farewell"')
        )
        await s.press("enter")
        assert ids(s) == ["greeting", "hi", "new", "farewell"]
    async with chats_of(tmp_path / "gone", [BOOKED]) as s:
        await others_write(s, '{"eval_set_id": "desk", "eval_cases": [{"eval_id": "other", "conversation": []}]}')
        await s.press("enter")
        assert ids(s) == ["other", "hi"]
        await s.press("escape", "1", "u", "u")


async def test_inside_a_value_no_case_is_added(tmp_path: Path) -> None:
    text = SET.replace('"eval_id": "greeting",', '"eval_id": "greeting", "session_input": {"state": {"a": 1}},')
    async with chats_of(tmp_path, text=text, opens=False) as s:
        await s.enter("greeting", "state")
        await s.press("1")
        assert s.focused == "tree"
        await s.press("+")
        assert "to go back to the cases" in s.status
        assert s.bytes() == s.original


async def test_leaving_while_it_reads_ends_the_reading(tmp_path: Path) -> None:
    async with chats_of(tmp_path, many(300), opens=False) as s:
        await s.burst("+", "escape")
        assert s.focused == "tree"
        await s.burst("+", "down", "space", "enter")
        await s.settle()
        s.expect_harmless()


async def test_what_was_to_be_shown_in_the_next_frame_is_not_shown_once_the_screen_is_left(tmp_path: Path) -> None:
    async with chats_of(tmp_path, many(3)) as s:
        screen = s.app.screen
        assert isinstance(screen, AddScreen)
        await s.press("escape")
        screen._show_chat()
        s.expect_harmless()
        assert s.focused == "tree"


# --- many ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_ticks_that_the_filter_hides_are_told_and_added(tmp_path: Path) -> None:
    async with chats_of(tmp_path, many(20)) as s:
        await s.press("space", "space", "slash")
        await s.type("city 3")
        await s.press("enter")
        s.expect("2 ticked (2 not listed) · 4 of 20")
        await s.press("enter")
        assert ids(s)[1:3] == ["what_is_the_weather_in_city_19", "what_is_the_weather_in_city_18"]


@pytest.mark.thorough
async def test_many_cases_are_one_step(tmp_path: Path) -> None:
    async with chats_of(tmp_path, many(30)) as s:
        await s.press("A", "enter")
        assert "added 30 recorded cases" in s.status
        assert ids(s)[1] == "what_is_the_weather_in_city_0"
        assert len(ids(s)) == 32
        await s.press("escape", "u")
        assert s.bytes() == s.original


async def test_the_conversation_that_cannot_be_added_is_named(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(300):
        deep = [deep]
    odd = Chat("odd", [ChatTurn("too deep", "ok", ("look", {"at": deep}))])
    async with chats_of(tmp_path, [BOOKED, odd, REWOUND], WIDE) as s:
        await s.press("A", "enter")
        assert "Nothing was added. Untick too deep (odd): google-adk rejects it" in s.status
        assert s.focused == "chats"
        await s.press("down", "space", "enter")
        assert ids(s)[1:3] == ["hi", "is_there_a_bus_to_bern"]


@pytest.mark.thorough
async def test_a_tiny_terminal_shows_a_line_of_the_list_and_of_the_chat(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [BOOKED], (20, 5)) as s:
        assert s.screen()[1].startswith("▌")
        await s.press("right")
        assert "1 User" in s.screen()[2]


@pytest.mark.parametrize("size", [NARROW, (200, 30)])
async def test_with_several_files_each_line_names_its_own(tmp_path: Path, size: tuple[int, int]) -> None:
    files = {
        f"{name}.db": write_chats(tmp_path / f"{name}.db", [chat]) for name, chat in zip("ab", CHATS, strict=False)
    }
    async with scenario(SET, size, beside=files, recordings=[*files]) as s:
        await s.press("+")
        assert ["a.db" in row for row in s.rows()] == ["b.db" not in row for row in s.rows()]
        assert sum("a.db" in row for row in s.rows()) == 1


async def test_undo_of_an_added_case_marks_the_case_whose_recording_it_took_as_outdated(tmp_path: Path) -> None:
    spoken = json.loads(SET)
    spoken["eval_cases"][0]["conversation"][0]["user_content"]["parts"][0]["text"] = BOOKED.turns[0].user
    files = {SESSIONS: write_chats(tmp_path / "session.db", [BOOKED])}
    async with scenario(json.dumps(spoken), WIDE, beside=files, recordings=[SESSIONS]) as s:
        greeting, scores = s.app.file.case_file.cases[0], s.app.file.scores
        assert scores.of(greeting).status == "failed"
        await s.press("home", "down", "+", "enter", "ctrl+s", "escape", "escape", "escape")
        assert scores.of(greeting).status == "not_evaluated"
        assert greeting not in scores.stale
        await s.press("4", "ctrl+z")
        assert greeting in scores.stale
        assert scores.why_outdated(greeting) == "a case that shares its recordings was added or deleted"
        s.expect("1 outdated")
        await s.press("ctrl+y")  # the case is back that was scored
        assert not scores.stale
        await s.press("ctrl+z", "ctrl+s")
        assert scores.of(greeting).status == "failed"
        assert not scores.stale


async def test_undo_of_a_deletion_marks_both_cases_that_fit_a_recording_as_outdated(tmp_path: Path) -> None:
    spoken = json.loads(SET)
    spoken["eval_cases"] = [{**spoken["eval_cases"][0], "eval_id": name} for name in ("first", "second")]
    for case in spoken["eval_cases"]:
        case["conversation"] = [{"user_content": {"parts": [{"text": BOOKED.turns[0].user}]}}]
    files = {SESSIONS: write_chats(tmp_path / "session.db", [BOOKED])}
    async with scenario(json.dumps(spoken), WIDE, beside=files, recordings=[SESSIONS]) as s:
        first, second = s.app.file.case_file.cases
        scores = s.app.file.scores
        assert scores.of(first).run is None
        await s.press("home", "down", "d")
        assert scores.stale == {second}
        await s.press("ctrl+s")
        assert scores.of(second).run is not None
        assert not scores.stale
        await s.press("u")
        assert scores.stale == {first, second}
        await s.press("L")
        assert not scores.stale
        assert scores.of(second).run is None


async def test_a_case_that_takes_no_recording_from_others_leaves_their_scores(tmp_path: Path) -> None:
    files = {SESSIONS: write_chats(tmp_path / "session.db", [BOOKED])}
    spoken = json.loads(SET)
    spoken["eval_cases"] = [{**spoken["eval_cases"][0], "eval_id": name} for name in ("same", "same", "other")]
    async with scenario(json.dumps(spoken), WIDE, beside=files, recordings=[SESSIONS]) as s:
        await s.press("home", "down", "d")
        assert not s.app.file.scores.stale
        await s.press("ctrl+s", "u")
        assert not s.app.file.scores.stale

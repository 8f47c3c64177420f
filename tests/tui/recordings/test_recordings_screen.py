"""The recordings picker by keyboard: files added and dropped, conversations and their cases, and a filter."""

import json
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.recordings.recordings_screen import RecordingsScreen
from evaltui.tui.review.review_queue import ALL_FAILING
from tests.recordings.session_files import exchange, session, write_sqlite
from tests.runs.test_run_options import BAD, result_file
from tests.sampling import sampled
from tests.scored_sets import ACTUAL, RECORDING, SET, a_set, history, turn
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario

SIZES = pytest.mark.parametrize("size", sampled([NARROW, WIDE], 1))
AGE = re.compile(r"\d+ y ago")
HOSTILE = "\x1b[31m[bold]x\u202ey\n"


@asynccontextmanager
async def picker(size: tuple[int, int] = NARROW, **beside: str) -> AsyncIterator[Scenario]:
    """The picker, opened from the scores of a set with `actual.json` and the files that are named beside it."""
    files = {"actual.json": RECORDING, **{f"{name}.json": text for name, text in beside.items()}}
    async with scenario(SET, size, beside=files, recordings=["actual.json"]) as s:
        await s.press("4", "r")
        assert s.focused == "recordings"
        yield s


def lines(s: Scenario) -> list[str]:
    return [" ".join(row.split()) for row in s.rows()]


async def add(s: Scenario, name: str) -> None:
    await s.press("a")
    await s.type(name)
    await s.press("enter")


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_a_file_says_what_is_in_it_and_where_it_comes_from(size: tuple[int, int]) -> None:
    async with picker(size) as s:
        assert lines(s) == ["! actual.json eval set 3 of 4 matched now -r"]
        s.expect("Recordings of set.evalset.json", "1 file · 4 conversations, 3 matched", "named with -r")
        await s.press("escape")
        assert s.focused == "run"


@pytest.mark.thorough
async def test_a_name_is_whole_while_other_columns_leave_room() -> None:
    name = "actual_of_third_of_march"
    async with picker(NARROW, **{name: f"{RECORDING}\n"}) as s:  # the same text would be a copy
        await add(s, f"{name}.json")
        row = next(line for line in lines(s) if f"{name}.json" in line)
        assert "3 of 4 matched" in row
        assert row.endswith("added")


@pytest.mark.thorough
async def test_files_that_were_found_say_so() -> None:
    async with scenario(SET, WIDE, beside=history(ACTUAL)) as s:
        await s.press("H")
        assert AGE.sub("AGE", lines(s)[0]) == "! app_trips_1760000000.5 adk result 3 of 4 matched AGE history"
        s.expect("found in .adk/eval_history")


async def test_files_of_the_settings_say_so() -> None:
    beside = {"evaltui.toml": 'recordings = ["*.evalset_result.json"]', "a.evalset_result.json": result_file(5.0, BAD)}
    async with scenario(SET, WIDE, beside=beside) as s:
        await s.press("H")
        assert AGE.sub("AGE", lines(s)[0]) == "✓ a adk result 1 of 1 matched AGE settings"


@pytest.mark.thorough
@SIZES
async def test_a_dropped_file_counts_no_more_until_it_is_brought_back(size: tuple[int, int]) -> None:
    async with picker(size, later=result_file(2e9, BAD)) as s:
        await add(s, "later.json")
        assert lines(s)[1] == "✓ later.json adk result 1 of 1 matched now added"
        assert "Added later.json for this session. · greeting fails now" in s.status
        assert "later.json" in s.cursor()
        await s.press("d")
        assert "dropped; press u to restore" in s.cursor()
        assert "Dropped later.json from scoring. Press u to restore. · greeting passes now" in " ".join(
            s.status.split()
        )
        await s.press("u")
        assert "later.json is used again. · greeting fails now" in s.status
        assert (s.path.parent / "later.json").exists()


async def test_a_session_database_is_added_whole_or_one_session_of_it() -> None:
    async with picker(WIDE) as s:
        sessions = [session(f"s{n}", *exchange(f"e{n}", "Something else", "Hello")) for n in range(3)]
        write_sqlite(s.path.parent / "session.db", *sessions)
        await add(s, "session.db")
        assert lines(s)[1].startswith("! session.db sessions 0 of 3 matched")
        await add(s, "session.db#s1")
        assert lines(s)[2].startswith("! session.db#s1 sessions 0 of 1 matched")
        await add(s, "session.db#s9")
        s.expect("there is no session s9; similar ids: ")


async def test_a_conversation_without_a_case_becomes_one() -> None:
    async with picker(WIDE) as s:
        write_sqlite(s.path.parent / "session.db", session("s1", *exchange("e1", "Something else", "Hello")))
        await add(s, "session.db")
        await s.press("enter")
        assert "+ add as case" in s.keys
        await s.press("+")
        s.expect("Something else")
        assert len(s.rows()) == 1
        await s.press("enter")
        assert isinstance(s.app.screen, EditScreen)
        assert "added case something_else" in s.status
        await s.press("escape", "H", "home", "enter", "+")
        assert "This conversation already has a case: " in s.status


async def test_what_was_dropped_stays_out_when_all_is_read_anew() -> None:
    async with scenario(SET, WIDE, beside=history(ACTUAL)) as s:
        await s.press("H", "d")
        assert "dropped" in s.cursor()
        await s.press("f5")
        assert "dropped" in s.cursor()
        await s.press("escape", "4")
        s.expect("All recordings are dropped, so nothing is scored · H: restore them")
        await s.press("H", "u", "escape")
        s.expect("Scores 1 ✓ 2 ✗ 1 –")


async def test_u_brings_back_the_file_that_was_dropped_last() -> None:
    async with picker(one=result_file(5.0, BAD), two=result_file(6.0, BAD)) as s:
        await add(s, "one.json")
        await add(s, "two.json")
        await s.press("up", "d", "down", "d", "home", "u")
        assert ["dropped" in row for row in s.rows()] == [False, True, False]
        await s.press("escape", "H", "home", "u")  # also after the screen was closed
        assert not s.shows("dropped; press u")
        await s.press("u")
        assert "There is no dropped recording to restore." in s.status


@pytest.mark.thorough
@SIZES
async def test_a_file_that_cannot_be_read_says_why(size: tuple[int, int]) -> None:
    async with picker(size, other='{"criteria": {}}') as s:
        os.utime(s.path.parent / "other.json", (1, 1))  # nobody is writing it any more
        await add(s, "other.json")
        assert "✗ other.json" in s.cursor()
        s.expect("this is an eval config")
        await s.press("d", "escape")
        assert not s.shows("other.json")


async def test_keys_of_the_picker_in_files_and_conversations() -> None:
    async with picker() as s:
        # A path that will not do is refused in the dialog.
        shutil.copy(s.path.parent / "actual.json", s.path.parent / "copy.json")
        for name, why in (
            ("nothing.json", "there is no such file or"),
            ("actual.json", "is loaded already"),
            ("copy.json", "copy.json is a copy of actual.json"),
        ):
            await add(s, name)
            assert s.focused == "NameDialog"
            s.expect(why)
            await s.press("escape")
        assert len(s.rows()) == 1

        # A filter finds conversations while it is typed.
        await s.expect_keys_of_the_filter()
        await s.press("enter")
        await s.expect_keys_of_the_filter()
        await s.press("/")
        await s.type("book")
        s.expect("1 line")
        await s.press("enter")
        assert [line.split()[1] for line in lines(s)] == ["book_flight"]
        s.expect("/ book · 1 of 4 conversations")
        await s.press("escape")
        assert len(s.rows()) == 4
        assert not s.shows("/ book")
        await s.press("/")
        await s.type("nothing of it")
        await s.press("enter")
        assert lines(s) == ["No conversation matches the filter. Press esc to clear the filter."]
        await s.press("/", "escape")
        assert len(s.rows()) == 4
        await s.press("left")

        # Only the unmatched ones are shown.
        await s.press("enter", "o")
        assert [line.split()[1] for line in lines(s)] == ["nobody"]
        s.expect("unmatched only")
        await s.press("o")
        assert len(s.rows()) == 4
        await s.press("left")

        # A conversation that has its case is not matched by hand.
        await s.press("enter", "m")
        assert "Only a conversation without a case can be matched by hand." in s.status
        assert "m match" not in s.keys
        await s.press("left")

        # A double click opens a file.
        await s.click("actual.json", times=2)
        assert s.focused == "conversations"
        await s.press("left")

        # Keys of the picker are in its help.
        await s.press("?")
        s.expect("In the list of recordings", "Add a recording, or a folder of them")
        await s.press("escape", "q")
        assert s.focused == "run"


@pytest.mark.thorough
async def test_a_folder_is_added_with_all_recordings_in_it() -> None:
    beside = {"actual.json": RECORDING, "more/a.json": result_file(5.0, BAD), "more/b.json": result_file(6.0, BAD)}
    async with scenario(SET, WIDE, beside=beside, recordings=["actual.json"]) as s:
        await s.press("H")
        await add(s, "more/")
        assert [line.split()[1] for line in lines(s)] == ["actual.json", "a.json", "b.json"]


async def test_a_folder_without_a_new_recording_says_that_nothing_was_added() -> None:
    beside = {"actual.json": RECORDING, "more/a.json": result_file(5.0, BAD), "none/notes.txt": "notes"}
    async with scenario(SET, WIDE, beside=beside, recordings=["actual.json"]) as s:
        await s.press("H")
        await add(s, "none")
        assert "Nothing was added: none has no recordings, or only copies of recordings in this list." in s.status
        await add(s, "more")
        assert "Added more for this session." in s.status
        await add(s, "more/../more/")
        assert "Nothing was added: the recordings in more are in this list already." in s.status
        assert len(lines(s)) == 2


@pytest.mark.parametrize(("folder", "database"), [(".adk", "session.db"), ("agent", ".adk/session.db")])
async def test_a_folder_with_a_session_database_says_that_the_database_is_added_by_itself(
    folder: str, database: str
) -> None:
    async with picker(WIDE) as s:
        path = s.path.parent / folder / database
        path.parent.mkdir(parents=True)
        write_sqlite(path, session("s1", *exchange("e1", "Something else", "Hello")))
        await add(s, folder)
        assert "Nothing was added: " in s.status
        assert f"Add {database} inside by its path." in s.status
        await add(s, f"{folder}/{database}")
        assert lines(s)[1].startswith("! session.db sessions")


@pytest.mark.thorough
async def test_a_recording_is_added_where_there_was_none() -> None:
    async with scenario(SET, NARROW, beside={"actual.json": RECORDING}) as s:
        await s.press("H")
        assert lines(s) == ["No recordings. Press a to add a file or a folder."]
        s.expect(f"Searched: {s.path.parent}/.adk/eval_history"[:70])
        await add(s, "actual.json")
        assert "3 of 4 matched" in s.cursor()
        await s.press("escape", "4")
        s.expect("Scores 1 ✓ 2 ✗ 1 –")


async def test_warnings_of_a_file_are_read_in_full() -> None:
    cases = json.loads(RECORDING)
    cases["eval_cases"] += [{"eval_id": f"empty_{number}"} for number in range(7)]
    async with picker(broken=json.dumps(cases)) as s:
        await add(s, "broken.json")
        s.expect("more (v: show all)")
        await s.press("v")
        s.expect("empty_6")
        await s.press("escape")
        assert s.focused == "recordings"


# --- conversations ----------------------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_a_file_lists_its_conversations_with_their_cases(size: tuple[int, int]) -> None:
    async with picker(size) as s:
        await s.press("enter")
        assert s.focused == "conversations"
        shown = lines(s)
        assert shown[0].startswith("✓ greeting 1 turn")
        assert shown[0].endswith("→ greeting by its eval_id" if size == WIDE else "→ greeting")
        assert shown[3].startswith("! nobody 1 turn")
        assert 'case "nobody"' in shown[3]
        s.expect("greeting: matched by its eval_id", "1 User   Hello", "Response Hi")
        await s.press("left")
        assert s.focused == "recordings"


async def test_the_first_words_come_before_the_way_a_conversation_was_matched() -> None:
    words = "Find me a cheap direct flight to Oslo"
    files = {"actual.json": a_set({"greeting": [turn(1, words, "Two.")]})}
    async with scenario(SET, (100, 30), beside=files, recordings=["actual.json"]) as s:
        await s.press("H", "enter")
        assert lines(s)[0].endswith(f"{words} → greeting")
        await s.resize(*WIDE)
        assert lines(s)[0].endswith(f"{words} → greeting by its eval_id")


async def test_the_selected_conversation_shows_its_facts_and_turns_below_the_list() -> None:
    async with picker() as s:
        await s.press("enter", "down")
        s.expect("book_flight: matched by its eval_id", "2 User   Book the first", "book_flight  flight_id=1")
        assert s.focused == "conversations"
        await s.press("v")
        assert s.focused == "TextScreen"
        s.expect("book_flight · 2 turns", "search_flights  to=", "2 User   Book the first")
        await s.press("escape", "left")
        assert not s.shows("Book the first")


async def test_enter_goes_to_the_case_and_an_unmatched_one_says_why_not() -> None:
    async with picker() as s:
        await s.press("enter", "end", "enter")
        assert 'No case: case "nobody" is not in' in s.status
        await s.press("home", "down", "enter")
        assert isinstance(s.app.screen, EditScreen)
        assert s.focused == "form"
        s.expect("book_flight")


@SIZES
async def test_an_unmatched_conversation_is_matched_by_hand(size: tuple[int, int]) -> None:
    async with picker(size) as s:
        await s.press("enter", "end", "m")
        assert s.focused == "ChoiceDialog"
        assert s.line_with("escalate").rstrip(" │").endswith("  no recording")
        await s.type("escal")
        await s.press("enter")
        assert "→ escalate" in s.cursor()
        assert "Matched with escalate by hand. Press u to undo the match." in s.status
        s.expect("escalate: matched by hand")
        await s.press("u")
        assert "Match by hand undone." in s.status
        assert 'case "nobody"' in s.cursor()


@pytest.mark.thorough
async def test_in_live_mode_a_case_keeps_the_conversation_that_was_matched_by_hand() -> None:
    async with picker(WIDE) as s:
        await s.press("enter", "end", "m")
        await s.type("escal")
        await s.press("enter", "q", "L", "1")
        await s.enter("1 Get me a human")
        await s.edit("Get me a human", "Get me somebody")
        await s.press("escape", "4")
        assert not s.shows("outdated")
        assert any("escalate" in line and "actual.json" in line for line in lines(s))


async def test_an_empty_list_says_which_key_helps() -> None:
    async with picker(empty=result_file(5.0), known=result_file(6.0, BAD)) as s:
        await s.press("/")
        await s.type("nothing of it")
        await s.press("enter")
        assert lines(s) == ["No file matches the filter. Press esc to clear the filter."]
        s.expect("/ nothing of it · 0 of 1 file")
        await s.press("escape")
        await add(s, "empty.json")
        await s.press("enter")
        assert lines(s) == ["This file has no conversations. Press esc to go back to the files."]
        await s.press("escape")
        await add(s, "known.json")
        await s.press("enter", "o")
        assert lines(s) == ["All conversations have a case. Press o to show them."]
        await s.press("o")
        assert len(lines(s)) == 1


# --- others -----------------------------------------------------------------------------------------------------


@SIZES
async def test_names_and_texts_of_others_act_on_nothing(size: tuple[int, int]) -> None:
    hostile = a_set({HOSTILE: [turn(1, HOSTILE, HOSTILE)], "greeting": [turn(1, "Hello", HOSTILE)]})
    name = "\x1b[2J[red]é\u202e.json"
    async with scenario(SET, size, beside={"actual.json": RECORDING, name: hostile}, recordings=[name]) as s:
        await s.press("H")
        s.expect_harmless()
        await s.press("enter")
        s.expect_harmless()
        for key in ("down", "m"):
            await s.press(key)
            s.expect_harmless()
        await s.press("escape", "home", "right")
        s.expect_harmless()
        await s.press("left", "left", "d")
        s.expect_harmless()
        await s.press("q")


@pytest.mark.thorough
async def test_the_picker_opens_from_the_palette_of_any_pane() -> None:
    async with scenario(SET, NARROW, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("ctrl+p")
        await s.type("recordings")
        await s.press("enter")
        assert isinstance(s.app.screen, RecordingsScreen)


async def test_the_picker_opens_in_front_of_the_review_and_leads_to_a_case_of_its_queue() -> None:
    async with scenario(
        SET, NARROW, beside={"actual.json": RECORDING}, recordings=["actual.json"], starts_with=ALL_FAILING
    ) as s:
        await s.press("H", "enter", "end", "up", "enter")
        assert s.focused == "review"
        s.expect("too_long")
        await s.press("H", "enter", "enter")
        assert "greeting needs no review." in s.status


@pytest.mark.thorough
async def test_in_a_file_that_is_no_eval_set_there_are_no_recordings() -> None:
    async with scenario('{"criteria": {}}', NARROW, name="test_config.json") as s:
        await s.press("H")
        assert "Only cases of eval sets are scored." in s.status

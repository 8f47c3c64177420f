"""The screen of conversations with those of other apps: own ones first, a heading, and columns that stay."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from evaltui.recordings.agent_names import AgentNames, joined_names
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.default_sessions import sources_near
from evaltui.tui.recordings.conversation_reading import files_of
from evaltui.tui.recordings.conversations_to_add import FoundConversation, FoundConversations
from tests.sampling import sampled
from tests.terminal.desk import SET
from tests.tui.recordings.chats import BOOKED, CHATS, HELLO, Chat, ChatTurn, write_chats
from tests.tui.recordings.test_add_screen import SIZES, chats_of, ids
from tests.tui.scenario import NARROW, NORMAL, WIDE, scenario

REFUND = Chat("refund", [ChatTurn("give me my money back", "Done.")], app="support_desk")
STATUS = Chat("status", [ChatTurn("is it down", "It is.")], app="status_page")
MIXED = [*CHATS[:3], REFUND, STATUS]
"""Two of other apps, the newest."""
OF_TRIP = SET.replace('"eval_id": "greeting",', '"eval_id": "greeting", "session_input": {"app_name": "trip"},')


# --- the list -----------------------------------------------------------------------------------------------------


@pytest.mark.thorough
@SIZES
async def test_own_conversations_come_first_and_others_below_a_heading(tmp_path: Path, size: tuple[int, int]) -> None:
    async with chats_of(tmp_path, MIXED, size, OF_TRIP) as s:
        rows = s.rows()
        assert len(rows) == 6
        for row, words in zip(
            rows, ["✗ sing", "is there a bus", "hi", "Of other apps", "is it", "give me"], strict=True
        ):
            assert words in row
        assert rows[3].strip() == "Of other apps: status_page, support_desk"


@pytest.mark.thorough
async def test_a_conversation_with_the_greeting_of_a_case_puts_no_other_below_a_heading(tmp_path: Path) -> None:
    async with chats_of(tmp_path, [HELLO._replace(app="support_desk"), *MIXED]) as s:
        assert len(s.rows()) == 6
        assert not s.shows("Of other apps")


@pytest.mark.thorough
async def test_without_a_known_app_all_are_listed_newest_first(tmp_path: Path) -> None:
    async with chats_of(tmp_path, MIXED) as s:
        assert len(s.rows()) == 5
        assert "is it down" in s.rows()[0]
        assert not s.shows("Of other apps")


@pytest.mark.thorough
async def test_the_heading_is_no_entry_and_stays_with_its_conversations(tmp_path: Path) -> None:
    async with chats_of(tmp_path, MIXED, text=OF_TRIP) as s:
        # The heading is no entry.
        await s.press("down", "down")
        assert "hi" in s.cursor()
        await s.press("down")
        assert "is it down" in s.cursor()
        s.expect("session.db › status")
        await s.press("up")
        assert "hi" in s.cursor()
        await s.press("end")
        assert "give me my money back" in s.cursor()
        s.expect("session.db › refund")
        await s.press("home")
        assert "sing" in s.cursor()
        await s.press("home")

        # A filter keeps the heading with its conversations.
        await s.press("slash")
        await s.type("support_desk")
        await s.press("enter")
        assert s.rows()[0].strip() == "Of other apps: support_desk"
        assert "give me" in s.cursor()
        await s.press("escape", "slash")
        await s.type("bern")
        await s.press("enter")
        assert len(s.rows()) == 1
        await s.press("escape", "home")

        # A click selects the conversation below the heading.
        await s.pilot.click("#chats", offset=(10, 4))
        assert "is it down" in s.cursor()

        # A tick is shown on a line below the heading.
        await s.press("end", "space")
        assert s.rows()[-1].startswith("◆")


@pytest.mark.thorough
async def test_page_keys_do_not_stop_at_the_heading(tmp_path: Path) -> None:
    own = [Chat(f"own{number}", [ChatTurn(f"own {number}", "Yes.")]) for number in range(30)]
    others = [Chat(f"o{number}", [ChatTurn(f"other {number}", "Yes.")], app="x") for number in range(30)]
    async with chats_of(tmp_path, [*own, *others], text=OF_TRIP) as s:
        seen = []
        for _ in range(12):
            await s.press("pagedown")
            seen.append(s.cursor())
        assert "other 0" in seen[-1]
        for _ in range(12):
            await s.press("pageup")
        assert "own 29" in s.cursor()
        await s.press("end", *["up"] * 29)
        assert "other 29" in s.cursor()
        s.expect("Of other apps: x")


async def test_one_key_ticks_no_conversation_of_another_app(tmp_path: Path) -> None:
    async with chats_of(tmp_path, MIXED, WIDE, OF_TRIP) as s:
        await s.press("A")
        assert "2 conversations ticked. Not ticked: 2 of other apps." in s.status
        await s.press("A", "slash")
        await s.type("support")
        await s.press("enter", "A")
        assert "1 conversation ticked." in s.status
        await s.press("enter")
        assert ids(s) == ["greeting", "give_me_my_money_back", "farewell"]


async def test_sessions_of_evaluations_have_a_heading_before_those_of_other_apps(tmp_path: Path) -> None:
    runs = [
        Chat("adk-eval-session-1", [ChatTurn("run by adk", "Yes.")]),
        Chat("___eval___session___2", [ChatTurn("run by an old adk", "Yes.")]),
    ]
    async with chats_of(tmp_path, [*MIXED, *runs], WIDE, OF_TRIP) as s:
        words = ["✗ sing", "is there", "hi", "Of evaluations", "run by", "run by", "Of other apps", "is it", "give me"]
        for row, said in zip(s.rows(), words, strict=True):
            assert said in row
        assert s.rows()[3].strip() == "Of evaluations by google-adk"
        await s.press("down", "down", "down")
        assert "run by an old adk" in s.cursor()
        await s.press("down", "down")
        assert "is it down" in s.cursor()
        await s.press("up", "up", "up")
        assert "hi" in s.cursor()
        await s.pilot.click("#chats", offset=(10, 7))
        assert "is it down" in s.cursor()
        await s.press("A")
        assert "2 conversations ticked. Not ticked: 2 of other apps, 2 of evaluations." in s.status
        await s.press("slash")
        await s.type("by an")
        await s.press("enter")
        assert s.rows()[0].strip() == "Of evaluations by google-adk"
        await s.press("A")
        assert "3 conversations ticked." in s.status


async def test_hostile_names_of_apps_are_texts(tmp_path: Path) -> None:
    hostile = REFUND._replace(app="\x1b[31m[bold]x\u202ey[/nope]")
    async with chats_of(tmp_path, [BOOKED, hostile], text=OF_TRIP) as s:
        (heading,) = (row for row in s.rows() if "Of other apps" in row)
        assert "[bold]x" in heading
        assert "\x1b" not in heading
        assert "\u202e" not in heading


# --- columns ------------------------------------------------------------------------------------------------------

LONG = "book_flight_lisbon_montreal_in_the_morning"


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([NARROW, NORMAL, WIDE], 1))
@pytest.mark.parametrize("text", ["Good morning", "Please book me a flight from Lisbon to Montréal on Friday 12 March"])
async def test_each_line_has_turns_and_the_case_at_any_width(tmp_path: Path, size: tuple[int, int], text: str) -> None:
    eval_set = json.loads(OF_TRIP)
    eval_set["eval_cases"][0] |= {"eval_id": LONG}
    eval_set["eval_cases"][0]["conversation"][0]["user_content"]["parts"][0]["text"] = text
    known = HELLO._replace(turns=[ChatTurn(text, "Hello", ("search_flights_and_trains", {"q": 1}))], app="trip_planner")
    several = [known, *MIXED, Chat("long", [ChatTurn(f"turn {number}", "Yes.") for number in range(12)])]
    async with chats_of(tmp_path, several, size, json.dumps(eval_set)) as s:
        lines = [row for row in s.rows() if "Of other apps" not in row]
        assert all(" turn" in line for line in lines)
        assert sum("12 turns" in line for line in lines) == 1
        (line,) = (line for line in lines if "= " in line)
        assert text[:8] in line
        case = line.partition("= ")[2].strip()
        assert LONG.startswith(case.partition("…")[0])
        assert LONG.endswith(case.partition("…")[2])
        assert len(case) >= 10
        assert s.line_with("= ")[: size[0] if size is NARROW else size[0] // 2].rstrip().endswith(case)


@pytest.mark.thorough
async def test_the_first_words_have_the_room_of_an_absent_case(tmp_path: Path) -> None:
    words = "may I have a window seat"
    async with chats_of(tmp_path, [HELLO, Chat("seat", [ChatTurn(words, "Yes.")])], NORMAL) as s:
        assert words in s.rows()[0]


# --- what is known of the apps ------------------------------------------------------------------------------------


def found(name: str, names: AgentNames, started: float, known: str | None = None, **members: str) -> FoundConversation:
    conversation = Conversation(Path("x"), name, (), recorded_at=started, agent_names=names, **members)  # type: ignore[arg-type]
    return FoundConversation(conversation, known)


def names_of(every: FoundConversations) -> list[str]:
    return [each.conversation.id for each in every.shown]


def test_apps_that_are_known_later_sort_what_was_found_before() -> None:
    every, own, other = FoundConversations(), AgentNames("trip"), AgentNames("support_desk")
    every.add([found("other", other, 9.0), found("own", own, 1.0)])
    assert names_of(every) == ["other", "own"]
    every.add([found("case", own, 0.0, "greeting")])
    assert names_of(every) == ["other", "own", "case"]
    every.add([found("more", own, 0.5)], ["trip"])
    assert names_of(every) == ["own", "more", "case", "other"]
    assert every.headings() == [(3, "Of other apps: support_desk")]
    every.add([found("late", other, 5.0)])
    assert names_of(every) == ["own", "more", "case", "other", "late"]
    every.add([found("both", other, 5.0, "farewell")])
    assert every.headings() == []


def test_another_eval_set_counts_only_where_the_app_is_unknown() -> None:
    every = FoundConversations((joined_names([AgentNames("trip")]), joined_names([])), "trips")
    every.add([found("of trips", AgentNames(), 1.0, eval_set_id="trips"), found("unknown", AgentNames(), 2.0)])
    every.add([found("of desk", AgentNames(), 3.0, eval_set_id="desk")])
    every.add([found("own app", AgentNames("trip"), 4.0, eval_set_id="desk")])
    assert names_of(every) == ["own app", "unknown", "of trips", "of desk"]
    assert every.headings() == [(3, "Of other apps: desk")]


def test_a_trace_shows_its_service_and_no_case_gets_it_as_its_app() -> None:
    one = found("one", AgentNames(service="trips"), 1.0)
    assert (one.agent, one.conversation.agent_names.app) == ("trips", None)
    assert "trips" in one.searched


# --- the order of sources -----------------------------------------------------------------------------------------


def made(path: Path, at: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"resourceSpans": []}')
    os.utime(path, (at, at))
    return path


def test_sources_beside_the_set_come_first_then_those_of_its_app_then_the_newest(tmp_path: Path) -> None:
    folders = {"": 1.0, "alpha": 2.0, "beta": 9.0, "trip": 3.0}
    for folder, at in folders.items():
        made(tmp_path / "evals" / folder / ".adk/session.db", at)
    (tmp_path / ".git").mkdir()
    made(tmp_path / ".adk/session.db", 5.0)

    def order(*apps: str) -> list[str]:
        near = sources_near(tmp_path / "evals/set.json", apps)
        return [path.relative_to(tmp_path).parts[-3:][0] for path in near]

    assert order("trip") == ["evals", "trip", "beta", ".adk", "alpha"]
    assert order() == ["evals", "beta", ".adk", "trip", "alpha"]


def test_the_agent_of_the_settings_comes_with_the_folder_of_the_set(tmp_path: Path) -> None:
    (tmp_path / "evaltui.toml").write_text('agent = "agents/mine"\n')
    made(tmp_path / "agents/mine/.adk/session.db", 1.0)
    made(tmp_path / "trip/.adk/session.db", 9.0)
    near = sources_near(tmp_path / "set.json", ["trip"])
    assert [path.parts[-3] for path in near] == ["mine", "trip"]


def test_files_of_a_folder_are_read_newest_first(tmp_path: Path) -> None:
    made(tmp_path / "a.json", 1.0)
    made(tmp_path / "b.json", 3.0)
    made(tmp_path / "c.json", 2.0)
    assert [path.name for path in files_of([tmp_path])] == ["b.json", "c.json", "a.json"]


@pytest.mark.thorough
async def test_named_recordings_of_another_app_are_listed_after_those_of_the_set(tmp_path: Path) -> None:
    files = {
        ".adk/session.db": write_chats(tmp_path / "a.db", [BOOKED]),
        "other.db": write_chats(tmp_path / "b.db", [STATUS, REFUND]),
    }
    async with scenario(OF_TRIP, NARROW, beside=files, recordings=["other.db"]) as s:
        await s.press("+")
        assert "hi" in s.rows()[0]
        assert "Of other apps: support_desk, status_page" in s.rows()[1]

"""Recordings without a case become cases from the review, which goes on afterwards."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaltui.tui.review.review_queue import ALL_FAILING
from tests.terminal.desk import SET
from tests.tui.recordings.chats import BOOKED, HELLO, Chat, ChatTurn, write_chats
from tests.tui.review.reviewed import head
from tests.tui.scenario import NARROW, Scenario, scenario

ASKED = Chat("asked", [ChatTurn("sing", "La.")])


def ids(s: Scenario) -> list[str]:
    return [case["eval_id"] for case in json.loads(s.bytes())["eval_cases"]]


async def test_a_recording_without_a_case_is_added_and_the_review_goes_on(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [HELLO, BOOKED, ASKED])}
    async with scenario(SET, NARROW, beside=files, recordings=["chats.db"]) as s:
        await s.press("O")
        assert "chats.db › asked" in head(s)
        await s.press("J")
        assert "chats.db › booked" in head(s)
        await s.press("+")
        assert len(s.rows()) == 1
        s.expect("Conversations to add at the end of the set", "K7QX91")
        await s.press("enter")
        assert ids(s) == ["greeting", "farewell", "hi"]
        assert "added case hi" in s.status
        assert "conversation 1/1]" in head(s)
        assert "chats.db › asked" in head(s)
        await s.press("+", "enter")
        assert ids(s) == ["greeting", "farewell", "hi", "sing"]
        await s.press("u")
        assert "chats.db › asked" in head(s)
        await s.press("u")
        assert "conversation 1/2]" in head(s)
        assert s.bytes() == s.original
        await s.press("U")
        assert ids(s) == ["greeting", "farewell", "hi"]
        assert "conversation 1/1]" in head(s)
        await s.press("u")


@pytest.mark.thorough
async def test_what_was_skipped_stays_so_when_a_case_is_added(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [HELLO, BOOKED, ASKED])}
    async with scenario(SET, NARROW, beside=files, recordings=["chats.db"]) as s:
        await s.press("O", "s")
        s.expect("1 skipped · 1 left")
        await s.press("+", "enter")
        s.expect("1 skipped · 0 left")
        await s.press("u", "u")
        s.expect("0 done · 2 left")


@pytest.mark.thorough
async def test_leaving_the_conversation_adds_nothing(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [HELLO, BOOKED])}
    async with scenario(SET, NARROW, beside=files, recordings=["chats.db"]) as s:
        await s.press("O")
        assert "+ add as case" in s.keys
        await s.press("+", "space", "escape")
        assert "1 conversation ticked. Press enter to add, or esc again to leave." in s.status
        await s.press("escape")
        assert "chats.db › booked" in head(s)
        assert s.bytes() == s.original


async def test_a_turn_that_has_a_case_is_not_added(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [HELLO])}
    text = SET.replace('"Hello"', '"Good evening to you"')
    async with scenario(text, NARROW, beside=files, recordings=["chats.db"], starts_with=ALL_FAILING) as s:
        assert "+ add as case" not in s.keys
        await s.press("+")
        assert "This turn has a case." in s.status


OF_TRIP = SET.replace('"eval_id": "greeting",', '"eval_id": "greeting", "session_input": {"app_name": "trip"},')
OTHER = Chat("refund", [ChatTurn("give me my money back", "Done.")], app="support_desk")


@pytest.mark.thorough
async def test_conversations_of_another_app_are_not_offered_but_listed(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [HELLO, BOOKED, OTHER])}
    async with scenario(OF_TRIP, NARROW, beside=files, recordings=["chats.db"]) as s:
        await s.press("O")
        assert "conversation 1/1]" in head(s)
        assert "chats.db › booked" in head(s)
        await s.press("J")
        s.expect("1 recorded conversation without a case.")
        await s.press("escape", "+")
        assert "give me my money back" in s.rows()[-1]


@pytest.mark.thorough
async def test_without_a_known_app_all_conversations_are_offered(tmp_path: Path) -> None:
    files = {"chats.db": write_chats(tmp_path / "chats.db", [BOOKED, OTHER])}
    async with scenario(SET, NARROW, beside=files, recordings=["chats.db"]) as s:
        await s.press("O")
        assert "conversation 1/2]" in head(s)

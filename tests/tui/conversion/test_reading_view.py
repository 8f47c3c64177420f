"""Files of other formats are shown as the eval set that they convert to, to read only."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from evaltui.tui.base_app import BaseApp, OpenNext
from evaltui.tui.command import PLACES
from evaltui.tui.open_file import foreign_file
from tests.sampling import sampled
from tests.tui.conversion.samples import ADK_RS, CES, CXAS, LEGACY, LEGACY_TURNS, TRPC, text_of
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario

FORMATS: dict[str, tuple[Any, str, tuple[str, ...]]] = {
    "legacy cases": (LEGACY, "legacy list of cases", ("refund", "Refund order 7", "greeting")),
    "legacy turns": (LEGACY_TURNS, "legacy list of turns", ("talks", "One", "Two")),
    "CES": (CES, "CX Agent Studio", ("refund by chat", "I want a refund")),
    "CES list": ([CES, CES], "CX Agent Studio", ("refund by chat",)),
    "trpc": (TRPC, "trpc-agent-go", ("calc", "calc add 1 2")),
    "adk-rs": (ADK_RS, "adk-rs", ("hello", "Hi")),
}


def following(s: Scenario) -> OpenNext:
    assert s.ended
    found = s.app.return_value
    assert isinstance(found, OpenNext)
    return found


@pytest.mark.parametrize("kind", FORMATS)
async def test_each_format_is_shown_with_cases_turns_and_forms(kind: str) -> None:
    value, title, shown = FORMATS[kind]
    async with scenario(text_of(value), WIDE, name="talks.json") as s:
        assert f"talks.json · {title}, shown as an eval set" in s.title
        s.expect(*shown)
        assert re.search("nothing is lost|lost|changed|added", s.status), s.status
        assert "E: convert" in s.status
        assert s.keys.startswith(" E convert  5 loss report  6 JSON")
        await s.to(shown[-1])
        await s.press("enter")
        assert s.focused == "form"


@pytest.mark.parametrize("size", sampled([NARROW, NORMAL], 1))
async def test_nothing_in_it_can_be_changed_and_the_sentence_says_how_to(size: tuple[int, int]) -> None:
    async with scenario(text_of(LEGACY), size, name="talks.json") as s:
        for keys in (["a"], ["d"], ["c"], ["ctrl+s"], ["S"], ["W"], ["ctrl+r"], ["f4"], ["enter", "enter"]):
            await s.press(*keys)
            assert "Read-only view as an eval set: press E to convert" in s.status, keys
            await s.press("escape", "j")
        assert s.file_bytes() == s.original


@pytest.mark.thorough
async def test_chats_are_neither_offered_nor_added() -> None:
    async with scenario(text_of(LEGACY), WIDE, name="talks.json") as s:
        assert "recorded" not in s.keys
        await s.press("plus")
        assert "Read-only view as an eval set: press E to convert" in s.status
        assert len(s.app.screen_stack) == 1


async def test_no_agent_runs_for_it_and_its_pointers_are_not_copied() -> None:
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        # An agent does not run for it.
        await s.press("f6")
        assert "only for eval sets" in s.status

        # Pointers and selectors of the shown set are not copied.
        await s.to("refund")
        await s.press("Y")
        s.expect("as JSON", "as text")
        assert not s.shows("JSON pointer")
        assert not s.shows("selector")
        await s.press("escape")


async def test_another_key_opens_the_json_and_the_same_key_comes_back() -> None:
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        await s.press("6")
        assert following(s) == OpenNext(s.path, as_json=True)
    async with scenario(text_of(LEGACY), name="talks.json", as_json=True) as s:
        assert "JSON" in s.title
        assert "6 as eval set" in s.keys
        await s.press("6")
        assert following(s) == OpenNext(s.path)


@pytest.mark.thorough
async def test_the_json_is_edited_as_before() -> None:
    async with scenario(text_of(LEGACY), name="talks.json", as_json=True) as s:
        await s.to("1  {")
        await s.press("d")
        assert json.loads(await s.saved()) == LEGACY[:1]


async def test_an_eval_set_has_no_other_view() -> None:
    async with scenario('{"eval_set_id": "s", "eval_cases": []}') as s:
        await s.press("6")
        assert s.status.strip() == "6 shows a converted file as JSON. This file is not converted."
        await s.press("escape", "5")
        assert "Press E to convert" in s.status
        assert "6 JSON" not in s.keys
        assert "5 losses" not in s.keys


async def test_a_camel_case_set_with_messages_of_google_stays_editable() -> None:
    case = {"evalId": "c", "conversation": [{"userContent": {"parts": [{"text": "Hi"}]}}]}
    async with scenario(text_of({"evalSetId": "s", "evalCases": [case]})) as s:
        assert "shown as" not in s.title
        await s.press("a")
        assert "added" in s.status
        await s.press("u")


async def test_yaml_of_cxas_is_shown_and_has_no_json() -> None:
    async with scenario(CXAS, NORMAL, name="phone.yaml") as s:
        s.expect("shown as an eval set", "refund by phone", "I want a refund")
        assert "open the JSON" not in s.status
        assert "6 JSON" not in s.keys
        await s.press("6")
        assert "evaltui does not edit YAML" in s.status


async def test_reloading_opens_the_file_anew_and_a_change_on_disk_is_said() -> None:
    async with scenario(text_of(LEGACY), NORMAL, name="talks.json") as s:
        s.app.file.disk.look()
        await s.settle()
        assert "changed on disk" not in s.title
        s.path.write_text(text_of(LEGACY[:1]))
        s.app.file.disk.look()
        await s.settle()
        assert "changed on disk" in s.title
        assert "Press R to reload it" in s.status
        await s.press("R")
        assert following(s) == OpenNext(s.path)


async def test_a_large_file_is_converted_behind_a_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_file, "AT_ONCE", 10)
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        s.expect("talks.json · legacy list of cases, shown as an eval set", "Refund order 7")
        assert "1 lost" not in s.title
        await s.press("5")
        s.expect("session_id")
        await s.press("escape", "j", "enter")
        assert s.focused == "form"


async def test_help_leaving_and_the_json_while_a_large_file_is_converted(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[Any, ...]] = []
    monkeypatch.setattr(foreign_file, "AT_ONCE", 10)
    monkeypatch.setattr(BaseApp, "start_thread", lambda _, group, *work: started.append((group, *work)))
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        s.expect("talks.json · legacy list of cases, shown as an eval set", "Converting …", "6 JSON")
        await s.press("f1")
        assert PLACES["reading"] in s.screen()[2]
        await s.press("f1", "f2", "f2", "6")
        assert following(s) == OpenNext(s.path, as_json=True)
    async with scenario(text_of(LEGACY), name="talks.json") as s:
        await s.press("ctrl+q")
        assert s.ended
        assert s.app.return_value is None


async def test_a_large_file_that_cannot_be_converted_opens_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(foreign_file, "AT_ONCE", 10)
    async with scenario(TOO_DEEP, name="talks.json") as s:
        found = following(s)
        assert found.path == s.path
        assert found.as_json
        assert "legacy list of cases cannot be read here: values are nested too deeply" in found.notice


async def test_a_file_that_cannot_be_converted_is_shown_as_json_and_says_why() -> None:
    async with scenario(TOO_DEEP, name="talks.json") as s:
        assert "JSON" in s.title
        assert "Shown as JSON" in s.status
        await s.press("f2")
        s.expect("values are nested too deeply")
        await s.press("escape")


DEEP = "[" * 1_200 + "]" * 1_200
TOO_DEEP = (
    f'[{{"name": "c", "data": [{{"query": "q", "expected_tool_use": [{{"tool_name": "t", "tool_input": {DEEP}}}]}}]}}]'
)


HOSTILE = "[red]x[/x] \x1b]0;owned\x07\x1b[2J \u202eabc"


async def test_hostile_text_is_shown_and_does_nothing() -> None:
    name = HOSTILE
    value = [{"name": name, "data": [{"query": name, "reference": name, name: name, "expected_tool_use": []}]}]
    async with scenario(json.dumps(value), NORMAL, name="[x] talks.json") as s:
        s.expect("[red]x[/x] ␛]0;owned", "[x] talks.json")
        await s.press("5")
        s.expect_harmless()
        s.expect("[red]x[/x] ␛]0;owned")
        await s.press("escape", "E")
        s.expect_harmless()
        await s.press("escape", "j", "enter")
        s.expect_harmless()

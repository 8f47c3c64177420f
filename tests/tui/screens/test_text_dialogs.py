"""The dialog that asks for a name or a path: it answers with a sentence and stays open, and nothing is changed."""

import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from evaltui.tui.base_app import OpenNext
from evaltui.tui.screens import text_dialogs
from evaltui.tui.screens.text_dialogs import NameDialog
from evaltui.tui.widgets.text_field import TextField
from tests.sampling import sampled
from tests.tui.every_field import choose
from tests.tui.scenario import SAMPLES, WIDE, Scenario, scenario
from tests.tui.screens.test_sets_list import listed
from tests.tui.sets import SNAKE

ODD = "a\x1b[1m\u2028\u200b\ue000\udce9z"


@pytest.mark.thorough
async def test_a_name_that_is_confirmed_unchanged_stays_as_it_is() -> None:
    async with scenario(json.dumps({"o": {ODD: "x", "b": 1}})) as s:
        await s.enter("o  ")
        await s.press("2", "r")
        assert s.focused == "NameDialog"
        s.expect_harmless()
        await s.press("enter")
        assert s.focused == "form"
        assert not s.is_dirty
        assert s.bytes() == s.original


async def test_of_an_odd_name_only_what_is_touched_changes() -> None:
    async with scenario(json.dumps({"o": {ODD: "x", "b": 1}})) as s:
        await s.enter("o  ")
        await s.press("2", "r", "end", "!", "enter")
        assert list(json.loads(s.bytes())["o"]) == [ODD + "!", "b"]


@pytest.mark.thorough
async def test_of_a_name_that_is_pasted_all_lines_become_one() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("a")
        await s.paste("one\ntwo\x1b")
        await s.press("enter")
        assert rb'"one two\u001b": ""' in s.bytes()


async def test_tab_and_undo_in_the_dialog_do_no_harm() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("a")
        await s.press(*"lang", "ctrl+z", "ctrl+y", "up", "down")
        assert s.focused == "NameDialog"
        await s.press("tab")
        assert s.focused == "NameDialog"
        await s.press("enter")
        assert b'"lang": ""' in s.bytes()


Ask = Callable[[Scenario], Awaitable[None]]


async def save_as(s: Scenario) -> None:
    await s.press("S")


async def save_a_copy(s: Scenario) -> None:
    await s.press("W")


async def file_from_disk(s: Scenario) -> None:
    await s.enter("The lower right pane")
    await choose(s, "file from disk to the user")


async def inline_file_replaced(s: Scenario) -> None:
    await s.enter("The lower right pane", "image/png")
    await choose(s, "replace with a file")


async def inline_file_saved(s: Scenario) -> None:
    await s.enter("The lower right pane", "image/png")
    await choose(s, "save to a file")


PROMPTS: list[Ask] = [save_as, save_a_copy, file_from_disk, inline_file_replaced, inline_file_saved]
TYPED = {
    "~nosuchuser/x.json": "there is no user nosuchuser",
    "a" * 300: "the name is too long: it has 300 bytes",
    "x\0y": "NUL",
    "/": "is a folder",
    "/dev/null/x.json": "/dev/null",
    "/dev/null": "is a device or pipe",
    "": "type the name of a file",
}


def names(ask: Ask) -> str:
    return ask.__name__


@pytest.mark.parametrize("ask", sampled(PROMPTS, 2), ids=names)
async def test_a_path_that_will_not_do_is_refused(ask: Ask) -> None:
    async with scenario(SAMPLES / "picture_quote.evalset.json", WIDE) as s:
        await ask(s)
        for text, said in TYPED.items():
            assert s.focused == "NameDialog"
            await s.press("f7")
            await (s.paste(text) if text else s.press("delete"))
            await s.press("enter")
            s.expect(said)
        await s.press("escape")
        assert s.bytes() == s.original


async def test_a_name_for_a_new_set_that_will_not_do_is_refused(tmp_path: Path) -> None:
    (tmp_path / "there.evalset.json").write_text("{}")
    (tmp_path / "plain.txt").touch()
    said = {
        **TYPED,
        "a" * 250: "the name is too long: it has 263 bytes",
        "there": "there.evalset.json already exists",
        "~": "is a folder",
        "..": "is a folder",
        "plain.txt/x": "plain.txt is a file, not a folder",
        "nowhere/x": "nowhere does not exist",
    }
    del said["/dev/null"]  # /dev/null.evalset.json is a name like any other
    async with listed(tmp_path) as s:
        await s.press("a")
        for text, sentence in said.items():
            s.app.screen.query_one(TextField).load_text(text)
            await s.press("enter")
            joined = "".join("".join(line.strip(" │") for line in s.screen()).split())  # a path is cut anywhere
            assert "".join(sentence.split()) in joined, joined
        assert s.app.is_running


async def test_a_new_set_goes_into_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "sets").mkdir()
    async with listed(SAMPLES) as s:
        await s.press("a", *"~/se", "tab", *"one", "enter")
        assert s.app.return_value == OpenNext(tmp_path / "sets" / "one.evalset.json")


async def test_the_name_of_a_new_set_is_completed_below_the_listed_folder(tmp_path: Path) -> None:
    (tmp_path / "travel").mkdir()
    async with listed(tmp_path) as s:
        await s.press("a", "t")
        s.expect("tab: travel/")
        await s.press("tab", *"one", "enter")
        assert s.app.return_value == OpenNext(tmp_path / "travel" / "one.evalset.json")


@pytest.mark.thorough
@pytest.mark.parametrize("ask", PROMPTS, ids=names)
async def test_every_path_is_completed(ask: Ask, tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    async with scenario(SAMPLES / "picture_quote.evalset.json", WIDE) as s:
        await ask(s)
        await s.press("f7")
        await s.paste(f"{tmp_path}/re")
        await s.press("tab")
        box = s.app.screen.query_one(TextField)
        assert box.value == f"{tmp_path}/reports/"
        await s.press("escape")


@pytest.mark.thorough
async def test_tab_right_behind_the_letters_completes_them(tmp_path: Path) -> None:
    (tmp_path / "reports").mkdir()
    async with scenario(SAMPLES / "picture_quote.evalset.json", WIDE) as s:
        await save_a_copy(s)
        await s.burst("f7", *f"{tmp_path}/re", "tab", *"copy.json", "enter")
        assert (tmp_path / "reports" / "copy.json").read_bytes() == s.original


async def test_a_folder_that_never_answers_holds_nothing_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    hangs = threading.Event()
    asked: list[str] = []

    def hang(text: str, **_: object) -> list[str]:
        asked.append(text)
        hangs.wait()
        return []

    monkeypatch.setattr(text_dialogs, "completions", hang)
    monkeypatch.setattr(text_dialogs, "_PATIENCE", 0.0)
    async with listed(SAMPLES) as s:
        await s.pilot.press("a", *"/net/x", "tab", *"yz")
        dialog = s.app.screen
        assert isinstance(dialog, NameDialog)
        assert dialog.query_one(TextField).value == "/net/xyz"
        assert asked == ["/"], "one thread at a time"
        await s.pilot.press("escape")
        assert not isinstance(s.app.screen, NameDialog)
        hangs.set()

"""The list of the eval sets of a folder: found in a thread, opened, made."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.tui.base_app import OpenNext
from evaltui.tui.screens.sets_screen import SetsApp, SetsScreen
from tests.tui.hands import workers_of
from tests.tui.scenario import SAMPLES
from tests.tui.sets import SNAKE
from tests.tui.sight import Sight


class Listed(Sight):
    """A running list."""

    def __init__(self, app: SetsApp, pilot: object) -> None:
        self.app, self.pilot = app, pilot  # type: ignore[assignment]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.settle()

    async def settle(self) -> None:
        await workers_of(self.app)
        await self.pilot.pause()
        await self.pilot.pause()

    @property
    def screen_of_sets(self) -> SetsScreen:
        screen = self.app.screen
        assert isinstance(screen, SetsScreen)
        return screen


@asynccontextmanager
async def listed(folder: Path, start: Path | None = None, said: str = "") -> AsyncIterator[Listed]:
    app = SetsApp(folder, start, said)
    async with app.run_test(size=(80, 24)) as pilot:
        running = Listed(app, pilot)
        await running.settle()
        yield running


async def test_the_sets_are_listed_with_their_cases_and_enter_opens_one() -> None:
    async with listed(SAMPLES) as s:
        s.expect("trip_planner.evalset.json", "6 cases", "Trip planner", "8 eval sets")
        await s.press("end", "enter")
        assert s.app.return_value == OpenNext(SAMPLES / "travel_desk" / "travel_desk.evalset.json")


async def test_words_typed_for_a_filter_make_no_set() -> None:
    async with listed(SAMPLES) as s:
        for key in ("slash", "ctrl+f"):
            await s.pilot.press(key)
            await s.settle()
            s.expect("works in the editor, not in this list. Press enter to open a set.")
            await s.pilot.press(*"travel")
            await s.settle()
            assert isinstance(s.app.screen, SetsScreen)
            await s.pilot.press("escape")
        await s.pilot.press("a")
        await s.settle()
        assert not isinstance(s.app.screen, SetsScreen)


async def test_the_cursor_begins_at_the_file_one_came_from() -> None:
    path = SAMPLES / "support_desk.evalset.json"
    async with listed(SAMPLES, path, "said before") as s:
        s.expect("said before")
        selected = s.screen_of_sets.sets.selected
        assert selected is not None
        assert selected.path == path


async def test_a_set_is_made_by_name(tmp_path: Path) -> None:
    (tmp_path / "one.evalset.json").write_text(SNAKE)
    async with listed(tmp_path) as s:
        await s.press("a", *"one", "enter")
        s.expect("one.evalset.json already exists")
        await s.press(*"/x", "enter")
        assert "does not exist" in " ".join(" ".join(line.strip(" │") for line in s.screen()).split())
        await s.press("backspace", "backspace", *"_two", "enter")
        assert s.app.return_value == OpenNext(tmp_path / "one_two.evalset.json")


async def test_an_empty_folder_says_the_next_key(tmp_path: Path) -> None:
    async with listed(tmp_path) as s:
        s.expect("No eval sets here. Press a to create one.", "0 eval sets")
        await s.press("enter", "down", "up", "end", "home", "pagedown", "escape", "u", "1", "tab", "e", "ctrl+s")
        s.expect("^s works in the editor, not in this list. Press a to create a set.")


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_is_left_without_a_question(tmp_path: Path, key: str) -> None:
    async with listed(tmp_path) as s:
        await s.press(key)
        assert s.app.return_value is None
        assert not s.app.is_running


async def test_files_that_are_named_as_sets_and_are_none_say_so(tmp_path: Path) -> None:
    (tmp_path / "a.evalset.json").write_text("{")
    (tmp_path / "b.test.json").write_text("[]")
    async with listed(tmp_path) as s:
        s.expect("invalid JSON", "other JSON")


async def test_names_of_files_and_sets_are_shown_never_obeyed(tmp_path: Path) -> None:
    (tmp_path / "[red]a\x1b[31m.evalset.json").write_text('{"eval_set_id": "[/b]\\u001b]0;x", "eval_cases": []}')
    async with listed(tmp_path) as s:
        s.expect("[red]a␛[31m.evalset.json", "[/b]␛]0;x", "0 cases")


async def test_a_folder_with_more_than_is_searched_lists_what_was_found_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.files.folder_search.MOST_ENTRIES", 3)
    (tmp_path / "below").mkdir()
    for name in ("a", "b", "below/c", "below/d"):
        (tmp_path / f"{name}.evalset.json").write_text(SNAKE)
    async with listed(tmp_path) as s:
        assert [found.path.name for found in s.screen_of_sets.sets.entries] == ["a.evalset.json", "b.evalset.json"]
        s.expect("the search ended after 3 files and folders; give a folder with fewer")

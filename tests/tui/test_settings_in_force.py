"""Settings at work in the app: other keys everywhere they are shown, a theme, complaints in the status line."""

import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.settings.user_settings import Settings
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.commands import use_keys
from evaltui.tui.key_remaps import keys_in_force
from tests.tui.every_field import choose
from tests.tui.scenario import Scenario
from tests.tui.sets import SNAKE


@asynccontextmanager
async def with_settings(tmp_path: Path, settings: Settings) -> AsyncIterator[Scenario]:
    path = tmp_path / "set.evalset.json"
    path.write_text(SNAKE)
    app = EvaltuiApp(Document.open(path), settings=settings)
    try:
        async with app.run_test(size=(110, 40)) as pilot:
            running = Scenario(app, pilot, path)
            await running.settle()
            yield running
    finally:
        use_keys({})


@pytest.mark.thorough
async def test_another_key_does_the_command_and_is_shown_in_line_help_and_palette(tmp_path: Path) -> None:
    async with with_settings(tmp_path, Settings(keys={"tree.delete": "f10"})) as s:
        assert "f10 delete" in s.keys
        await s.press("d", "delete")
        assert not s.is_dirty
        await s.press("f10")
        s.expect("deleted")
        await s.press("colon", *"delete")
        s.expect("f10")
        await s.press("escape", "f1")
        s.expect("f10")


def test_a_command_of_several_lists_is_named_by_its_id_or_by_a_screen() -> None:
    assert keys_in_force(Settings(keys={"picker.down": "f10", "adding.up": "f11"})).keys == {
        "lists.down": "f10",
        "lists.up": "f11",
    }
    settings = keys_in_force(Settings(keys={"picker.down": "f10", "adding.down": "f11"}))
    assert settings.keys == {"lists.down": "f10"}
    complaints = [*settings.complaints, *keys_in_force(Settings(keys={"adding.top": "v"})).complaints]
    assert [sentence for _, sentence in complaints] == [
        "keys.adding.down: picker.down names other keys of the same command, lists.down",
        "keys.adding.top: v is already the key of picker.read (read)",
    ]


@pytest.mark.thorough
async def test_a_key_of_the_text_box_changes_too(tmp_path: Path) -> None:
    async with with_settings(
        tmp_path, Settings(keys={"field.leave": "ctrl+e", "undo": "f10", "field.undo": "f10"})
    ) as s:
        await s.press("down", "enter", "enter", "X")
        assert s.is_dirty
        await s.press("escape")
        assert s.focused == "field"
        await s.press("f10")
        assert not s.is_dirty
        await s.press("ctrl+e")
        assert s.focused == "form"


@pytest.mark.thorough
async def test_two_commands_change_places(tmp_path: Path) -> None:
    async with with_settings(tmp_path, Settings(keys={"tree.add": "d", "tree.delete": "a"})) as s:
        await s.press("a")
        s.expect("deleted")
        await s.press("u", "d")
        s.expect("added")


@pytest.mark.thorough
async def test_the_theme_is_that_of_the_settings(tmp_path: Path) -> None:
    async with with_settings(tmp_path, Settings(theme="nord")) as s:
        assert s.app.theme == "nord"
    async with with_settings(tmp_path, Settings()) as s:
        assert s.app.theme == "evaltui-dark"


@pytest.mark.thorough
async def test_what_does_not_hold_is_said_at_the_start(tmp_path: Path) -> None:
    settings = Settings(path=Path("config.toml"), complaints=((3, "theme: there is no theme [red]"),))
    async with with_settings(tmp_path, settings) as s:
        s.expect("config.toml:3: theme: there is no theme [red]")


async def test_a_file_larger_than_the_settings_allow_is_refused(tmp_path: Path) -> None:
    (tmp_path / "picture.png").write_bytes(b"\x89PNG" * 30)
    async with with_settings(tmp_path, Settings(inline_data_limit=100, in_file=frozenset({"inline_data_limit"}))) as s:
        await s.enter("Is it raining")
        await choose(s, "file from disk to the user", str(tmp_path / "picture.png"))
        s.expect("file has 120 B; the setting inline_data_limit allows 100 B")


async def test_a_theme_is_chosen_from_the_palette_with_a_look_at_each(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    async with with_settings(tmp_path, Settings(path=config)) as s:
        before = s.app.theme
        await s.press("colon", *"theme", "enter")
        s.expect("Theme (", "auto", "evaltui-light")
        await s.press("down", "down")
        shown = s.app.theme
        assert shown != before
        await s.press("escape")
        assert s.app.theme == before
        assert not config.exists()
        await s.press("T")
        await s.type("nord")
        assert s.app.theme == "nord"
        await s.press("enter")
        assert s.app.theme == "nord"
        assert config.read_text() == 'theme = "nord"\n'
        s.expect("theme nord, kept in config.toml")


async def test_the_settings_file_is_opened_and_made_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EvaltuiApp, "suspend", lambda _: contextlib.nullcontext())
    program = tmp_path / "editor"
    program.write_text('#!/bin/sh\nsed -i \'s/^# theme = .*/theme = "nord"/\' "$1"\n')
    program.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(program))
    config = tmp_path / "own" / "config.toml"
    async with with_settings(tmp_path, Settings(path=config)) as s:
        await s.press("colon", *"settings", "enter")
        assert '\ntheme = "nord"\n' in config.read_text()
        assert "# mouse = true" in config.read_text()
        assert s.app.theme == "nord"
        s.expect("created ")
        await s.press("comma")
        s.expect("the settings are unchanged")
        program.write_text("#!/bin/sh\necho 'mouse = 7' > \"$1\"\n")
        await s.press("comma")
        s.expect("config.toml:1: mouse: 7 is not true or false")

"""Base of the screens that fill the terminal: what an open file tells them, and palette, theme and settings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import events, getters
from textual.app import SuspendNotSupported

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.settings.user_settings import AUTO, THEMES, load_settings, settings_path
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import commands_at, key_name
from evaltui.tui.forms.form import Choice
from evaltui.tui.keyed_screen import KeyedScreen
from evaltui.tui.panes.title_and_status import StatusBar

if TYPE_CHECKING:
    from evaltui.tui.command import Command
    from evaltui.tui.open_file.saver import SaveEnd


_SETTINGS = frozenset({"help", "palette", "list.theme", "list.settings"})
MOVES_AND_SETTINGS = _SETTINGS | {f"list.{move}" for move in ("down", "up", "page_down", "page_up", "top", "bottom")}
"""Ids of commands of the editor's panes that work in other lists as well."""


class CommandScreen(KeyedScreen[str]):
    """A screen with keys for the command palette, the theme and the settings file."""

    SHARED = _SETTINGS
    app = getters.app(BaseApp)

    def show_message(self, said: str | None) -> None:
        """Show a message about the open file; None only refreshes the marks of saving and reading."""

    def show_scores(self) -> None:
        """Show scores that may have changed."""

    def save_ended(self, end: SaveEnd) -> None:
        """React to the end of a save."""

    def _say_of_settings(self, text: str) -> None:
        self.query_one(StatusBar).say(text)

    def theme(self) -> None:
        """Choose a theme from a list. The screen shows the selected theme."""
        from evaltui.tui.screens.choice_dialog import ThemeDialog

        app, before = self.app, self.app.theme
        is_auto = app.settings.theme == AUTO and before == app.theme_of(AUTO)

        def answered(choice: Choice | str | None) -> None:
            if not isinstance(choice, Choice):
                app.theme = before
                return
            app.theme = app.theme_of(choice.label)
            self._keep_theme(choice.label)

        choices = (Choice(AUTO, f"{app.theme_of(AUTO)}, for this terminal"), *map(Choice, THEMES))
        app.push_screen(ThemeDialog("Theme", choices, AUTO if is_auto else before), answered)

    def _keep_theme(self, name: str) -> None:
        from evaltui.settings.settings_edits import keep_theme

        app = self.app
        try:
            path = keep_theme(name, app.settings.path)
        except DocumentError as error:
            self._say_of_settings(str(error))
            return
        app.settings = replace(app.settings, theme=name)
        self._say_of_settings(f"theme {name}, kept in {printable(path.name)}")

    def settings(self) -> None:
        """Open the settings file in the user's editor. If there is no file, create it first."""
        from evaltui.settings.settings_edits import make_settings
        from evaltui.tui.terminal.external_editor import EditorError, edit_file

        app = self.app
        path = app.settings.path or settings_path()
        app.keep_unsaved()
        try:
            is_new = make_settings(path)
            before = path.read_bytes()
            with app.suspend():
                editor, status = edit_file(path)
            app.opener_guard.forget()
            is_changed = path.read_bytes() != before
        except SuspendNotSupported:
            self._say_of_settings("$EDITOR cannot run in this terminal.")
        except (OSError, DocumentError, EditorError) as error:
            self._say_of_settings(f"The settings could not be opened: {error}")
        else:
            made = f"created {path} · " if is_new else ""
            ended = f"{editor} ended with {status} · " if status else ""
            self._say_of_settings(printable(f"{made}{ended}{self._taken_over(is_changed=is_changed)}"))

    def _taken_over(self, *, is_changed: bool) -> str:
        """Apply the theme of the changed file; returns a message about errors in it, or when its settings apply."""
        from evaltui.tui.key_remaps import keys_in_force

        if not is_changed:
            return "the settings are unchanged"
        settings = keys_in_force(load_settings(self.app.settings.path or settings_path()))
        if "theme" in settings.in_file:
            self.app.theme = self.app.theme_of(settings.theme)
        return settings.first_complaint() or "the theme applies now, other settings apply at the next start"

    def title_of(self, command: Command) -> str:
        """Current title of a command; "" if it is of no use."""
        return command.title

    def refuse_key_of_editor(self, event: events.Key, otherwise: str) -> None:
        """Say that a key of the editor does nothing here, and hold the letters that are typed for what it opens.

        `otherwise` says where it works, and which key leads on.
        """
        of_editor = (command for command in commands_at("list", "everywhere") if event.key in command.keys.split(","))
        command = next(of_editor, None)
        if command is not None and not self.does(command):
            self.app.opener_guard.note(command, event.key)
            self.query_one(StatusBar).say(f"{key_name(event.key)} works in the editor, {otherwise}")

    def palette(self) -> None:
        """Choose a command by its name."""
        from evaltui.tui.screens.palette import PaletteScreen, entries_for

        place = getattr(self.focused or self, "PLACE", "list")

        async def chosen(command: Command | None) -> None:
            if command is not None:
                await self.run_action(f"app.run_command({command.id!r}, True)")

        self.app.push_screen(PaletteScreen(entries_for(place, self, self.title_of)), chosen)

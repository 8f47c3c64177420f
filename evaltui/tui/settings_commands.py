"""Keys of all screens that change the settings: the theme, and the settings file in the user's editor."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported

from evaltui.document.errors import DocumentError
from evaltui.printable import printable
from evaltui.settings.user_settings import AUTO, THEMES, keep_theme, load_settings, make_settings, settings_path
from evaltui.tui.forms.form import Choice
from evaltui.tui.key_remaps import keys_in_force
from evaltui.tui.screens.choice_dialog import ThemeDialog
from evaltui.tui.terminal.external_editor import EditorError, edit_file

if TYPE_CHECKING:
    from evaltui.tui.screens.command_screen import CommandScreen


class SettingsCommands:
    """Changes the settings of the app, and says so in the status line of a screen."""

    def __init__(self, screen: CommandScreen[Any]) -> None:
        self._app, self._say = screen.app, screen.status.say

    def choose_theme(self) -> None:
        """Choose a theme from a list. The screen shows the selected theme."""
        app, theme = self._app, self._app.theme
        is_auto = app.settings.theme == AUTO and theme == app.theme_of(AUTO)

        def answered(choice: Choice | None) -> None:
            if choice is None:
                app.theme = theme
                return
            name = choice.label
            app.theme = app.theme_of(name)
            try:
                path = keep_theme(name, app.settings.path)
            except DocumentError as error:
                self._say(str(error))
            else:
                app.settings = replace(app.settings, theme=name)
                self._say(f"theme {name}, kept in {printable(path.name)}")

        choices = (Choice(AUTO, f"{app.theme_of(AUTO)}, for this terminal"), *map(Choice, THEMES))
        app.push_screen(ThemeDialog("Theme", choices, AUTO if is_auto else theme), answered)

    def edit_settings(self) -> None:
        """Open the settings file in the user's editor. If there is no file, create it first."""
        app = self._app
        path = app.settings.path or settings_path()
        try:
            is_new = make_settings(path)
            text = path.read_bytes()
            with app.suspend():
                editor, status = edit_file(path)
            app.opener_guard.forget()
            is_changed = path.read_bytes() != text
        except SuspendNotSupported:
            self._say("$EDITOR cannot run in this terminal.")
        except (OSError, DocumentError, EditorError) as error:
            self._say(f"The settings could not be opened: {error}")
        else:
            created = f"created {path} · " if is_new else ""
            ended = f"{editor} ended with {status} · " if status else ""
            effect = "the settings are unchanged"
            if is_changed:
                settings = keys_in_force(load_settings(path))
                if "theme" in settings.in_file:
                    app.theme = app.theme_of(settings.theme)
                applies = "the theme applies now, other settings apply at the next start"
                effect = settings.first_complaint() or applies
            self._say(printable(f"{created}{ended}{effect}"))

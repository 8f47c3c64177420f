"""Base of the screens whose keys are commands of several screens, such as save, undo and the moves in a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.actions import SkipAction
from textual.screen import Screen
from textual.widgets import Input
from typing_extensions import TypeVar

from evaltui.tui.commands import commands_at, key_name
from evaltui.tui.late_parts import LatePart
from evaltui.tui.textual_compat import redraw_only_if_seen
from evaltui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from evaltui.tui.base_app import BaseApp
    from evaltui.tui.command import Command
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.tui.panes.title_and_status import StatusBar
    from evaltui.tui.settings_commands import SettingsCommands
    from evaltui.tui.widgets.text_field import TextField

Answer = TypeVar("Answer", default=str)

_SETTINGS = frozenset({"help", "palette", "list.theme", "list.settings"})
MOVES_AND_SETTINGS = _SETTINGS | {f"list.{move}" for move in ("down", "up", "page_down", "page_up", "top", "bottom")}
"""Ids of commands of the editor's panes that work in other lists as well."""


class CommandScreen(Screen[Answer]):
    """A screen that does some of the commands of several screens, a few of them in its own way."""

    OWN_WAYS: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    """This screen's own code for commands of several screens, by the ids of the commands."""
    SHARED: ClassVar[Collection[str]] = _SETTINGS
    """Ids of commands of several screens whose code works here, too."""
    settings_commands: LatePart[SettingsCommands] = LatePart("evaltui.tui.settings_commands.SettingsCommands")
    may_move: ClassVar[bool] = False
    """Whether the text of the open file may change behind this screen: it holds no place or value of the text."""

    if TYPE_CHECKING:  # at run time the app imports this module
        app: BaseApp
        file: OpenFile  # of the screens that may move
        status: StatusBar  # of these, and of those that change settings

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        redraw_only_if_seen(self)

    # --- commands --------------------------------------------------------------------------------------------

    def does(self, command: Command) -> bool:
        """Whether a command acts on this screen now."""
        return not command.is_shared or command.does in self.OWN_WAYS or command.does in self.SHARED

    def title_of(self, command: Command) -> str:
        """Current title of a command; "" if it is of no use."""
        return command.title

    def quit(self) -> object:
        """Quit the app, after a question if something is unsaved. The app waits for an awaitable result."""
        self.file.leaving.leave()
        return None

    @property
    def lines(self) -> LineView:
        """The list with the focus."""
        if not isinstance(self.focused, LineView):
            raise SkipAction  # the key goes on to other widgets
        return self.focused

    @property
    def field(self) -> TextField:
        """The text field with the focus."""
        from evaltui.tui.widgets.text_field import TextField

        # In the filter and in lists, the key goes on to other widgets.
        if not isinstance(self.focused, TextField):
            raise SkipAction
        return self.focused

    @property
    def filter_box(self) -> Input:
        """The line of the filter with the focus."""
        if not isinstance(self.focused, Input):
            raise SkipAction
        return self.focused

    def refuse_key_of_editor(self, event: events.Key, otherwise: str) -> None:
        """Say that a key of the editor does nothing here. `otherwise` says where it works, and which key leads on."""
        of_editor = (command for command in commands_at("list", "everywhere") if event.key in command.keys.split(","))
        command = next(of_editor, None)
        if command is not None and not self.does(command):
            # Letters that are typed for what the key opens in the editor must not act here.
            self.app.opener_guard.note(command, event.key)
            self.status.say(f"{key_name(event.key)} works in the editor, {otherwise}")

    # --- what an open file tells its screens -----------------------------------------------------------------

    def on_screen_resume(self) -> None:
        """The screen in front has closed: look at the file now if a change on disk waits."""
        if self.may_move and self.file.disk_state.waits:
            self.file.disk.look_if_waiting()

    def show_message(self, message: str | None) -> None:
        """Show a message about the open file; None only refreshes the marks of saving and reading."""
        if self.may_move and message:
            self.status.say(message)

    def show_scores(self) -> None:
        """Show scores that may have changed."""

    def save_ended(self, *, is_saved: bool) -> None:
        """React to the end of a save."""

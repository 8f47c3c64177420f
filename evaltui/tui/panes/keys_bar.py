"""The keys line: the keys of the focused pane."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, compress

from textual import events
from textual.reactive import reactive

from evaltui.tui.command import Command
from evaltui.tui.commands import commands_shown, key_name
from evaltui.tui.lines import Line
from evaltui.tui.widgets.line_view import LineBar


class KeysBar(LineBar):
    """The keys line: as many keys of the focused pane as fit. A click runs the command."""

    _hovered: reactive[Command | None] = reactive(None)
    """The command that a click would run."""

    def __init__(self, title_of: Callable[[Command], str] = lambda command: command.title, place: str = "tree") -> None:
        """`title_of` gives the current title of a command; "" if it would do nothing."""
        super().__init__(id="keys")
        self.place = place
        self.first: tuple[str, ...] = ()
        """Ids of commands that are shown before all others."""
        self._title_of = title_of
        self._drawn: Line = []
        self._spots: list[tuple[int, int, Command]] = []

    def on_mount(self) -> None:
        """Show no keys while a dialog is in front, which has keys of its own."""
        self.app.screen_change_signal.subscribe(self, lambda _: self.refresh())

    def show_place(self, place: str) -> None:
        """Show the keys of a place."""
        self.place = place
        self.update()

    def update(self) -> None:
        """Redraw if the useful keys changed."""
        drawn = self._drawn
        if self.line(0) != drawn:
            self.refresh()

    def line(self, index: int) -> Line:
        """Key and title of each command with a title: those of the place, then those that work everywhere."""
        self._spots = []
        commands = commands_shown(self.place, self.first) if self.app.screen is self.screen else []
        titled = [(command, title) for command in commands if (title := self._title_of(command))]
        keyed = [(command, key_name(command.keys.split(",")[0]), title) for command, title in titled]
        widths, room = [len(key) + 1 + len(title) + 2 for _, key, title in keyed], self.size.width - 1
        if sum(widths) - 2 > room:
            # The first commands that fit, and always the help command.
            is_help = [command.does == "help" for command, _, _ in keyed]
            room -= sum(compress(widths, is_help))
            used = accumulate(0 if helps else width for width, helps in zip(widths, is_help, strict=True))
            # The last title needs no blanks behind it.
            keyed = [*compress(keyed, (helps or cells <= room + 2 for cells, helps in zip(used, is_help, strict=True)))]
        line: Line = []
        column = 1
        for command, key, title in keyed:
            length = len(key) + 1 + len(title)
            self._spots.append((column, column + length, command))
            look = "hovered" if command == self._hovered else "dim"
            line += [("  " if line else " ", ""), (key, "key"), (f" {title}", look)]
            column += length + 2
        self._drawn = line
        return line

    def _command_at(self, column: int) -> Command | None:
        return next((command for start, stop, command in self._spots if start <= column < stop), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the command that a click would run."""
        self._hovered = self._command_at(event.x)

    def on_leave(self) -> None:
        """Remove the highlight."""
        self._hovered = None

    async def on_click(self, event: events.Click) -> None:
        """Run the command under the mouse."""
        if (command := self._command_at(event.x)) is not None:
            await self.run_action(f"app.run_command({command.id!r}, True)")

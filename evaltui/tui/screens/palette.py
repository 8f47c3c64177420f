"""The command palette: finds commands of the registry that work here, by a few letters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.fuzzy import Matcher
from textual.screen import ModalScreen
from textual.widgets import Input

from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, commands_at, key_name, own_places
from evaltui.tui.lines import FILL, Line
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.widgets.line_input import LineInput
from evaltui.tui.widgets.line_view import LineList

_NOT_LISTED = {"palette", "list.palette", "list.interrupt", "list.down", "list.up", "list.quit"}
"""Ids of commands that are not worth listing; `list.quit` does the same as `back` and `quit`."""

_OF_VI = {"w": "save", "wq": "quit", "x": "quit", "q": "quit", "q!": "quit"}
"""Ids of commands by their name in vi's command line."""

Entry = tuple[Command, str, str]
"""A command, its current title, and all keys that do the same."""


def entries_for(place: str, screen: CommandScreen[Any], title_of: Callable[[Command], str]) -> list[Entry]:
    """The commands at a place, each action once: those of the place itself first, and of them the footer ones."""
    general = ["anywhere", "everywhere"] if place == "field" else ["anywhere", "everywhere", "list"]
    found: dict[str, Entry] = {}
    own = own_places(place)
    first = sorted(commands_at(*own, *general), key=lambda each: (each.place not in own, not each.footer))
    for command in first:
        keys = " ".join(key_name(key) for key in command.keys.split(","))
        if command.does in found:
            known, title, before = found[command.does]
            found[command.does] = known, title, " ".join(dict.fromkeys(f"{keys} {before}".split()))
        elif command.id not in _NOT_LISTED and screen.does(command) and (title := title_of(command)):
            found[command.does] = command, title, keys
    return list(found.values())


def matching(entries: list[Entry], query: str) -> list[Entry]:
    """The entries that match a query, best first.

    From best to worst: a vi command, a part of the title, all words in the help, a part of the id, letters of the title
    in order.
    """
    wanted = query.strip().lower()
    if not wanted:
        return entries
    matcher, words = Matcher(wanted), wanted.split()

    def score(entry: Entry) -> tuple[int, float]:
        command, title, _ = entry
        explained, closeness = command.help.lower(), matcher.match(title)
        fits = (
            _OF_VI.get(wanted) == command.id,
            wanted in title.lower(),
            all(word in explained for word in words),
            wanted in command.id,
            closeness > 0,
        )
        return len(fits) - fits.index(True) if any(fits) else 0, closeness

    scored = [(score(entry), -number, entry) for number, entry in enumerate(entries)]
    return [entry for (fit, _), _, entry in sorted(scored, key=lambda each: each[:2], reverse=True) if fit]


class CommandList(LineList):
    """One line for each command: title, help, keys."""

    can_focus = False

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__(id="commands")
        self.entries = entries

    def show(self, entries: list[Entry]) -> None:
        """Show other commands, the first selected."""
        self.entries = entries
        self.cursor = 0
        self.refresh_size()
        self.show_lines(0, 0)
        self.refresh()

    def line_count(self) -> int:
        """One line for each command; one line with a message if there is none."""
        return max(1, len(self.entries))

    def line(self, index: int) -> Line:
        """Title, help and keys."""
        if not self.entries:
            return [("No such command here.", "dim")]
        command, title, keys = self.entries[index]
        return [(f"{title:<16}  ", ""), (command.help, "dim"), ("", FILL), (f"  {keys} ", "accent")]

    def entry_count(self) -> int:
        """Number of commands."""
        return len(self.entries)

    def lines_of(self, entry: int) -> range:
        """The line of a command; no line is selected if there are none."""
        return range(entry, entry + 1) if self.entries else range(0)

    def is_active(self) -> bool:
        """Always true: the text box above passes keys on to the list."""
        return True


class PaletteScreen(ModalScreen[Command | None]):
    """Returns the chosen command; None if cancelled."""

    PLACE = "palette"
    BINDINGS = bindings("palette")

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__()
        self._entries = entries

    def compose(self) -> ComposeResult:
        """The text box and the matching commands."""
        with Vertical(classes="dialog palette") as frame:
            frame.border_title = "Commands"
            frame.border_subtitle = "↑ ↓ enter · esc closes"
            yield LineInput(placeholder="a few letters of a command")
            yield CommandList(self._entries)

    @property
    def command_list(self) -> CommandList:
        """The matching commands."""
        return self.query_one(CommandList)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        self.command_list.show(matching(self._entries, event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        if not self.is_current:  # an earlier enter of the same burst closed it
            return
        found = matching(self._entries, event.value)  # the list may lag behind a burst of keys
        at = self.command_list.cursor if found == self.command_list.entries else 0
        if found:
            self.dismiss(found[at][0])

    def on_click(self, event: events.Click) -> None:
        """Run the clicked command; a click beside the palette closes it."""
        commands = self.command_list
        row = commands.line_at(event.screen_y - commands.region.y)
        if commands.region.contains(event.screen_x, event.screen_y) and row is not None and commands.entries:
            self.dismiss(commands.entries[row][0])
        elif event.widget is self:
            self.dismiss(None)

    def close(self) -> None:
        """Do nothing."""
        self.dismiss(None)

"""The command palette: finds commands of the registry that work here, by a few letters."""

from __future__ import annotations

from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.fuzzy import Matcher

from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, commands_at, key_name, own_places
from evaltui.tui.lines import FILL, Line
from evaltui.tui.screens.choice_dialog import SearchDialog
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.widgets.line_input import LineInput

_NOT_LISTED = {"palette", "list.palette", "list.interrupt", "list.down", "list.up", "list.quit"}
"""Ids of commands that are not worth listing; `list.quit` does the same as `back` and `quit`."""

_OF_VI = {"w": "save", "wq": "quit", "x": "quit", "q": "quit", "q!": "quit"}
"""Ids of commands by their name in vi's command line."""

Entry = tuple[Command, str, str]
"""A command, its current title, and all keys that do the same."""


def entries_for(screen: CommandScreen[Any]) -> list[Entry]:
    """The commands that work on a screen, each action once: those of the focused place first, the footer ones first."""
    place = getattr(screen.focused or screen, "PLACE", "list")
    general = ["anywhere", "everywhere"] if place == "field" else ["anywhere", "everywhere", "list"]
    entries: dict[str, Entry] = {}
    own = own_places(place)
    # Of commands that do the same, the first one gives the title and the help.
    by_place = sorted(commands_at(*own, *general), key=lambda row: (row.place not in own, not row.footer))
    for command in by_place:
        keys = " ".join(key_name(key) for key in command.keys.split(","))
        if command.does in entries:
            first, title, known_keys = entries[command.does]
            entries[command.does] = first, title, " ".join(dict.fromkeys(f"{keys} {known_keys}".split()))
        elif command.id not in _NOT_LISTED and screen.does(command) and (title := screen.title_of(command)):
            entries[command.does] = command, title, keys
    return list(entries.values())


def matching(entries: list[Entry], query: str) -> list[Entry]:
    """The entries that match a query, best first: by vi command, title, words in the help, id, letters of the title."""
    letters = query.strip().lower()
    if not letters:
        return entries
    matcher, words = Matcher(letters), letters.split()

    def score(entry: Entry) -> tuple[int, float]:
        command, title, _ = entry
        help_text, closeness = command.help.lower(), matcher.match(title)
        fits = (
            _OF_VI.get(letters) == command.id,
            letters in title.lower(),
            all(word in help_text for word in words),
            letters in command.id,
            closeness > 0,
        )
        return len(fits) - fits.index(True) if any(fits) else 0, closeness

    scored = [(score(entry), -number, entry) for number, entry in enumerate(entries)]
    return [entry for (fit, _), _, entry in sorted(scored, key=lambda row: row[:2], reverse=True) if fit]


class CommandPalette(SearchDialog[Entry, Command]):
    """Returns the chosen command; None if cancelled."""

    PLACE = "palette"
    BINDINGS = bindings("palette")

    def __init__(self, entries: list[Entry]) -> None:
        super().__init__("commands")
        self._entries = entries

    def compose(self) -> ComposeResult:
        """The text box and the matching commands."""
        with Vertical(classes="dialog palette") as frame:
            frame.border_title = "Commands"
            frame.border_subtitle = "↑ ↓ enter · esc closes"
            yield LineInput(placeholder="a few letters of a command")
            yield self.matches

    def on_mount(self) -> None:
        """Show all commands."""
        self.matches.why_empty = "No such command here."
        self.search("")

    def match_line(self, match: Entry, width: int) -> Line:
        """Title, help and keys."""
        command, title, keys = match
        return [(f"{title:<16}  ", ""), (command.help, "dim"), ("", FILL), (f"  {keys} ", "accent")]

    def show_matches(self, text: str) -> None:
        """Show the commands that match."""
        self.list_matches(matching(self._entries, text))

    def take(self, match: Entry) -> None:
        """Close with a command."""
        self.dismiss(match[0])

    def on_click(self, event: events.Click) -> None:
        """A click beside the palette closes it."""
        if event.widget is self:
            self.dismiss(None)

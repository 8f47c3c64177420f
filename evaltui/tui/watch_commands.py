"""Commands of the table of `evaltui watch`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from evaltui.tui.command import Command, move_commands

if TYPE_CHECKING:
    from evaltui.tui.watch.watch_screen import WatchScreen


def _in_watch() -> tuple[Command[WatchScreen], ...]:
    """All commands, in the order of the help and the keys line."""
    return (
        Command("watch.why", "watch", "enter", lambda screen: screen.show_why(), "why", "Show the full explanation of the scores; on a note or heading, the full text.", True),
        Command("watch.all", "watch", "a", lambda screen: screen.show_cases("all"), "all", "Show all cases.", True),
        Command("watch.failing", "watch", "f", lambda screen: screen.show_cases("failing"), "failing", "Show only the cases that fail.", True),
        Command("watch.changed", "watch", "o", lambda screen: screen.show_cases("changed"), "changed", "Show only cases that changed since the previous run or the baseline.", True),
        Command("watch.order", "watch", "s", lambda screen: screen.next_order(), "sort", "Change the order: failing first, file order, biggest loss first, changed first.", True),
        Command("watch.pause", "watch", "p", lambda screen: screen.pause_watch(), "pause", "Pause or resume scoring after changes on disk.", True),
        Command("watch.again", "watch", "f5,alt+r", "run.again", "again", "Score again now, even while scoring is paused.", True),
        Command("watch.help", "watch", "question_mark", "help", "help", "Show all keys.", True),
        Command("watch.quit", "watch", "q", lambda screen: screen.quit(), "quit", "Quit evaltui watch and stop its command. The exit code comes from the last run.", True),
        *move_commands("watch", lambda screen: screen.lines, "row", page_down="pagedown,ctrl+d,space"),
        Command("watch.palette", "watch", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
        Command("watch.theme", "watch", "T", "list.theme", "theme", "Choose a theme; the screen previews each one, and the settings keep your choice."),
        Command("watch.interrupt", "watching", "ctrl+c", lambda screen: screen.app.table.quit(), "", "Quit evaltui watch, even when a page or dialog covers the table."),
    )  # fmt: skip


WATCH_COMMANDS = _in_watch()
IN_WATCH: Mapping[str, Callable[[WatchScreen], object]] = {"run.again": lambda screen: screen.run_again()}
"""The screen's own code for commands of several screens, by the ids of the commands."""

"""Commands of the table of `evaltui watch`."""

from __future__ import annotations

from evaltui.tui.command import Command

WATCH_COMMANDS = (
    Command("watch.why", "watch", "enter", "screen.show_why", "why", "Show the full explanation of the scores; on a note or heading, the full text.", True),
    Command("watch.all", "watch", "a", "screen.show_cases('all')", "all", "Show all cases.", True),
    Command("watch.failing", "watch", "f", "screen.show_cases('failing')", "failing", "Show only the cases that fail.", True),
    Command("watch.changed", "watch", "o", "screen.show_cases('changed')", "changed", "Show only cases that changed since the previous run or the baseline.", True),
    Command("watch.order", "watch", "s", "screen.next_order", "sort", "Change the order: failing first, file order, biggest loss first, changed first.", True),
    Command("watch.pause", "watch", "p", "screen.pause_watch", "pause", "Pause or resume scoring after changes on disk.", True),
    Command("watch.again", "watch", "f5,alt+r", "screen.run_again", "again", "Score again now, even while scoring is paused.", True),
    Command("watch.help", "watch", "question_mark", "app.help_from_here", "help", "Show all keys.", True),
    Command("watch.quit", "watch", "q", "app.end_watch", "quit", "Quit evaltui watch and stop its command. The exit code comes from the last run.", True),
    Command("watch.down", "watch", "down,j", "move(1)", "down", "Go down."),
    Command("watch.up", "watch", "up,k", "move(-1)", "up", "Go up."),
    Command("watch.page_down", "watch", "pagedown,ctrl+d,space", "move_page(1)", "page down", "Go a page down."),
    Command("watch.page_up", "watch", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("watch.top", "watch", "home,g", "move_end(-1)", "top", "Go to the first row."),
    Command("watch.bottom", "watch", "end,G", "move_end(1)", "bottom", "Go to the last row."),
    Command("watch.palette", "watch", "ctrl+p,colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("watch.theme", "watch", "T", "screen.theme", "theme", "Choose a theme; the screen previews each one, and the settings keep your choice."),
    Command("watch.interrupt", "watching", "ctrl+c", "app.end_watch", "", "Quit evaltui watch, even when a page or dialog covers the table."),
)  # fmt: skip
"""In the order of the help and the keys line."""

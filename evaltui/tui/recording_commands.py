"""Commands of the recordings picker: its files, their conversations, and the runs of a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from evaltui.tui.command import Command

if TYPE_CHECKING:
    from evaltui.tui.recordings.recordings_screen import RecordingsScreen


def _in_recordings() -> tuple[Command[RecordingsScreen], ...]:
    """All commands, in the order of the help and the keys line."""
    return (
        Command("recordings.open", "recordings", "enter,right,l", lambda screen: screen.open(), "open", "Show the conversations of the file.", True),
        Command("recordings.add", "recordings", "a", lambda screen: screen.picker_keys.add(), "add", "Add a recording, or a folder of them, for this session; asks for its path.", True),
        Command("recordings.drop", "recordings", "d,delete", lambda screen: screen.picker_keys.drop(), "drop", "Stop using this file for scoring in this session; it stays on disk.", True),
        Command("recordings.restore", "recordings", "u", lambda screen: screen.picker_keys.restore(), "restore", "Restore a dropped file for scoring: the selected one, else the last one.", True),
        Command("conversations.enter", "conversations", "enter", lambda screen: screen.open(), "go to case", "Go to the case of the conversation.", True),
        Command("conversations.runs", "conversations", "right,l", lambda screen: screen.show_runs(), "runs", "Show all runs of the case of the conversation.", True),
        Command("conversations.add_case", "conversations", "plus", lambda screen: screen.add_as_case(), "add as case", "Show the turns of the conversation, to add all or some of them as a case.", True),
        Command("conversations.match", "conversations", "m", lambda screen: screen.picker_keys.match(), "match", "Match the conversation with a case by hand, for this session.", True),
        Command("conversations.unmatch", "conversations", "u", lambda screen: screen.picker_keys.unmatch(), "undo match", "Undo the match by hand, so that evaltui matches the conversation again.", True),
        Command("conversations.unmatched", "conversations", "o", lambda screen: screen.toggle_unmatched(), "unmatched", "Show only conversations without a case, or all conversations again.", True),
        Command("runs.choose", "runs", "enter,space", lambda screen: screen.open(), "use this", "Use the selected run as the result of its case.", True),
        Command("runs.latest", "runs", "l", lambda screen: screen.picker_keys.count_latest(), "latest", "Use the latest run as the result of the case again.", True),
        Command("runs.case", "runs", "c", lambda screen: screen.go_to_case(), "go to case", "Go to the case.", True),
        Command("picker.down", "picker", "down,j", lambda screen: screen.lines.move(1), "down", "Go down."),
        Command("picker.up", "picker", "up,k", lambda screen: screen.lines.move(-1), "up", "Go up."),
        Command("picker.page_down", "picker", "pagedown,ctrl+d", lambda screen: screen.lines.move_page(1), "page down", "Go a page down."),
        Command("picker.page_up", "picker", "pageup,ctrl+u", lambda screen: screen.lines.move_page(-1), "page up", "Go a page up."),
        Command("picker.top", "picker", "home,g", lambda screen: screen.lines.move_end(-1), "top", "Go to the first line."),
        Command("picker.bottom", "picker", "end,G", lambda screen: screen.lines.move_end(1), "bottom", "Go to the last line."),
        Command("picker.find", "picker", "slash,ctrl+f", "find", "filter", "Show only lines with the words you type.", True),
        Command("picker.read", "picker", "v", lambda screen: screen.read(), "read", "Show the selected line in full.", True),
        Command("picker.all_runs", "picker", "n", lambda screen: screen.picker_keys.toggle_all_runs(), "all runs", "Score each run of a case, or only the chosen run."),
        Command("picker.run_again", "picker", "f5,alt+r", "run.again", "score again", "Read recordings and config again and score all cases."),
        Command("picker.help", "picker", "question_mark", "help", "help", "Show all keys."),
        Command("picker.palette", "picker", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
        Command("picker.leave", "picker", "escape,left,h", lambda screen: screen.leave(), "back", "Go back one step: to the file, to the list of recordings, or to the screen you came from.", True),
        Command("picker.close", "picker", "q,r,H", lambda screen: screen.close(), "close", "Close the recordings.", True),
    )  # fmt: skip


def _ways_in_recordings() -> Mapping[str, Callable[[RecordingsScreen], object]]:
    """This screen's code for commands of several screens, by the ids of the commands."""
    return {
        "find": lambda screen: screen.find(),
        "run.again": lambda screen: screen.run_again(),
        "filter.keep": lambda screen: screen.keep_filter(),
        "filter.clear": lambda screen: screen.clear_filter(),
        "filter.down": lambda screen: screen.step_hit(1),
        "filter.up": lambda screen: screen.step_hit(-1),
    }


RECORDING_COMMANDS = _in_recordings()
IN_RECORDINGS = _ways_in_recordings()
"""This screen's code for commands of several screens, by the ids of the commands."""

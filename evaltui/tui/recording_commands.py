"""Commands of the recordings picker: its files, their conversations, and the runs of a case."""

from __future__ import annotations

from evaltui.tui.command import Command

RECORDING_COMMANDS = (
    Command("recordings.open", "recordings", "enter,right,l", "screen.open", "open", "Show the conversations of the file.", True),
    Command("recordings.add", "recordings", "a", "screen.add", "add", "Add a recording, or a folder of them, for this session; asks for its path.", True),
    Command("recordings.drop", "recordings", "d,delete", "screen.drop", "drop", "Stop using this file for scoring in this session; it stays on disk.", True),
    Command("recordings.restore", "recordings", "u", "screen.restore", "restore", "Restore a dropped file for scoring: the selected one, else the last one.", True),
    Command("conversations.enter", "conversations", "enter", "screen.open", "go to case", "Go to the case of the conversation.", True),
    Command("conversations.runs", "conversations", "right,l", "screen.show_runs", "runs", "Show all runs of the case of the conversation.", True),
    Command("conversations.add_case", "conversations", "plus", "screen.add_as_case", "add as case", "Show the turns of the conversation, to add all or some of them as a case.", True),
    Command("conversations.match", "conversations", "m", "screen.match", "match", "Match the conversation with a case by hand, for this session.", True),
    Command("conversations.unmatch", "conversations", "u", "screen.unmatch", "undo match", "Undo the match by hand, so that evaltui matches the conversation again.", True),
    Command("conversations.unmatched", "conversations", "o", "screen.toggle_unmatched", "unmatched", "Show only conversations without a case, or all conversations again.", True),
    Command("runs.choose", "runs", "enter,space", "screen.open", "use this", "Use the selected run as the result of its case.", True),
    Command("runs.latest", "runs", "l", "screen.count_latest", "latest", "Use the latest run as the result of the case again.", True),
    Command("runs.case", "runs", "c", "screen.go_to_case", "go to case", "Go to the case.", True),
    Command("picker.down", "picker", "down,j", "move(1)", "down", "Go down."),
    Command("picker.up", "picker", "up,k", "move(-1)", "up", "Go up."),
    Command("picker.page_down", "picker", "pagedown,ctrl+d", "move_page(1)", "page down", "Go a page down."),
    Command("picker.page_up", "picker", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("picker.top", "picker", "home,g", "move_end(-1)", "top", "Go to the first line."),
    Command("picker.bottom", "picker", "end,G", "move_end(1)", "bottom", "Go to the last line."),
    Command("picker.find", "picker", "slash,ctrl+f", "screen.find", "filter", "Show only lines with the words you type.", True),
    Command("picker.read", "picker", "v", "screen.read", "read", "Show the selected line in full.", True),
    Command("picker.all_runs", "picker", "n", "screen.toggle_all_runs", "all runs", "Score each run of a case, or only the chosen run."),
    Command("picker.run_again", "picker", "f5,alt+r", "screen.run_again", "score again", "Read recordings and config again and score all cases."),
    Command("picker.help", "picker", "question_mark", "app.help_from_here", "help", "Show all keys."),
    Command("picker.palette", "picker", "ctrl+p,colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("picker.leave", "picker", "escape,left,h", "screen.leave", "back", "Go back one step: to the file, to the list of recordings, or to the screen you came from.", True),
    Command("picker.close", "picker", "q,r,H", "screen.close", "close", "Close the recordings.", True),
)  # fmt: skip
"""In the order of the help and the keys line."""

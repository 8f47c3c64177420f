"""Commands of the screens of recordings: files, conversations and runs that cases are scored with, and those to add."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from evaltui.tui.command import Command, move_commands

if TYPE_CHECKING:
    from evaltui.tui.recordings.add_screen import AddScreen
    from evaltui.tui.recordings.recordings_screen import RecordingsScreen
    from evaltui.tui.screens.list_screen import ListScreen


def _recording_commands() -> tuple[Command, ...]:
    """The commands of each place, in the order of the help and the keys line."""
    recordings: tuple[Command[RecordingsScreen], ...] = (
        Command("recordings.open", "recordings", "enter,right,l", lambda screen: screen.open(), "open", "Show the conversations of the file.", True),
        Command("recordings.add", "recordings", "a", lambda screen: screen.add(), "add", "Add a recording, or a folder of them, for this session; asks for its path.", True),
        Command("recordings.drop", "recordings", "d,delete", lambda screen: screen.drop(), "drop", "Stop using this file for scoring in this session; it stays on disk.", True),
        Command("recordings.restore", "recordings", "u", lambda screen: screen.restore(), "restore", "Restore a dropped file for scoring: the selected one, else the last one.", True),
        Command("conversations.enter", "conversations", "enter", lambda screen: screen.open(), "go to case", "Go to the case of the conversation.", True),
        Command("conversations.runs", "conversations", "right,l", lambda screen: screen.show_runs(), "runs", "Show all runs of the case of the conversation.", True),
        Command("conversations.add_case", "conversations", "plus", lambda screen: screen.add_as_case(), "add as case", "Show the turns of the conversation, to add all or some of them as a case.", True),
        Command("conversations.match", "conversations", "m", lambda screen: screen.match(), "match", "Match the conversation with a case by hand, for this session.", True),
        Command("conversations.unmatch", "conversations", "u", lambda screen: screen.unmatch(), "undo match", "Undo the match by hand, so that evaltui matches the conversation again.", True),
        Command("conversations.unmatched", "conversations", "o", lambda screen: screen.toggle_unmatched(), "unmatched", "Show only conversations without a case, or all conversations again.", True),
        Command("runs.choose", "runs", "enter,space", lambda screen: screen.open(), "use this", "Use the selected run as the result of its case.", True),
        Command("runs.latest", "runs", "l", lambda screen: screen.count_latest(), "latest", "Use the latest run as the result of the case again.", True),
        Command("runs.case", "runs", "c", lambda screen: screen.go_to_case(), "go to case", "Go to the case.", True),
    )  # fmt: skip
    conversations: tuple[Command[AddScreen], ...] = (
        Command("chats.tick", "chats", "space,m", lambda screen: screen.tick(), "tick", "Tick or untick the conversation; press enter to add all ticked conversations.", True),
        Command("chats.add", "chats", "enter", lambda screen: screen.add(), "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
        Command("chats.tick_all", "chats", "A", lambda screen: screen.tick_all(), "tick all", "Tick or untick all listed conversations that are not cases yet. Other apps count only if nothing else is listed."),
        Command("chats.chat", "chats", "right,l,tab", lambda screen: screen.go_to_chat(), "turns", "Go to the turns of the conversation, to tick single turns.", True),
        Command("chats.values", "chats", "V", lambda screen: screen.decide_all(), "all values ≈", "Decide about all arguments marked ≈ (likely to change in each run). Each press goes on: drop, keep, undecided."),
        Command("chat.fold", "chat", "space", lambda screen: screen.tick_or_fold(), "tick", "Tick or untick the turn; on a response or a long text, show or hide all of it.", True),
        Command("chat.add", "chat", "enter", "chats.add", "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
        Command("chat.tick", "chat", "m", lambda screen: screen.tick_turn(), "tick", "Tick or untick the turn at the cursor.", True),
        Command("chat.open", "chat", "right,l", lambda screen: screen.fold(is_open=True), "unfold", "Show all of the response, the tool call or the long text.", True),
        Command("chat.close", "chat", "left,h", lambda screen: screen.fold(is_open=False), "list", "Fold the open text, else go back to the list.", True),
        Command("chat.list", "chat", "tab,shift+tab", lambda screen: screen.focus_list(), "list", "Go back to the list."),
        Command("chat.value", "chat", "v", lambda screen: screen.decide(), "value ≈", "Drop or keep the arguments of this tool call marked ≈, or leave them undecided.", True),
        Command("chat.values", "chat", "V", "chats.values", "all values ≈", "Decide about all arguments marked ≈ in the conversation. Each press goes on: drop, keep, undecided.", True),
        Command("adding.replace", "adding", "R", lambda screen: screen.replace(), "replace turn", "Replace the turn you came from with the selected recorded turn.", True),
        Command("adding.source", "adding", "a", lambda screen: screen.add_source(), "source", "Read conversations from another file: a session database, session, trace or result.", True),
        Command("adding.more", "adding", "n", lambda screen: screen.read_more(), "next 1,000", "Read the next 1,000 conversations of large sources.", True),
    )  # fmt: skip
    lists: tuple[Command[ListScreen[Any]], ...] = (
        Command("lists.find", "lists", "slash,ctrl+f", "find", "filter", "Show only lines with the words you type. In conversations to add: texts, tools, ids, app, user, case.", True),
        *move_commands("lists", lambda screen: screen.lines),
        Command("lists.help", "lists", "question_mark", "help", "help", "Show all keys."),
        Command("lists.palette", "lists", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
    )  # fmt: skip
    picker: tuple[Command[RecordingsScreen], ...] = (
        Command("picker.read", "picker", "v", lambda screen: screen.read(), "read", "Show the selected line in full.", True),
        Command("picker.all_runs", "picker", "n", lambda screen: screen.toggle_all_runs(), "all runs", "Score each run of a case, or only the chosen run."),
        Command("picker.run_again", "picker", "f5,alt+r", "run.again", "score again", "Read recordings and config again and score all cases."),
        Command("picker.leave", "picker", "escape,left,h", lambda screen: screen.leave(), "back", "Go back one step: to the file, to the list of recordings, or to the screen you came from.", True),
        Command("picker.close", "picker", "q,r,H", lambda screen: screen.close(), "close", "Close the recordings.", True),
    )  # fmt: skip
    adding: tuple[Command[AddScreen], ...] = (
        Command("adding.untick", "adding", "c", lambda screen: screen.untick_all(), "untick all", "Remove all ticks."),
        Command("adding.next", "adding", "J,ctrl+down,alt+j", lambda screen: screen.conversations.move(1), "next", "Go to the next conversation, also from its turns."),
        Command("adding.previous", "adding", "K,ctrl+up,alt+k", lambda screen: screen.conversations.move(-1), "previous", "Go to the previous conversation, also from its turns."),
        Command("adding.leave", "adding", "escape", lambda screen: screen.leave(), "back", "Go back one step without adding anything: from the filter, from the turns, then from this screen.", True),
        Command("adding.close", "adding", "q,plus", lambda screen: screen.close(), "close", "Close this screen without adding anything."),
    )  # fmt: skip
    return (*recordings, *conversations, *lists, *picker, *adding)


def _ways_in_lists() -> Mapping[str, Callable[[ListScreen[Any]], object]]:
    """The code of a list with a filter for commands of several screens, by the ids of the commands."""
    return {
        "find": lambda screen: screen.find(),
        "filter.keep": lambda screen: screen.keep_filter(),
        "filter.clear": lambda screen: screen.clear_filter(),
        "filter.down": lambda screen: screen.shown_list.move(1),
        "filter.up": lambda screen: screen.shown_list.move(-1),
    }


RECORDING_COMMANDS = _recording_commands()
"""In the order of the help and the keys line."""
IN_LISTS = _ways_in_lists()
_RUN_AGAIN: Mapping[str, Callable[[RecordingsScreen], object]] = {"run.again": lambda screen: screen.run_again()}
IN_RECORDINGS: Mapping[str, Callable[[Any], object]] = {**IN_LISTS, **_RUN_AGAIN}

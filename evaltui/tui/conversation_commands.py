"""Commands of the screen that adds recorded conversations: its list, and the turns of the selected one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from evaltui.tui.command import Command

if TYPE_CHECKING:
    from evaltui.tui.conversations.conversations_screen import ConversationsScreen


def _in_conversations() -> tuple[Command[ConversationsScreen], ...]:
    """All commands, in the order of the help and the keys line."""
    return (
        Command("chats.tick", "chats", "space,m", lambda screen: screen.picked.tick(), "tick", "Tick or untick the conversation; press enter to add all ticked conversations.", True),
        Command("chats.add", "chats", "enter", lambda screen: screen.adding_keys.add(), "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
        Command("chats.tick_all", "chats", "A", lambda screen: screen.picked.tick_all(), "tick all", "Tick or untick all listed conversations that are not cases yet. Other apps count only if nothing else is listed."),
        Command("chats.chat", "chats", "right,l,tab", lambda screen: screen.go_to_chat(), "turns", "Go to the turns of the conversation, to tick single turns.", True),
        Command("chats.values", "chats", "V", lambda screen: screen.picked.decide_all(), "all values ≈", "Decide about all arguments marked ≈ (likely to change in each run). Each press goes on: drop, keep, undecided."),
        Command("chat.fold", "chat", "space", lambda screen: screen.picked.tick_or_fold(), "tick", "Tick or untick the turn; on a response or a long text, show or hide all of it.", True),
        Command("chat.add", "chat", "enter", "chats.add", "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
        Command("chat.tick", "chat", "m", lambda screen: screen.picked.tick_turn(), "tick", "Tick or untick the turn at the cursor.", True),
        Command("chat.open", "chat", "right,l", lambda screen: screen.chat.unfold(True), "unfold", "Show all of the response, the tool call or the long text.", True),
        Command("chat.close", "chat", "left,h", lambda screen: screen.fold_or_leave(), "list", "Fold the open text, else go back to the list.", True),
        Command("chat.list", "chat", "tab,shift+tab", lambda screen: screen.go_to_list(), "list", "Go back to the list."),
        Command("chat.value", "chat", "v", lambda screen: screen.picked.decide(), "value ≈", "Drop or keep the arguments of this tool call marked ≈, or leave them undecided.", True),
        Command("chat.values", "chat", "V", "chats.values", "all values ≈", "Decide about all arguments marked ≈ in the conversation. Each press goes on: drop, keep, undecided.", True),
        Command("adding.replace", "adding", "R", lambda screen: screen.adding_keys.replace(), "replace turn", "Replace the turn you came from with the selected recorded turn.", True),
        Command("adding.source", "adding", "a", lambda screen: screen.adding_keys.add_source(), "source", "Read conversations from another file: a session database, session, trace or result.", True),
        Command("adding.more", "adding", "n", lambda screen: screen.adding_keys.read_more(), "next 1,000", "Read the next 1,000 conversations of large sources.", True),
        Command("adding.find", "adding", "slash,ctrl+f", "find", "filter", "Show only conversations with the words you type: texts, tools, ids, app, user, case.", True),
        Command("adding.untick", "adding", "c", lambda screen: screen.picked.untick_all(), "untick all", "Remove all ticks."),
        Command("adding.down", "adding", "down,j", lambda screen: screen.lines.move(1), "down", "Go down."),
        Command("adding.up", "adding", "up,k", lambda screen: screen.lines.move(-1), "up", "Go up."),
        Command("adding.page_down", "adding", "pagedown,ctrl+d", lambda screen: screen.lines.move_page(1), "page down", "Go a page down."),
        Command("adding.page_up", "adding", "pageup,ctrl+u", lambda screen: screen.lines.move_page(-1), "page up", "Go a page up."),
        Command("adding.top", "adding", "home,g", lambda screen: screen.lines.move_end(-1), "top", "Go to the first line."),
        Command("adding.bottom", "adding", "end,G", lambda screen: screen.lines.move_end(1), "bottom", "Go to the last line."),
        Command("adding.next", "adding", "J,ctrl+down,alt+j", lambda screen: screen.step(1), "next", "Go to the next conversation, also from its turns."),
        Command("adding.previous", "adding", "K,ctrl+up,alt+k", lambda screen: screen.step(-1), "previous", "Go to the previous conversation, also from its turns."),
        Command("adding.help", "adding", "question_mark", "help", "help", "Show all keys."),
        Command("adding.palette", "adding", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
        Command("adding.leave", "adding", "escape", lambda screen: screen.leave(), "back", "Go back one step without adding anything: from the filter, from the turns, then from this screen.", True),
        Command("adding.close", "adding", "q,plus", lambda screen: screen.close(), "close", "Close this screen without adding anything."),
    )  # fmt: skip


def _ways_in_conversations() -> Mapping[str, Callable[[ConversationsScreen], object]]:
    """This screen's code for commands of several screens, by the ids of the commands."""
    return {
        "find": lambda screen: screen.find(),
        "filter.keep": lambda screen: screen.keep_filter(),
        "filter.clear": lambda screen: screen.clear_filter(),
        "filter.down": lambda screen: screen.step_hit(1),
        "filter.up": lambda screen: screen.step_hit(-1),
    }


CONVERSATION_COMMANDS = _in_conversations()
IN_CONVERSATIONS = _ways_in_conversations()
"""This screen's code for commands of several screens, by the ids of the commands."""

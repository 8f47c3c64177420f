"""Commands of the screen that adds recorded conversations: its list, and the turns of the selected one."""

from __future__ import annotations

from evaltui.tui.command import Command

CONVERSATION_COMMANDS = (
    Command("chats.tick", "chats", "space,m", "screen.tick", "tick", "Tick or untick the conversation; press enter to add all ticked conversations.", True),
    Command("chats.add", "chats", "enter", "screen.add", "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
    Command("chats.tick_all", "chats", "A", "screen.tick_all", "tick all", "Tick or untick all listed conversations that are not cases yet. Other apps count only if nothing else is listed."),
    Command("chats.chat", "chats", "right,l,tab", "screen.go_to_chat", "turns", "Go to the turns of the conversation, to tick single turns.", True),
    Command("chats.values", "chats", "V", "screen.decide_all", "all values ≈", "Decide about all arguments marked ≈ (likely to change in each run). Each press goes on: drop, keep, undecided."),
    Command("chat.fold", "chat", "space", "screen.tick_or_fold", "tick", "Tick or untick the turn; on a response or a long text, show or hide all of it.", True),
    Command("chat.add", "chat", "enter", "screen.add", "add", "Add the ticked conversations, or the selected one, as cases. If you came from a turn, add the selected turn after your turn.", True),
    Command("chat.tick", "chat", "m", "screen.tick_turn", "tick", "Tick or untick the turn at the cursor.", True),
    Command("chat.open", "chat", "right,l", "unfold(True)", "unfold", "Show all of the response, the tool call or the long text.", True),
    Command("chat.close", "chat", "left,h", "screen.fold_or_leave", "list", "Fold the open text, else go back to the list.", True),
    Command("chat.list", "chat", "tab,shift+tab", "screen.go_to_list", "list", "Go back to the list."),
    Command("chat.value", "chat", "v", "screen.decide", "value ≈", "Drop or keep the arguments of this tool call marked ≈, or leave them undecided.", True),
    Command("chat.values", "chat", "V", "screen.decide_all", "all values ≈", "Decide about all arguments marked ≈ in the conversation. Each press goes on: drop, keep, undecided.", True),
    Command("adding.replace", "adding", "R", "screen.replace", "replace turn", "Replace the turn you came from with the selected recorded turn.", True),
    Command("adding.source", "adding", "a", "screen.add_source", "source", "Read conversations from another file: a session database, session, trace or result.", True),
    Command("adding.more", "adding", "n", "screen.read_more", "next 1,000", "Read the next 1,000 conversations of large sources.", True),
    Command("adding.find", "adding", "slash,ctrl+f", "screen.find", "filter", "Show only conversations with the words you type: texts, tools, ids, app, user, case.", True),
    Command("adding.untick", "adding", "c", "screen.untick_all", "untick all", "Remove all ticks."),
    Command("adding.down", "adding", "down,j", "move(1)", "down", "Go down."),
    Command("adding.up", "adding", "up,k", "move(-1)", "up", "Go up."),
    Command("adding.page_down", "adding", "pagedown,ctrl+d", "move_page(1)", "page down", "Go a page down."),
    Command("adding.page_up", "adding", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("adding.top", "adding", "home,g", "move_end(-1)", "top", "Go to the first line."),
    Command("adding.bottom", "adding", "end,G", "move_end(1)", "bottom", "Go to the last line."),
    Command("adding.next", "adding", "J,ctrl+down,alt+j", "screen.step(1)", "next", "Go to the next conversation, also from its turns."),
    Command("adding.previous", "adding", "K,ctrl+up,alt+k", "screen.step(-1)", "previous", "Go to the previous conversation, also from its turns."),
    Command("adding.help", "adding", "question_mark", "app.help_from_here", "help", "Show all keys."),
    Command("adding.palette", "adding", "ctrl+p,colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("adding.leave", "adding", "escape", "screen.leave", "back", "Go back one step without adding anything: from the filter, from the turns, then from this screen.", True),
    Command("adding.close", "adding", "q,plus", "screen.close", "close", "Close this screen without adding anything."),
)  # fmt: skip
"""In the order of the help and the keys line."""

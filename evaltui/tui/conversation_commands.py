"""Commands of the screen of conversations: its list, and the chat of the selected one."""

from __future__ import annotations

from evaltui.tui.command import Command

CONVERSATION_COMMANDS = (
    Command("chats.tick", "chats", "space,m", "screen.tick", "tick", "Tick the conversation, to add several at once, or untick it.", True),
    Command("chats.add", "chats", "enter", "screen.add", "add", "Add what is ticked, else the selected conversation, as cases behind the row one came from. From a turn: add the selected turn behind it.", True),
    Command("chats.tick_all", "chats", "A", "screen.tick_all", "tick all", "Tick all listed conversations that are no case yet, or untick them."),
    Command("chats.chat", "chats", "right,l,tab", "screen.go_to_chat", "chat", "Go to the chat of the conversation, where single turns can be ticked.", True),
    Command("chats.values", "chats", "V", "screen.decide_all", "all values ≈", "Drop or keep all arguments marked ≈, which are likely to change from run to run; the third press leaves them undecided."),
    Command("chat.fold", "chat", "space", "screen.tick_or_fold", "tick", "Tick or untick the turn; on a response or a long text, unfold it.", True),
    Command("chat.add", "chat", "enter", "screen.add", "add", "Add what is ticked, else the selected conversation, as cases behind the row one came from. From a turn: add the selected turn behind it.", True),
    Command("chat.tick", "chat", "m", "screen.tick_turn", "tick", "Tick the turn of the line, or untick it.", True),
    Command("chat.open", "chat", "right,l", "unfold(True)", "unfold", "Show all of the response, the call or the long text.", True),
    Command("chat.close", "chat", "left,h", "screen.fold_or_leave", "list", "Fold what is unfolded, else go back to the list.", True),
    Command("chat.list", "chat", "tab,shift+tab", "screen.go_to_list", "list", "Go back to the list."),
    Command("chat.value", "chat", "v", "screen.decide", "value ≈", "Drop or keep the arguments of the call marked ≈, which are likely to change from run to run; the third press leaves them undecided.", True),
    Command("chat.values", "chat", "V", "screen.decide_all", "all values ≈", "Do the same with all calls of the conversation.", True),
    Command("adding.replace", "adding", "R", "screen.replace", "replace turn", "Replace the turn one came from by the selected recorded one.", True),
    Command("adding.source", "adding", "a", "screen.add_source", "source", "Open another session database, session, trace or result for this session; asks for its path.", True),
    Command("adding.more", "adding", "n", "screen.read_more", "next 1,000", "Read the next 1,000 conversations of large sources.", True),
    Command("adding.find", "adding", "slash,ctrl+f", "screen.find", "filter", "Show only conversations with the words you type: texts, tools, ids, app, user, case.", True),
    Command("adding.untick", "adding", "c", "screen.untick_all", "untick", "Take all ticks away."),
    Command("adding.down", "adding", "down,j", "move(1)", "down", "Go down."),
    Command("adding.up", "adding", "up,k", "move(-1)", "up", "Go up."),
    Command("adding.page_down", "adding", "pagedown,ctrl+d", "move_page(1)", "page down", "Go a page down."),
    Command("adding.page_up", "adding", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("adding.top", "adding", "home,g", "move_end(-1)", "top", "Go to the first line."),
    Command("adding.bottom", "adding", "end,G", "move_end(1)", "bottom", "Go to the last line."),
    Command("adding.next", "adding", "J,ctrl+down,alt+j", "screen.step(1)", "next", "Go to the next conversation, also from the chat."),
    Command("adding.previous", "adding", "K,ctrl+up,alt+k", "screen.step(-1)", "previous", "Go to the previous conversation, also from the chat."),
    Command("adding.help", "adding", "question_mark", "app.help_from_here", "help", "Show all keys."),
    Command("adding.palette", "adding", "ctrl+p,colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("adding.leave", "adding", "escape", "screen.leave", "back", "Go back: out of the filter, from the chat to the list, to where you came from. Nothing is added by it.", True),
    Command("adding.close", "adding", "q,plus", "screen.close", "close", "Close the conversations; nothing is added."),
)  # fmt: skip
"""In the order in which help and keys line show them."""

"""Commands of dialogs, and of all screens but the editor and the review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from evaltui.tui.command import Command, move_commands

if TYPE_CHECKING:
    from evaltui.tui.agent.agent_screen import AgentScreen
    from evaltui.tui.agent.trust_dialog import TrustDialog
    from evaltui.tui.conversion.converter import ReadingScreen
    from evaltui.tui.conversion.losses_screen import LossesScreen
    from evaltui.tui.criteria.criteria_screen import CriteriaScreen
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.recordings.add_screen import AddScreen
    from evaltui.tui.recordings.recordings_screen import RecordingsScreen
    from evaltui.tui.screens.choice_dialog import ChoiceDialog, SearchDialog
    from evaltui.tui.screens.conflict_screen import ConflictScreen
    from evaltui.tui.screens.diff_screens import FixesPreview, UnsavedScreen
    from evaltui.tui.screens.list_screen import ListScreen
    from evaltui.tui.screens.questions import QuestionDialog
    from evaltui.tui.screens.recovery_screen import RecoveryScreen
    from evaltui.tui.screens.repair_screen import RepairScreen
    from evaltui.tui.screens.replace_screen import ReplaceScreen
    from evaltui.tui.screens.sets_screen import SetsScreen
    from evaltui.tui.screens.text_dialogs import NameDialog, ValueDialog
    from evaltui.tui.screens.text_pages import TextScreen
    from evaltui.tui.watch.watch_screen import WatchScreen

_SPACE_TOO = "pagedown,ctrl+d,space"


# In a function, because mypy does not know the types of the screens yet while it reads a table at module level.
def _dialog_commands() -> tuple[Command, ...]:
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
    watch: tuple[Command[WatchScreen], ...] = (
        Command("watch.why", "watch", "enter", lambda screen: screen.show_why(), "why", "Show the full explanation of the scores; on a note or heading, the full text.", True),
        Command("watch.all", "watch", "a", lambda screen: screen.show_cases("all"), "all", "Show all cases.", True),
        Command("watch.failing", "watch", "f", lambda screen: screen.show_cases("failing"), "failing", "Show only the cases that fail.", True),
        Command("watch.changed", "watch", "o", lambda screen: screen.show_cases("changed"), "changed", "Show only cases that changed since the previous run or the baseline.", True),
        Command("watch.order", "watch", "s", lambda screen: screen.next_order(), "sort", "Change the order: failing first, file order, biggest loss first, changed first.", True),
        Command("watch.pause", "watch", "p", lambda screen: screen.pause_watch(), "pause", "Pause or resume scoring after changes on disk.", True),
        Command("watch.again", "watch", "f5,alt+r", "run.again", "again", "Score again now, even while scoring is paused.", True),
        Command("watch.help", "watch", "question_mark", "help", "help", "Show all keys.", True),
        Command("watch.quit", "watch", "q", lambda screen: screen.quit(), "quit", "Quit evaltui watch and stop its command. The exit code comes from the last run.", True),
        *move_commands("watch", lambda screen: screen.lines, "row", page_down=_SPACE_TOO),
        Command("watch.palette", "watch", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
        Command("watch.theme", "watch", "T", "list.theme", "theme", "Choose a theme; the screen previews each one, and the settings keep your choice."),
        Command("watch.interrupt", "watching", "ctrl+c", lambda screen: screen.app.table.quit(), "", "Quit evaltui watch, even when a page or dialog covers the table."),
    )  # fmt: skip
    questions: tuple[Command[QuestionDialog], ...] = (
        Command("fixes.apply", "fixes", "F,enter", lambda screen: screen.answer("fix"), "fix them all", "Apply all safe fixes; one undo reverts them all.", True),
        Command("fixes.leave", "fixes", "escape,q", lambda screen: screen.leave(""), "leave", "Close without fixing anything.", True),
        Command("replacement.stay", "replacement", "escape", lambda screen: screen.leave(""), "write nothing", "Write nothing; the file stays as it is.", True),
        Command("replacement.rename", "replacement", "n", lambda screen: screen.answer("rename"), "type another name", "Type another name.", True),
        Command("replacement.replace", "replacement", "y", lambda screen: screen.answer("replace"), "replace it", "Replace the file with the conversion.", True),
        Command("converted.open", "converted", "o,enter", lambda screen: screen.answer("open"), "open it", "Open the file that was written.", True),
        Command("converted.stay", "converted", "escape", lambda screen: screen.leave(""), "stay here", "Stay in the converted file.", True),
        Command("reload.discard", "reload", "d", lambda screen: screen.answer("discard"), "reload and discard my changes", "Reload the file; undo restores your changes.", True),
        Command("reload.merge", "reload", "m", lambda screen: screen.answer("merge"), "merge my changes with the file on disk", "Merge your changes with the file on disk.", True),
        Command("reload.stay", "reload", "escape", lambda screen: screen.leave("stay"), "keep editing", "Keep editing without reloading.", True),
        Command("overwrite.save", "overwrite", "s", lambda screen: screen.answer("save"), "save and remove their changes", "Save your text; this removes the changes of others from the file.", True),
        Command("overwrite.merge", "overwrite", "m", lambda screen: screen.answer("merge"), "merge their changes again", "Merge the changes of others into your text again.", True),
        Command("overwrite.stay", "overwrite", "escape", lambda screen: screen.leave("stay"), "keep editing", "Keep editing without saving.", True),
        Command("unsaved_run.save", "unsaved_run", "s", lambda screen: screen.answer("save"), "save and run", "Save the file, then run the agent.", True),
        Command("unsaved_run.run", "unsaved_run", "r", lambda screen: screen.answer("run"), "run with the file on disk", "Run the agent with the file as you last saved it.", True),
        Command("unsaved_run.stay", "unsaved_run", "escape", lambda screen: screen.leave(""), "keep editing", "Keep editing without running the agent.", True),
        Command("quit.save", "quit", "s", lambda screen: screen.answer("save"), "save and quit", "Save, then quit.", True),
        Command("quit.discard", "quit", "d", lambda screen: screen.answer("discard"), "quit without saving", "Quit without saving and lose the changes.", True),
        Command("quit.stay", "quit", "escape", lambda screen: screen.leave("stay"), "keep editing", "Keep editing.", True),
        Command("quit.show", "quit", "v", lambda screen: screen.show_unsaved(), "show unsaved changes", "Show unsaved changes and drafts; press esc to return to the question.", True),
        Command("pasted.go_on", "pasted", "enter,escape", lambda screen: screen.leave("go_on"), "go on", "Go back to the form; undo removes the pasted text.", True),
        Command("copy.json", "copy", "j,y", lambda screen: screen.answer("JSON"), "as JSON", "Copy the value as JSON.", True),
        Command("copy.text", "copy", "t", lambda screen: screen.answer("text"), "as text", "Copy the user message or the response of the row as text.", True),
        Command("copy.pointer", "copy", "p", lambda screen: screen.answer("pointer"), "as JSON pointer", "Copy the JSON pointer (RFC 6901): the place of the row in the file.", True),
        Command("copy.selector", "copy", "s", lambda screen: screen.answer("selector"), "as adk eval selector", "Copy file:eval_id, the form that adk eval reads.", True),
        Command("copy.cancel", "copy", "escape", lambda screen: screen.leave(""), "cancel", "Close without copying.", True),
        Command("outside.again", "outside", "e", lambda screen: screen.answer("again"), "open $EDITOR again, at the error", "Open the text in $EDITOR again, at the place of the error."),
        Command("outside.keep", "outside", "escape", lambda screen: screen.leave("keep"), "keep it as a draft", "Keep the text as a draft; the file keeps the last valid value."),
        Command("outside.drop", "outside", "d", lambda screen: screen.answer("drop"), "drop it", "Drop the text; the value stays as it was."),
        Command("outdated.draft", "outdated", "g", lambda screen: screen.answer("draft"), "go on with the draft; it replaces the value", "Go on with a draft although its value has changed since the draft was begun."),
        Command("outdated.drop", "outdated", "X", lambda screen: screen.answer("drop"), "drop the draft; the value stays", "Drop the draft; undo restores it."),
        Command("outdated.later", "outdated", "escape", lambda screen: screen.leave(""), "decide later", "Close without a decision; the draft and the value stay."),
    )  # fmt: skip
    repair: tuple[Command[RepairScreen], ...] = (
        Command("repair.fix", "repair", "f", "fix", "fix", "Fix the selected problem in the text; for an unsafe fix, press twice. The file changes when you save.", True),
        Command("repair.make", "repair", "a", lambda screen: screen.make_set(), "make a new set here", "Make a new set in this empty file. The file changes when you save.", True),
    )  # fmt: skip
    repairs: tuple[Command[FixesPreview], ...] = (
        Command("repairs.apply", "repairs", "F,enter", lambda screen: screen.apply(), "apply", "Apply the fixes to the text; undo reverts them. The file changes when you save.", True),
        Command("repairs.leave", "repairs", "escape,q", lambda screen: screen.leave(), "leave", "Change nothing.", True),
        *move_commands("repairs", lambda screen: screen.diff, page_down=_SPACE_TOO, verb="Scroll"),
    )  # fmt: skip
    losses: tuple[Command[LossesScreen], ...] = (
        Command("losses.enter", "losses", "enter", lambda screen: screen.go_to_place(), "go to", "Go to this place in the open file; on a line “… more places”, show all places.", True),
        Command("losses.write", "losses", "w", lambda screen: screen.write(), "write the file", "Enter a name for the new file, then write it.", True),
        *move_commands("losses", lambda screen: screen.losses, "group", "place", page_down=_SPACE_TOO),
        Command("losses.leave", "losses", "escape,q", lambda screen: screen.leave(), "back", "Go back; nothing is written.", True),
        Command("losses.help", "losses", "question_mark", "help", "help", "Show all keys.", True),
    )  # fmt: skip
    reading: tuple[Command[ReadingScreen], ...] = (
        Command("reading.source", "reading", "6", lambda screen: screen.open_source(), "JSON", "Open the file as JSON and stop the conversion.", True),
        Command("reading.leave", "reading", "q", lambda screen: screen.file.leaving.leave_or_go_back(), "back", "Go back to the list, or quit.", True),
        Command("reading.help", "reading", "question_mark", "help", "help", "Show all keys."),
    )  # fmt: skip
    recovery: tuple[Command[RecoveryScreen], ...] = (
        Command("recovery.restore", "recovery", "r", lambda screen: screen.restore(), "restore", "Restore the unsaved changes; undo removes them again. The file changes when you save.", True),
        Command("recovery.keep", "recovery", "k,escape", lambda screen: screen.keep(), "keep for later", "Open the file without the unsaved changes; evaltui offers them again next time.", True),
        Command("recovery.discard", "recovery", "d", lambda screen: screen.discard(), "discard", "Delete the unsaved changes, after a second question.", True),
        Command("recovery.really", "recovery", "y", lambda screen: screen.discard_really(), "", "Delete the unsaved changes for good."),
        Command("recovery.quit", "recovery", "q", lambda screen: screen.quit(), "quit", "Quit without changing anything.", True),
        *move_commands("recovery", lambda screen: screen.diff, up="up", page_down=_SPACE_TOO, verb="Scroll"),  # k keeps the changes
    )  # fmt: skip
    filtering: tuple[Command[EditScreen], ...] = (
        Command("filter.keep", "filter", "enter", lambda screen: screen.tree_filter.keep_filter(), "keep", "Keep the filter and go to the turn found.", True),
        Command("filter.clear", "filter", "escape", lambda screen: screen.tree_filter.clear_filter(), "clear", "Clear the filter and show all cases.", True),
        Command("filter.down", "filter", "down,tab", lambda screen: screen.tree_filter.step_hit(1), "next", "Go to the next case that the filter found.", True),
        Command("filter.up", "filter", "up,shift+tab", lambda screen: screen.tree_filter.step_hit(-1), "previous", "Go to the previous case that the filter found."),
        Command("filter.word_left", "filter", "ctrl+backspace,alt+backspace", lambda screen: screen.filter_box.action_delete_left_word(), "delete word", "Delete the word before the cursor."),
    )  # fmt: skip
    jump: tuple[Command[SearchDialog[Any, Any]], ...] = (
        Command("jump.go", "jump", "enter", lambda screen: screen.box.action_submit(), "go", "Go to the selected case or line, or to the place of the JSON pointer.", True),
        Command("jump.down", "jump", "down,tab", lambda screen: screen.matches.move(1), "next", "Select the next match."),
        Command("jump.up", "jump", "up,shift+tab", lambda screen: screen.matches.move(-1), "previous", "Select the previous match."),
        Command("jump.cancel", "jump", "escape", lambda screen: screen.cancel(), "stay", "Stay at the current place.", True),
    )  # fmt: skip
    criteria: tuple[Command[CriteriaScreen], ...] = (
        Command("criteria.write", "criteria", "w", lambda screen: screen.write_config(), "write", "Write the trial criteria into the config; the rest of the file stays as it is.", True),
        Command("criteria.drop", "criteria", "x", lambda screen: screen.drop_trial(), "drop", "Drop the trial criteria and score with the config again; undo restores them.", True),
        Command("criteria.back", "criteria", "escape", "list.back", "back", "Go back; trial criteria stay until you write or drop them.", True),
    )  # fmt: skip
    sets: tuple[Command[SetsScreen], ...] = (
        Command("sets.open", "sets", "enter", lambda screen: screen.open(), "open", "Open the selected eval set.", True),
        Command("sets.make", "sets", "a", lambda screen: screen.make(), "new set", "Create a new eval set; asks for its name.", True),
    )  # fmt: skip
    palette: tuple[Command[SearchDialog[Any, Any]], ...] = (
        Command("palette.down", "palette", "down", lambda screen: screen.matches.move(1), "down", "Go down."),
        Command("palette.up", "palette", "up", lambda screen: screen.matches.move(-1), "up", "Go up."),
        Command("palette.page_down", "palette", "pagedown", lambda screen: screen.matches.move_page(1), "page down", "Go a page down."),
        Command("palette.page_up", "palette", "pageup", lambda screen: screen.matches.move_page(-1), "page up", "Go a page up."),
        Command("palette.close", "palette", "escape,ctrl+p", lambda screen: screen.cancel(), "close", "Close the palette."),
    )  # fmt: skip
    conflicts: tuple[Command[ConflictScreen], ...] = (
        Command("conflicts.down", "conflicts", "down,j", lambda screen: screen.conflicts.move(1), "down", "Go to the next conflict."),
        Command("conflicts.up", "conflicts", "up,k", lambda screen: screen.conflicts.move(-1), "up", "Go to the previous conflict."),
        Command("conflicts.mine", "conflicts", "m", lambda screen: screen.choose("mine"), "mine", "Choose your version.", True),
        Command("conflicts.theirs", "conflicts", "t", lambda screen: screen.choose("theirs"), "on disk", "Choose the version on disk.", True),
        Command("conflicts.both", "conflicts", "b", lambda screen: screen.choose("both"), "both", "Choose both versions: first the one on disk, then yours.", True),
        Command("conflicts.base", "conflicts", "o", lambda screen: screen.choose("base"), "before", "Choose the version from before both changes.", True),
        Command("conflicts.edit", "conflicts", "e", lambda screen: screen.edit(), "edit", "Edit the chosen version, or yours, and choose the result.", True),
        Command("conflicts.scroll_down", "conflicts", "pagedown,space", lambda screen: screen.scroll_values(1), "scroll", "Scroll the versions down."),
        Command("conflicts.scroll_up", "conflicts", "pageup", lambda screen: screen.scroll_values(-1), "scroll up", "Scroll the versions up."),
        Command("conflicts.done", "conflicts", "enter", lambda screen: screen.done(), "merge", "Merge with your choices; the next save writes the file. On the way out, this key saves it, too.", True),
        Command("conflicts.leave", "conflicts", "escape,q", lambda screen: screen.leave(), "back", "Go back without merging; your changes stay.", True),
        Command("conflicts.help", "conflicts", "question_mark", "help", "help", "Show all keys.", True),
    )  # fmt: skip
    find_and_replace: tuple[Command[ReplaceScreen], ...] = (
        Command("replace.next", "replace", "tab", lambda screen: screen.go_to_next(1), "next", "Go to the next text box, or to the list of hits.", True),
        Command("replace.previous", "replace", "shift+tab", lambda screen: screen.go_to_next(-1), "previous", "Go to the previous text box."),
        Command("replace.apply", "replace", "ctrl+r", "repairs.apply", "replace", "Replace all hits except those left out; one undo reverts them all.", True),
        Command("replace.cancel", "replace", "escape", lambda screen: screen.cancel(), "close", "Close without replacing anything.", True),
        Command("replace.regex", "replace", "alt+x", lambda screen: screen.toggle_regex(), "regex", "Switch between regular expression and plain text.", True),
        Command("replace.case", "replace", "alt+c", lambda screen: screen.toggle_case(), "case", "Match or ignore upper and lower case.", True),
        Command("replace.scope", "replace", "alt+s", lambda screen: screen.next_scope(), "scope", "Search all cases, the filtered ones or the marked ones.", True),
        *move_commands("hits", lambda screen: screen.hits_list, "hit"),
        Command("hits.leave_out", "hits", "space", lambda screen: screen.hits_list.leave_out(), "leave out", "Leave the hit out, or include it again.", True),
        Command("hits.apply", "hits", "enter", "repairs.apply", "replace", "Replace all hits except those left out; one undo reverts them all.", True),
        Command("hits.kind_1", "hits", "1", lambda screen: screen.toggle_kind(0), "user messages", "Include or leave out user messages."),
        Command("hits.kind_2", "hits", "2", lambda screen: screen.toggle_kind(1), "responses", "Include or leave out expected responses."),
        Command("hits.kind_3", "hits", "3", lambda screen: screen.toggle_kind(2), "tool names", "Include or leave out tool names."),
        Command("hits.kind_4", "hits", "4", lambda screen: screen.toggle_kind(3), "arguments", "Include or leave out texts in arguments."),
        Command("hits.kind_5", "hits", "5", lambda screen: screen.toggle_kind(4), "ids", "Include or leave out ids of cases, turns and tool calls."),
        Command("hits.kind_6", "hits", "6", lambda screen: screen.toggle_kind(5), "tool responses", "Include or leave out texts in tool responses."),
        Command("hits.kind_7", "hits", "7", lambda screen: screen.toggle_kind(6), "state", "Include or leave out texts in session states."),
        Command("hits.kind_8", "hits", "8", lambda screen: screen.toggle_kind(7), "numbers, booleans", "Include or leave out numbers, booleans and nulls in arguments, tool responses and session states."),
        Command("hits.kind_9", "hits", "9", lambda screen: screen.toggle_kind(8), "keys", "Include or leave out keys in arguments, tool responses and session states."),
    )  # fmt: skip
    agent: tuple[Command[AgentScreen], ...] = (
        Command("agent.cancel", "agent", "x", lambda screen: screen.cancel_run(), "cancel", "Stop the agent; after 3 seconds or a second press, kill it. If no agent runs, go back.", True),
        Command("agent.again", "agent", "f6,alt+g", "agent.run", "run again", "Run the agent again for the marked cases; without marks, for all cases.", True),
        Command("agent.leave", "agent", "escape,q", lambda screen: screen.leave(), "back", "Go back while the agent runs on; press f6 to show its output again.", True),
        Command("agent.down", "agent", "down,j", lambda screen: screen.output.move(1), "down", "Scroll down."),
        Command("agent.up", "agent", "up,k", lambda screen: screen.output.move(-1), "up", "Scroll up and stop following the output."),
        Command("agent.page_down", "agent", "pagedown,ctrl+d,space", lambda screen: screen.output.move_page(1), "page down", "Scroll a page down."),
        Command("agent.page_up", "agent", "pageup,ctrl+u", lambda screen: screen.output.move_page(-1), "page up", "Scroll a page up."),
        Command("agent.top", "agent", "home,g", lambda screen: screen.output.move_end(-1), "top", "Scroll to the start of the kept output."),
        Command("agent.bottom", "agent", "end,G", lambda screen: screen.output.move_end(1), "follow", "Scroll to the last line and follow the output.", True),
        Command("agent.help", "agent", "question_mark", "help", "help", "Show all keys.", True),
    )  # fmt: skip
    trust: tuple[Command[TrustDialog], ...] = (
        Command("trust.stay", "trust", "escape", lambda screen: screen.leave(""), "do not run it", "Close without running the command.", True),
        Command("trust.run", "trust", "y", lambda screen: screen.answer("run"), "run it, and do not ask again until something here changes", "Run this command, now and in future; if the command changes, evaltui asks again.", True),
    )  # fmt: skip
    unsaved: tuple[Command[UnsavedScreen], ...] = (
        Command("unsaved.leave", "unsaved", "escape,q,C", lambda screen: screen.leave(), "back", "Go back.", True),
        *move_commands("unsaved", lambda screen: screen.diff, page_down=_SPACE_TOO, verb="Scroll"),
    )  # fmt: skip
    choice: tuple[Command[ChoiceDialog], ...] = (
        Command("choice.down", "choice", "down,ctrl+n", lambda screen: screen.matches.move(1), "down", "Go to the next choice."),
        Command("choice.up", "choice", "up,ctrl+p", lambda screen: screen.matches.move(-1), "up", "Go to the previous choice."),
        Command("choice.page_down", "choice", "pagedown", lambda screen: screen.matches.move_page(1), "page down", "Go a page down."),
        Command("choice.page_up", "choice", "pageup", lambda screen: screen.matches.move_page(-1), "page up", "Go a page up."),
        Command("choice.top", "choice", "home", lambda screen: screen.go_to_end(-1), "top", "Go to the first choice, or to the start of a text you can type."),
        Command("choice.bottom", "choice", "end", lambda screen: screen.go_to_end(1), "bottom", "Go to the last choice, or to the end of a text you can type."),
        Command("choice.take", "choice", "enter", lambda screen: screen.box.action_submit(), "done", "Use the selected choice.", True),
        Command("choice.cancel", "choice", "escape", lambda screen: screen.cancel(), "cancel", "Close without choosing.", True),
    )  # fmt: skip
    name: tuple[Command[NameDialog[Any]], ...] = (
        Command("name.done", "name", "enter", "field.enter", "done", "Use the name.", True),
        Command("name.complete", "name", "tab", lambda screen: screen.complete(), "complete", "Complete the name or path.", True),
        Command("name.cancel", "name", "escape", "field.leave", "cancel", "Close without changing anything.", True),
    )  # fmt: skip
    value: tuple[Command[ValueDialog], ...] = (
        Command("value.done", "value", "ctrl+s", lambda screen: screen.done(), "done", "Use the value.", True),
        Command("value.cancel", "value", "escape", lambda screen: screen.cancel(), "cancel", "Close and keep the old value. After typing, press it twice.", True),
    )  # fmt: skip
    dialog: tuple[Command[TextScreen], ...] = (
        Command("dialog.close", "dialog", "escape,q,question_mark", lambda screen: screen.close(), "close", "Close the dialog.", True),
        Command("dialog.top", "dialog", "home,g", lambda screen: screen.page.scroll_home(animate=False), "top", "Scroll to the first line."),
        Command("dialog.bottom", "dialog", "end,G", lambda screen: screen.page.scroll_end(animate=False), "bottom", "Scroll to the last line."),
    )  # fmt: skip
    return (
        *recordings,
        *conversations,
        *lists,
        *picker,
        *adding,
        *watch,
        *questions,
        *repair,
        *repairs,
        *losses,
        *reading,
        *recovery,
        *filtering,
        *jump,
        *criteria,
        *sets,
        *palette,
        *conflicts,
        *find_and_replace,
        *agent,
        *trust,
        *unsaved,
        *choice,
        *name,
        *value,
        *dialog,
    )


DIALOG_COMMANDS = _dialog_commands()

IN_REPAIR: Mapping[str, Callable[[RepairScreen], object]] = {
    "undo": lambda screen: screen.step("undo"),
    "redo": lambda screen: screen.step("redo"),
    "next_problem": lambda screen: screen.step_problem(1),
    "previous_problem": lambda screen: screen.step_problem(-1),
    "fix": lambda screen: screen.fix(),
    "edit_outside": lambda screen: screen.edit_outside(),
    "list.fix_all": lambda screen: screen.fix_all(),
    "list.explain": lambda screen: screen.explain(),
    "list.tree": lambda screen: screen.set_focus(screen.text_view, scroll_visible=False),
    "list.form": lambda screen: screen.set_focus(screen.text_view, scroll_visible=False),
    "list.problems": lambda screen: screen.set_focus(screen.faults, scroll_visible=False),
    "list.run": lambda screen: screen.set_focus(screen.text_view, scroll_visible=False),
    "list.next_pane": lambda screen: screen.next_pane(),
    "list.previous_pane": lambda screen: screen.next_pane(),
    "list.quit": lambda screen: screen.file.leaving.leave_or_go_back(),
}
IN_LISTS: Mapping[str, Callable[[Any], object]] = {
    "find": lambda screen: screen.find(),
    "filter.keep": lambda screen: screen.keep_filter(),
    "filter.clear": lambda screen: screen.clear_filter(),
    "filter.down": lambda screen: screen.shown_list.move(1),
    "filter.up": lambda screen: screen.shown_list.move(-1),
}
IN_RECORDINGS: Mapping[str, Callable[[Any], object]] = {**IN_LISTS, "run.again": lambda screen: screen.run_again()}
IN_WATCH: Mapping[str, Callable[[WatchScreen], object]] = {"run.again": lambda screen: screen.run_again()}
IN_CRITERIA: Mapping[str, Callable[[CriteriaScreen], object]] = {
    "save": lambda screen: screen.save(),
    "undo": lambda screen: screen.step("undo"),
    "redo": lambda screen: screen.step("redo"),
    "next_problem": lambda screen: screen.step_problem(1),
    "previous_problem": lambda screen: screen.step_problem(-1),
    "fix": lambda screen: screen.fix(),
    "run.again": lambda screen: screen.run_again(),
    "edit_outside": lambda screen: screen.edit_outside(),
    "list.drop_draft": lambda screen: screen.drop_draft(),
    "list.back": lambda screen: screen.back(),
    "list.quit": lambda screen: screen.back(),
}
IN_SETS: Mapping[str, Callable[[SetsScreen], object]] = {
    "list.quit": lambda screen: screen.quit(),
    "list.interrupt": lambda screen: screen.say_how_to_quit(),
}
IN_NAME: Mapping[str, Callable[[NameDialog[Any]], object]] = {
    "undo": lambda screen: screen.change_nothing(),
    "redo": lambda screen: screen.change_nothing(),
}

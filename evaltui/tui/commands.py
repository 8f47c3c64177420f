"""The registry of commands: what feeds bindings, the keys line, the key help and docs/keys.md.

A key means one thing at one place. Letters act on panes and never while typing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from textual.binding import BindingType

PLACES = {
    "anywhere": "Everywhere",
    "everywhere": "In the editor, also while typing in a field",
    "list": "In every pane",
    "tree": "In the tree",
    "form": "In the form",
    "field": "While typing in a field",
    "problems": "In the problems",
    "run": "In the scores",
    "fixes": "When shown all safe fixes",
    "repair": "In a file that is not JSON",
    "repairs": "When shown what the safe fixes of such a file change",
    "recovery": "When an earlier session left unsaved changes",
    "filter": "In the line of the filter",
    "jump": "When asked where to go",
    "sets": "In the list of eval sets",
    "palette": "In the command palette",
    "conflicts": "When your changes conflict with the file on disk",
    "reload": "When asked before a reload",
    "overwrite": "When asked before a save removes changes of others",
    "replace": "In find and replace",
    "hits": "In the list of hits to replace",
    "quit": "When asked before quitting",
    "unsaved": "When shown unsaved changes",
    "pasted": "After a paste that is too long for a field",
    "copy": "When asked how to copy",
    "outside": "When what an editor left cannot be used",
    "choice": "When asked to choose from a list",
    "name": "When asked for a name",
    "value": "When writing a value by hand",
    "dialog": "In a dialog",
}
"""The places where keys act, with their headings in the help.

`anywhere` acts on every screen and in every dialog, `everywhere` in all panes and fields of the editor, `list` in all
its panes.
"""


class Command(NamedTuple):
    """One thing that a key does."""

    id: str
    place: str
    keys: str
    """Key names as Textual has them, comma-separated; the first is the one shown."""
    action: str
    title: str
    """In the keys line; short."""
    help: str
    footer: bool = False
    """Whether the keys line shows it."""


COMMANDS = (
    Command("save", "everywhere", "ctrl+s", "screen.save", "save", "Save the file; only what you changed differs in it.", True),
    Command("undo", "everywhere", "ctrl+z", "screen.undo", "undo", "Undo the last step."),
    Command("redo", "everywhere", "ctrl+y", "screen.redo", "redo", "Do the last undone step again."),
    Command("quit", "anywhere", "ctrl+q", "app.quit_from_here", "quit", "Quit; a dialog closes first, as with esc. Asks only when something is unsaved.", True),
    Command("help", "anywhere", "f1", "app.help_from_here", "help", "Show all keys, those of the present place first; in the help, close it."),
    Command("messages", "anywhere", "f2,alt+m", "app.show_messages", "messages", "Show the last messages of the status line in full, the newest first."),
    Command("next_case", "everywhere", "ctrl+down,alt+j", "screen.step_case(1)", "next case", "Go to the next case."),
    Command("previous_case", "everywhere", "ctrl+up,alt+k", "screen.step_case(-1)", "previous case", "Go to the previous case."),
    Command("find", "everywhere", "ctrl+f", "screen.find", "filter", "Filter the cases by their words and marks."),
    Command("jump", "everywhere", "ctrl+g", "screen.jump", "jump to", "Go to a case by id or number, to a line of the file (:120), or to a pointer."),
    Command("edit_outside", "everywhere", "f4,alt+e", "screen.edit_outside", "editor", "Edit the field or value in $VISUAL or $EDITOR."),
    Command("open", "everywhere", "ctrl+o", "screen.open_another", "open another", "Go to the list of eval sets, to open or make another; asks where something is unsaved."),
    Command("palette", "everywhere", "ctrl+p", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("replace", "everywhere", "ctrl+r", "screen.replace", "replace", "Find and replace in the set, the filtered or the marked cases."),
    Command("next_problem", "everywhere", "f8,alt+n", "screen.step_problem(1)", "next problem", "Go to the next problem."),
    Command("previous_problem", "everywhere", "shift+f8,alt+p", "screen.step_problem(-1)", "previous problem", "Go to the previous problem."),
    Command("fix", "everywhere", "f9,alt+q", "screen.fix", "fix", "Fix the problem of the line or row one is in; what is not safe is shown first and done by a second press."),
    Command("run.again", "everywhere", "f5,alt+r", "screen.run_again", "score again", "Score all cases again; recordings and config are read anew.", True),
    Command("list.next_failing", "list", "right_square_bracket", "screen.step_failing(1)", "next failing", "Go to the next failing turn, of one case after another; behind the last comes the first."),
    Command("list.previous_failing", "list", "left_square_bracket", "screen.step_failing(-1)", "previous failing", "Go to the previous failing turn; before the first comes the last."),
    Command("list.fix_all", "list", "F", "screen.fix_all", "all safe fixes", "Show how many safe fixes there are of which kind, to do them all as one step."),
    Command("list.explain", "list", "full_stop", "screen.explain", "explain", "Explain the rule that found the problem one is at."),
    Command("list.down", "list", "down,j", "move(1)", "down", "Go down."),
    Command("list.up", "list", "up,k", "move(-1)", "up", "Go up."),
    Command("list.page_down", "list", "pagedown,ctrl+d", "move_page(1)", "page down", "Go a page down."),
    Command("list.page_up", "list", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("list.top", "list", "home,g", "move_end(-1)", "top", "Go to the first row."),
    Command("list.bottom", "list", "end,G", "move_end(1)", "bottom", "Go to the last row."),
    Command("list.help", "list", "question_mark", "app.help_from_here", "help", "Show all keys.", True),
    Command("list.palette", "list", "colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
    Command("list.why", "list", "w", "screen.why", "why", "Go to why the case or turn has its scores, below its form.", True),
    Command("list.undo", "list", "u", "screen.undo", "undo", "Undo the last step.", True),
    Command("list.redo", "list", "U", "screen.redo", "redo", "Do the last undone step again."),
    Command("list.save_as", "list", "S", "screen.save_as", "save as", "Save under another name and go on there."),
    Command("list.save_copy", "list", "W", "screen.save_copy", "save a copy", "Write a copy under another name and go on here."),
    Command("list.reload", "list", "R", "screen.reload", "reload", "Reload the file; asks first if something is unsaved."),
    Command("list.merge", "list", "M", "screen.merge", "merge", "Merge your changes with the file on disk."),
    Command("list.revert", "list", "V", "screen.revert_case", "revert case", "Revert the case to the file on disk; undo brings your changes back."),
    Command("list.unsaved", "list", "C", "screen.show_unsaved", "unsaved", "Show unsaved changes as a diff to the file, and the drafts."),
    Command("list.drop_draft", "list", "X", "screen.drop_draft", "drop draft", "Drop the draft of the field, row or entry one is at; undo brings it back.", True),
    Command("list.tree", "list", "1", "screen.show_pane('tree')", "tree", "Go to the tree."),
    Command("list.form", "list", "2", "screen.show_pane('form')", "form", "Go to the form."),
    Command("list.problems", "list", "3", "screen.show_pane('problems')", "problems", "Go to the problems."),
    Command("list.run", "list", "4", "screen.show_pane('run')", "scores", "Go to the scores of each case and metric, failing ones first."),
    Command("list.next_pane", "list", "tab", "screen.next_pane(1)", "next pane", "Go to the next pane."),
    Command("list.previous_pane", "list", "shift+tab", "screen.next_pane(-1)", "previous pane", "Go to the previous pane."),
    Command("list.zoom", "list", "z", "screen.zoom", "zoom", "Give this pane all the room, or its usual room again."),
    Command("list.back", "list", "escape", "screen.back", "back", "Go back to the tree or out of a view; at the root it does nothing.", True),
    Command("list.edit_outside", "list", "e", "screen.edit_outside", "editor", "Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR.", True),
    Command("list.quit", "list", "q", "screen.back_or_quit", "quit", "Go back; at the root, to the list one came from, else quit."),
    Command("list.find", "list", "slash", "screen.find", "filter", "Filter the cases by their words and marks.", True),
    Command("list.theme", "list", "T", "screen.theme", "theme", "Choose a theme; each is shown while it is selected, the chosen one is kept in the settings."),
    Command("list.settings", "list", "comma", "screen.settings", "settings", "Open the settings file in $VISUAL or $EDITOR; where there is none, it is made with all settings as comments."),
    Command("list.interrupt", "list", "ctrl+c", "screen.say_how_to_quit", "", "Say how to quit; nothing is lost by a stray ^c."),
    Command("tree.enter", "tree", "enter", "enter", "edit", "Edit the selected row in the form.", True),
    Command("tree.open", "tree", "right,l", "open", "open", "Show the rows below, or go to the first of them."),
    Command("tree.close", "tree", "left,h", "close", "close", "Hide the rows below, or go to the row around."),
    Command("tree.toggle", "tree", "space", "fold", "fold", "Show or hide the rows below."),
    Command("tree.open_all", "tree", "equals_sign", "fold_all(False)", "unfold all", "Show the turns of all cases."),
    Command("tree.close_all", "tree", "minus", "fold_all(True)", "fold all", "Hide the turns of all cases."),
    Command("tree.narrower", "tree", "less_than_sign", "screen.resize_split(-4)", "narrower", "Give the tree fewer columns; the mouse drags the line, too."),
    Command("tree.wider", "tree", "greater_than_sign", "screen.resize_split(4)", "wider", "Give the tree more columns."),
    Command("tree.next", "tree", "J", "screen.step_case(1)", "next case", "Go to the next case."),
    Command("tree.previous", "tree", "K", "screen.step_case(-1)", "previous case", "Go to the previous case."),
    Command("tree.add", "tree", "a", "add(False)", "add", "Add a case, turn, tool call or value behind the selected one.", True),
    Command("tree.add_inside", "tree", "A", "add(True)", "add inside", "Add a turn to the case, or a tool call to the turn.", True),
    Command("tree.add_before", "tree", "i", "add(False, True)", "add before", "Add a case, turn, tool call or value before the selected one."),
    Command("tree.clone", "tree", "c", "screen.clone", "clone", "Put a copy behind the selected row, with ids of its own."),
    Command("tree.delete", "tree", "d,delete", "screen.delete_rows", "delete", "Delete the selected or marked rows; undo brings them back.", True),
    Command("tree.move_up", "tree", "alt+up", "screen.shift(-1)", "move up", "Move the selected or marked rows up in their list."),
    Command("tree.move_down", "tree", "alt+down", "screen.shift(1)", "move down", "Move the selected or marked rows down; the mouse drags a row, too."),
    Command("tree.mark", "tree", "m", "screen.mark", "mark", "Mark the row for what acts on several, or take its mark away; esc takes all."),
    Command("tree.mark_range", "tree", "v", "screen.mark_range", "mark to here", "Mark all rows of this depth from the last marked one to here."),
    Command("tree.copy", "tree", "y", "screen.copy", "copy", "Copy the selected or marked rows as JSON."),
    Command("tree.copy_as", "tree", "Y", "screen.copy_as", "copy as", "Copy as text, as a JSON pointer or as a selector for adk eval."),
    Command("tree.cut", "tree", "x", "screen.cut", "cut", "Copy the selected or marked rows, then delete them."),
    Command("tree.paste", "tree", "p", "screen.paste(False)", "paste", "Paste cases, turns, calls or contents behind the selected row."),
    Command("tree.paste_before", "tree", "P", "screen.paste(True)", "paste before", "Paste before the selected row."),
    Command("tree.fix", "tree", "f", "screen.fix", "fix", "Fix the worst problem of the row that can be fixed."),
    Command("tree.rename", "tree", "r", "rename", "rename", "Rename the selected member of an object.", True),
    Command("tree.type", "tree", "t", "retype", "type", "Change the type of the selected value of a JSON tree.", True),
    Command("tree.next_hit", "tree", "n", "screen.next_hit(1)", "next hit", "Go to the next hit of the filter."),
    Command("tree.previous_hit", "tree", "N", "screen.next_hit(-1)", "previous hit", "Go to the previous hit of the filter."),
    Command("form.enter", "form", "enter", "enter", "edit", "Edit the field, or go where the line leads.", True),
    Command("form.add", "form", "a", "add", "add", "Add what this form lists: a case, turn, tool call, argument or member.", True),
    Command("form.more", "form", "A", "more", "add other", "Choose what else to add: anything this form has not got yet.", True),
    Command("form.delete", "form", "d,delete", "delete", "delete", "Delete the case, turn, call, response, argument, part or item of the line; undo brings it back.", True),
    Command("form.delete_response", "form", "D", "delete_response", "delete response", "Delete the response of the tool call and leave the call; undo brings it back.", True),
    Command("form.rename", "form", "r", "rename", "rename", "Rename the argument or member.", True),
    Command("form.copy", "form", "y", "screen.copy_value", "copy", "Copy the selected value as JSON, whole; on a line of Why, the value that it is about."),
    Command("form.copy_as", "form", "Y", "screen.copy_as", "copy as", "Copy the value as JSON, as its text or as a JSON pointer."),
    Command("form.paste", "form", "p", "screen.paste_value", "paste", "Put what was copied last in the place of the value."),
    Command("form.type", "form", "t", "retype", "type", "Change the type of the value: text, number, boolean, null, list, object. A text that reads as JSON becomes that first; going round comes back.", True),
    Command("form.fresh", "form", "f", "fresh", "fresh id", "Give the turn a fresh id in the manner of its neighbours.", True),
    Command("form.move_up", "form", "alt+up", "move_value(-1)", "move up", "Move the selected case, turn, call, part, item or member up in its list."),
    Command("form.move_down", "form", "alt+down", "move_value(1)", "move down", "Move the selected case, turn, call, part, item or member down in its list."),
    Command("form.toggle", "form", "space", "toggle_value", "toggle", "Make the selected boolean true or false.", True),
    Command("field.enter", "field", "enter", "enter", "next field", "Go on to the next field; the last value of a list is done; a text of several lines gets a new line.", True),
    Command("field.leave", "field", "escape", "leave(0)", "done", "Leave the field; its text stays.", True),
    Command("field.toggle", "field", "space", "toggle_value", "toggle", "Make a boolean true or false; elsewhere it is a blank.", True),
    Command("field.clear", "field", "ctrl+u", "clear", "clear", "Delete all of the value; in a text of several lines, all of the line.", True),
    Command("field.select_all", "field", "f7,alt+a", "select_all", "select all", "Select all of the text; what is typed then replaces it.", True),
    Command("field.next", "field", "tab", "leave(1)", "next", "Edit the next field.", True),
    Command("field.previous", "field", "shift+tab", "leave(-1)", "previous", "Edit the previous field."),
    Command("field.newline", "field", "ctrl+j", "new_line", "new line", "Begin a new line in a field where enter goes on to the next; ids and names have one line.", True),
    Command("field.top", "field", "ctrl+home", "text_start", "start", "Go to the start of the text."),
    Command("field.bottom", "field", "ctrl+end", "text_end", "end", "Go to the end of the text."),
    Command("field.undo", "field", "ctrl+z", "screen.undo", "undo", "Undo the last step."),
    Command("field.redo", "field", "ctrl+y", "screen.redo", "redo", "Do the last undone step again."),
    Command("field.word_left", "field", "ctrl+backspace,alt+backspace", "delete_word_left", "delete word", "Delete the word before the caret."),
    Command("problems.enter", "problems", "enter", "enter", "go to", "Go to the value that the problem is about.", True),
    Command("problems.fix", "problems", "f", "screen.fix", "fix", "Fix the problem; what is not safe is shown first and done by a second press.", True),
    Command("problems.severity", "problems", "s", "next_severity", "severity", "Show all problems, only errors, or errors and warnings.", True),
    Command("problems.case", "problems", "c", "screen.only_case", "this case", "Show only the problems of this case, or all again.", True),
    Command("problems.ignore", "problems", "i", "screen.ignore(False)", "ignore", "Leave out what this rule finds in this file; kept in the settings.", True),
    Command("problems.ignore_everywhere", "problems", "I", "screen.ignore(True)", "ignore everywhere", "Leave out what this rule finds in all files; kept in the settings."),
    Command("problems.heed", "problems", "h", "screen.heed", "heed again", "Show again what is ignored, in this file and everywhere; takes it out of the settings.", True),
    Command("run.enter", "run", "enter", "enter", "go to", "Go to the case, to the first turn that fails and why.", True),
    Command("fixes.apply", "fixes", "F,enter", "answer('fix')", "fix them all", "Do all safe fixes as one step.", True),
    Command("fixes.leave", "fixes", "escape,q", "answer('')", "leave", "Fix nothing.", True),
    Command("repair.fix", "repair", "f", "screen.fix", "fix", "Apply the fix of the selected problem to the text; what is not safe by a second press; a save writes it.", True),
    Command("repairs.apply", "repairs", "F,enter", "screen.apply", "apply", "Apply the fixes to the text; undo takes them back, a save writes the file.", True),
    Command("repairs.leave", "repairs", "escape,q", "screen.leave", "leave", "Change nothing.", True),
    Command("repairs.down", "repairs", "down,j", "screen.move(1)", "down", "Scroll down."),
    Command("repairs.up", "repairs", "up,k", "screen.move(-1)", "up", "Scroll up."),
    Command("repairs.page_down", "repairs", "pagedown,ctrl+d,space", "screen.move_page(1)", "page down", "Scroll a page down."),
    Command("repairs.page_up", "repairs", "pageup,ctrl+u", "screen.move_page(-1)", "page up", "Scroll a page up."),
    Command("repairs.top", "repairs", "home,g", "screen.move_end(-1)", "top", "Scroll to the first line."),
    Command("repairs.bottom", "repairs", "end,G", "screen.move_end(1)", "bottom", "Scroll to the last line."),
    Command("recovery.restore", "recovery", "r", "screen.restore", "restore", "Do the unsaved steps again; undo takes them back, a save writes them.", True),
    Command("recovery.keep", "recovery", "k,escape", "screen.keep", "keep for later", "Open the file as it is; the unsaved steps are offered again next time.", True),
    Command("recovery.discard", "recovery", "d", "screen.discard", "discard", "Delete the unsaved steps; asks once more.", True),
    Command("recovery.really", "recovery", "y", "screen.discard_really", "", "Yes, delete the unsaved steps for good."),
    Command("recovery.quit", "recovery", "q", "screen.quit", "quit", "Quit; everything stays as it is.", True),
    Command("recovery.down", "recovery", "down,j", "screen.move(1)", "down", "Scroll down."),
    Command("recovery.up", "recovery", "up", "screen.move(-1)", "up", "Scroll up."),
    Command("recovery.page_down", "recovery", "pagedown,ctrl+d,space", "screen.move_page(1)", "page down", "Scroll a page down."),
    Command("recovery.page_up", "recovery", "pageup,ctrl+u", "screen.move_page(-1)", "page up", "Scroll a page up."),
    Command("recovery.top", "recovery", "home,g", "screen.move_end(-1)", "top", "Scroll to the first line."),
    Command("recovery.bottom", "recovery", "end,G", "screen.move_end(1)", "bottom", "Scroll to the last line."),
    Command("filter.keep", "filter", "enter", "screen.keep_filter", "keep", "Keep the filter and go to the turn it finds.", True),
    Command("filter.clear", "filter", "escape", "screen.clear_filter", "clear", "Show all cases again.", True),
    Command("filter.down", "filter", "down,tab", "screen.step_hit(1)", "next", "Go to the next case found.", True),
    Command("filter.up", "filter", "up,shift+tab", "screen.step_hit(-1)", "previous", "Go to the previous case found."),
    Command("filter.word_left", "filter", "ctrl+backspace,alt+backspace", "delete_left_word", "delete word", "Delete the word before the caret."),
    Command("jump.go", "jump", "enter", "submit", "go", "Go to the selected case or line, or where the pointer leads.", True),
    Command("jump.down", "jump", "down,tab", "screen.move(1)", "next", "Select the next match."),
    Command("jump.up", "jump", "up,shift+tab", "screen.move(-1)", "previous", "Select the previous match."),
    Command("jump.cancel", "jump", "escape", "screen.cancel", "stay", "Stay where one is.", True),
    Command("sets.open", "sets", "enter", "enter", "open", "Open the selected eval set.", True),
    Command("sets.make", "sets", "a", "screen.make", "make one", "Make a new eval set; asks for its name.", True),
    Command("palette.down", "palette", "down", "step(1)", "down", "Go down."),
    Command("palette.up", "palette", "up", "step(-1)", "up", "Go up."),
    Command("palette.page_down", "palette", "pagedown", "step_page(1)", "page down", "Go a page down."),
    Command("palette.page_up", "palette", "pageup", "step_page(-1)", "page up", "Go a page up."),
    Command("palette.close", "palette", "escape,ctrl+p", "close", "close", "Close the palette."),
    Command("conflicts.down", "conflicts", "down,j", "move(1)", "down", "Go to the next conflict."),
    Command("conflicts.up", "conflicts", "up,k", "move(-1)", "up", "Go to the previous conflict."),
    Command("conflicts.mine", "conflicts", "m", "choose('mine')", "mine", "Take your version.", True),
    Command("conflicts.theirs", "conflicts", "t", "choose('theirs')", "on disk", "Take the version on disk.", True),
    Command("conflicts.both", "conflicts", "b", "choose('both')", "both", "Take both versions: the one on disk, then yours.", True),
    Command("conflicts.base", "conflicts", "o", "choose('base')", "before", "Take the version from before both changes.", True),
    Command("conflicts.edit", "conflicts", "e", "edit", "edit", "Edit your version and take the result.", True),
    Command("conflicts.scroll_down", "conflicts", "pagedown,space", "scroll_values(1)", "scroll", "Scroll the versions down."),
    Command("conflicts.scroll_up", "conflicts", "pageup", "scroll_values(-1)", "scroll up", "Scroll the versions up."),
    Command("conflicts.done", "conflicts", "enter", "done", "merge", "Merge as decided; the next ^s saves it.", True),
    Command("conflicts.leave", "conflicts", "escape,q", "leave", "back", "Go back; nothing is merged and nothing is lost.", True),
    Command("reload.discard", "reload", "d", "answer('discard')", "reload and discard my changes", "Reload the file; undo brings your changes back.", True),
    Command("reload.merge", "reload", "m", "answer('merge')", "merge my changes with the file on disk", "Merge your changes with the file on disk.", True),
    Command("reload.stay", "reload", "escape", "answer('stay')", "keep editing", "Keep editing; nothing is reloaded.", True),
    Command("overwrite.save", "overwrite", "s", "answer('save')", "save and remove their changes", "Save the text as it is; the changes of others are removed from the file.", True),
    Command("overwrite.merge", "overwrite", "m", "answer('merge')", "merge their changes again", "Merge the changes of others into the text again.", True),
    Command("overwrite.stay", "overwrite", "escape", "answer('stay')", "keep editing", "Keep editing; nothing is saved.", True),
    Command("replace.next", "replace", "tab", "screen.next(1)", "next", "Go to the next box, or to the list.", True),
    Command("replace.previous", "replace", "shift+tab", "screen.next(-1)", "previous", "Go back to the box before."),
    Command("replace.apply", "replace", "ctrl+r", "screen.apply", "replace", "Replace all hits that are not left out, as one step.", True),
    Command("replace.cancel", "replace", "escape", "screen.cancel", "close", "Change nothing.", True),
    Command("replace.regex", "replace", "alt+x", "screen.toggle_regex", "regex", "Search for a regular expression, or for plain text.", True),
    Command("replace.case", "replace", "alt+c", "screen.toggle_case", "case", "Match upper and lower case, or ignore case.", True),
    Command("replace.scope", "replace", "alt+s", "screen.next_scope", "scope", "Search all cases, the filtered ones or the marked ones.", True),
    Command("hits.down", "hits", "down,j", "move(1)", "down", "Go down."),
    Command("hits.up", "hits", "up,k", "move(-1)", "up", "Go up."),
    Command("hits.page_down", "hits", "pagedown,ctrl+d", "move_page(1)", "page down", "Go a page down."),
    Command("hits.page_up", "hits", "pageup,ctrl+u", "move_page(-1)", "page up", "Go a page up."),
    Command("hits.top", "hits", "home,g", "move_end(-1)", "top", "Go to the first hit."),
    Command("hits.bottom", "hits", "end,G", "move_end(1)", "bottom", "Go to the last hit."),
    Command("hits.leave_out", "hits", "space", "leave_out", "leave out", "Leave the hit out, or take it in again.", True),
    Command("hits.apply", "hits", "enter", "screen.apply", "replace", "Replace all hits that are not left out, as one step.", True),
    Command("hits.kind_1", "hits", "1", "screen.toggle_kind(0)", "user text", "Search user text, or not."),
    Command("hits.kind_2", "hits", "2", "screen.toggle_kind(1)", "responses", "Search expected responses, or not."),
    Command("hits.kind_3", "hits", "3", "screen.toggle_kind(2)", "tool names", "Search tool names, or not."),
    Command("hits.kind_4", "hits", "4", "screen.toggle_kind(3)", "arguments", "Search the texts in arguments, or not."),
    Command("hits.kind_5", "hits", "5", "screen.toggle_kind(4)", "ids", "Search ids of cases, turns and calls, or not."),
    Command("hits.kind_6", "hits", "6", "screen.toggle_kind(5)", "tool responses", "Search the texts in responses of tools, or not."),
    Command("hits.kind_7", "hits", "7", "screen.toggle_kind(6)", "state", "Search the texts in session states, or not."),
    Command("hits.kind_8", "hits", "8", "screen.toggle_kind(7)", "numbers, booleans", "Search numbers, booleans and nulls in arguments, tool responses and session states, or not."),
    Command("hits.kind_9", "hits", "9", "screen.toggle_kind(8)", "keys", "Search the keys in arguments, tool responses and session states, or not."),
    Command("quit.save", "quit", "s", "answer('save')", "save and quit", "Save, then quit.", True),
    Command("quit.discard", "quit", "d", "answer('discard')", "quit without saving", "Quit without saving; the changes are lost.", True),
    Command("quit.stay", "quit", "escape", "answer('stay')", "keep editing", "Keep editing.", True),
    Command("quit.show", "quit", "v", "show_unsaved", "show unsaved changes", "Show unsaved changes and drafts; esc goes back to the question.", True),
    Command("unsaved.leave", "unsaved", "escape,q,C", "screen.leave", "back", "Go back.", True),
    Command("unsaved.down", "unsaved", "down,j", "screen.move(1)", "down", "Scroll down."),
    Command("unsaved.up", "unsaved", "up,k", "screen.move(-1)", "up", "Scroll up."),
    Command("unsaved.page_down", "unsaved", "pagedown,ctrl+d,space", "screen.move_page(1)", "page down", "Scroll a page down."),
    Command("unsaved.page_up", "unsaved", "pageup,ctrl+u", "screen.move_page(-1)", "page up", "Scroll a page up."),
    Command("unsaved.top", "unsaved", "home,g", "screen.move_end(-1)", "top", "Scroll to the first line."),
    Command("unsaved.bottom", "unsaved", "end,G", "screen.move_end(1)", "bottom", "Scroll to the last line."),
    Command("pasted.go_on", "pasted", "enter,escape", "answer('go_on')", "go on", "Go on in the form; undo takes the paste back.", True),
    Command("copy.json", "copy", "j,y", "answer('JSON')", "as JSON", "Copy it as JSON.", True),
    Command("copy.text", "copy", "t", "answer('text')", "its text", "Copy what the user or the agent says in it.", True),
    Command("copy.pointer", "copy", "p", "answer('pointer')", "its JSON pointer", "Copy where it stands in the file (RFC 6901).", True),
    Command("copy.selector", "copy", "s", "answer('selector')", "its adk eval selector", "Copy file:eval_id, as adk eval takes it.", True),
    Command("copy.cancel", "copy", "escape", "answer('')", "cancel", "Copy nothing.", True),
    Command("outside.again", "outside", "e", "answer('again')", "go back into the editor, to the place", "Go on in the editor at the place of the fault."),
    Command("outside.keep", "outside", "escape", "answer('keep')", "keep it as a draft", "Keep the text as a draft; the file has the last valid value."),
    Command("outside.drop", "outside", "d", "answer('drop')", "drop it", "Drop the text; the value stays as it was."),
    Command("choice.down", "choice", "down,ctrl+n", "move(1)", "down", "Go to the next choice."),
    Command("choice.up", "choice", "up,ctrl+p", "move(-1)", "up", "Go to the previous choice."),
    Command("choice.page_down", "choice", "pagedown", "page(1)", "page down", "Go a page down."),
    Command("choice.page_up", "choice", "pageup", "page(-1)", "page up", "Go a page up."),
    Command("choice.top", "choice", "home", "end(-1)", "top", "Go to the first choice; where another text may be typed, to its start."),
    Command("choice.bottom", "choice", "end", "end(1)", "bottom", "Go to the last choice; where another text may be typed, to its end."),
    Command("choice.take", "choice", "enter", "take", "done", "Take the selected choice, or the text that is typed.", True),
    Command("choice.cancel", "choice", "escape", "cancel", "cancel", "Choose nothing.", True),
    Command("name.done", "name", "enter", "done", "done", "Take the name.", True),
    Command("name.complete", "name", "tab", "complete", "complete", "Complete the name or path.", True),
    Command("name.cancel", "name", "escape", "cancel", "cancel", "Give no name; nothing changes.", True),
    Command("value.done", "value", "ctrl+s", "done", "done", "Take the value.", True),
    Command("value.cancel", "value", "escape", "cancel", "cancel", "Leave the value as it was.", True),
    Command("dialog.close", "dialog", "escape,q,question_mark", "close", "close", "Close the dialog.", True),
)  # fmt: skip
"""All commands, in the order in which help and keys line show them."""


CHANGING = frozenset(
    {
        "save", "undo", "redo", "edit_outside", "replace", "fix", "list.fix_all", "tree.fix", "problems.fix", "list.undo", "list.redo", "list.save_as",
        "list.save_copy", "list.drop_draft", "list.merge", "list.revert", "list.edit_outside", "tree.add", "tree.add_inside",
        "tree.add_before", "tree.clone", "tree.delete", "tree.move_up", "tree.move_down", "tree.cut",
        "tree.paste", "tree.paste_before", "tree.rename", "tree.type", "form.add", "form.delete", "form.delete_response", "form.toggle", "form.rename",
        "repair.fix", "form.paste", "form.type", "form.fresh", "form.move_up", "form.move_down",
    }
)  # fmt: skip
"""Commands that are refused, and not offered, if the file was opened read-only."""


_BEFORE_TEXT_BOX = frozenset(
    {"choice.down", "choice.up", "choice.page_down", "choice.page_up", "choice.top", "choice.bottom", "name.complete"}
)
"""Commands of dialogs whose keys the text box in the dialog would take for itself."""

_TYPING = ("anywhere", "everywhere")
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "field": _TYPING, "filter": _TYPING, "hits": ("replace",), "replace": (), "repairs": (), "unsaved": (), "conflicts": (),
}  # fmt: skip


def places_beside(place: str) -> tuple[str, ...]:
    """The places whose keys act beside those of a place and matter there; in the panes those of any pane."""
    return _BESIDE.get(place, (*_TYPING, "list"))


_in_force: list[Command] = list(COMMANDS)


def use_keys(remaps: Mapping[str, str]) -> None:
    """From now on, show these keys for commands, by id, in the place of their own."""
    _in_force[:] = [command._replace(keys=remaps.get(command.id, command.keys)) for command in COMMANDS]


def commands_at(*places: str) -> list[Command]:
    """The commands of some places, in order, with the keys they have at present."""
    return [command for command in _in_force if command.place in places]


def bindings(*places: str) -> list[BindingType]:
    """The Textual bindings of some places; the app's keymap, not these, holds what the settings change."""
    from textual.binding import Binding

    return [
        Binding(
            command.keys,
            command.action,
            command.title,
            show=False,
            id=command.id,
            priority=command.place == "anywhere" or command.id in _BEFORE_TEXT_BOX,
        )
        for command in COMMANDS
        if command.place in places
    ]


_KEY_NAMES = {
    "question_mark": "?", "slash": "/", "escape": "esc", "equals_sign": "=", "colon": ":", "comma": ",", "less_than_sign": "<", "full_stop": ".",
    "greater_than_sign": ">", "minus": "-", "pagedown": "pgdn", "pageup": "pgup",
    "right_square_bracket": "]", "left_square_bracket": "[", "down": "↓", "up": "↑", "left": "←", "right": "→", "delete": "del",
}  # fmt: skip


def key_name(key: str) -> str:
    """A key as people write it: `^s`, `esc`, `?`."""
    if key.startswith("ctrl+") and len(key) == 6:
        return f"^{key[-1]}"
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _KEY_NAMES.get(last, last)])


def command_of(command_id: str) -> Command:
    """A command with the keys it has at present."""
    return next(command for command in _in_force if command.id == command_id)


def key_of(command_id: str) -> str:
    """The first key that a command has at present, as people write it."""
    return key_name(command_of(command_id).keys.split(",")[0])

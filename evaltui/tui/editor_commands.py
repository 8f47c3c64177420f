"""Commands of the editor: for all panes and fields, for single panes, and for typing in a field.

The second word of a row is its place: `PLACES` in command.py names all places. A row with the id of another one in place
of code does what that row does. A screen may do it in a way of its own: its `OWN_WAYS` tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.command import Command, move_commands

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen


def _everywhere() -> tuple[Command[EditScreen], ...]:
    """Commands in all panes and fields, and on all screens."""
    return (
        Command("save", "everywhere", "ctrl+s", lambda screen: screen.file.saver.save(), "save", "Save the file; only your changes are written.", True),
        Command("undo", "everywhere", "ctrl+z", lambda screen: screen.undo_commands.undo(), "undo", "Undo the last step."),
        Command("redo", "everywhere", "ctrl+y", lambda screen: screen.undo_commands.redo(), "redo", "Redo the last undone step."),
        Command("quit", "anywhere", "ctrl+q", lambda screen: screen.app.quit_from_here(), "quit", "Quit. evaltui first closes open dialogs, and asks if something is unsaved.", True),
        Command("help", "anywhere", "f1", lambda screen: screen.app.show_help(), "help", "Open the help, which lists all keys, or close it."),
        Command("messages", "anywhere", "f2,alt+m", lambda screen: screen.app.show_messages(), "messages", "Show the last messages of the status line in full, newest first."),
        Command("next_case", "everywhere", "ctrl+down,alt+j", lambda screen: screen.navigator.step_case(1), "next case", "Go to the next case."),
        Command("previous_case", "everywhere", "ctrl+up,alt+k", lambda screen: screen.navigator.step_case(-1), "previous case", "Go to the previous case."),
        Command("find", "everywhere", "ctrl+f", lambda screen: screen.tree_filter.find(), "filter", "Filter the cases by words and marks."),
        Command("jump", "everywhere", "ctrl+g", lambda screen: screen.navigator.jump(), "jump to", "Go to a case by id or number, to a line of the file (:120), or to a JSON pointer."),
        Command("edit_outside", "everywhere", "f4,alt+e", lambda screen: screen.outside_editor.edit_selected(), "open in $EDITOR", "Edit the field or value in $VISUAL or $EDITOR, else in vi."),
        Command("open", "everywhere", "ctrl+o", lambda screen: screen.file.leaving.open_another(), "open another", "Go to the list of eval sets, to open or create one; asks first if something is unsaved."),
        Command("palette", "everywhere", "ctrl+p", lambda screen: screen.app.show_palette(), "commands", "Choose a command by a few letters of its name."),
        Command("replace", "everywhere", "ctrl+r", lambda screen: screen.tree_filter.replace(), "replace", "Find and replace in the set, or in its filtered or marked cases."),
        Command("next_problem", "everywhere", "f8,alt+n", lambda screen: screen.problem_commands.step_problem(1), "next problem", "Go to the next problem."),
        Command("previous_problem", "everywhere", "shift+f8,alt+p", lambda screen: screen.problem_commands.step_problem(-1), "previous problem", "Go to the previous problem."),
        Command("fix", "everywhere", "f9,alt+q", lambda screen: screen.problem_commands.fix(), "fix", "Fix the problem at the cursor; an unsafe fix is shown first and needs a second press."),
        Command("criteria", "everywhere", "alt+c", lambda screen: screen.open_criteria(), "criteria", "Open the criteria of the config as a form; each change is tried at once."),
        Command("run.again", "everywhere", "f5,alt+r", lambda screen: screen.file.scorer.run_again(), "score again", "Read recordings and config again and score all cases.", True),
        Command("agent.run", "everywhere", "f6,alt+g", lambda screen: screen.file.agent.run_agent(), "run agent", "Run the agent for the marked cases, or for all if none is marked; during a run, show its output."),
        Command("agent.show", "everywhere", "shift+f6,alt+o", lambda screen: screen.file.agent.show_agent(), "agent output", "Show the output of the running agent, or of its last run."),
    )  # fmt: skip


def _in_panes() -> tuple[Command[EditScreen], ...]:
    """Commands in all panes."""
    return (
        Command("list.next_failing", "list", "right_square_bracket", lambda screen: screen.score_steps.step_failing(1), "next failing", "Go to the next failing turn of the set; from the last, go to the first."),
        Command("list.previous_failing", "list", "left_square_bracket", lambda screen: screen.score_steps.step_failing(-1), "previous failing", "Go to the previous failing turn of the set; from the first, go to the last."),
        Command("list.fix_all", "list", "F", lambda screen: screen.problem_commands.fix_all(), "all safe fixes", "Count the safe fixes by rule and offer to apply them all in one step."),
        Command("list.explain", "list", "full_stop", lambda screen: screen.problem_commands.explain(), "explain", "Explain the rule behind the problem at the cursor."),
        *move_commands("list", lambda screen: screen.lines, "row"),
        Command("list.help", "list", "question_mark", "help", "help", "Show all keys.", True),
        Command("list.palette", "list", "colon", "palette", "commands", "Choose a command by a few letters of its name."),
        Command("list.why", "list", "w", lambda screen: screen.score_steps.why(), "why", "Go to the explanation of the scores. From the Scores pane, go to the first failing turn of the case.", True),
        Command("list.review", "list", "O,o", lambda screen: screen.score_steps.review(), "review", "Review the failing turns from here: compare expected and actual, and accept single fields. In the Scores pane, press O: there, o shows the changed cases.", True),
        Command("list.live", "list", "L", lambda screen: screen.file.scorer.toggle_live(), "live", "Score after each edit, or only after a save."),
        Command("list.recordings", "list", "H", lambda screen: screen.recordings.show_files(), "recordings", "Show the recordings used for scoring: add or drop files, see the case of each conversation."),
        Command("list.runs", "list", "B", lambda screen: screen.recordings.show_runs(), "runs", "Show all runs of the case and choose the run to use."),
        Command("list.conversations", "list", "plus", lambda screen: screen.adding.show_conversations(), "recorded", "Show recorded conversations: add them as cases, or add their turns to the selected case."),
        Command("list.undo", "list", "u", "undo", "undo", "Undo the last step.", True),
        Command("list.redo", "list", "U", "redo", "redo", "Redo the last undone step."),
        Command("list.save_as", "list", "S", lambda screen: screen.file.saver.ask_where(is_copy=False), "save as", "Save under another name and continue in the new file."),
        Command("list.save_copy", "list", "W", lambda screen: screen.file.saver.ask_where(is_copy=True), "save a copy", "Write a copy under another name and continue in this file."),
        Command("list.reload", "list", "R", lambda screen: screen.file.disk.reload(), "reload", "Reload the file; asks first if something is unsaved."),
        Command("list.merge", "list", "M", lambda screen: screen.file.disk.merge(), "merge", "Merge your changes with the file on disk."),
        Command("list.revert", "list", "V", lambda screen: screen.undo_commands.revert_case(), "revert case", "Reset the case to the file on disk; undo restores your changes."),
        Command("list.unsaved", "list", "C", lambda screen: screen.file.leaving.show_unsaved(), "unsaved", "Show drafts and unsaved changes as a diff against the file."),
        Command("list.drop_draft", "list", "X", lambda screen: screen.undo_commands.drop_draft(), "drop draft", "Drop the draft at the cursor; undo restores it.", True),
        Command("list.convert", "list", "E", lambda screen: screen.converter.convert(), "convert", "Convert to another format: choose the format, see the losses, write a new file."),
        Command("list.losses", "list", "5", lambda screen: screen.converter.show_losses(), "loss report", "Show the losses of this file: values of its format that an eval set cannot hold.", True),
        Command("list.source", "list", "6", lambda screen: screen.converter.open_source(), "JSON", "Show a file of another format as JSON to edit, or as an eval set to read.", True),
        Command("list.tree", "list", "1", lambda screen: screen.navigator.go_to_pane("tree"), "tree", "Go to the tree."),
        Command("list.form", "list", "2", lambda screen: screen.navigator.go_to_pane("form"), "form", "Go to the form."),
        Command("list.problems", "list", "3", lambda screen: screen.navigator.go_to_pane("problems"), "problems", "Go to the problems."),
        Command("list.run", "list", "4", lambda screen: screen.navigator.go_to_pane("run"), "scores", "Go to the scores of each case and metric, failing cases first."),
        Command("list.next_pane", "list", "tab", lambda screen: screen.navigator.next_pane(1), "next pane", "Go to the next pane."),
        Command("list.previous_pane", "list", "shift+tab", lambda screen: screen.navigator.next_pane(-1), "previous pane", "Go to the previous pane."),
        Command("list.zoom", "list", "z", lambda screen: screen.panes.zoom(), "zoom", "Give this pane the whole screen, or its usual size again."),
        Command("list.back", "list", "escape", lambda screen: screen.back(), "back", "Go back to the previous form or to the tree, or close the view of a value.", True),
        Command("list.edit_outside", "list", "e", "edit_outside", "open in $EDITOR", "Edit the selected field, or the selected value as JSON, in $VISUAL or $EDITOR, else in vi.", True),
        Command("list.quit", "list", "q", lambda screen: screen.back_or_quit(), "quit", "Go back; in the tree: go to the list of eval sets, or quit if you opened the file directly."),
        Command("list.find", "list", "slash", "find", "filter", "Filter the cases by words and marks.", True),
        Command("list.theme", "list", "T", lambda screen: screen.app.settings_commands.choose_theme(), "theme", "Choose a theme; the screen previews each one, and the settings keep your choice."),
        Command("list.settings", "list", "comma", lambda screen: screen.app.settings_commands.edit_settings(), "settings", "Open the settings file in $VISUAL or $EDITOR, else in vi; a new one lists all settings as comments."),
        Command("list.interrupt", "list", "ctrl+c", lambda screen: screen.file.leaving.say_how_to_quit(), "", "Show the key that quits; ^c itself changes nothing."),
    )  # fmt: skip


def _in_tree() -> tuple[Command[EditScreen], ...]:
    """Commands in the tree."""
    return (
        Command("tree.enter", "tree", "enter", lambda screen: screen.panes.tree.enter(), "edit", "Edit the selected row in the form.", True),
        Command("tree.open", "tree", "right,l", lambda screen: screen.panes.tree.open(), "open", "Show the rows inside this row, or go to the first of them."),
        Command("tree.close", "tree", "left,h", lambda screen: screen.panes.tree.close(), "close", "Hide the rows inside this row, or go to the parent row."),
        Command("tree.toggle", "tree", "space", lambda screen: screen.panes.tree.fold(), "fold", "Show or hide the rows inside this row."),
        Command("tree.open_all", "tree", "equals_sign", lambda screen: screen.panes.tree.fold_all(False), "unfold all", "Show the turns of all cases."),
        Command("tree.close_all", "tree", "minus", lambda screen: screen.panes.tree.fold_all(True), "fold all", "Hide the turns of all cases."),
        Command("tree.narrower", "tree", "less_than_sign", lambda screen: screen.panes.resize_split(-4), "narrower", "Make the tree narrower; you can also drag the border with the mouse."),
        Command("tree.wider", "tree", "greater_than_sign", lambda screen: screen.panes.resize_split(4), "wider", "Make the tree wider."),
        Command("tree.next", "tree", "J", "next_case", "next case", "Go to the next case."),
        Command("tree.previous", "tree", "K", "previous_case", "previous case", "Go to the previous case."),
        Command("tree.add", "tree", "a", lambda screen: screen.panes.tree.add(False), "add", "Add a case, turn, tool call, event or value after the selected one.", True),
        Command("tree.add_inside", "tree", "A", lambda screen: screen.panes.tree.add(True), "add inside", "Add a turn to the case, or a tool call or event to the turn.", True),
        Command("tree.conversations", "tree", "plus", "list.conversations", "recorded", "Show recorded conversations: add them as cases, or add their turns to the selected case.", True),
        Command("tree.add_before", "tree", "i", lambda screen: screen.panes.tree.add(False, True), "add before", "Add a case, turn, tool call, event or value before the selected one."),
        Command("tree.clone", "tree", "c", lambda screen: screen.row_commands.clone(), "clone", "Clone the selected row, with new ids."),
        Command("tree.delete", "tree", "d,delete", lambda screen: screen.row_commands.delete_rows(), "delete", "Delete the selected or marked rows; undo restores them.", True),
        Command("tree.move_up", "tree", "alt+up", lambda screen: screen.row_commands.shift(-1), "move up", "Move the selected or marked rows up in their list."),
        Command("tree.move_down", "tree", "alt+down", lambda screen: screen.row_commands.shift(1), "move down", "Move the selected or marked rows down in their list; you can also drag a row with the mouse."),
        Command("tree.mark", "tree", "m", lambda screen: screen.row_commands.mark(), "mark", "Mark or unmark the row, so that a command acts on several rows; press esc to remove all marks."),
        Command("tree.mark_range", "tree", "v", lambda screen: screen.row_commands.mark_range(), "mark to here", "Mark all rows of this level from the last marked row to this one."),
        Command("tree.copy", "tree", "y", lambda screen: screen.clipboard.copy_rows("copied"), "copy", "Copy the selected or marked rows as JSON."),
        Command("tree.copy_as", "tree", "Y", lambda screen: screen.clipboard.copy_as(), "copy as", "Copy as text, as a JSON pointer or as a selector for adk eval."),
        Command("tree.cut", "tree", "x", lambda screen: screen.clipboard.copy_rows("cut"), "cut", "Copy the selected or marked rows, then delete them."),
        Command("tree.paste", "tree", "p", lambda screen: screen.clipboard.paste(False), "paste", "Paste cases, turns, tool calls, events or contents after the selected row."),
        Command("tree.paste_before", "tree", "P", lambda screen: screen.clipboard.paste(True), "paste before", "Paste before the selected row."),
        Command("tree.fix", "tree", "f", "fix", "fix", "Fix the worst fixable problem of the row."),
        Command("tree.rename", "tree", "r", lambda screen: screen.panes.tree.rename(), "rename", "Rename the selected key of an object.", True),
        Command("tree.type", "tree", "t", lambda screen: screen.panes.tree.retype(), "type", "Change the type of the selected value in a JSON tree.", True),
        Command("tree.next_hit", "tree", "n", lambda screen: screen.tree_filter.next_hit(1), "next hit", "Go to the next hit of the filter."),
        Command("tree.previous_hit", "tree", "N", lambda screen: screen.tree_filter.next_hit(-1), "previous hit", "Go to the previous hit of the filter."),
    )  # fmt: skip


def _in_form() -> tuple[Command[EditScreen], ...]:
    """Commands in the form, in Why, and in the recorded turn."""
    return (
        Command("form.enter", "form", "enter", lambda screen: screen.form.commands.enter(), "edit", "Edit the field, or open the form of the line.", True),
        Command("form.add", "form", "a", lambda screen: screen.form.commands.add(), "add", "Add an item to the list of this form: a case, turn, tool call, event, argument or key.", True),
        Command("form.more", "form", "A", lambda screen: screen.form.commands.more(), "add field", "Choose a field to add to this form, or a part to add to a message.", True),
        Command("form.delete", "form", "d,delete", lambda screen: screen.form.commands.delete(), "delete", "Delete the selected item or value, such as a turn, tool call or argument; undo restores it.", True),
        Command("form.delete_response", "form", "D", lambda screen: screen.form.commands.delete_response(), "delete response", "Delete the response of the tool call but keep the call; undo restores it.", True),
        Command("form.rename", "form", "r", lambda screen: screen.form.commands.rename(), "rename", "Rename the argument or key.", True),
        Command("form.copy", "form", "y", lambda screen: screen.clipboard.copy_value(), "copy", "Copy the whole selected value as JSON; in the Why pane, copy the value of the line."),
        Command("form.copy_as", "form", "Y", "tree.copy_as", "copy as", "Copy the value as JSON, as its text or as a JSON pointer."),
        Command("form.paste", "form", "p", lambda screen: screen.clipboard.paste_value(), "paste", "Replace the value with the clipboard."),
        Command("form.type", "form", "t", lambda screen: screen.form.commands.retype(), "type", "Change the JSON type of the value: string, number, boolean, null, list, object.", True),
        Command("form.fresh", "form", "f", lambda screen: screen.form.commands.fresh(), "new id", "Give the turn a new id in the style of the turns beside it.", True),
        Command("form.move_up", "form", "alt+up", lambda screen: screen.form.commands.move_value(-1), "move up", "Move the selected item up in its list: a case, turn, tool call, event, part or key."),
        Command("form.move_down", "form", "alt+down", lambda screen: screen.form.commands.move_value(1), "move down", "Move the selected item down in its list: a case, turn, tool call, event, part or key."),
        Command("form.toggle", "form", "space", lambda screen: screen.form.commands.toggle_value(), "toggle", "Switch the selected boolean between true and false.", True),
        Command("why.accept", "why", "a", lambda screen: screen.why_keys.accept("accept"), "accept", "Accept the actual value of this line: an argument, all arguments of a tool call, or the response.", True),
        Command("why.accept_turn", "why", "A", lambda screen: screen.why_keys.accept("accept_turn"), "accept turn", "Accept all texts and arguments of the turn. Press S to accept added, deleted or moved tool calls.", True),
        Command("why.accept_sequence", "why", "S", lambda screen: screen.why_keys.accept("accept_sequence"), "accept calls", "On the line of an added, deleted or moved tool call or turn, accept it. Elsewhere, accept all of them.", True),
        Command("form.recorded", "form", "right,l", lambda screen: screen.navigator.to_recorded(), "recorded turn", "Go to the recorded turn beside the form, to accept differences there."),
        Command("recorded.leave", "recorded", "left,h", lambda screen: screen.navigator.leave_recorded(), "form", "Go back to the form.", True),
    )  # fmt: skip


def _in_field() -> tuple[Command[EditScreen], ...]:
    """Commands while a field is typed into."""
    return (
        Command("field.enter", "field", "enter", lambda screen: screen.field.enter(), "next field", "Edit the field below, or end editing if there is none. After a new argument or key, add another. In a text of several lines, begin a new line.", True),
        Command("field.take", "field", "right", lambda screen: screen.field.action_cursor_right(), "take", "At the end of a text with a suggestion, take the suggestion; elsewhere, go to the right.", True),
        Command("field.leave", "field", "escape", lambda screen: screen.field.leave(0), "done", "End editing and keep the text.", True),
        Command("field.toggle", "field", "space", lambda screen: screen.field.toggle_value(), "toggle", "Switch a boolean between true and false; in other fields, type a space.", True),
        Command("field.clear", "field", "ctrl+u", lambda screen: screen.field.clear_text(), "clear", "Delete the whole value; in a text of several lines, delete the line.", True),
        Command("field.select_all", "field", "f7,alt+a", lambda screen: screen.field.select_all(), "select all", "Select the whole text; typing then replaces it.", True),
        Command("field.next", "field", "tab", lambda screen: screen.field.leave(1), "next field", "Edit the next field, also from a text of several lines.", True),
        Command("field.previous", "field", "shift+tab", lambda screen: screen.field.leave(-1), "previous field", "Edit the previous field."),
        Command("field.newline", "field", "ctrl+j", lambda screen: screen.field.new_line(), "new line", "Begin a new line, in fields that may have several lines.", True),
        Command("field.top", "field", "ctrl+home", lambda screen: screen.field.text_start(), "start", "Go to the start of the text."),
        Command("field.bottom", "field", "ctrl+end", lambda screen: screen.field.text_end(), "end", "Go to the end of the text."),
        Command("field.undo", "field", "ctrl+z", "undo", "undo", "Undo the last step."),
        Command("field.redo", "field", "ctrl+y", "redo", "redo", "Redo the last undone step."),
        Command("field.run_agent", "field", "f6", "agent.run", "run agent", "Run the agent for the marked cases, or for all if none is marked."),
        Command("field.word_left", "field", "ctrl+backspace,alt+backspace", lambda screen: screen.field.action_delete_word_left(), "delete word", "Delete the word before the cursor."),
    )  # fmt: skip


def _below() -> tuple[Command[EditScreen], ...]:
    """Commands in the problems and in the scores."""
    return (
        Command("problems.enter", "problems", "enter", lambda screen: screen.panes.problems.enter(), "go to", "Go to the value with the problem.", True),
        Command("problems.fix", "problems", "f", "fix", "fix", "Fix the problem; an unsafe fix is shown first and needs a second press.", True),
        Command("problems.severity", "problems", "s", lambda screen: screen.panes.problems.next_severity(), "severity", "Show all problems, only errors, or errors and warnings.", True),
        Command("problems.case", "problems", "c", lambda screen: screen.problem_commands.only_case(), "this case", "Show only the problems of this case, or all problems again.", True),
        Command("problems.ignore", "problems", "i", lambda screen: screen.problem_commands.ignore(False), "ignore", "Ignore this rule in this file; saved in the settings.", True),
        Command("problems.ignore_everywhere", "problems", "I", lambda screen: screen.problem_commands.ignore(True), "ignore everywhere", "Ignore this rule in all files; saved in the settings."),
        Command("problems.heed", "problems", "h", lambda screen: screen.problem_commands.heed(), "show ignored", "Stop ignoring rules: show all problems again, and delete the ignored rules from the settings.", True),
        Command("run.criteria", "run", "c", "criteria", "criteria", "Open the criteria of the config as a form; each change is tried at once.", True),
        Command("run.enter", "run", "enter", lambda screen: screen.panes.run.enter(), "go to", "Go to the first failing turn of the case and its explanation.", True),
        Command("run.pause", "run", "p", lambda screen: screen.file.sources.pause_watch(), "pause", "Pause or resume scoring after edits, saves and changes on disk.", True),
        Command("run.failing", "run", "f", lambda screen: screen.score_steps.show_cases("failing"), "failing", "Show only the cases that fail.", True),
        Command("run.changed", "run", "o", lambda screen: screen.score_steps.show_cases("changed"), "changed", "Show only cases that changed since the previous run or the baseline.", True),
        Command("run.all", "run", "a", lambda screen: screen.score_steps.show_cases("all"), "all", "Show all cases.", True),
        Command("run.order", "run", "s", lambda screen: screen.score_steps.next_order(), "sort", "Change the order: failing first, file order, biggest loss first, changed first.", True),
        Command("run.baseline", "run", "b", lambda screen: screen.score_steps.toggle_baseline(), "baseline", "Keep this run as the baseline for later runs, or drop the baseline.", True),
        Command("run.cancel", "run", "x", lambda screen: screen.file.scorer.runs.cancel(), "cancel", "Stop scoring; all scores are then outdated until the next run.", True),
        Command("run.recordings", "run", "r", "list.recordings", "recordings", "Show the recordings used for scoring: add or drop files, see the case of each conversation.", True),
        Command("run.all_runs", "run", "n", lambda screen: screen.recordings.toggle_all_runs(), "all runs", "Score every run of a case and show how many passed, or score only the chosen run.", True),
    )  # fmt: skip


EDITOR_COMMANDS = (*_everywhere(), *_in_panes(), *_in_tree(), *_in_form(), *_in_field(), *_below())
"""In the order of the help and the keys line."""

"""Commands of the review desk."""

from __future__ import annotations

from evaltui.tui.command import Command

REVIEW_COMMANDS = (
    Command("review.accept", "review", "a", "screen.accept", "accept", "Accept what the agent did at the selected line: an argument, a call, the response.", True),
    Command("review.accept_turn", "review", "A", "screen.accept_turn", "turn", "Accept the whole turn except calls that come, go or move: S accepts those.", True),
    Command("review.accept_sequence", "review", "S", "screen.accept_sequence", "calls", "Accept calls or turns that come, go or move: the selected one, else all of this turn.", True),
    Command("review.reject", "review", "r", "screen.reject", "wrong", "Keep what is expected: the agent is wrong. Goes on to the next.", True),
    Command("review.skip", "review", "s", "screen.skip", "skip", "Skip this one; it comes round at the end.", True),
    Command("review.note", "review", "n", "screen.note", "note", "Write a note for others; it stands beside the set, in SET.review.jsonl.", True),
    Command("review.undo", "review", "u,ctrl+z", "screen.undo", "undo", "Take back the last decision, and its edit.", True),
    Command("review.next_item", "review", "J,ctrl+down,alt+j", "screen.step_item(1)", "next", "Go to the next turn of the queue, decided or not.", True),
    Command("review.help", "review", "question_mark", "app.help_from_here", "help", "Show all keys.", True),
    Command("review.open", "review", "enter,space", "screen.fold", "open", "Show all of a long text, of a call or of a tool's response; once more folds it.", True),
    Command("review.conversation", "review", "c", "screen.conversation", "all turns", "Show the whole conversation on both sides; once more comes back to the turn.", True),
    Command("review.save", "review", "ctrl+s", "screen.save", "save", "Save the file; only what you accepted differs in it.", True),
    Command("review.leave", "review", "escape", "screen.leave", "back", "Go back: from the conversation to the turn, from the review to the editor one came from. Nothing is decided by it.", True),
    Command("review.redo", "review", "U,ctrl+y", "screen.redo", "redo", "Take the decision again that was taken back last."),
    Command("review.edit", "review", "e", "screen.edit", "edit", "Edit the expected side of the selected line in the form; esc comes back.", True),
    Command("review.next", "review", "right_square_bracket", "screen.step_difference(1)", "next difference", "Go to the next difference, of one turn after another."),
    Command("review.previous", "review", "left_square_bracket", "screen.step_difference(-1)", "previous difference", "Go to the previous difference."),
    Command("review.previous_item", "review", "K,ctrl+up,alt+k", "screen.step_item(-1)", "previous turn", "Go to the previous turn of the queue."),
    Command("review.fills", "review", "F", "screen.fill", "fill", "Accept all responses and calls where nothing is expected yet: first shows how many, the second press does it.", True),
    Command("review.explain", "review", "full_stop", "screen.explain", "why", "Show in full why the turn fails, and what people noted about it."),
    Command("review.json", "review", "v", "screen.show_json", "JSON", "Show both sides of the turn as JSON."),
    Command("review.copy", "review", "y", "screen.copy_side('actual')", "copy", "Copy the recorded side of the selected line as JSON."),
    Command("review.copy_expected", "review", "Y", "screen.copy_side('expected')", "copy expected", "Copy the expected side of the selected line as JSON."),
    Command("review.match_type", "review", "m", "screen.try_match_type", "match type", "Try another match type of tool calls: all scores change at once, the config does not."),
    Command("review.ignore_args", "review", "i", "screen.try_ignore_args", "ignore args", "Try what happens if arguments do not count."),
    Command("review.threshold", "review", "t", "screen.try_threshold", "threshold", "Try another threshold of the metric that fails."),
    Command("review.write_config", "review", "w", "screen.write_config", "write config", "Write what is being tried into the config."),
    Command("review.order", "review", "o", "screen.next_order", "order", "Order the queue by file, by loss or by kind of difference."),
    Command("review.find", "review", "slash,ctrl+f", "screen.find", "filter", "Show only turns of cases that the words of a filter find."),
    Command("review.run_again", "review", "f5,alt+r", "screen.run_again", "score again", "Score all cases again; recordings and config are read anew."),
    Command("review.down", "review", "down,j", "screen.move(1)", "down", "Go down."),
    Command("review.up", "review", "up,k", "screen.move(-1)", "up", "Go up."),
    Command("review.page_down", "review", "pagedown,ctrl+d", "screen.move_page(1)", "page down", "Go a page down."),
    Command("review.page_up", "review", "pageup,ctrl+u", "screen.move_page(-1)", "page up", "Go a page up."),
    Command("review.top", "review", "home,g", "screen.move_end(-1)", "top", "Go to the first line."),
    Command("review.bottom", "review", "end,G", "screen.move_end(1)", "bottom", "Go to the last line."),
    Command("review.quit", "review", "q", "screen.leave_or_quit", "quit", "Go back to the editor one came from; where evaltui began in the review, quit."),
    Command("review.editor", "review", "E", "screen.go_to_editor", "editor", "Go to the editor, at this turn.", True),
    Command("review.palette", "review", "ctrl+p,colon", "screen.palette", "commands", "Choose a command by a few letters of its name."),
)  # fmt: skip
"""In the order in which help and keys line show them."""

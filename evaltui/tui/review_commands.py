"""Commands of the review."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from evaltui.tui.command import Command, move_commands

if TYPE_CHECKING:
    from evaltui.tui.review.review_screen import ReviewScreen


def _in_review() -> tuple[Command[ReviewScreen], ...]:
    """All commands, in the order of the help and the keys line."""
    return (
        Command("review.accept", "review", "a", lambda screen: screen.decision_keys.accept("accept"), "accept", "Accept the actual value of the selected line: an argument, a tool call or the response.", True),
        Command("review.accept_turn", "review", "A", lambda screen: screen.decision_keys.accept("accept_turn"), "turn", "Accept all texts and arguments of the turn. Press S to accept added, deleted or moved tool calls.", True),
        Command("review.accept_sequence", "review", "S", lambda screen: screen.decision_keys.accept("accept_sequence"), "calls", "On the line of an added, deleted or moved tool call or turn, accept it. Elsewhere, accept all of them.", True),
        Command("review.reject", "review", "r", lambda screen: screen.decision_keys.reject(), "keep expected", "Keep the expected values, because the agent is wrong. Go to the next turn.", True),
        Command("review.skip", "review", "s", lambda screen: screen.decision_keys.skip(), "skip", "Skip this turn. It comes again once, at the end of the queue.", True),
        Command("review.note", "review", "n", lambda screen: screen.decision_keys.note(), "note", "Write a note for other reviewers. SET.review.jsonl beside the set keeps it.", True),
        Command("review.undo", "review", "u,ctrl+z", lambda screen: screen.decision_keys.step("undo"), "undo", "Undo the last decision and its edit, also one of an earlier review since the file was opened. Edits of the editor are undone there.", True),
        Command("review.next_item", "review", "J,ctrl+down,alt+j", lambda screen: screen.entry_view.step_item(1), "next", "Go to the next turn of the queue, decided or not.", True),
        Command("review.help", "review", "question_mark", "help", "help", "Show all keys.", True),
        Command("review.open", "review", "enter,space", lambda screen: screen.entry_view.fold(), "open", "Show or fold a long text, a tool call or a tool response. On the summary page, go to the first turn that the line counts.", True),
        Command("review.conversation", "review", "c", lambda screen: screen.entry_view.show_mode("conversation"), "all turns", "Show the whole conversation on both sides, or this turn again.", True),
        Command("review.save", "review", "ctrl+s", "save", "save", "Save the file; only accepted changes are written.", True),
        Command("review.leave", "review", "escape", lambda screen: screen.leave(), "back", "Go back without a decision: from the conversation to the turn, from the review to the editor.", True),
        Command("review.redo", "review", "U,ctrl+y", lambda screen: screen.decision_keys.step("redo"), "redo", "Redo the decision or edit that was undone last."),
        Command("review.edit", "review", "e", lambda screen: screen.decision_keys.edit(), "edit", "Edit the expected value of the selected line in a box. ^s uses the new value; esc keeps the old one.", True),
        Command("review.next", "review", "right_square_bracket", lambda screen: screen.entry_view.step_difference(1), "next difference", "Go to the next difference, also in the next turn."),
        Command("review.previous", "review", "left_square_bracket", lambda screen: screen.entry_view.step_difference(-1), "previous difference", "Go to the previous difference, also in the previous turn."),
        Command("review.previous_item", "review", "K,ctrl+up,alt+k", lambda screen: screen.entry_view.step_item(-1), "previous turn", "Go to the previous turn of the queue."),
        Command("review.fills", "review", "F", lambda screen: screen.decision_keys.fill(), "fill", "Fill the empty expected values of all turns from the recording. The first press counts them. The second press fills them.", True),
        Command("review.explain", "review", "full_stop", "list.explain", "why", "Show in full why the turn fails, with all notes on it."),
        Command("review.json", "review", "v", lambda screen: screen.entry_view.show_mode("json"), "JSON", "Show both sides of the turn as JSON."),
        Command("review.copy", "review", "y", lambda screen: screen.decision_keys.copy_side("actual"), "copy", "Copy the actual value of the selected line as JSON."),
        Command("review.copy_expected", "review", "Y", lambda screen: screen.decision_keys.copy_side("expected"), "copy expected", "Copy the expected value of the selected line as JSON."),
        Command("review.match_type", "review", "m", lambda screen: screen.trial.try_match_type(), "match type", "Try another match type for tool calls: the scores become trial scores, the config stays as it is."),
        Command("review.ignore_args", "review", "i", lambda screen: screen.trial.try_ignore_args(), "ignore args", "Try scoring without comparing arguments."),
        Command("review.threshold", "review", "t", lambda screen: screen.trial.try_threshold(), "threshold", "Try another threshold for the failing metric."),
        Command("review.write_config", "review", "w", lambda screen: screen.trial.write_config(), "write config", "Write the trial criteria into the config. The first press shows them. The second press writes them."),
        Command("review.drop_trial", "review", "x", lambda screen: screen.trial.drop_trial(), "drop trial", "Drop the trial criteria and score with the config again; your edits of the set stay."),
        Command("review.criteria", "review", "C,alt+c", lambda screen: screen.trial.open_criteria(), "criteria", "Open the criteria as a form, with the trial criteria."),
        Command("review.order", "review", "o", lambda screen: screen.next_order(), "order", "Change the order of the queue: by file, by score loss, by kind of difference."),
        Command("review.find", "review", "slash,ctrl+f", "find", "filter", "Show only turns of cases that a filter finds."),
        Command("review.run_again", "review", "f5,alt+r", "run.again", "score again", "Read recordings and config again and score all cases."),
        Command("review.recordings", "review", "H", "list.recordings", "recordings", "Show the recordings used for scoring: add or drop files, see the case of each conversation."),
        Command("review.conversations", "review", "plus", "list.conversations", "add as case", "Show a conversation without a case, to add it as a case.", True),
        Command("review.runs", "review", "B", "list.runs", "runs", "Show all runs of the case and choose the run to use."),
        Command("review.run_agent", "review", "f6,alt+g", "agent.run", "run agent", "Run the agent for the marked cases, or for all if none is marked; during a run, show its output."),
        Command("review.show_agent", "review", "shift+f6,alt+o", "agent.show", "agent output", "Show the output of the running agent, or of its last run."),
        Command("review.merge", "review", "M", "list.merge", "merge", "Merge your changes with the file on disk."),
        Command("review.reload", "review", "R", "list.reload", "reload", "Reload the file; asks first if something is unsaved."),
        *move_commands("review", lambda screen: screen.entry_view.rows_to_move),
        Command("review.quit", "review", "q", lambda screen: screen.leave_or_quit(), "quit", "Go back to the editor; if evaltui started in the review, quit."),
        Command("review.editor", "review", "E", lambda screen: screen.go_to_editor(), "editor", "Go to this turn in the editor.", True),
        Command("review.palette", "review", "ctrl+p,colon", "palette", "commands", "Choose a command by a few letters of its name."),
    )  # fmt: skip


REVIEW_COMMANDS = _in_review()
IN_REVIEW: Mapping[str, Callable[[ReviewScreen], object]] = {
    "find": lambda screen: screen.find(),
    "list.explain": lambda screen: screen.entry_view.explain(),
    "run.again": lambda screen: screen.run_again(),
    "list.conversations": lambda screen: screen.conversations(),
    "filter.keep": lambda screen: screen.keep_filter(),
    "filter.clear": lambda screen: screen.clear_filter(),
    "filter.down": lambda screen: screen.step_hit(1),
    "filter.up": lambda screen: screen.step_hit(-1),
}

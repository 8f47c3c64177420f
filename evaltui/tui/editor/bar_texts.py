"""The texts of the bars: titles in the keys line, hints of the status line, and the next step for a newcomer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.case_file import turns_of
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import filled, items_of
from evaltui.tui.command import Command
from evaltui.tui.commands import CHANGING, key_of
from evaltui.tui.open_file.edited_document import EditedDocument

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_OF_NO_USE_IN_READING = frozenset({"list.save_copy", "list.merge", "agent.run"})
"""Commands that need an eval set file; a foreign format shown as an eval set is none."""


def key_title(screen: EditScreen, command: Command) -> str:
    """The current title of a command in the keys line; "" hides it."""
    panes = screen.panes
    if not _is_of_use(screen, command):
        return ""
    match command.place:
        case "why":
            return screen.why_keys.title(command) if panes.keys.place != "form" else ""
        case "tree":
            return panes.tree.offer(command)
        case "problems":
            return panes.problems.offer(command)
        case "run" if command.id != "run.again":
            return panes.run.offer(command)
        case "form":
            return panes.form.commands.title(command)
        case "field":
            return panes.form.editor.title(command)
    match command.id:
        case "list.why":
            return _title_of_why(screen, command)
        case "run.again":
            return "score"
        case "list.source" if screen.file.is_json_of_reading:
            return "as eval set"
    return command.title


def _is_of_use(screen: EditScreen, command: Command) -> bool:
    """Whether a command would do anything now, as far as that is no question of its pane."""
    file, panes = screen.file, screen.panes
    reading, history = file.reading, file.document.history
    if (file.readonly and command.id in CHANGING) or (reading is not None and command.id in _OF_NO_USE_IN_READING):
        return False
    match command.does:
        case "save":
            # 80 columns have room for all keys that add, and for quit, only without it.
            return file.has_unsaved or panes.current != "tree" or not panes.is_narrow
        case "undo":
            return history.point() is not None
        case "redo":
            return history.redo_point() is not None
        case "run.again":
            return file.scores.has_news
        case "list.unsaved":
            return file.has_unsaved
        case "list.drop_draft":
            return bool(file.drafts.kept) and bool(screen.undo_commands.drafts_here())
        case "list.why":
            return file.scores.has_any
        case "list.review":
            return bool(file.scores.counts["failed"])
        case "list.losses":
            return reading is not None
        case "list.source":  # the file as JSON, or from there as an eval set again
            return file.is_json_of_reading or (reading is not None and reading.is_json)
    return True


def _title_of_why(screen: EditScreen, command: Command) -> str:
    """The title of the key that explains scores; in the Scores pane with the turn that it leads to."""
    panes, scores = screen.panes, screen.file.scores
    node = panes.run.case if panes.current == "run" else panes.form.node
    if node is None:
        return ""
    from evaltui.tui.open_file.score_places import place_of_why, unscored_case

    # A case added since the run has an explanation, too: that it has no scores yet.
    if scores.case_around(node) is None and unscored_case(scores, node) is None:
        return ""
    place = place_of_why(scores, node) if panes.current == "run" else node
    return f"{command.title} turn {place.index() + 1} fails" if place is not node else command.title


def hint_of(screen: EditScreen) -> tuple[str, str, str]:
    """Help for the selected line of the form, elsewhere counts; the text at its right, and a shorter one."""
    panes, file = screen.panes, screen.file
    text = aside = shorter = ""
    if panes.are_keys_in_recorded:
        return screen.why_keys.hint, "", ""
    match panes.current:
        case "form" if (stop := panes.form.stop) is not None:
            if stop.key == ("user_content", 0) and first_turn(file) is panes.form.node:  # the line of its message
                writes, adds = f"Press {key_of('form.enter')} for the user message", key_of("list.conversations")
                text = f"New set. {writes}, {adds} for recorded conversations."
            else:
                from evaltui.tui.forms.value_text import type_hint

                is_fixed = panes.form.edited is not None or file.readonly
                text = ("" if is_fixed else type_hint(stop)) or stop.help
        case "run":
            text = panes.run.left_out()
        case "problems":
            text, aside = panes.problems.hint()
        case "tree":
            row, (aside, shorter) = panes.tree.selected, panes.tree.score_named()
            text = next_step(file, row) or _counts(screen, row)
            if not text and screen.is_welcome:
                opens, quits = f"{key_of('tree.enter')} to open a row", f"{key_of('quit')} to quit"
                text = f"Welcome. Press {key_of('list.help')} to show all keys, {opens}, or {quits}."
    return text, aside, shorter


def _counts(screen: EditScreen, row: Node) -> str:
    """Counts of scores and problems that no pane shows, with the worst problem of the row; failing cases first."""
    panes, scores, reading = screen.panes, screen.file.scores, screen.file.reading
    are_problems_shown = panes.problems.display
    problems = "" if are_problems_shown else panes.problems.summary(row)
    if reading is not None:
        return " · ".join(filter(None, [reading.said(), problems]))
    if panes.run.display:
        return problems
    short = "" if are_problems_shown else panes.problems.summary(row, is_short=True)
    counted = scores.counted(names_trial=False)
    worst = next((problem.severity for problem in screen.file.problems.all), "")
    if not counted and worst in ("", "info") and not screen.is_welcome and scores.facts is not None:
        from evaltui.tui.open_file.score_sentences import without_recordings  # after the first run, so late

        missing = without_recordings(scores)
        return " ".join(filter(None, [missing, short])) if missing else problems
    # Errors come before failing cases: a file with errors may not run at all.
    if not counted or (problems and (worst == "error" or not scores.counts["failed"])):
        return problems
    counts = f"scores {counted} (press {key_of('list.run')})"
    if scores.trial.is_unwritten:
        counts = f"trial scores {counted} ({key_of('criteria')}: write or drop)"
    return " · ".join(filter(None, [counts, short]))


def next_step(file: EditedDocument, row: Node) -> str:
    """Missing parts at a row of the tree, and the keys that add them; "" if nothing is, or if it is read-only."""
    case_file, eval_set = file.case_file, file.eval_set
    if case_file is None or file.readonly or not row.is_in(case_file.root):
        return ""
    recorded = f"{key_of('tree.conversations')} for recorded conversations"
    if not case_file.cases:
        adds = f"No cases. Press {key_of('tree.add')} to add a case"
        return f"{adds}, or {recorded}." if eval_set is not None else f"{adds}."
    kind = case_file.kind(row)
    if eval_set is None or kind not in ("case", "turn"):
        return ""
    is_untouched, opens = untouched_case(eval_set) is not None, key_of("tree.enter")
    also = f", or {recorded}." if is_untouched else "."
    if kind == "turn" and not _has_user_message(row):
        return f"No user message. Press {opens} to write one{also}"
    if kind == "case" and is_untouched:
        return f"Empty case. Press {opens} to open it{also}"
    if kind == "case" and not (turns_of(row) or filled(row, "conversation_scenario")):
        return f"No turns. Press {key_of('tree.add_inside')} to add a turn."
    return ""


def first_turn(file: EditedDocument) -> Node | None:
    """The empty turn of a new eval set, where editing begins; None for any other file."""
    if file.eval_set is None or file.readonly or not file.document.is_new:
        return None
    case = untouched_case(file.eval_set)
    return turns_of(case)[0] if case is not None else None


def _has_user_message(turn: Node) -> bool:
    """Whether a turn has a user message with any part that is not an empty text."""
    parts = items_of(filled(turn, "user_content"), "parts")
    return any(part.kind != "object" or any(item.source() != b'""' for item in part.items) for part in parts)

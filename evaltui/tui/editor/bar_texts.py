"""The texts of the bars: titles in the keys line, hints of the status line, and the next step for a newcomer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, scenario_of, turns_of
from evaltui.evalset.editing.templates import untouched_case
from evaltui.evalset.keys import filled
from evaltui.tui.command import Command
from evaltui.tui.commands import CHANGING, key_of
from evaltui.tui.forms.form import Stop
from evaltui.tui.forms.value_types import type_hint
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.score_places import place_of_why, unscored_case
from evaltui.tui.open_file.score_sentences import without_recordings
from evaltui.tui.open_file.set_scores import Scores

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_OF_NO_USE_IN_READING = frozenset({"list.save_copy", "list.merge", "agent.run"})
"""Commands that need an eval set file; a foreign format shown as an eval set is none."""


class KeyTitles:
    """Gives each command its title in the keys line."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def title_of(self, command: Command) -> str:
        """The current title of a command in the keys line; "" hides it."""
        panes = self._panes
        if self._file.readonly and command.id in CHANGING:
            return ""
        if self._file.reading is not None and command.id in _OF_NO_USE_IN_READING:
            return ""
        if command.id == "save" and not self._file.has_unsaved and panes.current == "tree" and panes.layout.is_narrow:
            return ""  # 80 columns have room for all keys that add, and for quit, only without it
        if command.id == "list.why":
            return self._title_of_why(command)
        if (is_useful := self._is_useful(command.does)) is not None:
            return self._title_of_useful(command) if is_useful else ""
        if command.id == "run.again":
            return "score" if panes.run.has_news else ""
        if command.place == "why":
            return self._screen.acceptor.title(command)
        if command.place == "tree":
            return panes.tree.offer(command)
        if command.place == "run":
            return panes.run.offer(command)
        if command.place == "problems":
            return panes.problems.offer(command)
        return panes.form.commands.title(command) if command.place in ("form", "field") else command.title

    def _is_useful(self, command_id: str) -> bool | None:
        """Whether a command would do anything now; None for those of which other things decide."""
        file = self._file
        match command_id:
            case "undo":
                return bool(file.document.history.next_undo)
            case "redo":
                return bool(file.document.history.next_redo)
            case "list.unsaved":
                return file.has_unsaved
            case "list.drop_draft":
                return bool(self._screen.undo_commands.drafts_here()) if file.drafts.kept else False
            case "list.review":
                return bool(file.scores.counts["failed"])
            case "list.losses":
                return file.reading is not None
            case "list.source":
                return self._has_other_view()
        return None

    def _title_of_why(self, command: Command) -> str:
        """The title of the key that explains scores; in the Scores pane with the turn that it leads to."""
        panes, scores = self._panes, self._file.scores
        if panes.current != "run":
            return command.title if _has_why(scores, panes.form.node) else ""
        case = panes.run.case
        if case is None or not _has_why(scores, case):
            return ""
        place = place_of_why(scores, case)
        return f"{command.title} turn {place.index() + 1} fails" if place is not case else command.title

    def _has_other_view(self) -> bool:
        """Whether the file can be shown as JSON, or from there as an eval set again."""
        reading = self._file.reading
        return self._file.is_json_of_reading or (reading is not None and reading.is_json)

    def _title_of_useful(self, command: Command) -> str:
        return "as eval set" if command.id == "list.source" and self._file.is_json_of_reading else command.title


def _has_why(scores: Scores, node: Node) -> bool:
    """Whether the case around a value has an explanation: of its scores, or that it has none yet."""
    return scores.case_around(node) is not None or unscored_case(scores, node) is not None


class StatusHint:
    """Shows help for the selected line, or counts of problems and scores."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    def show(self) -> None:
        """Show help for the selected line of the form; elsewhere show counts."""
        panes = self._panes
        stop = panes.form.stop if panes.current == "form" else None
        begins = first_words(self._file, panes.form.node, stop) if stop is not None else ""
        panes.status.hint(begins or (self._hint_at(stop) if stop is not None else self._at_rest()))
        self.show_aside()

    def _hint_at(self, stop: Stop) -> str:
        """A hint at the type of the value of a line, with a key that types a letter while editing; else its help."""
        is_typing = self._panes.form.edited is not None or self._file.readonly
        return ("" if is_typing else type_hint(stop)) or stop.help

    def refresh(self, *places: str) -> None:
        """Show the counts again if one of these panes is the current one."""
        if self._panes.current in places:
            self._panes.status.hint(self._at_rest())
            self.show_aside()

    def show_aside(self) -> None:
        """Name the metric of the scores beside the rows of the tree, or the key of the fix beside a problem."""
        panes = self._panes
        if panes.current == "problems":
            panes.status.hint_beside(panes.problems.fix_said())
        else:
            panes.status.hint_beside(*(panes.tree.score_named() if panes.current == "tree" else ("", "")))

    def _at_rest(self) -> str:
        """Counts of scores and problems that no pane shows; without any, at a first start, the keys to begin with."""
        panes = self._panes
        if panes.current == "run":
            return panes.run.left_out()
        if panes.current == "problems":
            return panes.problems.left_out()
        if panes.current == "tree" and (missing := next_step(self._file, panes.tree.selected)):
            return missing
        return self._counts() or (welcome() if panes.current == "tree" and self._screen.is_welcome else "")

    def _counts(self) -> str:
        """Counts of scores and problems that no pane shows, with the worst problem of the row; failing cases first."""
        panes, scores = self._panes, self._file.scores
        is_wanted = panes.current == "tree" and not panes.problems.display
        row = panes.tree.selected
        problems = panes.problems.summary(row) if is_wanted else ""
        if self._file.reading is not None and panes.current == "tree":
            return " · ".join(filter(None, [self._file.reading.said(), problems]))
        counted = scores.counted(names_trial=False)
        worst = next((problem.severity for problem in self._file.problems.all), "")
        has_errors = worst == "error"
        # Errors come before failing cases: a file with errors may not run at all.
        is_second = bool(problems) and (has_errors or not scores.counts["failed"])
        if panes.current != "tree" or panes.run.display:
            return problems
        if not counted and worst in ("", "info") and not self._screen.is_welcome:
            missing = without_recordings(scores)
            short = panes.problems.summary(row, is_short=True) if is_wanted else ""
            return " ".join(filter(None, [missing, short])) if missing else problems
        if is_second or not counted:
            return problems
        problems = panes.problems.summary(row, is_short=True) if is_wanted else ""
        counts = f"scores {counted} (press {key_of('list.run')})"
        if scores.trial.is_unwritten:
            counts = f"trial scores {counted} ({key_of('criteria')}: write or drop)"
        return " · ".join(filter(None, [counts, problems]))


_USER_MESSAGE = ("user_content", 0)
"""The key of the line with the user message in the form of a turn."""


def next_step(session: EditedDocument, row: Node) -> str:
    """Missing parts at a row of the tree, and the keys that add them; "" if nothing is, or if it is read-only."""
    case_file = session.case_file
    if case_file is None or session.readonly or not row.is_in(case_file.root):
        return ""
    recorded = f"{key_of('tree.conversations')} for recorded conversations"
    if not case_file.cases:
        adds = f"No cases. Press {key_of('tree.add')} to add a case"
        return f"{adds}, or {recorded}." if session.eval_set is not None else f"{adds}."
    return _in_set(session.eval_set, row, recorded) if session.eval_set is not None else ""


def welcome() -> str:
    """The keys to begin with, for a person who starts evaltui for the first time."""
    opens, quits = f"{key_of('tree.enter')} to open a row", f"{key_of('quit')} to quit"
    return f"Welcome. Press {key_of('list.help')} to show all keys, {opens}, or {quits}."


def first_turn(session: EditedDocument) -> Node | None:
    """The empty turn of a new eval set, where editing begins; None for any other file."""
    if session.eval_set is None or session.readonly or not session.document.is_new:
        return None
    case = untouched_case(session.eval_set)
    return turns_of(case)[0] if case is not None else None


def first_words(session: EditedDocument, form: Node, stop: Stop) -> str:
    """The keys at the empty user message of a new eval set; "" anywhere else."""
    if stop.key != _USER_MESSAGE or first_turn(session) is not form:
        return ""
    writes, adds = f"Press {key_of('form.enter')} for the user message", key_of("list.conversations")
    return f"New set. {writes}, {adds} for recorded conversations."


def _in_set(eval_set: CaseFile, row: Node, recorded: str) -> str:
    kind, opens = eval_set.kind(row), f"Press {key_of('tree.enter')} to open it"
    is_untouched = kind in ("case", "turn") and untouched_case(eval_set) is not None
    also = f", or {recorded}." if is_untouched else "."
    if kind == "turn" and not _has_user_message(row):
        return f"No user message. Press {key_of('tree.enter')} to write one{also}"
    if kind == "case" and is_untouched:
        return f"Empty case. {opens}{also}"
    if kind == "case" and not (turns_of(row) or scenario_of(row)):
        return f"No turns. Press {key_of('tree.add_inside')} to add a turn."
    return ""


def _has_user_message(turn: Node) -> bool:
    """Whether a turn has a user message with any part that is not an empty text."""
    message = filled(turn, "user_content")
    parts = filled(message, "parts") if message is not None else None
    if parts is None or parts.kind != "array":
        return False
    return any(part.kind != "object" or any(item.source() != b'""' for item in part.items) for part in parts.items)

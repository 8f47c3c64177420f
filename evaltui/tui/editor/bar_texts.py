"""The texts of the bars: titles in the keys line, and the hint of the status line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.tui.command import Command
from evaltui.tui.commands import CHANGING, key_of
from evaltui.tui.editor.next_step import first_words, next_step, welcome
from evaltui.tui.forms.form import Stop
from evaltui.tui.forms.value_types import type_hint
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
        return panes.form.offer(command) if command.place in ("form", "field") else command.title

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
        said = f"scores {counted} (press {key_of('list.run')})"
        if scores.trial.is_unwritten:
            said = f"trial scores {counted} ({key_of('criteria')}: write or drop)"
        return " · ".join(filter(None, [said, problems]))

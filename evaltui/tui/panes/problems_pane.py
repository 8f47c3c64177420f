"""The Problems pane: all problems of the file, worst first, with the available fixes."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content

from evaltui.document.node import Node
from evaltui.evalset.titles import STEP, title
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import FILL, SEVERITY_MARKS, Line, text_of
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen

_SHOWN = {"info": "", "error": "errors only", "warning": "errors and warnings"}
"""Part of the title, by the least severity that is shown."""
_ROUND = {"info": "error", "error": "warning", "warning": "info"}
_TALLEST = 7
_SHORTEST = 8
"""Columns for the place of a problem in the narrowest pane."""
_AROUND = 10
"""Columns of a line beside place and message: the mark, spaces, and the word `fix`."""


class ProblemsPane(LineList):
    """One line for each problem; the pane is hidden until there is one."""

    PLACE = "problems"
    BINDINGS = bindings("list", "problems")

    def __init__(self, file: EditedDocument, host: EditScreen) -> None:
        super().__init__(id="problems")
        self._host = host
        self.file = file
        self.rows: list[Problem] = []
        self._tallest = 0
        self.had_any = False
        """Whether there ever were problems since the file was opened."""
        self.had_faults = False
        """Whether there ever were errors or warnings since the file was opened."""
        self.version_shown = -1
        """The version of the list of problems that is on screen."""

    @property
    def problem(self) -> Problem | None:
        """The selected problem; None if there is none."""
        return self.rows[self.cursor] if 0 <= self.cursor < len(self.rows) else None

    # --- what is shown -------------------------------------------------------------------------------------

    def refresh_problems(self) -> bool:
        """Show the problems again if they changed; the cursor stays on its problem, else on its row."""
        if self.file.problems.version == self.version_shown:
            return False
        self.version_shown = self.file.problems.version
        selected, self.rows = self.problem, self.file.problems.rows
        if selected not in self.rows[self.cursor : self.cursor + 1]:
            row = self.rows.index(selected) if selected in self.rows else self.cursor
            self.set_reactive(ProblemsPane.cursor, max(0, min(row, len(self.rows) - 1)))
        # The pane never shrinks: problems that come and go during typing must not move the panes above.
        self._tallest = min(_TALLEST, max(self._tallest, len(self.rows) + 1))
        self.styles.min_height = self._tallest
        self.had_any |= bool(self.rows)
        self.had_faults |= any(problem.severity != "info" for problem in self.file.problems.all[:1])  # worst first
        self.say_in_title()
        self.refresh_size()
        self.show_cursor()
        self.refresh()
        return True

    def say_in_title(self) -> None:
        """Show the number of problems in the title, and the counts of the Scores pane, which shares this place."""
        count = self.file.problems.titled() or "No problems"
        problems, drafts = self.file.problems, self.file.drafts
        drafts_counted = drafts.counted() if drafts.kept else ""
        only = f"only {self.file.problems_called(problems.case)}" if problems.case is not None else ""
        ignored = problems.count_ignored() if problems.ignored else 0
        left_out = f"{ignored:,} ignored" if ignored else ""
        title = " · ".join(filter(None, [count, drafts_counted, _SHOWN[problems.least], only, left_out]))
        scores = self.file.scores.counted()
        beside = f" ─ Scores {scores}" if scores else ""
        self.border_title = Content(f" {printable(title)}{beside} ")

    def line_count(self) -> int:
        """One line for each problem."""
        return len(self.rows)

    def line(self, index: int) -> Line:
        """Mark, place and message, and `fix` at the right if there is one."""
        problem = self.rows[index]
        line: Line = [SEVERITY_MARKS[problem.severity]]
        if problem.line:
            line.append((f"line {problem.line}: ", "dim"))
        elif problem.draft is None and (where := self.called(problem)):
            room = self.size.width - _AROUND - min(cell_len(printable(problem.message)), self.size.width // 2)
            line.append((f"{_last_steps(where, room)}  ", "name"))
        line.append((printable(problem.message), "prose"))
        if problem.fix is not None:
            line += [("", FILL), (" fix " if problem.fix.safe else " fix? ", "accent")]
        return line

    def called(self, problem: Problem) -> str:
        """The place of a problem, for people: `refund › turn 2 › tool call 1`."""
        case_file, (node, _) = self.file.case_file, problem.locate()
        return title(case_file, node) if case_file is not None and node is not None else ""

    def summary(self, row: Node, *, is_short: bool = False) -> str:
        """The counts of the title bar, and unless `is_short` the worst problem of a row of the tree, on one line.

        "" if there are no problems.
        """
        problems, case_file, is_root = self.file.problems, self.file.case_file, row is self.file.document.root
        count = ", ".join(filter(None, [problems.counted(), self.file.drafts.counted()]))
        counted = f"{count} (press {key_of('list.problems')})" if count else ""
        of_row = problems.all if is_root else (problem for problem, _, _ in problems.within(row))
        worst = next(iter(of_row), None) if not is_short else None
        if worst is None:
            return counted
        where = f"line {worst.line}" if worst.line else self.called(worst)
        if case_file is not None and not worst.line and not is_root:  # the steps from the row: `turn 2 › tool call 1`
            where = where.removeprefix(title(case_file, row)).removeprefix(STEP)
        mark = SEVERITY_MARKS[worst.severity][0] if worst.severity != "info" else ""
        return f"{counted} · {mark}{where}{': ' * bool(where)}{printable(worst.message)}"

    # --- keys ----------------------------------------------------------------------------------------------

    def offer(self, command: Command) -> str:
        """The title of a command; "" if it is of no use for the selected problem."""
        problem = self.problem
        uses: dict[str, object] = {
            "problems.fix": problem and problem.fix,
            "problems.ignore": problem and problem.code,
            "problems.ignore_everywhere": problem and problem.code,
            "problems.heed": self.file.problems.ignored,
        }
        return command.title if uses.get(command.id, True) else ""

    def cursor_moved(self) -> None:
        """Ask the screen to show a message that does not fit into its line."""
        if self.has_focus:
            self.post_message(self.Browsed())

    def hint(self) -> tuple[str, str]:
        """The message, if it does not fit into the selected line, with the key of its fix; else what its fix needs."""
        problem = self.problem
        if problem is None:
            return "", ""
        key, fix = key_of("problems.fix"), problem.fix
        # Before its first layout, the pane has no width yet.
        if len(text_of(self.line(self.cursor))) > (self.size.width or self.app.size.width) - 1:
            return problem.message, f"{key}: {'fix' if fix.safe else 'show unsafe fix'}" if fix is not None else ""
        if fix is None:
            return "", ""
        if fix.safe:
            return f"fix: a safe fix. {key} applies it.", ""
        return f"fix?: an unsafe fix. {key} shows it, a second {key} applies it.", ""

    def select_at(self, node: Node) -> None:
        """Select the first problem of a value or of one in it, else of one around it in its case; else stay."""
        case_file = self.file.case_file
        case = case_file.enclosing(node, "case") if case_file is not None else None
        places = {row: problem.locate()[0] for row, problem in enumerate(self.rows) if problem.owner is case}
        inner = (row for row, place in places.items() if place is not None and node in (place, *place.ancestors()))
        around = (row for row, place in places.items() if place is not None and place in node.ancestors())
        self.cursor = next(chain(inner, around), self.cursor)

    def enter(self) -> None:
        """Go to the field with the problem."""
        if self.problem is None:
            self._host.say("There is no problem here.")
        else:
            self._host.problem_commands.go_to_problem(self.problem)

    def next_severity(self) -> None:
        """Show all problems, only errors, or errors and warnings."""
        problems = self.file.problems
        problems.choose(_ROUND[problems.least], problems.case)
        self._host.show_problems()
        self._host.say(f"showing {_SHOWN[problems.least] or 'errors, warnings and infos'}")

    def on_click(self, event: events.Click) -> None:
        """Select a problem and go to it."""
        row = self.entry_under(event)
        if row is not None:
            self.cursor = row
            self.enter()


def _last_steps(where: str, room: int) -> str:
    """The end of a place, cut to `room` columns."""
    # The last steps say more than the start of a long id.
    if cell_len(where) <= room:
        return where
    case, step, rest = where.partition(STEP)
    if room - cell_len(step + rest) <= _SHORTEST:
        case, step, rest, room = where, "", "", max(room, _SHORTEST)
    while cell_len(case + step + rest) >= room:
        case = case[1:]
    return f"…{case}{step}{rest}"

"""The Scores pane: totals of the last run, a line for each case with its scores, then remarks."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import SEVERITY_MARKS, Line, cells_of
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.widgets.line_view import LineList

if TYPE_CHECKING:
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.open_file.run_facts import Remark
    from evaltui.tui.panes.score_columns import Columns, Lengths, RowFacts

_TALLEST = 9
"""Fewest lines of the pane, if it has that many; the stylesheet sets the most."""
_TITLES = {"error": "error", "warning": "warning", "info": "note"}
_MEASURED = 200
"""Number of first cases that decide the widths of the columns."""
_SHOWN = {"run.failing": "failing", "run.changed": "changed", "run.all": "all"}
"""The cases that a command shows."""
_AGES = 60.0
"""Seconds between two redraws of the ages of recordings."""


class ScoresPane(LineList):
    """The list of cases and remarks below a head, which does not scroll."""

    PLACE = "run"
    widest = None  # columns take the whole width as they need it
    BINDINGS = bindings("list", "run")

    def __init__(self, file: EditedDocument, host: EditScreen) -> None:
        super().__init__(id="run")
        self._file, self._host = file, host
        self._rows: list[Node] = []
        self._hidden: Node | None = None
        """The selected case while no case is shown."""
        self._version = self._order_version = -1
        self._now = time.time()
        """The time that the shown ages refer to."""
        self._scores_title = self._titled = ""
        self.had_failing = False
        """Whether any case ever failed since the file was opened."""
        self._longest: Lengths | None = None
        self._columns: Columns | None = None
        """Laid out after the first frame, which needs none of their code."""
        self._head: list[Line] = [[]]
        self.lines_above = 1

    @property
    def case(self) -> Node | None:
        """The selected case; None on any other line."""
        return self._rows[self.cursor] if 0 <= self.cursor < len(self._rows) else None

    @property
    def remark(self) -> Remark | None:
        """The selected remark about the run as a whole; None on any other line."""
        number, remarks = self.cursor - len(self._rows), self._file.scores.remarks
        return remarks[number] if 0 <= number < len(remarks) and self._file.scores.has_news else None

    # --- what is shown -------------------------------------------------------------------------------------

    def refresh_scores(self) -> bool:
        """Show the scores again if they changed; the cursor stays on its case."""
        scores = self._file.scores
        if scores.version == self._version:
            if self._title_of_scores() != self._scores_title:
                self.say_in_title()
                self._arrange()
                self.refresh_changed()
            return False
        self._version, self._now = scores.version, time.time()
        has_other_rows = scores.order_version != self._order_version
        if has_other_rows:
            self._order_version = scores.order_version
            self._take_rows()
        self.had_failing |= bool(scores.counts["failed"])
        self._measure(all_rows=has_other_rows)
        self._arrange()
        self.say_in_title()
        if has_other_rows:
            self.refresh_size()
            self.show_cursor()
            self.refresh()
        else:  # an edit, maybe a single letter, must not redraw the whole pane
            self.refresh_changed()
        return True

    def _take_rows(self) -> None:
        """Show other rows; the cursor stays on its case if it is still shown.

        If no case is shown, the cursor is on the line that says so, until the case comes back.
        """
        scores, selected = self._file.scores, self.case or self._hidden
        self._rows = scores.rows if scores.has_any else []
        # A filter that shows no case for a moment must not lose the place of the person.
        self._hidden = None if self._rows else selected
        cursor = max(0, min(self.cursor, self.entry_count() - 1))
        if selected is not None and selected is not self.case and selected in self._rows:
            cursor = self._rows.index(selected)
        if self._hidden is not None and scores.has_any:
            cursor = -1
        # Its watcher would draw and scroll before the lines below the new head are known.
        self.set_reactive(ScoresPane.cursor, cursor)

    def on_mount(self) -> None:
        """Start the timer that updates the ages of recordings."""
        self.set_interval(_AGES, self._refresh_ages)

    def _refresh_ages(self) -> None:
        if self._rows and self._columns is not None and self._columns.age:
            self._now = time.time()
            self.refresh()

    def say_in_title(self) -> None:
        """Show the counts of cases in the title, and the number of problems, whose pane shares this place."""
        self._scores_title = self._title_of_scores()
        title = f" {' ─ '.join(filter(None, [self._scores_title, self._file.problems.titled()]))} "
        if title != self._titled:  # setting the title redraws the whole pane
            self._titled = title
            self.border_title = Content(title)

    def _title_of_scores(self) -> str:
        """`Scores 9 ✓ 2 ✗ 1 – · paused · test_config.json`, `Trial scores 9 ✓ 2 ✗ 1 – · alt+c: write or drop`."""
        scores, facts = self._file.scores, self._file.scores.facts
        is_trial = scores.trial.criteria is not None
        parts = [
            f"{'Trial scores' if is_trial else 'Scores'} {scores.counted(names_trial=False)}".rstrip(),
            scores.progress or ("scoring …" if scores.is_running else ""),
            f"only {scores.shown_cases}" if scores.shown_cases != "all" and scores.has_any else "",
            "paused" if scores.is_paused else "",
            "live" if scores.is_live else "",
            f"{key_of('criteria')}: write or drop" if scores.trial.is_unwritten else "",
        ]
        if facts is not None and scores.has_any:
            parts += ["" if is_trial else printable(facts.config), "all runs" if facts.all_runs else ""]
        return " · ".join(filter(None, parts))

    def _measure(self, *, all_rows: bool) -> None:
        """Measure the texts of the columns: of the first cases of the set, or only of changes in visible rows."""
        from evaltui.tui.panes.score_columns import lengths_of

        scores, top, earlier = self._file.scores, self.scroll_offset.y, self._longest
        has_changes = bool(scores.changed_counts.total())
        is_whole = all_rows or earlier is None or bool(earlier.change) != has_changes
        # Whatever the order and the filter are, the columns must not jump: the first cases of the set decide.
        cases = scores.cases[:_MEASURED] if is_whole else self._rows[top : top + self.size.height]
        longest = lengths_of([self._facts_of(case) for case in cases], has_changes=has_changes)
        self._longest = longest
        if earlier is not None and not is_whole:
            self._longest = earlier._replace(change=max(longest.change, earlier.change))

    def _arrange(self) -> None:
        from evaltui.tui.panes.score_columns import Columns, Lengths
        from evaltui.tui.panes.score_head import head_lines

        scores, width = self._file.scores, self.scrollable_content_region.width or self.app.size.width
        self._columns = Columns(width, scores.judged, scores.informational, self._longest or Lengths(0, 0, 0))
        self.widest = self._columns.end
        self._head = head_lines(scores, self._columns.head(), width)
        self.lines_above = len(self._head)
        self.styles.min_height = min(_TALLEST, self.line_count() + 1)

    def on_resize(self) -> None:
        """Lay the columns out for another width."""
        self._arrange()
        super().on_resize()
        self.refresh()  # Textual may have drawn the lines in the new size with the columns of the old one

    def line_count(self) -> int:
        """The head, and one line for each case and remark; without scores, the message with the next step."""
        return self.lines_above + self.entry_count()

    def entry_count(self) -> int:
        """Number of cases and remarks."""
        return len(self._rows) + len(self._file.scores.remarks) if self._file.scores.has_news else 0

    def page(self) -> int:
        """Lines below the head that a page key moves."""
        return max(1, super().page() - self.lines_above)

    def line(self, index: int) -> Line:
        """The head, a case, or a remark."""
        if index < self.lines_above:
            return self._head[index]
        number = index - self.lines_above
        if number >= len(self._rows):
            severity, text = self._file.scores.remarks[number - len(self._rows)]
            return [SEVERITY_MARKS[severity], (printable(text), "prose")]
        assert self._columns is not None
        return self._columns.case(self._facts_of(self._rows[number]))

    def _facts_of(self, case: Node) -> RowFacts:
        from evaltui.tui.panes.score_columns import RowFacts

        scores = self._file.scores
        recorded_at = scores.recorded_at(case)
        age = self._now - recorded_at if recorded_at is not None else None
        return RowFacts(case_title(case), scores.of(case), case in scores.stale, scores.change(case), age)

    def select(self, case: Node) -> None:
        """Go to the line of a case."""
        if case in self._rows:
            self.cursor = self._rows.index(case)

    def select_case(self) -> None:
        """Go to the last case if the cursor is on a remark behind the cases."""
        if self._rows and self.case is None:
            self.cursor = len(self._rows) - 1

    # --- keys ----------------------------------------------------------------------------------------------

    def offer(self, command: Command) -> str:
        """The title of a command; "" if it would not change what the pane shows."""
        scores, title = self._file.scores, command.title
        if command.id in _SHOWN:
            selection = _SHOWN[command.id]
            counts = {"failing": scores.counts["failed"], "changed": scores.changed_counts.total()}
            has_any = counts.get(selection, len(scores.cases)) > 0
            return title if selection != scores.shown_cases and has_any else ""
        has_baseline = scores.past is not None and scores.past.baseline_at is not None
        titles = {
            "run.enter": title if self.case is not None else "read" if self.remark is not None else "",
            "run.cancel": title if scores.is_running else "",
            "run.all_runs": "one run" if scores.facts is not None and scores.facts.all_runs else title,
            "run.pause": "resume" if scores.is_paused else title,
            "run.order": title if len(scores.rows) > 1 and scores.has_any else "",
            "run.baseline": "drop baseline" if has_baseline else title if scores.has_any else "",
        }
        return titles.get(command.id, title)

    def cursor_moved(self) -> None:
        """Ask the screen to show the facts that do not fit into the line."""
        if self.has_focus:
            self.post_message(self.Browsed())

    def show_cursor(self) -> None:
        """Scroll the selected line into sight."""
        self.show_lines(self.cursor, self.cursor + self.lines_above)  # the head may cover the first lines

    def left_out(self) -> str:
        """The rest of the selected line: scores and recording of a case, or the reason without a score."""
        if self.cursor >= self.entry_count():
            return ""
        is_cut = cells_of(self.line(self.cursor + self.lines_above)) > self.size.width - 2
        if self.case is None:
            return f"{key_of('run.enter')}: show the whole line" if is_cut else ""
        assert self._columns is not None
        return self._columns.left_out(self._facts_of(self.case), is_cut=is_cut)

    def enter(self) -> None:
        """Go to the first failing turn of the case; or show a remark in full."""
        from evaltui.tui.open_file.score_sentences import why_none
        from evaltui.tui.panes.score_head import none_shown

        if self.case is not None:
            self._host.score_steps.go_to_case(self.case)
            return
        scores, title, text = self._file.scores, "", ""
        if self.remark is not None:
            severity, text = self.remark
            title = _TITLES[severity]
        elif scores.has_any:
            text = none_shown(scores.shown_cases, "run.all")
        else:
            title, text = "scores" if self.lines_above > 1 else "", why_none(scores)
        if not title:  # it fits into the status line
            self._host.say(text)
            return
        from evaltui.tui.screens.text_pages import TextScreen

        self.app.push_screen(TextScreen(title, text))

    def on_click(self, event: events.Click) -> None:
        """Select a case and go to it."""
        entry = self.entry_under(event) if event.get_content_offset_capture(self).y >= self.lines_above else None
        if entry is not None:
            self.cursor = entry
            self.enter()

"""The last run: totals, a line a case with the score of each metric, then what else there is to say of it."""

from __future__ import annotations

import time

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.strip import Strip

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.report.change_text import change_text
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import Line, text_of
from evaltui.tui.panes.form_layout import wrapped
from evaltui.tui.panes.requests import Browsed, GoToCase, Read, Say
from evaltui.tui.panes.run_columns import Columns, Lengths, RowFacts
from evaltui.tui.panes.run_head import nothing_shown, totals_line
from evaltui.tui.panes.run_offers import offered_title
from evaltui.tui.panes.score_lines import recording_name, remark_line
from evaltui.tui.session.run_facts import Remark
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.line_view import LineList

_TALLEST = 9
"""Lines that the pane has at least, where it has as many; the stylesheet says how many it has at most."""
_MOST_SAID = 5
"""Lines that a sentence takes which stands in the place of the cases."""
_TITLES = {"error": "error", "warning": "warning", "info": "note"}
_SOME = 200
"""So many of the first cases say how wide their columns are."""
_AGES = 60.0
"""Seconds until the ages of recordings are drawn again."""


class RunPane(LineList):
    """The head stays in sight while the lines below it scroll."""

    PLACE = "run"
    BINDINGS = bindings("list", "run")

    def __init__(self, session: Session) -> None:
        super().__init__(id="run")
        self.session = session
        self._rows: list[Node] = []
        self._version = self._order_version = -1
        self._now = time.time()
        """The time that ages are shown of."""
        self._said = ""
        self.had_failing = False
        """Whether any case failed since the file was opened."""
        self._columns = Columns(80, [], [], Lengths(0, 0, 0))
        self._head: list[Line] = [[]]

    @property
    def case(self) -> Node | None:
        """The selected case; None on any other line."""
        return self._rows[self.cursor] if 0 <= self.cursor < len(self._rows) else None

    # --- what is shown -------------------------------------------------------------------------------------

    @property
    def has_news(self) -> bool:
        """Whether there is anything to show but that there is nothing."""
        scores = self.session.scores
        facts = scores.facts
        return scores.has_any or (facts is not None and bool(facts.remarks or facts.trouble))

    def refresh_scores(self) -> bool:
        """Show other scores than before, where there are; the cursor stays on its case."""
        scores = self.session.scores
        if scores.version == self._version:
            if self.title() != self._said:
                self.say_in_title()
                self._arrange()
                self.refresh_row(0)
            return False
        self._version, self._now = scores.version, time.time()
        has_other_rows = scores.order_version != self._order_version
        if has_other_rows:
            self._order_version = scores.order_version
            self._take_rows()
        self.had_failing |= bool(scores.counts["failed"])
        self._arrange()
        if has_other_rows:
            self.refresh_size()
            self.show_cursor()
        self.say_in_title()
        self.refresh()
        return True

    def _take_rows(self) -> None:
        """Show other rows; the cursor stays on its case if that is still shown."""
        scores, before = self.session.scores, self.case
        self._rows = scores.rows if scores.has_any else []
        if before is not None and before is not self.case and before in self._rows:
            self.set_reactive(RunPane.cursor, self._rows.index(before))
        self.set_reactive(RunPane.cursor, max(0, min(self.cursor, self.entry_count() - 1)))

    def on_mount(self) -> None:
        """Let recordings grow older."""
        self.set_interval(_AGES, self._refresh_ages)

    def _refresh_ages(self) -> None:
        if self._rows and self._columns.age:
            self._now = time.time()
            self.refresh()

    def title(self) -> str:
        """`Scores 9 ✓ 2 ✗ 1 – · live · test_config.json`."""
        scores, facts = self.session.scores, self.session.scores.facts
        outdated = f"{len(scores.stale):,} outdated" if scores.stale else ""
        config = printable(facts.config) if facts is not None and scores.has_any else ""
        running = scores.progress or ("scoring …" if scores.is_running else "")
        live = "live" if scores.is_live else ""
        return " · ".join(filter(None, [f"Scores {scores.counted()}".rstrip(), running, live, outdated, config]))

    def say_in_title(self) -> None:
        """Say how many cases passed and failed, and what is in the pane that shares this place."""
        self._said = self.title()
        problems = self.session.problems.titled()
        beside = f" ─ {problems}" if problems else ""
        self.border_title = Content(f" {self._said}{beside} ")

    def _arrange(self) -> None:
        scores, some = self.session.scores, self._rows[:_SOME]
        runs = [scored.result.run for case in some if (scored := scores.of(case)) is not None]
        texts = [change_text(change).whole for case in some if (change := scores.change(case)) is not None]
        longest = Lengths(
            max((cell_len(case_title(case)) for case in some), default=0),
            max((len(recording_name(run.conversation)) for run in runs if run is not None), default=0),
            max(map(cell_len, texts), default=0) or int(bool(scores.changed_counts)),
        )
        width = self.scrollable_content_region.width or self.app.size.width
        self._columns = Columns(width, scores.judged, scores.informational, longest)
        self._head = self._head_lines(width)
        self.styles.min_height = min(_TALLEST, self.line_count() + 1)

    def on_resize(self) -> None:
        """Lay the columns out for another width."""
        self._arrange()
        super().on_resize()

    def line_count(self) -> int:
        """The head, a line a case, a line a remark; where there is nothing, what says what to do."""
        return len(self._head) + self.entry_count()

    def entry_count(self) -> int:
        """Cases and remarks."""
        return len(self._rows) + len(self._remarks) if self.has_news else 0

    def lines_of(self, entry: int) -> range:
        """The line of a case or remark, below the head."""
        return range(entry + len(self._head), entry + len(self._head) + 1)

    def entry_at(self, line: int) -> int | None:
        """The case or remark on a line; None for the head."""
        return line - len(self._head) if line >= len(self._head) else None

    def page(self) -> int:
        """Lines below the head that a page key moves."""
        return max(1, super().page() - len(self._head))

    @property
    def _remarks(self) -> tuple[Remark, ...]:
        facts = self.session.scores.facts
        return facts.remarks if facts is not None else ()

    def line(self, index: int) -> Line:
        """The head, a case, or a sentence."""
        if index < len(self._head):
            return self._head[index]
        number = index - len(self._head)
        if number >= len(self._rows):
            return remark_line(self._remarks[number - len(self._rows)])
        return self._columns.case(self._facts_of(self._rows[number]))

    def _facts_of(self, case: Node) -> RowFacts:
        scores = self.session.scores
        scored, recorded_at = scores.of(case), scores.recorded_at(case)
        age = self._now - recorded_at if recorded_at is not None else None
        result = scored.result if scored is not None else None
        return RowFacts(case_title(case), result, case in scores.stale, scores.change(case), age)

    def _head_lines(self, width: int) -> list[Line]:
        """Totals and the names of the columns; where nothing was scored a sentence, over as many lines as it takes."""
        scores = self.session.scores
        if self._rows:
            return [totals_line(scores, width), self._columns.head()]
        if scores.has_any and scores.shown != "all":
            return [totals_line(scores, width), [("  ", ""), (nothing_shown(scores), "")]]
        facts = self.session.scores.facts
        lines = wrapped(self.session.scores.why_none(self.session.file_name), width - 2, _MOST_SAID)
        return [[(line, "error" if facts is not None and facts.trouble else "dim")] for line in lines]

    @property
    def remark(self) -> Remark | None:
        """The selected sentence about the run as a whole; None on any other line."""
        at = self.cursor - len(self._rows)
        return self._remarks[at] if 0 <= at < len(self._remarks) and self.has_news else None

    def render_line(self, y: int) -> Strip:
        """The head stands still."""
        return super().render_line(y) if y >= len(self._head) else self.draw(y)

    def select(self, case: Node) -> None:
        """Go to the line of a case."""
        if case in self._rows:
            self.cursor = self._rows.index(case)

    # --- keys ----------------------------------------------------------------------------------------------

    def offer(self, command: Command) -> str:
        """The title of a command; "" where it is of no use on the selected line."""
        if command.id == "run.enter" and self.case is None:
            return "read" if self.remark is not None else ""
        return offered_title(command, self.session.scores)

    def cursor_moved(self) -> None:
        """Have the screen show the part of the line that does not fit into it."""
        if self.has_focus:
            self.post_message(Browsed())

    def show_cursor(self) -> None:
        """Scroll the selected line into sight."""
        self.show_lines(self.cursor, self.cursor + len(self._head))  # with the lines before, which the head may cover

    def left_out(self) -> str:
        """The rest of the selected line: scores and recording of a case, why it has none, or the key to read it."""
        if self.cursor >= self.entry_count():
            return ""
        is_cut = Content(text_of(self.line(self.cursor + len(self._head)))).cell_length > self.size.width - 2
        if self.case is None:
            return f"{key_of('run.enter')} shows all of it" if is_cut else ""
        return self._columns.left_out(self._facts_of(self.case), is_cut=is_cut)

    def action_enter(self) -> None:
        """Go to the case, and to the first of its turns that fails; or show a sentence in full."""
        if self.case is not None:
            self.post_message(GoToCase(self.case))
        elif self.remark is not None:
            self.post_message(Read(_TITLES[self.remark.severity], self.remark.text))
        else:
            why = self.session.scores.why_none(self.session.file_name)
            self.post_message(
                Read("scores", why) if len(self._head) > 1 and not self.session.scores.has_any else Say(why)
            )

    def on_click(self, event: events.Click) -> None:
        """Select a case and go to it."""
        entry = self.entry_under(event) if event.get_content_offset_capture(self).y >= len(self._head) else None
        if entry is not None:
            self.cursor = entry
            self.action_enter()

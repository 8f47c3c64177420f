"""The last run: a line a case with the score of each metric, failing first, then what else there is to say of it."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.strip import Strip

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.lines import Line, text_of
from evaltui.tui.panes.form_layout import wrapped
from evaltui.tui.panes.requests import Browsed, GoToCase, Read, Say
from evaltui.tui.panes.score_lines import Columns, cell_text, recording_name, remark_line
from evaltui.tui.session.run_facts import Remark
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.line_view import LineList

_TALLEST = 8
"""Lines that the pane has at least, where it has as many; the stylesheet says how many it has at most."""
_MOST_SAID = 5
"""Lines that a sentence takes which stands in the place of the cases."""
_TITLES = {"error": "error", "warning": "warning", "info": "note"}
_SOME = 200
"""So many of the first names say how wide their column is."""


class RunPane(LineList):
    """The head stays in sight while the lines below it scroll."""

    PLACE = "run"
    BINDINGS = bindings("list", "run")

    def __init__(self, session: Session) -> None:
        super().__init__(id="run")
        self.session = session
        self._rows: list[Node] = []
        self._version = -1
        self._said = ""
        self.had_failing = False
        """Whether any case failed since the file was opened."""
        self._columns = Columns(80, [], [], [], 0)
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
        self._version, before = scores.version, self.case
        self._rows = scores.rows if scores.has_any else []
        self.had_failing |= bool(scores.counts["failed"])
        if before is not None and before is not self.case and before in self._rows:
            self.set_reactive(RunPane.cursor, self._rows.index(before))
        self.set_reactive(RunPane.cursor, max(0, min(self.cursor, self.entry_count() - 1)))
        self._arrange()
        self.say_in_title()
        self.refresh_size()
        self.show_cursor()
        self.refresh()
        return True

    def title(self) -> str:
        """`Scores 9 ✓ 2 ✗ 1 – · test_config.json`, under a trial `Scores 9 ✓ tried · not written · …`."""
        scores, facts = self.session.scores, self.session.scores.facts
        stale = f"{len(scores.stale):,} edited since" if scores.stale else ""
        config = printable(facts.config) if facts is not None and scores.has_any else ""
        running = scores.progress or ("scoring …" if scores.is_running else "")
        tried = "not written" if scores.trial.is_unwritten else ""
        return " · ".join(filter(None, [f"Scores {scores.counted()}".rstrip(), running, stale, tried, config]))

    def say_in_title(self) -> None:
        """Say how many cases passed and failed, and what is in the pane that shares this place."""
        self._said = self.title()
        problems = self.session.problems.titled()
        beside = f" ─ {problems}" if problems else ""
        self.border_title = Content(f" {self._said}{beside} ")

    def _arrange(self) -> None:
        scores, names = self.session.scores, [case_title(case) for case in self._rows[:_SOME]]
        recording = 0
        for case in self._rows[:_SOME]:
            scored = scores.of(case)
            if scored is not None and scored.result.run is not None:
                recording = max(recording, len(recording_name(scored.result.run.conversation)))
        width = self.scrollable_content_region.width or self.app.size.width
        self._columns = Columns(width, names, scores.judged, scores.informational, recording)
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
        return max(1, super().page() - 1)

    @property
    def _remarks(self) -> tuple[Remark, ...]:
        return self.session.scores.remarks

    def line(self, index: int) -> Line:
        """The head, a case, or a sentence."""
        if index < len(self._head):
            return self._head[index]
        number = index - len(self._head)
        if number >= len(self._rows):
            return remark_line(self._remarks[number - len(self._rows)])
        case = self._rows[number]
        scored = self.session.scores.of(case)
        is_stale = case in self.session.scores.stale
        return self._columns.case(case_title(case), scored.result if scored is not None else None, is_stale=is_stale)

    def _head_lines(self, width: int) -> list[Line]:
        """The names of the columns; without cases a sentence, over as many lines as it takes."""
        if self._rows:
            return [self._columns.head()]
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
        return command.title

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
        case = self.case
        scored = self.session.scores.of(case) if case is not None else None
        if case is None:
            return f"{key_of('run.enter')} shows all of it" if is_cut else ""
        if scored is None or scored.result.reason:
            return scored.result.reason if is_cut and scored is not None and scored.result.reason else ""
        metrics = [each for each in scored.result.metrics if each.name not in self._columns.metrics]
        left_out = [each for each in metrics if each.status != "informational" or each.score is not None]
        said = [f"{each.name} {cell_text(each)}" for each in left_out]
        said += [f"{m.name}: {m.reason}" for m in scored.result.metrics if m.status == "not_evaluated" and m.reason]
        run = scored.result.run
        if run is not None and not self._columns.recording:
            said.append(recording_name(run.conversation))
        return " · ".join(said)

    def action_enter(self) -> None:
        """Go to the case, and to the first of its turns that fails; or show a sentence in full."""
        if self.case is not None:
            self.post_message(GoToCase(self.case))
        elif self.remark is not None:
            self.post_message(Read(_TITLES[self.remark.severity], self.remark.text))
        else:
            why = self.session.scores.why_none(self.session.file_name)
            self.post_message(Read("scores", why) if len(self._head) > 1 else Say(why))

    def on_click(self, event: events.Click) -> None:
        """Select a case and go to it."""
        entry = self.entry_under(event) if event.get_content_offset_capture(self).y >= len(self._head) else None
        if entry is not None:
            self.cursor = entry
            self.action_enter()

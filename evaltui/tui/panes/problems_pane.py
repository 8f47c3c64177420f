"""What opening the file found, worst first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.reactive import reactive

from evaltui.document import Node
from evaltui.printable import printable
from evaltui.tui.commands import bindings
from evaltui.tui.lines import Line
from evaltui.tui.panes.requests import Say, Visit
from evaltui.tui.session import Session
from evaltui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from evaltui.document.inspection import Finding


MARKS = {"error": ("✗ ", "error"), "warning": ("! ", "warning"), "info": ("· ", "dim")}
_ORDER = {"error": 0, "warning": 1, "info": 2}


class ProblemsPane(LineView):
    """A line a finding; hidden where there are none."""

    PLACE = "problems"
    BINDINGS = bindings("list", "problems")

    cursor: reactive[int] = reactive(0)

    def __init__(self, session: Session) -> None:
        super().__init__(id="problems")
        self.border_title = " Problems "
        self.session = session

    def refresh_findings(self) -> None:
        """There are more findings than before."""
        self.session.findings.sort(key=lambda finding: (_ORDER[finding.severity], finding.line, finding.column))
        self.refresh_size()
        self.refresh()

    def line_count(self) -> int:
        """One line a finding."""
        return len(self.session.findings)

    def line(self, index: int) -> Line:
        """Mark, place and sentence."""
        finding = self.session.findings[index]
        return [MARKS[finding.severity], (f"line {finding.line}: ", "dim"), (printable(finding.message), "")]

    def is_selected(self, index: int) -> bool:
        """Whether the cursor is on this finding."""
        return index == self.cursor

    @property
    def selected_node(self) -> Node | None:
        """The value that the selected finding is about, where it is about one."""
        return self.session.findings[self.cursor].node if self.session.findings else None

    def action_move(self, step: int) -> None:
        """Go some findings up or down."""
        self.cursor = max(0, min(self.line_count() - 1, self.cursor + step))
        self.show_lines(self.cursor, self.cursor)

    def action_move_page(self, direction: int) -> None:
        """Go a page up or down."""
        self.action_move(direction * self.page())

    def action_move_end(self, direction: int) -> None:
        """Go to the first or last finding."""
        self.action_move(direction * self.line_count())

    def action_enter(self) -> None:
        """Go to the value that the finding is about."""
        finding = self.session.findings[self.cursor] if self.session.findings else None
        if finding is None or finding.node is None:
            self.post_message(Say("This problem concerns the file as a whole."))
        else:
            self.post_message(Visit(finding.node))

    def on_click(self, event: events.Click) -> None:
        """Select a finding and go to it."""
        row = self.line_at(event.get_content_offset_capture(self).y)
        if row is not None:
            self.cursor = row
            self.action_enter()


def counted(findings: list[Finding]) -> str:
    """How many there are of each severity: `1 error 2 warnings`."""
    parts = []
    for severity in ("error", "warning"):
        count = sum(finding.severity == severity for finding in findings)
        if count:
            parts.append(f"{count} {severity}{'s' * (count > 1)}")
    return " ".join(parts)

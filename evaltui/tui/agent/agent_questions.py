"""Questions before an agent runs: whether to trust the command of a project, and whether to save first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content

from evaltui.printable import printable
from evaltui.tui.lines import folded
from evaltui.tui.screens.questions import QuestionDialog

if TYPE_CHECKING:
    from evaltui.runs.agent_run import AgentPlan

_WIDTH = 64
"""Cells of a line in the dialog, which fits into 80 columns."""


def trust_question(plan: AgentPlan) -> QuestionDialog:
    """Asks whether to run a command of the project, all of which is shown: `run`, or "" for no."""
    command = plan.command
    name = printable(command.origin.name)
    question = Content.assemble(
        ("Trust this command?", "bold"),
        f"\n{name} names it to run the agent. It can do all that you can. Whoever wrote the file chose it.",
    )
    rows = [("From", str(command.origin)), ("In", str(command.folder)), ("Runs", plan.shown)]
    if command.text != plan.shown:
        rows.append(("Written", command.text))
    details = [
        Content.assemble((f"{title if not number else '':<9}", "dim"), line)
        for title, text in rows
        for number, line in enumerate(folded(text.replace("\n", "␊"), _WIDTH - 9))
    ]
    return QuestionDialog("trust", question, details=details, is_read_first=True)


def unsaved_question(file_name: str, *, is_absent: bool) -> QuestionDialog:
    """Asks before the agent reads a file that is not what is on screen: `save`, `run` or "" for no."""
    if is_absent:
        said = f"{file_name} is not on disk. The agent reads the file."
    else:
        said = f"{file_name} has unsaved changes. The agent reads the file on disk."
    return QuestionDialog("unsaved_run", said, without=["unsaved_run.run"] if is_absent else [])

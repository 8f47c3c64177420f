"""The question before an agent runs that would read another text than is on screen."""

from __future__ import annotations

from evaltui.tui.screens.questions import QuestionDialog


def unsaved_question(file_name: str, *, is_absent: bool) -> QuestionDialog:
    """Asks before the agent reads a file that is not what is on screen: `save`, `run` or "" for no."""
    if is_absent:
        said = f"{file_name} is not on disk. The agent reads the file on disk."
    else:
        said = f"{file_name} has unsaved changes. The agent reads the file on disk, without them."
    return QuestionDialog("unsaved_run", said, without=["unsaved_run.run"] if is_absent else [])

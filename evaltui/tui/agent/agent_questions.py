"""The question before an agent runs while the file on disk differs from the screen."""

from __future__ import annotations

from evaltui.tui.screens.questions import QuestionDialog


def unsaved_question(file_name: str, *, is_absent: bool) -> QuestionDialog:
    """Asks what to do if the file on disk differs from the screen: `save`, `run` or "" for no."""
    if is_absent:
        said = f"{file_name} is not on disk. The agent reads the file on disk."
    else:
        said = f"{file_name} has unsaved changes. The agent reads the file on disk, without these changes."
    return QuestionDialog("unsaved_run", said, without=["unsaved_run.run"] if is_absent else [])

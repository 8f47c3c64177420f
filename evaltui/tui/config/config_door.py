"""Opens the criteria screen from the editor and the review."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


def open_criteria(file: OpenFile, say: Callable[[str], object]) -> None:
    """Open the criteria of the set as a form. `say` shows why that is not possible, and later that a trial goes on."""
    if file.case_file is None and not file.said_trial():
        say("Only an eval set has criteria.")
        return
    try:
        file.trial.reopen_unless_tried()
        file.trial.config()
    except DocumentError as error:
        say(f"The config cannot be opened: {error}")
        return
    from evaltui.tui.config.config_screen import ConfigScreen

    def left(said: str | None) -> None:
        if file.trial.waits:
            file.trial.follow()
        for view in file.views:
            view.show_scores()
        say(said or file.trial.said_left)

    file.app.push_screen(ConfigScreen(file), left)

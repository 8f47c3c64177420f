"""The app that lists the eval sets of a folder."""

from __future__ import annotations

from pathlib import Path

from textual.screen import Screen

from evaltui.settings.user_settings import Settings
from evaltui.tui.base_app import BaseApp
from evaltui.tui.screens.sets_screen import SetsScreen


class SetsApp(BaseApp):
    """Ends with the file to open next."""

    is_list = True

    def __init__(
        self, folder: Path, start: Path | None = None, said: str = "", settings: Settings | None = None
    ) -> None:
        super().__init__(settings)
        self._sets = folder, start, said or self.settings.said()

    def get_default_screen(self) -> Screen[str]:
        """The list."""
        self.read_rest_of_css()
        return SetsScreen(*self._sets)

"""The base of the controllers that lead to problems and to scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.editor.bar_texts import StatusHint
from evaltui.tui.editor.finder import Finder
from evaltui.tui.editor.navigator import Navigator
from evaltui.tui.editor.pane_layout import Panes

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile


class Guide:
    """Marks rows, places panes and goes to a place, for `ProblemGuide` and `ScoreGuide`."""

    def __init__(
        self,
        file: OpenFile,
        panes: Panes,
        hint: StatusHint,
        navigator: Navigator,
        finder: Finder,
    ) -> None:
        self._file = file
        self._panes = panes
        self._hint = hint
        self._navigator = navigator
        self._finder = finder

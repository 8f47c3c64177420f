"""List of themes with a preview: the screen behind it shows the selected theme."""

from __future__ import annotations

from textual import on
from textual.widgets import OptionList

from evaltui.tui.screens.choice_dialog import ChoiceDialog


class ThemeDialog(ChoiceDialog):
    """Returns the chosen theme, or None if the dialog is cancelled; the caller then restores the earlier theme."""

    @on(OptionList.OptionHighlighted)
    def _show_theme(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        name = self.choice_at(event.option_index).label
        if name != self.app.theme:
            self.app.theme = name

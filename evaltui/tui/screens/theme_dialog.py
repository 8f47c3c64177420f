"""A list of themes; the screen behind it shows the selected one."""

from __future__ import annotations

from textual import on
from textual.widgets import OptionList

from evaltui.tui.screens.choice_dialog import ChoiceDialog


class ThemeDialog(ChoiceDialog):
    """Gives the theme chosen, or None; whoever asks puts the former one back then."""

    @on(OptionList.OptionHighlighted)
    def _show_theme(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        name = self.choice_at(event.option_index).label
        if name != self.app.theme:
            self.app.theme = name

"""The key that opens the command palette."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.tui.panes.bars import owner_of
from evaltui.tui.screens.with_settings import WithSettings

if TYPE_CHECKING:
    from evaltui.tui.commands import Command


class WithPalette(WithSettings):
    """The part of a screen that opens the palette and does what is chosen, for the pane one was in."""

    def title_of(self, command: Command) -> str:
        """What a command is called at present; "" where it is of no use."""
        return command.title

    def action_palette(self) -> None:
        """Choose a command by its name."""
        from evaltui.tui.screens.palette import PaletteScreen, entries_for

        focused = self.focused or self
        place = getattr(focused, "PLACE", "list")

        async def chosen(command: Command | None) -> None:
            if command is not None:
                target = self.focused or self
                await self.app.run_action(command.action, default_namespace=owner_of(target, command))

        self.app.push_screen(PaletteScreen(entries_for(place, focused, self.title_of)), chosen)

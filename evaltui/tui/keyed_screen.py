"""Base of the screens whose keys are commands of several screens, such as save, undo and the moves in a list."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual.actions import SkipAction
from textual.screen import Screen, ScreenResultType
from textual.widgets import Input

from evaltui.tui.textual_compat import redraw_only_if_seen
from evaltui.tui.widgets.line_view import LineView

if TYPE_CHECKING:
    from evaltui.tui.command import Command
    from evaltui.tui.widgets.text_field import TextField


class KeyedScreen(Screen[ScreenResultType]):
    """A screen that does some of the commands of several screens, a few of them in its own way."""

    OWN_WAYS: ClassVar[Mapping[str, Callable[[Any], object]]] = {}
    """This screen's own code for commands of several screens, by the ids of the commands."""
    SHARED: ClassVar[Collection[str]] = ()
    """Ids of commands of several screens whose code works here, too."""

    def __init__(self, name: str | None = None, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(name, id, classes)
        redraw_only_if_seen(self)

    def does(self, command: Command) -> bool:
        """Whether a command acts on this screen now."""
        return not command.is_shared or command.does in self.OWN_WAYS or command.does in self.SHARED

    def quit(self) -> object:
        """Quit the app, after a question if something is unsaved."""
        raise NotImplementedError

    @property
    def lines(self) -> LineView:
        """The list with the focus. Without one, the key goes on to other widgets."""
        if not isinstance(self.focused, LineView):
            raise SkipAction
        return self.focused

    @property
    def field(self) -> TextField:
        """The text field with the focus. Without one, the key goes on to other widgets."""
        from evaltui.tui.widgets.text_field import TextField

        if not isinstance(self.focused, TextField):
            raise SkipAction
        return self.focused

    @property
    def filter_box(self) -> Input:
        """The line of the filter with the focus. Without one, the key goes on to other widgets."""
        if not isinstance(self.focused, Input):
            raise SkipAction
        return self.focused

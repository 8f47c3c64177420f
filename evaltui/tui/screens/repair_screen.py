"""The view of a file that is not JSON: what is wrong, where, and the text around it."""

from __future__ import annotations

from typing import cast

from textual.app import ComposeResult, SuspendNotSupported
from textual.content import Content
from textual.widgets import Static

from evaltui.printable import printable
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import bindings
from evaltui.tui.external_editor import EditorError, edit_file
from evaltui.tui.lines import Line
from evaltui.tui.opening import OpenNext
from evaltui.tui.screens.with_palette import WithPalette
from evaltui.tui.session import Session
from evaltui.tui.widgets.line_view import LineView


class BrokenText(LineView):
    """The lines of the file, the broken one marked."""

    PLACE = "problems"

    def __init__(self, text: str, broken_line: int, column: int) -> None:
        super().__init__(id="broken-text")
        self._lines = text.split("\n")
        self._broken, self._column = broken_line - 1, column

    def on_mount(self) -> None:
        """Show the place with some lines before it."""
        self.refresh_size()
        self.call_after_refresh(lambda: self.show_lines(max(0, self._broken - 5), self._broken + 5))

    def line_count(self) -> int:
        """The lines of the file and one for the mark."""
        return len(self._lines) + 1

    def line(self, index: int) -> Line:
        """A numbered line; below the broken one a mark at the column."""
        hidden = self._hidden_columns()
        if index == self._broken + 1:
            return [("       ", ""), (" " * (self._column - 1 - hidden) + "▲ here", "error")]
        number = index if index <= self._broken else index - 1
        width = self.scrollable_content_region.width
        return [(f"{number + 1:>5}  ", "dim"), (printable(self._lines[number][hidden : hidden + width]), "")]

    def _hidden_columns(self) -> int:
        """How far all lines are moved to the left, so that the fault in a long one is in sight."""
        room = max(20, self.scrollable_content_region.width - 16)
        return max(0, self._column - room // 2) if self._column > room else 0

    def is_selected(self, index: int) -> bool:
        """Whether this is the broken line."""
        return index == self._broken

    def action_move(self, step: int) -> None:
        """Scroll."""
        self.scroll_relative(y=step, animate=False)

    def action_move_page(self, direction: int) -> None:
        """Scroll a page."""
        self.scroll_relative(y=direction * self.page(), animate=False)

    def action_move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self.scroll_to(y=0 if direction < 0 else self.line_count(), animate=False)


class RepairScreen(WithPalette):
    """Shows the error; the file is changed by the person's own editor only."""

    BINDINGS = bindings("list", "everywhere")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def compose(self) -> ComposeResult:
        """The sentence, and the text around the place."""
        document = self.session.document
        fault = document.fault
        assert fault is not None
        line, column = document.line_and_column(fault.offset)
        place = f"{self.session.file_name}:{line}:{column}"
        yield Static(Content(f" {place}: not JSON: {printable(fault.message)}"), markup=False, id="title")
        yield BrokenText(document.body().decode("utf-8", "replace"), line, column)
        yield Static(
            Content(" e opens the file in $EDITOR at this place and reads it again. q quits."), markup=False, id="keys"
        )

    def on_mount(self) -> None:
        """Begin in the text."""
        self.query_one(BrokenText).focus()

    def _forward(self, action: str, argument: int) -> None:
        getattr(self.query_one(BrokenText), f"action_{action}")(argument)

    def action_move(self, step: int) -> None:
        """Scroll."""
        self._forward("move", step)

    def action_move_page(self, direction: int) -> None:
        """Scroll a page."""
        self._forward("move_page", direction)

    def action_move_end(self, direction: int) -> None:
        """Scroll to the first or last line."""
        self._forward("move_end", direction)

    def action_edit_outside(self) -> None:
        """Edit the file itself in $VISUAL or $EDITOR, and show what it is then."""
        document = self.session.document
        assert document.fault is not None and document.path is not None
        place = document.line_and_column(document.fault.offset)
        try:
            with self.app.suspend():
                edit_file(document.path, *place)
        except SuspendNotSupported:
            self._say("This terminal cannot be handed to an editor.")
        except EditorError as error:
            self._say(str(error))
        else:
            self.app.exit(OpenNext(document.path))

    def _say(self, sentence: str) -> None:
        self.query_one("#keys", Static).update(Content(f" {printable(sentence)}"))

    def action_help(self) -> None:
        """Show all keys."""
        from evaltui.tui.screens.help_screen import HelpScreen

        self.app.push_screen(HelpScreen("everywhere"))

    def action_say_how_to_quit(self) -> None:
        """The last line says it already."""

    def action_open_another(self) -> None:
        """Go to the list of eval sets."""
        self.app.exit(OpenNext())

    def action_quit(self) -> None:
        """Leave; there is nothing to save."""
        self.app.exit()

    def action_back_or_quit(self) -> None:
        """Leave, to the list if one came from there; there is nothing to save."""
        self.app.exit(OpenNext() if cast(BaseApp, self.app).came_from_list else None)

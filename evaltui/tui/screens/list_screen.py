"""Base of the screens with a list: its title, its filter, a detail of the selected entry, and the bars."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, Static

from evaltui.tui.command import Command
from evaltui.tui.lines import counted, cut_at_word
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import Answer, CommandScreen
from evaltui.tui.widgets.line_input import FilterInput, FilterLine, title_while_filtering
from evaltui.tui.widgets.line_view import LineList


class ListScreen(CommandScreen[Answer]):
    """A screen that shows one of its lists, with a detail of the selected entry."""

    AUTO_FOCUS = ""
    NOUN = "line"
    """An entry, in the count of the filter line."""

    def __init__(self, lists: Sequence[LineList], detail: Widget | None = None) -> None:
        """The first list is shown first. A list posts `Browsed` when its detail or the useful keys change."""
        super().__init__()
        self.shown_list = lists[0]
        self._lists, self._detail = lists, detail
        self.head = Static(markup=False, id="title")
        self.status = StatusBar()
        self.keys = KeysBar(self.title_of)
        # Mounted at its first use: most people never filter.
        self._filter = FilterLine("words to find")
        self.filter_text = ""
        """The words that lines must have, while a filter is on."""

    # --- for subclasses --------------------------------------------------------------------------------------

    def title_texts(self) -> tuple[Content | str, str]:
        """The title at the left, which is bold and cut if it is a plain text, and at the right."""
        raise NotImplementedError

    @abstractmethod
    def fill(self) -> None:
        """Show the present entries in the list."""

    def show_detail(self) -> None:
        """Show the detail of the selected entry."""

    def offered_title(self, command: Command) -> str:
        """The title of a command in the keys line, unless a filter is typed; "" if it would do nothing now."""
        return command.title

    # --- showing ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Title, lists (one is visible), detail, and the bars."""
        yield self.head
        yield from self._lists
        if self._detail is not None:
            yield self._detail
        yield self.status
        yield self.keys

    def on_mount(self) -> None:
        """Begin with the first list."""
        self.show_list(self.shown_list)

    def show_list(self, shown_list: LineList) -> None:
        """Show one of the lists, without a filter."""
        self.shown_list = shown_list
        self.drop_filter()
        # All lists stay mounted, so that each keeps its cursor.
        for line_list in self._lists:
            line_list.display = line_list is shown_list
        self.show_again()
        self.focus_list()

    def focus_list(self) -> None:
        """Give the keys to the list."""
        # Nothing to scroll to: the list is always in sight.
        self.set_focus(self.shown_list, scroll_visible=False)
        self.keys.show_place(self.shown_list.PLACE)

    def show_again(self) -> None:
        """Show the list and the title as they are now."""
        self.fill()
        self.show_title()

    def show_title(self) -> None:
        """Show the title, and the keys that are of use."""
        if not self.is_mounted:  # the file may change on disk before this screen is composed
            return
        title, right = self.title_texts()
        aside = f"  {right} " if right else ""
        room = max(10, self.size.width - len(aside))
        if isinstance(title, str):
            title = Content.styled(cut_at_word(f"   {title}", room), "bold")
        # Of one height: a layout takes long.
        self.head.update(title.truncate(room, pad=True) + Content.styled(aside, "dim"), layout=False)
        self.keys.update()

    @on(LineList.Browsed)
    def _show_selected(self) -> None:
        if self.is_mounted:
            self.show_detail()
            self.keys.update()

    def on_resize(self) -> None:
        """Lay the title and the detail out for another width."""
        self.call_after_refresh(self.show_title)
        self.call_after_refresh(self._show_selected)

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the list, the detail or the filter."""
        if place := getattr(self.focused, "PLACE", ""):
            self.keys.show_place(place)

    def title_of(self, command: Command) -> str:
        """The title of a command in the keys line; "" if it would do nothing now."""
        return title_while_filtering(command) if self.keys.place == FilterInput.PLACE else self.offered_title(command)

    def show_message(self, message: str | None) -> None:
        """Show a sentence about the file, on a screen that stays while the file changes. Its title may change, too."""
        super().show_message(message)
        if self.may_move:
            self.show_title()

    # --- keys ------------------------------------------------------------------------------------------------

    async def find(self) -> None:
        """Open the line of the filter, which replaces the status line while the person types."""
        if not self._filter.is_attached:
            await self.mount(self._filter, before=self.keys)
        self._filter.input.value = self.filter_text
        self._filter.display, self.status.display = True, False
        self.set_focus(self._filter.input, scroll_visible=False)

    @on(Input.Changed)
    def _narrow(self, event: Input.Changed) -> None:
        # Each letter filters: a person stops typing once few lines are left.
        self.filter_text = event.value
        self.show_again()
        self._filter.say(counted(self.shown_list.entry_count(), self.NOUN))

    def keep_filter(self) -> None:
        """Close the filter line, and keep the filter."""
        self._filter.display, self.status.display = False, True
        self.focus_list()

    def clear_filter(self) -> None:
        """Show all lines again."""
        self.drop_filter()
        self.keep_filter()
        self.show_again()

    def drop_filter(self) -> bool:
        """Forget the words of the filter; False if there were none."""
        was_on, self.filter_text = bool(self.filter_text), ""
        if self._filter.is_attached:
            self._filter.input.value = ""
        return was_on

    def leave(self) -> None:
        """Clear the filter, else go back to the previous screen."""
        if self.drop_filter():
            self.show_again()
        else:
            self.close()

    def close(self) -> None:
        """Go back to the previous screen."""
        self.dismiss(None)

    def quit(self) -> object:
        """Close, then quit as the screen behind does."""
        self.dismiss(None)
        # The screen behind knows what would be lost, and asks.
        return self.app.quit_from_here()

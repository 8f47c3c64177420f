"""The three bars of one line: title, status, and the keys of the focused pane."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.dom import DOMNode
from textual.widget import Widget

from evaltui.printable import printable
from evaltui.tui.commands import Command, commands_at, key_name
from evaltui.tui.lines import preview
from evaltui.tui.panes.problems_pane import counted
from evaltui.tui.session import Session


class TitleBar(Widget):
    """File, set, number of cases, problems; ● while something is unsaved."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="title")
        self.session = session
        self._drawn = Content("")

    def update(self) -> None:
        """Draw anew if that makes a difference: what lies between two dirty lines is drawn with them."""
        if self._content() != self._drawn:
            self.refresh()

    def render(self) -> Content:
        """One line, the counts at the right."""
        self._drawn = self._content()
        return self._drawn

    def _content(self) -> Content:
        document, eval_set = self.session.document, self.session.eval_set
        mark = "●" if document.is_dirty else " "
        left = Content.assemble((f" {mark} ", "$accent"), (self.session.file_name, "bold"))
        if document.is_new:
            left += Content.styled("  new", "dim")
        if eval_set is not None and (name := eval_set.root.member("name")) is not None and name.text():
            left += Content.styled(f" · {preview(name.text(), 60)}", "dim")
        right = "  ".join(part for part in (self._cases(), counted(self.session.findings)) if part) + " "
        room = self.size.width - left.cell_length - len(right)
        if room < 1:
            left = left.truncate(max(4, self.size.width - len(right) - 1), ellipsis=True)
            room = max(1, self.size.width - left.cell_length - len(right))
        return left + Content(" " * room) + Content.styled(right, "dim")

    def _cases(self) -> str:
        eval_set = self.session.eval_set
        if self.session.saving:
            return "saving …"
        if eval_set is None:
            return "JSON"
        count = len(eval_set.cases)
        return f"{count:,} case{'s' * (count != 1)}"


class StatusBar(Widget):
    """What the last command did; at rest, what there is to know."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self._text = ""

    def say(self, text: str) -> None:
        """Show a sentence."""
        before, self._text = self._text, printable(text)
        if self._text != before:
            self.refresh()

    @property
    def text(self) -> str:
        """The sentence shown."""
        return self._text

    def render(self) -> Content:
        """One line, cut at its end."""
        return Content(f" {self._text}").truncate(self.size.width, ellipsis=True)


class KeysBar(Widget):
    """The keys of the focused pane, as many as fit; a click does what the key does."""

    def __init__(self) -> None:
        super().__init__(id="keys")
        self.place = "tree"
        self._spots: list[tuple[int, int, Command]] = []

    def show_place(self, place: str) -> None:
        """Show the keys that act at a place."""
        if place != self.place:
            self.place = place
            self.refresh()

    def commands(self) -> list[Command]:
        """The commands to show: of the place, then those that act everywhere."""
        general = ["everywhere"] if self.place == "field" else ["everywhere", "list"]
        return [command for command in commands_at(self.place, *general) if command.footer]

    def render(self) -> Content:
        """Key and title of each command."""
        shown, at = Content(""), 1
        self._spots = []
        order = sorted(self.commands(), key=lambda command: command.place != self.place)
        for command in order:
            key = key_name(command.keys.split(",")[0])
            length = len(key) + 1 + len(command.title)
            if at + length > self.size.width:
                break
            self._spots.append((at, at + length, command))
            shown += Content.assemble((key, "bold $accent"), (f" {command.title}", "dim"), "  ")
            at += length + 2
        return Content(" ") + shown

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the mouse does."""
        for start, stop, command in self._spots:
            if start <= event.x < stop:
                focused = self.screen.focused or self.screen
                await self.app.run_action(command.action, default_namespace=_owner(focused, command))


def _owner(focused: Widget, command: Command) -> DOMNode:
    """The widget around the focused one that has the action of a command."""
    method = "action_" + command.action.partition("(")[0].rpartition(".")[2]
    return next((node for node in focused.ancestors_with_self if hasattr(node, method)), focused)

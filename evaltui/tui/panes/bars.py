"""The three one-line bars: title, status, and the keys of the focused pane."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.dom import DOMNode
from textual.widget import Widget

from evaltui.printable import printable
from evaltui.tui.command import Command
from evaltui.tui.commands import command_of, commands_at, key_name, key_of, own_places, places_beside
from evaltui.tui.lines import DRAFT, UNSAVED, Line, cut_at_clause, cut_at_word, preview, sign
from evaltui.tui.messages import MessageLog, undo_said_in_field
from evaltui.tui.session.session import Session
from evaltui.tui.widgets.line_view import TOO_SMALL, LineBar, has_room

_LEAST_NAME = 8
"""Cells for the mark and the name of the file that counts leave at least."""


class TitleBar(Widget):
    """The title bar: file, set, number of cases, problems, scores; ● while something is unsaved."""

    def __init__(self, session: Session) -> None:
        super().__init__(id="title")
        self.session = session
        self._drawn = Content("")

    def update(self) -> None:
        """Redraw, but only if the text changed: Textual also redraws all lines between two changed ones."""
        if self._content() != self._drawn:
            self.refresh()

    def render(self) -> Content:
        """The title line, with counts at the right."""
        self._drawn = self._content()
        return self._drawn

    def _content(self) -> Content:
        document, eval_set = self.session.document, self.session.eval_set
        trial = self.session.scores.trial.is_unwritten or bool(self.session.said_trial())
        is_draft = trial or bool(self.session.drafts.live())
        mark = sign(UNSAVED) if document.is_dirty else sign(DRAFT) if is_draft else " "
        left = Content.assemble((f" {mark} ", "$text-accent"), (self.session.file_name, "bold"))
        if document.is_new:
            left += Content.styled("  new", "dim")
        if self.session.reading is not None:
            left += Content.styled(f" · {self.session.reading.title}", "dim")
        elif self.session.readonly:
            left += Content.styled("  read-only", "dim")
        if trial:
            left += Content.styled("  trial criteria", "$text-accent")
        if self.session.disk.trouble:
            left += Content.styled(f"  ! {self.session.disk.trouble}", "$text-warning")
        if self.session.journal_trouble:
            left += Content.styled("  ! no journal", "$text-warning")
        without_name = left
        if eval_set is not None and (name := eval_set.root.member("name")) is not None and name.text():
            left += Content.styled(f" · {preview(name.text(), 60)}", "dim")
        elif self.session.dataset is not None:
            left += Content.styled(" · EvaluationDataset", "dim")
        problems, scores = self.session.problems, self.session.scores
        every = (self._cases(), self.session.agent, problems.progress, problems.counted())
        counts = [*filter(None, [*every, scores.progress or scores.counted()])]
        while len(counts) > 1 and len("  ".join(counts)) > self.size.width - _LEAST_NAME:
            del counts[0]  # the last ones change while a person works, and half a number would be another one
        right = "  ".join(counts) + " "
        room = self.size.width - left.cell_length - len(right)
        if room < 1:
            most = max(4, self.size.width - len(right) - 1)
            cut = cut_at_word(left.plain, most)
            fitting = cell_len(cut) if cut.strip(" …●✎") else most  # a long name is cut within
            if fitting <= without_name.cell_length <= most:  # marks are not cut to say that a name follows
                left = without_name
            else:
                left = left.truncate(fitting, ellipsis=True)
            room = max(1, self.size.width - left.cell_length - len(right))
        return left + Content(" " * room) + Content.styled(right, "dim")

    def _cases(self) -> str:
        case_file = self.session.case_file
        if self.session.saving:
            return "saving …"
        if self.session.disk.reading:
            return "reading …"
        if case_file is None:
            return "JSON"
        count = len(case_file.cases)
        return f"{count:,} case{'s' * (count != 1)}"


class StatusBar(Widget):
    """The status line: the last message, else a hint about the selected line."""

    def __init__(self) -> None:
        super().__init__(id="status")
        self._text = self._aside = self._hint = ""
        self._hint_asides = ("", "")
        self._had_room = True

    def on_mount(self) -> None:
        """Hide the hint while a dialog is in front: its keys would not act."""
        self.app.screen_change_signal.subscribe(self, lambda _: self.refresh())
        self.screen.screen_layout_refresh_signal.subscribe(self, lambda _: self._look_for_room())

    def _look_for_room(self) -> None:
        """After a layout: say whether the terminal is too small."""
        if has_room(self.screen) != self._had_room:
            self.refresh()

    def hint(self, text: str) -> None:
        """Set the hint, which shows while there is no message."""
        if text != self._hint:
            self._hint = text
            if not self._text:
                self.refresh()

    def hint_beside(self, aside: str, shorter: str = "") -> None:
        """Set the text at the right of the hint, and a `shorter` one for a line too narrow for both texts."""
        asides = (aside, shorter or aside)
        if asides != self._hint_asides:
            self._hint_asides = asides
            if not self._text:
                self.refresh()

    def say(self, text: str, aside: str = "", subject: Hashable = None) -> None:
        """Show a message, with `aside` at the right, which is never cut.

        The message log keeps the message; of several in a row about one `subject`, only the last.
        """
        before = self._text, self._aside
        self._text, self._aside = printable(text), aside
        if (self._text, self._aside) != before:
            self.refresh()
        # BaseApp imports this module, so its type cannot be imported here.
        if self._text and isinstance(log := getattr(self.app, "messages", None), MessageLog):
            log.add(self._text, subject)

    def forget(self, beginning: str) -> None:
        """Remove the message if it has this beginning: what it says of the keys is no longer true."""
        if self._text.startswith(beginning):
            self.say("")

    def beside(self, aside: str) -> None:
        """Show a text at the right of the message."""
        if aside != self._aside:
            self._aside = aside
            self.refresh()

    def name_keys_of_field(self) -> None:
        """A field gets the keyboard: name the undo key that works there."""
        before = self._text, self._aside
        self._text, self._aside = undo_said_in_field(self._text), undo_said_in_field(self._aside)
        if (self._text, self._aside) != before:
            self.refresh()

    @property
    def at_rest(self) -> str:
        """The hint while it is shown, else ""."""
        return "" if self._text else self._hint

    @property
    def text(self) -> str:
        """The last message."""
        return f"{self._text} {self._aside}".rstrip()

    def render(self) -> Content:
        """The status line. A long message is cut, with the key that shows all of it."""
        self._had_room = has_room(self.screen)
        if not self._had_room:
            return Content(f" {TOO_SMALL}")
        is_covered = self.app.screen is not self.screen
        hint, (hint_aside, shorter) = ("", ("", "")) if is_covered else (self._hint, self._hint_asides)
        if cell_len(hint) + cell_len(hint_aside) + 4 > self.size.width:
            hint_aside = shorter
        aside = self._aside if self._text else self._aside or hint_aside
        room = self.size.width - len(aside) - (3 if aside else 2)
        more = f" {key_of('messages')} more" if cell_len(self._text or hint) > room else ""
        fitting = max(1, room - len(more))
        text = cut_at_word(self._text, fitting) if self._text else cut_at_clause(hint, fitting)
        said = Content.styled(f" {text}", "" if self._text else "dim") + Content.styled(more, "dim")
        said = said.truncate(max(1, room + 1), ellipsis=True)
        gap = self.size.width - 1 - len(aside) - said.cell_length
        return said + Content(" " * gap) + Content.styled(aside, "dim")


_HELP = "app.help_from_here"


def _fitting(offers: list[tuple[Command, str]], room: int) -> list[tuple[Command, str]]:
    """The first commands that fit into a line, and always the help command, if it is offered."""
    widths = [len(key_name(command.keys.split(",")[0])) + 1 + len(title) + 2 for command, title in offers]
    if sum(widths) - 2 <= room:
        return offers
    help_at = next((at for at, (command, _) in enumerate(offers) if command.action == _HELP), None)
    room -= widths[help_at] if help_at is not None else 0
    found = []
    for at, offer in enumerate(offers):
        if at != help_at:
            room -= widths[at]
            if room + 2 < 0:
                break
        found.append(offer)
    return found if help_at is None or offers[help_at] in found else [*found, offers[help_at]]


_LIKE_OWN = {"run": ("list.why",)}
"""Commands of all panes that a place shows among its own, because they do more there."""


class KeysBar(LineBar):
    """The keys line: as many keys of the focused pane as fit. A click runs the command."""

    def __init__(self, title_of: Callable[[Command], str]) -> None:
        """`title_of` gives the current title of a command; "" if it would do nothing."""
        super().__init__(id="keys")
        self.place = "tree"
        self.first: tuple[str, ...] = ()
        """Ids of commands that are shown before all others."""
        self._title_of = title_of
        self._in_order: dict[tuple[str, tuple[str, ...]], list[Command]] = {}
        self._drawn: list[tuple[Command, str]] = []
        self._spots: list[tuple[int, int, Command]] = []
        self._hovered: Command | None = None

    def on_mount(self) -> None:
        """Show no keys while a dialog is in front, which has keys of its own."""
        self.app.screen_change_signal.subscribe(self, lambda _: self.refresh())

    def show_place(self, place: str) -> None:
        """Show the keys of a place."""
        self.place = place
        self.update()

    def update(self) -> None:
        """Redraw if the useful keys changed."""
        if self.offers() != self._drawn:
            self.refresh()

    def offers(self) -> list[tuple[Command, str]]:
        """The commands to show, with titles: those of the place, then those that work everywhere."""
        if (self.place, self.first) not in self._in_order:
            self._in_order[self.place, self.first] = self._commands_in_order()
        titled = [(command, self._title_of(command)) for command in self._in_order[self.place, self.first]]
        return [(command, title) for command, title in titled if title]

    def _commands_in_order(self) -> list[Command]:
        beside = places_beside(self.place)
        here = commands_at(self.place, *beside)
        shown = [command for command in here if command.footer or command.id in self.first]
        own_ones = own_places(self.place)
        is_own = {
            command.id: command.place in own_ones or command.id in _LIKE_OWN.get(self.place, ()) for command in shown
        }
        shown.sort(key=lambda command: (command.id not in self.first, not is_own[command.id]))
        if "list" not in beside:  # panes have their own help key
            own = sum(command.place == self.place for command in shown)
            shown.insert(len(shown) if "everywhere" in beside else own, command_of("help"))
        once: dict[str, Command] = {}
        for command in shown:
            once.setdefault(command.action, command)
        return list(once.values())

    def line(self, index: int) -> Line:
        """Key and title of each command."""
        line: Line = []
        at = 1
        self._spots = []
        self._drawn = self.offers()
        shown = self._drawn if self.app.screen is self.screen else []
        for command, title in _fitting(shown, self.size.width - 1):
            key = key_name(command.keys.split(",")[0])
            length = len(key) + 1 + len(title)
            self._spots.append((at, at + length, command))
            look = "hovered" if command == self._hovered else "dim"
            line += [("  " if line else " ", ""), (key, "key"), (f" {title}", look)]
            at += length + 2
        return line

    def _command_at(self, column: int) -> Command | None:
        return next((command for start, stop, command in self._spots if start <= column < stop), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Highlight the command that a click would run."""
        self._hover(self._command_at(event.x))

    def on_leave(self) -> None:
        """Remove the highlight."""
        self._hover(None)

    def _hover(self, command: Command | None) -> None:
        if command != self._hovered:
            self._hovered = command
            self.refresh()

    async def on_click(self, event: events.Click) -> None:
        """Run the command under the mouse."""
        if (command := self._command_at(event.x)) is not None:
            await run_command(self.screen.focused or self.screen, command)


async def run_command(focused: Widget, command: Command) -> None:
    """Run a command as its key does at the focused widget."""
    if (guard := getattr(focused.app, "opener_guard", None)) is not None:
        guard.note(command, command.keys.split(",")[0])
    await focused.app.run_action(command.action, default_namespace=owner_of(focused, command))


def owner_of(focused: Widget, command: Command) -> DOMNode:
    """The widget around the focused one that has the action of a command."""
    return next((node for node in focused.ancestors_with_self if hasattr(node, _method(command))), focused)


def has_action(focused: Widget, command: Command) -> bool:
    """Whether the focused widget or one around it has the action of a command."""
    return hasattr(owner_of(focused, command), _method(command))


def _method(command: Command) -> str:
    return "action_" + command.action.partition("(")[0].rpartition(".")[2]

"""The title bar, the titles of panes, and the status line."""

from __future__ import annotations

from collections.abc import Callable, Hashable

from rich.cells import cell_len
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.lines import DRAFT, UNSAVED, counted, cut_at_clause, cut_at_word, cut_in_the_middle, preview, sign
from evaltui.tui.messages import MessageLog, undo_said
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.widgets.line_view import TOO_SMALL, has_room

_LEAST_NAME = 8
"""Cells for the mark and the name of the file that counts leave at least."""


class TitleBar(Widget):
    """The title bar: file, set, number of cases, problems, scores; ● while something is unsaved."""

    def __init__(self, file: EditedDocument) -> None:
        super().__init__(id="title")
        self.file = file
        self._drawn = Content("")

    def update(self) -> None:
        """Redraw if the text changed."""
        # Only then: Textual also redraws all lines between two changed ones.
        drawn = self._drawn
        if self.render() != drawn:
            self.refresh()

    def render(self) -> Content:
        """The title line, with counts at the right."""
        document, case_file = self.file.document, self.file.case_file
        in_use, drafts = self.file.trial_in_use, self.file.drafts
        trial = self.file.scores.trial.is_unwritten or (in_use is not None and in_use.has_unsaved)
        has_drafts = trial or (drafts.kept and drafts.live())
        mark = sign(UNSAVED) if document.is_dirty else sign(DRAFT) if has_drafts else " "
        start = Content.assemble((f" {mark} ", "$text-accent"), (self.file.file_name, "bold"))
        if document.is_new:
            start += Content.styled("  new", "dim")
        if self.file.reading is not None:
            start += Content.styled(f" · {self.file.reading.title}", "dim")
        elif self.file.readonly:
            start += Content.styled("  read-only", "dim")
        if trial:
            start += Content.styled("  trial criteria", "$text-accent")
        if self.file.disk_state.trouble:
            start += Content.styled(f"  ! {self.file.disk_state.trouble}", "$text-warning")
        if self.file.journal is not None and self.file.journal.problem:
            start += Content.styled("  ! no journal", "$text-warning")
        without_name = start
        if case_file is not None and case_file.is_dataset:
            start += Content.styled(" · EvaluationDataset", "dim")
        elif case_file is not None and (name := case_file.root.member("name")) is not None and name.text():
            start += Content.styled(f" · {preview(name.text(), 60)}", "dim")
        problems, scores = self.file.problems, self.file.scores
        count = len(case_file.cases) if case_file is not None else 0
        cases = counted(count, "case") if case_file is not None else "JSON"
        busy = "saving …" if self.file.saving else "reading …" if self.file.disk_state.reading else ""
        agent = "agent runs" * self.file.is_agent_running
        parts = (busy or cases, agent, problems.progress, problems.counted())
        counts = [*filter(None, [*parts, scores.progress or scores.counted()])]
        while len(counts) > 1 and len("  ".join(counts)) > self.size.width - _LEAST_NAME:
            del counts[0]  # the last ones change while a person works, and half a number would be another one
        right = "  ".join(counts) + " "
        room = self.size.width - start.cell_length - len(right)
        if room < 1:
            most = max(4, self.size.width - len(right) - 1)
            cut = cut_at_word(start.plain, most)
            fitting = cell_len(cut) if cut.strip(" …●✎") else most  # a long name is cut within
            if fitting <= without_name.cell_length <= most:  # marks are not cut to say that a name follows
                start = without_name
            else:
                start = start.truncate(fitting, ellipsis=True)
            room = max(1, self.size.width - start.cell_length - len(right))
        self._drawn = start + Content(" " * room) + Content.styled(right, "dim")
        return self._drawn


class PaneTitle(Widget):
    """`─ name ─────` as its own widget, so that a new name redraws one line only. The stylesheet colours it."""

    name_shown: reactive[str] = reactive("")

    DEFAULT_CSS = """
    PaneTitle { height: 1; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__(classes="pane-title")

    def render(self) -> Content:
        """The rule over the whole width."""
        width = self.size.width
        # The end says most: a place such as `refund › turn 1 › invocation_events › 2` is cut in the middle.
        place = cut_in_the_middle(printable(self.name_shown), max(1, width - 4))
        name = Content(f"─ {place} " if place else "").truncate(max(0, width - 1), ellipsis=True)
        return name + Content("─" * (width - name.cell_length))


class StatusBar(Widget):
    """The status line: the last message, else a hint about the selected line."""

    _message: reactive[tuple[str, str]] = reactive(("", ""))
    """The last message, and the text at its right."""
    _hint: reactive[tuple[str, str, str]] = reactive(("", "", ""))
    """The hint, the text at its right, and a shorter one for a narrow line."""

    def __init__(self, hint_of: Callable[[], tuple[str, str, str]] | None = None) -> None:
        """`hint_of` makes the arguments of `hint`, for `update_hint`."""
        super().__init__(id="status")
        self._had_room = True
        self._hint_of = hint_of
        self._is_hint_outdated = False
        """Whether the hint was to be made again while a message hid it."""

    def on_mount(self) -> None:
        """Follow what hides the hint: a dialog, whose keys act instead, and a terminal that is too small."""
        self.app.screen_change_signal.subscribe(self, lambda _: self.refresh())
        # After a layout, the terminal may have become too small, or have room again.
        self.screen.screen_layout_refresh_signal.subscribe(
            self, lambda _: has_room(self.screen) != self._had_room and self.refresh()
        )

    def hint(self, text: str, aside: str = "", shorter: str = "") -> None:
        """Set the hint, which shows while there is no message.

        `aside` is the text at its right, and `shorter` another one for a line too narrow for both texts.
        """
        self._hint = text, aside, shorter or aside

    def update_hint(self) -> None:
        """Make the hint again: now if it shows, else once no message hides it."""
        self._is_hint_outdated = bool(self._message[0])
        if not self._is_hint_outdated and self._hint_of is not None:
            self.hint(*self._hint_of())

    def say(self, text: str, aside: str = "", subject: Hashable = None) -> None:
        """Show a message, with `aside` at the right, which is never cut.

        The message log keeps the message; of several in a row about one `subject`, only the last.
        """
        shown = printable(text)
        self._message = shown, aside
        if not shown and self._is_hint_outdated:
            self.call_later(self.update_hint)  # the caller may change what the hint is about
        # BaseApp imports this module, so its type cannot be imported here.
        if shown and isinstance(log := getattr(self.app, "messages", None), MessageLog):
            log.add(shown, subject)

    def forget(self, beginning: str) -> None:
        """Remove the message if it has this beginning: what it says of the keys is no longer true."""
        if self._message[0].startswith(beginning):
            self.say("")

    def beside(self, aside: str) -> None:
        """Show a text at the right of the message."""
        self._message = self._message[0], aside

    def name_keys_of_field(self) -> None:
        """A field gets the keyboard: name the undo key that works there."""
        usual = undo_said()
        text, aside = (
            phrase.removesuffix(usual) + undo_said(is_typing=True)
            if phrase == usual or phrase.endswith(f" · {usual}")
            else phrase
            for phrase in self._message
        )
        self._message = text, aside

    @property
    def at_rest(self) -> str:
        """The hint while it is shown, else ""."""
        return "" if self._message[0] else self._hint[0]

    @property
    def text(self) -> str:
        """The last message."""
        return " ".join(self._message).rstrip()

    def render(self) -> Content:
        """The status line. A long message is cut, with the key that shows all of it."""
        self._had_room = has_room(self.screen)
        if not self._had_room:
            return Content(f" {TOO_SMALL}")
        (text, aside), hints = self._message, self._hint if self.app.screen is self.screen else ("", "", "")
        hint, hint_aside, shorter = hints
        if cell_len(hint) + cell_len(hint_aside) + 4 > self.size.width:
            hint_aside = shorter
        aside = aside if text else aside or hint_aside
        room = self.size.width - len(aside) - (3 if aside else 2)
        more = f" {key_of('messages')} more" if cell_len(text or hint) > room else ""
        fitting = max(1, room - len(more))
        fitting_text = cut_at_word(text, fitting) if text else cut_at_clause(hint, fitting)
        message = Content.styled(f" {fitting_text}", "" if text else "dim") + Content.styled(more, "dim")
        message = message.truncate(max(1, room + 1), ellipsis=True)
        gap = self.size.width - 1 - len(aside) - message.cell_length
        return message + Content(" " * gap) + Content.styled(aside, "dim")

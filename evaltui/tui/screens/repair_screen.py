"""The view of a file that is not JSON: all syntax problems, the text around one, and their fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from rich.cells import cell_len
from textual import events, getters, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.content import Content
from textual.widgets import Static

from evaltui.document.positions import TextRange
from evaltui.document.sequence_diff import unified_diff
from evaltui.json_repair.faults import MOST_FAULTS, Splice, SyntaxFault
from evaltui.json_repair.repair import apply_safe_fixes, safe_fixes, spliced
from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_REPAIR
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.lines import ERROR, FILL, Line, cut_at_word, preview
from evaltui.tui.messages import UNSAFE, fix_in_past_tense, redone_said, undo_said, undone_said
from evaltui.tui.open_file.saver import SaveEnd
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen
from evaltui.tui.screens.repaired_text import PlacedFaults, RepairedText, faults_of
from evaltui.tui.terminal.external_editor import EditorError, edit_file
from evaltui.tui.widgets.line_view import LineList, LineView

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_AT_ONCE = 65_536
"""Size, in bytes, up to which a text is checked directly; longer ones are checked in a thread."""
_LOOKING = "looking for problems …"
_ALWAYS = (
    *("repair.", "help", "messages", "next_problem", "previous_problem", "quit", "open"),
    *("list.down", "list.up", "list.page", "list.top", "list.bottom", "list.help", "list.quit", "list.next_pane"),
)
"""Prefixes of ids of commands that are always of use."""
_NUMBER = 7
"""Cells for line numbers."""
_ABOVE = 3

Result = TypeVar("Result")
Preview = tuple[bytes, Mapping[str, int], int, list[str]]
"""The text with all safe fixes, the number of fixes by rule, the number of remaining problems, and the diff."""


class FaultList(LineList):
    """The syntax problems: place, message, and kind of fix."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    def __init__(self) -> None:
        super().__init__(id="faults")
        self.placed = PlacedFaults()

    def show(self, faults: PlacedFaults, cursor: int) -> None:
        """Show other problems and select one of them."""
        self.placed = faults
        self.cursor = max(0, min(cursor, self.line_count() - 1))
        count = len(faults.faults)
        safe = sum(fault.splice is not None and fault.splice.safe for fault in faults.faults)
        some = " or more" if count >= MOST_FAULTS else ""
        self.border_title = f" Problems {count}{some} · {safe} with a safe fix " if count else " No problems "
        self.refresh_size()
        self.refresh(layout=True)
        self.call_after_refresh(self.show_cursor)

    @property
    def selected(self) -> SyntaxFault | None:
        """The problem under the cursor."""
        return self.placed.faults[self.cursor] if self.placed.faults else None

    def line_count(self) -> int:
        """One line for each problem."""
        return len(self.placed.faults)

    def line(self, index: int) -> Line:
        """Place, message, and kind of fix."""
        fault, place = self.placed.faults[index], self.placed.places[index]
        fix = "" if fault.splice is None else " fix" if fault.splice.safe else " unsafe fix"
        place_text = f"{place.line}:{place.column}"
        return [ERROR, (f"{place_text:<7} ", "dim"), (printable(fault.message), "prose"), ("", FILL), (fix, "dim")]

    def cursor_moved(self) -> None:
        """Ask the screen to show the problem in the text."""
        self.post_message(self.Browsed())

    def on_click(self, event: events.Click) -> None:
        """Select a problem."""
        row = self.entry_under(event)
        if row is not None:
            self.cursor = row


class BrokenText(LineView):
    """The numbered text, with a mark below the column of the problem."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    def __init__(self) -> None:
        super().__init__(id="broken-text")
        self.border_title = " Text "
        self._text = b""
        self._starts: Sequence[int] = (0,)
        self._place: TextRange | None = None

    def show(self, text: bytes, line_starts: Sequence[int], place: TextRange | None) -> None:
        """Show a text with a problem visible."""
        self._text, self._starts, self._place = text, line_starts, place
        self.refresh_size()
        self.refresh()
        if place is not None:
            self.call_after_refresh(self._show_place, place)

    def _show_place(self, place: TextRange) -> None:
        self.show_lines(max(0, place.line - 1 - _ABOVE), place.line + _ABOVE)

    def line_count(self) -> int:
        """The lines of the text, and one for the mark."""
        return len(self._starts) + (self._place is not None)

    def line(self, index: int) -> Line:
        """A numbered line, or the mark."""
        place = self._place
        broken = place.line - 1 if place is not None else len(self._starts)
        if place is not None and index == broken + 1:
            start_text = self._shown(broken)[: place.column - 1 - self._hidden]
            return [(" " * (_NUMBER + cell_len(start_text)), ""), ("▲ here", "error")]
        number = index if index <= broken else index - 1
        visible = self._shown(number)
        line: Line = [(f"{number + 1:>5}  ", "dim")]
        if place is None or number != broken:
            return [*line, (visible, "")]
        start = place.column - 1 - self._hidden
        end = place.end_column - 1 - self._hidden if place.end_line == place.line else len(visible)
        return [*line, (visible[:start], ""), (visible[start:end], "error"), (visible[end:], "")]

    def _shown(self, number: int) -> str:
        """The visible part of a line."""
        is_broken = self._place is not None and number == self._place.line - 1
        hidden, width = self._hidden if is_broken else 0, self.scrollable_content_region.width
        start = self._starts[number]
        end = self._starts[number + 1] - 1 if number + 1 < len(self._starts) else len(self._text)
        piece = self._text[start : min(end, start + 4 * (hidden + width))].decode("utf-8", "replace")
        visible = printable(piece.removeprefix("\ufeff")[hidden : hidden + width])
        return "…" + visible[1:] if hidden else visible

    @property
    def _hidden(self) -> int:
        """Number of characters cut at the start of the line with the problem, so that the problem is visible."""
        room = max(20, self.scrollable_content_region.width - 16)
        column = self._place.column if self._place is not None else 0
        return max(0, column - room // 2) if column > room else 0

    def is_selected(self, index: int) -> bool:
        """Whether this is the line with the problem."""
        return self._place is not None and index == self._place.line - 1


class RepairScreen(CommandScreen):
    """Screen to repair a file. Fixes change the text in memory; a save writes it, and opens it if it is JSON."""

    BINDINGS = bindings("list", "everywhere")
    OWN_WAYS = IN_REPAIR
    SHARED = MOVES_AND_SETTINGS | {"save", "open", "list.unsaved", "list.interrupt"}
    may_move = True

    _faults = getters.query_one(FaultList)
    _text = getters.query_one(BrokenText)
    _keys = getters.query_one(KeysBar)
    _title = getters.query_one("#title", Static)
    status = getters.query_one(StatusBar)

    def __init__(self, file: OpenFile) -> None:
        super().__init__()
        self.file = file
        self.repaired = file.text = RepairedText(file)
        self._working = False
        self._second_press = SecondPress(file.app)

    def compose(self) -> ComposeResult:
        """Title, problems, text, and the bars below."""
        yield Static(id="title", markup=False)
        yield FaultList()
        yield BrokenText()
        yield StatusBar()
        yield KeysBar(self.title_of)

    def on_mount(self) -> None:
        """Begin with the first problem."""
        self._faults.focus()
        self._keys.show_place("repair")
        self._show_title()
        self.call_after_refresh(self._look_again)

    # --- what there is to see ----------------------------------------------------------------------------------

    def _look_again(self, near: int = 0) -> None:
        """Find the problems of the current text, and select the one with the index `near`."""
        self._soon(partial(faults_of, self.repaired.text), partial(self._show, near), _LOOKING)

    def _show(self, near: int, faults: PlacedFaults) -> None:
        # Not as a move of the person, which would clear the message about the fix.
        with self.prevent(LineList.Browsed):
            self._faults.show(faults, near)
        self._show_selected()

    def _soon(self, work: Callable[[], Result], follow_up: Callable[[Result], None], meanwhile: str) -> None:
        """Do `work`, in a thread if the text is long, then pass its result to `then`."""
        if len(self.repaired.text) <= _AT_ONCE:
            follow_up(work())
            return
        self._working = True
        self.status.beside(meanwhile)

        def done(result: Result) -> None:
            self._working = False
            self.status.beside("")
            follow_up(result)

        def failed(error: Exception) -> None:
            raise error

        self.file.app.start_thread("repair", work, done, failed)

    @on(LineList.Browsed)
    def _moved(self) -> None:
        self.status.say("")
        self._show_selected()

    @property
    def _place(self) -> TextRange | None:
        faults = self._faults.placed
        return faults.places[self._faults.cursor] if faults.places else None

    def _show_selected(self) -> None:
        self._text.show(self.repaired.text, self._faults.placed.line_starts, self._place)
        self._show_title()
        self.status.hint(self._hint())
        self._keys.update()

    def _show_title(self) -> None:
        document, fault = self.file.document, self._faults.selected
        mark = "●" if self.repaired.is_changed else ""
        if fault is not None and self._place is not None:
            place_text, sentence = f"{self._place.line}:{self._place.column}", f"invalid JSON: {fault.message}"
        elif self._faults.placed.line_starts != (0,) or document.fault is None:
            place_text, sentence = "", f"valid JSON now; press {key_of('save')} to save and open the file"
        else:
            line, column = document.line_and_column(document.fault.offset)
            place_text, sentence = f"{line}:{column}", f"invalid JSON: {document.fault.message}"
        place = ":".join(filter(None, [self.file.file_name, place_text]))
        title = cut_at_word(printable(f"{mark} {place}: {sentence}"), self.size.width)
        self._title.update(Content(title).stylize("bold", 0, len(printable(f"{mark} {place}"))))

    def on_resize(self) -> None:
        """Cut the title to the width."""
        if self.is_mounted:
            self._show_title()

    def _hint(self) -> str:
        fault = self._faults.selected
        if self.file.readonly:
            return ""
        if fault is None:
            return f"Press {key_of('save')} to save and open the file, or {key_of('list.undo')} to undo the fixes."
        if self._is_empty:
            return f"Press {key_of('repair.make')} to make a new set here."
        if fault.splice is None:
            return f"This problem has no fix. Press {key_of('list.edit_outside')} to edit this line in $EDITOR."
        all_safe = f" · {key_of('list.fix_all')}: all safe fixes" if safe_fixes(self._faults.placed.faults) else ""
        fix = self._title_of_fix(fault.splice) + ("" if fault.splice.safe else " (unsafe)")
        return f"{key_of('repair.fix')}: {fix}{all_safe} · {key_of('save')}: save the file"

    def title_of(self, command: Command) -> str:
        """Title of a command; "" if it is of no use here."""
        fault, readonly = self._faults.selected, self.file.readonly
        useful = {
            "save": self.repaired.is_changed,
            "list.undo": self.repaired.steps > 0,
            "list.redo": self.repaired.can_redo,
            "list.unsaved": self.repaired.is_changed,
            "list.edit_outside": not readonly,
            "repair.make": self._is_empty and not readonly,
            "repair.fix": fault is not None and fault.splice is not None and not readonly,
            "list.fix_all": bool(safe_fixes(self._faults.placed.faults)) and not readonly,
            "list.explain": fault is not None,
        }
        is_useful = useful.get(command.id, command.id.startswith(_ALWAYS))
        return command.title if is_useful else ""

    @property
    def _is_empty(self) -> bool:
        """Whether the text has only blanks, so that a new set replaces nothing."""
        return not self.repaired.text.removeprefix(b"\xef\xbb\xbf").strip()

    # --- fixes ------------------------------------------------------------------------------------------------

    def _refuse(self) -> bool:
        """Whether the text cannot be changed now; the status line says why."""
        if self.file.readonly:
            self.status.say(self.file.refusal)
        elif self._working:
            self.status.say("Still looking for problems.")
        return self.file.readonly or self._working or self.file.saving

    def fix(self) -> None:
        """Apply the fix of the selected problem; an unsafe one is shown first and needs a second press."""
        fault, index = self._faults.selected, self._faults.cursor
        if self._refuse():
            return
        if fault is None or fault.splice is None:
            self.status.say(self._hint())
            return
        if not fault.splice.safe and not self._second_press.is_second(fault):
            # The fix may change the meaning of the text, so the person sees what it replaces.
            old = self.repaired.text[fault.splice.start : fault.splice.end]
            title = self._title_of_fix(fault.splice)
            self.status.say(f"{UNSAFE}: {title}{_change(old, fault.splice.replacement)}", "press again to fix")
            return
        line = self._line_of(fault.splice)
        self.repaired.become(spliced(self.repaired.text, [fault.splice]), fault.splice.title)
        self._changed(f"fixed line {line}: {fix_in_past_tense(fault.splice.title)} · {undo_said()}", index)

    def _line_of(self, splice: Splice) -> int:
        return self.repaired.text.count(b"\n", 0, splice.start) + 1

    def _title_of_fix(self, splice: Splice) -> str:
        """The title of a fix, with the line that it changes if the problem is in another one."""
        # A bracket that is missing at the end of a list shows lines later, where the text cannot go on.
        line = self._line_of(splice)
        is_elsewhere = self._place is not None and line != self._place.line
        return f"{splice.title.removesuffix(' here')} in line {line}" if is_elsewhere else splice.title

    def make_set(self) -> None:
        """Put a new set into the empty text, as a step; a save writes and opens it."""
        from evaltui.tui.open_file.foreign_file import new_set_text

        if self._refuse():
            return
        if not self._is_empty:
            self.status.say("Only an empty file can become a new set.")
            return
        path = self.file.document.path
        self.repaired.become(new_set_text(path.name if path is not None else ""), "make a new set")
        self._changed(f"made a new set · {key_of('save')}: save and open it · {undo_said()}", 0)

    def fix_all(self) -> None:
        """Show what all safe fixes would change."""
        faults = list(self._faults.placed.faults)
        if self._refuse():
            return
        if not safe_fixes(faults):
            self.status.say("No problem here has a safe fix.")
            return
        text, name = self.repaired.text, self.file.file_name

        def work() -> Preview:
            repaired, fixed = apply_safe_fixes(text, faults)
            return (
                repaired,
                Counter(fixed),
                len(faults_of(repaired).faults),
                list(unified_diff(text, repaired, name))[2:],
            )

        self._soon(work, self._preview, "fixing …")

    def _preview(self, preview: Preview) -> None:
        from evaltui.tui.screens.diff_screens import FixesPreview

        text, fixed, remaining, diff = preview
        count = sum(fixed.values())

        def answered(apply: bool | None) -> None:
            if apply:
                label = f"{count:,} safe fix{'es' * (count != 1)}"
                self.repaired.become(text, label)
                self._changed(f"{label} applied · {undo_said()}", 0)

        self.app.push_screen(FixesPreview(self.file.file_name, fixed, remaining, diff), answered)

    def undo(self) -> None:
        """Undo the last fix."""
        if not self._refuse():
            label = self.repaired.undo()
            self._changed(undone_said(label) if label else "Nothing to undo.", self._faults.cursor)

    def redo(self) -> None:
        """Redo the last undone fix."""
        if not self._refuse():
            label = self.repaired.redo()
            self._changed(redone_said(label) if label else "Nothing to redo.", self._faults.cursor)

    def _changed(self, message: str, near: int) -> None:
        self._look_again(near)
        self.status.say(message, _LOOKING if self._working else "")
        self._show_title()

    def explain(self) -> None:
        """Explain the rule that the selected problem breaks."""
        from evaltui.tui.screens.text_pages import RuleScreen
        from evaltui.validation.rules.json_syntax import diagnostic_of

        fault = self._faults.selected
        if fault is not None:
            self.app.push_screen(RuleScreen(diagnostic_of(fault)))

    # --- saving and leaving -----------------------------------------------------------------------------------

    def show_message(self, message: str | None) -> None:
        """Show the result of a save."""
        if message is not None:
            self.status.say(message)

    def save_ended(self, end: SaveEnd) -> None:
        """Open the file if it is JSON now."""
        if not end.is_saved or self.file.leaving.has_left:
            return
        if not (self._faults.placed.faults or self._working):
            self.file.app.exit(OpenNext(self.file.document.path))
        else:
            self._look_again()

    def quit(self) -> None:
        """Quit, after a question if fixes are not saved."""
        self.file.leaving.quit()

    def back_or_quit(self) -> None:
        """Leave; go back to the list of eval sets if it opened this file."""
        self.file.leaving.leave_or_go_back()

    def edit_outside(self) -> None:
        """Edit the file in $VISUAL or $EDITOR, then open it again."""
        document = self.file.document
        if self.file.readonly:
            self.status.say(self.file.refusal)
            return
        if self.repaired.is_changed:
            save, undo = key_of("save"), key_of("list.undo")
            self.status.say(f"Your fixes are not saved yet. Press {save} to save or {undo} to undo them.")
            return
        assert document.path is not None
        if self._place is not None:
            place = self._place.line, self._place.column
        else:  # the search still runs, but the parser already knows the first problem
            place = document.line_and_column(document.fault.offset if document.fault is not None else 0)
        try:
            with self.app.suspend():
                edit_file(document.path, *place)
        except SuspendNotSupported:
            self.status.say("$EDITOR cannot run in this terminal.")
        except EditorError as error:
            self.status.say(str(error))
        else:
            self.file.app.exit(OpenNext(document.path))

    # --- moving -----------------------------------------------------------------------------------------------

    def step_problem(self, step: int) -> None:
        """Go to the next or previous problem, wrapping around."""
        count = self._faults.line_count()
        if count:
            self.app.opener_guard.forget()
            self._faults.move((self._faults.cursor + step) % count - self._faults.cursor)

    def next_pane(self, _: int) -> None:
        """Go to the other pane."""
        self.set_focus(self._text if self.focused is self._faults else self._faults, scroll_visible=False)

    def show_pane(self, pane: str) -> None:
        """Go to the problems, or for any other pane to the text."""
        self.set_focus(self._faults if pane == "problems" else self._text, scroll_visible=False)


def _change(old: bytes, new: bytes) -> str:
    """Text before and after a fix, on one line; "" for an added text, which the title of the fix names."""
    old_text, new_text = (preview(text.decode("utf-8", "replace"), 24) for text in (old, new))
    return f": {old_text} → {new_text or 'nothing'}" if old_text else ""

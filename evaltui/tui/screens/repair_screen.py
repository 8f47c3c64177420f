"""The view of a file that is not JSON: all syntax problems, the text around one, and their fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from textual import getters, on
from textual.app import ComposeResult, SuspendNotSupported
from textual.content import Content
from textual.widgets import Static

from evaltui.document.positions import TextRange
from evaltui.document.sequence_diff import unified_diff
from evaltui.json_repair.repair import apply_safe_fixes, safe_fixes, spliced
from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_REPAIR
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.lines import cut_at_word, preview
from evaltui.tui.messages import UNSAFE, fix_in_past_tense, redone_said, undo_said, undone_said
from evaltui.tui.open_file.saver import SaveEnd
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen
from evaltui.tui.screens.repair_panes import BrokenText, FaultList
from evaltui.tui.screens.repaired_text import PlacedFaults, RepairedText, faults_of
from evaltui.tui.terminal.external_editor import EditorError, edit_file

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

Result = TypeVar("Result")
Preview = tuple[bytes, Mapping[str, int], int, list[str]]
"""The text with all safe fixes, the number of fixes by rule, the number of remaining problems, and the diff."""


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

    def _show(self, near: int, found: PlacedFaults) -> None:
        with self.prevent(FaultList.Moved):
            self._faults.show(found, near)
        self._show_selected()

    def _soon(self, work: Callable[[], Result], then: Callable[[Result], None], meanwhile: str) -> None:
        """Do `work`, in a thread if the text is long, then pass its result to `then`."""
        if len(self.repaired.text) <= _AT_ONCE:
            then(work())
            return
        self._working = True
        self.status.beside(meanwhile)

        def done(result: Result) -> None:
            self._working = False
            self.status.beside("")
            then(result)

        def failed(error: Exception) -> None:
            raise error

        self.file.app.start_thread("repair", work, done, failed)

    @on(FaultList.Moved)
    def _moved(self) -> None:
        self.status.say("")
        self._show_selected()

    @property
    def _place(self) -> TextRange | None:
        found = self._faults.faults
        return found.places[self._faults.cursor] if found.places else None

    def _show_selected(self) -> None:
        self._text.show(self.repaired.text, self._faults.faults.line_starts, self._place)
        self._show_title()
        self.status.hint(self._hint())
        self._keys.update()

    def _show_title(self) -> None:
        document, fault = self.file.document, self._faults.selected
        mark = "●" if self.repaired.is_changed else ""
        if fault is not None and self._place is not None:
            at, said = f"{self._place.line}:{self._place.column}", f"invalid JSON: {fault.message}"
        elif self._faults.faults.line_starts != (0,) or document.fault is None:
            at, said = "", f"valid JSON now; press {key_of('save')} to save and open the file"
        else:
            line, column = document.line_and_column(document.fault.offset)
            at, said = f"{line}:{column}", f"invalid JSON: {document.fault.message}"
        place = ":".join(filter(None, [self.file.file_name, at]))
        shown = cut_at_word(printable(f"{mark} {place}: {said}"), self.size.width)
        self._title.update(Content(shown).stylize("bold", 0, len(printable(f"{mark} {place}"))))

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
        all_safe = f" · {key_of('list.fix_all')}: all safe fixes" if safe_fixes(self._faults.faults.faults) else ""
        certain = "" if fault.splice.safe else " (unsafe)"
        return f"{key_of('repair.fix')}: {fault.splice.title}{certain}{all_safe} · {key_of('save')}: save the file"

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
            "list.fix_all": bool(safe_fixes(self._faults.faults.faults)) and not readonly,
            "list.explain": fault is not None,
        }
        shown = useful.get(command.id, command.id.startswith(_ALWAYS))
        return command.title if shown else ""

    @property
    def _is_empty(self) -> bool:
        """Whether the text has only blanks, so that a new set replaces nothing."""
        return not self.repaired.text.removeprefix(b"\xef\xbb\xbf").strip()

    def _is_json(self) -> bool:
        return not self._faults.faults.faults and not self._working

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
        fault, at = self._faults.selected, self._faults.cursor
        if self._refuse():
            return
        if fault is None or fault.splice is None:
            self.status.say(self._hint())
            return
        if not fault.splice.safe and not self._second_press.is_second(fault):
            old = self.repaired.text[fault.splice.start : fault.splice.end]
            self.status.say(
                f"{UNSAFE}: {fault.splice.title}{_change(old, fault.splice.replacement)}", "press again to fix"
            )
            return
        self.repaired.become(spliced(self.repaired.text, [fault.splice]), fault.splice.title)
        place = f"line {self._place.line}" if self._place else ""
        self._changed(f"fixed {place}: {fix_in_past_tense(fault.splice.title)} · {undo_said()}", at)

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
        faults = list(self._faults.faults.faults)
        if self._refuse():
            return
        if not safe_fixes(faults):
            self.status.say("No problem here has a safe fix.")
            return
        text, name = self.repaired.text, self.file.file_name

        def work() -> Preview:
            whole, fixed = apply_safe_fixes(text, faults)
            return whole, Counter(fixed), len(faults_of(whole).faults), list(unified_diff(text, whole, name))[2:]

        self._soon(work, self._preview, "fixing …")

    def _preview(self, preview: Preview) -> None:
        from evaltui.tui.screens.diff_screens import FixesPreview

        text, fixed, left, diff = preview
        count = sum(fixed.values())

        def answered(apply: bool | None) -> None:
            if apply:
                label = f"{count:,} safe fix{'es' * (count != 1)}"
                self.repaired.become(text, label)
                self._changed(f"{label} applied · {undo_said()}", 0)

        self.app.push_screen(FixesPreview(self.file.file_name, fixed, left, diff), answered)

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

    def _changed(self, said: str, near: int) -> None:
        self._look_again(near)
        self.status.say(said, _LOOKING if self._working else "")
        self._show_title()

    def explain(self) -> None:
        """Explain the rule that the selected problem breaks."""
        from evaltui.tui.screens.text_pages import RuleScreen
        from evaltui.validation.rules.json_syntax import diagnostic_of

        fault = self._faults.selected
        if fault is not None:
            self.app.push_screen(RuleScreen(diagnostic_of(fault)))

    # --- saving and leaving -----------------------------------------------------------------------------------

    def show_message(self, said: str | None) -> None:
        """Show the result of a save."""
        if said is not None:
            self.status.say(said)

    def save_ended(self, end: SaveEnd) -> None:
        """Open the file if it is JSON now."""
        if not end.is_saved or self.file.leaving.has_left:
            return
        if self._is_json():
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
    before, after = (preview(text.decode("utf-8", "replace"), 24) for text in (old, new))
    return f": {before} → {after or 'nothing'}" if before else ""

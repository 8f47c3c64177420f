"""The view of a file that is not JSON: all syntax problems, the text around one, and their fixes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeVar

from rich.cells import cell_len
from textual import on
from textual.app import SuspendNotSupported
from textual.content import Content

from evaltui.document.positions import TextRange
from evaltui.document.sequence_diff import unified_diff
from evaltui.json_repair.faults import MOST_FAULTS, Splice, SyntaxFault
from evaltui.json_repair.repair import apply_safe_fixes, safe_fixes, spliced, syntax_faults
from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.command import Command
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.dialog_commands import IN_REPAIR
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.lines import ERROR, FILL, Line, cut_at_word, preview
from evaltui.tui.messages import UNSAFE, fix_in_past_tense, undo_said, with_full_stop
from evaltui.tui.screens.command_screen import MOVES_AND_SETTINGS, CommandScreen
from evaltui.tui.screens.list_screen import ListScreen
from evaltui.tui.screens.repaired_text import RepairedText, faults_of
from evaltui.tui.terminal.external_editor import EditorError, edit_file
from evaltui.tui.widgets.entry_list import EntryList
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

Result = TypeVar("Result")


class BrokenText(LineView):
    """The numbered text, with a mark below the column of the problem."""

    PLACE = "repair"
    BINDINGS = bindings("list", "repair")

    def __init__(self) -> None:
        super().__init__(id="broken-text")
        self.border_title = " Text "
        self._text = b""
        self._line_starts = [0]
        self._place: TextRange | None = None
        self._height = 0
        """The lines in sight before a resize."""

    def show(self, text: bytes, line_starts: list[int], place: TextRange | None) -> None:
        """Show a text with a problem visible. `line_starts` are the offsets at which its lines begin."""
        is_other = (self._text, self._place) != (text, place)
        self._text, self._line_starts, self._place = text, line_starts, place
        self.refresh_size()
        self.refresh()
        if place is not None and is_other:  # else a resize would undo the scrolling of the person
            self.call_after_refresh(self._show_place, place)

    def _show_place(self, place: TextRange) -> None:
        """Scroll to a problem, with three lines above and below it if there is room."""
        around = min(3, max(0, self.scrollable_content_region.height - 2) // 2)
        self.show_lines(max(0, place.line - 1 - around), place.line + around)

    def on_resize(self) -> None:
        """Keep the problem in sight if it was."""
        super().on_resize()
        place, top, earlier = self._place, round(self.scroll_offset.y), self._height
        self._height = self.scrollable_content_region.height
        if place is not None and 0 < place.line - top <= earlier and place.line - top >= self._height:
            self._show_place(place)

    def line_count(self) -> int:
        """The lines of the text, and one for the mark."""
        return len(self._line_starts) + (self._place is not None)

    def line(self, index: int) -> Line:
        """A numbered line, or the mark."""
        place = self._place
        number = index if place is None or index < place.line else index - 1
        start_of_line = f"{number + 1:>5}  "
        if place is None or number != place.line - 1:
            return [(start_of_line, "dim"), (self._visible(number, 0), "")]
        # The start of a long line is cut, so that the problem is visible.
        room = max(20, self.scrollable_content_region.width - 16)
        hidden = max(0, place.column - room // 2) if place.column > room else 0
        visible, start = self._visible(number, hidden), place.column - 1 - hidden
        if index == place.line:
            return [(" " * (len(start_of_line) + cell_len(visible[:start])), ""), ("▲ here", "error")]
        end = place.end_column - 1 - hidden if place.end_line == place.line else len(visible)
        runs: Line = [(visible[:start], ""), (visible[start:end], "error"), (visible[end:], "")]
        return [(start_of_line, "dim"), *runs]

    def _visible(self, number: int, hidden: int) -> str:
        """The visible part of a line, without `hidden` characters at its start."""
        starts, width = self._line_starts, self.scrollable_content_region.width
        end = starts[number + 1] - 1 if number + 1 < len(starts) else len(self._text)
        # A line may have megabytes, and a character has four bytes at most.
        piece = self._text[starts[number] : min(end, starts[number] + 4 * (hidden + width))].decode("utf-8", "replace")
        visible = printable(piece.removeprefix("\ufeff")[hidden : hidden + width])
        return "…" + visible[1:] if hidden else visible

    def emphasis(self, index: int) -> tuple[str, str]:
        """The line with the problem looks like the line of a cursor."""
        if self._place is None or index != self._place.line - 1:
            return super().emphasis(index)
        return ("cursor", "▌") if self.has_focus else ("cursor-away", "▏")


class RepairScreen(ListScreen[None]):
    """Screen to repair a file. Fixes change the text in memory; a save writes it, and opens it if it is JSON."""

    BINDINGS = bindings("list", "everywhere")
    OWN_WAYS = IN_REPAIR
    SHARED = MOVES_AND_SETTINGS | {"save", "open", "list.unsaved", "list.interrupt"}
    may_move = True

    def __init__(self, file: OpenFile) -> None:
        self.faults: EntryList[SyntaxFault] = EntryList("list", "repair")
        # So the list has a row from its first frame on: a key is ignored where a list with entries shows none.
        self.faults.why_empty = _LOOKING
        self.text_view: BrokenText = BrokenText()
        super().__init__([self.faults], self.text_view)
        self.file = file
        self.repaired = file.text = RepairedText(file)
        self._places: dict[SyntaxFault, TextRange] = {}
        self._line_starts = [0]
        self._working = False
        self._second_press = SecondPress(file.app)

    def on_mount(self) -> None:
        """Begin with the first problem."""
        self.call_after_refresh(self._look_again)

    # --- what there is to see ----------------------------------------------------------------------------------

    @property
    def _is_read(self) -> bool:
        """Whether the faults were found once: a search in a thread takes a while."""
        return not self.faults.why_empty

    def _look_again(self, near: int = 0) -> None:
        """Find the problems of the current text, and select the one with the index `near`."""
        self._soon(partial(faults_of, self.repaired.text), partial(self._show_faults, near), _LOOKING)

    def _show_faults(self, near: int, result: tuple[dict[SyntaxFault, TextRange], list[int]]) -> None:
        (self._places, self._line_starts), self.faults.why_empty = result, ""
        # Not as a move of the person, which would clear the message about the fix.
        with self.prevent(LineList.Browsed):
            faults = [*self._places]
            self.faults.show(faults, self._fault_line, faults[min(near, len(faults) - 1)] if faults else None)
        safe, count = len(safe_fixes(faults)), f"{len(faults)}{' or more' * (len(faults) >= MOST_FAULTS)}"
        self.faults.border_title = f" Problems {count} · {safe} with a safe fix " if faults else " No problems "
        self.faults.refresh(layout=True)
        self.faults.call_after_refresh(self.faults.show_cursor)
        self.show_detail()
        self.keys.update()

    def _fault_line(self, fault: SyntaxFault, _: int) -> Line:
        fix = "" if fault.splice is None else " fix" if fault.splice.safe else " unsafe fix"
        place = f"{self._places[fault].line}:{self._places[fault].column}"
        return [ERROR, (f"{place:<7} ", "dim"), (printable(fault.message), "prose"), ("", FILL), (fix, "dim")]

    def _soon(self, work: Callable[[], Result], follow_up: Callable[[Result], None], meanwhile: str) -> None:
        """Do `work`, in a thread if the text is long, then pass its result to `follow_up`."""
        if len(self.repaired.text) <= _AT_ONCE:
            follow_up(work())
            return
        self._working = True
        self.status.beside(meanwhile)

        def done(result: Result) -> None:
            self._working = False
            self.status.beside("")
            follow_up(result)

        self.file.app.start_thread("repair", work, done, self.file.app.report_fault)

    def fill(self) -> None:
        """Show nothing yet: the search for problems fills the list, also in a thread."""

    @on(LineList.Browsed)
    def _forget_message(self) -> None:
        self.status.say("")

    def show_detail(self) -> None:
        """Show the text around the selected problem, and its fix."""
        if self._is_read:
            selected = self.faults.selected
            place = self._places[selected] if selected is not None else None
            self.text_view.show(self.repaired.text, self._line_starts, place)
        self.show_title()
        self.status.hint(self._hint())

    @property
    def _problem(self) -> tuple[int, int, str] | None:
        """Line, column and message of the selected problem; None if there is none."""
        document = self.file.document
        if (selected := self.faults.selected) is not None:
            return self._places[selected].line, self._places[selected].column, selected.message
        if not self._is_read and document.fault is not None:  # the parser knows the first problem already
            return *document.line_and_column(document.fault.offset), document.fault.message
        return None

    def title_texts(self) -> tuple[Content, str]:
        """`● trips.json:3:14: invalid JSON: …`."""
        start = f"{'●' * self.repaired.is_changed} {self.file.file_name}"
        sentence = f"valid JSON now; press {key_of('save')} to save and open the file"
        if self._problem is not None:
            line, column, message = self._problem
            start, sentence = f"{start}:{line}:{column}", f"invalid JSON: {message}"
        title = cut_at_word(printable(f"{start}: {sentence}"), self.size.width)
        return Content(title).stylize("bold", 0, len(printable(start))), ""

    def _hint(self) -> str:
        if self.file.readonly or not self._is_read:
            return ""
        if self.faults.selected is None:
            return f"Press {key_of('save')} to save and open the file, or {key_of('list.undo')} to undo the fixes."
        if self._is_empty:
            return f"Press {key_of('repair.make')} to make a new set here."
        splice = self.faults.selected.splice
        if splice is None:
            return f"This problem has no fix. Press {key_of('list.edit_outside')} to edit this line in $EDITOR."
        all_safe = f" · {key_of('list.fix_all')}: all safe fixes" if self._has_safe_fixes else ""
        certain = "" if splice.safe else " (unsafe)"
        fix = f"{self._title_of_fix(splice)}{certain}"
        return f"{key_of('repair.fix')}: {fix}{all_safe} · {key_of('save')}: save the file"

    def offered_title(self, command: Command) -> str:
        """Title of a command; "" if it is of no use here."""
        selected, readonly = self.faults.selected, self.file.readonly
        useful = {
            "save": self.repaired.is_changed,
            "list.undo": bool(self.repaired.undo_steps),
            "list.redo": bool(self.repaired.redo_steps),
            "list.unsaved": self.repaired.is_changed,
            "list.edit_outside": not readonly,
            "repair.make": self._is_empty and not readonly,
            "repair.fix": selected is not None and selected.splice is not None and not readonly,
            "list.fix_all": self._has_safe_fixes and not readonly,
            "list.explain": selected is not None,
        }
        is_useful = useful.get(command.id, command.id.startswith(_ALWAYS))
        return command.title if is_useful else ""

    @property
    def _is_empty(self) -> bool:
        """Whether the text has only blanks, so that a new set replaces nothing."""
        return not self.repaired.text.removeprefix(b"\xef\xbb\xbf").strip()

    @property
    def _has_safe_fixes(self) -> bool:
        return bool(safe_fixes(self.faults.entries))

    # --- fixes ------------------------------------------------------------------------------------------------

    def _refuse(self) -> bool:
        """Whether the text cannot be changed now; the status line says why."""
        if self.file.readonly:
            self.status.say(self.file.refusal)
        elif self._working:
            self.status.say("Still looking for problems.")
        return self.file.readonly or self._working or self.file.saving is not None

    def fix(self) -> None:
        """Apply the fix of the selected problem; an unsafe one is shown first and needs a second press."""
        if self._refuse():
            return
        selected, text = self.faults.selected, self.repaired.text
        splice = selected.splice if selected is not None else None
        if splice is None:
            self.status.say(self._hint())
            return
        if not splice.safe and not self._second_press.is_second(selected):
            # The fix may change the meaning of the text, so the person sees what it replaces. An added text stands in
            # the title.
            parts = text[splice.start : splice.end], splice.replacement
            old, new = (preview(part.decode("utf-8", "replace"), 24) for part in parts)
            change = f": {old} → {new or 'nothing'}" if old else ""
            self.status.say(f"{UNSAFE}: {self._title_of_fix(splice)}{change}", "press again to fix")
            return
        line = self._line_of(splice)
        self.repaired.become(spliced(text, [splice]), splice.title)
        self._changed(f"fixed line {line}: {fix_in_past_tense(splice.title)} · {undo_said()}", self.faults.cursor)

    def _line_of(self, splice: Splice) -> int:
        return self.repaired.text.count(b"\n", 0, splice.start) + 1

    def _title_of_fix(self, splice: Splice) -> str:
        """The title of a fix, with the line that it changes if the problem is in another one."""
        # A bracket that is missing at the end of a list shows lines later, where the text cannot go on.
        line, selected = self._line_of(splice), self.faults.selected
        is_elsewhere = selected is not None and line != self._places[selected].line
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
        from evaltui.tui.screens.diff_screens import FixesPreview

        if self._refuse():
            return
        if not self._has_safe_fixes:
            self.status.say("No problem here has a safe fix.")
            return
        text, name, faults = self.repaired.text, self.file.file_name, [*self.faults.entries]

        def work() -> tuple[bytes, Counter[str], int, list[str]]:
            repaired, fixed = apply_safe_fixes(text, faults)
            diff = list(unified_diff(text, repaired, name))[2:]
            return repaired, Counter(fixed), len(syntax_faults(repaired)), diff

        def preview_fixes(result: tuple[bytes, Counter[str], int, list[str]]) -> None:
            repaired, fixed, remaining, diff = result
            count = fixed.total()
            label = f"{count:,} safe fix{'es' * (count != 1)}"

            def apply(_: bool) -> None:
                self.repaired.become(repaired, label)
                self._changed(f"{label} applied · {undo_said()}", 0)

            self.app.ask(FixesPreview(name, fixed, remaining, diff), apply)

        self._soon(work, preview_fixes, "fixing …")

    def step(self, way: Literal["undo", "redo"]) -> None:
        """Undo the last fix, or redo the one undone last."""
        if not self._refuse():
            label, done = self.repaired.step(way), "Undone" if way == "undo" else "Redone"
            self._changed(f"{done}: {with_full_stop(label)}" if label else f"Nothing to {way}.", self.faults.cursor)

    def _changed(self, message: str, near: int) -> None:
        self._look_again(near)
        self.status.say(message, _LOOKING if self._working else "")
        self.show_title()

    def explain(self) -> None:
        """Explain the rule that the selected problem breaks."""
        from evaltui.tui.screens.text_pages import RuleScreen
        from evaltui.validation.rules.json_syntax import diagnostic_of

        if self.faults.selected is not None:
            self.app.push_screen(RuleScreen(diagnostic_of(self.faults.selected)))

    # --- saving and leaving -----------------------------------------------------------------------------------

    def save_ended(self, *, is_saved: bool) -> None:
        """Open the file if it is JSON now."""
        if not is_saved or self.file.leaving.has_left:
            return
        if not (self.faults.entries or self._working):
            self.file.app.exit(OpenNext(self.file.document.path))
        else:
            self._look_again()

    quit = CommandScreen.quit

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
        line, column, _ = self._problem or (1, 1, "")
        try:
            with self.app.suspend():
                edit_file(document.path, line, column)
        except SuspendNotSupported:
            self.status.say("$EDITOR cannot run in this terminal.")
        except EditorError as error:
            self.status.say(str(error))
        else:
            self.file.app.exit(OpenNext(document.path))

    # --- moving -----------------------------------------------------------------------------------------------

    def step_problem(self, step: int) -> None:
        """Go to the next or previous problem, wrapping around."""
        if count := len(self.faults.entries):
            self.app.opener_guard.forget()
            self.faults.move_to((self.faults.cursor + step) % count)

    def next_pane(self) -> None:
        """Go from the list of problems to the text, or back."""
        self.set_focus(self.text_view if self.focused is self.faults else self.faults, scroll_visible=False)

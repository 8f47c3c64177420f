"""Converts the open file: choice of the format, losses, file name, writing; the screen while a large file is read."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from evaltui.document import pointer as pointers
from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.disk.file_replacement import fingerprint_on_disk, save_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.file_access import exists
from evaltui.files.typed_paths import PathError, file_to_write
from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import bindings, command_of, key_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.open_file.foreign_file import Reading, not_shown
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.title_and_status import StatusBar
from evaltui.tui.screens.command_screen import CommandScreen

if TYPE_CHECKING:  # formats are loaded once somebody converts
    from evaltui.interop.losses import Loss
    from evaltui.interop.portable_set import FormatType
    from evaltui.tui.editor.edit_screen import EditScreen
    from evaltui.tui.open_file.open_file import OpenFile

_LISTS_OF_TURNS = ("data", "conversation", "turns")
"""The keys of the lists of turns in the formats."""


class Converted(NamedTuple):
    """The result of a conversion that is not written yet."""

    root: Node
    """The source, read again for the conversion."""
    target: FormatType
    data: bytes
    losses: Sequence[Loss]
    notes: Sequence[str] = ()


class Converter:
    """Converts the text on screen to a new file, and opens the file behind a reading view as JSON."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    # --- commands --------------------------------------------------------------------------------------------

    def convert(self) -> None:
        """Choose the format to convert to."""
        self._panes.form.write_typed()
        source = self._source_format()
        if source is None:
            self._panes.status.say("This JSON has no known format, so it cannot be converted.")
            return
        from evaltui.interop.conversion_formats import FORMATS
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        source_format = source if self._file.case_file is not None else None  # a bare list of cases can become a set
        targets = {target.title: target for target in FORMATS if target.write and target is not source_format}
        choices = tuple(Choice(title, f"NAME{target.ending}") for title, target in targets.items())
        dialog = ChoiceDialog(f"Convert {self._file.file_name} to", choices)
        self._file.app.ask(dialog, lambda choice: self._convert(source, targets[choice.label]))

    def show_losses(self) -> None:
        """Show the losses of the reading view."""
        reading = self._file.reading
        if reading is None:
            self._panes.status.say(
                f"This file is not converted, so nothing is lost. Press {key_of('list.convert')} to convert the file."
            )
            return
        from evaltui.interop.eval_sets.writer import EVAL_SET

        self._show(Converted(reading.root, EVAL_SET, self._file.document.to_bytes(), reading.losses))

    def open_source(self) -> None:
        """Open the file as JSON; from there, open it as an eval set again."""
        file, reading = self._file, self._file.reading
        if reading is None and not file.is_json_of_reading:
            key = key_of("list.source")
            self._panes.status.say(f"{key} shows a converted file as JSON. This file is not converted.")
        elif reading is not None and not reading.is_json:
            self._panes.status.say(f"evaltui does not edit YAML. Press {key_of('list.convert')} to convert the file.")
        else:
            self._panes.form.write_typed()
            file.leaving.leave(OpenNext(file.document.path, as_json=reading is not None))

    # --- converting ------------------------------------------------------------------------------------------

    def _source_format(self) -> FormatType | None:
        if self._file.reading is not None:
            return self._file.reading.format
        from evaltui.interop.conversion_formats import FORMATS, format_of_source

        root = self._file.document.root
        source = format_of_source(root, self._file.file_name) if root is not None else None
        is_dataset = source is not None and source.source_word == "evaluation_dataset"
        if self._file.eval_set is not None and not is_dataset:  # the editor shows it as an eval set
            return next(known_format for known_format in FORMATS if known_format.source_word == "evalset")
        return source

    def _convert(self, source: FormatType, target: FormatType) -> None:
        """Convert in a thread, from a copy of the bytes, so that the editor stays usable."""
        from evaltui.interop.fields import ConversionError

        file, reading = self._file, self._file.reading
        data = reading.source.saved_bytes if reading is not None else file.document.to_bytes()

        def failed(error: Exception) -> None:
            file.tell(f"{file.file_name} cannot be converted to {target.title}: {error}.")

        file.tell(f"Converting to {target.title} …")
        file.app.opener_guard.note(command_of("list.losses"))
        work = partial(_converted, data, source, target, file.document.path)
        file.app.start_thread("convert", work, self._show, failed, ConversionError)

    def _show(self, converted: Converted) -> None:
        """Show the losses; without losses, ask for the file name at once."""
        if not self._file.is_free:  # the person has opened a dialog meanwhile
            return
        self._file.say("")
        if not (converted.losses or converted.notes):
            self._ask_for_name(converted)
            return
        from evaltui.tui.conversion.losses_screen import LossesScreen

        def answered(answer: Loss | Literal["write"]) -> None:
            if answer == "write":
                self._ask_for_name(converted)
            else:
                self._go_to(answer)

        name, title = self._file.file_name, converted.target.title
        summary = self._summary(converted)
        screen = LossesScreen(f"{name} → {title}", summary, converted.root, converted.losses, converted.notes)
        self._file.app.ask(screen, answered)

    def _summary(self, converted: Converted) -> str:
        from evaltui.interop.loss_counts import counted_losses

        drafts = self._file.drafts.counted()
        words = [
            counted_losses(converted.losses, notes=len(converted.notes)),
            "includes unsaved changes" if self._file.document.is_dirty else "",
            f"{drafts} left out" if drafts else "",
        ]
        return " · ".join(filter(None, words))

    def _go_to(self, loss: Loss) -> None:
        root, reading, eval_set = self._file.document.root, self._file.reading, self._file.eval_set
        if root is None:
            return
        if reading is None or eval_set is None:
            node, missing = root.nearest(pointers.parse_pointer(loss.pointer))
            self._screen.navigator.open_place(node, missing or "")
            return
        is_list = reading.format.source_word == "legacy_turns"
        self._screen.navigator.open_place(shown_place(eval_set, loss.pointer, is_list_of_turns=is_list))
        self._panes.status.say(f"{loss.pointer} in {self._file.file_name}")

    # --- writing ---------------------------------------------------------------------------------------------

    def _ask_for_name(self, converted: Converted, name: str = "") -> None:
        """Ask for the path of the file, and again if an existing file must not be replaced."""
        from evaltui.interop.conversion import file_beside
        from evaltui.tui.screens.questions import QuestionDialog
        from evaltui.tui.screens.text_dialogs import NameDialog

        app, source = self._file.app, self._file.document.path or Path("eval_set.json")
        # Paths are relative to the folder of the source, so that the proposed one is short.
        proposed = name or os.path.relpath(file_beside(source, converted.target), source.parent)

        def check(typed: str) -> tuple[str, Path, Fingerprint | None]:
            path = file_to_write(typed, source.parent, replaces=True)
            if exists(path) and exists(source) and path.samefile(source):
                raise PathError("this is the file that you convert; type another name")
            # Taken before the question: only the file that the person agreed to replace is replaced.
            return typed, path, fingerprint_on_disk(path)

        def answered(checked: tuple[str, Path, Fingerprint | None]) -> None:
            typed, path, fingerprint = checked
            write = partial(self._write, converted, path, fingerprint)
            if fingerprint is None:
                write()
            else:
                question = f"{printable(path.name)} already exists. Replace it?"
                ways = {"replace": write, "rename": partial(self._ask_for_name, converted, typed)}
                app.ask_what_to_do(QuestionDialog("replacement", question), ways)

        question = f"File name for {converted.target.title} ({self._summary(converted)})"
        app.ask(NameDialog(question, proposed, check, is_path=True, folder=source.parent), answered)

    def _write(self, converted: Converted, path: Path, fingerprint: Fingerprint | None) -> None:
        """Write the file; `fingerprint` is that of the file which is replaced."""

        def failed(error: Exception) -> None:
            self._file.tell(f"The file was not written: {error}")

        work = partial(save_file, path, [converted.data], fingerprint)
        self._file.app.start_thread("convert", work, lambda _: self._written(converted, path), failed, DocumentError)

    def _written(self, converted: Converted, path: Path) -> None:
        from evaltui.interop.loss_counts import losses_in_short
        from evaltui.tui.screens.questions import QuestionDialog

        words = [f"wrote {printable(path.name)}", losses_in_short(converted.losses), *converted.notes]
        self._file.tell(" · ".join(filter(None, words)))
        if self._file.is_free:  # else the question would come in front of another dialog
            question = QuestionDialog("converted", f"Wrote {printable(path.name)}. Open it?")
            self._file.app.ask_what_to_do(question, {"open": lambda: self._file.leaving.leave(OpenNext(path))})


class ReadingScreen(CommandScreen[None]):
    """Converts in a thread, then gives way to the editor."""

    PLACE = "reading"
    BINDINGS = bindings("reading")
    SHARED = ()

    def __init__(self, file: OpenFile, reading: Reading, show: Callable[[str], None]) -> None:
        """`show` shows the set once it is converted."""
        super().__init__()
        self.file, self._reading, self._show = file, reading, show

    def compose(self) -> ComposeResult:
        """The name of the file, and the word that it is being converted."""
        name = Content.assemble("   ", (self.file.file_name, "bold"), (f" · {self._reading.title}", "dim"))
        yield Static(name, markup=False, id="title")
        yield Static(Content.styled("\n  Converting …", "dim"), markup=False, id="reading-mark")
        yield StatusBar()
        yield KeysBar(place="reading")

    def on_mount(self) -> None:
        """Convert."""
        from evaltui.interop.fields import ConversionError

        self.file.app.start_thread("reading", self._reading.converted, self._done, self._failed, ConversionError)

    def _done(self, result: tuple[Document, Sequence[Loss]]) -> None:
        self.file.document, self._reading.losses = result
        self._show("")

    def _failed(self, error: Exception) -> None:
        self.open_source(not_shown(self._reading, error))

    def open_source(self, message: str = "") -> None:
        """Open the file as JSON, with a message."""
        self.file.leaving.leave(OpenNext(self._reading.source.path, as_json=True, notice=message))


def _converted(data: bytes, source: FormatType, target: FormatType, path: Path | None) -> Converted:
    """Convert a text. Raises `ConversionError`. For any thread."""
    from evaltui.interop.conversion import convert, stem_of, text_of
    from evaltui.interop.document_texts import read_source

    name = path.name if path is not None else ""
    root = read_source(data, name)
    result = convert(root, source, target, stem_of(name or "eval_set"))
    return Converted(root, target, text_of(result), result.losses, result.notes)


def shown_place(eval_set: CaseFile, pointer: str, *, is_list_of_turns: bool) -> Node:
    """The turn or case of the shown set for a pointer into its source, of the same order; else the set."""
    case_index, turn_index, key = 0, -1, ""
    has_case = is_list_of_turns
    for token in pointers.parse_pointer(pointer):
        if token.isdecimal() and (key in _LISTS_OF_TURNS or is_list_of_turns):
            turn_index = int(token)
            break
        if token.isdecimal():
            case_index, has_case = int(token), True
        key = token
    cases = eval_set.cases
    if not (has_case or turn_index >= 0 or len(cases) == 1) or case_index >= len(cases):
        return eval_set.root
    turns = turns_of(cases[case_index])
    return turns[turn_index] if 0 <= turn_index < len(turns) else cases[case_index]

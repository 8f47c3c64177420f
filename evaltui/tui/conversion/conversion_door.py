"""Converts the open file: choice of the format, list of losses, file name, and writing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.printable import printable
from evaltui.tui.base_app import OpenNext
from evaltui.tui.commands import key_of
from evaltui.tui.conversion.written_file import ask_for_name
from evaltui.tui.forms.form import Choice

if TYPE_CHECKING:  # formats are loaded once somebody converts
    from evaltui.interop.format_type import FormatType
    from evaltui.interop.losses import Loss
    from evaltui.tui.editor.edit_screen import EditScreen

_NO_FORMAT = "This JSON has no known format, so it cannot be converted."


class Converted(NamedTuple):
    """The result of a conversion that is not written yet."""

    root: Node
    """The source, read again for the conversion."""
    target: FormatType
    data: bytes
    losses: Sequence[Loss]
    notes: Sequence[str] = ()


class ConversionDoor:
    """Converts the text on screen to a new file, and opens the file behind a reading view as JSON."""

    def __init__(self, screen: EditScreen) -> None:
        self._screen, self._file, self._panes = screen, screen.file, screen.panes

    # --- commands --------------------------------------------------------------------------------------------

    def convert(self) -> None:
        """Choose the format to convert to."""
        self._panes.form.write_typed()
        source = self._source_format()
        if source is None:
            self._panes.status.say(_NO_FORMAT)
            return
        from evaltui.interop.conversion_formats import FORMATS
        from evaltui.tui.screens.choice_dialog import ChoiceDialog

        own = source if self._file.case_file is not None else None  # a bare list of cases can become a set
        targets = {each.title: each for each in FORMATS if each.write is not None and each is not own}
        choices = tuple(Choice(title, f"NAME{each.ending}") for title, each in targets.items())

        def chosen(choice: Choice | str | None) -> None:
            if isinstance(choice, Choice):
                self._convert(source, targets[choice.label])

        self._file.app.push_screen(ChoiceDialog(f"Convert {self._file.file_name} to", choices), chosen)

    def losses(self) -> None:
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
        session = self._file
        if session.reading is None and not session.is_json_of_reading:
            key = key_of("list.source")
            self._panes.status.say(f"{key} shows a converted file as JSON. This file is not converted.")
            return
        if session.reading is not None and not session.reading.is_json:
            self._panes.status.say(f"evaltui does not edit YAML. Press {key_of('list.convert')} to convert the file.")
            return
        self._panes.form.write_typed()
        self._file.leaving.leave(OpenNext(session.document.path, as_json=session.reading is not None))

    # --- converting ------------------------------------------------------------------------------------------

    def _source_format(self) -> FormatType | None:
        if self._file.reading is not None:
            return self._file.reading.format
        from evaltui.interop.conversion_formats import FORMATS, format_of_source

        root = self._file.document.root
        found = format_of_source(root, self._file.file_name) if root is not None else None
        is_dataset = found is not None and found.source_word == "evaluation_dataset"
        if self._file.eval_set is not None and not is_dataset:  # the editor shows it as an eval set
            return next(each for each in FORMATS if each.source_word == "evalset")
        return found

    def _convert(self, source: FormatType, target: FormatType) -> None:
        """Convert in a thread, from a copy of the bytes, so that the editor stays usable."""
        session, reading = self._file, self._file.reading
        data = reading.source.saved_bytes if reading is not None else session.document.to_bytes()
        path = session.document.path

        def failed(error: Exception) -> None:
            from evaltui.interop.format_type import ConversionError

            if not isinstance(error, ConversionError):
                self._file.app.note_fault(error)
            self._file.tell(f"{session.file_name} cannot be converted to {target.title}: {error}.")

        self._file.tell(f"Converting to {target.title} …")
        self._file.app.opener_guard.note_command("list.losses")
        self._file.app.start_thread("convert", partial(_converted, data, source, target, path), self._show, failed)

    def _show(self, converted: Converted) -> None:
        """Show the losses; without losses, ask for the file name at once."""
        if not self._file.is_free:  # the person has opened a dialog meanwhile
            return
        self._file.say("")
        if not (converted.losses or converted.notes):
            self._ask_for_name(converted)
            return
        from evaltui.interop.loss_counts import counted_losses
        from evaltui.tui.conversion.losses_screen import LossesScreen

        def answered(answer: Loss | Literal["write"] | None) -> None:
            if answer == "write":
                self._ask_for_name(converted)
            elif answer is not None:
                self._go_to(answer)

        name, title = self._file.file_name, converted.target.title
        summary = " · ".join(
            filter(None, [counted_losses(converted.losses, notes=len(converted.notes)), self._unsaved()])
        )
        screen = LossesScreen(f"{name} → {title}", summary, converted.root, converted.losses, converted.notes)
        self._file.app.push_screen(screen, answered)

    def _unsaved(self) -> str:
        """Words about unsaved changes, which are converted, and drafts, which are not."""
        said = "includes unsaved changes" if self._file.document.is_dirty else ""
        drafts = self._file.drafts.counted()
        return " · ".join(filter(None, [said, f"{drafts} left out" if drafts else ""]))

    def _go_to(self, loss: Loss) -> None:
        from evaltui.tui.conversion.shown_places import nearest_value, shown_place

        root, reading, eval_set = self._file.document.root, self._file.reading, self._file.eval_set
        if root is None:
            return
        if reading is None or eval_set is None:
            self._screen.problem_steps.open_place(*nearest_value(root, loss.pointer))
            return
        is_list = reading.format.source_word == "legacy_turns"
        self._screen.problem_steps.open_place(shown_place(eval_set, loss.pointer, is_list_of_turns=is_list))
        self._panes.status.say(f"{loss.pointer} in {self._file.file_name}")

    # --- writing ---------------------------------------------------------------------------------------------

    def _ask_for_name(self, converted: Converted) -> None:
        from evaltui.interop.loss_counts import counted_losses

        said = " · ".join(filter(None, [counted_losses(converted.losses, notes=len(converted.notes)), self._unsaved()]))
        question = f"File name for {converted.target.title} ({said})"
        source = self._file.document.path or Path("eval_set.json")
        ask_for_name(self._file.app, question, source, converted.target, partial(self._write, converted))

    def _write(self, converted: Converted, path: Path, found: Fingerprint | None) -> None:
        from evaltui.document.disk.file_replacement import save_file

        def done(_: object) -> None:
            self._written(converted, path)

        def failed(error: Exception) -> None:
            if not isinstance(error, DocumentError):
                self._file.app.note_fault(error)
            self._file.tell(f"The file was not written: {error}")

        self._file.app.start_thread("convert", partial(save_file, path, converted.data, found), done, failed)

    def _written(self, converted: Converted, path: Path) -> None:
        from evaltui.interop.loss_counts import losses_in_short

        said = " · ".join(
            filter(None, [f"wrote {printable(path.name)}", losses_in_short(converted.losses), *converted.notes])
        )
        self._file.tell(said)
        if not self._file.is_free:
            return
        from evaltui.tui.screens.questions import converted_question

        def answered(answer: str | None) -> None:
            if answer == "open":
                self._file.leaving.leave(OpenNext(path))

        self._file.app.push_screen(converted_question(path.name), answered)


def _converted(data: bytes, source: FormatType, target: FormatType, path: Path | None) -> Converted:
    """Convert a text. Raises `ConversionError`. For any thread."""
    from evaltui.interop.conversion import convert, stem_of, text_of
    from evaltui.interop.format_type import ConversionOptions
    from evaltui.interop.source_documents import read_source

    name = path.name if path is not None else ""
    root = read_source(data, name)
    result = convert(root, source, target, ConversionOptions(name=stem_of(name or "eval_set")))
    return Converted(root, target, text_of(result), result.losses, result.notes)

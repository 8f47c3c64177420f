"""A file of another format, shown as the eval set it converts to. The file itself is never written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.file_formats import ENDING_OF_DATASETS, format_of_document, is_eval_set
from evaltui.evalset.keys import text_of
from evaltui.tui.commands import key_of

if TYPE_CHECKING:
    from evaltui.interop.losses import Loss
    from evaltui.interop.portable_set import FormatType
    from evaltui.tui.open_file.edited_document import EditedDocument

_EDITED = ("evalset", "evaluation_dataset")
"""Formats that the editor shows with their own rows and forms, by their name in reports."""
_READ = ("eval_set", "legacy_cases", "legacy_turns", "ces_evaluation")
AT_ONCE = 300_000
"""Size, in bytes, up to which a file is converted before the first frame; larger ones convert in a thread."""


@dataclass(slots=True, eq=False)
class Reading:
    """The original document, its format, and the losses of its conversion to an eval set."""

    source: Document
    root: Node
    """The outermost value; for YAML, that of the equivalent JSON."""
    format: FormatType
    losses: Sequence[Loss] = ()

    @property
    def title(self) -> str:
        """The format and how it is shown, for the title bar."""
        return f"{self.format.title.removeprefix('the ')}, shown as an eval set"

    def said(self) -> str:
        """The number of losses, with the keys that show them, convert the file and open the JSON."""
        from evaltui.interop.loss_counts import counted_losses

        key = f" (press {key_of('list.losses')})" if self.losses else ""
        opens = f" · {key_of('list.source')}: open the JSON" if self.is_json else ""
        return f"{counted_losses(self.losses)}{key} · {key_of('list.convert')}: convert{opens}"

    @property
    def is_json(self) -> bool:
        """Whether the file is JSON, and not YAML."""
        return self.source.root is not None

    def converted(self) -> tuple[Document, Sequence[Loss]]:
        """The eval set and the losses. Raises `ConversionError`. Safe in a thread if nothing else uses `root`."""
        from evaltui.interop.conversion import convert, stem_of, text_of
        from evaltui.interop.eval_sets.writer import EVAL_SET

        path = self.source.path
        result = convert(self.root, self.format, EVAL_SET, stem_of(path.name if path else "set"))
        return Document(text_of(result), path), result.losses


def _format_to_read(root: Node) -> FormatType | None:
    """The format of a document that is shown as an eval set; None if the editor has rows for it."""
    cases, kind = root.member("eval_cases"), format_of_document(root)
    # Only the first case is looked at: a large set must not be walked before its first frame.
    is_known = not (cases is not None and cases.items) or bool(text_of(cases.items[0], "eval_id"))
    if root.member("eval_set_id") is not None and is_known and is_eval_set(root):
        return None
    # Loading the formats takes half as long as a first frame, so only for documents that may be of one.
    may_be_list = kind == "json" and (root.kind == "array" or any(map(root.member, ("conversations", "evals"))))
    if kind not in _READ and not may_be_list:
        return None
    from evaltui.evalset.file_formats import has_cases_of_trpc
    from evaltui.interop.conversion_formats import format_of_source

    source_format = format_of_source(root)
    if source_format is None or source_format.source_word in _EDITED:
        return None
    # An eval set in camelCase has rows and forms: google-adk rejects only its outermost keys.
    return None if source_format.source_word == "trpc-agent-go" and not has_cases_of_trpc(root) else source_format


def show_as_set(file: EditedDocument, *, as_json: bool = False) -> str:
    """Show a document of another format as the eval set that it converts to, unless `as_json`.

    Returns a notice for the status line, "" for none. A large file is converted later, in a thread; until then, its
    document is the source.
    """
    document, path, root = file.document, file.document.path, file.document.root
    if path is not None and root is None and path.suffix in (".yaml", ".yml"):
        from evaltui.interop.document_texts import read_source
        from evaltui.interop.fields import ConversionError

        try:
            root = read_source(document.to_bytes(), path.name)
        except ConversionError:
            return ""
    if path is None or root is None or (source_format := _format_to_read(root)) is None:
        return ""
    reading = Reading(document, root, source_format)
    file.is_json_of_reading = True
    if as_json:
        return ""
    if len(document.saved_bytes) <= AT_ONCE:
        from evaltui.interop.fields import ConversionError

        try:
            file.document, reading.losses = reading.converted()
        except ConversionError as error:
            return not_shown(reading, error)
    file.is_json_of_reading = False
    # Edits could not be written back: the conversion loses what an eval set has no place for.
    file.reading, file.readonly = reading, True
    opens = f" or {key_of('list.source')} to open the JSON" if reading.is_json else ""
    file.refusal = f"Read-only view as an eval set: press {key_of('list.convert')} to convert{opens}."
    return ""


def not_shown(reading: Reading, error: Exception) -> str:
    """The notice for a file that is shown as JSON because its conversion failed."""
    return f"Shown as JSON, because {reading.format.title} cannot be read here: {error}."


def new_set_text(name: str) -> bytes:
    """The text of a new dataset if the name has the ending of agents-cli datasets, else of a new eval set."""
    if name.endswith(ENDING_OF_DATASETS):
        from evaltui.evalset.editing.templates import new_dataset

        return new_dataset()
    from evaltui.evalset.editing.templates import new_eval_set

    return new_eval_set(name.split(".", maxsplit=1)[0])

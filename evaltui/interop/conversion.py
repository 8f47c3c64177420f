"""Conversion of one document from a format to another, with its losses."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaltui.document.node import Node
from evaltui.document.plain_values import TOO_DEEP, refuse_deep
from evaltui.evalset.keys import filled
from evaltui.garbage_collection import without_collecting
from evaltui.interop.conversion_formats import FORMATS
from evaltui.interop.deep_values import DELETE_INNER, deep_value
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.format_type import ConversionError, FormatType, WriteOptions
from evaltui.interop.losses import Loss, Losses
from evaltui.interop.odd_values import has_odd_values
from evaltui.interop.output_tree import Rendering
from evaltui.interop.portable_set import PortableCase, PortableSet
from evaltui.interop.rejected_values import rejected_values
from evaltui.interop.unread_content import is_silent, remark_on_foreign_content, remark_on_silent_cases
from evaltui.printable import json_escaped, one_line

_IDS = ("eval_id", "eval_case_id")
_NO_TURNS = (
    "no case has a conversation, a scenario or a prompt. The keys of the first case: {}. "
    "`evaltui rule conversation-or-scenario` shows the keys of an eval set"
)
_LONGEST_KEY = 40
_MOST_KEYS = 6


class ConvertedDocument(NamedTuple):
    """One document of the target as plain data."""

    value: Any
    name: str
    """Part of its file name if there are several files; "" for the set itself."""


class Conversion(NamedTuple):
    """The documents of the target, and the losses."""

    source: FormatType
    target: FormatType
    documents: Sequence[ConvertedDocument]
    losses: Sequence[Loss]
    notes: Sequence[str] = ()
    """Sentences on values that are in their place and have another effect there (`FormatType.notes`)."""

    @property
    def counts(self) -> dict[str, int]:
        """The number of losses of each kind, in the order in which kinds appear."""
        return dict(Counter(loss.kind for loss in self.losses))


def convert(
    root: Node, source: FormatType, target: FormatType, options: WriteOptions, *, is_camel: bool = False
) -> Conversion:
    """Convert a document. Raises `ConversionError` if it cannot be read or written."""
    if target.write is None:
        raise ConversionError(f"evaltui can read {target.title}, but cannot write it")
    try:
        with without_collecting():  # nearly all that is made stays until the end
            return _converted(root, source, target, options, Rendering(is_camel and target.takes_camel))
    except RecursionError:
        raise ConversionError(f"{TOO_DEEP}; {DELETE_INNER}") from None


def _converted(
    root: Node, source: FormatType, target: FormatType, options: WriteOptions, rendering: Rendering
) -> Conversion:
    rendering.has_odd_values = has_odd_values(root)
    portable = _read(root, source, options)
    rendering.invented += portable.invented
    remark_on_foreign_content(portable, target)
    written = target.write(portable, options) if target.write is not None else ()
    documents = [ConvertedDocument(rendering.plain(each.tree), each.name) for each in written]
    if target.reader is not None:
        for each, document in zip(written, documents, strict=True):
            rendering.rejected |= rejected_values(each.tree, document.value, target.reader)
    losses = Losses(portable.fields, rendering, target.holdings, target.title).of(root)
    # A copy in its own format has the effect that it had.
    notes = list(target.notes(portable)) if target.notes is not None and source is not target else []
    return Conversion(source, target, documents, losses, notes)


def _read(root: Node, source: FormatType, options: WriteOptions) -> PortableSet:
    if source.read_named is not None:
        portable = source.read_named(root, options.name, options.mapping)
    else:
        portable = source.read(root, options.name)
    for case in portable.cases:
        _take_id(case, portable.fields)
    silent = [case for case in portable.cases if is_silent(case)]
    if silent and len(silent) == len(portable.cases) and not any(case.id for case in silent):
        keys = ", ".join(one_line(item.name, _LONGEST_KEY) for item in silent[0].node.items[:_MOST_KEYS])
        raise ConversionError(_NO_TURNS.format(keys or "none"))
    remark_on_silent_cases(silent, portable.fields, source)
    return portable


def _take_id(case: PortableCase, fields: SourceFields) -> None:
    """Give a case without an id of its own format the id of another format."""
    for name in _IDS if case.id is None else ():
        given = filled(case.node, name)
        if case.id is None and given is not None and given.text():
            case.id = fields.note(given, SetField.CASE_ID)
            case.others.pop(given.name, None)


def text_of(conversion: Conversion) -> bytes:
    """All documents of a conversion as the bytes of one file: the only one as it is, several as a list."""
    values = [each.value for each in conversion.documents]
    return document_text(conversion.target, values[0] if len(values) == 1 else values)


def json_text_of(value: Any) -> str:
    """A document as it is written: two blanks a level, letters of all alphabets as they are, a final newline.

    Halves of surrogate pairs are escaped, because UTF-8 cannot hold them, and so is what could control a terminal.
    Raises `ConversionError` for a value that is too deep.
    """
    try:
        text = json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
        refuse_deep(text)  # JSON in a text may have become a value
    except RecursionError:
        raise ConversionError(deep_value(value)) from None
    return json_escaped(text) + "\n"


def document_text(target: FormatType, value: Any) -> bytes:
    """A document as the bytes of its file. Several documents in one file are a list."""
    if not target.is_yaml:
        return json_text_of(value).encode()
    from evaltui.interop.yaml_text import yaml_text_of  # noqa: PLC0415 - few files are YAML

    return yaml_text_of(value).encode("utf-8", "replace")


_LAYOUT = ("tests", "eval")
"""The parent folders of `evalsets` and `datasets` in projects of agents-cli."""
_FOLDERS = {"evalset": ("datasets", "evalsets"), "evaluation-dataset": ("evalsets", "datasets")}
"""By the target: the folder of its sources, and its own (agents-cli's migration)."""
_ENDINGS = (
    ".evalset.json",
    ".test.json",
    "-dataset.json",
    *(each.ending for each in FORMATS),
    ".json",
    ".yaml",
    ".yml",
)


def stem_of(name: str) -> str:
    """The name of a file without its folder and the ending of its format: "trips" of sets/trips.evalset.json."""
    file_name = Path(name).name
    for ending in _ENDINGS:
        if file_name.endswith(ending) and file_name != ending:
            return file_name.removesuffix(ending)
    return file_name


def file_beside(source: Path, target: FormatType) -> Path:
    """The file of a conversion beside its source; in the layout of agents-cli in the folder of the target.

    Lists and eval sets of other projects are often called `NAME.evalset.json`, too. Then NAME gets `.converted`.
    """
    stem = stem_of(source.name)
    found = folder_for(source.parent, target.option) / f"{stem}{target.ending}"
    return found.with_name(f"{stem}.converted{target.ending}") if found.name == source.name else found


def folder_for(folder: Path, option: str) -> Path:
    """The folder for the target: `tests/eval/datasets` for a source in `tests/eval/evalsets`, else the same."""
    if option not in _FOLDERS:
        return folder
    before, after = _FOLDERS[option]
    whole = Path(os.path.abspath(folder))  # noqa: PTH100 - links stay as they are named
    parts = whole.parts
    for index in range(len(parts) - 3, -1, -1):
        if parts[index : index + 3] == (*_LAYOUT, before):
            found = Path(*parts[: index + 2], after, *parts[index + 3 :])
            return found if folder.is_absolute() else Path(os.path.relpath(found))
    return folder

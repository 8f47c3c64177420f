"""The files that `evaltui convert` reads, named or in folders, and their conversions."""

from __future__ import annotations

import os
import stat
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node, root_of_file
from evaltui.evalset.file_formats import format_of_document, is_agents_cli_result
from evaltui.file_access import is_folder, size_of
from evaltui.interop.conversion import Conversion, convert, stem_of
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.document_texts import read_source
from evaltui.interop.fields import ConversionError
from evaltui.interop.portable_set import FormatType
from evaltui.printable import one_line
from evaltui.report.terminal_output import progress

if TYPE_CHECKING:
    from evaltui.interop.resource_mapping import ResourceNames

STDIN = "-"
SUFFIXES = (".json", ".yaml", ".yml")
_MOST_NAMED = 3
_UNKNOWN = "not an eval set in a format that evaltui knows"


def convert_sources(
    options: Namespace, target: FormatType, mapping: ResourceNames | None, messages: list[str]
) -> tuple[list[Conversion], list[Path]]:
    """Read and convert files, named or in named folders. Returns the conversions, and the files that were read.

    Adds sentences about skipped files to `messages`. Raises `DocumentError` for a named file that cannot be converted.
    """
    converted: list[Conversion] = []
    inputs: list[Path] = []
    finished: list[str] = []
    unknown: list[str] = []
    is_empty = True
    sources = _find_sources(options.files, options.output, messages)
    with progress(sum(size_of(Path(name)) for name, _ in sources if name != STDIN), "converting") as tick:
        for name, path in sources:
            try:
                root, source_format = _read(name, is_named=path is None)
                # A folder may have the outputs of an earlier run. A file that is named is converted all the same.
                if source_format is None or (path is not None and source_format is target):
                    (unknown if source_format is None else finished).append(name)
                    continue
                is_empty = False
                if name != STDIN:
                    inputs.append(Path(name))
                stem = "eval_set" if name == STDIN else stem_of(name)
                conversion = convert(root, source_format, target, stem, mapping, is_camel=options.camel)
                converted.append(conversion._replace(path=name, folder=path and path.parent))
                tick(len(root.source()))
            except (DocumentError, ConversionError) as error:
                # One bad file of a folder does not keep the others from being converted.
                reason = str(error).removeprefix(f"{name}: ")
                sentence = f"{'standard input' if name == STDIN else name}: {reason}"
                if path is None:
                    raise DocumentError(sentence) from error
                messages.append(f"{sentence}; skipped")
    if finished:
        messages.append(f"{_count_files(finished)} skipped: already {target.option}")
    if unknown:
        messages.append(f"{_count_files(unknown)} skipped: {_UNKNOWN}")
    if is_empty:
        messages.append(f"nothing to convert in {', '.join(options.files)}")
    return converted, inputs


def _find_sources(names: Sequence[str], output: str | None, messages: list[str]) -> list[tuple[str, Path | None]]:
    """Each file once: its name and, if a folder was named, its path in that folder. Raises `DocumentError`."""
    sources: dict[str, tuple[str, Path | None]] = {}
    for name in names:
        if not name:
            raise DocumentError("FILE is empty; use `.` for the current folder")
        folder = Path(name)
        if name == STDIN or not is_folder(folder):
            sources.setdefault(STDIN if name == STDIN else os.path.realpath(name), (name, None))
            continue
        # A folder of outputs in the searched folder may have the results of an earlier run: they are no sources.
        relative = os.path.relpath(os.path.realpath(output), os.path.realpath(folder)) if output else "."
        outputs = None if relative == "." or relative.startswith("..") else folder / relative
        from evaltui.files.folder_search import Bounds, walk

        paths = walk(folder, Bounds(), lambda path, reason: messages.append(f"{path}: {reason}"), by_git=True)
        for path in paths:
            if path.suffix not in SUFFIXES or (outputs is not None and path.is_relative_to(outputs)):
                continue
            with suppress(OSError):
                if stat.S_ISREG(path.stat().st_mode):  # reading a pipe could wait for ever
                    sources.setdefault(os.path.realpath(path), (str(path), path.relative_to(folder)))
    return list(sources.values())


def _read(name: str, *, is_named: bool) -> tuple[Node, FormatType | None]:
    """A document and its format; None for an unknown one, which raises `ConversionError` for a named file."""
    data = read_stdin() if name == STDIN else read_file(Path(name))
    root = read_source(data, name)
    source_format = format_of_source(root, Path(name).name)
    if source_format is None and is_named:
        raise ConversionError(f"cannot be converted: this is {_name_kind(root, name, data)}")
    return root, source_format


def _name_kind(root: Node, name: str, data: bytes) -> str:
    """The kind of a document that is no source of a conversion, and the command for it."""
    kind = format_of_document(root, Path(name).name)
    if kind == "eval_config":
        return "an eval config; convert the eval set that it belongs to"
    uses = "`evaltui record` makes cases from it"
    if root.member("eval_case_results") is not None and is_agents_cli_result(root.value()):
        title = "a result of agents-cli"
        uses += ", and `evaltui compare BASE CANDIDATE` compares two results"
    elif kind == "eval_set_result":
        title = "a result of google-adk"
    elif kind == "adk_session":
        title = "a session of google-adk"
    else:
        return _UNKNOWN
    # Recordings are read as JSON only, but the reader of sources takes YAML, too.
    is_json = root_of_file(data) is not None
    return f"{title}; {uses}" if is_json else f"{title}, but in YAML. Save it as JSON, then {uses}"


def _count_files(names: Sequence[str]) -> str:
    """A single file by name, else the number of files with the first names; safe to show."""
    if len(names) == 1:
        return one_line(names[0])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"{len(names)} files ({', '.join(map(one_line, names[:_MOST_NAMED]))}{more})"

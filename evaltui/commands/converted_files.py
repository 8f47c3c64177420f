"""The files of `evaltui convert`: those that it reads, named or in folders, and those that it writes."""

from __future__ import annotations

import os
import re
import stat
from argparse import Namespace
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.commands.output_files import Outputs, is_null, say_remarks
from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node, root_of_file
from evaltui.evalset.file_formats import format_of_document, is_agents_cli_result
from evaltui.file_access import is_folder, size_of
from evaltui.interop.conversion import Conversion, convert, file_beside, stem_of, text_of
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.document_texts import read_source
from evaltui.interop.fields import ConversionError
from evaltui.interop.portable_set import FormatType
from evaltui.printable import one_line
from evaltui.report.terminal_output import progress

if TYPE_CHECKING:
    from evaltui.interop.resource_mapping import ResourceNames

STDIO = "-"
"""Standard input as a source, standard output as an output."""
_SUFFIXES = (".json", ".yaml", ".yml")
_MOST_NAMED = 3
_UNKNOWN = "not an eval set in a format that evaltui knows"
_LONGEST_NAME = 80
"""Letters of a case id in the name of a file; most disks take 255 bytes."""
_EXISTS = "this file already exists; use --force to overwrite it, or -o to give another file name"
OutputFile = tuple[Path | None, bytes]
"""A file to be written; without a path, standard output."""
_is_unfit = re.compile(r"[^\w.-]").match


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
    with progress(sum(size_of(Path(name)) for name, _ in sources if name != STDIO), "converting") as tick:
        for name, path in sources:
            try:
                root, source_format = _read(name, is_named=path is None)
                # A folder may have the outputs of an earlier run. A file that is named is converted all the same.
                if source_format is None or (path is not None and source_format is target):
                    (unknown if source_format is None else finished).append(name)
                    continue
                is_empty = False
                if name != STDIO:
                    inputs.append(Path(name))
                stem = "eval_set" if name == STDIO else stem_of(name)
                conversion = convert(root, source_format, target, stem, mapping, is_camel=options.camel)
                converted.append(conversion._replace(path=name, folder=path and path.parent))
                tick(len(root.source()))
            except (DocumentError, ConversionError) as error:
                # One bad file of a folder does not keep the others from being converted.
                reason = str(error).removeprefix(f"{name}: ")
                sentence = f"{'standard input' if name == STDIO else name}: {reason}"
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
        if name == STDIO or not is_folder(folder):
            sources.setdefault(STDIO if name == STDIO else os.path.realpath(name), (name, None))
            continue
        # A folder of outputs in the searched folder may have the results of an earlier run: they are no sources.
        relative = os.path.relpath(os.path.realpath(output), os.path.realpath(folder)) if output else "."
        outputs = None if relative == "." or relative.startswith("..") else folder / relative
        from evaltui.files.folder_search import Bounds, walk

        paths = walk(folder, Bounds(), lambda path, reason: messages.append(f"{path}: {reason}"), by_git=True)
        for path in paths:
            if path.suffix not in _SUFFIXES or (outputs is not None and path.is_relative_to(outputs)):
                continue
            with suppress(OSError):
                if stat.S_ISREG(path.stat().st_mode):  # reading a pipe could wait for ever
                    sources.setdefault(os.path.realpath(path), (str(path), path.relative_to(folder)))
    return list(sources.values())


def _read(name: str, *, is_named: bool) -> tuple[Node, FormatType | None]:
    """A document and its format; None for an unknown one, which raises `ConversionError` for a named file."""
    data = read_stdin() if name == STDIO else read_file(Path(name))
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


# --- outputs: one for each set or for each case ----------------------------------------------------------------------


def place_outputs(conversions: Sequence[Conversion], output: str | None) -> list[list[OutputFile]]:
    """The outputs of each conversion. Raises `DocumentError` if `output` does not fit them."""
    is_many = len(conversions) > 1 or any(conversion.folder is not None for conversion in conversions)
    folder = Path(output) if output is not None else None
    if is_many and output == STDIO:
        raise DocumentError("-o -: standard output is one file; give a folder with -o")
    if is_many and folder is not None and folder.suffix in _SUFFIXES and not is_folder(folder):
        raise DocumentError(f"-o {output}: several files need a folder, but this is the name of a file")
    outputs: list[list[OutputFile]] = []
    for conversion in conversions:
        try:
            outputs.append(_outputs_of(conversion, output, is_many=is_many))
        except ConversionError as error:
            raise DocumentError(f"{conversion.path}: {error}") from None
    conversion_by_output: dict[str, Conversion] = {}
    for conversion, files in zip(conversions, outputs, strict=True):
        for path, _ in files:
            name = STDIO if path is None else str(path)
            first = conversion_by_output.setdefault(name, conversion)
            if first is not conversion and name != os.devnull:
                both = f"{first.path} and {conversion.path}"
                raise DocumentError(f"{name}: {both} would be written to this one file; convert each source alone")
    return outputs


def _outputs_of(conversion: Conversion, output: str | None, *, is_many: bool) -> list[OutputFile]:
    """The outputs of one conversion: one file, or in a folder one a case if the target has one for each.

    Raises `ConversionError`.
    """
    target = conversion.target
    if output == STDIO or (output is None and conversion.path == STDIO):
        return [(None, text_of(conversion))]
    if output is None:
        if conversion.source is target:
            raise ConversionError(f"this is already {target.option}; use -o to write a copy in evaltui's style")
        return [(file_beside(Path(conversion.path), target), text_of(conversion))]
    path = Path(output)
    # A name with a slash at its end means a folder that is still to be made.
    if output == os.devnull or not (is_many or output.endswith(("/", os.sep)) or is_folder(path)):
        return [(path, text_of(conversion))]
    folder = path if conversion.folder is None else path / conversion.folder
    source_stem = "eval_set" if conversion.path == STDIO else stem_of(conversion.path)
    if not (target.case_key and conversion.documents):
        return [(folder / f"{source_stem}{target.ending}", text_of(conversion))]
    used_names: set[str] = set()
    files: list[OutputFile] = []
    for position, document in enumerate(conversion.documents, 1):
        case_stem = safe_name(document[target.case_key]) or f"case_{position}"
        stem = f"{source_stem}.{case_stem}" if is_many else case_stem
        numbered = chain([stem], (f"{stem}_{number}" for number in count(2)))
        # Names are compared without case, as some file systems do.
        name = next(name for name in numbered if name.casefold() not in used_names)
        used_names.add(name.casefold())
        files.append((folder / f"{name}{target.ending}", text_of(conversion._replace(documents=[document]))))
    return files


def safe_name(text: str) -> str:
    """A text as a file name: letters with their marks, digits, `_`, `-` and inner dots; "" if nothing is left."""
    from evaltui.evalset.editing.new_ids import is_mark

    spaced = "".join(char if is_mark(char) else " " if _is_unfit(char) else char for char in text)
    return re.sub(" +", "_", spaced)[:_LONGEST_NAME].strip("._-")


def write_outputs(
    outputs: Sequence[OutputFile], inputs: Iterable[Path], options: Namespace, *, is_written: bool
) -> list[str]:
    """Check all files, then write each whole or not at all, unless `is_written` is false. Raises `DocumentError`.

    Returns sentences about existing files in a dry run; otherwise an existing file raises without `--force`.
    """
    messages = []
    named = [(path, data) for path, data in outputs if path is not None]
    paths = [path for path, _ in named]
    # Whoever names one file means it wherever it leads; no name that evaltui makes follows a link out.
    is_named = options.output is not None and paths == [Path(options.output)]
    files = Outputs(paths, makes_folders=True, force=options.force if is_named else None)
    files.spare(inputs)
    for path in paths:
        if options.force or is_null(path) or not os.path.lexists(path):
            continue
        if not options.dry_run:
            raise DocumentError(f"{path}: {_EXISTS}")
        messages.append(f"{path}: {_EXISTS}")
    for path, data in named if is_written else ():
        say_remarks(str(path), files.write(path, [data]))
    return messages

"""Outputs of `evaltui convert`: their names, and the check of all files before the first write."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from evaltui.commands.convert_sources import STDIN, ConversionSource
from evaltui.commands.output_files import Outputs, is_null, say_remarks
from evaltui.document.errors import DocumentError
from evaltui.evalset.editing.proposed_ids import is_mark
from evaltui.file_access import is_folder
from evaltui.interop.conversion import Conversion, text_of
from evaltui.interop.format_type import ConversionError
from evaltui.interop.output_names import file_beside

_STDOUT = "-"
_LONGEST_NAME = 80
"""Letters of a case id in the name of a file; most disks take 255 bytes."""
_EXISTS = "this file already exists; use --force to overwrite it, or -o to give another file name"
_is_unfit = re.compile(r"[^\w.-]").match

Converted = tuple[ConversionSource, Conversion]


class OutputFile(NamedTuple):
    """A file to be written; without a path, standard output."""

    path: Path | None
    data: bytes

    @property
    def name(self) -> str:
        """The path as it was given or made."""
        return _STDOUT if self.path is None else str(self.path)


def place_outputs(done: Sequence[Converted], output: str | None) -> list[list[OutputFile]]:
    """The outputs of each source. Raises `DocumentError` if `output` does not fit the sources."""
    outputs = _placed(done, output)
    owners: dict[str, ConversionSource] = {}
    for (source, _), files in zip(done, outputs, strict=True):
        for each in files:
            other = owners.setdefault(each.name, source)
            if other is not source and each.name != os.devnull:
                both = f"{other.name} and {source.name}"
                raise DocumentError(f"{each.name}: {both} would be written to this one file; convert each source alone")
    return outputs


def _placed(done: Sequence[Converted], output: str | None) -> list[list[OutputFile]]:
    is_many = len(done) > 1 or any(source.below is not None for source, _ in done)
    if output == _STDOUT and is_many:
        raise DocumentError("-o -: standard output is one file; give a folder with -o")
    if output is None:
        return [[OutputFile(_beside(*each), _text(*each))] for each in done]
    if output == os.devnull:
        return [[OutputFile(Path(output), _text(*each))] for each in done]
    if output == _STDOUT:
        return [[OutputFile(None, _text(*each))] for each in done]
    folder = Path(output)
    if not (is_many or output.endswith(("/", os.sep)) or is_folder(folder)):
        return [[OutputFile(folder, _text(*each))] for each in done]
    if is_many and folder.suffix in (".json", ".yaml", ".yml") and not is_folder(folder):
        raise DocumentError(f"-o {output}: several files need a folder, but this is the name of a file")
    return [_in_folder(folder, source, conversion, is_many=is_many) for source, conversion in done]


def _text(source: ConversionSource, conversion: Conversion) -> bytes:
    """The documents of a conversion as one file. Raises `DocumentError` with the name of the source."""
    try:
        return text_of(conversion)
    except ConversionError as error:
        raise DocumentError(f"{source.name}: {error}") from None


def write_outputs(
    outputs: Sequence[OutputFile], inputs: Iterable[Path], given: Namespace, *, is_written: bool
) -> list[str]:
    """Check all files, then write each whole or not at all, unless `is_written` is false. Raises `DocumentError`.

    Returns sentences about existing files in a dry run; otherwise an existing file raises without `--force`.
    """
    said = []
    named = [(each.path, each.data) for each in outputs if each.path is not None]
    paths = [path for path, _ in named]
    # Whoever names one file means it wherever it leads; no name that evaltui makes follows a link out.
    is_named = given.output is not None and paths == [Path(given.output)]
    files = Outputs(paths, makes_folders=True, force=given.force if is_named else None)
    files.spare(inputs)
    for path in paths:
        if given.force or is_null(path) or not os.path.lexists(path):
            continue
        if given.dry_run:
            said.append(f"{path}: {_EXISTS}")
        else:
            raise DocumentError(f"{path}: {_EXISTS}")
    for path, data in named if is_written else ():
        say_remarks(str(path), files.write(path, [data]))
    return said


# --- names ---------------------------------------------------------------------------------------------------------


def _beside(source: ConversionSource, conversion: Conversion) -> Path | None:
    """The file beside a source; None for standard input."""
    if source.name == STDIN:
        return None
    if conversion.source is conversion.target:
        option = conversion.target.option
        raise DocumentError(f"{source.name}: this is already {option}; use -o to write a copy in evaltui's style")
    return file_beside(Path(source.name), conversion.target)


def _in_folder(folder: Path, source: ConversionSource, conversion: Conversion, *, is_many: bool) -> list[OutputFile]:
    """The outputs in a folder: one file, or one file a case if the target format has a document for each case."""
    own = folder if source.below is None else folder / source.below.parent
    ending = conversion.target.ending
    if not any(each.name for each in conversion.documents):
        return [OutputFile(own / f"{source.stem}{ending}", _text(source, conversion))]
    taken: set[str] = set()
    found = []
    for number, each in enumerate(conversion.documents, 1):
        stem = safe_name(each.name) or f"case_{number}"
        name = _unique(f"{source.stem}.{stem}" if is_many else stem, taken)
        found.append(OutputFile(own / f"{name}{ending}", _text(source, conversion._replace(documents=[each]))))
    return found


def safe_name(text: str) -> str:
    """A text as a file name: letters with their marks, digits, `_`, `-` and inner dots; "" if nothing is left."""
    fair = "".join(char if is_mark(char) else " " if _is_unfit(char) else char for char in text)
    return re.sub(" +", "_", fair)[:_LONGEST_NAME].strip("._-")


def _unique(name: str, taken: set[str]) -> str:
    """The name, with a number if it is taken. Names are compared without case, as some file systems do."""
    found, number = name, 2
    while found.casefold() in taken:
        found, number = f"{name}_{number}", number + 1
    taken.add(found.casefold())
    return found

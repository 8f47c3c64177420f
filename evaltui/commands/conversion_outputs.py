"""The files that `evaltui convert` writes: their names, one for each set or for each case, and the writing itself."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Iterable, Sequence
from itertools import chain, count
from pathlib import Path

from evaltui.commands.conversion_sources import STDIN, SUFFIXES
from evaltui.commands.output_files import Outputs, is_null, say_remarks
from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.interop.conversion import Conversion, file_beside, stem_of, text_of
from evaltui.interop.fields import ConversionError

STDOUT = "-"
_LONGEST_NAME = 80
"""Letters of a case id in the name of a file; most disks take 255 bytes."""
_EXISTS = "this file already exists; use --force to overwrite it, or -o to give another file name"
OutputFile = tuple[Path | None, bytes]
"""A file to be written; without a path, standard output."""
_is_unfit = re.compile(r"[^\w.-]").match


def place_outputs(conversions: Sequence[Conversion], output: str | None) -> list[list[OutputFile]]:
    """The outputs of each conversion. Raises `DocumentError` if `output` does not fit them."""
    is_many = len(conversions) > 1 or any(conversion.folder is not None for conversion in conversions)
    folder = Path(output) if output is not None else None
    if is_many and output == STDOUT:
        raise DocumentError("-o -: standard output is one file; give a folder with -o")
    if is_many and folder is not None and folder.suffix in SUFFIXES and not is_folder(folder):
        raise DocumentError(f"-o {output}: several files need a folder, but this is the name of a file")
    outputs = [_outputs_of(conversion, output, is_many=is_many) for conversion in conversions]
    conversion_by_output: dict[str, Conversion] = {}
    for conversion, files in zip(conversions, outputs, strict=True):
        for path, _ in files:
            name = STDOUT if path is None else str(path)
            first = conversion_by_output.setdefault(name, conversion)
            if first is not conversion and name != os.devnull:
                both = f"{first.path} and {conversion.path}"
                raise DocumentError(f"{name}: {both} would be written to this one file; convert each source alone")
    return outputs


def _outputs_of(conversion: Conversion, output: str | None, *, is_many: bool) -> list[OutputFile]:
    """The outputs of one conversion: one file, or in a folder one a case if the target has one for each."""
    target = conversion.target
    if output == STDOUT or (output is None and conversion.path == STDIN):
        return [(None, _text_of(conversion))]
    if output is None:
        if conversion.source is target:
            reason = f"this is already {target.option}; use -o to write a copy in evaltui's style"
            raise DocumentError(f"{conversion.path}: {reason}")
        return [(file_beside(Path(conversion.path), target), _text_of(conversion))]
    path = Path(output)
    # A name with a slash at its end means a folder that is still to be made.
    if output == os.devnull or not (is_many or output.endswith(("/", os.sep)) or is_folder(path)):
        return [(path, _text_of(conversion))]
    folder = path if conversion.folder is None else path / conversion.folder
    source_stem = "eval_set" if conversion.path == STDIN else stem_of(conversion.path)
    if not (target.case_key and conversion.documents):
        return [(folder / f"{source_stem}{target.ending}", _text_of(conversion))]
    used_names: set[str] = set()
    files: list[OutputFile] = []
    for position, document in enumerate(conversion.documents, 1):
        case_stem = safe_name(document[target.case_key]) or f"case_{position}"
        stem = f"{source_stem}.{case_stem}" if is_many else case_stem
        numbered = chain([stem], (f"{stem}_{number}" for number in count(2)))
        # Names are compared without case, as some file systems do.
        name = next(name for name in numbered if name.casefold() not in used_names)
        used_names.add(name.casefold())
        files.append((folder / f"{name}{target.ending}", _text_of(conversion._replace(documents=[document]))))
    return files


def _text_of(conversion: Conversion) -> bytes:
    try:
        return text_of(conversion)
    except ConversionError as error:
        raise DocumentError(f"{conversion.path}: {error}") from None


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

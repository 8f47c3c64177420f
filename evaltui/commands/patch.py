"""`evaltui patch`: a JSON Patch applied to a file, byte-preserving."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from evaltui.command_line.parser import CommandParser
from evaltui.commands.document_output import print_diff, print_document, save_in_place, say_remarks
from evaltui.commands.output_files import found_at, is_null, is_same_file
from evaltui.commands.set_options import DIFF, add_force
from evaltui.document.disk.file_content import Fingerprint, read_file, read_stdin
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.patch import FailedTestError, apply_patch, read_patch
from evaltui.interop.source_documents import what_other_text, why_not_json
from evaltui.interrupt import deferred
from evaltui.printable import say

STDIN = "-"
"""As an input: standard input. As an output: standard output."""

USAGE = "patch [OPTIONS] FILE PATCH"
DESCRIPTION = "Apply an RFC 6902 JSON Patch, all or nothing. No other byte of the file changes."
EXAMPLE = (
    """echo '[{"op": "replace", "path": "/name", "value": "Trips"}]' > rename.json\n"""
    "evaltui patch trip_planner.evalset.json rename.json --diff"
)


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui patch`."""
    files = parser.add_argument_group("Arguments")
    what = "The JSON file. It is changed in place, unless -o or --diff is given."
    files.add_argument("file", metavar="FILE", help=what)
    files.add_argument("patch", metavar="PATCH", help="The patch, a JSON file. Use - for standard input.")
    output = parser.add_argument_group("Output")
    output.add_argument("-o", "--output", metavar="OUT", help="Write the result to OUT. Use - for standard output.")
    add_force(output)
    output.add_argument("--diff", action="store_true", help=DIFF)


def run(options: Namespace) -> int:
    """Apply a patch to a file. The exit code is 0, 1 (a `test` operation fails) or 2 (with a sentence)."""
    try:
        _patch(options.file, options.patch, options.output, options)
    except FailedTestError as error:
        say(f"{options.patch}: {error}; nothing was written")
        return 1
    except DocumentError as error:
        say(error)
        return 2
    return 0


def _patch(file: str, patch: str, output: str | None, given: Namespace) -> None:
    if file == STDIN and patch == STDIN:
        raise DocumentError("standard input cannot be both the file and the patch; give a file name for one of them")
    if file == STDIN and output is None and not given.diff:
        raise DocumentError("standard input cannot be changed in place; give a file name, or use -o or --diff")
    if not given.diff and output != STDIN:
        _spare_patch(file, patch, output)
    writes_output = output not in (None, STDIN, os.devnull) and not given.diff
    found = found_at(Path(output or ""), force=given.force) if writes_output else None
    document = Document(_read(file), None if file == STDIN else Path(file))
    before = document.body()
    if document.fault is not None:
        raise DocumentError(why_not_json(document, file))
    data = _read(patch)
    try:
        operations = read_patch(data)
        apply_patch(document, operations)
    except FailedTestError:
        raise
    except DocumentError as error:
        raise DocumentError(f"{patch}: {what_other_text(Document(data), patch) or error}") from error
    _put_out(document, before, file, found, given)
    if given.diff:
        return
    count = f"{len(operations)} operation{'s' * (len(operations) != 1)}"
    is_replaced = found is not None and not is_same_file(Path(file), Path(output or ""))
    target = f", written to {output}{', which replaced the file there' * is_replaced}" if writes_output else ""
    say(f"{file}: {count} applied{target}")


def _spare_patch(file: str, patch: str, output: str | None) -> None:
    """Raise `DocumentError` if the output would overwrite the patch."""
    target = file if output is None else output
    if patch != STDIN and is_same_file(Path(target), Path(patch)):
        advice = "use -o for the result" if output is None else "give another file name"
        raise DocumentError(f"{target}: this is the patch and is not overwritten; {advice}")


def _read(name: str) -> bytes:
    return read_stdin() if name == STDIN else read_file(Path(name))


def _put_out(document: Document, before: bytes, file: str, found: Fingerprint | None, given: Namespace) -> None:
    """Write the document, to an output only if that is still as it was found."""
    if given.diff:
        print_diff(document, before, file)
    elif given.output == STDIN:
        print_document(document)
    elif given.output is not None and not is_null(Path(given.output)):
        with deferred():
            saved = save_file(Path(given.output), document.to_bytes(), found, leaves=given.force)
        say_remarks(given.output, saved)
    elif given.output is None and document.body() != before:
        save_in_place(document, file)

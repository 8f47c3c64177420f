"""`evaltui patch`: a JSON Patch applied to a file, byte-preserving."""

from __future__ import annotations

from argparse import Namespace

from evaltui.commands.parser import CommandParser
from evaltui.commands.set_options import DIFF, add_force
from evaltui.document.errors import DocumentError
from evaltui.printable import say

USAGE = "patch [OPTIONS] FILE PATCH"
DESCRIPTION = "Apply an RFC 6902 JSON Patch, all or nothing. No other byte of the file changes."
EXAMPLE = (
    """echo '[{"op": "replace", "path": "/name", "value": "Trips"}]' > rename.json\n"""
    "evaltui patch trip_planner.evalset.json rename.json --diff"
)
_STDIN = "-"
"""As an input: standard input. As an output: standard output."""


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui patch`."""
    files = parser.add_argument_group("Arguments")
    file = "The JSON file. It is changed in place, unless -o or --diff is given."
    files.add_argument("file", metavar="FILE", help=file)
    files.add_argument("patch", metavar="PATCH", help="The patch, a JSON file. Use - for standard input.")
    output = parser.add_argument_group("Output")
    output.add_argument("-o", "--output", metavar="OUT", help="Write the result to OUT. Use - for standard output.")
    add_force(output)
    output.add_argument("--diff", action="store_true", help=DIFF)


def run(options: Namespace) -> int:
    """Apply a patch to a file. The exit code is 0 or 1 (a `test` operation fails)."""
    from evaltui.document.patch import FailedTestError

    try:
        _refuse_usage(options)
        _patch(options)
    except FailedTestError as error:
        say(f"{options.patch}: {error}; nothing was written")
        return 1
    return 0


def _refuse_usage(options: Namespace) -> None:
    from evaltui.commands import output_files

    if options.file == options.patch == _STDIN:
        raise DocumentError("standard input cannot be both the file and the patch; give a file name for one of them")
    if options.file == _STDIN and options.output is None and not options.diff:
        raise DocumentError("standard input cannot be changed in place; give a file name, or use -o or --diff")
    target = options.file if options.output is None else options.output
    is_written = not options.diff and options.output != _STDIN
    if is_written and options.patch != _STDIN and output_files.is_same_file(target, options.patch):
        advice = "use -o for the result" if options.output is None else "give another file name"
        raise DocumentError(f"{target}: this is the patch and is not overwritten; {advice}")


def _patch(options: Namespace) -> None:
    from pathlib import Path

    from evaltui.commands import output_files
    from evaltui.document.disk.file_content import read_file, read_stdin
    from evaltui.document.disk.file_replacement import save_file
    from evaltui.document.document import Document
    from evaltui.document.patch import FailedTestError, apply_patch, read_patch
    from evaltui.interop.document_texts import what_other_text, why_not_json
    from evaltui.interrupt import deferred

    output = Path(options.output) if options.output not in (None, _STDIN) and not options.diff else None
    # The fingerprint is taken before the work: a file that another program writes meanwhile is not replaced.
    expected = None
    if output is not None and not output_files.is_null(output):
        expected = output_files.output_fingerprint(output, force=options.force)
    file = None if options.file == _STDIN else Path(options.file)
    document = Document(read_stdin() if file is None else read_file(file), file)
    old = document.body()
    if document.fault is not None:
        raise DocumentError(why_not_json(document, options.file))
    data = read_stdin() if options.patch == _STDIN else read_file(Path(options.patch))
    try:
        operations = read_patch(data)
        apply_patch(document, operations)
    except FailedTestError:
        raise
    except DocumentError as error:
        reason = what_other_text(Document(data), options.patch) or error
        raise DocumentError(f"{options.patch}: {reason}") from error
    if options.diff:
        output_files.print_diff(document, old, options.file)
        return
    target = ""
    if output is not None and not output_files.is_null(output):
        with deferred():
            _, remarks = save_file(output, [document.to_bytes()], expected, leaves=options.force)
        output_files.say_remarks(options.output, remarks)
        is_replaced = expected is not None and not output_files.is_same_file(options.file, output)
        target = f", written to {options.output}{', which replaced the file there' * is_replaced}"
    elif options.output == _STDIN:
        output_files.print_document(document)
    elif output is None and document.body() != old:  # an empty patch changes neither the file nor its time
        output_files.save_in_place(document, options.file)
    say(f"{options.file}: {len(operations)} operation{'s' * (len(operations) != 1)} applied{target}")

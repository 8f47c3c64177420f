"""`evaltui convert`: converts eval sets to another format, with a report of losses.

The order is: read and convert all files, check all outputs, write them, print the report. So stdout stays empty if a
file cannot be read or written.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from evaltui.command_line.parser import CommandParser
from evaltui.commands.convert_outputs import OutputFile, place_outputs, write_outputs
from evaltui.commands.convert_sources import STDIN, ConversionSource, FoundSources
from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.errors import DocumentError
from evaltui.interop.ces.ces_format import CES
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.format_type import ConversionError, FormatType, WriteOptions
from evaltui.interop.formats import format_to_write
from evaltui.interop.resource_names import ResourceNames
from evaltui.printable import one_line, say, write_line
from evaltui.report.conversion_reports import ConvertedFile, conversion_lines, print_conversions_json
from evaltui.report.output import print_bytes, progress, terminal_width

STDOUT = "-"
_MOST_NAMED = 5

USAGE = "convert [OPTIONS] FILE… --to FORMAT"
DESCRIPTION = "Write eval sets in another format, and report each value that it cannot hold."
EXAMPLE = "evaltui convert migration/flight_desk.evalset.json --to evaluation-dataset"
WRITTEN_FORMATS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
"""The words of `convert --to`; `evaltui.interop.formats` has the formats."""


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui convert`."""
    files = parser.add_argument_group("Arguments")
    what = "An eval set in any of the formats, or a folder of them. Use - for standard input."
    files.add_argument("files", metavar="FILE", nargs="+", help=what)
    form = parser.add_argument_group("Format")
    to = f"The format to write: {', '.join(WRITTEN_FORMATS[:-1])} or {WRITTEN_FORMATS[-1]}."
    form.add_argument("--to", metavar="FORMAT", choices=WRITTEN_FORMATS, help=to)  # the command requires it
    form.add_argument("--camel", action="store_true", help="Write keys in camelCase. Only for evalset.")
    mapping = "For ces: a JSON or YAML file with the resource names of tools, agents and rubrics."
    form.add_argument("--mapping", metavar="FILE", help=mapping)
    output = parser.add_argument_group("Output")
    out = "The file to write, or a folder for several. Use - for standard output. Default: beside each source."
    output.add_argument("-o", "--output", metavar="OUT", help=out)
    force = "Replace files that exist. With -o FILE, also follow a link out of the repository. Inputs always stay."
    output.add_argument("--force", action="store_true", help=force)
    output.add_argument("--dry-run", action="store_true", help="Print the report and write nothing.")
    report = "Format of the report of losses: text or json. Default: text."
    output.add_argument("--report", metavar="FORMAT", choices=("text", "json"), default="text", help=report)
    strict = "If a value would be lost, write nothing and exit with 1."
    parser.add_argument_group("Exit code").add_argument("--strict", action="store_true", help=strict)


def run(given: Namespace) -> int:
    """Convert files. Returns 0, 1 (`--strict` and a loss) or 2 (with a sentence). With 1 or 2, no file is written."""
    try:
        target = _target(given)
        options = _mapping(given.mapping)
        sources = FoundSources(given.files, target, given.output)
        done = _converted(sources, target, options, is_camel=given.camel)
        outputs = place_outputs([(source, conversion) for source, conversion in done], given.output)
        files = [
            ConvertedFile(source.name, source.root, conversion, [str(each.name) for each in outputs[number]])
            for number, (source, conversion) in enumerate(done)
        ]
        is_refused = given.strict and any(conversion.losses for _, conversion in done)
        is_written = not (is_refused or given.dry_run)
        inputs = [Path(each) for each in (*sources.names, *([given.mapping] if given.mapping else []))]
        flat = [each for listed in outputs for each in listed]
        existing = write_outputs(flat, inputs, given, is_written=is_written)
    except (DocumentError, ConversionError) as error:
        say(error)
        return 2
    for sentence in (*sources.said, *existing):
        say(sentence)
    if given.camel and not target.takes_camel:
        say(f"--camel has no effect: the keys of {given.to} have only one spelling")
    _say_unused_names(given, options, done)
    _print(files, flat, given, is_written=is_written)
    if is_refused:
        say("nothing was written: --strict allows no losses")
    return int(is_refused)


def _target(given: Namespace) -> FormatType:
    """The format to write. Raises `DocumentError` for a missing or unknown format and for contradicting options."""
    if given.to is None:
        example = shlex.join(["evaltui", "convert", given.files[0], "--to", "evaluation-dataset"])
        raise DocumentError(f"convert needs --to FORMAT, one of {', '.join(WRITTEN_FORMATS)}; for example: {example}")
    target = format_to_write(given.to)
    if target is None:
        raise DocumentError(f"evaltui cannot write the format {given.to}")
    if given.output == "":
        raise DocumentError("-o is empty; give a file name or folder, or - for standard output")
    if given.output == STDOUT and given.report == "json":
        raise DocumentError("--report json and -o - both need standard output; give a file name with -o")
    if given.mapping == STDIN and STDIN in given.files:
        raise DocumentError("standard input cannot be both the set and the mapping; give a file name for one of them")
    return target


def _mapping(name: str | None) -> WriteOptions:
    """The options with the resource names of `--mapping`. Raises `DocumentError`."""
    if name is None:
        return WriteOptions()
    from evaltui.interop.mapping_file import read_mapping

    data = read_stdin() if name == STDIN else read_file(Path(name))
    try:
        names: ResourceNames = read_mapping(data)
    except ConversionError as error:
        raise DocumentError(f"{name}: {error}") from error
    return WriteOptions(mapping=names)


def _say_unused_names(given: Namespace, options: WriteOptions, done: Sequence[tuple[object, Conversion]]) -> None:
    """Warn about names of the mapping that no source uses: they may be misspelt."""
    is_read = any(each.target is CES or each.source.read_named is not None for _, each in done)
    unused = options.mapping.unused_names()
    if unused and is_read:
        say(f"{given.mapping}: no tool or agent in the sources has the name {_listed(unused)}")


def _listed(names: Sequence[str]) -> str:
    """The first names, and how many others there are; safe to show."""
    shown = ", ".join(one_line(each, 40) for each in names[:_MOST_NAMED])
    return f"{shown} and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else shown


def _converted(
    sources: FoundSources, target: FormatType, options: WriteOptions, *, is_camel: bool
) -> list[tuple[ConversionSource, Conversion]]:
    """The sources with their conversions. Raises `DocumentError` for a named file that cannot be converted."""
    found = []
    with progress(sources.size, "converting") as tick:
        for source in sources.read():
            own = WriteOptions(source.stem, options.mapping)
            try:
                found.append((source, convert(source.root, source.format, target, own, is_camel=is_camel)))
            except ConversionError as error:
                sources.refuse(source.name, str(error), is_named=source.below is None)
            tick(len(source.root.source()))
    return found


def _print(
    files: Sequence[ConvertedFile], outputs: Sequence[OutputFile], given: Namespace, *, is_written: bool
) -> None:
    """Print the documents for stdout, and the report."""
    documents = [each.data for each in outputs if each.path is None]
    for data in documents if is_written else ():
        print_bytes(data)
    if given.report == "json" and not documents:
        print_conversions_json(files, is_written=is_written)
        return
    stream = "stderr" if documents else "stdout"
    for line in conversion_lines(files, terminal_width(), is_written=is_written):
        write_line(stream, line, is_safe=True)

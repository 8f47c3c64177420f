"""`evaltui convert`: converts eval sets to another format, with a report of losses.

The order is: read and convert all files, check all outputs, write them, print the report. So stdout stays empty if a
file cannot be read or written.
"""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError, ReadError
from evaltui.printable import one_line, say, write_line

if TYPE_CHECKING:
    from evaltui.interop.conversion import Conversion
    from evaltui.interop.portable_set import FormatType
    from evaltui.interop.resource_mapping import ResourceNames

USAGE = "convert [OPTIONS] FILE… --to FORMAT"
DESCRIPTION = "Write eval sets in another format, and report each value that it cannot hold."
EXAMPLE = "evaltui convert migration/flight_desk.evalset.json --to evaluation-dataset"

WRITTEN_FORMATS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
"""The words of `convert --to`; `evaltui.interop.conversion_formats` has the formats."""
_STDIO = "-"
_MOST_NAMED = 5


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui convert`."""
    file = "An eval set in any of the formats, or a folder of them. Use - for standard input."
    parser.add_argument_group("Arguments").add_argument("files", metavar="FILE", nargs="+", help=file)
    group = parser.add_argument_group("Format")
    target = f"The format to write: {', '.join(WRITTEN_FORMATS[:-1])} or {WRITTEN_FORMATS[-1]}."
    # `run` requires it: argparse would say so without the formats.
    group.add_argument("--to", metavar="FORMAT", choices=WRITTEN_FORMATS, help=target)
    group.add_argument("--camel", action="store_true", help="Write keys in camelCase. Only for evalset.")
    mapping = "For ces: a JSON or YAML file with the resource names of tools, agents and rubrics."
    group.add_argument("--mapping", metavar="FILE", help=mapping)
    output = parser.add_argument_group("Output")
    place = "The file to write, or a folder for several. Use - for standard output. Default: beside each source."
    output.add_argument("-o", "--output", metavar="OUT", help=place)
    force = "Replace files that exist. With -o FILE, also follow a link out of the repository. Inputs always stay."
    output.add_argument("--force", action="store_true", help=force)
    output.add_argument("--dry-run", action="store_true", help="Print the report and write nothing.")
    report = "Format of the report of losses: text or json. Default: text."
    output.add_argument("--report", metavar="FORMAT", choices=("text", "json"), default="text", help=report)
    strict = "If a value would be lost, write nothing and exit with 1."
    parser.add_argument_group("Exit code").add_argument("--strict", action="store_true", help=strict)


def run(options: Namespace) -> int:
    """Convert files. Returns 0 or 1 (`--strict` and a loss, so that no file is written)."""
    from pathlib import Path

    from evaltui.commands.converted_files import convert_sources, place_outputs, write_outputs

    messages: list[str] = []
    target = _choose_format(options)
    mapping = _read_mapping(options.mapping) if options.mapping is not None else None
    conversions, inputs = convert_sources(options, target, mapping, messages)
    inputs += [Path(options.mapping)] if options.mapping else []
    outputs = place_outputs(conversions, options.output)
    conversions = [
        conversion._replace(outs=[_STDIO if path is None else str(path) for path, _ in files])
        for conversion, files in zip(conversions, outputs, strict=True)
    ]
    # Outputs are checked in a dry run as well: it says what the real one would refuse.
    is_refused = options.strict and any(conversion.losses for conversion in conversions)
    is_written = not (is_refused or options.dry_run)
    messages += write_outputs([file for files in outputs for file in files], inputs, options, is_written=is_written)
    for message in messages:
        say(message)
    if options.camel and not target.takes_camel:
        say(f"--camel has no effect: the keys of {options.to} have only one spelling")
    if mapping is not None:
        _say_unused_names(options, mapping, conversions)
    documents = [data for files in outputs for path, data in files if path is None]
    _print_results(conversions, documents, options, is_written=is_written)
    if is_refused:
        say("nothing was written: --strict allows no losses")
    return int(is_refused)


def _choose_format(options: Namespace) -> FormatType:
    """The format to write. Raises `DocumentError` for a missing or unknown format and for contradicting options."""
    from evaltui.interop.conversion_formats import FORMATS

    if options.to is None:
        example = shlex.join(["evaltui", "convert", options.files[0], "--to", "evaluation-dataset"])
        raise DocumentError(f"convert needs --to FORMAT, one of {', '.join(WRITTEN_FORMATS)}; for example: {example}")
    # The parser allows no other words.
    target = next(form for form in FORMATS if form.option == options.to and form.write is not None)
    if options.output == "":
        raise DocumentError("-o is empty; give a file name or folder, or - for standard output")
    if options.output == _STDIO and options.report == "json":
        raise DocumentError("--report json and -o - both need standard output; give a file name with -o")
    if options.mapping == _STDIO and _STDIO in options.files:
        raise DocumentError("standard input cannot be both the set and the mapping; give a file name for one of them")
    return target


def _read_mapping(name: str) -> ResourceNames:
    from pathlib import Path

    from evaltui.document.disk.file_content import read_file, read_stdin
    from evaltui.interop.document_texts import read_json_or_yaml
    from evaltui.interop.fields import ConversionError
    from evaltui.interop.resource_mapping import read_mapping

    data = read_stdin() if name == _STDIO else read_file(Path(name))
    try:
        return read_mapping(read_json_or_yaml(data))
    except (ConversionError, ReadError) as error:
        raise DocumentError(f"{name}: {error}") from error


def _say_unused_names(options: Namespace, mapping: ResourceNames, conversions: Sequence[Conversion]) -> None:
    """Warn about names of the mapping that no source uses: they may be misspelt."""
    from evaltui.interop.ces.writer import CES

    # Only CES files have resource names, so in other conversions no name is used.
    if not any(CES in (conversion.source, conversion.target) for conversion in conversions):
        return
    if names := mapping.unused_names():
        examples = ", ".join(one_line(name, 40) for name in names[:_MOST_NAMED])
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        say(f"{options.mapping}: no tool or agent in the sources has the name {examples}{more}")


def _print_results(
    conversions: Sequence[Conversion], documents: Sequence[bytes], options: Namespace, *, is_written: bool
) -> None:
    from evaltui.report.conversion_reports import conversion_lines, print_conversions_json
    from evaltui.report.terminal_output import print_bytes, terminal_width

    for document in documents if is_written else ():
        print_bytes(document)
    if options.report == "json" and not documents:
        print_conversions_json(conversions, is_written=is_written)
        return
    # Standard output then holds the document alone, for the next program of a pipe.
    stream = "stderr" if documents else "stdout"
    for line in conversion_lines(conversions, terminal_width(), is_written=is_written):
        write_line(stream, line, is_safe=True)

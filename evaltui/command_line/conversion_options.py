"""Options of the commands that make a file from another: `convert` and `patch`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import DIFF, add_force

WRITTEN_FORMATS = ("evalset", "evaluation-dataset", "ces", "legacy-cases", "adk-rs", "cxas-yaml")
"""The words of `convert --to`; `evaltui.interop.formats` has the formats."""


def add_convert(parser: CommandParser) -> None:
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


def add_patch(parser: CommandParser) -> None:
    """Add the options of `evaltui patch`."""
    files = parser.add_argument_group("Arguments")
    what = "The JSON file. It is changed in place, unless -o or --diff is given."
    files.add_argument("file", metavar="FILE", help=what)
    files.add_argument("patch", metavar="PATCH", help="The patch, a JSON file. Use - for standard input.")
    output = parser.add_argument_group("Output")
    output.add_argument("-o", "--output", metavar="OUT", help="Write the result to OUT. Use - for standard output.")
    add_force(output)
    output.add_argument("--diff", action="store_true", help=DIFF)

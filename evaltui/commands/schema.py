"""`evaltui schema`: the JSON Schema of eval sets and configs, for completion and checks in editors."""

from __future__ import annotations

from argparse import Namespace

from evaltui.commands.parser import CommandParser
from evaltui.printable import write_line

USAGE = "schema [evalset | config]"
DESCRIPTION = "Print the JSON Schema of eval sets or configs. Code editors check files with it."
EXAMPLE = "evaltui schema > evalset.schema.json"


def add_options(parser: CommandParser) -> None:
    """Add the argument of `evaltui schema`."""
    kind = "The kind of file: evalset or config. Default: evalset."
    parser.add_argument_group("Arguments").add_argument(
        "kind", metavar="KIND", choices=("evalset", "config"), nargs="?", default="evalset", help=kind
    )


def run(options: Namespace) -> int:
    """Print the schema of an `evalset` or a `config`."""
    import json
    from pathlib import Path

    from evaltui.evalset import schema
    from evaltui.file_access import read_regular

    # `make docs` makes these files from the models.
    path = Path(schema.__path__[0], f"{options.kind}.schema.json")
    write_line("stdout", json.dumps(json.loads(read_regular(path, 1 << 20)), indent=2))
    return 0

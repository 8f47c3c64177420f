"""`evaltui schema`: the JSON Schema of eval sets and configs, for completion and checks in editors."""

from __future__ import annotations

from argparse import Namespace

from evaltui.command_line.parser import CommandParser
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

    from evaltui.evalset.schema.eval_case import EvalSet
    from evaltui.validation.json_schema import schema_of, schema_of_config

    schema = schema_of_config() if options.kind == "config" else schema_of(EvalSet, "Eval set of google-adk")
    write_line("stdout", json.dumps(schema, indent=2))
    return 0

"""`evaltui schema`: the JSON Schema of eval sets and configs, for completion and checks in editors."""

from __future__ import annotations

import json
from argparse import Namespace

from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.printable import write_line
from evaltui.validation.json_schema import schema_of, schema_of_config


def run(options: Namespace) -> int:
    """Print the schema of an `evalset` or a `config`."""
    schema = schema_of_config() if options.kind == "config" else schema_of(EvalSet, "Eval set of google-adk")
    write_line("stdout", json.dumps(schema, indent=2))
    return 0

"""Asks google-cloud-ces, in a Python of its own, what it reads from evaluations."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

_PROGRAM = """
import json, sys
from google.cloud.ces_v1beta.types import Evaluation
for line in sys.stdin:
    try:
        read = Evaluation.from_json(json.loads(line), ignore_unknown_fields=False)
        options = dict(including_default_value_fields=False, use_integers_for_enums=False)
        camel = Evaluation.to_json(read, preserving_proto_field_name=False, **options)
        said = ["", camel, Evaluation.to_json(read, preserving_proto_field_name=True, **options)]
    except Exception as error:
        said = [f"{type(error).__name__}: {error}"[:2000], "null", "null"]
    print(json.dumps(said), flush=True)
"""


class CesVerdict(NamedTuple):
    """The objection of google-cloud-ces ("" for none), and the evaluation as it writes it in either key case."""

    objection: str
    camel: Any
    snake: Any


def ces_verdicts(python: str, evaluations: Sequence[Any]) -> list[CesVerdict]:
    """What google-cloud-ces makes of each evaluation."""
    asked = "".join(json.dumps(json.dumps(each)) + "\n" for each in evaluations)
    run = subprocess.run([python, "-c", _PROGRAM], input=asked, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr[-2000:])
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    return [CesVerdict(said, json.loads(camel), json.loads(snake)) for said, camel, snake in answers]

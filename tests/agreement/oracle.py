"""Asks google-adk, in a Python of its own, what it accepts."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Sequence

_PROGRAM = """
import base64, json, sys, warnings
warnings.simplefilter("ignore")
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.eval_config import EvalConfig
models = {"set": EvalSet, "config": EvalConfig}
for line in sys.stdin:
    kind, data = json.loads(line)
    try:
        models[kind].model_validate_json(base64.b64decode(data))
        said = ""
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:2000] or "?"
    print(json.dumps(said), flush=True)
"""


def objections(python: str, kind: str, files: Sequence[bytes]) -> list[str]:
    """What google-adk has against each file, "" for nothing; `kind` is `set` or `config`."""
    asked = "".join(json.dumps([kind, base64.b64encode(data).decode()]) + "\n" for data in files)
    run = subprocess.run([python, "-c", _PROGRAM], input=asked, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr[-2000:])
    return [json.loads(line) for line in run.stdout.splitlines()]

"""Asks agents-cli and agentplatform, in a Python of their own, how they read EvaluationDatasets."""

from __future__ import annotations

import json
import subprocess
from typing import Any

_PROGRAM = """
import json, sys, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from google.agents.cli._agent_platform_types import types
from google.agents.cli.eval._events import to_adk_event_payload
from google.agents.cli.eval.cmd_generate import split_case_history
from google.agents.cli.eval.optimize_utils import _to_adk_evalset_dict
from google.agents.cli.scaffold.utils.upgrade import _convert_eval_set
def session(case):
    if not case.get("prompt") and not case.get("agent_data"):
        return {"refused": "missing both prompt and agent_data"}
    try:
        prior, message = split_case_history(types.EvalCase.model_validate(case))
    except Exception as error:
        return {"refused": str(error)}
    return {
        "prior": [to_adk_event_payload(event) for event in prior],
        "message": message.model_dump(exclude_none=True, by_alias=True, mode="json"),
    }
def objection(text):
    try:
        types.EvaluationDataset.model_validate_json(text)
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:1000]
for line in sys.stdin:
    kind, value = json.loads(line)
    if kind == "objection":
        said = objection(value)
    elif kind == "sessions":
        said = [session(case) for case in json.loads(value)["eval_cases"]]
    elif kind == "optimized":
        said = _to_adk_evalset_dict(json.loads(value), "app", "the_set")
    else:
        said = _convert_eval_set(json.loads(value))
    print(json.dumps(said), flush=True)
"""


def told(python: str, kind: str, datasets: list[Any]) -> list[Any]:
    """An answer for each file.

    `objection`: what agentplatform has against a dataset, "" for nothing. `sessions`: for each case the events that
    agents-cli seeds, as google-adk gets them, and the message that it sends. `optimized`: the eval set that
    `eval optimize` makes of a dataset. `migrated`: the dataset that `scaffold upgrade` makes of an eval set.
    """
    asked = "".join(json.dumps([kind, json.dumps(each, allow_nan=False)]) + "\n" for each in datasets)
    run = subprocess.run([python, "-c", _PROGRAM], input=asked, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]
    return [json.loads(line) for line in run.stdout.splitlines()]

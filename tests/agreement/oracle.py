"""Asks google-adk, agentplatform and agents-cli, each in a Python of its own, what they accept."""

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
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation import eval_metrics as kinds
KINDS = {
    "tool_trajectory_avg_score": kinds.ToolTrajectoryCriterion,
    "final_response_match_v2": kinds.LlmAsAJudgeCriterion,
    "hallucinations_v1": kinds.HallucinationsCriterion,
    "rubric_based_final_response_quality_v1": kinds.RubricsBasedCriterion,
    "rubric_based_tool_use_quality_v1": kinds.RubricsBasedCriterion,
    "rubric_based_multi_turn_trajectory_quality_v1": kinds.RubricsBasedCriterion,
    "per_turn_user_simulator_quality_v1": kinds.LlmBackedUserSimulatorCriterion,
}
class Criteria:
    def model_validate_json(data):
        for metric in get_eval_metrics_from_config(EvalConfig.model_validate_json(data)):
            if metric.metric_name in KINDS and metric.criterion and not metric.custom_function_path:
                KINDS[metric.metric_name].model_validate(metric.criterion.model_dump())
models = {"set": EvalSet, "config": EvalConfig, "criteria": Criteria}
for line in sys.stdin:
    kind, data = json.loads(line)
    try:
        models[kind].model_validate_json(base64.b64decode(data))
        said = ""
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:2000] or "?"
    print(json.dumps(said), flush=True)
"""


_DATASETS = """
import base64, json, sys, warnings
warnings.simplefilter("ignore")
from agentplatform import types
for line in sys.stdin:
    kind, data = json.loads(line)
    try:
        types.EvaluationDataset.model_validate_json(base64.b64decode(data))
        said = ""
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:2000] or "?"
    print(json.dumps(said), flush=True)
"""


def objections(python: str, kind: str, files: Sequence[bytes]) -> list[str]:
    """What google-adk has against each file, "" for nothing.

    `kind` is `set`, `config`, or `criteria` for a config and what its evaluators have against their criteria; with
    `dataset` it is agentplatform that is asked.
    """
    asked = "".join(json.dumps([kind, base64.b64encode(data).decode()]) + "\n" for data in files)
    program = _DATASETS if kind == "dataset" else _PROGRAM
    run = subprocess.run([python, "-c", program], input=asked, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr[-2000:])
    return [json.loads(line) for line in run.stdout.splitlines()]

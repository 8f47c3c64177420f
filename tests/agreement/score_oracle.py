"""Asks google-adk, in a Python of its own, how it scores: evaluators by themselves, and whole cases of several runs."""

from __future__ import annotations

import json
import os
import subprocess
from typing import Any

import pytest

_COMMON = """
import json, sys, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from google.adk.evaluation.eval_case import EvalCase, Invocation
from google.adk.evaluation.eval_metrics import BaseCriterion, EvalMetric
asked = [json.loads(line) for line in sys.stdin]
def invocations(side):
    return [Invocation.model_validate_json(json.dumps(each)) for each in side]
def told(result):
    return {"score": result.overall_score, "status": result.overall_eval_status.name,
            "turns": [[each.score, each.eval_status.name] for each in result.per_invocation_results]}
"""

EVALUATORS = (
    _COMMON
    + """
from google.adk.evaluation import _efficiency_evaluators as efficiency
from google.adk.evaluation.trajectory_evaluator import TrajectoryEvaluator
def response(eval_metric):
    from google.adk.evaluation.final_response_match_v1 import RougeEvaluator
    return RougeEvaluator(eval_metric)
KINDS = {
    "tool_trajectory_avg_score": lambda metric: TrajectoryEvaluator(eval_metric=metric),
    "response_match_score": response,
    "tool_call_count_v1": lambda metric: efficiency._ToolCallCountV1Evaluator(),
    "inference_call_count_v1": lambda metric: efficiency._InferenceCallCountV1Evaluator(),
    "token_usage_v1": lambda metric: efficiency._TokenUsageV1Evaluator(),
    "invocation_duration_v1": lambda metric: efficiency._InvocationDurationV1Evaluator(),
}
for name, criterion, expected, actual in asked:
    metric = EvalMetric(metric_name=name, criterion=criterion and BaseCriterion.model_validate(criterion))
    try:
        print(json.dumps(told(KINDS[name](metric).evaluate_invocations(invocations(actual), invocations(expected)))))
    except ValueError as error:
        print(json.dumps({"error": str(error)}))
"""
)

CASES = (
    _COMMON
    + """
import asyncio
from google.adk.agents.llm_agent import LlmAgent
from google.adk.evaluation.agent_evaluator import AgentEvaluator
from google.adk.evaluation.base_eval_service import EvaluateConfig, InferenceResult, InferenceStatus
from google.adk.evaluation.eval_config import EvalConfig, get_eval_metrics_from_config
from google.adk.evaluation.in_memory_eval_sets_manager import InMemoryEvalSetsManager
from google.adk.evaluation.local_eval_service import LocalEvalService
async def judged(case, config, runs):
    metrics = get_eval_metrics_from_config(EvalConfig.model_validate_json(json.dumps(config)))
    sets = InMemoryEvalSetsManager()
    sets.create_eval_set("app", "set")
    sets.add_eval_case("app", "set", EvalCase.model_validate_json(json.dumps(case)))
    service = LocalEvalService(root_agent=LlmAgent(name="a", model="none"), eval_sets_manager=sets)
    results = []
    for run in runs:
        inference = InferenceResult(app_name="app", eval_set_id="set", eval_case_id=case["eval_id"], session_id=None,
            inferences=invocations(run), status=InferenceStatus.SUCCESS)
        results.append((await service._evaluate_single_inference_result(
            inference, EvaluateConfig(eval_metrics=metrics)))[1])
    means = {}
    def keep(*, overall_eval_status, overall_score, metric_name, **_):
        means[metric_name] = [overall_score, overall_eval_status.name]
    AgentEvaluator._print_details = staticmethod(keep)
    AgentEvaluator._process_metrics_and_get_failures(
        AgentEvaluator._get_eval_metric_results_with_invocation(results), True, "agent")
    return {"means": means, "runs": [{"status": result.final_eval_status.name,
        "metrics": {each.metric_name: [each.score, each.eval_status.name]
                    for each in result.overall_eval_metric_results}} for result in results]}
for case, config, runs in asked:
    print(json.dumps(asyncio.run(judged(case, config, runs))))
"""
)

RESULT_FILES = (
    CASES[: CASES.index("for case, config, runs in asked")]
    + """
import types
from google.adk.evaluation.eval_result import EvalSetResult
from google.adk.evaluation.evaluator import EvaluationResult, EvalStatus, PerInvocationResult
from google.adk.evaluation.metric_evaluator_registry import DEFAULT_METRIC_EVALUATOR_REGISTRY
from google.adk.evaluation.metric_evaluator_registry import register_custom_metrics_from_config
mine = sys.modules["mine"] = types.ModuleType("mine")
def score(eval_metric, actual_invocations, expected_invocations, conversation_scenario=None):
    each = [PerInvocationResult(actual_invocation=one, score=0.25, eval_status=EvalStatus.FAILED)
            for one in actual_invocations]
    return EvaluationResult(overall_score=0.25, overall_eval_status=EvalStatus.FAILED, per_invocation_results=each)
mine.score = score
async def recorded(case, config, run):
    read = EvalConfig.model_validate_json(json.dumps(config))
    sets = InMemoryEvalSetsManager()
    sets.create_eval_set("app", "set")
    sets.add_eval_case("app", "set", EvalCase.model_validate_json(json.dumps(case)))
    service = LocalEvalService(root_agent=LlmAgent(name="a", model="none"), eval_sets_manager=sets,
        metric_evaluator_registry=register_custom_metrics_from_config(read, DEFAULT_METRIC_EVALUATOR_REGISTRY.fork()))
    inference = InferenceResult(app_name="app", eval_set_id="set", eval_case_id=case["eval_id"], session_id=None,
        inferences=invocations(run), status=InferenceStatus.SUCCESS)
    result = (await service._evaluate_single_inference_result(
        inference, EvaluateConfig(eval_metrics=get_eval_metrics_from_config(read))))[1]
    return EvalSetResult(eval_set_result_id="app_set_1.5", eval_set_id="set", eval_case_results=[result],
        creation_timestamp=1.5).model_dump_json(indent=2)
for case, config, run in asked:
    print(json.dumps(asyncio.run(recorded(case, config, run))))
"""
)


def answers(python: str, program: str, questions: list[Any]) -> list[Any]:
    """What google-adk says to each question; skips where no Python has what google-adk[eval] brings.

    agentevals depends on that, so its Python is asked where `python` has it not.
    """
    asked = "".join(json.dumps(question) + "\n" for question in questions)
    for each in filter(None, [python, os.environ.get("EVALTUI_AGENTEVALS_PYTHON")]):
        run = subprocess.run([each, "-c", program], input=asked, capture_output=True, text=True, check=False)
        if "ModuleNotFoundError" not in run.stderr:
            assert run.returncode == 0, run.stderr[-2000:]
            return [json.loads(line) for line in run.stdout.splitlines()]
    pytest.skip(f"no Python with google-adk[eval]: {run.stderr.strip().splitlines()[-1]}")

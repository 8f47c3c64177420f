"""Files that are no eval set: what each is, and what google-adk does when it is given one."""

from __future__ import annotations

from types import MappingProxyType

from evaltui.validation.rule import Diagnostic, Example, Rule

_LOADER = (
    "`load_eval_set_from_file` (google.adk.evaluation.local_eval_sets_manager) tries `EvalSet.model_validate_json`, "
    "and takes whatever that rejects for the old list of cases. "
)
_GOOD = Example("text", '{"eval_set_id": "trips", "eval_cases": []}')


def _format(code: str, summary: str, why: str, bad: str) -> Rule:
    return Rule(code, summary, why, Example("text", bad), _GOOD, severity="error", group="format")


LEGACY_CASES = _format(
    "legacy-cases",
    "The file is a list of cases in the form that google-adk had before eval sets (v1).",
    _LOADER + "So `adk eval` still runs it: it makes new ids and times at each load, adds an empty expected response "
    "where there is no `reference`, and drops whatever else a turn holds. The model itself, `adk web` when it saves, "
    "and agentevals know eval sets only.",
    '[{"name": "booking", "data": [{"query": "Book it", "expected_tool_use": [], "reference": "Booked"}],\n'
    '  "initial_session": {"state": {}, "app_name": "trips", "user_id": "u"}}]',
)
LEGACY_TURNS = _format(
    "legacy-turns",
    "The file is a list of turns in the oldest form of google-adk (v0).",
    "Only `AgentEvaluator` (pytest) reads it, as one case that is named after the file "
    "(`_get_eval_set_from_old_format`). " + _LOADER + "`adk eval` and `adk web` end with `KeyError: 'data'`.",
    '[{"query": "Book it", "expected_tool_use": [{"tool_name": "book", "tool_input": {}}], "reference": "Booked"}]',
)
EVALUATION_DATASET = _format(
    "evaluation-dataset",
    "The file is an `EvaluationDataset`, which the Agent Platform and agents-cli evaluate.",
    _LOADER + "A dataset is an object and no list, so `adk eval` ends with `TypeError: string indices must be "
    "integers`; agents-cli and `vertexai.types.EvaluationDataset` read it. What they reject or ignore follows.",
    '{"eval_cases": [{"eval_case_id": "booking", "prompt": {"role": "user", "parts": [{"text": "Book it"}]}}]}',
)
CES_EVALUATION = _format(
    "ces-evaluation",
    "The file is an evaluation of Gemini Enterprise for Customer Experience (CES).",
    _LOADER + "An evaluation is an object and no list, so `adk eval` ends with `TypeError: string indices must be "
    "integers`.",
    '{"displayName": "booking", "golden": {"turns": [{"steps": [{"userInput": {"text": "Book it"}}]}]}}',
)
EVAL_SET_RESULT = _format(
    "eval-set-result",
    "The file is the result of a run, and not what was run.",
    _LOADER + "A result is no set, so `adk eval` ends with a `TypeError`; `adk web` lists results from "
    "`.adk/eval_history` (google.adk.evaluation.local_eval_set_results_manager).",
    '{"eval_set_result_id": "trips_1", "eval_set_id": "trips", "eval_case_results": []}',
)
CONFIG_AS_SET = _format(
    "config-as-set",
    "A config stands where an eval set is expected.",
    _LOADER + "A config is an object without cases, so `adk eval` ends with `TypeError: string indices must be "
    "integers`; it reads configs from `--config_file_path`, or from `test_config.json` beside the set.",
    '{"criteria": {"response_match_score": 0.8}}',
)
OTHER_JSON = _format(
    "no-eval-set",
    "The file is JSON, and neither an eval set nor another format that is known here.",
    _LOADER + "What becomes of other JSON is chance: `{}` and `[]` load as empty sets, most ends with a `TypeError` or "
    "`KeyError`.",
    '{"openapi": "3.1.0"}',
)

_SAID: MappingProxyType[str, tuple[Rule, str]] = MappingProxyType(
    {
        "legacy_cases": (
            LEGACY_CASES,
            "this is a list of cases in google-adk's old form (v1), which adk eval still converts at each run",
        ),
        "legacy_turns": (
            LEGACY_TURNS,
            "this is a list of turns in google-adk's oldest form (v0), which only AgentEvaluator reads",
        ),
        "evaluation_dataset": (
            EVALUATION_DATASET,
            "this is an EvaluationDataset of the Agent Platform, which agents-cli reads",
        ),
        "ces_evaluation": (CES_EVALUATION, "this is a CES evaluation"),
        "eval_set_result": (EVAL_SET_RESULT, "this is the result of a run, and not what was run"),
        "adk_session": (OTHER_JSON, "this is a session of google-adk: a recording, which -r reads, and no eval set"),
        "eval_config": (CONFIG_AS_SET, "this is an eval config, which goes beside a set as test_config.json"),
        "json": (OTHER_JSON, "this is no eval set: it has neither eval_set_id nor eval_cases"),
    }
)


def check_as_set(found: str) -> list[Diagnostic]:
    """The finding for a file of another format that is given as an eval set; none for an eval set."""
    if found == "eval_set":
        return []
    rule, said = _SAID.get(found, _SAID["json"])
    return [rule.at("", f"google-adk rejects this: {said}")]

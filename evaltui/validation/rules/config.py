"""Rules of a config alone: what google-adk accepts of it, and then does not evaluate or does not read."""

from __future__ import annotations

from evaltui.validation.diagnostic import Severity
from evaltui.validation.rule import Example, Rule

_LATER = (
    "`EvalConfig` takes any key in a criterion and any name of a metric; what is wrong shows when the evaluator is "
    "made, for each case anew: `LocalEvalService` logs the error and the metric is NOT_EVALUATED, which does not fail "
    "the case. "
)
_JUDGED = '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_samples": 3}}}}'
_GOOD = '{"criteria": {"response_match_score": 0.8}}'


def _rubrics(rubrics: str) -> str:
    return f'{{"criteria": {{"rubric_based_tool_use_quality_v1": {{"threshold": 0.8, "rubrics": [\n  {rubrics}]}}}}}}'


def _rubric(identifier: str, text: str = "It asks before it books.") -> str:
    return f'{{"rubric_id": "{identifier}", "rubric_content": {{"text_property": "{text}"}}}}'


def _config(
    code: str, summary: str, why: str, bad: str, good: str = _GOOD, fix: str = "", severity: Severity = "warning"
) -> Rule:
    return Rule(code, "config", severity, summary, why, Example("config", bad), Example("config", good), fix)


MISSPELT_CONFIG_KEY = _config(
    "misspelt-config-key",
    "A key of a config that google-adk does not know is near to one that it does.",
    "`EvalConfig`, its live model config and its custom metrics ignore unknown keys, and a simulated user keeps them "
    "unread, so the default holds instead.",
    '{"criteria": {"response_match_score": 0.8}, "user_simulator": {"max_allowed_invocations": 5}}',
    fix="Renames the key, in the spelling (snake_case or camelCase) of the keys around it.",
)
NO_CRITERIA = _config(
    "no-criteria",
    "A config names no metric.",
    "`get_eval_metrics_from_config` then has only the efficiency metrics, which are informational: every case is "
    "NOT_EVALUATED. The default criteria hold only where there is no config at all.",
    '{"criteria": {}}',
)
UNKNOWN_METRIC = _config(
    "unknown-metric",
    "A criterion is for a metric that google-adk does not have and the config does not define.",
    _LATER + "`MetricEvaluatorRegistry.get_evaluator` raises `NotFoundError` for it.",
    '{"criteria": {"response_match": 0.8}}',
    fix="Renames it to the one metric that is near.",
)
INFORMATIONAL_THRESHOLD = _config(
    "informational-threshold",
    "A metric that only informs has a criterion.",
    _LATER
    + "`_reject_threshold` (google.adk.evaluation._efficiency_evaluators) raises `ValueError` for any threshold; "
    "without a criterion google-adk reports these metrics in every run.",
    '{"criteria": {"response_match_score": 0.8, "token_usage_v1": 1000}}',
    fix="Takes the criterion out, so that the metric is reported.",
)
THRESHOLD_OUT_OF_RANGE = _config(
    "threshold-out-of-range",
    "A threshold lies outside the scores that its metric can give.",
    "The metric passes where its score is not less than the threshold, so it never passes, or always. The ranges are "
    "those of google.adk.evaluation.metric_info_providers: 0 to 1, for response_evaluation_score 1 to 5; for a custom "
    "metric the interval of its `metric_info`.",
    '{"criteria": {"response_match_score": 80}}',
    fix="Takes a number of percent for what it is.",
)
BAD_MATCH_TYPE = _config(
    "bad-match-type",
    "A match type is none that google-adk knows.",
    _LATER
    + "`ToolTrajectoryCriterion` reads EXACT, IN_ORDER and ANY_ORDER in any case and with `-` or blanks for `_`, "
    "and the numbers 0, 1, 2 for them.",
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "INORDER"}}}',
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "IN_ORDER"}}}',
    "Writes the one that is near.",
)
MISSPELT_CRITERION_KEY = _config(
    "misspelt-criterion-key",
    "A key of a criterion is near to one that its metric reads.",
    "`BaseCriterion` allows extra keys, so it is kept and nobody reads it; the default holds.",
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_typ": "IN_ORDER"}}}',
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "IN_ORDER"}}}',
    "Renames the key, in the spelling (snake_case or camelCase) of the keys around it.",
)
UNREAD_CRITERION_KEY = _config(
    "unread-criterion-key",
    "A criterion has a key that its metric does not read.",
    "`BaseCriterion` allows extra keys, so it is kept and nobody reads it.",
    '{"criteria": {"response_match_score": {"threshold": 0.8, "match_type": "EXACT"}}}',
    severity="info",
)
MISSPELT_JUDGE_OPTION = _config(
    "misspelt-judge-option",
    "A key of the judge's options is near to one that google-adk knows.",
    _LATER + "`JudgeModelOptions` forbids unknown keys.",
    '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_sample": 3}}}}',
    _JUDGED,
    "Renames the key, in the spelling (snake_case or camelCase) of the keys around it.",
)
BAD_JUDGE_OPTION = _config(
    "bad-judge-option",
    "An option of the judge is unknown, or has a value that google-adk refuses.",
    _LATER
    + "`JudgeModelOptions` forbids unknown keys; `num_samples` and `parallelism_limit` are whole numbers from 1.",
    '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_samples": 0}}}}',
    _JUDGED,
)
CRITERION_REFUSED = _config(
    "criterion-refused",
    "A criterion holds something that its metric cannot read.",
    _LATER + "Each evaluator reads its own kind of criterion from what the config keeps (google.adk.evaluation."
    "eval_metrics: `ToolTrajectoryCriterion`, `RubricsBasedCriterion` and others).",
    _rubrics('{"rubric_id": "asks_first", "text": "It asks before it books."}'),
    _rubrics(_rubric("asks_first")),
)
REPEATED_CRITERION_RUBRIC = _config(
    "repeated-criterion-rubric",
    "Two rubrics of a criterion have the same rubric_id.",
    _LATER + "`create_effective_rubrics_list` (google.adk.evaluation.rubric_based_evaluator) raises `ValueError` for "
    "the second one.",
    _rubrics(_rubric("asks_first") + ",\n  " + _rubric("asks_first", "It names a price.")),
    _rubrics(_rubric("asks_first") + ",\n  " + _rubric("names_price", "It names a price.")),
    "Gives the later one the next free number behind its id.",
)
CRITERION_RUBRIC_WITHOUT_TEXT = _config(
    "criterion-rubric-without-text",
    "A rubric of a criterion has no text.",
    "`RubricContent` does without `text_property`, and then the judge is asked about *None*, or about nothing "
    "(`format_auto_rater_prompt` of the rubric based evaluators).",
    _rubrics('{"rubric_id": "asks_first", "rubric_content": {"text_property": ""}}'),
    _rubrics(_rubric("asks_first")),
)
BAD_FUNCTION_PATH = _config(
    "bad-function-path",
    "The function of a custom metric is given without its module.",
    _LATER + "`_get_metric_function` (google.adk.evaluation.custom_metric_evaluator) splits the path at its last dot "
    "and raises `ImportError` where there is none.",
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "politeness"}}}}',
    '{"criteria": {"politeness": 0.5}, "custom_metrics": {"politeness": {"code_config": {"name": "metrics.polite"}}}}',
)
UNUSED_CUSTOM_METRIC = _config(
    "unused-custom-metric",
    "A custom metric is defined and has no criterion.",
    "`get_eval_metrics_from_config` goes by `criteria` alone, so the metric is never computed.",
    '{"criteria": {"response_match_score": 0.8},\n'
    ' "custom_metrics": {"politeness": {"code_config": {"name": "metrics.politeness"}}}}',
    severity="info",
)

"""Sentences about metrics and options: needs of a metric, who computes it, and how google-adk uses an option."""

from __future__ import annotations

from evaltui.scoring.metrics.metric import Metric

_NEEDS = {
    "tool_calls": "tool calls",
    "final_response": "responses",
    "rubrics": "rubrics",
    "scenario": "a scenario",
    "nothing": "",
}
_RUNS = {
    "here": "computed here",
    "judge": "adk eval (judge)",
    "cloud": "adk eval (Vertex AI)",
}

OPTION_HELP = {
    "match_type": "EXACT allows no other calls. IN_ORDER and ANY_ORDER allow extra calls.",
    "ignore_args": "If true, arguments are not compared, only tool names. Needs google-adk 2.9.",
    "include_intermediate_responses_in_final": "If true, the judge also sees intermediate responses.",
    "judge_model": "The judge model. Default: gemini-2.5-flash.",
    "num_samples": "Judge calls for each turn; the majority wins. At least 1, default 5.",
    "parallelism_limit": "Number of calls to the judge at the same time. At least 1, default 1.",
    "judge_model_config": "Settings of the judge model, such as temperature (GenerateContentConfig).",
    "evaluate_intermediate_nl_responses": "If true, the judge also checks intermediate responses.",
    "stop_signal": "The simulated user ends the conversation with this text. Default: </finished>.",
    "rubric_id": "Required. Unique among the rubrics of the config, case and turn.",
    "text_property": "The sentence that the judge checks. Its verdict is yes or no.",
}
"""How google-adk 2.13 uses each option, on one line."""

ID_IN_SET = "A rubric of the set has this id, too. google-adk then may not evaluate the metric."

UNREAD = "google-adk ignores this key."


def metric_remark(metric: Metric | None, *, is_custom: bool) -> str:
    """The needs of a metric, and who computes it: `tool calls · computed here`."""
    if is_custom:
        return "adk eval (custom code)"
    if metric is None:
        return "google-adk has no such metric"
    if metric.informational:
        return "only reports, has no threshold"
    return " · ".join(filter(None, [_NEEDS[metric.needs], _RUNS[metric.runs]]))


def threshold_help(metric: Metric | None, *, is_custom: bool) -> str:
    """How google-adk uses a threshold, and where the score comes from."""
    if metric is not None and metric.informational:
        return "This metric has no threshold. A criterion disables it. Press d to delete the criterion."
    span = metric.range if metric is not None else None
    scores = (
        f"The lowest score that passes, from {span[0]:g} to {span[1]:g}." if span else "The lowest score that passes."
    )
    if is_custom or (metric is not None and metric.runs != "here"):
        return f"{scores} The recording has the score."
    return f"{scores} Press d to delete the criterion."

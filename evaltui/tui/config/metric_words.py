"""Words about metrics and their options: what each needs, who computes it, and what google-adk does with an option."""

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
    "match_type": "EXACT: the same calls. IN_ORDER, ANY_ORDER: other calls may stand between.",
    "ignore_args": "With true, only names of tools are compared. google-adk 2.9 and later.",
    "include_intermediate_responses_in_final": "With true, judges also see what agents said before the final response.",
    "judge_model": "The model that judges. google-adk's default is gemini-2.5-flash.",
    "num_samples": "The judge is asked so often for each turn; the majority counts. From 1; default 5.",
    "parallelism_limit": "So many questions to the judge at once. From 1; default 1.",
    "judge_model_config": "Settings for the judge, such as temperature (GenerateContentConfig).",
    "evaluate_intermediate_nl_responses": "With true, responses before the final one are judged, too.",
    "stop_signal": "The text with which the simulated user ends. Default </finished>.",
    "rubric_id": "Required; no other rubric of the config, case or turn may have it.",
    "text_property": "The property that the judge looks for. One yes or no for each rubric.",
}
"""The use that google-adk 2.13 makes of an option, on one line."""

UNREAD = "google-adk keeps this key and does not read it."


def metric_remark(metric: Metric | None, *, is_custom: bool) -> str:
    """The needs of a metric, and who computes it: `tool calls · computed here`."""
    if is_custom:
        return "adk eval (code of the project)"
    if metric is None:
        return "google-adk has no such metric"
    if metric.informational:
        return "only reports: takes no threshold"
    return " · ".join(filter(None, [_NEEDS[metric.needs], _RUNS[metric.runs]]))


def threshold_help(metric: Metric | None, *, is_custom: bool) -> str:
    """The use that google-adk makes of a threshold, and where the score comes from."""
    if metric is not None and metric.informational:
        return "With a threshold google-adk does not evaluate it. d deletes the criterion; it is reported then."
    span = metric.range if metric is not None else None
    scores = (
        f"Passes from this score on; scores are {span[0]:g} to {span[1]:g}." if span else "Passes from this score on."
    )
    if is_custom or (metric is not None and metric.runs != "here"):
        return f"{scores} evaltui takes it from the recording."
    return f"{scores} d deletes the criterion."

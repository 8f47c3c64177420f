"""Rules about the criteria of a config: each criterion against what its metric reads."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.document.edits import Remove, Rename, Set, json_text
from evaltui.evalset.case_data import as_number
from evaltui.evalset.keys import camel, snake
from evaltui.printable import one_line, quoted
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.validation.checked_case import PointedValue
from evaltui.validation.misspellings import meant
from evaltui.validation.rule_types import Diagnostic, Example, Fix, Rule, Severity
from evaltui.validation.rules.rubrics import duplicates

NOT_EVALUATED = (
    "The config itself is accepted: `EvalConfig` allows any key in a criterion and any metric name. The error "
    "appears only when google-adk creates the evaluator, once for each case. Then `LocalEvalService` logs the error, "
    "and the metric is NOT_EVALUATED. The case can still pass."
)
GOOD_CONFIG = '{"criteria": {"response_match_score": 0.8}}'
_JUDGED = '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_samples": 3}}}}'
_NOTES = ("comment", "comments", "description", "note", "notes")
"""Keys for comments, which nobody means as an option."""
_Steps = tuple[str | int, ...]


def config_rule(
    code: str, summary: str, why: str, bad: str, good: str = GOOD_CONFIG, fix: str = "", severity: Severity = "warning"
) -> Rule:
    """A rule of group `config`, with a config as each example."""
    return Rule(code, summary, why, Example("config", bad), Example("config", good), fix, severity, "config")


def _rubrics_config(rubrics: str) -> str:
    return f'{{"criteria": {{"rubric_based_tool_use_quality_v1": {{"threshold": 0.8, "rubrics": [\n  {rubrics}]}}}}}}'


def _rubric(identifier: str, text: str = "It asks before it books.") -> str:
    return f'{{"rubric_id": "{identifier}", "rubric_content": {{"text_property": "{text}"}}}}'


INFORMATIONAL_THRESHOLD = config_rule(
    "informational-threshold",
    "An informational metric has a criterion.",
    "`_reject_threshold` (google.adk.evaluation._efficiency_evaluators) raises `ValueError` for any threshold. "
    "Without a criterion, google-adk reports informational metrics in every run. " + NOT_EVALUATED,
    '{"criteria": {"response_match_score": 0.8, "token_usage_v1": 1000}}',
    fix="Deletes the criterion, so that google-adk reports the metric.",
)


def check_criterion(criterion: PointedValue, name: str, custom: PointedValue | None) -> Iterator[Diagnostic]:
    """The diagnostics of the criterion of a metric, which google-adk knows or the config defines."""
    metric = METRICS[name] if custom is None else None
    if metric is not None and metric.informational:
        fix = Fix("Delete the criterion", False, (Remove(criterion.pointer),))
        message = f"a criterion disables {name}: without a criterion, every run reports the metric"
        yield INFORMATIONAL_THRESHOLD.at(criterion, message, at_key=True, fix=fix)
        return
    yield from _check_threshold(criterion, name, metric.range if metric is not None else _custom_range(custom))
    if metric is not None and isinstance(criterion.data, dict):
        yield from _check_keys(criterion, metric)
        yield from _refusals(criterion, metric)
        if metric.criterion == "rubrics":
            yield from _check_rubrics(criterion)


THRESHOLD_OUT_OF_RANGE = config_rule(
    "threshold-out-of-range",
    "A threshold is outside the range of its metric.",
    "A metric passes if its score is at least the threshold. With a threshold outside the range, the metric never "
    "passes, or always passes. The ranges are in google.adk.evaluation.metric_info_providers: 0 to 1, and 1 to 5 for "
    "response_evaluation_score. The range of a custom metric is in its `metric_info`.",
    '{"criteria": {"response_match_score": 80}}',
    fix="Reads the number as a percentage, and writes it as a fraction.",
)


def _check_threshold(criterion: PointedValue, name: str, span: tuple[float, float] | None) -> Iterator[Diagnostic]:
    place = criterion.member("threshold") if isinstance(criterion.data, dict) else criterion
    number = as_number(place.data) if place is not None else None
    if place is None or number is None or span is None or span[0] <= number <= span[1]:
        return
    effect = "always passes" if number < span[0] else "never passes"
    message = f"{name} gives scores from {span[0]:g} to {span[1]:g}; with a threshold of {number:g} it {effect}"
    fix = None
    # Between 1 and 100, the author probably thought of percent.
    if span == (0.0, 1.0) and 1 < number <= 100:
        fraction = json_text(number / 100)
        fix = Fix(f"Write {fraction.decode()}", False, (Set(place.pointer, fraction),))
    yield THRESHOLD_OUT_OF_RANGE.at(place, message, fix=fix)


def _custom_range(custom: PointedValue | None) -> tuple[float, float] | None:
    interval = custom
    for name in ("metric_info", "metric_value_info", "interval"):
        interval = interval.member(name) if interval is not None else None
    ends = [interval.member(name) if interval is not None else None for name in ("min_value", "max_value")]
    low, high = (as_number(end.data) if end is not None else None for end in ends)
    return (low, high) if low is not None and high is not None and not math.isnan(low + high) else None


BAD_MATCH_TYPE = config_rule(
    "bad-match-type",
    "A match type is unknown to google-adk.",
    "`ToolTrajectoryCriterion` reads EXACT, IN_ORDER and ANY_ORDER, or the numbers 0, 1 and 2. Upper and lower case "
    "are the same. You can write `-` or a space in place of `_`. " + NOT_EVALUATED,
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "INORDER"}}}',
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "IN_ORDER"}}}',
    "Writes the match type with a similar name.",
)


def misspelt_keys(
    rule: Rule, place: PointedValue, names: Sequence[str], effect: str = "google-adk does not read it"
) -> Iterator[Diagnostic]:
    """Keys of an object that are similar to an absent one of the `names`; `effect` ends the message."""
    absent = [name for name in names if place.key(name) is None]
    spellings = {*names, *map(camel, names)}
    for key in place.data if isinstance(place.data, dict) else ():
        if key not in spellings and (name := meant(key, absent)):
            key_place = place.below(key)
            fix = Fix(f"Rename it to {name}", True, (Rename(key_place.pointer, place.spelt(name)),))
            yield rule.at(key_place, f"{one_line(key, 40)} should be {name}; {effect}", at_key=True, fix=fix)


MISSPELT_CRITERION_KEY = config_rule(
    "misspelt-criterion-key",
    "A criterion has an unknown key that looks like a key of its metric.",
    "`BaseCriterion` allows extra keys, so google-adk keeps the key but does not read it. The default value is used.",
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_typ": "IN_ORDER"}}}',
    '{"criteria": {"tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "IN_ORDER"}}}',
    "Renames the key, in the style (snake_case or camelCase) of the keys around it.",
)
UNREAD_CRITERION_KEY = config_rule(
    "unread-criterion-key",
    "A criterion has a key that its metric does not read.",
    "`BaseCriterion` allows extra keys, so google-adk keeps the key but does not read it.",
    '{"criteria": {"response_match_score": {"threshold": 0.8, "match_type": "EXACT"}}}',
    severity="info",
)


def _check_keys(criterion: PointedValue, metric: Metric) -> Iterator[Diagnostic]:
    names = metric.criterion_keys
    if criterion.key("threshold") is None:
        return  # the schema rejects the config and names the key that may be meant
    misspelt = list(misspelt_keys(MISSPELT_CRITERION_KEY, criterion, names))
    yield from misspelt
    reported = {diagnostic.pointer for diagnostic in misspelt}
    for key in criterion.data:
        place = criterion.below(key)
        if place.pointer in reported or any(key in (name, criterion.key(name)) for name in names):
            continue
        if not key.startswith(("_", "$", "//", "#")) and key.lower() not in _NOTES:
            message = f"{metric.name} does not read {one_line(key, 40)}"
            yield UNREAD_CRITERION_KEY.at(place, message, at_key=True)


MISSPELT_JUDGE_OPTION = config_rule(
    "misspelt-judge-option",
    "The judge options have an unknown key that looks like a known key.",
    "`JudgeModelOptions` forbids unknown keys. " + NOT_EVALUATED,
    '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_sample": 3}}}}',
    _JUDGED,
    "Renames the key, in the style (snake_case or camelCase) of the keys around it.",
)


def _refusals(criterion: PointedValue, metric: Metric) -> Iterator[Diagnostic]:
    """Values of a criterion that its evaluator cannot read, though google-adk accepts the config."""
    from pydantic import ValidationError

    from evaltui.evalset.schema.config_models import CRITERIA, BaseCriterion, JudgeModelOptions

    # As google-adk does: the config keeps the criterion as a `BaseCriterion`, and the evaluator reads it again.
    try:
        accepted = BaseCriterion.model_validate(criterion.data).model_dump()
    except ValidationError:
        return  # the schema reports this
    try:
        CRITERIA[metric.criterion].model_validate(accepted)
    except ValidationError as error:
        details: defaultdict[_Steps, list[tuple[_Steps, str]]] = defaultdict(list)
        for detail in error.errors(include_url=False, include_input=False, include_context=False):
            details[detail["loc"][:2]].append((detail["loc"], detail["type"]))
        options = criterion.member("judge_model_options")
        names, effect = list(JudgeModelOptions.model_fields), f"{metric.name} is not evaluated"
        misspelt = list(misspelt_keys(MISSPELT_JUDGE_OPTION, options, names, effect) if options else ())
        yield from misspelt
        reported = {diagnostic.pointer for diagnostic in misspelt}
        # One diagnostic for each option or rubric, whatever number of faults it has.
        for steps, faults in details.items():
            place = criterion  # the value that the steps lead to, or the last existing value on the way
            for step in steps:
                data: Any = place.data
                if not (step in data if isinstance(data, dict) else isinstance(data, list) and isinstance(step, int)):
                    break
                place = place.below(step)
            if place.pointer not in reported:
                yield _refusal(place, steps, faults, metric)


BAD_JUDGE_OPTION = config_rule(
    "bad-judge-option",
    "A judge option is unknown, or google-adk rejects its value.",
    "`JudgeModelOptions` forbids unknown keys. `num_samples` and `parallelism_limit` must be integers of at least 1. "
    + NOT_EVALUATED,
    '{"criteria": {"final_response_match_v2": {"threshold": 0.8, "judge_model_options": {"num_samples": 0}}}}',
    _JUDGED,
)
CRITERION_REFUSED = config_rule(
    "criterion-refused",
    "A criterion holds a value that its metric cannot read.",
    "Each evaluator reads its own criterion class (google.adk.evaluation.eval_metrics: `ToolTrajectoryCriterion`, "
    "`RubricsBasedCriterion` and others). " + NOT_EVALUATED,
    _rubrics_config('{"rubric_id": "asks_first", "text": "It asks before it books."}'),
    _rubrics_config(_rubric("asks_first")),
)


def _refusal(place: PointedValue, steps: _Steps, faults: Sequence[tuple[_Steps, str]], metric: Metric) -> Diagnostic:
    head, effect = snake(str(steps[0])), f"{metric.name} is not evaluated"
    if head == "match_type":
        text = place.data if isinstance(place.data, str) else None
        similar = meant(text, [name.lower() for name in MATCH_TYPES]).upper() if text is not None else ""
        fix = Fix(f"Write {similar}", True, (Set(place.pointer, json_text(similar)),)) if similar else None
        subject = f"{quoted(text, 30)} is" if text is not None else "the value is"
        names = f"{', '.join(MATCH_TYPES[:-1])} or {MATCH_TYPES[-1]}"
        message = f"{subject} not a match type, so the metric is not evaluated; write {names}"
        return BAD_MATCH_TYPE.at(place, message, fix=fix)
    if head == "judge_model_options" and len(faults[0][0]) == 2:
        name = one_line(str(steps[1]), 40)
        if faults[0][1] == "extra_forbidden":
            return BAD_JUDGE_OPTION.at(place, f"the judge has no option {name}, so {effect}", at_key=True)
        words = {"judge_model": "a string", "judge_model_config": "an object"}.get(snake(name), "an integer from 1")
        return BAD_JUDGE_OPTION.at(place, f"{name} must be {words}, so {effect}")
    words_of = {"missing": "is required", "extra_forbidden": "is unknown"}
    sentences = ", ".join(
        f"{one_line(snake(str(loc[-1])), 40)} {words_of.get(kind, 'has a wrong type or value')}"
        for loc, kind in faults[:3]
    )
    return CRITERION_REFUSED.at(place, f"{effect}, because it cannot read the criterion: {sentences}")


REPEATED_CRITERION_RUBRIC = config_rule(
    "repeated-criterion-rubric",
    "Two rubrics of a criterion have the same rubric_id.",
    "`create_effective_rubrics_list` (google.adk.evaluation.rubric_based_evaluator) raises `ValueError` for the "
    "second rubric. " + NOT_EVALUATED,
    _rubrics_config(_rubric("asks_first") + ",\n  " + _rubric("asks_first", "It names a price.")),
    _rubrics_config(_rubric("asks_first") + ",\n  " + _rubric("names_price", "It names a price.")),
    "Adds the next free number to the id of the later rubric.",
)
CRITERION_RUBRIC_WITHOUT_TEXT = config_rule(
    "criterion-rubric-without-text",
    "A rubric of a criterion has no text.",
    "`RubricContent` does not require `text_property`. If this text is absent or empty, the judge gets *None* or an "
    "empty rubric (`format_auto_rater_prompt` of the rubric-based evaluators).",
    _rubrics_config('{"rubric_id": "asks_first", "rubric_content": {"text_property": ""}}'),
    _rubrics_config(_rubric("asks_first")),
)


def _check_rubrics(criterion: PointedValue) -> Iterator[Diagnostic]:
    rubrics = criterion.items("rubrics")
    for identifier, place, fix in duplicates(rubrics, (), {rubric.text("rubric_id") for rubric in rubrics}):
        message = f"rubric_id {quoted(identifier, 40)} is a duplicate, so the metric is not evaluated"
        yield REPEATED_CRITERION_RUBRIC.at(place, message, fix=fix)
    for rubric in rubrics:
        content = rubric.member("rubric_content")
        if content is not None and isinstance(content.data, dict) and not (content.text("text_property") or "").strip():
            message = "the rubric has no text, so the judge has nothing to check"
            yield CRITERION_RUBRIC_WITHOUT_TEXT.at(content.place_of("text_property"), message)

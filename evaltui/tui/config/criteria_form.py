"""The form of a config: a section for each criterion, with its threshold, options and rubrics."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial

from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import camel, filled, member
from evaltui.printable import one_line
from evaltui.runs.config_edits import JUDGE, add_criterion, add_rubric, criterion_nodes, free_rubric_id, rubrics_of
from evaltui.scoring.criteria import Profile
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.tui.config.metric_words import OPTION_HELP, UNREAD, metric_remark
from evaltui.tui.config.option_fields import (
    boolean_field,
    count_field,
    match_type_field,
    other_field,
    rubric_fields,
    text_field,
    threshold_field,
)
from evaltui.tui.forms.form import Choice, Form, Heading, Item, Note, Offer
from evaltui.tui.lines import dim
from evaltui.tui.outlines.json_outline import JsonOutline

_LEAST = 0.8
"""The threshold of an added criterion for which google-adk has no default."""
_BOOLEANS = ("ignore_args", "evaluate_intermediate_nl_responses", "include_intermediate_responses_in_final")


class ConfigOutline(JsonOutline):
    """A config: its criteria as one form, all other values as JSON."""

    def __init__(self, root: Node, name: str, profile: Profile, rubric_ids: Callable[[], Collection[str]]) -> None:
        """`rubric_ids` gives the ids of the rubrics of the eval set."""
        super().__init__(root, name)
        self._profile = profile
        self._rubric_ids = rubric_ids
        self._ids_of_set = frozenset(rubric_ids())

    def form(self, node: Node) -> Form:
        """The form of all criteria, or of another value as JSON."""
        return (
            criteria_form(node, self._profile, self._rubric_ids, self._ids_of_set)
            if node is self.root
            else super().form(node)
        )


def criteria_form(
    root: Node, profile: Profile, rubric_ids: Callable[[], Collection[str]], ids_of_set: Collection[str]
) -> Form:
    """The form of a config: its criteria, then its other settings.

    `rubric_ids` gives the ids of the rubrics of the eval set now, `ids_of_set` those that clash.
    """
    known = adk_rs.METRICS if profile == "adk-rs" else METRICS
    customs = {item.name for item in _members(filled(root, "custom_metrics"))}
    criteria = criterion_nodes(root)
    items: list[Item] = []
    for criterion in criteria:
        is_custom = criterion.name in customs
        metric = known.get(criterion.name) if not is_custom else None
        items.append(Heading(one_line(criterion.name, 60), metric_remark(metric, is_custom=is_custom)))
        items += _fields(criterion, metric, ids_of_set, is_custom=is_custom)
    if not criteria:
        items.append(Note(dim("No criteria, so no case is evaluated. Press a to add a metric.")))
    others = [item for item in root.items if item.name not in ("criteria",)] if root.kind == "object" else []
    if others:
        items += [
            Heading("Other settings", "they do not affect scores"),
            *(other_field(o, "config", "") for o in others),
        ]
    choices = (*_rubric_choices(criteria, customs, rubric_ids), *_metric_choices(root, criteria, profile, rubric_ids))
    if choices:
        items.append(
            Offer(
                "add",
                dim("press a to add a metric or a rubric"),
                "the criteria",
                choices,
                question="Add a metric or rubric. Recordings have the scores of adk eval",
            )
        )
    return Form("Criteria", items, adds="metric" if choices else "")


def _fields(criterion: Node, metric: Metric | None, ids_of_set: Collection[str], *, is_custom: bool) -> Iterator[Item]:
    yield threshold_field(criterion, metric, is_custom=is_custom)
    keys = metric.criterion_keys if metric is not None and not metric.informational else ()
    if "match_type" in keys:
        yield match_type_field(criterion)
    for name in _BOOLEANS[:-1]:
        if name in keys:
            yield boolean_field(criterion, name)
    if JUDGE in keys:
        yield from _judge_fields(criterion)
    if "stop_signal" in keys:
        yield text_field(criterion, "stop_signal", "</finished>")
    if metric is not None and metric.runs == "judge":
        yield boolean_field(criterion, _BOOLEANS[-1])
    if "rubrics" in keys:
        for rubric in rubrics_of(criterion):
            if rubric.kind == "object":
                yield from rubric_fields(rubric, ids_of_set)
    shown = {"threshold", *keys}
    if metric is not None and metric.runs != "judge":
        shown -= {_BOOLEANS[-1]}
    yield from (other_field(each, one_line(criterion.name, 60), UNREAD) for each in _rest(criterion, shown))


def _judge_fields(criterion: Node) -> Iterator[Item]:
    yield text_field(criterion, "judge_model", "gemini-2.5-flash", JUDGE)
    yield count_field(criterion, "num_samples", 5, JUDGE)
    yield count_field(criterion, "parallelism_limit", 1, JUDGE)
    options = filled(criterion, JUDGE) if criterion.kind == "object" else None
    if (settings := member(options, "judge_model_config")) is not None:
        yield other_field(settings, JUDGE, OPTION_HELP["judge_model_config"])
    known = {"judge_model", "num_samples", "parallelism_limit", "judge_model_config"}
    yield from (
        other_field(each, JUDGE, "google-adk has no such option of the judge.") for each in _rest(options, known)
    )


def _rest(node: Node | None, shown: set[str]) -> list[Node]:
    """The values that have no field of their own."""
    names = {*shown, *map(camel, shown)}
    return [item for item in _members(node) if item.name not in names]


def _members(node: Node | None) -> list[Node]:
    return node.items if node is not None and node.kind == "object" else []


# --- what can be added -----------------------------------------------------------------------------------------------


def _rubric_choices(
    criteria: list[Node], customs: set[str], rubric_ids: Callable[[], Collection[str]]
) -> Iterator[Choice]:
    def adding(criterion: Node) -> Callable[[], Revision]:
        return lambda: add_rubric(criterion, rubric_ids())

    for criterion in criteria:
        metric = METRICS.get(criterion.name)
        if metric is not None and metric.criterion == "rubrics" and criterion.name not in customs:
            yield Choice(f"rubric of {criterion.name}", revise=adding(criterion))


def _metric_choices(
    root: Node, criteria: list[Node], profile: Profile, rubric_ids: Callable[[], Collection[str]]
) -> Iterator[Choice]:
    """The metrics without a criterion. Metrics that only report need none: every run has them."""

    def adding(name: str, metric: Metric, least: float) -> Callable[[], Revision]:
        # A metric of rubrics needs one of its own, unless the eval set has rubrics.
        needs_rubric = metric.criterion == "rubrics" and not rubric_ids()
        return lambda: add_criterion(root, name, least, free_rubric_id(criteria, ()) if needs_rubric else "")

    present = {each.name for each in criteria}
    for name, metric in METRICS.items() if profile == "adk" else ():
        if name not in present and not metric.informational:
            least = metric.default_threshold if metric.default_threshold is not None else _least(metric)
            yield Choice(
                name,
                metric_remark(metric, is_custom=False),
                revise=adding(name, metric, least),
            )
    for custom in _members(filled(root, "custom_metrics")):
        if custom.name not in present:
            yield Choice(
                one_line(custom.name, 60),
                metric_remark(None, is_custom=True),
                revise=partial(add_criterion, root, custom.name, _LEAST),
            )


def _least(metric: Metric) -> float:
    return _LEAST if metric.range is None or metric.range[0] <= _LEAST <= metric.range[1] else metric.range[0]

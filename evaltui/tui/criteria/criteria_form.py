"""The form of a config: a section for each criterion; the head above it; and the faults of a config that has no form.

An absent option shows the default of google-adk 2.13.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from textual.widgets import Static

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.editing.row_moves import move_value
from evaltui.evalset.keys import camel, filled, items_of, member, snake, text_of
from evaltui.printable import one_line, printable
from evaltui.runs.config_edits import (
    JUDGE,
    add_criterion,
    add_rubric,
    criterion_nodes,
    delete_criterion,
    delete_option,
    delete_rubric,
    free_rubric_id,
    usual_threshold,
    write_option,
    write_rubric_id,
    write_rubric_text,
    write_threshold,
)
from evaltui.runs.tried_config import TriedConfig
from evaltui.scoring.criteria import Profile
from evaltui.scoring.eval_config import NAME
from evaltui.scoring.metrics import adk_rs
from evaltui.scoring.metrics.metric import Metric
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.forms.form import Choice, Field, Form, Heading, Item, Note, Offer
from evaltui.tui.forms.json_form import deletion, value_field, value_line
from evaltui.tui.forms.value_text import shown_text, type_read
from evaltui.tui.lines import FILL, STATUS_MARKS, Line, dim, sign
from evaltui.tui.open_file.criteria_trial import CriteriaTrial
from evaltui.tui.open_file.score_sentences import first_progress
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.outlines.json_outline import JsonOutline

ID_IN_SET = "A rubric of the set has this id, too. google-adk then may not evaluate the metric."
_LEAST = 0.8
"""The threshold of an added criterion for which google-adk has no default."""
_NEEDS = {"tool_calls": "tool calls", "final_response": "responses", "scenario": "a scenario", "nothing": ""}
_RUNS = {
    "here": "computed here",
    "judge": "adk eval (judge)",
    "cloud": "adk eval (Vertex AI)",
    "custom": "adk eval (custom code)",
}
_MEANINGS = {
    "EXACT": "the same calls and no others",
    "IN_ORDER": "the expected calls in order, extra calls allowed",
    "ANY_ORDER": "the expected calls in any order, extra calls allowed",
}


class ConfigOutline(JsonOutline):
    """A config: its criteria as one form, all other values as JSON."""

    def __init__(self, root: Node, name: str, profile: Profile, rubric_ids: Callable[[], Collection[str]]) -> None:
        """`rubric_ids` gives the ids of the rubrics of the eval set."""
        super().__init__(root, name)
        self._profile, self._rubric_ids = profile, rubric_ids
        # Those that clash, as they are when the screen opens: each line asks for them.
        self._ids_of_set = frozenset(rubric_ids())

    def form(self, node: Node) -> Form:
        """The form of all criteria, or of another value as JSON."""
        if node is not self.root:
            return super().form(node)
        custom_metrics = filled(node, "custom_metrics")
        names = [item.name for item in custom_metrics.items if item.key] if custom_metrics is not None else []
        customs = {name: Metric(name=name, since="", runs="custom", range=None) for name in names}
        metrics = {**(adk_rs.METRICS if self._profile == "adk-rs" else METRICS), **customs}
        criteria = criterion_nodes(node)
        items, choices = list[Item](), list[Choice]()
        for criterion in criteria:
            metric = metrics.get(criterion.name)
            items.append(Heading(one_line(criterion.name, 60), _needs_of(metric)))
            items += _criterion_fields(criterion, metric, self._ids_of_set)
            if metric is not None and metric.criterion == "rubrics":
                revise = partial(add_rubric, criterion, self._rubric_ids)
                choices.append(Choice(f"rubric of {metric.name}", revise=revise))
        if not criteria:
            items.append(Note(dim("No criteria, so no case is evaluated. Press a to add a metric.")))
        if settings := [*_other_fields(node, ("criteria",), "config", "")]:
            items += [Heading("Other settings", "they do not affect scores"), *settings]
        choices += self._metric_choices(criteria, metrics if self._profile == "adk" else customs)
        if choices:
            question = "Add a metric or rubric. Recordings have the scores of adk eval"
            line = dim("press a to add a metric or a rubric")
            items.append(Offer("add", line, "the criteria", lambda: choices, question=question))
        return Form("Criteria", items, adds="metric" if choices else "")

    def _metric_choices(self, criteria: list[Node], metrics: Mapping[str, Metric]) -> Iterator[Choice]:
        """The metrics without a criterion. Metrics that only report need none: every run has them."""

        def add(name: str, threshold: float, has_rubrics: bool) -> Revision:
            # A metric of rubrics needs one of its own, unless the eval set has rubrics.
            needs_rubric = has_rubrics and not self._rubric_ids()
            return add_criterion(self.root, name, threshold, free_rubric_id(criteria, ()) if needs_rubric else "")

        present = {criterion.name for criterion in criteria}
        for name, metric in metrics.items():
            if name not in present and not metric.informational:
                revise = partial(add, name, usual_threshold(metric), metric.criterion == "rubrics")
                yield Choice(one_line(name, 60), _needs_of(metric), revise=revise)


def _needs_of(metric: Metric | None) -> str:
    """The needs of a metric, and who computes it: `tool calls · computed here`."""
    if metric is None:
        return "google-adk has no such metric"
    if metric.informational:
        return "only reports, has no threshold"
    return " · ".join(filter(None, [_NEEDS.get(metric.needs, metric.needs), _RUNS[metric.runs]]))


# --- options ---------------------------------------------------------------------------------------------------------


class OptionRow(NamedTuple):
    """An option of a criterion."""

    key: str
    default: str
    help: str
    inside: str = ""
    """The key of the object that holds it; "" for the criterion itself."""

    @property
    def kind(self) -> str:
        """The JSON type of its values."""
        return "boolean" if self.default == "false" else "number" if self.default.isdecimal() else "string"


_STOP = "</finished>"
_JUDGED_TEXTS = "include_intermediate_responses_in_final"
_SETTINGS_HELP = "Settings of the judge model, such as temperature (GenerateContentConfig)."
_UNKNOWN_OF_JUDGE = "google-adk has no such option of the judge."
_OPTIONS = (
    OptionRow("match_type", "EXACT", "EXACT allows no other calls. IN_ORDER and ANY_ORDER allow extra calls."),
    OptionRow("ignore_args", "false", "If true, arguments are not compared, only tool names. Needs google-adk 2.9."),
    OptionRow("evaluate_intermediate_nl_responses", "false", "If true, the judge also checks intermediate responses."),
    OptionRow("judge_model", "gemini-2.5-flash", "The judge model. Default: gemini-2.5-flash.", JUDGE),
    OptionRow("num_samples", "5", "Judge calls for each turn; the majority wins. At least 1, default 5.", JUDGE),
    OptionRow("parallelism_limit", "1", "Number of calls to the judge at the same time. At least 1, default 1.", JUDGE),
    OptionRow("stop_signal", _STOP, f"The simulated user ends the conversation with this text. Default: {_STOP}."),
    OptionRow(_JUDGED_TEXTS, "false", "If true, the judge also sees intermediate responses."),
)


def _read_option(option: OptionRow, text: str) -> Any:
    typed = text.strip()
    match option.kind:
        case "boolean" if typed.lower() in ("true", "false"):
            return typed.lower() == "true"
        case "boolean":
            raise EditError("enter true or false")
        # Python refuses to read thousands of digits.
        case "number" if typed.isascii() and typed.isdecimal() and len(typed) < 10 and int(typed) >= 1:
            return int(typed)
        case "number":
            raise EditError("enter a whole number, 1 or more")
    if not typed:
        raise EditError("enter a text; to use the default, delete the option (press d)")
    return text


def _criterion_fields(criterion: Node, metric: Metric | None, ids_of_set: Collection[str]) -> Iterator[Item]:
    yield _threshold_field(criterion, metric)
    keys = {*metric.criterion_keys} if metric is not None and not metric.informational else set()
    # google-adk accepts this key in all criteria, and only a judge reads it.
    keys = keys | {_JUDGED_TEXTS} if metric is not None and metric.runs == "judge" else keys - {_JUDGED_TEXTS}
    for option in _OPTIONS:
        if (option.inside or option.key) in keys:
            yield _option_field(criterion, option)
        if option.key == "parallelism_limit" and JUDGE in keys:
            of_judge = {option.key for option in _OPTIONS if option.inside}
            yield from _other_fields(filled(criterion, JUDGE), of_judge, JUDGE, _UNKNOWN_OF_JUDGE)
    for rubric in items_of(criterion, "rubrics") if "rubrics" in keys else ():
        if rubric.kind == "object":
            yield from _rubric_fields(rubric, ids_of_set)
    name = one_line(criterion.name, 60)
    yield from _other_fields(criterion, {"threshold", *keys}, name, "google-adk ignores this key.")


def _option_field(criterion: Node, option: OptionRow) -> Field:
    """The field for an option; if it is absent, it shows the default."""
    name, inside = option.key, option.inside
    node = member(filled(criterion, inside) if inside else criterion, name)
    # A value of another type is shown as it is, so that its problem has a line.
    if node is not None and node.is_container:
        return replace(value_field(node, name, f"{name} of {criterion.name}"), help=option.help)
    is_set = node is not None and node.kind != "null"
    field = Field(
        (criterion.name, inside, name),
        name,
        shown_text(node) if node is not None and is_set else option.default,
        lambda typed: write_option(criterion, name, _read_option(option, typed), inside),
        node=node,
        kind=option.kind,
        one_line=True,
        takes_text=True,
        aside="" if is_set else "default",
        delete=partial(delete_option, criterion, name, inside) if node is not None else None,
        help=option.help,
    )
    if name == "match_type":
        field.choices, field.is_fixed = tuple(Choice(kind, _MEANINGS[kind]) for kind in MATCH_TYPES), True
    return field


def _other_fields(node: Node | None, keys: Iterable[str], owner: str, help: str) -> Iterator[Item]:
    """The keys of an object but those in `keys`, edited as JSON."""
    keys = {*keys, *map(camel, keys)}
    for item in node.items if node is not None else ():
        if item.key and item.name not in keys:
            delete = partial(deletion, item, f"{one_line(item.name, 40)} of {owner}")
            help_of_item = _SETTINGS_HELP if snake(item.name) == "judge_model_config" else help
            yield replace(value_line(item, owner, inline=False, help=help_of_item), delete=delete)


# --- thresholds and rubrics ------------------------------------------------------------------------------------------


def _threshold_field(criterion: Node, metric: Metric | None) -> Field:
    """The threshold. Without it google-adk rejects the config, so deleting it deletes the criterion."""
    node = criterion if criterion.kind != "object" else member(criterion, "threshold")
    span = metric.range if metric is not None else None
    within = f", from {span[0]:g} to {span[1]:g}" if span else ""
    is_recorded = metric is not None and metric.runs != "here"
    source = "The recording has the score." if is_recorded else "Press d to delete the criterion."
    help = f"The lowest score that passes{within}. {source}"
    if metric is not None and metric.informational:
        help = "This metric has no threshold. A criterion disables it. Press d to delete the criterion."
    return Field(
        (criterion.name, "threshold"),
        "threshold",
        node.source().decode("utf-8", "replace") if node is not None and not node.is_container else "",
        lambda text: write_threshold(criterion, _read_threshold(text, span)),
        node=node if node is not None else criterion,
        kind="" if node is not None else "absent",
        one_line=True,
        placeholder="missing: google-adk rejects the config",
        delete=partial(delete_criterion, criterion),
        move=lambda step: move_value(criterion, step, one_line(criterion.name, 60)),
        help=help,
    )


def _read_threshold(text: str, span: tuple[float, float] | None) -> bytes:
    number = float(text) if type_read(text) == "number" else math.nan
    # 1e999 is valid JSON, but no number that a score can reach.
    if not math.isfinite(number):
        raise EditError("a threshold is a number, such as 0.8")
    if span is not None and not span[0] <= number <= span[1]:
        passing = "every" if number < span[0] else "no"
        raise EditError(f"scores are {span[0]:g} to {span[1]:g}: with {number:g}, {passing} case passes")
    return text.strip().encode()


def _rubric_fields(rubric: Node, ids_of_set: Collection[str]) -> list[Field]:
    """The fields for text and id of a rubric. Deleting or moving one of them deletes or moves the rubric."""
    name, content = text_of(rubric, "rubric_id"), filled(rubric, "rubric_content")
    body = Field(
        (rubric, "text_property"),
        "text_property",
        text_of(content, "text_property"),
        partial(write_rubric_text, rubric),
        node=member(content, "text_property") or member(rubric, "rubric_content") or rubric,
        placeholder="no text · enter: write",
        help="The sentence that the judge checks. Its verdict is yes or no.",
    )
    identifier = Field(
        (rubric, "rubric_id"),
        "rubric_id",
        name,
        partial(write_rubric_id, rubric),
        node=member(rubric, "rubric_id") or rubric,
        placeholder="no id",
        help=ID_IN_SET if name in ids_of_set else "Required. Unique among the rubrics of the config, case and turn.",
    )
    for field in (body, identifier):
        field.one_line, field.takes_text, field.kind = True, True, "string"
        field.delete = partial(delete_rubric, rubric)
        field.move = lambda step: move_value(rubric, step, f"rubric {one_line(name, 40)}")
    return [body, identifier]


# --- beside the form -------------------------------------------------------------------------------------------------


def criteria_line(trial: CriteriaTrial, scores: Scores, index: int, _: int) -> Line:
    """A line above the form: the file, or the scores."""
    config = trial.opened
    if index:
        return _counts(trial, scores)
    if config is None:
        return [(" Criteria", "heading")]
    path, is_readonly = config.document.path, scores.owner.readonly
    name = printable(path.name) if path is not None else NAME
    line: Line = [(" Criteria", "heading"), (" · ", "dim")]
    if config.is_new and not config.is_changed:
        line.append(("google-adk's defaults", "key"))
        write = f". Edit, then press {key_of('criteria.write')} to write {name}."
        return [*line, ("  read-only" if is_readonly else write, "dim")]
    unwritable = f"cannot be written: {printable(config.unwritable)}"
    named = f"new: {name}" if config.is_new else name
    line.append((unwritable, "warning") if config.unwritable else (named, "key"))
    line += [("  read-only", "dim")] if is_readonly else []
    return [*line, ("", FILL), ("trial, not written " if config.is_changed else "", "warning")]


def _counts(trial: CriteriaTrial, scores: Scores) -> Line:
    config = trial.opened
    if config is not None and config.document.root is None:
        return [(" ! invalid JSON: nothing is scored", "error")]
    if trial.trouble:
        return [(f" ! {printable(trial.trouble)}", "error")]
    trouble = (scores.facts.trouble or scores.facts.outdated) if scores.facts is not None else ""
    if trouble:
        return [(f" ! not scored: {printable(trial.without_folder(trouble))}", "error")]
    if progress := first_progress(scores):
        return [(f" {progress}", "dim")]
    if not scores.has_any:
        back, recordings = key_of("criteria.back"), key_of("list.recordings")
        return [(f" No recording, so no scores. Press {back}, then {recordings} to add one.", "dim")]
    if scores.trial.criteria is None:
        return [(f" {scores.counted()}", ""), (f"  with {trial.in_force_called}", "dim")]
    # Outdated scores were made for an earlier text, so they would count for one config only.
    results = [scores.by_config(case) for case in scores.rows if case not in scores.stale]
    counts = Counter[str](scored.status for scored in results if scored is not None)
    counted = " ".join(f"{counts[status]:,} {sign(STATUS_MARKS[status])}" for status in STATUS_MARKS if counts[status])
    return [(f" {scores.counted()}", "warning"), ("", FILL), (f"{trial.in_force_called}: {counted} ", "dim")]


class ConfigFault(Static, can_focus=True):
    """Shows where a config is broken. It takes the focus, so that keys act as in a pane."""

    PLACE = "criteria"
    BINDINGS = bindings("list")

    def __init__(self, config: TriedConfig) -> None:
        document, key = config.document, key_of("list.edit_outside")
        name = document.path.name if document.path is not None else "the config"
        if document.fault is None:
            what = f"{name} is not a config. A config is a JSON object with criteria."
            lines = [f"{what} Press {key} to edit it in $EDITOR."]
        else:
            line, column = document.line_and_column(document.fault.offset)
            text = document.body().split(b"\n")[line - 1].decode("utf-8", "replace")
            where = f"{name}:{line}:{column}: invalid JSON: {document.fault.message}."
            lines = [where, "", f"{line:>5}  {text.rstrip()}", "", f"Press {key} to edit the config in $EDITOR."]
        super().__init__("\n".join(map(printable, lines)), id="config-fault", markup=False)

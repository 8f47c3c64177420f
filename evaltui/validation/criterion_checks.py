"""Checks of one criterion of a config, by what its metric reads of it."""

from __future__ import annotations

import math
from collections.abc import Iterator

from evaltui.document import Remove, Set, json_text
from evaltui.evalset.configs import as_number
from evaltui.evalset.editing.fresh_ids import fresh_id
from evaltui.evalset.metrics import CRITERION_KEYS, METRICS, Metric
from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.misspelt_keys import misspelt
from evaltui.validation.place import Place
from evaltui.validation.refusals import refusals
from evaltui.validation.rules import config as rules

_NOTES = ("comment", "comments", "description", "note", "notes")
"""Keys that nobody takes for an option."""


def check_criterion(criterion: Place, name: str, custom: Place | None) -> Iterator[Diagnostic]:
    """The findings of the criterion of a metric, which is one of google-adk's or has a definition in the config."""
    metric = METRICS[name] if custom is None else None
    if metric is not None and metric.informational:
        fix = Fix("Take the criterion out", False, (Remove(criterion.pointer),))
        said = f"{name} only informs; with a threshold it is not evaluated, and without a criterion it is reported"
        yield rules.INFORMATIONAL_THRESHOLD.at(criterion, said, at_key=True, fix=fix)
        return
    yield from _threshold(criterion, name, metric.range if metric is not None else _interval(custom))
    if metric is not None and isinstance(criterion.data, dict):
        yield from _keys(criterion, metric)
        yield from refusals(criterion, metric)
        if metric.criterion == "rubrics":
            yield from _rubrics(criterion)


def _threshold(criterion: Place, name: str, span: tuple[float, float] | None) -> Iterator[Diagnostic]:
    place = criterion.member("threshold") if isinstance(criterion.data, dict) else criterion
    number = as_number(place.data) if place is not None else None
    if place is None or number is None or span is None or span[0] <= number <= span[1]:
        return
    always = number < span[0]
    said = f"{name} gives {span[0]:g} to {span[1]:g}, so with a threshold of {number:g} it "
    fix = None
    if span == (0.0, 1.0) and 1 < number <= 100:
        share = json_text(number / 100)
        fix = Fix(f"Write {share.decode()}", False, (Set(place.pointer, share),))
    yield rules.THRESHOLD_OUT_OF_RANGE.at(place, said + ("always passes" if always else "never passes"), fix=fix)


def _interval(custom: Place | None) -> tuple[float, float] | None:
    """The scores that a custom metric says it gives."""
    at = custom
    for name in ("metric_info", "metric_value_info", "interval"):
        at = at.member(name) if at is not None else None
    ends = [as_number(end.data) if at and (end := at.member(name)) else None for name in ("min_value", "max_value")]
    low, high = ends
    return (low, high) if low is not None and high is not None and not math.isnan(low + high) else None


def _keys(criterion: Place, metric: Metric) -> Iterator[Diagnostic]:
    known = CRITERION_KEYS[metric.criterion]
    if criterion.key("threshold") is None:
        return  # the config is rejected, and its schema names the key that may be meant for it
    found = list(misspelt(rules.MISSPELT_CRITERION_KEY, criterion, known))
    yield from found
    said_of = {each.pointer for each in found}
    for key in criterion.data:
        place = criterion.below(key)
        if place.pointer in said_of or any(key in (name, criterion.key(name)) for name in known):
            continue
        if not key.startswith(("_", "$", "//", "#")) and key.lower() not in _NOTES:
            said = f"{metric.name} does not read {one_line(key, 40)}"
            yield rules.UNREAD_CRITERION_KEY.at(place, said, at_key=True)


def _rubrics(criterion: Place) -> Iterator[Diagnostic]:
    rubrics = criterion.items("rubrics")
    every = {rubric.text("rubric_id") for rubric in rubrics}
    seen: set[str] = set()
    for rubric in rubrics:
        content, identifier = rubric.member("rubric_content"), rubric.text("rubric_id")
        if content is not None and isinstance(content.data, dict) and not (content.text("text_property") or "").strip():
            at = content.pointer + "/" + (content.key("text_property") or content.spelt("text_property"))
            yield rules.CRITERION_RUBRIC_WITHOUT_TEXT.at(
                at, "the rubric has no text, so the judge is asked about nothing"
            )
        if identifier is not None and identifier in seen:
            other = fresh_id([identifier], identifier, every.__contains__)
            every.add(other)
            place = rubric.below(rubric.key("rubric_id") or "")
            fix = Fix(f"Rename it to {one_line(other, 30)}", True, (Set(place.pointer, json_text(other)),))
            said = f"rubric_id {one_line(identifier, 40)!r} stands in this list already, so the metric is not evaluated"
            yield rules.REPEATED_CRITERION_RUBRIC.at(place, said, fix=fix)
        seen.add(identifier or "")

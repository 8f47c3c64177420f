"""Sentences why a case of a comparison changed: what the agent did differently, and what fails now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evaltui.comparison.judged_result import JudgedCase, JudgedTurn
from evaltui.comparison.result_changes import ComparedCase
from evaltui.evalset.turn import Turn
from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, mean_said, short_name
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import MetricScore
from evaltui.scoring.score_change import ActualChange

_MOST = 8
"""The most sentences on one case."""
_QUOTED = 120
"""The most characters of the words of a judge."""
_SHOWN = 60
"""The most characters of a response, and of names."""
_ACTUAL_SIDE: Mapping[ActualChange, str] = {
    "tools changed": "tool calls",
    "args changed": "arguments",
    "text changed": "responses",
}
_UNTOLD = ("same", "new")
_WORSE = ("regressed", "lower", "not_evaluated")


def why_changed(case: ComparedCase) -> list[str]:
    """The sentences for a changed case; none for a case that is the same or new, or has no turns in the file."""
    if case.change in _UNTOLD and all(each.change in _UNTOLD for each in case.metrics):
        return []
    lines = [*_of_case(case)]
    if len(lines) <= _MOST:
        return lines
    return [*lines[: _MOST - 1], f"… {len(lines) - _MOST + 1} more"]


def _of_case(case: ComparedCase) -> Iterator[str]:
    if case.change == "edited":
        yield "the case expects something else now, so the scores cannot be compared"
    if case.candidate.runs > 1 or (case.base is not None and case.base.runs > 1):
        runs = case.base.runs if case.base is not None else 0
        yield f"scores are means of {runs} and {case.candidate.runs} runs; turns are from the last run"
    if case.did_otherwise:
        yield f"{' and '.join(_ACTUAL_SIDE[each] for each in case.did_otherwise)} of the agent changed"
    if case.candidate.reason:
        yield one_line(case.candidate.reason, _QUOTED)
    faults = [*_of_turns(case.candidate)]
    yield from faults or _between(case)
    for metric in case.metrics:
        if metric.candidate is not None and metric.candidate.told and metric.change in _WORSE:
            yield f"{short_name(metric.name)}: {one_line(metric.candidate.told, _QUOTED)}"


def _between(case: ComparedCase) -> Iterator[str]:
    """The differences between both recordings, for files without the expected side."""
    if not case.did_otherwise or case.base is None:
        return
    if len(case.base.turns) != len(case.candidate.turns):
        yield f"{len(case.base.turns)} turns before, {len(case.candidate.turns)} now"
    for number, (before, now) in enumerate(zip(case.base.turns, case.candidate.turns, strict=False), 1):
        if before.actual is not None and now.actual is not None:
            yield from (f"turn {number} · {told}" for told in _differences(before.actual, now.actual))


def _differences(before: Turn, now: Turn) -> Iterator[str]:
    unrecorded = before.unrecorded | now.unrecorded
    tools = [" · ".join(str(call.name) for call in turn.calls) or "no tools" for turn in (before, now)]
    if tools[0] != tools[1] and "calls" not in unrecorded:
        yield f"tools: {one_line(tools[0], _SHOWN)} → {one_line(tools[1], _SHOWN)}"
    elif not unrecorded & {"calls", "arguments"}:
        for one, other in zip(before.calls, now.calls, strict=True):
            if one.args != other.args:
                yield f"{one_line(str(one.name), _SHOWN)}: arguments differ: {_keys_that_differ(one.args, other.args)}"
    if before.response != now.response and "response" not in unrecorded:
        yield f"response: {_quoted(before.response)} → {_quoted(now.response)}"


def _keys_that_differ(one: Mapping[str, Any] | None, other: Mapping[str, Any] | None) -> str:
    before, now = one or {}, other or {}
    absent = object()
    keys = [key for key in dict.fromkeys([*before, *now]) if before.get(key, absent) != now.get(key, absent)]
    return one_line(", ".join(keys), _SHOWN) or "args is missing on one side and {} on the other"


def _quoted(text: str) -> str:
    return f'"{one_line(text, _SHOWN)}"' if text else "none"


def _of_turns(case: JudgedCase) -> Iterator[str]:
    """Sentences for failed metrics of turns; metrics that fail the case come first."""
    failed = {metric.name for metric in case.metrics if metric.status == "failed"}
    found = [
        (number, turn, metric)
        for number, turn in enumerate(case.turns, 1)
        for metric in (turn.scores.metrics if turn.scores is not None else ())
        if metric.status == "failed"
    ]
    for number, turn, metric in sorted(found, key=lambda each: each[2].name not in failed):
        yield _why_of_turn(number, turn, metric, case)


def _why_of_turn(number: int, turn: JudgedTurn, metric: MetricScore, case: JudgedCase) -> str:
    judged = case.metric(metric.name)
    threshold = metric.threshold if metric.threshold is not None or judged is None else judged.threshold
    mean = mean_said(judged.status, judged.score, judged.threshold) if judged is not None else ""
    score = f"{against_text(metric._replace(threshold=threshold))}{mean}"
    told = f"turn {number} · {short_name(metric.name)} {score}"
    said = "; ".join(_sentences(turn, metric, case))
    return f"{told}: {said}" if said else told


def _sentences(turn: JudgedTurn, metric: MetricScore, case: JudgedCase) -> Iterator[str]:
    if turn.sentences.get(metric.name):
        yield from (printable(each) for each in turn.sentences[metric.name])
    elif turn.scores is not None:
        explained = explain(turn.scores, metric.name, case.criteria or Criteria(()))
        yield from explained.sentences if explained is not None else ()

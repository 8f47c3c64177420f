"""Sentences why a case failed or is not evaluated, why a turn has its scores, and why an item of a review fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, failing_first, mean_text, short_name
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.metrics.metric import Explanation
from evaltui.scoring.metrics.response_match import counted_sentences
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, Status
from evaltui.scoring.scored_set import ScoredSet
from evaltui.scoring.words import WordsCompared

if TYPE_CHECKING:
    from evaltui.review.review_items import ComparedTurn, ReviewItem

_MOST = 8
"""The most sentences on one case."""
MetricReason = tuple[MetricScore, Explanation | None, tuple[str, ...], str]
"""Why a turn has its score in one metric.

The explanation is None without a score, and for metrics that evaltui does not compute. The faults follow, each without
a capital and full stop, and a sentence that says how the calls would pass; "" if they would not.
"""


def why_lines(case: CaseResult, criteria: Criteria, most: int = _MOST, *, all_runs: str = "--runs all") -> list[str]:
    """The sentences for one case, each with its turn: at most `most`, the last of them with the number of the others.

    If the case has several recordings, the first sentence names the one that was scored. `all_runs` is the option that
    scores all of them.
    """
    lines = list(_explain_case(case, criteria))
    if case.run is not None and case.runs is None and case.recordings > 1:
        latest = f"the latest of {case.recordings} recordings"
        advice = f"Use {all_runs} for the mean of all recordings."
        lines.insert(0, f"scored with {printable(case.run.conversation.path.name)}, {latest}. {advice}")
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], f"… {len(lines) - most + 1} more"]


def why_in(run: ScoredSet, case: CaseResult) -> list[str]:
    """The sentences for one case of a run, whether its turns were kept or not."""
    return run.prepared(case)[0] if run.prepared is not None else why_lines(case, run.criteria)


def _explain_case(case: CaseResult, criteria: Criteria) -> Iterator[str]:
    if case.reason:
        yield printable(case.reason)
    reasons: set[str] = set()
    named = [
        (run, f"run {number} in {printable(run.conversation.path.name)} · ")
        for number, run in enumerate(case.runs or (), 1)
    ]
    if case.run is not None and not named:
        named = [(case.run, "")]
    for run, whose in named:
        yield from _list_reasons(run, "failed", whose, reasons, case)
        if run.status == "failed":
            recorded = enumerate(run.conversation.turns if not run.turns else (), 1)
            messages = [f"{number} {one_line(turn.user_text, 40) or 'no user message'}" for number, turn in recorded]
            if messages:
                yield f"{whose}recorded turns: {' · '.join(messages[:_MOST])}{' · …' if len(messages) > _MOST else ''}"
            yield from (f"{whose}{line}" for line in _explain_failed_turns(run, criteria))
    for run, whose in named:
        yield from _list_reasons(run, "not_evaluated", whose, reasons, case)


def _list_reasons(run: CaseRun, status: Status, whose: str, reasons: set[str], case: CaseResult) -> Iterator[str]:
    """The reasons of the metrics with this status that are not in `reasons`, which gets them."""
    for metric in run.metrics:
        reason = metric.reason
        if metric.status == status and reason and reason not in reasons and reason not in (case.reason or ""):
            reasons.add(reason)
            yield f"{whose}{printable(metric.name)}: {printable(reason)}"


def _explain_failed_turns(run: CaseRun, criteria: Criteria) -> Iterator[str]:
    failed = {metric.name for metric in run.metrics if metric.status == "failed"}
    failures = [
        (turn, metric)
        for turn in run.turns
        for metric in turn.metrics
        if metric.status == "failed" and metric.score is not None
    ]
    # A turn may fail in a metric whose mean over the case passes: that did not fail the case.
    for turn, metric in sorted(failures, key=lambda failure: failure[1].name not in failed):
        mean = mean_text(next((judged for judged in run.metrics if judged.name == metric.name), None))
        explained = explain(turn, metric.name, criteria)
        sentences = "; ".join(explained.sentences) if explained is not None else ""
        score = f"turn {turn.number} · {short_name(metric.name)} {against_text(metric)}{mean}"
        yield f"{score}: {sentences}" if sentences else score


def reasons_of_turn(turn: ComparedTurn, *, lists_words: bool = False) -> Iterator[MetricReason]:
    """The reasons of all metrics with a verdict, failing ones first.

    The faults of a response have the number of words that differ; with `lists_words`, these words.
    """
    for metric in failing_first([score for score in turn.scores.metrics if score.status != "informational"]):
        explanation = turn.explanations.get(metric.name)
        faults: Sequence[str] = explanation.sentences if explanation is not None else ()
        hint = ""
        if isinstance(explanation, WordsCompared) and not lists_words:
            faults = counted_sentences(explanation)
        elif isinstance(explanation, CallsExplained) and explanation.options:
            *faults, hint = faults
        yield metric, explanation, tuple(faults), hint


def why_item_fails(item: ReviewItem, *, lists_words: bool = False) -> list[str]:
    """Sentences on why an item fails, or that it passes."""
    if item.status == "passed":
        return ["This turn alone passes all metrics." if item.is_unscored_turn else "Passes all metrics."]
    failed = (metric.reason for metric in item.metrics if metric.status == "failed" and metric.reason)
    reason = printable(item.result.reason or next(failed, "") or "a metric fails that evaltui does not compute")
    sentences = [] if item.compared is not None else [reason]
    for turn in item.turns:
        where = "in this turn: " * item.is_unscored_turn if item.compared else f"turn {turn.scores.number}: "
        for metric, _, faults, _ in reasons_of_turn(turn, lists_words=lists_words):
            if metric.status == "failed" and faults:
                sentences.append(f"{where}{short_name(metric.name)}: {printable('; '.join(faults))}")
    return sentences or [reason]

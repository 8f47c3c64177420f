"""Sentences why a turn has its scores, and why an item of a review fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.printable import printable
from evaltui.report.scores_text import failing_first, short_name
from evaltui.review.review_items import ComparedTurn, ReviewItem
from evaltui.scoring.metrics.metric import Explanation
from evaltui.scoring.metrics.response_match import counted_sentences
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.results import MetricScore
from evaltui.scoring.words import WordsCompared

MetricReason = tuple[MetricScore, Explanation | None, tuple[str, ...], str]
"""Why a turn has its score in one metric.

The explanation is None without a score, and for metrics that evaltui does not compute. The faults follow, each without
a capital and full stop, and a sentence that says how the calls would pass; "" if they would not.
"""


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

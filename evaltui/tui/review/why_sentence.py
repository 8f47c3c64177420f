"""Why a turn fails, in one sentence, and how it would pass without a change of the set."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.printable import printable
from evaltui.report.scores_text import short_name
from evaltui.review.decisions import Decision
from evaltui.review.review_items import ReviewItem
from evaltui.scoring.metrics.metric import Criterion, Explanation
from evaltui.scoring.metrics.response_match import ResponseExplained
from evaltui.scoring.metrics.tool_trajectory import MATCH_TYPES, CallsExplained, MatchType, ToolTrajectory
from evaltui.tui.commands import key_of

_ALONE = "in this turn: "


def why_sentences(item: ReviewItem, *, whole: bool = False) -> list[str]:
    """Sentences on why an item fails. With `whole`, they also list the words that the rows mark anyway."""
    if item.status == "passed":
        return ["This turn alone passes all metrics." if item.is_unscored_turn else "Passes all metrics."]
    said = [] if item.compared is not None else [_reason(item)]
    for turn in item.turns:
        where = f"turn {turn.scores.number}: " if item.compared is None else _ALONE * item.is_unscored_turn
        failed = {metric.name for metric in turn.scores.metrics if metric.status == "failed"}
        for name, explanation in turn.explanations.items():
            sentences = explanation.sentences if whole else _short(explanation)
            if _has_hint(explanation, turn.criteria.of(name)):
                sentences = sentences[:-1]
            faults = [*map(printable, sentences)]
            if name in failed and faults:
                said.append(f"{where}{short_name(name)}: {'; '.join(faults)}")
    return [*filter(None, said)] or [_reason(item)]


def _short(explanation: Explanation) -> tuple[str, ...]:
    """All sentences about calls; about a response only the number of words that differ: the rows mark them."""
    return explanation.counted_sentences if isinstance(explanation, ResponseExplained) else explanation.sentences


def _has_hint(explanation: Explanation, asked: Criterion | None) -> bool:
    """Whether the last sentence says how the calls would pass, as `trial_sentence` does with the key."""
    if not isinstance(explanation, CallsExplained) or not isinstance(asked, ToolTrajectory):
        return False
    # From the facts, not from the wording: the sentence may be rephrased.
    passing = _passing(explanation, asked)
    return not passing[asked.match_type] and any(explanation.passes_ignoring_args.values())


def _reason(item: ReviewItem) -> str:
    reasons = [metric.reason for metric in item.metrics if metric.status == "failed" and metric.reason]
    return printable(item.result.reason or next(iter(reasons), "") or "a metric fails that evaltui does not compute")


def noted(decision: Decision, me: str, *, differs: bool) -> str:
    """`Ines: agent is wrong “ask the airline”`; who accepted where something still differs accepted it in part.

    `me` is the author of decisions that are made here now.
    """
    verdict = "accepted in part" if differs and decision.verdict == "accepted" else decision.verdict
    note = f"“{printable(decision.note)}”" if decision.note else ""
    who = "you" if decision.author == me else printable(decision.author.partition(" <")[0])
    return " ".join(filter(None, [f"{who}:", verdict, note]))


def trial_sentence(item: ReviewItem) -> str:
    """How the calls would pass with other criteria, and the key that tries it; "" if they would not."""
    compared = item.compared
    if compared is None or item.status == "passed":
        return ""
    for name, explanation in compared.explanations.items():
        asked = compared.criteria.of(name)
        if isinstance(explanation, CallsExplained) and isinstance(asked, ToolTrajectory):
            return _of_calls(explanation, asked)
    return ""


def _of_calls(explained: CallsExplained, asked: ToolTrajectory) -> str:
    passing = _passing(explained, asked)
    if passing[asked.match_type]:
        return ""
    other = next((each for each in MATCH_TYPES if passing[each]), None)
    if other is not None:
        return f"The tool calls would pass with match_type {other} (press {key_of('review.match_type')} to try)."
    if explained.passes_ignoring_args[asked.match_type]:
        return f"The tool calls would pass with ignore_args (press {key_of('review.ignore_args')} to try)."
    return ""


def _passing(explained: CallsExplained, asked: ToolTrajectory) -> Mapping[MatchType, bool]:
    """The match types that the calls pass, with arguments compared as the criterion says."""
    return explained.passes_ignoring_args if asked.ignore_args else explained.passes

"""The parts of a metric: its description, its criterion in a run, and the rule of metrics that evaltui computes.

Each metric that evaltui computes has a file in this folder. `tool_trajectory.py` has options of its own,
`response_match.py` has none. A new metric needs a subclass of `OfflineCriterion`, a `Metric` that names it, and a line
in `registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from evaltui.evalset.turn import Turn, TurnPart
from evaltui.scoring.results import MetricScore, judge_score, plain

CriterionKind = Literal["plain", "trajectory", "judge", "rubrics", "hallucinations", "user_simulator"]
"""The kind of criterion. `evalset` has a pydantic model for each kind."""
Need = Literal["tool_calls", "final_response", "rubrics", "scenario", "nothing"]
"""The part of a case that a metric needs."""
Runner = Literal["here", "judge", "cloud", "custom"]
"""The place of the computation: plain Python, a judge model, Vertex AI's evaluation service, or code of the author."""

Pairs = Sequence[tuple[Turn, Turn]]
"""The turns of a case, expected and actual."""
CaseScores = tuple[MetricScore, Sequence[MetricScore]]
"""The score of a case, and of each of its turns."""

NOTHING_STATED = "the case states no expectation: it has no intermediate_events and no text in reference"
"""Why a case of a dataset is not evaluated, if it says neither which calls nor which response it expects."""
NO_CALLS_STATED = "the case states no expected tool calls: it has no intermediate_events"
"""Why tool calls of a case of a dataset are not evaluated, if it states a response only."""


class Explanation(Protocol):
    """Why a turn has its score."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The faults, each without a capital and full stop; empty if there are none."""

    def to_json(self) -> dict[str, Any]:
        """The explanation for JSON reports."""


@dataclass(frozen=True)
class Criterion:
    """A metric with its threshold and options in a run."""

    name: str
    threshold: float | None
    raw: Any = None
    """The value in the config: a number or an object."""
    refusal: str | None = None
    """Why evaltui does not compute the score, without a full stop; None for metrics that it computes."""
    may_be_recorded: bool = False
    """Whether a recording may have the score that evaltui does not compute."""
    reads_rubrics: bool = False

    def to_json(self) -> dict[str, Any]:
        """The criterion for JSON reports."""
        return {"threshold": plain(self.threshold)}

    def options_text(self) -> str:
        """The options that are not the default, in words, after a space; "" for none."""
        return ""


class OfflineCriterion(Criterion, ABC):
    """The criterion of a metric that evaltui computes. A subclass with options is a dataclass with a field for each."""

    @classmethod
    def read(cls, name: str, threshold: float | None, raw: Any) -> Criterion:
        """Read the criterion from `raw`, its value in a config; one with a refusal if google-adk rejects an option."""
        return cls(name, threshold, raw)

    @abstractmethod
    def score(self, expected: Turn, actual: Turn) -> float:
        """The score of one turn."""

    @abstractmethod
    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> Explanation:
        """Why a turn has its score, with sentences only if it `has_failed`. Called only for turns on display."""

    def why_unknown(self, expected: Turn, actual: Turn) -> str | None:
        """Why the case or the recording does not tell the score of a turn, without a full stop; None if they do.

        Asked only if something of a turn is not stated or not recorded.
        """
        return None

    def judge(self, pairs: Pairs) -> CaseScores:
        """The score of a case (the mean, as in google-adk) and of each turn, given the expected and actual turns."""
        # Few turns have unknown parts, and asking each metric about them costs as much as a score.
        has_unknown = any(expected.unstated or actual.unrecorded for expected, actual in pairs)
        reasons = [self.why_unknown(*pair) for pair in pairs] if has_unknown else []
        if not any(reasons):
            return self.judge_scores([self.score(expected, actual) for expected, actual in pairs])
        # The case fails only if it would fail with the best scores in the turns that are unknown.
        best = [1.0 if reason else self.score(*pair) for pair, reason in zip(pairs, reasons, strict=True)]
        highest, judged = self.judge_scores(best)
        unknown = MetricScore(self.name, "not_evaluated", None, self.threshold)
        turns = [
            unknown._replace(reason=reason) if reason else score for score, reason in zip(judged, reasons, strict=True)
        ]
        number, reason = next((number, reason) for number, reason in enumerate(reasons, 1) if reason)
        reason = reason if len(pairs) == 1 else f"turn {number}: {reason}"
        if highest.status == "failed" and not all(reasons):
            return unknown._replace(status="failed", reason=f"other turns fail; {reason}"), turns
        return unknown._replace(reason=reason), turns

    def judge_scores(self, scores: Sequence[float]) -> CaseScores:
        """The score of a case, given the scores of its turns."""
        turns, total = [], 0.0
        for score in scores:
            # Added one by one, as in google-adk: `sum` of Python 3.12 rounds differently.
            total += score
            turns.append(MetricScore(self.name, judge_score(score, self.threshold), score, self.threshold))
        mean = total / len(turns)
        return MetricScore(self.name, judge_score(mean, self.threshold), mean, self.threshold), turns


def why_unstated(expected: Turn, part: TurnPart) -> str | None:
    """Why there is nothing to compare a part with, without a full stop; None if the case states an expectation."""
    if part not in expected.unstated:
        return None
    if len(expected.unstated) > 1:
        return NOTHING_STATED
    if part == "calls":
        return NO_CALLS_STATED
    return "the case states no expected response: it has no text in reference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric of google-adk, and how evaltui computes it, if it does."""

    name: str
    needs: Need = "nothing"
    since: str
    """The first version of google-adk that has it."""
    runs: Runner = "here"
    criterion: CriterionKind = "plain"
    own_keys: tuple[str, ...] = ()
    """The keys that only its criterion has, in snake_case."""
    rubric_type: str = ""
    """The type of the rubrics that it reads in a case or turn; "" if it reads none."""
    range: tuple[float, float] | None = (0.0, 1.0)
    """The lowest and highest score; None without bounds."""
    default_threshold: float | None = None
    """Its threshold for a set without a config; None if it has no criterion then."""
    offline: type[OfflineCriterion] | None = None
    """Its criterion, if evaltui computes it."""
    informational: bool = False
    """Whether it measures the efficiency of the agent (`efficiency.py`). It takes no threshold then."""

    @property
    def criterion_keys(self) -> tuple[str, ...]:
        """The keys that google-adk reads in its criterion, in snake_case."""
        return ("threshold", "include_intermediate_responses_in_final", *self.own_keys)

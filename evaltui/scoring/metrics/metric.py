"""The parts of a metric: facts about it, its criterion in a run, and for metrics computed here their rule.

A file of this room defines a metric that is computed here. `tool_trajectory.py` is one with options of its own,
`response_match.py` one without. A new one needs a subclass of `OfflineCriterion`, a `Metric` that names it, and a line
in `registry.py`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from evaltui.evalset.turn import Turn
from evaltui.scoring.results import MetricScore, plain, reached

CriterionKind = Literal["plain", "trajectory", "judge", "rubrics", "hallucinations", "user_simulator"]
"""The kind of criterion, for each of which `evalset` has a pydantic model."""
Need = Literal["tool_calls", "final_response", "rubrics", "scenario", "nothing"]
"""The part of a case without which a metric says nothing."""
Runner = Literal["here", "judge", "cloud"]
"""Who computes it: plain Python, a judge model, or Vertex AI's evaluation service."""

Pairs = Sequence[tuple[Turn, Turn]]
"""The turns of a case, expected and actual."""
CaseScores = tuple[MetricScore, Sequence[MetricScore]]
"""The score of a case, and of each of its turns."""

_KEYS_OF_ALL = ("threshold", "include_intermediate_responses_in_final")


class Explanation(Protocol):
    """Why a turn has its score."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The faults, without capital and full stop; empty where there are none."""

    def to_json(self) -> dict[str, Any]:
        """The explanation as reports have it."""


@dataclass(frozen=True)
class Criterion:
    """A metric with its threshold and options, as one run judges by it."""

    name: str
    threshold: float | None
    raw: Any = None
    """The criterion as it stands in the config: a number or an object."""
    refusal: str | None = None
    """Why no score is computed, a sentence without its end; None for the metrics that are computed here."""
    may_be_recorded: bool = False
    """Whether a recording may hold the score that is not computed here."""
    reads_rubrics: bool = False

    def to_json(self) -> dict[str, Any]:
        """The criterion as reports list it."""
        return {"threshold": plain(self.threshold)}

    def options_text(self) -> str:
        """The options that are not the default, in words and with a blank in front; "" for none."""
        return ""


class CriterionError(ValueError):
    """Options of a criterion that google-adk refuses; the message is a sentence without its end."""


@dataclass(frozen=True)
class OfflineCriterion(Criterion, ABC):
    """The criterion of a metric that is computed here. A subclass adds a field for each option."""

    @classmethod
    def read(cls, name: str, threshold: float | None, raw: Any) -> Self:
        """The criterion that `raw` is in a config. Raises `CriterionError`."""
        return cls(name, threshold, raw)

    @abstractmethod
    def score(self, expected: Turn, actual: Turn) -> float:
        """The score of one turn."""

    @abstractmethod
    def explain(self, expected: Turn, actual: Turn, *, has_failed: bool) -> Explanation:
        """Why a turn has its score; with sentences only if it `has_failed`. Worked out only when somebody asks."""

    def judge(self, pairs: Pairs) -> CaseScores:
        """The score of a case, given its turns expected and actual, and of each turn: google-adk takes the mean."""
        return self.judge_scores([self.score(expected, actual) for expected, actual in pairs])

    def judge_scores(self, scores: Sequence[float]) -> CaseScores:
        """The score of a case, given the scores of its turns."""
        turns, total = [], 0.0
        for score in scores:
            # Added up one by one as google-adk does: `sum` of Python 3.12 would round otherwise.
            total += score
            turns.append(MetricScore(self.name, reached(score, self.threshold), score, self.threshold))
        mean = total / len(turns)
        return MetricScore(self.name, reached(mean, self.threshold), mean, self.threshold), turns


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number that is reported of every run and never judged. None stands for what nobody measured, never for 0."""

    of_turn: Callable[[Turn], float | None]
    of_case: Callable[[Sequence[float | None]], float | None]
    """The mean over the turns of a case."""
    absent: str | None = None
    """Why there is no value, where there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric of google-adk: facts about it, and how it is computed if that is done here."""

    name: str
    needs: Need = "nothing"
    since: str
    """The first google-adk that has it."""
    runs: Runner = "here"
    criterion: CriterionKind = "plain"
    own_keys: tuple[str, ...] = ()
    """The keys of its criterion beside those of all, in snake_case."""
    rubric_type: str = ""
    """The type of the rubrics that it reads of a case or turn; "" where it reads none."""
    range: tuple[float, float] | None = (0.0, 1.0)
    """The scores that it can give; None where there is no bound."""
    default_threshold: float | None = None
    """Its threshold where a set has no config; None where it is not judged then."""
    offline: type[OfflineCriterion] | None = None
    """Its criterion, if it is computed here."""
    measurement: Measurement | None = None
    """Its measurement, if it only reports; a threshold is refused then."""

    @property
    def informational(self) -> bool:
        """Whether it only reports."""
        return self.measurement is not None

    @property
    def criterion_keys(self) -> tuple[str, ...]:
        """The keys that google-adk reads in its criterion, in snake_case."""
        return (*_KEYS_OF_ALL, *self.own_keys)

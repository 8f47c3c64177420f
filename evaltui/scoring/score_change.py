"""Changes of a case between two runs: of its scores, of what the agent did, and whether the case was edited."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from operator import itemgetter
from typing import Any, Literal, NamedTuple

from evaltui.document.scanner import read_json
from evaltui.evalset.dataset_turns import stated_text
from evaltui.evalset.turn import Turn
from evaltui.scoring.results import CaseResult, Status

ScoreChange = Literal["regressed", "improved", "lower", "higher", "same", "new", "edited", "not_evaluated"]
"""The change of a case or metric since another run, in the words of baselines (docs/cli.md).

`regressed` passed before and fails now; `improved` is the reverse; `lower` and `higher` have the same verdict and
another score; `new` has nothing to compare with; `edited` cannot be compared, because the expectations differ.
"""

REGRESSIONS_FIRST: tuple[ScoreChange, ...] = (
    *("regressed", "not_evaluated", "lower", "improved", "higher", "new", "edited", "same"),
)
"""The changes in the order of reports."""

ActualChange = Literal["text changed", "args changed", "tools changed"]
"""A difference between the recordings of two runs."""
ChangeWord = ActualChange | Literal["case changed"]
"""A difference that is not a score: in the recording, or in the case."""

_LARGE = 200_000
"""From this size in bytes, cases with different text count as edited without parsing, which would be too slow."""


Standing = tuple[Status, Mapping[str, float | None]]
"""The verdict of a case, or of one of its metrics, and the scores of the metrics that were evaluated, by name.

Scores are unrounded; None stands for a verdict without a number.
"""


class RunChange(NamedTuple):
    """The change of a case since another run, or since a baseline."""

    change: ScoreChange
    difference: float | None = None
    """The largest fall of a score if the case got worse, else the largest rise; None if no score changed."""
    words: tuple[ChangeWord, ...] = ()
    metric: str = ""
    """The metric of the difference; "" where no score moved, or the case has one score only."""
    baseline: Standing | None = None
    """The case in the baseline; None for a new or edited case, which cannot be compared, and since another run."""
    is_lost: bool = False
    """Whether the case or a metric of it was evaluated in the baseline and is not evaluated in the run."""

    @property
    def is_any(self) -> bool:
        """Whether anything about the case is different."""
        return self.change != "same" or bool(self.words)

    @property
    def loss(self) -> float:
        """The difference for sorting; negative if a score fell. A lost verdict without a score counts as -1."""
        if self.change in ("regressed", "not_evaluated"):
            return self.difference if self.difference is not None else -1.0
        return self.difference or 0.0


def change_since(earlier: CaseResult | None, current: CaseResult) -> RunChange:
    """The change of a case since the previous run; `new` if the case was in no run or had no verdict."""
    if earlier is None:
        return RunChange("new")
    words: tuple[ChangeWord, ...] = actual_changes(earlier, current)
    if not is_same_golden(earlier.source, current.source):
        words = ("case changed", *words)
    earlier_standing, standing = standing_of(earlier), standing_of(current)
    if earlier.status == "not_evaluated" == current.status:
        return RunChange("same", None, words)
    change = change_of(earlier_standing, standing)
    difference, metric = difference_of(earlier_standing, standing, change)
    return RunChange(change, difference, words, metric)


def change_since_baseline(earlier: CaseResult | None, current: CaseResult) -> RunChange:
    """The change of a case since a baseline; `edited` if its expectations changed, so scores cannot be compared."""
    if earlier is not None and not is_same_golden(earlier.source, current.source):
        return RunChange("edited")
    return change_since(earlier, current)


def is_alike(earlier: CaseResult, current: CaseResult) -> bool:
    """Whether two runs scored the same text against the same recorded turns, with the same outcome."""
    outcomes = ((result.status, result.metrics, result.reason, result.source) for result in (earlier, current))
    if next(outcomes) != next(outcomes):
        return False
    if earlier.run is None or current.run is None:
        return earlier.run is current.run
    conversations = earlier.run.conversation, current.run.conversation
    return conversations[0] is conversations[1] or conversations[0].turns == conversations[1].turns


# --- scores --------------------------------------------------------------------------------------------------------


def standing_of(result: CaseResult) -> Standing:
    """The verdict and the scores of a case, without metrics that are informational or not evaluated."""
    judged = [metric for metric in result.metrics if metric.status in ("passed", "failed")]
    return result.status, {metric.name: known_score(metric.score) for metric in judged}


def known_score(score: float | None) -> float | None:
    """A score that can be compared: NaN and the infinities count as no score."""
    return score if score is not None and math.isfinite(score) else None


def change_of(earlier: Standing | None, current: Standing) -> ScoreChange:
    """The change of a case or metric. If some scores rose and others fell, it is `lower`.

    Metrics of only one side do not count. A case without an earlier verdict is `new`.
    """
    status, scores = current
    if status == "not_evaluated":
        return "not_evaluated"
    if earlier is None or earlier[0] == "not_evaluated":
        return "new"
    earlier_status, earlier_scores = earlier
    if earlier_status != status:
        return "regressed" if status == "failed" else "improved"
    # A failed case without a score has another number of turns, which is worse than any score.
    least = -math.inf if status == "failed" else None
    moves = [
        (least if earlier_scores[name] is None else earlier_scores[name], least if score is None else score)
        for name, score in scores.items()
        if name in earlier_scores
    ]
    pairs = [(old, new) for old, new in moves if old is not None and new is not None]
    if any(new < old for old, new in pairs):
        return "lower"
    return "higher" if any(new > old for old, new in pairs) else "same"


def difference_of(earlier: Standing, current: Standing, change: ScoreChange) -> tuple[float | None, str]:
    """The change of the score that moved most, in the direction of the verdict, and its metric.

    None and "" where no score moved that way; the metric is "" also where there is only one.
    """
    (_, earlier_scores), (_, scores) = earlier, current
    pairs = [(earlier_scores.get(name), score, name) for name, score in scores.items()]
    moves = [(new - old, name) for old, new, name in pairs if old is not None and new is not None]
    is_fall = change in ("regressed", "lower")
    difference, metric = (min if is_fall else max)(moves, key=itemgetter(0), default=(0.0, ""))
    if difference >= 0 if is_fall else difference <= 0 or change not in ("improved", "higher"):
        return None, ""
    return difference, metric if len(scores) > 1 else ""


# --- what the agent did, and the case ------------------------------------------------------------------------------


def actual_changes(earlier: CaseResult, current: CaseResult) -> tuple[ActualChange, ...]:
    """Differences of the agent in the recording of `current`; empty if either side has no turns."""
    if earlier.run is None or current.run is None or earlier.run.conversation is current.run.conversation:
        return ()
    return changes_of_turns(earlier.run.conversation.turns, current.run.conversation.turns)


def changes_of_turns(earlier: Sequence[Turn], current: Sequence[Turn]) -> tuple[ActualChange, ...]:
    """Differences of the agent between two recordings.

    Added or missing turns count as `text changed`, and as `tools changed` if they have calls.
    """
    words: list[ActualChange] = []
    if [turn.calls for turn in earlier] != [turn.calls for turn in current]:  # results and ids of calls do not count
        names = ([[call.name for call in turn.calls] for turn in turns] for turns in (earlier, current))
        calls = ([call for turn in turns for call in turn.calls] for turns in (earlier, current))
        if any(old_names != new_names for old_names, new_names in zip_longest(*names, fillvalue=[])):
            words.append("tools changed")
        elif any(old.args != new.args for old, new in zip(*calls, strict=True)):
            words.append("args changed")
    if [turn.response for turn in earlier] != [turn.response for turn in current]:
        words.append("text changed")
    return tuple(words)


def is_same_golden(first: bytes, second: bytes) -> bool:
    """Whether two texts of a case have the same value; eval_id, spelling, order of keys and layout do not count.

    In a dataset, what an agent did does not count either.
    """
    if first == second:
        return True
    if max(len(first), len(second)) > _LARGE:
        return False
    try:
        return _normalize_case(first) == _normalize_case(second)
    except ValueError:
        return False


def _normalize_case(source: bytes) -> str:
    value: Any = read_json(stated_text(source))
    if isinstance(value, dict):
        value = {key: member for key, member in value.items() if key not in ("eval_id", "evalId")}
    return json.dumps(value, sort_keys=True)

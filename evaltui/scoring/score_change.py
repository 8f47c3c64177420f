"""Changes between two runs of a set: of the scores of a case, and of what the agent did."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from types import MappingProxyType
from typing import Literal, NamedTuple

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


class Standing(NamedTuple):
    """The verdict of a case, or of one of its metrics, with the scores."""

    status: Status
    scores: Mapping[str, float | None] = MappingProxyType({})
    """Unrounded scores of the metrics that were evaluated, by name; None for a verdict without a number."""


def standing_of(result: CaseResult) -> Standing:
    """The verdict and the scores of a case, without metrics that are informational or not evaluated."""
    judged = [each for each in result.metrics if each.status in ("passed", "failed")]
    return Standing(result.status, {each.name: known_score(each.score) for each in judged})


def known_score(score: float | None) -> float | None:
    """A score that can be compared: NaN and the infinities count as no score."""
    return score if score is not None and math.isfinite(score) else None


def change_of(before: Standing | None, now: Standing) -> ScoreChange:
    """The change of a case or metric. If some scores rose and others fell, it is `lower`.

    Metrics of only one side do not count. A case without a verdict before is `new`. If both runs failed, no score
    (the number of turns differs) is lower than any score.
    """
    if now.status == "not_evaluated":
        return "not_evaluated"
    if before is None or before.status == "not_evaluated":
        return "new"
    if before.status != now.status:
        return "regressed" if now.status == "failed" else "improved"
    pairs = [(before.scores[name], score) for name, score in now.scores.items() if name in before.scores]
    least = -math.inf if now.status == "failed" else None
    ordered = [(least if one is None else one, least if other is None else other) for one, other in pairs]
    known = [(one, other) for one, other in ordered if one is not None and other is not None]
    if any(other < one for one, other in known):
        return "lower"
    return "higher" if any(other > one for one, other in known) else "same"


def actual_changes(before: CaseResult, now: CaseResult) -> tuple[ActualChange, ...]:
    """Differences of the agent in the recording of `now`; empty if either side has no turns."""
    if before.run is None or now.run is None or before.run.conversation is now.run.conversation:
        return ()
    return changes_of_turns(before.run.conversation.turns, now.run.conversation.turns)


def changes_of_turns(one: Sequence[Turn], other: Sequence[Turn]) -> tuple[ActualChange, ...]:
    """Differences of the agent from `one` to `other`.

    Added or missing turns count as `text changed`, and as `tools changed` if they have calls.
    """
    found: list[ActualChange] = []
    if [turn.calls for turn in one] != [turn.calls for turn in other]:  # responses and ids do not count
        pairs = zip(one, other, strict=False)
        names = ([[call.name for call in turn.calls] for turn in turns] for turns in (one, other))
        if any(mine != theirs for mine, theirs in zip_longest(*names, fillvalue=[])):
            found.append("tools changed")
        elif any(a.args != b.args for x, y in pairs for a, b in zip(x.calls, y.calls, strict=True)):
            found.append("args changed")
    if [turn.response for turn in one] != [turn.response for turn in other]:
        found.append("text changed")
    return tuple(found)

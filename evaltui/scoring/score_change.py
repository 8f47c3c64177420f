"""Changes of scores between two runs of a set: of a case, of its metrics, and what the agent did otherwise."""

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
another score; `new` has nothing to compare with; of `edited` nothing is claimed, because the golden differs.
"""

REGRESSIONS_FIRST: tuple[ScoreChange, ...] = (
    *("regressed", "not_evaluated", "lower", "improved", "higher", "new", "edited", "same"),
)
"""The changes in the order in which people want to read them."""

ActualChange = Literal["text changed", "args changed", "tools changed"]
"""A difference between what the agent did and the recording before."""


class Standing(NamedTuple):
    """The verdict on a case, or on one metric of it, with the scores by metric."""

    status: Status
    scores: Mapping[str, float | None] = MappingProxyType({})
    """Unrounded scores of the metrics that were evaluated, by name; None for a verdict without a number."""


def standing_of(result: CaseResult) -> Standing:
    """The verdict and the scores of a case. Metrics that only inform or are not evaluated do not count."""
    judged = [each for each in result.metrics if each.status in ("passed", "failed")]
    return Standing(result.status, {each.name: known_score(each.score) for each in judged})


def known_score(score: float | None) -> float | None:
    """A score that can be compared: NaN and the infinities count as no score."""
    return score if score is not None and math.isfinite(score) else None


def change_of(before: Standing | None, now: Standing) -> ScoreChange:
    """The change of a case or metric. With scores that rose and others that fell, it is `lower`.

    Scores of metrics that only one side has do not count. A case without a verdict before is `new`. Among failed
    cases, no score (another number of turns than expected) is below every score.
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
    """The agent's changes from the recording of `before` to that of `now`; none if either side has no turns."""
    if before.run is None or now.run is None or before.run.conversation is now.run.conversation:
        return ()
    return changes_of_turns(before.run.conversation.turns, now.run.conversation.turns)


def changes_of_turns(one: Sequence[Turn], other: Sequence[Turn]) -> tuple[ActualChange, ...]:
    """The agent's changes from the turns `one` to the turns `other`.

    Other turns than before count as `text changed`, and as `tools changed` if their calls are others.
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

"""The trial of a session: criteria to try instead of those in force, and the scores of all cases under them.

The editor, the criteria screen and the review share the same trial.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaltui.document.node import Node

if TYPE_CHECKING:
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.score_change import ScoredCase


@dataclass(eq=False, repr=False)
class TriedScores:
    """Criteria on trial. Results are computed on demand and cached while the scores in force stay the same."""

    is_unwritten: bool = False
    """Whether the trial has changes that are not written into the config."""
    silent: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of scored cases in which a tried metric is not evaluated, by metric and reason."""
    _in_force: Criteria | None = None
    _tried: Criteria | None = None
    _made: dict[Node, tuple[ScoredCase, ScoredCase]] = field(default_factory=dict)
    """By case: the scores under the criteria in force, and under the trial."""
    _outdated: list[dict[Node, tuple[ScoredCase, ScoredCase]]] = field(default_factory=list)

    # --- what is tried ---------------------------------------------------------------------------------------

    @property
    def criteria(self) -> Criteria | None:
        """The criteria on trial; None if they equal those in force."""
        return self._tried

    def begin(self, in_force: Criteria | None, tried: Criteria | None, *, is_unwritten: bool) -> None:
        """Try criteria. If `tried` is `in_force` itself or None, the trial ends."""
        self.is_unwritten = is_unwritten
        self._in_force = in_force
        self._tried = tried if in_force is not None and tried is not in_force else None
        self._outdated.append(self._made)  # freed later, between keys: with 10,000 cases freeing takes 30 ms
        self._made = {}

    # --- scores ----------------------------------------------------------------------------------------------

    def shown(self, case: Node, scored: ScoredCase) -> ScoredCase:
        """The scores of a case under the trial, given its scores under the criteria in force."""
        if self._tried is None or self._in_force is None:
            return scored
        cached = self._made.get(case)
        if cached is not None and cached[0] is scored:
            return cached[1]
        from evaltui.scoring.score_change import ScoredCase
        from evaltui.scoring.trial_scores import score_on_trial

        result = score_on_trial(scored.source, scored.result, self._in_force, self._tried)
        tried = scored if result is scored.result else ScoredCase(scored.source, result)
        self._made[case] = scored, tried
        return tried

    def known(self, case: Node, scored: ScoredCase) -> ScoredCase:
        """As `shown`, but without computing: returns the scores in force if those of the trial are not cached."""
        cached = self._made.get(case) if self._tried is not None else None
        return cached[1] if cached is not None and cached[0] is scored else scored

    def score(self, cases: Iterable[tuple[Node, ScoredCase]]) -> Iterator[None]:
        """Compute the results of all cases, one at each step; free those of the previous trial."""
        while self._outdated:
            outdated = self._outdated.pop()
            while outdated:
                outdated.popitem()
                yield
        if self._tried is None:
            return
        silent: Counter[tuple[str, str]] = Counter()
        for case, scored in cases:
            silent.update(self.shown(case, scored).result.silent_metrics)
            yield
        self.silent = silent

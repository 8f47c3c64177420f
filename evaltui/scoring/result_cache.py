"""A cache of results by the text of their case: only cases whose inputs changed are scored again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from evaltui.evalset.expected_set import ExpectedCase, ExpectedSet
from evaltui.recordings.case_index import match_facts
from evaltui.recordings.conversation import ConversationKey, Recording
from evaltui.recordings.matching import CaseMatch, Matching
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet, matched, score_expected


class ResultCache:
    """The last matching and the last results of one set."""

    def __init__(self) -> None:
        self._results: dict[bytes, tuple[object, CaseResult]] = {}
        """By the text of the case, each with the matches that it was scored against."""
        self._judged_by: object = None
        self._matched: tuple[object, Matching] | None = None
        """The last matching, and its inputs."""

    def match(
        self,
        subject: ExpectedSet,
        recordings: Sequence[Recording],
        tick: Callable[[int], object] = lambda _: None,
        by_hand: Mapping[ConversationKey, str] | None = None,
    ) -> Matching:
        """Match recordings with cases. It depends on few facts of a set, so it is seldom done again."""
        known = [match_facts(case) for case in subject.cases]
        of_set = subject.eval_set_id, subject.shared_folders
        from_what = [each.conversations for each in recordings], of_set, known, by_hand
        if self._matched is None or self._matched[0] != from_what:
            self._matched = from_what, matched(subject, recordings, tick, by_hand)
        return self._matched[1]

    def judge_by(self, criteria: Criteria, *, all_runs: bool = False) -> None:
        """Score by these criteria from now on."""
        if self._judged_by != (criteria, all_runs):
            self._judged_by = criteria, all_runs
            self._results.clear()

    def result(
        self,
        case: ExpectedCase,
        matches: Sequence[CaseMatch],
        criteria: Criteria,
        why_none: str | None,
        *,
        all_runs: bool,
        counts: int = -1,
    ) -> tuple[CaseResult, bool]:
        """The result of a case under the criteria of `judge_by`, and whether it was scored just now.

        `counts` is the place of the run that counts among the matches.
        """
        made = self._results.get(case.source)
        is_new = made is None or made[0] != (matches, why_none, counts)
        if made is None or is_new:
            scored = score_expected(case, matches, criteria, why_none, all_runs=all_runs, counts=counts)
            made = self._results[case.source] = (matches, why_none, counts), scored
        result = made[1]
        return result if result.number == case.number else result._replace(number=case.number), is_new

    def score_set(
        self,
        subject: ExpectedSet,
        criteria: Criteria,
        recordings: Sequence[Recording],
        *,
        all_runs: bool = False,
        tick: Callable[[int], None] | None = None,
    ) -> ScoredSet:
        """Like `scored_set.score_set`, but with cached results."""
        matching = self.match(subject, recordings)
        self.judge_by(criteria, all_runs=all_runs)
        results = []
        for case, matches, reason in zip(subject.cases, matching.cases, matching.reasons, strict=True):
            results.append(self.result(case, matches, criteria, reason, all_runs=all_runs)[0])
            if tick is not None:
                tick(len(case.source))
        self.keep(subject.cases)
        return ScoredSet(subject, criteria, tuple(recordings), tuple(results), matching.unmatched, matching.warnings)

    def keep(self, cases: Iterable[ExpectedCase]) -> None:
        """Forget the results of all other cases."""
        there = {case.source for case in cases}
        self._results = {source: made for source, made in self._results.items() if source in there}

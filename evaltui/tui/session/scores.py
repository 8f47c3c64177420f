"""The scores of the last run, and which cases were edited since. Scores nothing itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.evalset.formats import is_eval_set
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_views import EvalCaseView, list_of_cases
from evaltui.printable import printable
from evaltui.tui.commands import key_of
from evaltui.tui.marks import OF_STATUS, STALE, sign
from evaltui.tui.session.criteria_trial import CriteriaTrial, ScoredCase
from evaltui.tui.session.run_facts import Remark, RunFacts, silent_remarks

if TYPE_CHECKING:
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.results import CaseResult, MetricScore, Status, TurnScores

_RANKS: dict[str, int] = {"failed": 0, "not_evaluated": 1, "informational": 1, "passed": 2}
_LARGE = 200_000
"""Bytes above which an edited case stays stale, even if undo restored its text: comparing takes too long."""


class Verdict(NamedTuple):
    """The verdict on a case or turn that its row shows."""

    status: Status
    metric: MetricScore | None
    """The deciding metric with the lowest score."""
    is_stale: bool


class FailingPlace(NamedTuple):
    """A failed turn, or a case that failed as a whole, with its number. Numbers count from 1."""

    case: Node
    node: Node
    case_number: int
    cases: int
    turn_number: int
    """Its number among the failing turns of its case."""
    turns: int
    came_round: bool
    """Whether the search went past the end of the set to reach it."""


@dataclass(eq=False, repr=False)
class Scores:
    """The results of the last run by case. A case that was edited since is stale until it is scored again."""

    document_now: Callable[[], Document]
    facts: RunFacts | None = None
    """The facts of the last run; None before the first."""
    progress: str = ""
    """The progress of a long run: `scoring 3,400 of 10,000`."""
    is_running: bool = False
    version: int = 0
    """Grows whenever a result, a stale case or the order changes."""
    rows: list[Node] = field(default_factory=list)
    """All cases, failing first."""
    judged: list[str] = field(default_factory=list)
    """The metrics that decide, in the order of the config."""
    informational: list[str] = field(default_factory=list)
    """The metrics that only inform."""
    counts: Counter[str] = field(default_factory=Counter)
    """The number of cases with each status, without stale ones."""
    stale: set[Node] = field(default_factory=set)
    """The cases that were edited since they were scored."""
    runs: int = 0
    """The number of finished runs."""
    trial: CriteriaTrial = field(default_factory=CriteriaTrial)
    """The criteria that are tried; scores shown are those under them."""
    after_run: Callable[[], object] = lambda: None
    """Called when a run is over: the criteria in force may be others."""
    _before: dict[Node, Status] = field(default_factory=dict)
    """The former status of cases whose status changed, until the person is told."""
    _scored: dict[Node, ScoredCase] = field(default_factory=dict)
    """The scores by the criteria in force; also of deleted cases, since undo brings them back."""
    _cases: list[Node] = field(default_factory=list)

    # --- what changes ----------------------------------------------------------------------------------------

    def changed(self, change: Change) -> bool:
        """Note which cases were edited; returns whether any case became stale or current."""
        if not self._scored:
            return False
        root = self.document_now().root
        cases = list_of_cases(root) if root is not None else None
        if change.everywhere or cases is None or any(_case_around(node, cases) is None for node in change.nodes):
            self.compare()
            return True
        before = len(self.stale), self.version
        for case in {at for node in change.nodes if (at := _case_around(node, cases)) is not None}:
            self._look_at(case)
        return (len(self.stale), self.version) != before

    def compare(self) -> None:
        """Any case may have changed, come or gone."""
        self.stale = {case for case in self._listed() if case in self._scored and self._differs(case)}
        self.arrange()

    def _look_at(self, case: Node) -> None:
        scored = self._scored.get(case)
        if scored is None:
            return
        is_stale = len(scored.source) > _LARGE or self._differs(case)
        if is_stale != (case in self.stale):
            (self.stale.add if is_stale else self.stale.discard)(case)
            if not self.is_running:  # else all is counted anew soon
                self.counts[self.trial.known(case, scored).result.status] += -1 if is_stale else 1
            self.version += 1

    def _differs(self, case: Node) -> bool:
        return case.source() != self._scored[case].source

    def put(self, case: Node, source: bytes, result: CaseResult) -> None:
        """Take in the result of a case that was scored when its text was `source`. `arrange` shows it."""
        before = self._scored.get(case)
        if before is not None and before.result is result and before.source == source:
            return
        if before is not None:
            self._before.setdefault(case, self.trial.known(case, before).result.status)
        self._scored[case] = ScoredCase(source, result)
        (self.stale.add if self._differs(case) else self.stale.discard)(case)

    def finish(self, facts: RunFacts) -> None:
        """A run is over."""
        self.facts, self.progress = facts, ""
        self.runs += 1
        if facts.trouble or not facts.recordings:
            self._scored.clear()
            self.stale.clear()
        self.after_run()
        self.arrange()

    def arrange(self) -> None:
        """Bring rows, columns and counts up to date."""
        self._cases = self._listed()
        scored = [self._known(case) for case in self._cases]
        ranks = [_RANKS[each.result.status] if each is not None else 1 for each in scored]
        order = sorted(range(len(ranks)), key=ranks.__getitem__)
        self.rows = [self._cases[number] for number in order]
        there = set(self._cases)
        self.stale &= there
        self.counts = Counter(
            each.result.status
            for case, each in zip(self._cases, scored, strict=True)
            if each is not None and case not in self.stale
        )
        criteria = self.criteria
        self.judged = [each.name for each in criteria.judged] if criteria is not None else []
        self.informational = list(criteria.informational) if criteria is not None else []
        self.version += 1

    def _known(self, case: Node) -> ScoredCase | None:
        """The scores of a case under the trial as far as they were made: making all of them takes a while."""
        scored = self._scored.get(case)
        return self.trial.known(case, scored) if scored is not None else None

    def try_all(self) -> Iterator[None]:
        """Make the scores of all cases under the trial, one case at each step. `arrange` then shows them."""
        return self.trial.score([(case, scored) for case in self._cases if (scored := self._scored.get(case))])

    def _listed(self) -> list[Node]:
        root = self.document_now().root
        cases = list_of_cases(root) if root is not None and is_eval_set(root) else None
        return list(cases.items) if cases is not None else []

    def told_turned(self) -> list[tuple[Node, Status]]:
        """The cases whose status changed since the last call, with the present status."""
        before, self._before = self._before, {}
        now = ((case, each.result.status) for case in self._cases if case in before and (each := self._known(case)))
        return [(case, status) for case, status in now if status != before[case]]

    # --- questions -------------------------------------------------------------------------------------------

    def results(self) -> list[CaseResult]:
        """The results of all cases that were scored, in the order of the set."""
        return [scored.result for case in self._cases if (scored := self.of(case)) is not None]

    @property
    def criteria(self) -> Criteria | None:
        """The criteria of the scores that are shown: those on trial, else those in force."""
        return self.trial.criteria or (self.facts.criteria if self.facts is not None else None)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks about the run as a whole, under a trial with those about the metrics that are tried."""
        if self.facts is None or self.trial.criteria is None:
            return self.facts.remarks if self.facts is not None else ()
        others = (each for each in self.facts.remarks if each not in self.facts.silent)
        return (*silent_remarks(self.trial.silent), *others)

    @property
    def has_any(self) -> bool:
        """Whether any case was scored."""
        return bool(self._scored)

    def of(self, case: Node) -> ScoredCase | None:
        """The result of a case in the last run, under the trial if there is one; None if it was not in the run."""
        scored = self._scored.get(case)
        return self.trial.shown(case, scored) if scored is not None else None

    def by_config(self, case: Node) -> ScoredCase | None:
        """The result of a case by the criteria in force, whatever is tried; None if it was not in the last run."""
        return self._scored.get(case)

    def case_around(self, node: Node) -> Node | None:
        """The scored case around a value."""
        return next((at for at in (node, *node.ancestors()) if at in self._scored), None)

    def verdict(self, node: Node) -> Verdict | None:
        """The verdict on a case or turn; None if it was not scored, and for other values."""
        if not self._scored:
            return None
        if (scored := self.of(node)) is not None:
            return Verdict(
                scored.result.status, _lowest(scored.result.metrics, scored.result.status), node in self.stale
            )
        turn = self.turn(node)
        if turn is None:
            return None
        status = status_of(turn.metrics)
        return Verdict(status, _lowest(turn.metrics, status), self.case_around(node) in self.stale)

    def turn(self, node: Node) -> TurnScores | None:
        """Scores of a turn. In a case edited since the run, a turn is matched by invocation_id, else by position."""
        conversation = node.parent
        case = conversation.parent if conversation is not None else None
        scored = self.of(case) if case is not None else None
        if scored is None or scored.result.run is None or conversation is None or conversation.name != "conversation":
            return None
        turns = scored.result.run.turns
        if case in self.stale:
            identifier = text_of(node, "invocation_id") or text_of(node, "invocationId")
            named = [turn for turn in turns if identifier and turn.expected.invocation_id == identifier]
            if len(named) == 1:
                return named[0]
            if len(turns) != len(conversation.items):
                return None
        index = node.index()
        return turns[index] if index < len(turns) else None

    def first_failing_turn(self, case: Node) -> Node | None:
        """The first failed turn of a case; None if the case failed as a whole, or did not fail."""
        first = self.failing_places(case)[0]
        return first if first is not case else None

    def failing_places(self, case: Node) -> list[Node]:
        """The failed turns of a case; the case itself if it failed as a whole."""
        turns = EvalCaseView(case).invocations
        return [turn for turn in turns if (found := self.verdict(turn)) and found.status == "failed"] or [case]

    def next_failing(self, here: Node, step: int) -> FailingPlace | None:
        """The next (1) or previous (-1) failed turn, or case that failed as a whole, wrapping around."""
        places = {case: place for place, case in enumerate(self._cases)}
        failing = [case for case in self._cases if self.has(case, "failed")]
        if not failing:
            return None
        around = (here, *here.ancestors())
        own = next((node for node in around if node in places), None)
        at = places[own] if own is not None else -1
        if own is not None and self.has(own, "failed"):
            turns = {turn: number for number, turn in enumerate(EvalCaseView(own).invocations)}
            turn = next((turns[node] for node in around if node in turns), -1)
            ahead = [each for each in self.failing_places(own) if (turns.get(each, -1) - turn) * step > 0]
            if ahead:
                return self._failing_place(failing, own, ahead[0 if step > 0 else -1])
        others = [case for case in failing if (places[case] - at) * step > 0]
        case = (others or failing)[0 if step > 0 else -1]
        node = self.failing_places(case)[0 if step > 0 else -1]
        return self._failing_place(failing, case, node, came_round=not others)

    def _failing_place(self, failing: list[Node], case: Node, node: Node, *, came_round: bool = False) -> FailingPlace:
        places = self.failing_places(case)
        number, turn_number = failing.index(case) + 1, places.index(node) + 1
        return FailingPlace(case, node, number, len(failing), turn_number, len(places), came_round)

    def count_failing(self) -> tuple[int, int]:
        """The number of failed turns, and of cases that failed as a whole."""
        failed = [self._known(case) for case in self._cases if self.has(case, "failed")]
        results = [scored.result for scored in failed if scored is not None]
        turns = [
            sum(status_of(turn.metrics) == "failed" for turn in result.run.turns) if result.run is not None else 0
            for result in results
        ]
        return sum(turns), turns.count(0)

    def has(self, case: Node, status: str) -> bool:
        """Whether a case had this status in the last run and was not edited since."""
        scored = self._known(case)
        return scored is not None and scored.result.status == status and case not in self.stale

    def has_verdict(self, case: Node) -> bool:
        """Whether a case passed or failed in the last run."""
        scored = self._known(case)
        return scored is not None and scored.result.status in ("passed", "failed")

    def none_failed(self) -> str:
        """A sentence: no case failed, and how many were not evaluated or edited; or nothing was scored."""
        if not self._scored:
            return "Nothing was scored yet."
        silent = len(self._cases) - self.counts["passed"] - self.counts["failed"] - len(self.stale)
        said = ((silent, "not evaluated"), (len(self.stale), "edited since"))
        known = [f"{count:,} case{' was' if count == 1 else 's were'} {word}" for count, word in said if count]
        return f"{'; '.join(['No case failed', ', '.join(known)] if known else ['No case failed'])}."

    def counted(self) -> str:
        """The number of cases that passed, failed, were not evaluated and are stale: `9 ✓ 2 ✗ 1 – 1 ~`.

        Scores under a trial say so: `9 ✓ 2 ✗ tried`.
        """
        if not self._scored:
            return ""
        marks = [(self.counts[status], OF_STATUS[status]) for status in ("passed", "failed", "not_evaluated")]
        said = [f"{count:,} {sign(mark)}" for count, mark in (*marks, (len(self.stale), STALE)) if count]
        return " ".join([*said, *(["tried"] if self.trial.criteria is not None else [])])

    def why_none(self, file_name: str, command: str = "edit") -> str:
        """Why there are no scores of the file, and what to do: evaltui's `command` opened it."""
        facts, again = self.facts, f"{key_of('run.again')} tries again"
        if facts is None:
            return self.progress or "scoring …"
        if facts.trouble:
            return f"not scored: {printable(facts.trouble)} · {again}"
        if facts.remarks or facts.recordings:
            return f"No recording could be read, so nothing is scored · {again}"
        return f"No recordings to score with: evaltui {command} {file_name} -r RECORDING"


def status_of(metrics: Iterable[MetricScore]) -> Status:
    """failed if any metric failed, else passed if any passed, else not evaluated, as for a whole case."""
    statuses = {metric.status for metric in metrics}
    return "failed" if "failed" in statuses else "passed" if "passed" in statuses else "not_evaluated"


def _lowest(metrics: Sequence[MetricScore], status: str) -> MetricScore | None:
    deciding = [each for each in metrics if each.score is not None and each.status == status]
    return min(deciding, key=lambda each: each.score or 0.0, default=None)


def _case_around(node: Node, cases: Node) -> Node | None:
    return next((at for at in (node, *node.ancestors()) if at.parent is cases), None)

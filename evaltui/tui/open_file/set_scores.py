"""The scores of the last run, and which cases are outdated. Scores nothing itself."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.evalset.case_file import expected_rows
from evaltui.evalset.keys import list_of_cases, text_of
from evaltui.tui.late_parts import LatePart
from evaltui.tui.lines import STATUS_MARKS, sign

if TYPE_CHECKING:
    from evaltui.recordings.user_messages import MatchFacts
    from evaltui.runs.run_comparison import RowOrder, RunComparison, ShownCases
    from evaltui.scoring.criteria import Criteria
    from evaltui.scoring.results import CaseResult, MetricScore, Status, TurnScores
    from evaltui.scoring.score_change import RunChange, ScoreChange
    from evaltui.tui.comparison.compared_turns import ComparedTurns
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.tui.open_file.run_facts import Remark, RunFacts

_LARGE = 200_000
"""Size, in bytes, above which an edited case stays outdated, even if undo restored it: comparing is too slow."""


class Verdict(NamedTuple):
    """The verdict on a case or turn, as its row shows it."""

    status: Status
    metric: MetricScore | None
    """The deciding metric with the lowest score."""
    is_stale: bool


@dataclass(eq=False, repr=False)
class TriedScores:
    """Criteria to try, and the scores of all cases under them, which editor, review and criteria screen share.

    Results are computed on demand and cached while the scores in force stay the same.
    """

    is_unwritten: bool = False
    """Whether the trial has changes that are not written into the config."""
    silent: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Number of scored cases in which a tried metric is not evaluated, by metric and reason."""
    criteria: Criteria | None = None
    """The criteria on trial; None if they equal those in force."""
    _in_force: Criteria | None = None
    _made: dict[Node, tuple[CaseResult, Criteria, CaseResult]] = field(default_factory=dict)
    """By case: the scores under the criteria in force, criteria that were tried, and the scores under them.

    Those of an earlier trial are replaced between keys: to free 10,000 of them at once takes 30 ms.
    """

    def begin(self, in_force: Criteria | None, tried: Criteria | None, *, is_unwritten: bool) -> None:
        """Try criteria. If `tried` is `in_force` itself or None, the trial ends."""
        self.is_unwritten = is_unwritten
        self._in_force = in_force
        self.criteria = tried if in_force is not None and tried is not in_force else None

    def shown(self, case: Node, scored: CaseResult) -> CaseResult:
        """The scores of a case under the trial, given its scores under the criteria in force."""
        if self.criteria is None or self._in_force is None:
            return scored
        if (cached := self._cached(case, scored)) is not None:
            return cached
        from evaltui.scoring.trial_scores import score_on_trial

        tried = score_on_trial(scored, self._in_force, self.criteria)
        self._made[case] = scored, self.criteria, tried
        return tried

    def known(self, case: Node, scored: CaseResult) -> CaseResult:
        """As `shown`, but without computing: returns the scores in force if those of the trial are not cached."""
        return self._cached(case, scored) or scored

    def _cached(self, case: Node, scored: CaseResult) -> CaseResult | None:
        entry = self._made.get(case)
        return entry[2] if entry is not None and entry[0] is scored and entry[1] is self.criteria else None

    def score(self, cases: Iterable[tuple[Node, CaseResult]]) -> Iterator[None]:
        """Compute the results of all cases, one at each step; free them if the trial has ended."""
        while self._made and self.criteria is None:
            self._made.popitem()
            yield
        silent: Counter[tuple[str, str]] = Counter()
        for case, scored in cases if self.criteria is not None else ():
            silent.update(self.shown(case, scored).silent_metrics)
            yield
        self.silent = silent


@dataclass(eq=False, repr=False)
class Scores:
    """The results of the last run by case. An edited case is outdated until it is scored again."""

    owner: EditedDocument
    compared_turns: ClassVar[LatePart[ComparedTurns]] = LatePart("evaltui.tui.comparison.compared_turns.ComparedTurns")
    """The scored turns beside their recordings."""
    facts: RunFacts | None = None
    """The facts of the last run; None before the first run."""
    progress: str = ""
    """The progress of a long run: `scoring 3,400 of 10,000`."""
    is_running: bool = False
    took: float = 0.0
    is_paused: bool = False
    """Whether scoring after saves and changes on disk is paused."""
    version: int = 0
    """Grows whenever a result, an outdated case or the order changes."""
    order_version: int = 0
    """Grows whenever `rows` changes."""
    rows: list[Node] = field(default_factory=list)
    """The cases that are shown, in order."""
    shown_cases: ShownCases = "all"
    order: RowOrder = "failing first"
    is_live: bool = False
    """Whether each edit scores its case at once (live mode)."""
    text: tuple[float, bool] | None = None
    """When the text was last scored, in seconds since 1970, and whether it was saved; None before the first run."""
    past: RunComparison[Node] | None = None
    """The earlier runs; None before the first result. Nodes are its keys, so a renamed case keeps its past."""
    baseline_criteria: Criteria | None = None
    """The criteria of the baseline's scores; None without a baseline."""
    judged: list[str] = field(default_factory=list)
    """The metrics that decide, in the order of the config."""
    informational: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """The number of cases with each status, without outdated ones."""
    changed_counts: Counter[ScoreChange] = field(default_factory=Counter)
    """The number of cases with each change since the previous run, without outdated ones."""
    stale: set[Node] = field(default_factory=set)
    """The cases that are outdated: edited since they were scored."""
    unscored: int = 0
    """The number of cases without a result, added since the run."""
    runs: int = 0
    has_changed: bool = False
    """Whether any score of the last run differs from the previous run."""
    trial: TriedScores = field(default_factory=TriedScores)
    """The trial of criteria. While it is active, the shown scores are those under it."""
    failed_run: str = ""
    """Why all scores are outdated after a failed run of the agent, until there are other recordings; else ""."""
    cases: list[Node] = field(default_factory=list)
    """All cases, in the order of the set, as they were when `arrange` was called last."""
    _untold: dict[Node, Status] = field(default_factory=dict)
    """The earlier status of cases whose status changed, until the user is told."""
    _scored: dict[Node, CaseResult] = field(default_factory=dict)
    """The scores under the criteria in force, including those of deleted cases: undo can restore them."""
    _matched: dict[Node, MatchFacts] = field(default_factory=dict)
    """The facts by which the cases of all runs were last matched with recordings."""
    rivals: set[Node] = field(default_factory=set)
    """The cases that may have other recordings, because others were added or deleted since the run."""
    _silent: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The number of cases in which a metric is not evaluated, by metric and reason, without outdated cases."""

    # --- what changes ----------------------------------------------------------------------------------------

    def changed(self, change: Change) -> bool:
        """Note which cases were edited; returns whether any case became outdated or current."""
        if not self._scored:
            return False
        edited = {self.owner.case_around(node) for node in change.nodes}
        if change.everywhere or None in edited:  # an edit outside of cases, such as an added or moved case
            self.compare()
            return True
        version = self.version
        for case in self._scored.keys() & edited:
            is_stale = len(self._scored[case].source) > _LARGE or self._differs(case)
            if is_stale != (case in self.stale):
                (self.stale.add if is_stale else self.stale.discard)(case)
                self._count(case, -1 if is_stale else 1)
                self.version += 1
        return self.version != version

    def compare(self) -> None:
        """Compare all cases with their scored text: any case may have changed."""
        self.rivals = self._find_rivals()
        self.stale = {case for case in self._listed() if case in self._scored and self._differs(case)}
        self.arrange()

    def _differs(self, case: Node) -> bool:
        """Whether the text or the inputs of a case changed after it was scored."""
        scored = self._scored[case]
        has_old_inputs = self.facts is not None and bool(self.facts.why_outdated(scored.run))
        return case.source() != scored.source or case in self.rivals or has_old_inputs

    def _find_rivals(self) -> set[Node]:
        if not self._matched:
            return set()
        from evaltui.tui.open_file.case_rescoring import cases_to_match_again

        of_run = self.facts.cases if self.facts is not None else {}
        return cases_to_match_again(self._listed(), of_run, self._matched, self._scored)

    def why_outdated(self, case: Node) -> str:
        """Why the score of an outdated case is outdated."""
        if case in self.rivals:
            return "a case that shares its recordings was added or deleted"
        scored, facts = self._scored.get(case), self.facts
        why = facts.why_outdated(scored.run) if facts is not None and scored is not None else ""
        return why or "edited since it was scored"

    def put(self, case: Node, result: CaseResult) -> None:
        """Store the result of a case. Call `arrange` to show it."""
        from evaltui.runs.run_comparison import RunComparison

        previous = self._scored.get(case)
        if previous is result:
            return
        if previous is not None:
            # Several results can come before the user is told: the status before the first one counts.
            self._untold.setdefault(case, self.trial.known(case, previous).status)
        if self.past is None:
            self.past = RunComparison()
        self._scored[case] = result
        self.past.note(case, result)
        (self.stale.add if self._differs(case) else self.stale.discard)(case)

    def put_one(self, case: Node, result: CaseResult) -> None:
        """Store the result of an edited case. Its row keeps its place until the next run."""
        if case in self._scored and case not in self.stale:
            self._count(case, -1)
        self.put(case, result)
        if case not in self.stale:
            self._count(case, 1)
        self.version += 1

    def _count(self, case: Node, step: int) -> None:
        """Add a case to the counts (1) or remove it (-1)."""
        if self.is_running:  # the run counts all cases again at its end
            return
        self.counts[self.trial.known(case, self._scored[case]).status] += step
        self._count_silent(case, step)
        if (change := self.change(case)) is not None:
            self.changed_counts[change.change] += step

    def _count_silent(self, case: Node, step: int) -> None:
        for metric in self._scored[case].silent_metrics:
            self._silent[metric] += step

    def finish(self, facts: RunFacts) -> None:
        """Finish a run. If nothing could be scored, the last scores stay and are outdated."""
        self.runs, self.progress = self.runs + 1, ""
        had_old_inputs = self.has_old_inputs
        is_scored = not facts.trouble and bool(facts.recordings) and self.past is not None
        is_as_before = not (is_scored or self._scored) and facts == self.facts
        if facts.trouble and self._scored and self.facts is not None and self._listed():
            facts = self.facts.as_before(facts.trouble)  # old scores say more than none
        elif not is_scored:
            self._scored.clear()
            self.stale.clear()
        elif self.facts is None or facts.used != self.facts.used:  # other recordings are no longer those before it
            self.failed_run = ""
        elif self.failed_run and not facts.outdated:
            facts = facts.as_before(self.failed_run)
        self.facts, self._silent = facts, Counter(facts.silent)
        self._matched.update(facts.cases)
        has_rivals, self.rivals = bool(self.rivals), self._find_rivals()
        for case in self.stale:  # the run counted them, but they are outdated already
            self._count_silent(case, -1)
        self.has_changed = is_scored and self.past is not None and self.past.finish_run()
        if self.owner.trial_in_use is not None:  # the criteria in force may have changed
            self.owner.trial_in_use.take_up_run()
        if is_as_before:  # as after each save of a set without recordings: no pane has anything to draw
            self.cases = self.rows = self._listed()
        elif had_old_inputs or self.has_old_inputs or has_rivals or self.rivals:
            self.compare()
        else:
            self.arrange()
        if is_scored and self.past is not None:
            self.past.add_rate(self.counts["passed"], self.counts.total(), is_other=self.has_changed)

    @property
    def has_old_inputs(self) -> bool:
        """Whether the config or a recording behind the scores can no longer be used."""
        return self.facts is not None and bool(self.facts.outdated or self.facts.outdated_files)

    def arrange(self) -> None:
        """Update rows, columns and counts."""
        self.cases = self._listed()
        self.stale &= set(self.cases)
        current = {case: scored for case in self.cases if case not in self.stale and (scored := self._known(case))}
        self.counts = Counter(scored.status for scored in current.values())
        self.unscored = len(self.cases) - len(current) - len(self.stale)
        self.changed_counts = Counter(change.change for case, change in self._changes().items() if case in current)
        criteria = self.criteria
        self.judged = [metric.name for metric in criteria.judged] if criteria is not None else []
        self.informational = list(criteria.informational) if criteria is not None else []
        self.order_rows()

    def order_rows(self) -> None:
        """Select and sort the rows again."""
        self.rows = self.cases
        if self._scored:
            from evaltui.runs.run_comparison import select_rows

            results = {case: self._known(case) for case in self.cases}
            self.rows = select_rows(results, self._changes(), self.shown_cases, self.order)
        self.version += 1
        self.order_version += 1

    def note_text(self) -> None:
        """Note that the current text was scored."""
        self.text = time.time(), not self.owner.document.is_dirty

    def toggle_baseline(self) -> None:
        """Compare later runs with this one, or again with the previous run."""
        past = self.past
        if past is None:
            return
        if past.baseline_at is None:
            past.keep_baseline(time.time())
            self.baseline_criteria = self.facts.criteria if self.facts is not None else None
        else:
            past.drop_baseline()
            self.baseline_criteria = None
        self.arrange()

    def _known(self, case: Node) -> CaseResult | None:
        """The scores of a case under the trial if they are computed, else in force: computing all takes a while."""
        scored = self._scored.get(case)
        return self.trial.known(case, scored) if scored is not None else None

    def _listed(self) -> list[Node]:
        cases = list_of_cases(self.owner.document.root) if self.owner.case_file is not None else None
        return list(cases.items) if cases is not None else []

    def tell_turned(self) -> list[tuple[Node, Status]]:
        """The cases whose status changed since the last call, with their current status."""
        earlier, self._untold = self._untold, {}
        turned = [(case, scored) for case in self.cases if case in earlier and (scored := self._known(case))]
        return [(case, scored.status) for case, scored in turned if scored.status != earlier[case]]

    # --- questions -------------------------------------------------------------------------------------------

    def recorded_at(self, case: Node) -> float | None:
        """When the recording of a case was made, else when its file was written; None if unknown."""
        run = scored.run if (scored := self._scored.get(case)) is not None else None
        if run is None or run.conversation.recorded_at is not None:
            return run.conversation.recorded_at if run is not None else None
        return self.facts.written.get(run.conversation.path) if self.facts is not None else None

    def change(self, case: Node) -> RunChange | None:
        """The change of a case since the previous run or the baseline; None without one, and under a trial."""
        return self.past.change(case) if self.past is not None and self.trial.criteria is None else None

    def _changes(self) -> Mapping[Node, RunChange]:
        return self.past.changes() if self.past is not None and self.trial.criteria is None else {}

    @property
    def criteria(self) -> Criteria | None:
        """The criteria of the shown scores: those on trial, else those in force."""
        return self.trial.criteria or (self.facts.criteria if self.facts is not None else None)

    @property
    def remarks(self) -> tuple[Remark, ...]:
        """The remarks about the run; under a trial, with the remarks about the tried metrics."""
        if self.facts is None:
            return ()
        from evaltui.tui.open_file.run_facts import silent_remarks

        silent = silent_remarks(self._silent if self.trial.criteria is None else self.trial.silent)
        return tuple(sorted((*silent, *self.facts.remarks), key=lambda remark: remark[0] != "error"))

    @property
    def has_any(self) -> bool:
        """Whether any case was scored."""
        return bool(self._scored)

    @property
    def has_news(self) -> bool:
        """Whether there are scores, remarks or an error to show."""
        return self.has_any or (self.facts is not None and bool(self.facts.remarks or self.facts.trouble))

    def of(self, case: Node) -> CaseResult | None:
        """The result of a case in the last run, under the trial if one is active; None if it was not scored."""
        scored = self._scored.get(case)
        return self.trial.shown(case, scored) if scored is not None else None

    def by_config(self, case: Node) -> CaseResult | None:
        """The result of a case under the criteria in force, even during a trial; None if it was not scored."""
        return self._scored.get(case)

    def case_around(self, node: Node) -> Node | None:
        """The scored case around a value."""
        return next((outer for outer in (node, *node.ancestors()) if outer in self._scored), None)

    def verdict(self, node: Node) -> Verdict | None:
        """The verdict on a case or turn; None if it was not scored, and for other values."""
        if not self._scored:
            return None
        metrics: Sequence[MetricScore]
        if (scored := self.of(node)) is not None:
            status, metrics = scored.status, scored.metrics
        elif (turn := self.turn(node)) is not None:
            status, metrics = status_of(turn.metrics), turn.metrics
        else:
            return None
        deciding = [metric for metric in metrics if metric.score is not None and metric.status == status]
        lowest = min(deciding, key=lambda metric: metric.score or 0.0, default=None)
        return Verdict(status, lowest, self.case_around(node) in self.stale)

    def turn(self, node: Node) -> TurnScores | None:
        """The scores of a turn. A dataset case expects one turn, so its node stands for that turn.

        If the case was edited since, a turn is matched by invocation_id, else by position among as many turns.
        """
        if (scored := self.of(node)) is not None:
            turns = scored.run.turns if scored.run is not None else ()
            return turns[0] if turns and expected_rows(node) == [node] else None
        conversation = node.parent
        case = conversation.parent if conversation is not None else None
        scored = self.of(case) if case is not None else None
        if scored is None or scored.run is None or conversation is None or conversation.name != "conversation":
            return None
        turns = scored.run.turns
        if case in self.stale:
            identifier = text_of(node, "invocation_id")
            named = [turn for turn in turns if identifier and turn.expected.invocation_id == identifier]
            if len(named) == 1:
                return named[0]
            if len(turns) != len(conversation.items):
                return None
        index = node.index()
        return turns[index] if index < len(turns) else None

    def has(self, case: Node, status: str) -> bool:
        """Whether a case had this status in the last run and is not outdated."""
        scored = self._known(case)
        return scored is not None and scored.status == status and case not in self.stale

    def has_verdict(self, case: Node) -> bool:
        """Whether a case passed or failed in the last run."""
        scored = self._known(case)
        return scored is not None and scored.status in ("passed", "failed")

    def counted(self, *, names_trial: bool = True) -> str:
        """The number of cases with each status, outdated and not scored yet: `9 ✓ 2 ✗ 1 – 1 outdated`.

        A trial is named, unless the words around do so: `9 ✓ 2 ✗ trial`.
        """
        if not self._scored:
            return ""
        marks = [(self.counts[status], STATUS_MARKS[status]) for status in ("passed", "failed", "not_evaluated")]
        words = [f"{count:,} {sign(mark)}" for count, mark in marks if count]
        others = ((len(self.stale), "outdated"), (self.unscored, "not scored yet"))
        words += [f"{count:,} {word}" for count, word in others if count]
        return " ".join([*words, *(["trial"] if names_trial and self.trial.criteria is not None else [])])


def status_of(metrics: Iterable[MetricScore]) -> Status:
    """The status of a turn: failed if any metric failed, else passed if any passed, else not evaluated."""
    statuses = {metric.status for metric in metrics}
    return "failed" if "failed" in statuses else "passed" if "passed" in statuses else "not_evaluated"

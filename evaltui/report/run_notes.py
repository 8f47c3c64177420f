"""Notes on a run for stderr: metrics and cases that are not evaluated, skipped conversations, and warnings."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path

from evaltui.file_access import is_file
from evaltui.printable import as_argument, one_line, printable, quoted
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.default_sessions import SESSIONS
from evaltui.recordings.matching import NO_RECORDING
from evaltui.recordings.recording_search import recordings_beside
from evaltui.report.scores_text import case_name
from evaltui.scoring.criteria import Profile
from evaltui.scoring.eval_config import metrics_beside_criteria, why_ignored
from evaltui.scoring.metrics.metric import NO_CALLS_STATED, OfflineCriterion
from evaltui.scoring.metrics.registry import METRICS
from evaltui.scoring.results import CaseResult
from evaltui.scoring.scored_set import ScoredSet

OTHER_MESSAGE = "the recording has another user message"
_NAMED = 5
"""The most cases and conversations that are named. The others are counted."""
_OTHER_SET = "recorded for eval set "
# A folder of recordings of several sets has hundreds of such conversations: one sentence for all of them is enough.
_SHARED = _OTHER_SET, "it names a case that this dataset does not have"
"""The starts of reasons that conversations of several files share."""
_WITHOUT_IDS = (*_SHARED, "no case has the same", "there is no user message", "no case of these sets matches")
"""The starts of reasons that belong to the whole file. For other reasons, such as an unknown case, the id is needed."""
_LENGTH = 60
"""The most characters of a named id."""
_PLURALS = {
    "there is no recording of this case": "there is no recording of these cases",
    "there is no user message, so no case matches": "there are no user messages, so no case matches",
    "it names a case that this dataset does not have": "they name cases that this dataset does not have",
    "this case cannot be read": "these cases cannot be read",
    "google-adk rejects this case": "google-adk rejects these cases",
    "the case is a scenario without": "the cases are scenarios without",
    "the case has no turns": "the cases have no turns",
    "the case states no expectation: it has": "the cases state no expectation: they have",
    "the case states no expected tool calls: it has": "the cases state no expected tool calls: they have",
    "the case states no expected response: it has": "the cases state no expected response: they have",
}
"""Reasons of one case or conversation, in the plural when several share it."""


class FirstNames:
    """Names of cases or conversations that share a sentence, of which only the first are kept."""

    def __init__(self) -> None:
        self.count = 0
        self.files: dict[str, None] = {}
        self._first: list[str] = []

    def add(self, name: str) -> None:
        """Count one more name."""
        self.count += 1
        if len(self._first) < _NAMED:
            self._first.append(name)

    def list_first(self, number_format: str = "") -> str:
        """The first names, and the number of the others."""
        rest = f" and {self.count - _NAMED:{number_format}} more" if self.count > _NAMED else ""
        return f"{', '.join(self._first)}{rest}"

    def count_cases(self) -> str:
        """The only case, or the number of cases with the first of them."""
        return self.list_first() if self.count == 1 else f"{self.count} cases ({self.list_first()})"

    def not_evaluated(self) -> str:
        """`2 cases (a, b) are not evaluated: `."""
        return f"{self.count_cases()} {'is' if self.count == 1 else 'are'} not evaluated: "


def note_lines(runs: Sequence[ScoredSet], command: str = "run", *, are_named: bool = False) -> Iterator[str]:
    """The notes. Cases with the same reason share a note. Advice names a command line with this `command`.

    `are_named` means that the recordings are named, so that evaltui has searched for none.
    """
    for run in runs:
        if run.subject.fault is not None:
            yield f"{run.subject.name}: google-adk rejects this set: {run.subject.fault}"
        alone: defaultdict[str, FirstNames] = defaultdict(FirstNames)
        of_metrics = [*open_metric_lines(_skip_single_reasons(run, alone), run.criteria.profile)]
        if not run.recordings:
            subject, where = run.subject, ""
            if not are_named:
                from evaltui.recordings.default_recordings import where_searched  # noqa: PLC0415 - few runs have none

                where = where_searched(subject.path, subject.eval_set_id, is_dataset=subject.is_dataset)
            unrecorded = alone.pop(NO_RECORDING).not_evaluated() if NO_RECORDING in alone else ""
            yield f"{subject.name}: {unrecorded}no recordings{where}; {_advise_recordings(run, command)}"
        if not run.cases:
            yield f"{run.subject.name}: there are no cases, so nothing is evaluated"
        if run.subject.is_dataset:
            yield from _note_dataset(run)
        for reason, names in alone.items():
            yield f"{run.subject.name}: {names.not_evaluated()}{reason_for(names.count, reason)}"
        yield from (f"{run.subject.name}: {line}" for line in of_metrics)
        # google-adk scores such recordings as well, so their verdict stays; a person can tell whether it was meant.
        for number, eval_id, turns in run.totals.other_messages:
            case = printable(eval_id) if eval_id else f"case {number + 1}"
            listed = f"turn{'s' * (len(turns) > 1)} {', '.join(map(str, turns))}"
            yield f"{run.subject.name}: {case}, {listed}: {OTHER_MESSAGE}"
        if (more := run.totals.other_cases - len(run.totals.other_messages)) > 0:
            yield f"{run.subject.name}: {more:,} more case{'s' * (more > 1)}: {OTHER_MESSAGE}"
        yield from (f"{run.subject.name}: {warning}" for warning in run.warnings)
    yield from _note_configs(runs)
    yield from _note_recordings(runs)


def _note_configs(runs: Sequence[ScoredSet]) -> Iterator[str]:
    """Notes on metrics beside the criteria of a config, and on thresholds that no score can reach, each once.

    Without criteria, the cases say so.
    """
    configs = {run.criteria.path: run.criteria for run in runs if run.criteria.judged}
    for path, criteria in configs.items():
        beside = metrics_beside_criteria(criteria.config) if criteria.config else []
        yield from (f"{path}: {why_ignored(metric)}" for metric in beside[:_NAMED])
        if len(beside) > _NAMED:
            yield f"{path}: {len(beside) - _NAMED} more metrics are ignored"
    unreachable: dict[str, None] = {}
    for criterion in (criterion for criteria in configs.values() for criterion in criteria.judged):
        metric = METRICS.get(criterion.name) if isinstance(criterion, OfflineCriterion) else None
        _, highest = (metric.range if metric is not None else None) or (0.0, math.inf)
        if criterion.threshold is not None and criterion.threshold > highest:
            sentence = f"{criterion.name}: no score can reach the threshold {criterion.threshold:g}"
            unreachable[f"{sentence}; the highest score is {highest:g}"] = None
    yield from unreachable


def _note_dataset(run: ScoredSet) -> Iterator[str]:
    """Notes on a dataset that is scored with its own responses, and on calls that are compared with themselves."""
    path, name = run.subject.path, run.subject.name
    if path is None or all(recording.path != path for recording in run.recordings):
        return
    subject_cases = [case for case in run.subject.cases if case.is_of_dataset]
    cases = f"{sum(case.is_answered for case in subject_cases)} of {len(subject_cases)} cases"
    yield f"{name}: scored with its own responses ({cases}); use -r to score another recording"
    shared = sum(case.shares_calls for case in subject_cases)
    if shared:
        have = "1 case has" if shared == 1 else f"{shared} cases have"
        yield f"{name}: {have} tool calls only in intermediate_events, so the calls are compared with themselves"


def _advise_recordings(run: ScoredSet, command: str) -> str:
    """Advice where recordings may come from: a folder or the session database beside the set, if there is one."""
    path = run.subject.path
    if path is not None and (folder := recordings_beside(path)) is not None:
        words = f"evaltui {command} {as_argument(str(path))} -r {as_argument(str(folder))}"
        return f"to use the folder {quoted(folder.name)} beside the set: {words}"
    beside = path.parent / SESSIONS if path is not None else None
    if beside is not None and is_file(beside):
        return f"give the recordings with -r; -r {as_argument(str(beside))} has the sessions of adk web and adk run"
    return "give the recordings with -r (see docs/recordings.md)"


def _skip_single_reasons(run: ScoredSet, alone: defaultdict[str, FirstNames]) -> Iterator[CaseResult]:
    """The cases whose metrics have reasons of their own. `alone` gets the names of the others."""
    # One pass for both: the cases may lie on disk.
    for case in run.cases if run.totals.open_cases.total() else ():
        if (
            case.status == "not_evaluated"
            and case.reason
            and all(why == case.reason for _, why in _list_open_metrics(case))
        ):
            alone[case.reason].add(case_name(case))
        else:
            yield case


def open_metric_lines(cases: Iterable[CaseResult], profile: Profile) -> Iterator[str]:
    """Each metric that is not evaluated, with its cases and the reason."""
    metrics: defaultdict[tuple[str, str], FirstNames] = defaultdict(FirstNames)
    for case in cases:
        for key in dict.fromkeys(_list_open_metrics(case)):
            metrics[key].add(case_name(case))
    for (name, reason), names in metrics.items():
        sentence = f"{name} is not evaluated for {names.count_cases()}: {reason_for(names.count, reason)}"
        if reason == NO_CALLS_STATED:
            of_response = "final_response_match_v1" if profile == "adk-rs" else "response_match_score"
            sentence += '; write "intermediate_events": [] if no tool is to be called'
            sentence += f", or score only responses with --metric {of_response}"
        yield sentence


def _list_open_metrics(case: CaseResult) -> Iterator[tuple[str, str]]:
    """Each metric that is not evaluated in at least one run, with the reason."""
    for metrics in (case.metrics, *(run.metrics for run in case.runs or ())):
        for metric in metrics:
            if metric.status == "not_evaluated":
                yield metric.name, metric.reason or "no score"


# --- recordings: conversations of no case, and warnings about files -------------------------------------------------


def _note_recordings(runs: Sequence[ScoredSet]) -> Iterator[str]:
    yield from skipped_lines(_list_skipped(runs))
    by_path: dict[Path, Sequence[str]] = {}
    for run in runs:
        for recording in run.recordings:
            by_path[recording.path] = recording.warnings
            if recording.path == run.subject.path and run.subject.is_dataset:
                from evaltui.recordings.evaluation_datasets import warnings_as_own  # noqa: PLC0415 - few are datasets

                by_path[recording.path] = warnings_as_own(recording.warnings)
    for path, warnings in by_path.items():
        yield from (f"{path}: {warning}" for warning in warnings[:_NAMED])
        if len(warnings) > _NAMED:
            yield f"{path}: {len(warnings) - _NAMED} more warnings; --format json lists all"


def _list_skipped(runs: Sequence[ScoredSet]) -> Iterator[tuple[str, str, str]]:
    """The conversations of no case in any set, each once."""
    fits_another = frozenset(span for run in runs for span in _matched_spans(run)) if len(runs) > 1 else frozenset()
    seen: set[Path] = set()
    for run in runs:
        for unmatched in run.unmatched:
            path = unmatched.conversation.path
            if path not in seen and fits_another.isdisjoint(_spans(unmatched.conversation)):
                reason = unmatched.reason if len(runs) == 1 else "no case of these sets matches"
                yield str(path), unmatched.conversation.id, reason
        seen.update(recording.path for recording in run.recordings)


def _matched_spans(run: ScoredSet) -> set[Hashable]:
    every = (span for file in run.recordings for conversation in file.conversations for span in _spans(conversation))
    return set(every).difference(*(_spans(unmatched.conversation) for unmatched in run.unmatched))


def _spans(conversation: Conversation) -> set[Hashable]:
    """Keys that identify a conversation across sets."""
    # Turns have keys, too: a set with cases of several turns groups traces differently.
    turns = {(conversation.path, turn.invocation_id) for turn in conversation.turns if conversation.eval_id is None}
    return {(conversation.path, conversation.id), *turns}


def skipped_lines(skipped: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """`run.json: 2 conversations skipped: …`, for conversations that belong to no case.

    Each is there once: the name of its file, its id, and the reason as a clause. Conversations of another set share a
    sentence in all their files.
    """
    groups: defaultdict[tuple[str, str], FirstNames] = defaultdict(FirstNames)
    for file, conversation_id, reason in skipped:
        group = groups["" if reason.startswith(_SHARED) else file, reason]
        group.add(one_line(conversation_id, _LENGTH))
        group.files[file] = None
    for (_, reason), group in groups.items():
        who, why = f"{group.count:,} conversation{'s' * (group.count != 1)}", reason_for(group.count, reason)
        if not reason.startswith(_WITHOUT_IDS):
            first = group.list_first(",")
            who = f"conversation {first}" if group.count == 1 else f"{who} ({first})"
        if reason.startswith(_OTHER_SET):
            belongs = "it belongs" if group.count == 1 else "they belong"
            why = f"{belongs} to eval set {reason.removeprefix(_OTHER_SET)}"
        several = f"{who} in {len(group.files):,} files skipped"
        yield f"{several}: {why}" if len(group.files) > 1 else f"{next(iter(group.files))}: {who} skipped: {why}"


def reason_for(count: int, reason: str) -> str:
    """The reason in the plural if `count` cases or conversations share it."""
    if count > 1:
        for singular, plural in _PLURALS.items():
            reason = reason.replace(singular, plural)
    return reason

"""Facts about recordings: their files, the case of each conversation or why it has none, and runs of a case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.recordings.matching import MATCHED_BY
from evaltui.report.scores_text import date_text
from evaltui.tui.forms.form import Choice
from evaltui.tui.lines import STATUS_MARKS, counted
from evaltui.tui.open_file.run_facts import RunFacts
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.panes.score_lines import metric_text

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation, MatchedBy
    from evaltui.recordings.matching import CaseMatch
    from evaltui.runs.recording_sources import RecordingSource
    from evaltui.runs.run_options import RunChoices
    from evaltui.scoring.results import CaseRun

FORMATS: Mapping[str, str] = {
    "adk_result": "adk result",
    "jaeger": "Jaeger",
    "otlp": "OTLP",
    "tempo": "Tempo",
    "evaluation_dataset": "dataset",
    "eval_set": "eval set",
    "adk_session": "session",
    "adk_session_db": "sessions",
}
"""Short names of the formats, for a column."""
ORIGINS: Mapping[str, tuple[str, str]] = {
    "named": ("-r", "named with -r"),
    "history": ("history", "found in .adk/eval_history"),
    "artifacts": ("project", "found in artifacts/ of the agents-cli project"),
    "settings": ("settings", "named in the project settings"),
    "added": ("added", "added here, for this session"),
    "own": ("itself", "the open dataset itself, because it has responses of an agent"),
}
"""The origins of a file, for a column of 8 cells, and as a clause."""


@dataclass(eq=False)
class ListedConversation:
    """A recorded conversation, as one of a file and as a run of its case."""

    conversation: Conversation
    matched_by: MatchedBy | None = None
    """How it was matched with its case; None without a case."""
    number: int = 0
    """Its place among the runs of the case, from 1, the newest last."""
    count: int = 0
    """The number of runs of the case."""
    is_used: bool = False
    """Whether it is the run that counts."""
    scored: CaseRun | None = None
    """Its scores as a run, once they are known."""
    case: Node | None = None
    """The case, unless it was deleted since."""
    eval_id: str = ""
    """The id of the case when it was scored."""
    reason: str = ""
    """Why it belongs to no case; "" if it has a case or was not matched yet."""

    @property
    def run_text(self) -> str:
        """`run 2 of 5`."""
        return f"run {self.number:,} of {self.count:,}"

    @property
    def how(self) -> str:
        """`by its eval_id`; "" without a case."""
        return MATCHED_BY[self.matched_by] if self.matched_by is not None else ""

    @property
    def words(self) -> str:
        """The start of the first user message."""
        return self.conversation.turns[0].user_text[:200] if self.conversation.turns else ""

    @cached_property
    def searched(self) -> str:
        """The text that a filter searches. Most conversations of 10,000 are never searched."""
        about = self.eval_id if self.matched_by is not None else self.reason
        return f"{self.conversation.id} {self.words} {about}".casefold()

    def details(self) -> Iterator[str]:
        """All facts about it, as sentences. They may have unsafe characters from files."""
        conversation = self.conversation
        if self.matched_by is not None:
            title = case_title(self.case) if self.case is not None else "Deleted case"
            yield f"{title}: matched {self.how}{f', {self.run_text}' if self.count > 1 else ''}"
        elif self.reason:
            yield f"Skipped: {self.reason}"
        date = f" · {date_text(conversation.recorded_at)}" if conversation.recorded_at is not None else ""
        yield f"{conversation.id} · {counted(len(conversation.turns), 'turn')}{date}"
        yield from filter(None, (conversation.failure, conversation.unread))

    def details_of_run(self) -> Iterator[str]:
        """All facts about the run, as sentences. They may have unsafe characters from files."""
        used = "; this run is used" if self.is_used else ""
        yield f"{self.run_text}, matched {self.how}{used}".capitalize()
        yield f"{self.conversation.path} · {self.conversation.id}"
        if self.scored is None:
            return
        if self.scored.reason:
            yield self.scored.reason
        for metric in self.scored.metrics:
            if metric.status != "informational":
                why = f": {metric.reason}" if metric.reason and not self.scored.reason else ""
                yield f"{STATUS_MARKS[metric.status][0]}{metric_text(metric)}{why}"


class RecordingFile(NamedTuple):
    """The facts of a file that the list of recordings shows."""

    source: RecordingSource
    is_dropped: bool
    conversations: Sequence[ListedConversation]
    matched: int
    """The number of its conversations that belong to a case."""
    recorded_at: float | None
    """The time of its latest conversation, else of the file, in seconds since 1970."""

    @property
    def name(self) -> str:
        """The name of the file, safe to show; for google-adk's results without their common ending."""
        return printable(self.source.path.name.removesuffix(".evalset_result.json")) or "/"

    def details(self) -> Iterator[str]:
        """All facts, as sentences. They may have unsafe characters from files."""
        source = self.source
        yield f"{source.path} · {ORIGINS[source.origin][1]}"
        if self.is_dropped:
            yield "Dropped for this session. The file is still on disk."
        if source.trouble:
            # A file that is being written again, or broke, keeps the scores of its last version.
            stands_in = source.recording is not None
            yield f"{source.trouble}{'; evaltui uses the last readable version' if stands_in else ''}"
        if source.recording is not None:
            date = f", latest from {date_text(self.recorded_at)}" if self.recorded_at is not None else ""
            total = counted(len(self.conversations), "conversation")
            yield f"{FORMATS[source.recording.format]}: {total}, {self.matched:,} matched{date}"
            yield from source.recording.warnings


def recording_files(scores: Scores, case_file: CaseFile | None, choices: RunChoices) -> list[RecordingFile]:
    """All files of the last run, in the order in which they were read. `choices` may be newer than the run."""
    facts, cases = scores.facts or RunFacts(), case_file.cases if case_file is not None else ()
    # The case may have moved since it was scored: its result knows the place at that time.
    results = {result.number: (case, result.eval_id) for case in cases if (result := scores.of(case)) is not None}
    runs = {
        match.conversation.key: ListedConversation(
            match.conversation, match.matched_by, number, len(matches), False, None, *results.get(place, (None, ""))
        )
        for place, matches in enumerate(facts.matching.cases if facts.matching is not None else ())
        for number, match in enumerate(matches, 1)
    }
    reasons = {unmatched.conversation.key: unmatched.reason for unmatched in facts.unmatched}
    # The run joins traces of one conversation from several files, so a file has the conversations of the run.
    used = {str(recording.path): recording.conversations for recording in facts.used}
    files: list[RecordingFile] = []
    for source in facts.files:
        is_dropped = choices.drops(source.path)
        read = source.recording.conversations if source.recording is not None else ()
        # A dropped file is not part of the run, but its conversations can be looked at.
        listed: list[ListedConversation] = []
        for conversation in used.get(str(source.path), read):
            key = conversation.key
            entry = runs.get(key) or ListedConversation(conversation, reason=reasons.get(key, ""))
            entry.conversation = conversation  # a match has only the turns that are compared
            listed.append(entry)
        matched = 0 if is_dropped else len([entry for entry in listed if entry.matched_by is not None])
        times = [time for entry in listed if (time := entry.conversation.recorded_at) is not None]
        files.append(RecordingFile(source, is_dropped, listed, matched, max(times, default=source.modified_at)))
    return files


def runs_of(scores: Scores, case: Node) -> Sequence[CaseMatch]:
    """The conversations that matched a case when the set was last scored, newest last."""
    scored, facts = scores.of(case), scores.facts
    if scored is None or facts is None or facts.matching is None:
        return ()
    # The set may have got cases since it was scored.
    matches = facts.matching.cases
    return matches[scored.number] if scored.number < len(matches) else ()


def matchable_cases(scores: Scores, case_file: CaseFile | None) -> tuple[Choice, ...]:
    """The cases with a unique id; first those without a recording."""
    results = [scored for case in (case_file.cases if case_file is not None else ()) if (scored := scores.of(case))]
    # A choice by hand is kept by eval_id, because places change with each edit.
    counts = Counter(result.eval_id for result in results)
    unique = [result for result in results if result.eval_id and counts[result.eval_id] == 1]
    unique.sort(key=lambda result: result.recordings > 0)
    return tuple(Choice(result.eval_id, "" if result.recordings else "no recording") for result in unique)


def all_runs_toggled(choices: RunChoices) -> tuple[RunChoices, str]:
    """The choices that score all runs of a case if these score one, and the other way round, with a sentence."""
    choices = choices._replace(all_runs=not choices.all_runs)
    every_run, one_run = "All runs are scored. A case shows how many passed.", "One run per case is scored."
    return choices, every_run if choices.all_runs else one_run

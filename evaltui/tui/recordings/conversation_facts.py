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
from evaltui.report.scores_text import date_text, passed_of
from evaltui.tui.forms.form import Choice
from evaltui.tui.lines import STATUS_MARKS, counted
from evaltui.tui.open_file.run_facts import RunFacts
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.panes.score_lines import metric_text

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Conversation, ConversationKey
    from evaltui.recordings.matching import CaseMatch
    from evaltui.runs.recording_sources import RecordingSource
    from evaltui.runs.run_options import RunChoices
    from evaltui.scoring.results import CaseRun

MATCHED_BY = {
    "attribute": "by its attribute",
    "eval_id": "by its eval_id",
    "user_text": "by its first user message",
    "only_one": "because it is the only conversation",
    "invocation_id": "by its invocation ids",
    "by_hand": "by hand",
}
"""How a conversation was matched with its case, in words."""
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


def run_text(number: int, count: int) -> str:
    """`run 2 of 5`."""
    return f"run {number:,} of {count:,}"


def first_words(conversation: Conversation) -> str:
    """The start of the first user message."""
    return conversation.turns[0].user_text[:200] if conversation.turns else ""


class RecordingFile(NamedTuple):
    """The facts of a file that the list of recordings shows."""

    source: RecordingSource
    is_dropped: bool
    conversations: Sequence[Conversation]
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


@dataclass(eq=False, slots=True)
class RunOfCase:
    """A recorded conversation among those of its case."""

    case_number: int
    """The place of the case in the set when it was scored, from 0."""
    match: CaseMatch
    number: int
    """Its place among the runs of the case, from 1, the newest last."""
    count: int
    """The number of runs."""
    is_used: bool = False
    """Whether it is the run that counts."""
    scored: CaseRun | None = None
    """Its scores, once they are known."""

    def details(self) -> Iterator[str]:
        """All facts, as sentences. They may have unsafe characters from files."""
        conversation = self.match.conversation
        used = "; this run is used" if self.is_used else ""
        matched = f"matched {MATCHED_BY[self.match.matched_by]}"
        yield f"{run_text(self.number, self.count)}, {matched}{used}".capitalize()
        yield f"{conversation.path} · {conversation.id}"
        if self.scored is None:
            return
        if self.scored.reason:
            yield self.scored.reason
        for metric in self.scored.metrics:
            if metric.status != "informational":
                why = f": {metric.reason}" if metric.reason and not self.scored.reason else ""
                yield f"{STATUS_MARKS[metric.status][0]}{metric_text(metric)}{why}"


def runs_of(scores: Scores, case: Node) -> Sequence[CaseMatch]:
    """The conversations that matched a case when the set was last scored, newest last."""
    scored, facts = scores.of(case), scores.facts
    if scored is None or facts is None or facts.matching is None:
        return ()
    # The set may have got cases since it was scored.
    matches = facts.matching.cases
    return matches[scored.number] if scored.number < len(matches) else ()


class RecordingFiles:
    """All files of the last run. Lookups over all conversations are made once and cached."""

    def __init__(self, scores: Scores, case_file: CaseFile | None, choices: RunChoices) -> None:
        """`choices` are those in force, which may be newer than the run."""
        self._facts = scores.facts or RunFacts()
        cases = case_file.cases if case_file is not None else ()
        # The case may have moved since it was scored: its result knows the place at that time.
        results = [(case, scored) for case in cases if (scored := scores.of(case)) is not None]
        self.cases = {result.number: (case, result.eval_id) for case, result in results}
        """The cases with their ids, by their place in the set when they were scored."""
        self._searched: dict[ConversationKey, str] = {}
        """The texts that a filter searches."""
        matching = self._facts.matching
        self._runs = {
            match.conversation.key: RunOfCase(case_number, match, number, len(matches))
            for case_number, matches in enumerate(matching.cases if matching is not None else ())
            for number, match in enumerate(matches, 1)
        }
        self.files: list[RecordingFile] = []
        """The files in the order in which they were read."""
        # The run joins traces of one conversation from several files, so a file has the conversations of the run.
        used = {str(recording.path): recording.conversations for recording in self._facts.used}
        for source in self._facts.files:
            is_dropped = choices.drops(source.path)
            read = source.recording.conversations if source.recording is not None else ()
            # A dropped file is not part of the run, but its conversations can be looked at.
            conversations = used.get(str(source.path), read)
            matched = 0 if is_dropped else sum(conversation.key in self._runs for conversation in conversations)
            times = (conversation.recorded_at for conversation in conversations if conversation.recorded_at is not None)
            recorded_at = max(times, default=source.modified_at)
            self.files.append(RecordingFile(source, is_dropped, conversations, matched, recorded_at))

    @cached_property
    def _reasons(self) -> dict[ConversationKey, str]:
        return {unmatched.conversation.key: unmatched.reason for unmatched in self._facts.unmatched}

    def run_of(self, conversation: Conversation) -> RunOfCase | None:
        """The conversation as a run of its case; None if it belongs to none."""
        return self._runs.get(conversation.key)

    def case_of(self, conversation: Conversation) -> Node | None:
        """The node of the case of a conversation; None if it has none."""
        run = self.run_of(conversation)
        return self.cases[run.case_number][0] if run is not None and run.case_number in self.cases else None

    def reason(self, conversation: Conversation) -> str:
        """Why a conversation belongs to no case; "" if it has a case or was not matched yet."""
        return self._reasons.get(conversation.key, "")

    def details(self, conversation: Conversation) -> Iterator[str]:
        """All facts about a conversation, as sentences. They may have unsafe characters from files."""
        run, case = self.run_of(conversation), self.case_of(conversation)
        if run is not None:
            title = case_title(case) if case is not None else "Deleted case"
            number = f", {run_text(run.number, run.count)}" if run.count > 1 else ""
            yield f"{title}: matched {MATCHED_BY[run.match.matched_by]}{number}"
        elif reason := self.reason(conversation):
            yield f"Skipped: {reason}"
        date = f" · {date_text(conversation.recorded_at)}" if conversation.recorded_at is not None else ""
        yield f"{conversation.id} · {counted(len(conversation.turns), 'turn')}{date}"
        yield from filter(None, (conversation.failure, conversation.unread))

    def matching(self, file: RecordingFile, words: Sequence[str], *, unmatched: bool) -> Sequence[Conversation]:
        """The conversations of a file whose id, first user message, case or reason has all words, in lower case.

        With `unmatched`, only those that belong to no case.
        """
        if not words and not unmatched:
            return file.conversations
        return [
            conversation
            for conversation in file.conversations
            if not (unmatched and conversation.key in self._runs)
            and all(word in self._searched_text(conversation) for word in words)
        ]

    def _searched_text(self, conversation: Conversation) -> str:
        # Made at the first filter: a file may have 10,000 conversations, and most are never searched.
        if conversation.key not in self._searched:
            run = self.run_of(conversation)
            about = self.cases.get(run.case_number, (None, ""))[1] if run is not None else self.reason(conversation)
            text = f"{conversation.id} {first_words(conversation)} {about}".casefold()
            self._searched[conversation.key] = text
        return self._searched[conversation.key]


def used_run(scores: Scores, case: Node) -> str:
    """`passed 2 of 3 · run 3 of 3 is used`."""
    scored = scores.of(case)
    if scored is None or not scored.recordings:
        return ""
    used = f"{run_text(scored.run_number, scored.recordings)} is used"
    return " · ".join(filter(None, [passed_of(scored), used]))


def matchable_cases(known: RecordingFiles, scores: Scores) -> tuple[Choice, ...]:
    """The cases with a unique id; first those without a recording."""
    results = [scored for case, _ in known.cases.values() if (scored := scores.of(case))]
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

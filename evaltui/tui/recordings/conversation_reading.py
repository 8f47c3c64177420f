"""Sources of recorded conversations, and the threads that read them, or score the runs of a case."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.file_access import is_folder
from evaltui.files.session_source import is_database, session_source
from evaltui.files.typed_paths import PathError, expanded, file_to_read
from evaltui.recordings.conversation import ConversationKey, RecordingError
from evaltui.recordings.default_sessions import newest_first, sources_near
from evaltui.recordings.recording_copies import copies_among
from evaltui.recordings.recording_search import recordings_in
from evaltui.recordings.user_messages import KnownCases
from evaltui.tui.base_app import BaseApp
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.recordings.conversation_facts import ListedConversation, runs_of
from evaltui.tui.recordings.conversations_to_add import FoundConversation

if TYPE_CHECKING:
    from evaltui.recordings.matching import CaseMatch
    from evaltui.scoring.results import CaseResult, CaseRun
    from evaltui.tui.open_file.open_file import OpenFile

PORTION = 1_000
"""Conversations of one source that are read at first, and with each key press for more."""
_AFTER_KEY, _PAUSE = 0.05, 0.005
"""Seconds after a key in which the thread pauses, so that the screen is drawn first."""


# --- sources ---------------------------------------------------------------------------------------------------------


def files_of(sources: Iterable[Path]) -> Iterator[Path]:
    """Each file once; of a folder its recordings and sessions, newest first. Raises `SearchLimitError` for too many."""
    seen: set[str] = set()
    for source in sources:
        files = [source]
        if is_folder(source):
            search = recordings_in(source)
            files = sorted([*search.paths, *filter(is_database, search.other_files)], key=newest_first)
        for path in files:
            real = os.path.realpath(path)
            if real not in seen:
                seen.add(real)
                yield path


def path_to_add(file: OpenFile, text: str) -> Path:
    """The file or folder that a text names, to be scored with. Raises `PathError` if it cannot be added."""
    path = Path(os.path.abspath(named_path(text, folder_of(file))))  # noqa: PTH100 - a link keeps its name
    real, facts = os.path.realpath(path), file.scores.facts
    files = [source.path for source in facts.files] if facts is not None else []
    is_loaded = real in map(os.path.realpath, files)
    if is_loaded and real not in file.scorer.choices.dropped:
        raise PathError(f"{path.name} is loaded already; press {key_of('picker.run_again')} to read the file again")
    # Results and their traces are often the same run twice; both would count as runs of a case.
    original = copies_among([*files, path]).get(len(files)) if not is_loaded else None
    if original is not None:
        raise PathError(f"{path.name} is a copy of {files[original].name}, which is loaded already")
    return path


def folder_of(file: OpenFile) -> Path | None:
    """The folder of the open set; None if it has no path yet."""
    path = file.document.path
    return path.absolute().parent if path is not None else None


def named_path(text: str, folder: Path | None) -> Path:
    """The file or folder that a text names; a session of a database as `session.db#ID`. Raises `PathError`."""
    # A database may have thousands of sessions, of which one is meant.
    if "#" in text and session_source(path := expanded(text, folder))[1] is not None:
        return path
    return file_to_read(text, folder, or_folder=True)


# --- conversations ---------------------------------------------------------------------------------------------------


@dataclass(eq=False)
class ConversationsRead(Message):
    """The conversations that a thread has read since its last message."""

    entries: list[FoundConversation] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    """A sentence for each source or conversation that cannot be used."""
    counts: dict[Path, int] = field(default_factory=dict)
    """Number of conversations in each new source, read or not."""
    read: dict[Path, int] = field(default_factory=dict)
    """The number of conversations read so far of each source whose portion was read without an error, or more."""
    apps: frozenset[str] = frozenset()
    """The apps that the cases of the set name."""
    is_done: bool = False


class ConversationReading:
    """Starts the threads that read conversations for a screen, and counts what they have read."""

    def __init__(self, file: OpenFile, screen: Screen[Any], only: ConversationKey | None = None) -> None:
        """With `only`, just this conversation is read."""
        self._file, self._screen, self._only = file, screen, only
        self.running = 0
        """The number of running threads: one at first, and one for each added source."""
        self.counts: dict[Path, int] = {}
        self._read: dict[Path, int] = {}
        """The number of conversations read of each file; at least, as the last portion may have fewer."""

    @property
    def has_more(self) -> bool:
        """Whether some source has conversations that no thread has read or reads."""
        return not self.running and bool(self._large_sources())

    def _large_sources(self) -> dict[Path, int]:
        """The sources that have more conversations, and how many are read of each."""
        return {path: read for path, count in self.counts.items() if count > (read := self._read.get(path, 0))}

    def begin(self) -> None:
        """Read the newest conversations of all sources."""
        if self._only is not None:
            self._start([Path(self._only[0])])
            return
        facts = self._file.scores.facts
        # Not those that were found automatically: sessions are searched instead.
        of_settings = [file.path for file in facts.files if file.origin == "settings"] if facts is not None else []
        added = map(Path, self._file.scorer.choices.added)
        named = map(Path, self._file.options.recordings)
        self._start([*named, *of_settings, *added, *self._file.chat_sources], self._file.document.path)

    def add(self, path: Path) -> None:
        """Read a file or folder, too, also when the screen opens again in this session."""
        self._file.chat_sources.append(path)
        self._start([path])

    def read_more(self) -> None:
        """Read the next conversations of sources that have more."""
        sources = self._large_sources()
        self._start([*sources], skipped=sources)

    def take(self, report: ConversationsRead) -> None:
        """Keep what a report says about the sources."""
        self.counts |= report.counts
        for path, count in report.read.items():  # a source may be read again from its start
            self._read[path] = max(count, self._read.get(path, 0))
        # Each thread reports its end once, also after an error.
        self.running -= report.is_done

    def _start(self, named: Sequence[Path], eval_set: Path | None = None, skipped: Mapping[Path, int] = {}) -> None:
        cases = self._file.eval_set.cases if self._file.eval_set is not None else ()
        sources = [case.source() for case in cases]  # bytes never change, but nodes do while the thread reads

        def read() -> None:
            try:
                self._read_sources(named, eval_set, KnownCases(map(Node, sources)), skipped)
            except Exception as error:  # an error of evaltui must not end the session
                trouble = f"Not all conversations were read: internal error ({type(error).__name__})."
                self._screen.post_message(ConversationsRead(troubles=[trouble], is_done=True))
                self._file.app.call_later(self._file.app.note_fault, error)

        self.running += 1
        self._screen.run_worker(read, thread=True, group="conversations")

    def _read_sources(
        self, named: Sequence[Path], eval_set: Path | None, cases: KnownCases, skipped: Mapping[Path, int]
    ) -> None:
        """Read a portion of each named source and of those near `eval_set`, behind the number that is `skipped`."""
        from evaltui.recordings.conversation_list import ConversationList

        worker, input_order = get_current_worker(), self._file.app.input_order
        apps, only = frozenset(cases.apps), self._only[1] if self._only is not None else None
        report, reported = ConversationsRead(apps=apps), 0.0  # the first conversation is reported at once
        files: list[Path] = []
        try:
            files.extend(files_of([*named, *sources_near(eval_set, apps)]))
        except DocumentError as error:
            report.troubles.append(str(error))
        for path in files:
            try:
                source = ConversationList(path, only)
                report.counts[path] = source.count
                for conversation in source.conversations(PORTION, skipped.get(path, 0)):
                    if only not in (None, conversation.id):
                        continue
                    report.entries.append(FoundConversation(conversation, cases.known_as(conversation)))
                    # After a key its frame is drawn first: this thread would hold the interpreter.
                    while not worker.is_cancelled and time.monotonic() - input_order.last_input < _AFTER_KEY:
                        time.sleep(_PAUSE)
                    if worker.is_cancelled:
                        return
                    if time.monotonic() - reported > 0.1:
                        self._screen.post_message(report)
                        report, reported = ConversationsRead(apps=apps), time.monotonic()
            # Conversations that were read before the error stay in the list, and the next key reads the portion again.
            except RecordingError as error:
                report.troubles.append(str(error))
            else:
                report.read[path] = skipped.get(path, 0) + PORTION
                report.troubles += source.warnings
        report.is_done = True
        self._screen.post_message(report)


# --- runs ------------------------------------------------------------------------------------------------------------


class RunScores:
    """The scores of all runs of a case: from the last scoring of the set, else computed in a thread."""

    def __init__(self, scores: Scores, app: BaseApp, show: Callable[[], object]) -> None:
        """`show` is called when missing scores are computed."""
        self._scores, self._app, self._show = scores, app, show
        self._computed: dict[Hashable, Sequence[CaseRun]] = {}
        """The scores of the last case by what they are made from; empty until a thread has computed them."""

    def runs(self, case: Node) -> list[ListedConversation]:
        """The runs of a case, the newest last."""
        result, matches = self._scores.of(case), runs_of(self._scores, case)
        if result is None:
            return []
        scored_runs: Sequence[CaseRun] = result.runs or ()
        # With all runs on, the set was scored with each of them. Else there are no scores until the thread has them.
        if len(scored_runs) != len(matches):
            scored_runs = self._computed_runs(case, result, matches)[: len(matches)]
        count, used = len(matches), result.run_number
        return [
            ListedConversation(match.conversation, match.matched_by, number, count, number == used, scored_run)
            for number, (match, scored_run) in enumerate(zip_longest(matches, scored_runs), 1)
        ]

    def _computed_runs(self, case: Node, result: CaseResult, matches: Sequence[CaseMatch]) -> Sequence[CaseRun]:
        if (criteria := self._scores.criteria) is None:
            return ()
        source, number = result.source, result.number
        made_from = case, self._scores.runs, source, id(criteria)  # criteria are replaced, never changed
        # The list asks again with each key; one thread scores them.
        if made_from not in self._computed:
            self._computed = {made_from: ()}

            def score() -> Sequence[CaseRun]:
                from evaltui.evalset.expected_set import read_case
                from evaltui.runs.set_reader import expected_case
                from evaltui.scoring.case_scores import score_expected

                expected = expected_case(source, number, read_case(source, number).is_of_dataset)
                return score_expected(expected, matches, criteria, None, all_runs=True).runs or ()

            def done(runs: Sequence[CaseRun]) -> None:
                if made_from in self._computed:
                    self._computed[made_from] = runs
                    self._show()

            self._app.start_thread("runs", score, done, self._app.note_fault)
        return self._computed[made_from]

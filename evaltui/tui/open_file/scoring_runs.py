"""Runs that score a document, in a thread and in slices between key presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.file_formats import is_dataset, is_eval_set
from evaltui.evalset.keys import items_of, list_of_cases, text_of, without_cases
from evaltui.garbage_collection import seldom_collected
from evaltui.tui.open_file.pending_checks import QUIET, REST, TYPES, leave_to_keys
from evaltui.tui.open_file.run_facts import RunFacts, facts_of
from evaltui.tui.open_file.score_sentences import NOT_SCORED

if TYPE_CHECKING:
    from evaltui.evalset.expected_set import ExpectedSet
    from evaltui.runs.editor_scores import EditorRun
    from evaltui.runs.recording_sources import SourceLog
    from evaltui.scoring.results import CaseResult
    from evaltui.tui.open_file.open_file import OpenFile

    Step = tuple[int, CaseResult] | None

_LOOKS = 50
"""The most looks for the next key of a person who types, with a pause between them."""
_SLICE, _LONG_SLICE = 0.002, 0.04
"""Seconds per slice while a person types, and otherwise; a key press ends the slice at once."""
_FRAMES = 1.0
"""Seconds between two frames that show the progress of a long run."""
_SETTLES = 0.15
"""Seconds before a half-written source is read again."""


class ScoringRuns:
    """Scores the cases of a file on request; its `scores` get the results."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._rescoring: EditorRun | None = None
        self._timed: tuple[SourceLog | None, dict[Path, float]] = (None, {})
        """The files of the last run and when they were written, which is asked once a reading."""
        self._is_wanted = self._is_anew = self._is_over = self._is_cancelled = False
        self._drawn = self._read = 0.0
        """The time of the last frame, and the bytes read since the run began."""

    def want(self, *, anew: bool) -> None:
        """Request a run; with `anew`, recordings and config are read again first."""
        self._is_wanted, self._is_anew = True, self._is_anew or anew

    def cancel(self) -> None:
        """Stop the current run and drop what it has read."""
        if self._file.scores.is_running:
            self._is_cancelled = True
            if self._rescoring is not None:
                self._rescoring.end()

    async def run(self) -> None:
        """Run as often as requested; run again while a source is half written."""
        scores = self._file.scores
        while self._is_wanted or self.is_unsettled:
            if not self._is_wanted:  # another program is writing a source: wait until it is whole
                self._file.scorer.show()  # what could be read is not held back
                await asyncio.sleep(_SETTLES)
                self._is_anew = True
            self._is_wanted, scores.is_running, self._is_cancelled = False, True, False
            began = time.monotonic()
            try:
                facts = await self._score_set()
                if facts is not None:
                    scores.finish(facts)
                scores.took = time.monotonic() - began
            except asyncio.CancelledError:
                self._is_over = True
                if self._rescoring is not None:
                    self._rescoring.end()
                raise
            finally:
                scores.is_running, scores.progress = self._is_wanted, ""
        self._file.scorer.show()

    @property
    def is_unsettled(self) -> bool:
        """Whether another program is writing a source right now."""
        return self._rescoring is not None and self._rescoring.is_unsettled

    async def _score_set(self) -> RunFacts | None:
        """Score all cases; returns the facts of the run, None if another run was requested meanwhile."""
        document, cases = self._file.document, list_of_cases(self._file.document.root)
        files = self._rescoring.files if self._rescoring is not None else None
        # Without recordings, each run searches again. A dataset may be its own recording, and each save changes that.
        anew = self._is_anew or files is None or not files.recordings or is_dataset(document.root)
        self._is_anew = False
        if document.root is None or cases is None or not (is_eval_set(document.root) or is_dataset(document.root)):
            return RunFacts(trouble=NOT_SCORED)
        try:
            facts = await asyncio.to_thread(self._without_recordings, document.path, document.root) if anew else None
            if facts is not None:
                return facts
            if self._rescoring is None:
                self._rescoring = await asyncio.to_thread(self._load)
            rescoring = self._rescoring
            rescoring.choices = self._file.scorer.choices
            self._file.scores.note_text()  # before the steps: edits during the run are not scored
            # Texts are taken now, in the event loop: the thread must not read nodes that a key may change.
            nodes = [(node, node.source()) for node in cases.items]
            sources, rest = [source for _, source in nodes], without_cases(document.root)
            steps = rescoring.steps(self._subject(document.root), sources, rest, anew=anew)
            is_done = await self._take(steps, nodes)
            if self._is_cancelled:
                self._rescoring = None  # its steps are half done, so the next run reads everything again
                return RunFacts(trouble="the run was cancelled")
            if not is_done:
                self._is_anew = self._is_anew or anew  # the next run may find half of the recordings read
                return None
            await self._wait_for_gap()
            files = rescoring.files
            if files is not None and self._timed[0] is not files:
                from evaltui.recordings.conversation import file_times

                self._timed = files, await asyncio.to_thread(file_times, files.recordings)
            return facts_of(rescoring, self._timed[1] if files is not None else {}, [node for node, _ in nodes])
        except Exception as error:
            from evaltui.scoring.criteria import CriteriaError  # only an error needs it

            if not isinstance(error, DocumentError | CriteriaError):
                raise
            return RunFacts(trouble=str(error))  # config, criteria or settings cannot be used

    def _load(self) -> EditorRun:
        """In a thread: import the scoring modules, which takes a while the first time."""
        from evaltui.runs.editor_scores import EditorRun

        return EditorRun(self._file.options, self._rest)

    def _subject(self, root: Node) -> ExpectedSet:
        from evaltui.evalset.expected_set import ExpectedSet

        path, set_id = self._file.document.path, text_of(root, "eval_set_id") or None
        return ExpectedSet(path.name if path else "the set", path, set_id, (), is_dataset=is_dataset(root))

    def _without_recordings(self, path: Path | None, root: Node) -> RunFacts | None:
        """In a thread: the facts if there is no recording, so that no case needs to be read. Raises `DocumentError`."""
        if self._file.options.recordings or self._file.scorer.choices.added:
            return None
        if path is None:
            return RunFacts()
        from evaltui.files.folder_search import Bounds
        from evaltui.recordings.default_recordings import found_recordings, places_searched, rivals_text
        from evaltui.recordings.default_sessions import sources_near

        is_of_dataset = is_dataset(root)
        if is_of_dataset:
            from evaltui.evalset.expected_set import read_case

            if any(read_case(case.source(), 0).is_answered for case in items_of(root, "eval_cases")):
                return None
        # At its end the process waits for this thread, so the search must stop with the editor.
        bounds = Bounds(cancelled=lambda: self._is_over)
        set_id = text_of(root, "eval_set_id") or None
        search = found_recordings(path, set_id, bounds, is_dataset=is_of_dataset)
        if search.paths:
            return None
        places, unknown = places_searched(path, set_id, search, is_dataset=is_of_dataset)
        searched = [f"Searched: {place}" for place in places]
        searched += [f"{unknown[0].upper()}{unknown[1:]}."] if unknown else []
        rivals = rivals_text(path, set_id, search.rivals) if search.rivals else ()
        near = sources_near(path) if not is_of_dataset else []
        return RunFacts(databases=tuple(near), searched=tuple(searched), rivals=rivals)

    # --- slices between keys -----------------------------------------------------------------------------------

    async def _take(self, steps: Iterator[Step], nodes: list[tuple[Node, bytes]]) -> bool:
        """Do all steps and store their results; False if another run was requested meanwhile."""
        count, is_over, self._read = 0, False, 0.0
        self._drawn = time.monotonic()
        with seldom_collected(len(nodes)):
            while not is_over:
                if self._is_wanted or self._is_cancelled:
                    return False
                await leave_to_keys(self._file.app)
                slice_ = asyncio.ensure_future(asyncio.to_thread(self._slice, steps))
                while not (await asyncio.wait({slice_}, timeout=_FRAMES))[0]:  # it reads a recording
                    self._show_progress(f"reading recordings, {self._read / 1e6:,.0f} MB")
                results, is_over = slice_.result()
                for number, result in results:
                    self._file.scores.put(nodes[number][0], result)
                count += len(results)
                self._show_progress(f"scoring {count:,} of {len(nodes):,}")
        return True

    def _slice(self, steps: Iterator[Step]) -> tuple[list[tuple[int, CaseResult]], bool]:
        """In the thread: do steps until the time is over or a key comes; returns results, and whether all is done."""
        began, key = time.monotonic(), self._last_key
        end = began + (_SLICE if began - key < TYPES else _LONG_SLICE)
        results = []
        for step in steps:
            if step is not None:
                results.append(step)
            if self._last_key != key or time.monotonic() > end:
                return results, False
        return results, True

    @property
    def _last_key(self) -> float:
        return self._file.app.input_order.last_input

    def _rest(self, count: int) -> None:
        """In the thread, while reading: leave the interpreter to a person who types."""
        self._read += count
        if (since := time.monotonic() - self._last_key) < QUIET:
            time.sleep(QUIET - since)

    async def _wait_for_gap(self) -> None:
        """While a person types, wait until a key was just handled: then a large frame fits before the next key."""
        key = self._last_key
        if time.monotonic() - key >= TYPES:
            return
        for _ in range(_LOOKS):
            if self._last_key != key:
                break
            await asyncio.sleep(REST)
        await leave_to_keys(self._file.app)

    def _show_progress(self, progress: str) -> None:
        """Show the progress of a run, at most once per frame time."""
        if time.monotonic() - self._drawn > _FRAMES:
            self._drawn, self._file.scores.progress = time.monotonic(), progress
            self._file.scorer.show()

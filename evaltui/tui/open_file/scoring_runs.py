"""Runs that score a document, in a thread and in slices between key presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.file_formats import is_dataset, is_eval_set
from evaltui.evalset.keys import cases_of, list_of_cases, text_of, without_cases
from evaltui.garbage_collection import seldom_collected
from evaltui.runs.run_options import RunChoices
from evaltui.tui.open_file.run_facts import RunFacts, facts_of, times_of
from evaltui.tui.open_file.score_sentences import NOT_SCORED
from evaltui.tui.open_file.start_options import ScoredWith
from evaltui.tui.recordings.conversation_sources import sources_near

if TYPE_CHECKING:
    from evaltui.recordings.conversation import Recording
    from evaltui.runs.editor_run import EditorRun, Snapshot
    from evaltui.scoring.results import CaseResult
    from evaltui.tui.open_file.open_file import OpenFile

    Step = tuple[int, CaseResult] | None

_QUIET = 0.03
"""Seconds after a key press in which nothing is scored."""
_TYPES, _REST = 1.0, 0.005
"""Seconds after a key press in which more keys are likely, and the pause before each slice then."""
_LOOKS = 50
"""The most looks for the next key of a person who types, with a pause between them."""
_SLICE, _LONG_SLICE = 0.002, 0.04
"""Seconds per slice while a person types, and otherwise; a key press ends the slice at once."""
_FRAMES = 1.0
"""Seconds between two frames that show the progress of a long run."""
_SETTLES = 0.15
"""Seconds before a half-written source is read again."""
_MANY = 500
"""From this many cases on, the progress is shown."""


class ScoringRuns:
    """Scores the cases of a file on request; its `scores` get the results."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._scores, self._named = file.scores, file.options
        self._rescoring: EditorRun | None = None
        self._timed: tuple[Sequence[Recording], dict[Path, float]] = ((), {})
        """The recordings of the last run and when their files were written, which is read once a reading."""
        self.choices = RunChoices(all_runs=file.options.all_runs)
        """The person's choices about recordings and runs."""
        self._wanted = self._anew = self._is_over = self._is_cancelled = False
        self._drawn = self._read = 0.0
        """The time of the last frame, and the bytes read since the run began."""

    def want(self, *, anew: bool) -> None:
        """Request a run; with `anew`, recordings and config are read again first."""
        self._wanted, self._anew = True, self._anew or anew

    def cancel(self) -> None:
        """Stop the current run and drop what it has read."""
        if self._scores.is_running:
            self._is_cancelled = True
            if self._rescoring is not None:
                self._rescoring.end()

    async def run(self) -> None:
        """Run as often as requested; run again while a source is half written."""
        scores = self._scores
        while self._wanted or await self._is_wanted_for_unsettled():
            self._wanted, scores.is_running, self._is_cancelled = False, True, False
            began = time.monotonic()
            try:
                await self._run_once(self._file.document)
                scores.took = time.monotonic() - began
            except asyncio.CancelledError:
                self._is_over = True
                if self._rescoring is not None:
                    self._rescoring.end()
                raise
            finally:
                scores.is_running, scores.progress = self._wanted, ""
        self._file.scorer.show()

    @property
    def is_unsettled(self) -> bool:
        """Whether another program is writing a source right now."""
        return self._rescoring is not None and self._rescoring.is_unsettled

    async def _is_wanted_for_unsettled(self) -> bool:
        """Wait a moment if another program is writing a source; returns whether to run again."""
        if not self.is_unsettled:
            return False
        self._file.scorer.show()
        await asyncio.sleep(_SETTLES)
        self._wanted = self._anew = True
        return True

    async def _run_once(self, document: Document) -> None:
        root, anew = document.root, self._anew or not self._has_recordings
        self._anew = False
        is_of_dataset = is_dataset(root)
        anew = anew or is_of_dataset  # a dataset may be its own recording, and each save changes that
        if root is None or not (is_eval_set(root) or is_of_dataset) or (cases := list_of_cases(root)) is None:
            self._scores.finish(RunFacts(trouble=NOT_SCORED))
            return
        try:
            if anew and (missing := await asyncio.to_thread(self._without_recordings, document.path, root)):
                self._scores.finish(missing)
                return
        except DocumentError as error:  # invalid settings of the project
            self._scores.finish(RunFacts(trouble=str(error)))
            return
        if self._rescoring is None:
            self._rescoring = await asyncio.to_thread(_loaded, self._named, self._rest)
        rescoring = self._rescoring
        rescoring.choices = self.choices
        self._scores.note_text()
        nodes = [(node, node.source()) for node in cases.items]
        snapshot = _snapshot(document, root, [source for _, source in nodes])
        try:
            is_done = await self._take(rescoring.steps(snapshot, anew=anew), nodes)
            if self._is_cancelled:
                self._rescoring = None
                self._scores.finish(RunFacts(trouble="the run was cancelled"))
            elif is_done:
                await self._wait_for_gap()
                inputs = rescoring.inputs
                if inputs is not None and self._timed[0] is not inputs.recordings:
                    self._timed = inputs.recordings, await asyncio.to_thread(times_of, inputs.recordings)
                self._scores.finish(facts_of(rescoring, self._timed[1] if inputs is not None else {}))
            else:
                self._anew = self._anew or anew  # the next run may find half of the recordings read
        except _refusals() as error:
            self._scores.finish(RunFacts(trouble=str(error)))

    def _without_recordings(self, path: Path | None, root: Node) -> RunFacts | None:
        """In a thread: the facts if there is no recording, so that no case needs to be read. Raises `DocumentError`."""
        if self._named.recordings or self.choices.added:
            return None
        if path is None:
            return RunFacts()
        from evaltui.files.folder_search import Bounds
        from evaltui.recordings.default_recordings import found_recordings, places_searched, rivals_text

        is_of_dataset = is_dataset(root)
        if is_of_dataset:
            from evaltui.evalset.expected_set import read_case

            if any(read_case(case.source(), 0).is_answered for case in cases_of(root)):
                return None
        # At its end the process waits for this thread, so the search must stop with the editor.
        bounds = Bounds(cancelled=lambda: self._is_over)
        set_id = text_of(root, "eval_set_id") or None
        found = found_recordings(path, set_id, bounds, is_dataset=is_of_dataset)
        if found.paths:
            return None
        places, unknown = places_searched(path, set_id, found, is_dataset=is_of_dataset)
        searched = [f"Searched: {place}" for place in places]
        searched += [f"{unknown[0].upper()}{unknown[1:]}."] if unknown else []
        rivals = rivals_text(path, set_id, found.rivals) if found.rivals else ()
        near = sources_near(path) if not is_of_dataset else []
        return RunFacts(databases=tuple(near), searched=tuple(searched), rivals=rivals)

    @property
    def _has_recordings(self) -> bool:
        """Whether the last run had recordings; if not, the next run searches for them."""
        inputs = self._rescoring.inputs if self._rescoring is not None else None
        return inputs is not None and bool(inputs.recordings)

    async def _take(self, steps: Iterator[Step], nodes: list[tuple[Node, bytes]]) -> bool:
        """Do all steps and store their results; False if another run was requested meanwhile."""
        done, is_over, self._read = 0, False, 0.0
        self._drawn = time.monotonic()
        with seldom_collected(len(nodes) > _MANY):
            while not is_over:
                if self._wanted or self._is_cancelled:
                    return False
                await self._pause()
                found, is_over = await self._in_thread(steps)
                for number, result in found:
                    self._scores.put(*nodes[number], result)
                done += len(found)
                self._say(f"scoring {done:,} of {len(nodes):,}")
        return True

    async def _in_thread(self, steps: Iterator[Step]) -> tuple[list[tuple[int, CaseResult]], bool]:
        """Do one slice in a thread. A slow slice is reading a recording, and the progress says so."""
        slice_ = asyncio.ensure_future(asyncio.to_thread(self._slice, steps))
        while not (await asyncio.wait({slice_}, timeout=_FRAMES))[0]:
            self._say(f"reading recordings, {self._read / 1e6:,.0f} MB")
        return slice_.result()

    async def _pause(self) -> None:
        """Leave the interpreter to a key that was just pressed."""
        since = time.monotonic() - self._file.app.input_order.last_input
        if since < _QUIET:
            await asyncio.sleep(_QUIET - since)
        elif since < _TYPES:
            await asyncio.sleep(_REST)

    async def _wait_for_gap(self) -> None:
        """While a person types, wait until a key was just handled: then a large frame fits before the next key."""
        key = self._file.app.input_order.last_input
        if time.monotonic() - key >= _TYPES:
            return
        for _ in range(_LOOKS):
            if self._file.app.input_order.last_input != key:
                break
            await asyncio.sleep(_REST)
        await self._pause()

    def _slice(self, steps: Iterator[Step]) -> tuple[list[tuple[int, CaseResult]], bool]:
        """In the thread: do steps until the time is over or a key comes; returns results, and whether all is done."""
        began, key = time.monotonic(), self._file.app.input_order.last_input
        end = began + (_SLICE if began - key < _TYPES else _LONG_SLICE)
        found = []
        for step in steps:
            if step is not None:
                found.append(step)
            if self._file.app.input_order.last_input != key or time.monotonic() > end:
                return found, False
        return found, True

    def _rest(self, count: int) -> None:
        """In the thread, while reading: leave the interpreter to a person who types."""
        self._read += count
        if (since := time.monotonic() - self._file.app.input_order.last_input) < _QUIET:
            time.sleep(_QUIET - since)

    def _say(self, progress: str) -> None:
        """Show the progress of a run, at most once per frame time."""
        now = time.monotonic()
        if now - self._drawn > _FRAMES:
            self._drawn, self._scores.progress = now, progress
            self._file.scorer.show()


def _loaded(named: ScoredWith, tick: Callable[[int], None]) -> EditorRun:
    """Import the scoring modules, which takes a while the first time."""
    from evaltui.runs.editor_run import EditorRun
    from evaltui.runs.run_options import RunOptions

    options = RunOptions(
        named.recordings,
        named.config,
        named.metrics,
        named.match_type,
        ignore_args=named.ignore_args,
        profile=named.profile,
    )
    return EditorRun(options, tick)


def _refusals() -> tuple[type[Exception], ...]:
    """The errors that say that config, criteria or settings cannot be used."""
    from evaltui.scoring.criteria import CriteriaError

    return DocumentError, CriteriaError


def _snapshot(document: Document, root: Node, sources: list[bytes]) -> Snapshot:
    from evaltui.runs.editor_run import Snapshot

    name = document.path.name if document.path else "the set"
    set_id = text_of(root, "eval_set_id") or None
    return Snapshot(name, document.path, set_id, sources, without_cases(root), is_dataset(root))

"""Scores of the open file, worked out by a thread in slices between the keys, and the sentence about what came out."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.formats import is_eval_set
from evaltui.evalset.keys import text_of
from evaltui.evalset.set_views import list_of_cases, without_cases
from evaltui.evalset.titles import case_title
from evaltui.garbage import seldom_collected
from evaltui.printable import printable
from evaltui.runs.run_choices import RunChoices
from evaltui.tui.editor.saver import SaveEnd
from evaltui.tui.editor.stage import Stage
from evaltui.tui.panes.bars import StatusBar
from evaltui.tui.session.file_times import FileTimes
from evaltui.tui.session.run_facts import RunFacts, facts_of
from evaltui.tui.session.score_sentences import why_none
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.scores import Scores
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.runs.rescorer import Rescorer, Snapshot
    from evaltui.scoring.results import CaseResult

    Step = tuple[int, CaseResult] | None

_NOW: dict[str, tuple[str, str]] = {
    "passed": ("passes", "pass"),
    "failed": ("fails", "fail"),
    "not_evaluated": ("is not evaluated", "are not evaluated"),
}
"""The verb of one case with a status, and of several."""
_QUIET = 0.03
"""Seconds after a key in which nothing is scored."""
_TYPES, _REST = 1.0, 0.005
"""Seconds since a key in which more keys are likely, and how long to rest then before each slice."""
_SLICE, _LONG_SLICE = 0.002, 0.04
"""Seconds that a slice takes while somebody types, and otherwise; a key ends it at once."""
_FRAMES = 1.0
"""Seconds between two frames that show what a long run has come to so far."""
_SETTLES = 0.15
"""Seconds until an input is read again that another program is writing."""
_MANY = 500
"""So many cases take a while, which is said."""


class Scorer:
    """Scores the cases when they were saved or when asked, and has all screens show the scores."""

    def __init__(self, session: Session, stage: Stage, named: ScoredWith) -> None:
        """`named` are the recordings and the config that were named on the command line."""
        self._session = session
        self._stage = stage
        self.runs = ScoringRuns(session.scores, named, self._show, lambda: stage.last_input)
        self.named = named
        """Recordings, config and options to score with."""
        self._changed = ""
        """The files that changed on disk, until their scores are there."""
        self.after_run: Callable[[], object] = lambda: None
        """Called when a run has ended: cases may have been edited while it went on."""
        self._asked_from: StatusBar | None = None
        """The status line where the person waits for the run that goes on."""
        self._saved: tuple[str, int] | None = None
        """The message about the last save, and after how many runs, until its scores are there."""

    def score(self, *, anew: bool = False) -> None:
        """Score the cases; with `anew`, read recordings and config again before."""
        self.runs.want(anew=anew)
        self._stage.run_once("score", self._score)

    async def _score(self) -> None:
        try:
            await self.runs.run()
        except Exception as error:  # a fault of our own must not end the session
            self._stage.note_fault(error)
            name = type(error).__name__
            self._stage.say(f"The cases cannot be scored ({name}); you can go on editing and saving.")

    @property
    def choices(self) -> RunChoices:
        """The choices of the person about recordings and runs, which hold for the session."""
        return self.runs.choices

    def use(self, choices: RunChoices, said: str = "") -> None:
        """Score the cases under other choices, of which a screen says `said`; only files that were added are read."""
        self.runs.choices = choices
        self._saved = printable(said), self._session.scores.runs
        self.score()

    def add_recordings(self, paths: Iterable[Path]) -> None:
        """Score with these files, too, from the next run on."""
        for path in paths:
            self.runs.choices = self.runs.choices.adding(str(path))

    def save_ended(self, end: SaveEnd) -> None:
        """Score what was saved; where another folder may have other recordings, with those that are there."""
        if end.is_saved and not end.job.is_copy:
            self._session.scores.saved_at = time.time()
        if end.is_saved and not (end.job.is_copy or end.leaves or self._session.saving):
            self.score_saved(end.said, elsewhere=end.job.is_elsewhere)

    def score_changed(self, names: str) -> None:
        """Inputs that people call `names` changed on disk: score what differs, and say what came of it."""
        self._changed = names
        self.score(anew=True)

    def score_saved(self, said: str, *, elsewhere: bool = False) -> None:
        """The text was saved, of which a screen says `said`: score its cases."""
        if self._session.scores.is_paused and not elsewhere:
            return
        self._saved = printable(said), self._session.scores.runs
        self.score(anew=elsewhere)

    def action_run_again(self) -> None:
        """Score all cases again, with recordings and config read anew."""
        if self._session.eval_set is None:
            self._stage.say("Only the cases of an eval set are scored.")
            return
        self._stage.write_typed()
        self._stage.say("scoring …")
        self._asked_from = self._stage.front.panes.status if self._stage.front is not None else None
        self.score(anew=True)

    def action_cancel_run(self) -> None:
        """Stop scoring; all scores are outdated until the next run."""
        self.runs.cancel()

    def _show(self) -> None:
        """Show on all screens what the last run says, and say what is different now."""
        scores = self._session.scores
        if not scores.is_running:
            self.after_run()
        self._stage.show_scores()
        if scores.is_running:
            return
        if self._asked_from is not None:
            self._asked_from.say(" · ".join(filter(None, [self._said(), self.turned()])))
            self._asked_from = None
        if self._changed and not self.runs.is_unsettled:
            names, self._changed = self._changed, ""
            self._say_changed(names)
        if self._saved is not None and scores.runs > self._saved[1]:
            (said, _), self._saved = self._saved, None
            self._say_turned(said)

    def _said(self) -> str:
        """The counts of the last run, or why there are none."""
        scores = self._session.scores
        if not scores.has_any:
            return why_none(scores, self._session.file_name)
        if scores.facts is not None and scores.facts.outdated:
            return f"The scores are outdated: {printable(scores.facts.outdated)}"
        words = (("passed", "passed"), ("failed", "failed"), ("not_evaluated", "not evaluated"))
        counted = (f"{scores.counts[status]:,} {word}" for status, word in words if scores.counts[status])
        return "scored: " + ", ".join(counted)

    def _say_changed(self, names: str) -> None:
        """Say which cases pass or fail since files changed, or why their scores are outdated; else nothing."""
        facts, turned = self._session.scores.facts, self.turned()
        if facts is not None and (facts.outdated or facts.trouble):
            self._stage.say(f"The scores are outdated: {printable(facts.outdated or facts.trouble)}")
        elif turned:
            self._stage.say(f"{printable(names)} changed on disk · {turned} · {self._session.scores.counted()}")

    def _say_turned(self, said: str) -> None:
        """Say beside what was `said` of a save which cases pass or fail since, unless something else is being said."""
        turned = self.turned()
        for view in self._stage.views if turned else ():
            status = view.panes.status
            if status.text in (said, ""):
                status.say(" · ".join(filter(None, [status.text, turned, self._session.scores.counted()])))

    def turned(self) -> str:
        """Which cases pass or fail now and did not before; a case by its name, several by their number."""
        turned = self._session.scores.told_turned()
        if len(turned) == 1:
            case, status = turned[0]
            return f"{case_title(case)} {_NOW[status][0]} now"
        counts: Counter[str] = Counter(status for _, status in turned)
        some = [(counts[status], words) for status, words in _NOW.items() if counts[status]]
        said = [f"{count:,} {words[count > 1]} now" for count, words in some]
        if said:
            said[0] = said[0].replace(" ", f" case{'s' * (some[0][0] > 1)} ", 1)
        return ", ".join(said)


class ScoringRuns:
    """Scores the cases of a document when asked; `scores` takes in the results."""

    def __init__(
        self,
        scores: Scores,
        named: ScoredWith,
        show: Callable[[], object],
        last_key: Callable[[], float],
    ) -> None:
        """`show` is called when scores changed; `last_key` gives the time of the last key."""
        self._scores = scores
        self._named = named
        self._show = show
        self._last_key = last_key
        self._rescoring: Rescorer | None = None
        self._times = FileTimes()
        self.choices = RunChoices(all_runs=named.all_runs)
        """The choices of the person about recordings and runs."""
        self._wanted = self._anew = self._is_over = self._is_cancelled = False
        self._drawn = self._read = 0.0
        """When something was drawn last, and how many bytes were read since the run began."""

    def want(self, *, anew: bool) -> None:
        """Score once more; with `anew`, read recordings and config again before."""
        self._wanted, self._anew = True, self._anew or anew

    def cancel(self) -> None:
        """Stop the run that goes on, if any; what it has read is forgotten."""
        if self._scores.is_running:
            self._is_cancelled = True
            if self._rescoring is not None:
                self._rescoring.end()

    async def run(self) -> None:
        """Score as often as asked; again while an input is half written."""
        scores = self._scores
        while self._wanted or await self._is_wanted_for_unsettled():
            self._wanted, scores.is_running, self._is_cancelled = False, True, False
            began = time.monotonic()
            try:
                await self._run_once(scores.document_now())
                scores.took = time.monotonic() - began
            except asyncio.CancelledError:
                self._is_over = True
                if self._rescoring is not None:
                    self._rescoring.end()
                raise
            finally:
                scores.is_running, scores.progress = self._wanted, ""
        self._show()

    @property
    def is_unsettled(self) -> bool:
        """Whether another program is just writing an input."""
        return self._rescoring is not None and self._rescoring.is_unsettled

    async def _is_wanted_for_unsettled(self) -> bool:
        """Wait a moment for an input that another program is writing; whether there is one."""
        if not self.is_unsettled:
            return False
        self._show()
        await asyncio.sleep(_SETTLES)
        self._wanted = self._anew = True
        return True

    async def _run_once(self, document: Document) -> None:
        root, anew = document.root, self._anew or not self._has_recordings
        self._anew = False
        if root is None or not is_eval_set(root) or (cases := list_of_cases(root)) is None:
            self._scores.finish(RunFacts(trouble="Only the cases of an eval set are scored."))
            return
        try:
            if anew and not await asyncio.to_thread(self._may_be_scored, document.path, root):
                self._scores.finish(RunFacts())
                return
        except DocumentError as error:  # settings of the project that do not hold
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
                inputs = rescoring.inputs
                written = await asyncio.to_thread(self._times.of, inputs.recordings) if inputs is not None else {}
                self._scores.finish(facts_of(rescoring, written))
            else:
                self._anew = self._anew or anew  # another run is wanted, and may find half of the recordings read
        except _refusals() as error:
            self._scores.finish(RunFacts(trouble=str(error)))

    def _may_be_scored(self, path: Path | None, root: Node) -> bool:
        """In a thread: whether there is any recording; without, no case need be read. Raises `DocumentError`."""
        if (is_named := bool(self._named.recordings or self.choices.added)) or path is None:
            return is_named
        from evaltui.files.folder_search import Bounds
        from evaltui.recordings.recording_search import found_recordings

        # The process waits for the thread at its end, so it ends with the editor.
        bounds = Bounds(cancelled=lambda: self._is_over)
        return bool(found_recordings(path, text_of(root, "eval_set_id") or None, bounds).paths)

    @property
    def _has_recordings(self) -> bool:
        """Whether there was anything to score with: until then each run looks for it."""
        inputs = self._rescoring.inputs if self._rescoring is not None else None
        return inputs is not None and bool(inputs.recordings)

    async def _take(self, steps: Iterator[Step], nodes: list[tuple[Node, bytes]]) -> bool:
        """Take all steps and the results they give; False where another run is wanted meanwhile."""
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
        """Run a slice. If it takes long, a recording is being read, and the screen says so."""
        slice_ = asyncio.ensure_future(asyncio.to_thread(self._slice, steps))
        while not (await asyncio.wait({slice_}, timeout=_FRAMES))[0]:
            self._say(f"reading recordings, {self._read / 1e6:,.0f} MB")
        return slice_.result()

    async def _pause(self) -> None:
        """Leave the interpreter to a key that was just pressed."""
        since = time.monotonic() - self._last_key()
        if since < _QUIET:
            await asyncio.sleep(_QUIET - since)
        elif since < _TYPES:
            await asyncio.sleep(_REST)

    def _slice(self, steps: Iterator[Step]) -> tuple[list[tuple[int, CaseResult]], bool]:
        """In the thread: do steps until the slice is over or a key comes; returns results, and whether all is done."""
        began, key = time.monotonic(), self._last_key()
        end = began + (_SLICE if began - key < _TYPES else _LONG_SLICE)
        found = []
        for step in steps:
            if step is not None:
                found.append(step)
            if self._last_key() != key or time.monotonic() > end:
                return found, False
        return found, True

    def _rest(self, count: int) -> None:
        """In the thread, while a file is read: leave the interpreter to whoever types."""
        self._read += count
        if (since := time.monotonic() - self._last_key()) < _QUIET:
            time.sleep(_QUIET - since)

    def _say(self, progress: str) -> None:
        """Show how far a run is, if that was not shown just now."""
        now = time.monotonic()
        if now - self._drawn > _FRAMES:
            self._drawn, self._scores.progress = now, progress
            self._show()


def _loaded(named: ScoredWith, tick: Callable[[int], None]) -> Rescorer:
    """Import the scoring modules, which takes a while once."""
    from evaltui.runs.rescorer import Rescorer
    from evaltui.runs.set_run import RunOptions

    options = RunOptions(
        named.recordings,
        named.config,
        named.metrics,
        named.match_type,
        ignore_args=named.ignore_args,
        profile=named.profile,
    )
    return Rescorer(options, tick)


def _refusals() -> tuple[type[Exception], ...]:
    """The errors that say that config, criteria or settings cannot be used."""
    from evaltui.scoring.criteria import CriteriaError

    return DocumentError, CriteriaError


def _snapshot(document: Document, root: Node, sources: list[bytes]) -> Snapshot:
    from evaltui.runs.rescorer import Snapshot

    name = document.path.name if document.path else "the set"
    return Snapshot(name, document.path, text_of(root, "eval_set_id") or None, sources, without_cases(root))

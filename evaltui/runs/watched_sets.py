"""Sets of a command line scored again whenever one of their sources changed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint
from evaltui.file_access import has_working_directory, is_file, is_folder
from evaltui.files.disk_watch import Signs, signs_of_file
from evaltui.recordings.recording_copies import copies_among
from evaltui.runs.run_cache import RunCache
from evaltui.runs.run_options import RunOptions, SetArgument
from evaltui.runs.score_sets import Preparation, Progress, RefusedInput, ScoredRun, score_sets
from evaltui.runs.set_reader import STDIN
from evaltui.runs.watched_sources import signs_of
from evaltui.settings.project_settings import read_settings_again

_Contents = dict[Path, Fingerprint | None]
"""Sets, configs and recordings with their content. Other files in their folders do not count."""
NO_FOLDER = "the working directory is gone: change to a folder that exists, and start evaltui watch again"
_MOST_CHANGES = 10
"""The most times that changing sources are scored in one look. The next look finds later changes."""


Look = tuple[ScoredRun | None, tuple[str, ...] | None, tuple[str, ...]]
"""The outcome of a look at all sources.

The scores, if all sources are usable; the sources that changed since the last scores, None if none did; and a sentence
for each broken or deleted source.
"""


class WatchedSets:
    """Caches inputs and scores. Each look reads and scores only what changed."""

    def __init__(
        self,
        sets: Sequence[SetArgument],
        options: RunOptions,
        compared: Sequence[Path] = (),
        preparation: Preparation | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`compared` are files that the scores are compared with. A change of one of them starts a run, too.

        `preparation` makes the parts of reports of each case that changed.
        """
        self._sets, self._options, self._compared, self._preparation = sets, options, compared, preparation
        self.progress = progress
        """Shows the progress of long scoring; None while an app has the terminal."""
        self._memory = RunCache()
        self._last: _Contents = {}
        """The sources of the last scores, with their content."""
        self._last_sets: frozenset[Path] = frozenset()
        """The sets among these sources."""
        self._deleted: dict[Path, None] = {}
        """Sources that were deleted since the last scores."""
        self._touched: set[Path] = set()
        """Files that may have changed since the last scores."""
        self._is_broken = False
        """Whether the last look found a source that cannot be used."""
        self.is_settled = True
        """False while a broken source may still be in the middle of a write."""

    def first(self) -> ScoredRun:
        """The first scores. Raises one of `RefusedInput`."""
        scored, self._last = self._score()
        self._last_sets = _sets_of(scored)
        return scored

    def look(self, touched: Iterable[Path] = ()) -> Look:
        """Score again if a source changed. If a source is broken, the look has a sentence instead of scores."""
        # A file that is touched again and again while it is broken counts once it can be used.
        self._touched.update(touched)
        self.is_settled = False
        try:
            scored, contents = self._score()
        except (*RefusedInput, OSError) as error:
            self._is_broken = True
            return None, None, (str(error) if has_working_directory() else NO_FOLDER,)
        missing = [path for path in self._last if path not in contents]
        # Each file is asked, also after the first that still changes: the question starts its half second.
        rests = [self._memory.rest.is_at_rest(path, was_good=True) for path in missing]
        self.is_settled = all(rests) and not self._memory.rest.is_waiting
        # A set that is gone takes its recordings and config out of the run. They are still there: nothing to say.
        if not self._last_sets.isdisjoint(missing):
            missing = [path for path in missing if path in self._last_sets or not is_file(path)]
        unusable = [f"{path}: {advice}" for path in missing if (advice := self._advice_for(path))]
        if troubles := [*self._memory.recordings.troubles.values(), *unusable]:
            self._is_broken = True
            return None, None, tuple(troubles)
        return self._usable_look(scored, contents, missing) if self.is_settled else (None, None, ())

    def _usable_look(self, scored: ScoredRun, contents: _Contents, deleted: Sequence[Path]) -> Look:
        """The look if all sources are usable, except the deleted ones: a run does without them."""
        sentences = tuple(f"{path}: this file is gone; the next scores do not use it" for path in deleted)
        self._deleted |= dict.fromkeys(deleted)
        changed = [path for path, content in contents.items() if path not in self._last or self._last[path] != content]
        # A file that was broken may have its old content again. The screen shows its trouble, so it needs a run.
        changed = changed or [path for path in contents if self._is_broken and path in self._touched]
        was_broken, self._is_broken = self._is_broken, False
        self._touched.clear()
        self._last, self._last_sets = contents, _sets_of(scored)
        if not changed and not was_broken:
            return scored, None, sentences
        trigger = tuple(map(str, dict.fromkeys((*changed, *self._deleted))))
        self._deleted.clear()
        return scored, trigger, sentences

    def _advice_for(self, path: Path) -> str:
        """A sentence about a source that can no longer be used, and about the remedy; "" for a deleted one."""
        if path in self._last_sets and is_folder(path):
            return "this is a folder now, not an eval set; put the file back, or start evaltui watch again"
        if not is_file(path):
            return ""
        if path in self._last_sets:
            return "this file can no longer be used; `evaltui validate` may show why"
        return "this file can no longer be read as a recording; write it again, or name another with -r"

    def signs(self) -> Signs:
        """The state of all sources on disk, for a watch."""
        signs = [signs_of_file(path) for path in self._compared]
        for name, _ in self._sets:
            path = Path(name)
            scored = self._last_sets if is_folder(path) else ()
            signs.append(signs_of(path, self._options.recordings, self._options.config, scored=scored))
        files = {path: signature for signed, _ in signs for path, signature in signed.items()}
        return files, frozenset(folder for _, folders in signs for folder in folders)

    def _score(self) -> tuple[ScoredRun, _Contents]:
        began = time.monotonic()
        read_settings_again()
        score = partial(score_sets, cache=self._memory, preparation=self._preparation, progress=self.progress)
        contents_before = {path: self._memory.contents.of(path) for path in self._last}
        for _ in range(_MOST_CHANGES):
            self._memory.begin()
            scored = score(self._sets, self._options)
            # Standard input has no file that could change.
            paths = (path for path in (*_sources_of(scored), *self._compared) if str(path) != STDIN)
            contents = {path: self._memory.contents.of(path) for path in paths}
            # If they differ, a source changed before or after it was read: nobody knows which text was scored.
            if contents == contents_before:
                break
            contents_before = contents
        scored.seconds = time.monotonic() - began
        return scored, contents


def _sets_of(scored: ScoredRun) -> frozenset[Path]:
    return frozenset(run.subject.path for run in scored.runs if run.subject.path is not None)


def _sources_of(scored: ScoredRun) -> list[Path]:
    """The sources of scores, with copies of recordings: they count in place of the recordings, if these are gone."""
    paths: list[Path | None] = []
    for run in scored.runs:
        paths += [run.subject.path, run.criteria.path, *(recording.path for recording in run.recordings)]
    sources = [path for path in dict.fromkeys(paths) if path is not None]
    unused = sorted(scored.recordings.difference(sources))
    copies = copies_among([*sources, *unused])
    return [*sources, *(path for index, path in enumerate(unused, len(sources)) if index in copies)]

"""Follows the sources of scores: config, recordings and the folders where recordings appear.

`DiskFollower` follows the eval set itself, because its text can be edited here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.file_access import exists, is_folder
from evaltui.tui.commands import key_of

if TYPE_CHECKING:
    from evaltui.files.disk_watch import DiskWatch
    from evaltui.tui.open_file.open_file import OpenFile

_OF_CHECKS = ("test_config.json", "evaltui.toml", "pyproject.toml")
"""Files that also decide what is checked in an eval set."""


class SourceFollower:
    """Scores the cases again after a change on disk, unless scoring is paused."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._watch: DiskWatch | None = None
        self._is_over = False
        self._waiting: frozenset[Path] = frozenset()
        """Files that changed while scoring was paused."""

    def follow(self) -> None:
        """Follow the sources of the open file from now on."""
        from evaltui.files.disk_watch import DiskWatch, Signs
        from evaltui.runs.watched_sources import signs_of

        self.stop()

        def look() -> Signs:
            # Read each time: the file may be saved elsewhere, and recordings may be added.
            path, named = self._file.document.path, self._file.options
            added = self._file.scorer.choices.added
            return signs_of(
                path, named.recordings, named.config, with_set=False, added=added, cancelled=lambda: self._is_over
            )

        def touched(paths: frozenset[Path]) -> None:
            # A recording that only counts from now on, because the set was edited, has not changed on disk.
            self._file.app.call_later(self.touched, paths - watch.unchanged)

        self._watch = watch = DiskWatch(look, touched)
        self._is_over = False
        watch.start()

    def renew(self) -> None:
        """The sources may be other files now: look at them at once."""
        if self._watch is not None:
            self._watch.renew()

    def stop(self) -> None:
        """Stop following."""
        self._is_over = True
        if self._watch is not None:
            self._watch.stop()

    def touched(self, paths: frozenset[Path]) -> None:
        """Score again after files changed; while paused, remember the files."""
        trial = self._file.trial_in_use
        # A config written here is scored at once, even while scoring is paused.
        is_own = trial is not None and trial.has_written(paths)
        if self._file.scores.is_paused and not is_own:
            self._waiting |= paths
            scores = self._file.scores
            if paths and scores.facts is not None and scores.has_any:
                scores.facts = scores.facts.as_before(f"{_named(self._waiting)} changed while scoring was paused")
                scores.compare()
                self._file.show_scores()
            return
        from evaltui.settings.project_settings import read_settings_again

        read_settings_again()  # they are cached by folder
        if any(path.name in _OF_CHECKS or str(path) == self._file.options.config for path in paths):
            self._file.checks.config_may_differ()
        named, is_gone = _named(frozenset() if is_own else paths), len(paths) == 1 and not exists(next(iter(paths)))
        self._file.scorer.score_changed(f"{named} {'is gone' if is_gone else 'changed on disk'}" if named else "")

    def pause_watch(self) -> None:
        """Pause or resume scoring after saves, edits and changes on disk."""
        scores = self._file.scores
        scores.is_paused = not scores.is_paused
        scores.version += 1
        self._file.show_scores()
        if scores.is_paused:
            key = key_of("run.pause")
            self._file.say(f"Paused: saves, edits and changes on disk are not scored. Press {key} to resume.")
            return
        self._file.say("Scoring resumed.")
        waiting, self._waiting = self._waiting, frozenset()
        if waiting:
            self.touched(waiting)
        else:
            self._file.scorer.score()


def _named(paths: frozenset[Path]) -> str:
    names = sorted({path.name for path in paths if not is_folder(path)})
    return " and ".join(names) if len(names) <= 2 else f"{len(names):,} files"

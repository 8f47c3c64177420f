"""A watch of many files. It watches their folders, because editors, git and agents replace files."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from evaltui.file_access import is_folder
from evaltui.files.file_changes import Signature, is_older, signature

_LOOK = 2.0
"""Seconds between two polls: network folders and recreated folders report no events."""
_SHARE = 50
"""After a slow poll, the pause is so many times its duration: at most 2 % of one processor."""
_STEP, _WAKE = 20, 100
"""Milliseconds without an event after which events are reported; milliseconds between two checks of the clock."""
_LONGEST = 200
"""The most milliseconds until events are reported, even if more are coming."""


Signs = tuple[Mapping[Path, Signature], frozenset[Path]]
"""The watched sources at one moment: each file with its signature, and the folders to watch for their changes."""


def signs_of_file(path: Path) -> Signs:
    """The state of one file, with its folder; for a link, also the folder of its target."""
    folders = frozenset((path.parent, Path(os.path.realpath(path)).parent))
    return {path: signature(path)}, folders


class DiskWatch:
    """Calls `touched` in its own thread with the paths that may have changed, until it is stopped.

    `look` returns the current files and folders. It runs again in the thread after each event, so new and deleted
    folders are noticed. Any source, such as a session database, can be watched through its `look`.
    """

    def __init__(
        self,
        look: Callable[[], Signs],
        touched: Callable[[frozenset[Path]], object],
        since: Signs | None = None,
    ) -> None:
        """`since` is the state before the first change to report; by default, the state at the first look."""
        self._look = look
        self._touched = touched
        self._stop = threading.Event()
        self._renew = threading.Event()
        self._since = since
        self._signs: Signs = {}, frozenset()
        self._looked = 0
        """When the last look began, in nanoseconds since 1970."""
        self.unchanged: frozenset[Path] = frozenset()
        """The reported files that became sources, or are none any more, but have not changed since the look before."""
        self._thread = threading.Thread(target=self._run, name="source watch", daemon=True)

    def start(self) -> None:
        """Start to watch. `touched` is called once without paths, because earlier changes would be missed."""
        self._thread.start()

    def renew(self) -> None:
        """Look again soon, because the sources are others now."""
        self._renew.set()

    def stop(self) -> None:
        """Stop reporting. Returns at once."""
        self._stop.set()

    def is_set(self) -> bool:
        """Whether watchfiles should end the current watch (its stop event)."""
        return self._stop.is_set() or self._renew.is_set()

    def _run(self) -> None:
        self._signs = self._since or self._read_signs()
        self._touched(frozenset())
        while not self._stop.is_set():
            self._renew.clear()
            try:
                self._listen()
            except Exception:  # whatever the system cannot do (no inotify, too many watches): poll instead
                self._renew.wait(_LOOK)
                if not self._stop.is_set():
                    self._compare()

    def _listen(self) -> None:
        from watchfiles import watch  # noqa: PLC0415 (38 ms, after the first frame)

        folders = _identified(self._signs[1])
        events = watch(
            *folders,
            watch_filter=None,
            debounce=_LONGEST,
            step=_STEP,
            rust_timeout=_WAKE,
            yield_on_timeout=True,
            stop_event=self,
            recursive=False,
            raise_interrupt=False,
        )
        due = 0.0  # compare at once: changes before the watch began would be missed
        for changes in events:
            began = time.monotonic()
            if self.is_set():
                return
            if not changes and began < due:
                continue
            self._compare({path for _, path in changes})
            if _identified(self._signs[1]) != folders:
                return
            due = time.monotonic() + max(_LOOK, _SHARE * (time.monotonic() - began))

    def _compare(self, reported: Iterable[str] = ()) -> None:
        """Report files with a changed signature, and files in events: two writes may leave the same signature."""
        (old, _), looked = self._signs, self._looked
        new, _ = self._signs = self._read_signs()
        changed = {path for path in old.keys() | new.keys() if old.get(path) != new.get(path)}
        changed |= {path for path in map(Path, reported) if path in new}
        if not changed or self._stop.is_set():
            return
        # A file may become a source, or be none any more, because another file changed, such as the settings.
        joined = {path for path in changed if path not in old and is_older(new[path], looked)}
        dropped = {path for path in changed if path not in new and signature(path) == old[path]}
        self.unchanged = frozenset(joined | dropped)
        self._touched(frozenset(changed))

    def _read_signs(self) -> Signs:
        self._looked = time.time_ns()
        try:
            return self._look()
        except OSError:  # the working directory is gone, so relative names lead nowhere
            files, folders = self._signs
            return dict.fromkeys(files), folders


def _identified(folders: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """The folders with device and inode. A missing folder is replaced by the nearest existing folder above it."""
    identities = {}
    for folder in folders:
        real = Path(os.path.realpath(folder))
        nearest = next(filter(is_folder, (real, *real.parents)), real)
        with suppress(OSError):
            status = nearest.stat()
            # A recreated folder has the same path but needs a new watch: events come by inode.
            identities[str(nearest)] = (status.st_dev, status.st_ino)
    return identities

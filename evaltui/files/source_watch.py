"""A watch of many files and folders, kept on folders: editors, git and agents replace a file by a new one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from evaltui.file_access import is_folder
from evaltui.files.file_signature import Signature, signature

_LOOK = 2.0
"""Seconds between two looks of our own: folders over the network, or made anew, report nothing."""
_SHARE = 50
"""A look that takes long is repeated after so many times as long, which is 2 % of one processor."""
_STEP, _WAKE = 20, 100
"""Milliseconds without a further event after which events are told, and between two looks at the clock."""
_LONGEST = 200
"""Milliseconds after which events are told even if more are coming."""


class Signs(NamedTuple):
    """The state of the watched sources at one moment."""

    files: Mapping[Path, Signature]
    """A sign of each file; another sign may mean the same content."""
    folders: frozenset[Path]
    """The folders in which a change of the sources shows."""


def signs_of_file(path: Path) -> Signs:
    """The state of one file, in whose folder a change shows; of a link also in the folder of its target."""
    folders = frozenset((path.parent, Path(os.path.realpath(path)).parent))
    return Signs({path: signature(path)}, folders)


class SourceWatch:
    """Calls `touched` in its own thread with the paths that may have changed, until it is stopped.

    `look` says which files and folders there are. It runs in the thread again after each event, so the watch follows
    folders that come and go. A session database or any other source takes part by what its `look` returns.
    """

    def __init__(
        self,
        look: Callable[[], Signs],
        touched: Callable[[frozenset[Path]], object],
        since: Signs | None = None,
    ) -> None:
        """`since` is the state from which on changes are told; without it, that of the first look."""
        self._look = look
        self._touched = touched
        self._stop = threading.Event()
        self._renew = threading.Event()
        self._since = since
        self._signs = Signs({}, frozenset())
        self._thread = threading.Thread(target=self._run, name="source watch", daemon=True)

    def start(self) -> None:
        """Begin to watch. `touched` is called once with no path: what changed before the first look would be missed."""
        self._thread.start()

    def renew(self) -> None:
        """Look again soon: other sources count from now on."""
        self._renew.set()

    def stop(self) -> None:
        """Tell nothing more; returns at once."""
        self._stop.set()

    def is_set(self) -> bool:
        """Whether watchfiles should end the present watch (its stop event)."""
        return self._stop.is_set() or self._renew.is_set()

    def _run(self) -> None:
        self._signs = self._since or self._look()
        self._touched(frozenset())
        while not self._stop.is_set():
            self._renew.clear()
            try:
                self._listen()
            except Exception:  # whatever the system cannot do here (no inotify, too many watches): look now and then
                self._renew.wait(_LOOK)
                if not self._stop.is_set():
                    self._compare()

    def _listen(self) -> None:
        """Tell changes while the folders stay the same ones."""
        from watchfiles import watch  # noqa: PLC0415 (38 ms, after the first frame)

        folders = _identified(self._signs.folders)
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
        due = 0.0  # at once: what happened before the watch began would be missed
        for changes in events:
            began = time.monotonic()
            if self.is_set():
                return
            if not changes and began < due:
                continue
            self._compare({path for _, path in changes})
            if _identified(self._signs.folders) != folders:
                return
            due = time.monotonic() + max(_LOOK, _SHARE * (time.monotonic() - began))

    def _compare(self, reported: Iterable[str] = ()) -> None:
        """Tell which files have another sign than before, or were reported: two writes can leave one sign."""
        before, now = self._signs.files, self._look()
        self._signs = now
        changed = {path for path in before.keys() | now.files.keys() if before.get(path) != now.files.get(path)}
        changed |= {path for path in map(Path, reported) if path in now.files}
        if changed and not self._stop.is_set():
            self._touched(frozenset(changed))


def _identified(folders: Iterable[Path]) -> dict[str, tuple[int, int]]:
    """The folders, each with device and inode, since one made anew must be watched anew.

    For a folder that is not there stands the nearest one above it, in which it will appear.
    """
    found = {}
    for folder in folders:
        real = Path(os.path.realpath(folder))
        there = next((each for each in (real, *real.parents) if is_folder(each)), None)
        try:
            status = there.stat() if there is not None else None
        except OSError:
            continue
        if status is not None:
            found[str(there)] = (status.st_dev, status.st_ino)
    return found

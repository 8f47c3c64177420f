"""A watch of one file, kept on its folder: an editor or git replaces the file by a new one."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.errors import ReadError, UnreachableError

_PATIENCE = (0.1, 0.2, 0.4)
"""Seconds to wait for a file that is just being written: git takes the old one away first."""

_LOOK = 2.0
"""Seconds between two looks of our own: folders over the network, or made anew, report nothing."""

Signature = tuple[int, ...] | None
"""Device, inode, size and times of a file, that of its content last.

None where there is no file, or the error number where nobody can say. Another signature may mean the same content.
"""


def signature(path: Path) -> Signature:
    """A cheap sign that a file may have changed."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    except OSError as error:
        return (error.errno or 0,)
    return status.st_dev, status.st_ino, status.st_size, status.st_ctime_ns, status.st_mtime_ns


class Watch:
    """Calls `touched`, in a thread of its own, whenever the file at `path` may have changed, until it is stopped."""

    def __init__(self, path: Path, touched: Callable[[], object]) -> None:
        self._path = path.absolute()
        self._touched = touched
        self._stop = threading.Event()
        self._last = signature(self._path)
        self._thread = threading.Thread(target=self._run, name="watch", daemon=True)

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def stop(self) -> None:
        """Report nothing more; returns at once."""
        self._stop.set()

    def _run(self) -> None:
        try:
            self._listen()
        except Exception:  # whatever the system cannot do here (no inotify, too many watches): look now and then
            while not self._stop.wait(_LOOK):
                self._compare()

    def _listen(self) -> None:
        from watchfiles import watch  # noqa: PLC0415 (38 ms, after the first frame)

        # A symlink's target is replaced in its own folder.
        folders = {self._path.parent, Path(os.path.realpath(self._path)).parent}
        events = watch(
            *folders,
            watch_filter=None,
            debounce=200,
            step=50,
            rust_timeout=round(_LOOK * 1000),
            yield_on_timeout=True,
            stop_event=self._stop,
            recursive=False,
            raise_interrupt=False,
        )
        for _ in events:
            if self._stop.is_set():
                return
            self._compare()

    def _compare(self) -> None:
        now = signature(self._path)
        if now != self._last:
            self._last = now
            self._touched()


def read_settled(path: Path) -> bytes | ReadError:
    """The file; a moment of patience with one that is gone or half written."""
    for pause in (*_PATIENCE, None):
        try:
            data = read_file(path)
            if pause is None or not _is_cut_short(data):
                return data
        except ReadError as error:
            if pause is None or isinstance(error, UnreachableError):
                return error
        if pause is not None:
            time.sleep(pause)
    raise AssertionError


def _is_cut_short(data: bytes) -> bool:
    """Whether a file ends in the midst of its text, as one does that is being written."""
    return not data.rstrip().endswith((b"}", b"]"))

"""`evaltui watch` as a process of its own, whose lines a test waits for."""

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, Queue
from typing import Any

from tests.warm.commands import warm_evaltui

PATIENCE = 60.0
"""Seconds that a line may take on a busy machine."""


class WatchProcess:
    """A watch that runs; used as a context, it ends with it."""

    def __init__(self, folder: Path, *arguments: str, program: Sequence[str] = ()) -> None:
        self.process = subprocess.Popen(
            [*(program or warm_evaltui()), "watch", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._documents: Queue[dict[str, Any]] = Queue()
        self._sentences: Queue[str] = Queue()
        self._threads = [
            threading.Thread(target=self._read_documents, daemon=True),
            threading.Thread(target=self._read_sentences, daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "WatchProcess":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def _read_documents(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._documents.put(json.loads(line))

    def _read_sentences(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._sentences.put(line.decode())

    def document(self) -> dict[str, Any]:
        """The next document."""
        return self._documents.get(timeout=PATIENCE)

    def sentence(self, holding: str) -> str:
        """The next sentence on stderr that holds some words."""
        while holding not in (line := self._sentences.get(timeout=PATIENCE)):
            pass
        return line

    def documents_so_far(self) -> list[dict[str, Any]]:
        """The documents that came and were not asked for."""
        found = []
        while True:
            try:
                found.append(self._documents.get_nowait())
            except Empty:
                return found

    def interrupt(self, number: int = signal.SIGINT) -> int:
        """Press Ctrl-C, or send another signal; the exit code."""
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)


def replace(path: Path, text: str) -> None:
    """Replace a file as editors do: write another, and move it there."""
    new = path.with_name(f".{path.name}.tmp")
    new.write_text(text)
    os.replace(new, path)  # noqa: PTH105


def until(is_so: Callable[[], bool]) -> None:
    """Wait for a state of the disk or the system."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "it never came"
        os.sched_yield()

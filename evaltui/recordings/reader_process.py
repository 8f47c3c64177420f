"""Large recordings read in a process of their own: parsing a large text holds the interpreter lock of an editor."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from evaltui.file_access import size_of
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.recording_bytes import PACKED, unpacked_head
from evaltui.recordings.recording_file import open_recording
from evaltui.recordings.recording_search import has_spans

_LARGE, _LARGE_TRACES = 50_000_000, 1_000_000
"""Bytes from which on a process pays off. Below, its start and the way back take longer than a thread takes to read.

Traces make longer pauses for other threads than results and sets, which are read case by case (docs/architecture.md).
"""
_PIECE = 5
"""The number of conversations or traces in a piece, which takes about a millisecond to unpack."""


def is_worth_a_process(path: Path) -> bool:
    """Whether a file is so large that a thread that reads it would block the keyboard."""
    size = size_of(path) * (PACKED if path.suffix == ".gz" else 1)
    if size <= _LARGE_TRACES or size > _LARGE:
        return size > _LARGE
    with suppress(RecordingError):  # opening the file reports it
        return has_spans(unpacked_head(path, 4096)) is not None
    return False


def open_in_process(
    path: Path,
    *,
    multi_turn: bool = False,
    progress: Callable[[int], None] | None = None,
    began: Callable[[subprocess.Popen[bytes]], object] = lambda _: None,
) -> Recording:
    """As `open_recording`, in another process, which `began` gets and may end. Raises `RecordingError`."""
    command = [sys.executable, "-P", "-m", __name__, str(path), "1" if multi_turn else ""]
    read: dict[str, list[Any]] = {"conversations": [], "traces": []}
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        began(process)
        assert process.stdout is not None
        with suppress(EOFError, pickle.UnpicklingError):  # the process came to an end, maybe within a piece
            while True:
                kind, value = pickle.load(process.stdout)  # safe: the bytes come from our own process
                if kind in read:
                    read[kind] += value
                elif kind == "error":
                    raise RecordingError(value)
                elif kind == "end":
                    form, warnings, lost = value
                    return Recording(path, form, tuple(read["conversations"]), warnings, tuple(read["traces"]), lost)
                if progress is not None:
                    progress(value if kind == "progress" else 0)
    raise RecordingError(f"{path}: the reader process stopped; the file may not fit into memory")


def _send(kind: str, value: Any) -> None:
    pickle.dump((kind, value), sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
    sys.stdout.buffer.flush()


def _main(name: str, multi_turn: str) -> None:
    if hasattr(os, "nice"):
        os.nice(10)  # on a single processor, the editor must stay responsive
    try:
        recording = open_recording(
            Path(name), multi_turn=bool(multi_turn), progress=lambda count: _send("progress", count)
        )
    except RecordingError as error:
        _send("error", str(error))
        return
    # Conversations whose traces are in several files are joined in the editor, as in `evaltui run`.
    for kind, values in (("conversations", recording.conversations), ("traces", recording.traces)):
        # In small pieces, because unpickling holds the interpreter lock of the editor too.
        for start in range(0, len(values), _PIECE):
            _send(kind, values[start : start + _PIECE])
    _send("end", (recording.format, recording.warnings, recording.lost))


if __name__ == "__main__":
    try:
        _main(*sys.argv[1:])
    except BrokenPipeError:  # nobody waits any more
        sys.stdout = None

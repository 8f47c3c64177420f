"""Crash reports: the traceback in a file, a copy of unsaved changes, and a message that names both."""

from __future__ import annotations

import os
import traceback
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_state_path

from evaltui import __version__
from evaltui.document.document import Document
from evaltui.printable import printable


def write_crash_report(error: BaseException, document: Document | None = None, folder: Path | None = None) -> str:
    """Write the traceback and the unsaved state of `document` to `folder` (default: the state folder).

    The traceback has no values of variables. Returns the message to show.
    """
    folder = folder or user_state_path("evaltui") / "crashes"
    stamp = datetime.now(tz=UTC).strftime("%Y%m%d-%H%M%S") + f"-{os.getpid()}"
    sentences = ["evaltui stopped because of an internal error."]
    try:
        # Other users must not read the report and the copy: sets hold texts of customers.
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        report = folder / f"{stamp}.txt"
        _write_new(report, f"evaltui {__version__}\n{''.join(traceback.format_exception(error))}".encode())
        sentences.append(f"Report: {report}")
        if document is not None and document.is_dirty:
            name = document.path.name if document.path else "unnamed.json"
            # A name may have 255 bytes. As much of it, with its ending, is kept as fits behind the time.
            rescued = folder / f"{stamp}-{os.fsencode(name)[-200:].decode('utf-8', 'ignore')}"
            _write_new(rescued, document.to_bytes())
            sentences.append(f"Your unsaved changes are in {rescued}; the file itself is unchanged.")
        elif document is not None:
            sentences.append("There were no unsaved changes.")
    except OSError as problem:
        sentences.append(f"The report could not be written ({problem.strerror}).")
    return printable("\n".join(sentences), keep_lines=True)


def _write_new(path: Path, data: bytes) -> None:
    """Write a new file that only this user can read; raises `OSError` if anything has the name, also a link."""
    # O_EXCL follows no link, so nobody can make a crash overwrite another file.
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(data)

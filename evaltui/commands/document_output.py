"""Output of a changed document: saved in place without touching another byte, or shown as a diff."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from stat import S_ISREG

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.disk.file_replacement import Saved
from evaltui.document.disk.temporary_file import remove_leftovers
from evaltui.document.document import Document
from evaltui.interrupt import deferred
from evaltui.printable import json_escaped, printable, say, write_line
from evaltui.runner_words import is_runner, unguarded


def print_document(document: Document) -> None:
    """Print the bytes of a document to stdout.

    On a terminal, and in the log of a CI runner, they are `json_escaped`: other bytes, but the same values.
    """
    stream, data = unguarded(sys.stdout), document.to_bytes()
    if stream.isatty() or (is_runner() and not S_ISREG(os.fstat(stream.fileno()).st_mode)):
        data = json_escaped(document.body().decode("utf-8", "surrogateescape")).encode()
    stream.write(data)
    stream.flush()


def print_diff(document: Document, before: bytes, name: str) -> None:
    """Print a diff of the body of a document and its body `before`."""
    for line in unified_diff(before, document.body(), printable(name)):
        write_line("stdout", line)


def save_in_place(document: Document, name: str) -> None:
    """Save a document to its file, whole or not at all. Raises `SaveError`."""
    remove_leftovers(Path(name))
    with deferred():
        saved = document.save()
    say_remarks(name, saved)


def say_remarks(name: str, saved: Saved) -> None:
    """Print what a save could not preserve of the old file."""
    for remark in saved.remarks:
        say(f"{name}: written; {remark}")

"""Output of a changed document: saved in place without touching another byte, or shown as a diff."""

from __future__ import annotations

from pathlib import Path

from evaltui.document.diff.unified_diff import unified_diff
from evaltui.document.disk.file_replacement import Saved
from evaltui.document.disk.temporary_file import remove_leftovers
from evaltui.document.document import Document
from evaltui.interrupt import deferred
from evaltui.printable import printable, say, write_line


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

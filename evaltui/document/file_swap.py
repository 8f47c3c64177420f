"""The move of a new file into the place of the old one, reversed if another program had changed the old one."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path

from evaltui.document import file_exchange
from evaltui.document.errors import ChangedOnDiskError
from evaltui.document.storage import Fingerprint, fingerprint_of_file
from evaltui.document.temporary_file import TemporaryFile


def swap(path: Path, temporary: TemporaryFile, target: Path, expected: Fingerprint | None) -> list[str]:
    """Put the new file in place of the old one if that has the fingerprint `expected`; returns remarks for the user.

    Raises `ChangedOnDiskError` if it has another one, and puts the old file back; else `OSError`.
    """
    try:
        if not file_exchange.exchange(temporary.path, target):
            return _replace_if_unchanged(path, temporary, target, expected)
    except FileNotFoundError:  # git takes a file away before it writes the new one
        raise ChangedOnDiskError.of(path) from None
    try:
        is_as_expected, remarks = _look_at(temporary.path, expected)
    except BaseException:
        _swap_back(temporary, target)
        raise
    if not is_as_expected:
        _swap_back(temporary, target)
        raise ChangedOnDiskError.of(path)
    return remarks


def _swap_back(temporary: TemporaryFile, target: Path) -> None:
    """Put the old file back, unless another program has changed the new file meanwhile: that text is newer."""
    temporary.holds_foreign_text = True
    try:
        file_exchange.exchange(temporary.path, target)
        is_ours, _ = _look_at(temporary.path, temporary.fingerprint)
        if not is_ours:
            file_exchange.exchange(temporary.path, target)
    except FileNotFoundError:  # deleted meanwhile
        with contextlib.suppress(FileExistsError):
            file_exchange.put_where_nothing_is(temporary.path, target)
    temporary.holds_foreign_text = False


def _replace_if_unchanged(
    path: Path, temporary: TemporaryFile, target: Path, expected: Fingerprint | None
) -> list[str]:
    """Replace a file on a disk that cannot swap. A second name keeps the old file for comparison before and after."""
    aside = temporary.path.with_suffix(".old")
    if not file_exchange.second_name(target, aside):
        if not _look_at(target, expected)[0]:
            raise ChangedOnDiskError.of(path)
        temporary.path.replace(target)
        return []
    try:
        if not _look_at(aside, expected)[0]:
            raise ChangedOnDiskError.of(path)
        temporary.path.replace(target)
        is_as_expected, remarks = _look_at(aside, expected)
        if not is_as_expected:
            aside.replace(target)
            raise ChangedOnDiskError.of(path)
        return remarks
    finally:
        aside.unlink(missing_ok=True)


def _look_at(old: Path, expected: Fingerprint | None) -> tuple[bool, list[str]]:
    """Whether a file moved aside has the fingerprint `expected` once no program writes it; and remarks."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(old, flags)
    except OSError as error:
        if error.errno == errno.ELOOP:  # a symlink has come in its place
            return False, []
        raise
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return False, []
        has_writers = file_exchange.has_writers(handle)
        remarks = ["another program still has the old file open: its changes there are lost"] if has_writers else []
        return fingerprint_of_file(handle) == expected, remarks
    finally:
        os.close(handle)

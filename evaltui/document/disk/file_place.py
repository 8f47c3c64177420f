"""The place of a file that evaltui writes: its folder, held open, so that no link can lead the write elsewhere.

A repository that somebody else wrote can have a link in the place of any file or folder. Links are followed here, one
by one. Each must stay within its repository, but out of `.git`. Outside of repositories, it must stay within the folder
of the link. Only the links of the machine and those in the home folder may lead anywhere.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from evaltui.document.errors import LeadsOutsideError
from evaltui.file_access import NOT_A_FILE, flags, open_regular

_MARK = ".git"
"""The folder, or the file of a worktree or submodule, that marks a repository."""
_MOST_LINKS = 40
"""Links on the way to a file, as many as Linux follows."""
_WARY = ("O_NOFOLLOW", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC")
_ON_THE_WAY = flags("O_DIRECTORY", "O_PATH", *_WARY)
"""With `O_PATH`, which macOS lacks, a folder needs no read permission."""
_Bounds = tuple[str, os.stat_result]
"""The path and the identity of a folder that a link must not leave."""
_APPENDING = os.O_RDWR | os.O_APPEND | os.O_CREAT | flags(*_WARY)


class Entry(NamedTuple):
    """A name in an open folder; without a folder, a path."""

    name: str
    folder: int | None = None

    def status(self) -> os.stat_result | None:
        """The status of what has this name, also of a link; None if nothing has it. Raises `OSError`."""
        with suppress(FileNotFoundError):
            return os.stat(self.name, dir_fd=self.folder, follow_symlinks=False)
        return None

    def open(self) -> BinaryIO:
        """Open a regular file for reading. Raises `OSError`, also for a link."""
        return open_regular(Path(self.name), follow=False, folder=self.folder)

    def move_to(self, new: Entry) -> None:
        """Give it another name, over any file that has it. Raises `OSError`."""
        os.replace(self.name, new.name, src_dir_fd=self.folder, dst_dir_fd=new.folder)

    def delete(self) -> None:
        """Delete the file, if it is there. Raises `OSError`."""
        with suppress(FileNotFoundError):
            os.unlink(self.name, dir_fd=self.folder)


class FilePlace:
    """A folder that is held open, and the name of a file in it."""

    def __init__(self, folder: int, path: Path) -> None:
        self.folder = folder
        self.path = path
        """The path of the file, without links."""
        self.file = Entry(path.name, folder)

    def may_write(self) -> bool:
        """Whether this user may write the file, or create it; False for what is no regular file. Raises `OSError`."""
        status = self.file.status()
        if status is None:
            return os.access(".", os.W_OK | os.X_OK, dir_fd=self.folder)
        return stat.S_ISREG(status.st_mode) and os.access(self.file.name, os.W_OK, dir_fd=self.folder)

    def open_to_append(self) -> BinaryIO:
        """Open the file for reading and appending, and create it if it is missing. Raises `OSError`."""
        status = self.file.status()
        if status is not None and not stat.S_ISREG(status.st_mode):  # opening a device can do something
            raise OSError(errno.EINVAL, NOT_A_FILE)
        handle = os.open(self.file.name, _APPENDING, 0o666, dir_fd=self.folder)
        if not stat.S_ISREG(os.fstat(handle).st_mode):  # another program exchanged it
            os.close(handle)
            raise OSError(errno.EINVAL, NOT_A_FILE)
        return os.fdopen(handle, "ab+")


@contextmanager
def find_place(path: Path, *, leaves: bool = False, makes_folders: bool = False) -> Iterator[FilePlace]:
    """The place of the file at `path`, which need not exist.

    With `leaves`, links may lead anywhere: a person has said so, or the file is the person's own. With `makes_folders`,
    missing folders are created. Raises `LeadsOutsideError` for a link that leads out, else `OSError`.
    """
    walk = _Walk(leaves=leaves, makes_folders=makes_folders)
    try:
        yield walk.to(path)
    finally:
        for folder in walk.folders:
            os.close(folder)


def why_outside(path: Path) -> LeadsOutsideError | None:
    """Why a file cannot be saved at `path`: a link leads out; None if there is no such link."""
    try:
        with suppress(OSError), find_place(path):
            return None
    except LeadsOutsideError as error:
        return error
    return None


class _Walk:
    """The way from the root to a file. Each folder on it is held open, so that `..` is the folder that was left."""

    def __init__(self, *, leaves: bool, makes_folders: bool) -> None:
        self._leaves, self._makes_folders = leaves, makes_folders
        self.folders = [os.open("/", _ON_THE_WAY)]
        self._names: list[str] = []
        self._links = 0

    def to(self, path: Path) -> FilePlace:
        """Go to the folder of a file. Raises `LeadsOutsideError` or `OSError`."""
        todo: list[str | _Bounds] = [*reversed((Path.cwd() / path).parts[1:])]
        name = ""
        while todo:
            step = todo.pop()
            if isinstance(step, tuple):
                self._refuse_outside(path, name, step)
                continue
            is_file = not any(isinstance(later, str) for later in todo)
            # No folder is created where a link leads before it is known that the link may lead there.
            makes = self._makes_folders and not any(isinstance(later, tuple) for later in todo)
            target = self._link_at(step) if is_file else self._enter(step, makes=makes)
            if target is None:
                name = step if is_file and step != ".." else ""
                continue
            if (bounds := self._bounds(is_file=is_file)) is not None:
                todo.append(bounds)
            todo += reversed(Path(target.lstrip("/")).parts)
            if target.startswith("/"):
                self._leave(len(self._names))
        if not name:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        return FilePlace(self.folders[-1], Path("/", *self._names, name))

    def _enter(self, name: str, *, makes: bool) -> str | None:
        """Go into a folder; returns the target instead if it is a link. Raises `OSError`."""
        if name == "..":
            self._leave(1)
            return None
        try:
            folder = self._open(name, makes=makes)
        except OSError as error:
            target = self._link_at(name) if error.errno in (errno.ENOTDIR, errno.ELOOP) else None
            if target is None:
                raise
            return target
        self.folders.append(folder)
        self._names.append(name)
        return None

    def _open(self, name: str, *, makes: bool) -> int:
        try:
            return os.open(name, _ON_THE_WAY, dir_fd=self.folders[-1])
        except FileNotFoundError:
            if not makes:
                raise
        with suppress(FileExistsError):
            os.mkdir(name, dir_fd=self.folders[-1])
        return os.open(name, _ON_THE_WAY, dir_fd=self.folders[-1])

    def _leave(self, count: int) -> None:
        for _ in range(min(count, len(self._names))):
            os.close(self.folders.pop())
            self._names.pop()

    def _link_at(self, name: str) -> str | None:
        """The target of a link; None for anything else. Raises `OSError`."""
        try:
            target = os.readlink(name, dir_fd=self.folders[-1])
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOENT):
                return None
            raise
        self._links += 1
        if self._links > _MOST_LINKS:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        return target

    def _bounds(self, *, is_file: bool) -> _Bounds | None:
        """The folder that a link here must not leave; None if it may lead anywhere."""
        if self._leaves:
            return None
        depths = range(len(self._names), -1, -1)
        depth = next((n for n in depths if Entry(_MARK, self.folders[n]).status() is not None), None)
        if depth is None and not is_file and self._is_trusted_folder():
            return None
        if depth is None:
            depth = len(self._names)
        return str(Path("/", *self._names[:depth])), os.fstat(self.folders[depth])

    def _is_trusted_folder(self) -> bool:
        """Whether links to folders are here because the machine or the user put them here.

        That is the home folder, and those above it, such as / with /tmp on macOS. So is a folder in which only root can
        write, unless this user is root.
        """
        with suppress(RuntimeError):  # nobody knows the home folder
            if Path(os.path.realpath(Path.home())).is_relative_to(Path("/", *self._names)):
                return True
        status = os.fstat(self.folders[-1])
        return status.st_uid == 0 != os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)

    def _refuse_outside(self, path: Path, name: str, bounds: _Bounds) -> None:
        # By identity, not by name: another program can move folders meanwhile.
        is_bounds = [os.path.samestat(os.fstat(folder), bounds[1]) for folder in self.folders]
        below = [*self._names[is_bounds.index(True) :], name] if any(is_bounds) else []
        # Nobody else wrote what is in .git: a clone has no files there.
        if not below or _MARK in map(str.lower, below):
            reason = f"a link leads to {os.path.realpath(path)}, which is not among the files of {bounds[0]}"
            advice = "name that file itself"
            raise LeadsOutsideError(f"{path}: cannot be saved: {reason}; {advice}", reason, advice)

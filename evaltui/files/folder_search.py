"""Searches below a folder, however deep or hostile it is: all files, or the paths that match a glob, within limits.

Both take linear time: no folder is searched twice, and for a glob not twice for the same part of it.
"""

from __future__ import annotations

import os
import re
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from fnmatch import translate
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.errors import DocumentError
from evaltui.file_access import why_unreadable

if TYPE_CHECKING:  # only a search by git needs them
    from evaltui.files.gitignore import Complain, Rules

MOST_ENTRIES = 1_000_000
"""The most files and folders that one search looks at."""
LONGEST = 60.0
"""The most seconds that one search takes."""


class SearchLimitError(DocumentError):
    """The search reached a limit; `reason` is the message without the folder."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"{folder}: {reason}")
        self.reason = reason


class SearchCancelledError(DocumentError):
    """The search was cancelled."""


class Bounds:
    """Counts the entries of one search; `count` raises once a limit is reached or the search is cancelled."""

    def __init__(
        self,
        entries: int | None = None,
        seconds: float | None = None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> None:
        self._most = MOST_ENTRIES if entries is None else entries
        self._seconds = LONGEST if seconds is None else seconds
        self._cancelled = cancelled
        self._entries = 0
        self._began = time.monotonic()

    def count(self, folder: Path) -> None:
        """Count one more entry, of `folder`. Raises `SearchLimitError` or `SearchCancelledError`."""
        if self._cancelled():
            raise SearchCancelledError("the search was cancelled")
        self._entries += 1
        has_many = self._entries > self._most
        if has_many or time.monotonic() - self._began > self._seconds:
            limit = f"{self._most:,} files and folders" if has_many else f"{self._seconds:g} seconds"
            raise SearchLimitError(folder, f"the search ended after {limit}; give a folder with fewer files")

    def scan(self, folder: Path, searched: Path) -> Iterator[os.DirEntry[str]]:
        """The entries of a folder, each counted for the searched folder. Raises `OSError`, and like `count`."""
        with os.scandir(folder) as entries:
            for entry in entries:
                self.count(searched)
                yield entry

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        """The entries of a folder, each counted; none if it is unreadable or not a folder. Raises like `count`."""
        counted: list[os.DirEntry[str]] = []
        with suppress(OSError):
            counted.extend(self.scan(folder, folder))
        return counted


_OF_TOOLS = frozenset({"node_modules", "site-packages", "__pycache__"})
_ENVIRONMENT = frozenset({"pyvenv.cfg", "conda-meta"})
"""Names that mark a folder as a virtual environment."""


def walk(
    folder: Path,
    bounds: Bounds,
    complain: Complain = lambda *_: None,
    *,
    by_git: bool = False,
    by_level: bool = False,
    hidden: Collection[str] = (),
    entered: Callable[[Path], object] = lambda _: None,
    skipped: Callable[[Path], object] = lambda _: None,
) -> Iterator[Path]:
    """The files below `folder`, without hidden entries, folders of tools and virtual environments.

    A link to a folder counts as a file and is not entered, so the walk cannot run in a circle.
    `by_git` leaves out files that git ignores. `by_level` yields files of upper folders first; else the order is by
    path. `hidden` are names with a leading dot that are included. `entered` is called for each searched folder,
    and `skipped` for each entry that is left out, but not for one that git ignores.
    Raises `SearchLimitError` and `SearchCancelledError`.
    """
    above: tuple[Rules, ...] | None = None
    if by_git:
        from evaltui.files.gitignore import rules_above  # noqa: PLC0415 - for this search only

        above = rules_above(folder, complain)

    def listed(searched: Path) -> Iterator[tuple[str, bool]]:
        """The entries to look at, by name, each with whether it is a folder."""
        try:
            ordered = sorted(bounds.scan(searched, folder), key=lambda entry: entry.name)
            # A virtual environment has thousands of files; only the folder that was named is searched all the same.
            if searched != folder and any(entry.name in _ENVIRONMENT for entry in ordered):
                skipped(searched)
                return
            entered(searched)
            kinds = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in ordered]
        except OSError as error:
            complain(searched, why_unreadable(error))
            return
        for name, is_folder in kinds:
            if (name.startswith(".") and name not in hidden) or (is_folder and name in _OF_TOOLS):
                skipped(searched / name)
            else:
                yield name, is_folder

    pending = deque([(folder, True, above)])
    while pending:
        path, is_folder, rules = pending.popleft()
        if not is_folder:
            yield path
            continue
        entries = list(listed(path))
        if rules is not None:
            entries, rules = _not_ignored(path, entries, rules, complain)
        below = [(path / name, is_folder, rules) for name, is_folder in entries]
        if by_level:
            pending.extend(sorted(below, key=itemgetter(1)))
        else:
            pending.extendleft(reversed(below))


def _not_ignored(
    folder: Path, entries: list[tuple[str, bool]], above: tuple[Rules, ...], complain: Complain
) -> tuple[list[tuple[str, bool]], tuple[Rules, ...]]:
    """The entries of a folder that git does not ignore, and the rules in force in it, behind those `above` it."""
    from evaltui.files.gitignore import is_ignored, rules_of  # noqa: PLC0415 - for a search by git only

    rules = (*above, *filter(None, [rules_of(folder, complain)]))
    # Made from a name in the folder, so that it ends with one slash, even for the root.
    start = os.fsencode(folder.absolute() / "_")[:-1]
    return [entry for entry in entries if not is_ignored(start + os.fsencode(entry[0]), entry[1], rules)], rules


# --- globs -----------------------------------------------------------------------------------------------------

_MAGIC = re.compile(r"[*?\[]")
_ANY_FOLDERS = "**"


def matching(folder: Path, pattern: str, bounds: Bounds) -> list[Path]:
    """Files and folders that match `pattern`, sorted. A pattern that is not absolute starts at `folder`.

    The rules are those of Python's `glob` with `recursive`: `**` is any number of folders, and only a pattern with a
    leading dot matches a name with a leading dot. `**` enters no links to folders; as the last part it is the folder
    itself. Raises `SearchLimitError` and `SearchCancelledError`.
    """
    parts = Path(pattern).parts
    # `**/**` means the same as `**`.
    steps = [part for number, part in enumerate(parts) if part != _ANY_FOLDERS or parts[number - 1 : number] != (part,)]
    matches: dict[Path, None] = {}
    seen: set[tuple[Path, int]] = set()
    pending = [(folder, 0)]
    while pending:
        path, step = pending.pop()
        if (path, step) in seen:  # `**/a/**` reaches one path in many ways
            continue
        seen.add((path, step))
        if step == len(steps):
            matches[path] = None
        else:
            pending += _following(path, steps, step, bounds)
    return sorted(matches)


def _following(path: Path, steps: list[str], step: int, bounds: Bounds) -> Iterator[tuple[Path, int]]:
    """The paths that match one part of the pattern at `path`, each with the number of the part to match next."""
    part = steps[step]
    if part == _ANY_FOLDERS:
        yield path, step + 1
        for entry in bounds.entries(path) if step + 1 < len(steps) else []:
            if not entry.name.startswith(".") and is_real_folder(entry):
                yield path / entry.name, step
    elif _MAGIC.search(part) is None:
        if os.path.lexists(path / part):
            yield path / part, step + 1
    else:
        fits = re.compile(translate(part)).match  # atomic groups: it takes linear time for each piece
        for entry in bounds.entries(path):
            if fits(entry.name) and (part.startswith(".") or not entry.name.startswith(".")):
                yield path / entry.name, step + 1


def is_real_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder itself, not a link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:  # some disks give no kind with the name; asking for it can fail
        return False

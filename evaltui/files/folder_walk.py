"""Iteration over all files below a folder, however deep or hostile the folder is."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

from evaltui.file_access import why_unreadable
from evaltui.files.gitignore import Complain, Rules, is_ignored, rules_above, rules_of
from evaltui.files.search_bounds import Bounds

_OF_TOOLS = frozenset({"node_modules", "site-packages", "__pycache__"})
_ENVIRONMENT = frozenset({"pyvenv.cfg", "conda-meta"})
"""Names that mark a folder as a virtual environment."""


class _Entry(NamedTuple):
    path: Path
    is_folder: bool
    rules: tuple[Rules, ...]
    """The rules in force in the folder that holds the entry."""


class Walk:
    """The files below `folder`, without hidden entries, folders of tools and virtual environments.

    A link to a folder counts as a file and is not entered, so the walk cannot run in a circle. Iteration raises
    `SearchLimitError` and `SearchCancelledError`.
    """

    def __init__(
        self,
        folder: Path,
        bounds: Bounds,
        complain: Complain = lambda *_: None,
        *,
        by_git: bool = False,
        by_level: bool = False,
        hidden: Collection[str] = (),
    ) -> None:
        """Set the order and the entries to leave out.

        `by_git` leaves out files that git ignores. `by_level` yields files of upper folders first; else the order is by
        path. `hidden` are names with a leading dot that are included.
        """
        self._folder, self._bounds, self._complain = folder, bounds, complain
        self._by_git, self._by_level, self._hidden = by_git, by_level, hidden

    def __iter__(self) -> Iterator[Path]:
        above = rules_above(self._folder, self._complain) if self._by_git else ()
        pending = deque([_Entry(self._folder, True, above)])
        while pending:
            entry = pending.popleft()
            if not entry.is_folder:
                yield entry.path
                continue
            found = self._entries(entry)
            if self._by_level:
                pending.extend(sorted(found, key=lambda each: each.is_folder))
            else:
                pending.extendleft(reversed(found))

    def _entries(self, folder: _Entry) -> list[_Entry]:
        """Entries of a folder, sorted by name; none if it is unreadable or a virtual environment."""
        try:
            with os.scandir(folder.path) as entries:
                found = sorted(self._counted(entries), key=lambda entry: entry.name)
            if folder.path != self._folder and any(entry.name in _ENVIRONMENT for entry in found):
                return []
            seen = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found if self._is_seen(entry.name)]
        except OSError as error:
            self._complain(folder.path, why_unreadable(error))
            return []
        rules = self._rules_in(folder)
        start = os.fsencode(folder.path.absolute() / "_")[:-1] if rules else b""
        return [
            _Entry(folder.path / name, is_folder, rules)
            for name, is_folder in seen
            if not (is_folder and name in _OF_TOOLS) and not is_ignored(start + os.fsencode(name), is_folder, rules)
        ]

    def _counted(self, entries: Iterator[os.DirEntry[str]]) -> Iterator[os.DirEntry[str]]:
        for entry in entries:
            self._bounds.count(self._folder)
            yield entry

    def _is_seen(self, name: str) -> bool:
        return not name.startswith(".") or name in self._hidden

    def _rules_in(self, folder: _Entry) -> tuple[Rules, ...]:
        own = rules_of(folder.path, self._complain) if self._by_git else None
        return folder.rules if own is None else (*folder.rules, own)

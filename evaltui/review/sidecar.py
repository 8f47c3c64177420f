"""The sidecar of a set, `SET.review.jsonl`: decisions and notes of people, one JSON object a line, append-only.

Git merges the lines of two people without conflicts (`*.review.jsonl merge=union` in .gitattributes).
"""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from getpass import getuser
from pathlib import Path

from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDING_OF_SIDECARS
from evaltui.file_access import exists, is_file, is_folder, is_link
from evaltui.review.decisions import Decision, DecisionKind, ReviewDecisions, decisions_in
from evaltui.review.review_item import ReviewItem

_GIT_SECONDS = 2.0


class SidecarError(DocumentError):
    """The sidecar cannot be read or written; the message is a sentence with its name."""


class Sidecar:
    """The file of decisions beside a set."""

    def __init__(self, set_path: Path) -> None:
        self.path = set_path.with_name(f"{set_path.name}{ENDING_OF_SIDECARS}")
        self._made = b""
        """The content of the file, if this object made it and nothing else was written since."""
        self._valid: set[str] = set()
        """The ids of the decisions in `_made` that are not undone."""

    def read(self) -> ReviewDecisions:
        """Read the decisions; none if there is no file. Raises `SidecarError`."""
        if exists(self.path) and not is_file(self.path) and not is_folder(self.path):
            raise SidecarError(f"{self.path}: cannot be read: it is not a regular file")  # reading a pipe may never end
        try:
            text = self.path.read_bytes().decode("utf-8", "replace")
        except FileNotFoundError:
            return ReviewDecisions()
        except OSError as error:
            raise SidecarError(f"{self.path}: cannot be read: {error.strerror or error}") from error
        return decisions_in(text.split("\n"))

    def add(self, decisions: Sequence[Decision]) -> bool:
        """Append decisions. Returns whether this made the file. Raises `SidecarError`."""
        is_new = bool(decisions) and not exists(self.path)
        self._append([each.to_json() for each in decisions])
        self._valid.update(each.id for each in decisions)
        return is_new

    def take_back(self, decisions: Sequence[Decision]) -> None:
        """Append lines that undo decisions. Raises `SidecarError`.

        If this object made the file and all its decisions are undone, the file is deleted instead: whoever only tried
        a key finds no new file. Any other file stays append-only, because git merges lines, not deletions.
        """
        self._valid -= {each.id for each in decisions}
        if self._made and not self._valid and self._is_as_made():
            self._delete()
            return
        author = author_in(self.path.parent)
        self._append([{"takes_back": each.id, "time": _now(), "author": author} for each in decisions])

    def _is_as_made(self) -> bool:
        try:
            return not is_link(self.path) and self.path.read_bytes() == self._made
        except OSError:
            return False

    def _delete(self) -> None:
        self._made = b""
        try:
            self.path.unlink()
        except OSError as error:
            raise SidecarError(f"{self.path}: cannot be deleted: {error.strerror or error}") from error

    def check_writable(self) -> None:
        """Raise `SidecarError` if a line cannot be added."""
        is_there = exists(self.path)
        is_odd = is_link(self.path) and not is_there  # a link to nowhere
        may_write = os.access(self.path if is_there else self.path.parent, os.W_OK)
        if is_odd or not may_write or (is_there and not is_file(self.path)):
            raise SidecarError(f"{self.path}: cannot be written")

    def _append(self, lines: Sequence[dict[str, object]]) -> None:
        if not lines:
            return
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        is_new = not exists(self.path)
        try:
            with self.path.open("ab+") as file:
                is_own = is_new or (self._made != b"" and file.tell() == len(self._made))
                self._made = self._made if is_own and not is_new else b""
                if file.tell():
                    file.seek(-1, os.SEEK_END)
                    # A last line without a newline (after a crash, or from a text editor) stays a line of its own.
                    text = text if file.read(1) == b"\n" else f"\n{text}"
                file.write(text.encode())
                self._made = self._made + text.encode() if is_own else b""
        except OSError as error:
            raise SidecarError(f"{self.path}: cannot be written: {error.strerror or error}") from error


def decision_on(
    item: ReviewItem,
    folder: Path,
    verdict: DecisionKind | None = None,
    *,
    changes: Sequence[str] = (),
    became: str | None = None,
    note: str = "",
) -> Decision:
    """A new decision on an item, by the git user of a folder."""
    identifier = uuid.uuid4().hex[:16]
    return Decision(
        identifier, _now(), author_in(folder), item.eval_id, item.turn, item.seen, verdict, tuple(changes), became, note
    )


def again(decision: Decision) -> Decision:
    """A copy of an undone decision, with a new id and time."""
    return decision._replace(id=uuid.uuid4().hex[:16], time=_now())


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@lru_cache(maxsize=16)
def author_in(folder: Path) -> str:
    """The author of decisions: `Name <address>` from git's settings, else the name of the account."""
    name, address = (_git_setting(folder, key) for key in ("user.name", "user.email"))
    if name or address:
        return f"{name} <{address}>" if name and address else name or address
    try:
        return getuser()
    except (KeyError, OSError):
        return "unknown"


def _git_setting(folder: Path, key: str) -> str:
    try:
        found = subprocess.run(
            ["git", "config", "--get", key], cwd=folder, capture_output=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return found.stdout.decode("utf-8", "replace").strip()

"""Decisions of people about items of a review, whether each still applies, and the sidecar of a set that keeps them.

A decision has the hash of both sides. It no longer applies once the expected or the recorded side changes. A sidecar,
`SET.review.jsonl`, is append-only: one JSON object a line. Git merges the lines of two people without conflicts
(`*.review.jsonl merge=union` in .gitattributes).
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from getpass import getuser
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

from evaltui.document.disk.file_content import fingerprint
from evaltui.document.disk.file_place import find_place
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import DocumentError, LeadsOutsideError, SaveError
from evaltui.document.scanner import read_json
from evaltui.evalset.file_formats import ENDING_OF_SIDECARS
from evaltui.file_access import exists, read_regular
from evaltui.printable import one_line
from evaltui.review.review_items import ReviewItem

DecisionKind = Literal["accepted", "agent is wrong", "skipped"]
_MOST_UNREAD = 1_000
DECISION_KINDS: tuple[DecisionKind, ...] = ("accepted", "agent is wrong", "skipped")
_GIT_SECONDS = 2.0
_LONGEST_NAME = 200
"""The most letters of a person's name, and of the address."""
_LARGEST = 20_000_000
"""The most bytes of a sidecar that are read, about 60,000 decisions."""


class Decision(NamedTuple):
    """A decision or note of one person: one line of a sidecar."""

    id: str
    """Globally unique, because a later line can undo the decision by this id."""
    time: str
    """When, as `2026-11-22T21:04:00Z`."""
    author: str
    eval_id: str
    turn: int | None
    seen: str
    """The hash of both sides that the person saw (`ReviewItem.seen`)."""
    verdict: DecisionKind | None = None
    """None for a note alone."""
    changes: tuple[str, ...] = ()
    """The ids of the changes that were accepted."""
    became: str | None = None
    """The hash of both sides once the changes were accepted; None for other verdicts."""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """The line of a sidecar; members without a value are left out."""
        members = {"decision" if name == "verdict" else name: value for name, value in self._asdict().items()}
        members["changes"] = [*self.changes]
        return {key: value for key, value in members.items() if value not in (None, [], "") or key == "turn"}


class ReviewDecisions:
    """The decisions of a sidecar that were not undone, in the order of its lines."""

    def __init__(self, lines: Iterable[str] = ()) -> None:
        """Read the lines of a sidecar. Raises `ValueError` if so many are no decisions that the file is no sidecar."""
        self.unread: list[int] = []
        """The numbers of lines that are not decisions, from 1."""
        every: list[Decision] = []
        taken_back: set[str] = set()
        for number, line in enumerate(lines, 1):
            # In a conflict of git both sides count, so its markers are skipped.
            if not line.strip() or line.startswith(("<<<<<<<", "=======", ">>>>>>>", "|||||||")):
                continue
            try:
                value = read_json(line)
            except ValueError:
                value = None
            if isinstance(value, dict) and isinstance(identifier := value.get("takes_back"), str):
                taken_back.add(identifier)  # a merge of git may put this line before its decision
            elif isinstance(value, dict) and (decision := _decision_of(value)) is not None:
                every.append(decision)
            else:
                self.unread.append(number)
                if len(self.unread) > _MOST_UNREAD:
                    raise ValueError(f"more than {_MOST_UNREAD:,} lines are not decisions")
        self._keep({decision.id: decision for decision in every if decision.id not in taken_back}.values())

    def _keep(self, decisions: Iterable[Decision]) -> None:
        self.every = [*decisions]
        self._by_case: defaultdict[str, list[Decision]] = defaultdict(list)
        for decision in self.every:
            self._by_case[decision.eval_id].append(decision)

    def about(self, item: ReviewItem) -> list[Decision]:
        """The decisions and notes that apply to an item: neither side changed since, except by the acceptance itself.

        For each person, the last verdict and all notes count. Notes still apply once changes of the turn are accepted.
        """
        of_case, last, states = self._by_case[item.eval_id], self.verdicts(item), {item.seen}
        for decision in reversed(of_case):
            if decision.verdict == "accepted" and decision.became in states:
                states.add(decision.seen)
        applying = [
            decision
            for decision in of_case
            # Another verdict does not apply to values that replaced those it was about.
            if state_after(decision) in (states if decision.verdict in (None, "accepted") else (item.seen,))
        ]
        return [
            decision
            for decision in applying
            if decision.verdict is None or decision.note or last.get(decision.author) is decision
        ]

    def add(self, decisions: Sequence[Decision]) -> None:
        """Add new decisions."""
        self._keep([*self.every, *decisions])

    def take_back(self, decisions: Sequence[Decision]) -> None:
        """Remove decisions that were undone."""
        gone = {decision.id for decision in decisions}
        self._keep(decision for decision in self.every if decision.id not in gone)

    def verdicts(self, item: ReviewItem) -> dict[str, Decision]:
        """The last verdict of each person on an item, by author.

        Who accepted the item later, without saving the set, gave up an earlier verdict: there is none then.
        """
        last: dict[str, Decision] = {}
        for decision in self._by_case[item.eval_id]:
            if decision.verdict is not None and state_after(decision) == item.seen:
                last[decision.author] = decision
            elif (
                _is_unsaved(decision, item.seen)
                and decision.author in last
                and last[decision.author].verdict != "accepted"
            ):
                del last[decision.author]
        return last

    def is_acceptance_unsaved(self, item: ReviewItem) -> bool:
        """Whether somebody accepted changes of an item, last of all, and the set does not have the values."""
        about = [decision for decision in self._by_case[item.eval_id] if decision.verdict is not None]
        last = {
            decision.author: decision
            for decision in about
            if state_after(decision) == item.seen or _is_unsaved(decision, item.seen)
        }
        return any(_is_unsaved(decision, item.seen) for decision in last.values())


def state_after(decision: Decision) -> str | None:
    """The hash of both sides to which a decision applies."""
    return decision.became if decision.verdict == "accepted" else decision.seen


def _is_unsaved(decision: Decision, seen: str) -> bool:
    """Whether an acceptance began at this state, and did not change it."""
    return decision.verdict == "accepted" and decision.seen == seen != decision.became


def contradict(verdicts: Iterable[Decision]) -> bool:
    """Whether people decided differently. Skipping is not a decision."""
    return len({decision.verdict for decision in verdicts if decision.verdict != "skipped"}) > 1


def _decision_of(value: dict[str, Any]) -> Decision | None:
    texts = [value.get(name) for name in ("id", "time", "author", "eval_id", "seen")]
    turn, verdict, changes = value.get("turn"), value.get("decision"), value.get("changes", [])
    became, note = value.get("became"), value.get("note", "")
    if not isinstance(changes, list) or not isinstance(turn, int | None) or not isinstance(became, str | None):
        return None
    if not all(isinstance(text, str) for text in (*texts, note, *changes)) or verdict not in (None, *DECISION_KINDS):
        return None
    identifier, time, author, eval_id, seen = map(str, texts)
    return Decision(identifier, time, author, eval_id, turn, seen, verdict, tuple(changes), became, note)


# --- the sidecar ------------------------------------------------------------------------------------------------------


class SidecarError(DocumentError):
    """The sidecar cannot be read or written; the message is a sentence with its name. `reason` leaves out the name."""

    def __init__(self, sentence: str, reason: str = "") -> None:
        super().__init__(sentence)
        self.reason = reason or sentence


class Sidecar:
    """The file of decisions beside a set."""

    def __init__(self, set_path: Path) -> None:
        self.path = set_path.with_name(f"{set_path.name}{ENDING_OF_SIDECARS}")
        self._made = b""
        """The content of the file, if this object made it and nothing else was written since."""
        self._valid: set[str] = set()
        """The ids of the decisions in `_made` that are not undone."""
        self._unwritten: list[dict[str, object]] = []
        """Lines that could not be written. The next write begins with them."""

    def read(self) -> ReviewDecisions:
        """Read the decisions; none if there is no file. Raises `SidecarError`."""
        try:
            lines = io.BytesIO(read_regular(self.path, _LARGEST))
            return ReviewDecisions(line.decode("utf-8", "replace") for line in lines)
        except FileNotFoundError:
            return ReviewDecisions()
        except (OSError, ValueError) as error:
            raise self._error("read", error) from error

    def add(self, decisions: Sequence[Decision]) -> bool:
        """Append decisions. Returns whether this made the file. Raises `SidecarError`."""
        is_new = self._append([decision.to_json() for decision in decisions])
        self._valid.update(decision.id for decision in decisions)
        return is_new

    def take_back(self, decisions: Sequence[Decision]) -> None:
        """Append lines that undo decisions. Raises `SidecarError`.

        If this object made the file and all its decisions are undone, the file is deleted instead. Decisions that could
        not be written yet are not written any more, and a file that somebody deleted is not made again.
        """
        gone = {decision.id for decision in decisions}
        self._valid -= gone
        # Whoever only tried a key finds no new file. Other files only grow, because git merges lines, not deletions.
        if self._made and not self._valid:
            try:
                is_as_made = read_regular(self.path, len(self._made), follow=False) == self._made
            except (OSError, ValueError):
                is_as_made = False
            if is_as_made:
                self._made = b""
                try:
                    with find_place(self.path) as place:
                        place.file.delete()
                except (OSError, SaveError) as error:
                    raise self._error("deleted", error) from error
                return
        unwritten = {line.get("id") for line in self._unwritten}
        self._unwritten = [line for line in self._unwritten if line.get("id") not in gone]
        author = author_in(self.path.parent)
        written = [decision.id for decision in decisions if decision.id not in unwritten]
        self._append([{"takes_back": identifier, "time": _now(), "author": author} for identifier in written])

    def check_writable(self) -> None:
        """Raise `SidecarError` if a line cannot be added."""
        try:
            with find_place(self.path) as place:
                may_write = place.may_write()
        except (OSError, SaveError) as error:
            raise self._error("written", error) from error
        if not may_write:
            raise SidecarError(f"{self.path}: cannot be written")

    @property
    def unwritten(self) -> int:
        """The number of lines that could not be written."""
        return len(self._unwritten)

    def write_rest(self) -> None:
        """Write the lines that could not be written, if there are any. Raises `SidecarError`."""
        self._append([])

    def _append(self, lines: Sequence[dict[str, object]]) -> bool:
        """Append lines, after those that could not be written; returns whether this made the file.

        Raises `SidecarError`; the lines then wait for the next time.
        """
        self._unwritten += lines
        if not self._unwritten:
            return False
        text = "".join(f"{json.dumps(line)}\n" for line in self._unwritten).encode()
        try:
            with find_place(self.path) as place:
                is_new = place.file.status() is None
                if is_new and all("takes_back" in line for line in self._unwritten):
                    self._unwritten.clear()  # somebody deleted the file, with the decisions
                    return False
                with place.open_to_append() as file:
                    self._append_to(file, text, is_new=is_new)
        except (OSError, SaveError, ValueError) as error:
            raise self._error("written", error) from error
        self._unwritten.clear()
        return is_new

    def _append_to(self, file: BinaryIO, text: bytes, *, is_new: bool) -> None:
        size = file.seek(0, os.SEEK_END)
        is_own = is_new or (self._made != b"" and size == len(self._made))
        self._made = self._made if is_own and not is_new else b""
        if size:
            file.seek(-1, os.SEEK_END)
            # A last line without a newline (after a crash, or from a text editor) stays a line of its own.
            text = text if file.read(1) == b"\n" else b"\n" + text
        if os.fstat(file.fileno()).st_nlink > 1:
            # The other name of the file can be anywhere, so it keeps the old content, as with a save.
            content = read_regular(self.path, _LARGEST)
            file.close()  # a save waits for programs that have the file open for writing
            save_file(self.path, [content, text], fingerprint(content))
        else:
            file.write(text)
        self._made = self._made + text if is_own else b""

    def _error(self, what: str, error: Exception) -> SidecarError:
        reason = str(getattr(error, "strerror", None) or error)
        if isinstance(error, SaveError):
            advice = "delete the link" if isinstance(error, LeadsOutsideError) else error.advice
            reason = f"{error.reason}; {advice}"
        return SidecarError(f"{self.path}: cannot be {what}: {reason}", f"{reason} ({self.path.name})")


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
    """A setting that a person made: in general, or for the repository with a `.git`, which no clone can have."""
    # `PATH` can have an entry such as `.`, which would be searched from the folder.
    entries = [entry for entry in os.get_exec_path() if entry.startswith("/")]
    git = shutil.which("git", path=os.pathsep.join(entries))
    if git is None:
        return ""
    # Git begins where the `.git` is: a folder of a clone can look like a bare repository, whose settings count.
    real = Path(os.path.realpath(folder))
    start = next((above for above in (real, *real.parents) if exists(above / ".git")), Path("/"))
    command = [git, "-c", "safe.bareRepository=explicit", "config", "--get", key]
    try:
        process = subprocess.run(
            command, cwd=start, stdin=subprocess.DEVNULL, capture_output=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return ""
    return one_line(process.stdout[:_LONGEST_NAME].decode("utf-8", "replace"), _LONGEST_NAME)

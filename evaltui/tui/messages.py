"""Messages of the status line: phrases about a finished step, short descriptions of edits, and the message log."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Iterable, Sequence

from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.printable import one_line
from evaltui.tui.commands import key_of

_PAST = {
    "edit": "edited", "add": "added", "delete": "deleted", "rename": "renamed", "change": "changed", "clone": "cloned",
    "move": "moved", "paste": "pasted", "make": "made", "take": "took", "replace": "replaced",
    "fix": "fixed", "drop": "dropped", "name": "named", "write": "wrote", "set": "set", "put": "put", "split": "split",
    "compose": "composed", "number": "numbered",
}  # fmt: skip

_LONG = 50

ENDED = "Editing ended."
"""The beginning of the message after the text box was left."""
UNSAFE = "unsafe fix"
"""The beginning of a message that shows a fix before a second press applies it."""


def in_past_tense(label: str) -> str:
    """The label of a finished step: `delete turn 2` becomes `deleted turn 2`."""
    verb, _, rest = label.partition(" ")
    return f"{_PAST.get(verb, verb)} {rest}"


def sentences(first: str, remarks: Iterable[str]) -> str:
    """Clauses as sentences in a row: `Saved trips.evalset.json. 1 draft not in the file.`"""
    others = (f"{each[:1].upper()}{each[1:]}" for each in remarks if each)
    return " ".join(map(with_full_stop, [first, *others]))


def with_full_stop(text: str) -> str:
    """A text as the end of a sentence. A cut text keeps its ellipsis as the last character."""
    return text if text.rstrip('"').endswith((".", "…")) else f"{text}."


def undo_said(*, is_typing: bool = False) -> str:
    """The phrase with the undo key: `u: undo`."""
    return f"{key_of('field.undo' if is_typing else 'list.undo')}: undo"


class MessageLog:
    """The last 100 messages, in the order in which they were shown."""

    def __init__(self) -> None:
        self._messages: deque[str] = deque(maxlen=100)
        self._subject: Hashable = None
        """The subject of the last message."""

    def add(self, message: str, subject: Hashable = None) -> None:
        """Add a message. It replaces the last one if it continues it: `saved x · 2 pass` replaces `saved x`.

        Messages in a row with one `subject`, such as the field that is typed in, replace each other.
        """
        if not message:
            return
        last = self._messages[-1] if self._messages else None
        is_same = subject is not None and subject == self._subject
        if last is not None and (is_same or message == last or message.startswith(f"{last} ")):
            self._messages.pop()
        self._subject = subject
        self._messages.append(message)

    def newest_first(self) -> list[str]:
        """All kept messages, newest first."""
        return list(reversed(self._messages))


def fix_in_past_tense(title: str) -> str:
    """The title of a fix that was applied: `Delete the part` becomes `deleted the part`."""
    return in_past_tense(title[:1].lower() + title[1:])


def fixed_said(title: str, root: Node, edits: Sequence[Edit]) -> str:
    """The message of an applied fix: `user_contents renamed to user_content`. `root` is the value before the fix."""
    change = before_and_after(root, edits)
    before, arrow, after = change.partition(" → ")
    if arrow and len(edits) == 1:
        if title.startswith("Rename it to "):
            return f"{before} renamed to {after}"
        if title.startswith("Write "):
            return f"{before} changed to {after}"
    return f"{fix_in_past_tense(title)} · {change}"


def before_and_after(root: Node, edits: Sequence[Edit]) -> str:
    """A short description of the edits of `root`; at most three edits in detail."""
    said = [_one(root, edit) for edit in edits[:3]]
    more = [f"and {len(edits) - 3} more"] if len(edits) > 3 else []
    return "; ".join([*said, *more])


def _one(root: Node, edit: Edit) -> str:
    name = one_line(parse_pointer(edit.pointer)[-1], 40) if edit.pointer else "the value"
    match edit:
        case Set():
            return f"{_source(root, edit.pointer)} → {_short(edit.source)}"
        case Insert():
            return f"+ {name}: {_short(edit.source)}"
        case Remove():
            return f"− {name}: {_source(root, edit.pointer, edit.occurrence)}"
        case Rename():
            return f"{name} → {one_line(edit.name, 40)}"
        case Move():
            return f"{one_line(edit.origin, _LONG)} → {one_line(edit.pointer, _LONG)}"
    return name


def _source(root: Node, pointer: str, occurrence: int | None = None) -> str:
    try:
        if occurrence is None:
            return _short(root.at(pointer).source())
        above, _, _ = pointer.rpartition("/")
        named = [item for item in root.at(above).items if item.name == parse_pointer(pointer)[-1]]
        return _short(named[occurrence].source())
    except (DocumentError, IndexError):
        return "…"


def _short(source: bytes) -> str:
    return one_line(source.decode("utf-8", "replace"), _LONG)

"""A diagnostic: one thing that is wrong, where, how bad that is, and the edits that would put it right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from evaltui.document.edits import Edit, Move

Severity = Literal["error", "warning", "info"]
Group = Literal["syntax", "schema", "meaning", "config", "format"]
"""`schema`: google-adk's model rejects it; `meaning`: accepted, and wrong or misleading later."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that put one thing right. A safe one changes no meaning, or only gives what was certainly meant."""

    title: str
    """In the imperative: `Rename it to user_content`."""
    safe: bool
    edits: tuple[Edit, ...]
    """At pointers relative to the same value as that of the diagnostic."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding of a rule, at a value, at the key of it, or where a member is missing."""

    code: str
    severity: Severity
    message: str
    """A sentence without its place and without a full stop; whatever it quotes from the file is printable."""
    pointer: str
    """RFC 6901, relative to what was checked: a case, or the whole file. For a missing member, where it would be."""
    at_key: bool = False
    """Whether the key is what is wrong, and not its value."""
    fix: Fix | None = None

    def below(self, prefix: str) -> Diagnostic:
        """The same finding with pointers relative to what holds `prefix`."""
        fix = self.fix and replace(self.fix, edits=tuple(edit_below(edit, prefix) for edit in self.fix.edits))
        return replace(self, pointer=prefix + self.pointer, fix=fix)


def edit_below(edit: Edit, prefix: str) -> Edit:
    """`edit` with `prefix` in front of its pointers."""
    if isinstance(edit, Move):
        return edit._replace(origin=prefix + edit.origin, pointer=prefix + edit.pointer)
    return edit._replace(pointer=prefix + edit.pointer)

"""Rules and diagnostics.

A rule says what a code stands for, why it matters to google-adk, and has examples that are tested. A diagnostic is one
finding of a rule: what is wrong, where, how bad that is, and the edits that would put it right.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from evaltui.document.edits import Edit, Move, Set, json_text
from evaltui.printable import one_line, printable

if TYPE_CHECKING:
    from evaltui.validation.pointed_values import PointedValue

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


def renaming(pointer: str, name: str, *, safe: bool = True) -> Fix:
    """The fix that writes `name` where an id stands."""
    return Fix(f"Rename it to {one_line(name, 30)}", safe, (Set(pointer, json_text(name)),))


ExampleKind = Literal["set", "case", "turn", "dataset", "dataset_case", "config", "text"]

USER = '"user_content": {"parts": [{"text": "Hi"}]}'
FINAL = '"final_response": {"parts": [{"text": "Hello"}]}'
TURN = f"{{{USER}, {FINAL}}}"
TALK = f'"conversation": [{TURN}]'
"""Members of examples in which no rule finds anything."""


@dataclass(frozen=True, slots=True)
class Example:
    """JSON that shows a rule: a set or dataset, only a case or a turn of one, a config, or text that is no JSON."""

    kind: ExampleKind
    text: str
    config: str = ""
    """The config that is loaded with it; "" for none."""


def a_set(text: str, config: str = "") -> Example:
    """A whole eval set."""
    return Example("set", text, config)


def a_case(text: str, config: str = "") -> Example:
    """The only case of a set."""
    return Example("case", text, config)


def a_turn(text: str, config: str = "") -> Example:
    """The only turn of the only case of a set."""
    return Example("turn", text, config)


def a_dataset(text: str) -> Example:
    """A whole EvaluationDataset."""
    return Example("dataset", text)


def a_dataset_case(text: str) -> Example:
    """The only case of an EvaluationDataset."""
    return Example("dataset_case", text)


@dataclass(frozen=True, slots=True)
class Rule:
    """One documented kind of finding."""

    code: str
    """In kebab-case."""
    summary: str
    """The finding, in one sentence with its full stop."""
    why: str
    """The effect in google-adk, with the module that has it (or the specification); may be Markdown."""
    bad: Example
    good: Example
    fix: str = ""
    """The effect of the fix, in one sentence; "" where there is none."""
    severity: Severity = "warning"
    group: Group = "meaning"

    def at(
        self,
        place: PointedValue | str,
        message: str,
        *,
        at_key: bool = False,
        fix: Fix | None = None,
        severity: Severity | None = None,
    ) -> Diagnostic:
        """A finding of this rule at a value, or at the pointer of a missing one."""
        pointer = place if isinstance(place, str) else place.pointer
        return Diagnostic(self.code, severity or self.severity, printable(message), pointer, at_key, fix)

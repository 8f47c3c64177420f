"""Rules, and the diagnostics that they find."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from evaltui.document.edits import Edit, Move, Set, json_text
from evaltui.document.positions import TextRange
from evaltui.printable import one_line, printable

if TYPE_CHECKING:
    from evaltui.validation.checked_case import CaseFacts, PointedValue

Severity = Literal["error", "warning", "info"]
Group = Literal["syntax", "schema", "meaning", "config", "format"]
"""`schema`: google-adk's model rejects the file. `meaning`: the file is accepted, but is wrong or misleading later."""
_BEGINNING = TextRange(1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that fix one problem. A safe fix changes no meaning, or writes what the author certainly meant."""

    title: str
    """In the imperative: `Rename it to user_content`."""
    safe: bool
    edits: tuple[Edit, ...]
    """Pointers are relative to the same value as the pointer of the diagnostic."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem that a rule finds: at a value, at its key, or where a field is missing."""

    code: str
    severity: Severity
    message: str
    """A sentence without its place and without a full stop; text from the file is printable."""
    pointer: str
    """RFC 6901, relative to what was checked: a case, or the whole file. For a missing field, its future place."""
    at_key: bool = False
    """Whether the key is wrong, not its value."""
    fix: Fix | None = None
    place: TextRange = _BEGINNING
    """Where it is in the text; the beginning until `located` finds the place."""
    eval_id: str | None = None
    """The case that people know it by, once it is located."""
    turn: int | None = None
    """The number of its turn, from 1, once it is located."""

    def below(self, prefix: str) -> Diagnostic:
        """The same diagnostic, with pointers relative to the value that holds `prefix`."""
        fix = self.fix and replace(self.fix, edits=tuple(edit_below(edit, prefix) for edit in self.fix.edits))
        # Not `replace`, which takes three times as long: a file may have thousands of diagnostics.
        return Diagnostic(self.code, self.severity, self.message, prefix + self.pointer, self.at_key, fix)


NumberedDiagnostic = tuple["int | None", Diagnostic]
"""A diagnostic with the number of its case (from 0); its pointers are relative to that case. None: the whole set."""


class SetCheck:
    """A check across the cases of a set. It notes the facts of all cases in order, and keeps only a summary.

    After that, it gives the diagnostics of the set and, given the facts of a case again, those of the case. So it can
    check a set with very many cases.
    """

    def note(self, cases: Iterable[tuple[int, CaseFacts]]) -> list[int]:
        """Take in the facts of the next cases by number, from 0; returns those that may have a diagnostic."""
        raise NotImplementedError

    def of_set(self) -> Iterator[Diagnostic]:
        """The diagnostics of the set itself, with pointers relative to the file."""
        yield from ()

    def of_case(self, number: int, facts: CaseFacts) -> Iterator[Diagnostic]:
        """The diagnostics of a case with a number that `note` returned. Cases come in order, each once."""
        raise NotImplementedError


def edit_below(edit: Edit, prefix: str) -> Edit:
    """`edit` with `prefix` in front of its pointers."""
    if isinstance(edit, Move):
        return edit._replace(origin=prefix + edit.origin, pointer=prefix + edit.pointer)
    return edit._replace(pointer=prefix + edit.pointer)


def renaming(pointer: str, name: str, *, safe: bool = True) -> Fix:
    """The fix that replaces an id with `name`."""
    return Fix(f"Rename it to {one_line(name, 30)}", safe, (Set(pointer, json_text(name)),))


ExampleKind = Literal["set", "case", "turn", "dataset", "dataset_case", "config", "text"]
_KINDS = {"case": "case of a set", "turn": "turn of a case", "dataset_case": "case of a dataset"}

USER = '"user_content": {"parts": [{"text": "Hi"}]}'
FINAL = '"final_response": {"parts": [{"text": "Hello"}]}'
TURN = f"{{{USER}, {FINAL}}}"
TALK = f'"conversation": [{TURN}]'
"""Fields of examples in which no rule finds anything."""


@dataclass(frozen=True, slots=True)
class Example:
    """JSON that shows a rule: a whole file, one case or turn, a config, or invalid JSON."""

    kind: ExampleKind
    text: str
    config: str = ""
    """The config that is loaded with the example; "" for none."""

    @property
    def caption(self) -> str:
        """The kind of value that the text is, behind *Wrong* and *Right*; "" for a whole set and for any text."""
        return "" if self.kind in ("set", "text") else f" (a {_KINDS.get(self.kind, self.kind)})"

    @property
    def shown(self) -> str:
        """The text, safe to show: that of a byte that is not UTF-8 has a lone surrogate."""
        return printable(self.text, keep_lines=True)


a_set = partial(Example, "set")
"""A whole eval set."""
a_case = partial(Example, "case")
"""The only case of an eval set."""
a_turn = partial(Example, "turn")
"""The only turn of the only case of an eval set."""
a_dataset = partial(Example, "dataset")
"""A whole EvaluationDataset."""
a_dataset_case = partial(Example, "dataset_case")
"""The only case of an EvaluationDataset."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of problem, with its documentation: what is wrong, why it matters to google-adk, and tested examples."""

    code: str
    """In kebab-case."""
    summary: str
    """The problem, in one sentence with its full stop."""
    why: str
    """The effect in google-adk, and the module (or specification) that shows it; may be Markdown."""
    bad: Example
    good: Example
    fix: str = ""
    """The effect of the fix, in one sentence; "" if there is no fix."""
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
        """A diagnostic of this rule at a value, or at the pointer of a missing value."""
        pointer = place if isinstance(place, str) else place.pointer
        return Diagnostic(self.code, severity or self.severity, printable(message), pointer, at_key, fix)

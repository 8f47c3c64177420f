"""Keys that are nearly right, in objects where google-adk lets unknown keys pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document import Rename
from evaltui.evalset.keys import camel
from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.misspellings import meant
from evaltui.validation.place import Place
from evaltui.validation.rule import Rule


def misspelt(
    rule: Rule, place: Place, known: Sequence[str], effect: str = "google-adk does not read it"
) -> Iterator[Diagnostic]:
    """Keys of an object that are near to one of the `known` names which is not there; `effect` is what follows."""
    absent = [name for name in known if place.key(name) is None]
    for key in place.data if isinstance(place.data, dict) else ():
        if key in known or key in map(camel, known) or not (name := meant(key, absent)):
            continue
        at = place.below(key)
        fix = Fix(f"Rename it to {name}", True, (Rename(at.pointer, place.spelt(name)),))
        yield rule.at(at, f"{one_line(key, 40)} should be {name}; {effect}", at_key=True, fix=fix)

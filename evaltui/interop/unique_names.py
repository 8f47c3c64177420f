"""Unique names of cases, for formats that require them."""

from __future__ import annotations

from evaltui.interop.output_tree import Invented, Tree, missing, remade, text_in
from evaltui.interop.portable_set import PortableCase

_RENAME = "Give each case a unique id."


class UniqueNames:
    """Gives each case of a set a unique name: its id, with a number if another case has the same id."""

    def __init__(self, format_name: str, unique: str) -> None:
        """`format_name` requires names; `unique` is the reason for a changed name."""
        self._format_name, self._unique = format_name, unique
        self._taken: set[str] = set()

    def name(self, case: PortableCase, number: int) -> tuple[Tree, str]:
        """The name to be written, and its text; `number` is the place of the case in its set, from 1."""
        wanted = text_in(case.id) or f"case_{number}"
        name, copies = wanted, 1
        while name in self._taken:
            copies += 1
            name = f"{wanted}_{copies}"
        self._taken.add(name)
        if case.id is None or not text_in(case.id):
            return Invented(name, case.node, "/eval_id", missing(self._format_name, case.id)), name
        return (case.id if name == wanted else remade(case.id, name, "changed", self._unique, _RENAME)), name

"""Fixes that no pointer reaches: those at or below a key that stands twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from evaltui.document.edits import Edit, Move
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.rules.values import DUPLICATE_KEY


def with_reachable_fixes(found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The findings of a value, without the fixes that would be refused; those of equal keys are among them."""
    every = [*found]
    doubled = {each.pointer for each in every if each.code == DUPLICATE_KEY.code}
    for each in every:
        is_unreachable = each.fix is not None and _passes(each, doubled)
        yield replace(each, fix=None) if is_unreachable else each


def _passes(found: Diagnostic, doubled: set[str]) -> bool:
    """Whether the way to what a fix edits leads through one of the doubled; that of a doubled key leads to it."""
    edits = found.fix.edits if found.fix is not None and doubled else ()
    own = {found.pointer} if found.code == DUPLICATE_KEY.code else set()
    return any(
        place in doubled and place not in own
        for edit in edits
        for pointer in _pointers(edit)
        for place in _way(pointer)
    )


def _pointers(edit: Edit) -> tuple[str, ...]:
    return (edit.pointer, edit.origin) if isinstance(edit, Move) else (edit.pointer,)


def _way(pointer: str) -> Iterator[str]:
    while pointer:
        yield pointer
        pointer = pointer.rpartition("/")[0]

"""Edits of a case as edits of the set that holds it."""

from __future__ import annotations

from dataclasses import replace

from evaltui.document.edits import Edit, Move


def edit_below(edit: Edit, prefix: str) -> Edit:
    """`edit` with `prefix` in front of its pointers."""
    if isinstance(edit, Move):
        return replace(edit, origin=prefix + edit.origin, pointer=prefix + edit.pointer)
    return replace(edit, pointer=prefix + edit.pointer)

"""The words about a step of the history that was just done."""

from __future__ import annotations

from evaltui.tui.commands import key_of

_PAST = {
    "edit": "edited", "add": "added", "delete": "deleted", "rename": "renamed", "change": "changed", "clone": "cloned",
    "move": "moved", "paste": "pasted", "make": "made", "take": "took", "replace": "replaced",
    "fix": "fixed", "drop": "dropped",
}  # fmt: skip


def in_past_tense(label: str) -> str:
    """The label of a step that is done: `delete turn 2` becomes `deleted turn 2`."""
    verb, _, rest = label.partition(" ")
    return f"{_PAST.get(verb, verb)} {rest}"


def undo_said(*, is_typing: bool = False) -> str:
    """The key that takes back the step that was just done."""
    return f"{key_of('field.undo' if is_typing else 'list.undo')} undoes it"

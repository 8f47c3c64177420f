"""One command of the registry, and the places where keys act."""

from __future__ import annotations

from typing import NamedTuple

PLACES = {
    "anywhere": "Everywhere",
    "everywhere": "In the editor, also while typing in a field",
    "list": "In every pane",
    "tree": "In the tree",
    "form": "In the form",
    "why": "On the lines of Why below a form",
    "recorded": "In the recorded turn beside the form; the keys of Why act here, too",
    "field": "While typing in a field",
    "problems": "In the problems",
    "run": "In the scores",
    "review": "In the review",
    "picker": "In the recordings, their conversations and the runs of a case",
    "recordings": "In the list of recordings",
    "conversations": "In the conversations of a recording",
    "runs": "In the runs of a case",
    "adding": "In the conversations to add: their list and the chat",
    "chats": "In the list of conversations to add",
    "chat": "In the chat of a conversation",
    "criteria": "In the criteria",
    "fixes": "When shown all safe fixes",
    "losses": "When shown what a conversion loses",
    "replacement": "When asked before a conversion replaces a file",
    "converted": "After a conversion",
    "reading": "While a file of another format is converted",
    "repair": "In a file that is not JSON",
    "repairs": "When shown what the safe fixes of such a file change",
    "recovery": "When an earlier session left unsaved changes",
    "filter": "In the line of the filter",
    "jump": "When asked where to go",
    "sets": "In the list of eval sets",
    "watch": "In the table of evaltui watch",
    "watching": "Everywhere in evaltui watch",
    "palette": "In the command palette",
    "conflicts": "When your changes conflict with the file on disk",
    "reload": "When asked before a reload",
    "overwrite": "When asked before a save removes changes of others",
    "replace": "In find and replace",
    "hits": "In the list of hits to replace",
    "agent": "In the output of an agent",
    "trust": "When asked whether to trust a command",
    "unsaved_run": "When asked before an agent runs with unsaved changes",
    "quit": "When asked before quitting",
    "unsaved": "When shown unsaved changes",
    "pasted": "After a paste that is too long for a field",
    "copy": "When asked how to copy",
    "outside": "When what an editor left cannot be used",
    "choice": "When asked to choose from a list",
    "name": "When asked for a name",
    "value": "When writing a value by hand",
    "dialog": "In a dialog",
}
"""The places where keys act, with their headings in the help.

`anywhere` acts on every screen and in every dialog, `everywhere` in all panes and fields of the editor, `list` in all
its panes.
"""

ONE_PANE = frozenset({"run"})
"""Places with keys of their own that go before further keys of every pane."""


class Command(NamedTuple):
    """One thing that a key does."""

    id: str
    place: str
    keys: str
    """Key names as Textual has them, comma-separated; the first is the one shown."""
    action: str
    title: str
    """In the keys line; short."""
    help: str
    footer: bool = False
    """Whether the keys line shows it."""


def shared_keys(one: Command, other: Command) -> set[str]:
    """Keys that two commands have in common."""
    return set(one.keys.split(",")) & set(other.keys.split(","))


def clashing_keys(one: Command, other: Command) -> set[str]:
    """Keys that two commands of one place cannot share.

    A pane may take a further key of a command of every pane for itself. The first key of that command is the one that
    is shown, so it acts in every pane.
    """
    shared = shared_keys(one, other)
    for own, common in ((one, other), (other, one)):
        if common.place == "list" and own.place in ONE_PANE:
            shared -= set(common.keys.split(",")[1:])
    return shared

"""One command of the registry, and the places where keys work."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

if TYPE_CHECKING:
    from evaltui.tui.widgets.line_view import LineView

PLACES = {
    "anywhere": "Everywhere",
    "everywhere": "In the editor, even while typing in a field",
    "list": "In every pane",
    "tree": "In the tree",
    "form": "In the form",
    "why": "In the Why pane, below a form",
    "recorded": "In the recorded turn beside the form (the keys of the Why pane work there, too)",
    "field": "While typing in a field",
    "problems": "In the problems",
    "run": "In the scores",
    "review": "In the review",
    "lists": "In the lists of recordings and conversations",
    "picker": "In the recordings screen",
    "recordings": "In the list of recordings",
    "conversations": "In the conversations of a recording",
    "runs": "In the runs of a case",
    "adding": "In the screen to add recorded conversations",
    "chats": "In the list of recorded conversations",
    "chat": "In the turns of a recorded conversation",
    "criteria": "In the criteria",
    "fixes": "When evaltui offers all safe fixes",
    "losses": "In the list of values that a conversion loses",
    "replacement": "When evaltui asks before a conversion replaces a file",
    "converted": "After a conversion",
    "reading": "While evaltui converts a file of another format",
    "repair": "In a file that is not valid JSON",
    "repairs": "In the preview of fixes for a file that is not valid JSON",
    "recovery": "In the unsaved changes of an earlier session",
    "filter": "In the filter line",
    "jump": "When evaltui asks where to go",
    "sets": "In the list of eval sets",
    "watch": "In the table of evaltui watch",
    "watching": "Everywhere in evaltui watch",
    "palette": "In the command palette",
    "conflicts": "In conflicts with the file on disk",
    "reload": "When evaltui asks before a reload",
    "overwrite": "When evaltui asks before a save removes changes of others",
    "replace": "In find and replace",
    "hits": "In the list of hits to replace",
    "agent": "In the output of an agent",
    "trust": "When evaltui asks whether to trust a command",
    "unsaved_run": "When evaltui asks before an agent runs with unsaved changes",
    "quit": "When evaltui asks before quitting",
    "unsaved": "In the unsaved changes",
    "pasted": "After a paste that is too long for a field",
    "copy": "When evaltui asks how to copy",
    "outside": "After an external editor left an invalid value",
    "outdated": "A draft whose value has changed",
    "choice": "In a list of choices",
    "name": "When evaltui asks for a name",
    "value": "While writing a value by hand",
    "dialog": "In a dialog",
}
"""The places where keys work, with their headings in the help.

Keys of `anywhere` work on every screen and in every dialog, of `everywhere` in all panes and fields of the editor, and
of `list` in all its panes.
"""

ONE_PANE = frozenset({"run"})
"""Places whose own keys take precedence over the second and later keys of `list` commands."""


ScreenT = TypeVar("ScreenT", default=Any)


# Not a NamedTuple: in one, pyright does not infer the screen that the code of a row gets. The tables are built in
# functions, because mypy checks code at module level before it knows the attributes of the screens.
@dataclass(frozen=True)
class Command(Generic[ScreenT]):
    """A command that keys trigger."""

    id: str
    place: str
    keys: str
    """Textual's key names, comma-separated; the first one is shown."""
    run: Callable[[ScreenT], object] | str
    """The code, which gets the front screen; or the id of the command that has the same code."""
    title: str
    """Short title in the keys line and the palette."""
    help: str
    footer: bool = False
    """Whether the keys line shows it."""

    @cached_property
    def does(self) -> str:
        """The id of the command with the code: commands that do the same have the same."""
        return self.run if isinstance(self.run, str) else self.id

    @property
    def is_shared(self) -> bool:
        """Whether its keys are bound on other screens than the editor, too, which need not do it."""
        return self.place in ("everywhere", "list") or (self.place == "field" and self.does != self.id)


def move_commands(
    place: str,
    lines: Callable[[ScreenT], LineView],
    first: str = "line",
    last: str = "",
    *,
    up: str = "up,k",
    page_down: str = "pagedown,ctrl+d",
    verb: str = "Go",
) -> tuple[Command[ScreenT], ...]:
    """The commands of a place that move in a list. `first` and `last` say what the rows at its ends are."""
    moves: tuple[tuple[str, str, Callable[[ScreenT], object], str], ...] = (
        ("down", "down,j", lambda screen: lines(screen).move(1), "down"),
        ("up", up, lambda screen: lines(screen).move(-1), "up"),
        ("page_down", page_down, lambda screen: lines(screen).move_page(1), "a page down"),
        ("page_up", "pageup,ctrl+u", lambda screen: lines(screen).move_page(-1), "a page up"),
        ("top", "home,g", lambda screen: lines(screen).move_end(-1), f"to the first {first}"),
        ("bottom", "end,G", lambda screen: lines(screen).move_end(1), f"to the last {last or first}"),
    )
    return tuple(
        Command(f"{place}.{name}", place, keys, code, name.replace("_", " "), f"{verb} {goal}.")
        for name, keys, code, goal in moves
    )

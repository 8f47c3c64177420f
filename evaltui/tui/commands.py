"""The registry of commands: the source of bindings, the keys line, the help and docs/keys.md.

A key means one thing at one place. Letters work in panes and never while typing. The commands themselves are in
`editor_commands.py`, `review_commands.py`, `recording_commands.py`, `conversation_commands.py`, `watch_commands.py`
and `dialog_commands.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from functools import cache
from typing import TYPE_CHECKING

from evaltui.tui.command import ONE_PANE, Command
from evaltui.tui.conversation_commands import CONVERSATION_COMMANDS
from evaltui.tui.dialog_commands import DIALOG_COMMANDS
from evaltui.tui.editor_commands import EDITOR_COMMANDS
from evaltui.tui.recording_commands import RECORDING_COMMANDS
from evaltui.tui.review_commands import REVIEW_COMMANDS
from evaltui.tui.watch_commands import WATCH_COMMANDS

if TYPE_CHECKING:
    from textual.binding import BindingType

COMMANDS = (
    *EDITOR_COMMANDS,
    *REVIEW_COMMANDS,
    *RECORDING_COMMANDS,
    *CONVERSATION_COMMANDS,
    *WATCH_COMMANDS,
    *DIALOG_COMMANDS,
)
"""All commands, in the order of the help and the keys line."""


CHANGING = frozenset(
    {
        "save", "undo", "redo", "edit_outside", "replace", "fix", "list.fix_all", "tree.fix", "problems.fix", "list.undo", "list.redo", "list.save_as",
        "list.save_copy", "list.drop_draft", "list.merge", "list.revert", "list.edit_outside", "tree.add", "tree.add_inside",
        "tree.add_before", "tree.clone", "tree.delete", "tree.move_up", "tree.move_down", "tree.cut",
        "tree.paste", "tree.paste_before", "tree.rename", "tree.type", "form.add", "form.delete", "form.delete_response", "form.toggle", "form.rename",
        "why.accept", "why.accept_turn", "why.accept_sequence", "repair.fix", "form.paste", "form.type", "form.fresh", "form.move_up", "form.move_down",
    }
)  # fmt: skip
"""Ids of commands that a read-only file neither offers nor allows."""


_OPENED_BY: Mapping[str, tuple[str, ...]] = {
    "screen.review": ("review",), "screen.why": ("why",), "screen.to_recorded": ("recorded",),
    "screen.criteria": ("criteria",), "screen.open_criteria": ("criteria",), "screen.losses": ("losses",),
    "screen.recordings": ("recordings",), "screen.runs": ("runs",), "screen.conversations": ("chats", "chat"),
    "screen.show_unsaved": ("unsaved",), "screen.reload": ("reload",), "screen.merge": ("conflicts",),
    "screen.fix_all": ("fixes", "repairs"), "screen.explain": ("dialog",), "screen.copy_as": ("copy",),
    "screen.run_agent": ("agent", "trust", "unsaved_run"), "screen.show_agent": ("agent",),
    "screen.show_pane('problems')": ("problems",), "screen.show_pane('run')": ("run",),
    "screen.convert": ("choice",), "screen.match": ("choice",), "more": ("choice",),
    "screen.save_as": ("name",), "screen.save_copy": ("name",), "screen.note": ("name",), "rename": ("name",),
    "add": ("name", "field", "choice"), "add(False)": ("name", "field"), "add(True)": ("name", "field"), "add(False, True)": ("name", "field"),
    "screen.edit": ("value",), "screen.edit_outside": ("value",), "screen.replace": ("replace",), "screen.settings": ("value",),
    "screen.open_source": ("reading",), "screen.open_another": ("sets",), "screen.find": ("filter",), "screen.jump": ("jump",),
    "recordings.open": ("conversations",), "screen.show_runs": ("runs",), "screen.add_as_case": ("chats", "chat"),
    "screen.go_to_chat": ("chat",), "screen.read": ("dialog",), "screen.show_why": ("dialog",), "screen.go_to_place": ("tree",),
    "screen.step_failing(1)": ("why",), "screen.step_failing(-1)": ("why",), "screen.next_hit(1)": ("why",), "screen.next_hit(-1)": ("why",),
    "screen.step_problem(1)": ("problems",), "screen.step_problem(-1)": ("problems",),
}  # fmt: skip
"""The places that an action, or the command with an id, opens if it can: only there, the keys that follow it are meant to act.

A step to something opens nothing. It names a place with its letters, and forgets the key where it succeeds.
"""


_BEFORE_TEXT_BOX = frozenset(
    {"choice.down", "choice.up", "choice.page_down", "choice.page_up", "choice.top", "choice.bottom", "name.complete"}
)
"""Ids of dialog commands whose keys the text box of the dialog would otherwise handle."""

_TYPING = ("anywhere", "everywhere")
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "form": ("why", *_TYPING, "list"), "why": ("form", *_TYPING, "list"), "recorded": ("why", *_TYPING, "list"),
    "picker": (), "recordings": ("picker",), "conversations": ("picker",), "runs": ("picker",),
    "adding": (), "chats": ("adding",), "chat": ("adding",),
    "criteria": ("form", "everywhere", "list"), "field": _TYPING, "filter": _TYPING, "review": (), "watch": ("watching",), "watching": (), "hits": ("replace",), "replace": (), "repairs": (), "losses": (), "replacement": (), "converted": (), "reading": (), "unsaved": (), "conflicts": (), "agent": (), "trust": (), "unsaved_run": (),
}  # fmt: skip


def places_beside(place: str) -> tuple[str, ...]:
    """Other places whose keys also work at a place; for a pane, those of every pane."""
    return _BESIDE.get(place, (*_TYPING, "list"))


def own_places(place: str) -> tuple[str, ...]:
    """The place with those that count as the same: form and Why, the recorded turn and Why, the criteria and the form."""
    if place in ("form", "why"):
        return ("form", "why")
    return {"recorded": ("recorded", "why"), "criteria": ("criteria", "form")}.get(place, (place,))


def places_opened_by(command: Command) -> tuple[str, ...]:
    """The places that a command opens if it can."""
    return _OPENED_BY.get(command.action) or _OPENED_BY.get(command.id, ())


def other_keys(remaps: Mapping[str, str]) -> dict[str, str]:
    """The remaps by command id, without those that equal the default keys."""
    usual = {command.id: command.keys for command in COMMANDS}
    return {name: keys for name, keys in remaps.items() if keys != usual.get(name)}


_in_force: list[Command] = list(COMMANDS)


def use_keys(remaps: Mapping[str, str]) -> None:
    """Show these keys, by command id, instead of the default ones from now on."""
    _in_force[:] = [command._replace(keys=remaps.get(command.id, command.keys)) for command in COMMANDS]
    commands_at.cache_clear()


@cache
def commands_at(*places: str) -> tuple[Command, ...]:
    """The commands of some places, in order, with the current keys."""
    return tuple(command for command in _in_force if command.place in places)


def bindings(*places: str) -> list[BindingType]:
    """The Textual bindings of some places, with default keys; the app's keymap applies the settings."""
    from textual.binding import Binding

    chosen = [command for command in COMMANDS if command.place in places]
    own = {key for command in chosen if command.place in ONE_PANE for key in command.keys.split(",")}
    return [
        Binding(
            _keys_beside(own, command),
            command.action,
            command.title,
            show=False,
            id=command.id,
            priority=command.place in ("anywhere", "watching", "why", "criteria") or command.id in _BEFORE_TEXT_BOX,
        )
        for command in chosen
    ]


def _keys_beside(own: Set[str], command: Command) -> str:
    """The keys of a command, without later keys that a pane uses itself.

    Otherwise Textual would drop that key of the pane when the settings remap the command.
    """
    first, *further = command.keys.split(",")
    return ",".join([first, *(key for key in further if command.place in ONE_PANE or key not in own)])


_KEY_NAMES = {
    "question_mark": "?", "slash": "/", "plus": "+", "escape": "esc", "equals_sign": "=", "colon": ":", "comma": ",", "less_than_sign": "<", "full_stop": ".",
    "greater_than_sign": ">", "minus": "-", "pagedown": "pgdn", "pageup": "pgup",
    "right_square_bracket": "]", "left_square_bracket": "[", "down": "↓", "up": "↑", "left": "←", "right": "→", "delete": "del",
}  # fmt: skip


def key_name(key: str) -> str:
    """A key as people write it: `^s`, `esc`, `?`."""
    if key.startswith("ctrl+") and len(key) == 6:
        return f"^{key[-1]}"
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _KEY_NAMES.get(last, last)])


def command_of(command_id: str) -> Command:
    """The command with an id, with its current keys."""
    return next(command for command in _in_force if command.id == command_id)


def key_of(command_id: str) -> str:
    """The first current key of a command, as people write it."""
    return key_name(command_of(command_id).keys.split(",")[0])

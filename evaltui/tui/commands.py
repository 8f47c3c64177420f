"""The registry of commands: the source of bindings, the keys line, the help and docs/keys.md.

A key means one thing at one place. Letters work in panes and never while typing. The commands themselves are in
`editor_commands.py`, `review_commands.py` and `dialog_commands.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from evaltui.tui.command import ONE_PANE, Command
from evaltui.tui.editor_commands import EDITOR_COMMANDS

if TYPE_CHECKING:
    from textual.binding import BindingType

_OF_EDITOR = {command.place for command in EDITOR_COMMANDS}


@cache
def all_commands() -> tuple[Command, ...]:
    """All commands with default keys, in the order of the help and the keys line."""
    # Not at the top: the first frame is the editor's, and the other tables take a tenth of our imports.
    from evaltui.tui.dialog_commands import DIALOG_COMMANDS
    from evaltui.tui.review_commands import REVIEW_COMMANDS

    return (*EDITOR_COMMANDS, *REVIEW_COMMANDS, *DIALOG_COMMANDS)


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


OPENED_BY: Mapping[str, tuple[str, ...]] = {
    "list.review": ("review",), "list.why": ("why",), "form.recorded": ("recorded",), "losses.enter": ("tree",),
    "criteria": ("criteria",), "review.criteria": ("criteria",), "list.losses": ("losses",),
    "list.recordings": ("recordings",), "recordings.open": ("conversations",),
    "list.runs": ("runs",), "conversations.runs": ("runs",),
    "list.conversations": ("chats", "chat"), "conversations.add_case": ("chats", "chat"), "chats.chat": ("chat",),
    "list.unsaved": ("unsaved",), "list.reload": ("reload",), "list.merge": ("conflicts",),
    "list.fix_all": ("fixes", "repairs"), "list.explain": ("dialog",), "picker.read": ("dialog",), "watch.why": ("dialog",), "tree.copy_as": ("copy",),
    "agent.run": ("agent", "trust", "unsaved_run"),
    "agent.show": ("agent",), "list.problems": ("problems",), "list.run": ("run",),
    "list.convert": ("choice",), "conversations.match": ("choice",), "form.more": ("choice",),
    "list.save_as": ("name",), "list.save_copy": ("name",), "review.note": ("name",), "tree.rename": ("name",), "form.rename": ("name",),
    "form.add": ("name", "field", "choice"), "tree.add": ("name", "field"), "tree.add_inside": ("name", "field"), "tree.add_before": ("name", "field"),
    "review.edit": ("value",), "edit_outside": ("value",), "list.settings": ("value",), "replace": ("replace",), "adding.replace": ("replace",),
    "list.source": ("reading",), "reading.source": ("reading",), "open": ("sets",), "jump": ("jump",),
    "find": ("filter",),
    "list.next_failing": ("why",), "list.previous_failing": ("why",), "tree.next_hit": ("why",), "tree.previous_hit": ("why",),
    "next_problem": ("problems",), "previous_problem": ("problems",),
}  # fmt: skip
"""The places that commands, by the id of the one with the code, open if they can: only there, the keys that follow are meant to act.

A step to something opens nothing. It names a place with its letters, and forgets the key where it succeeds.
"""


_BEFORE_TEXT_BOX = frozenset(
    {"choice.down", "choice.up", "choice.page_down", "choice.page_up", "choice.top", "choice.bottom", "name.complete"}
)
"""Ids of dialog commands whose keys the text box of the dialog would otherwise handle."""

_TYPING = ("anywhere", "everywhere")
_BESIDE: Mapping[str, tuple[str, ...]] = {
    "form": ("why", *_TYPING, "list"), "why": ("form", *_TYPING, "list"), "recorded": ("why", *_TYPING, "list"),
    "lists": (), "picker": ("lists",), "recordings": ("picker", "lists"), "conversations": ("picker", "lists"), "runs": ("picker", "lists"),
    "adding": ("lists",), "chats": ("adding", "lists"), "chat": ("adding", "lists"),
    "criteria": ("form", "everywhere", "list"), "field": _TYPING, "filter": _TYPING, "review": (), "watch": ("watching",), "watching": (), "hits": ("replace",), "replace": (), "repairs": (), "losses": (), "replacement": (), "converted": (), "reading": (), "unsaved": (), "conflicts": (), "agent": (), "trust": (), "unsaved_run": (),
}  # fmt: skip


def _commands_with(places: Collection[str]) -> tuple[Command, ...]:
    """The commands of the editor if it has all these places; else all commands."""
    return EDITOR_COMMANDS if _OF_EDITOR.issuperset(places) else all_commands()


def places_beside(place: str) -> tuple[str, ...]:
    """Other places whose keys also work at a place; for a pane, those of every pane."""
    return _BESIDE.get(place, (*_TYPING, "list"))


def own_places(place: str) -> tuple[str, ...]:
    """The place with those that count as the same: form and Why, the recorded turn and Why, the criteria and the form."""
    if place in ("form", "why"):
        return ("form", "why")
    return {"recorded": ("recorded", "why"), "criteria": ("criteria", "form")}.get(place, (place,))


def other_keys(remaps: Mapping[str, str]) -> dict[str, str]:
    """The remaps by command id, without those that equal the default keys."""
    usual = {command.id: command.keys for command in all_commands()} if remaps else {}
    return {name: keys for name, keys in remaps.items() if keys != usual.get(name)}


_remaps: dict[str, str] = {}
"""The keys of the settings, by command id."""


def use_keys(remaps: Mapping[str, str]) -> None:
    """Show these keys, by command id, instead of the default ones from now on."""
    _remaps.clear()
    _remaps.update(remaps)
    for answers in (commands_at, commands_shown, commands_of, command_of, key_of, is_harmless):
        answers.cache_clear()


@cache
def commands_at(*places: str) -> tuple[Command, ...]:
    """The commands of some places, in order, with the current keys."""
    return tuple(
        replace(command, keys=_remaps.get(command.id, command.keys))
        for command in _commands_with(places)
        if command.place in places
    )


@cache
def commands_shown(place: str, first: tuple[str, ...]) -> list[Command]:
    """The commands of the keys line at a place, in order; those with the ids `first` come before all others."""
    beside = places_beside(place)
    commands = [command for command in commands_at(place, *beside) if command.footer or command.id in first]
    places = own_places(place)
    # Why names the failing turn to which it leads from the scores, so there it counts as a command of the pane.
    why = "list.why" if place == "run" else ""
    own_ids = {command.id for command in commands if command.place in places or command.id == why}
    commands.sort(key=lambda command: (command.id not in first, command.id not in own_ids))
    if "list" not in beside:  # panes have their own help key
        count = sum(command.place == place for command in commands)
        commands.insert(len(commands) if "everywhere" in beside else count, command_of("help"))
    once: dict[str, Command] = {}
    for command in commands:
        once.setdefault(command.does, command)
    return [*once.values()]


@cache
def commands_of(key: str, place: str) -> tuple[Command, ...]:
    """The commands that a key can mean at a place. Those of Why act on its lines only, where the place has this name."""
    acting = commands_at(place, *places_beside(place))
    of_key = [command for command in acting if key in command.keys.split(",")]
    return tuple(command for command in of_key if (command.place, place) != ("why", "form"))


_HARMLESS = frozenset(
    {"down", "up", "page_down", "page_up", "top", "bottom", "next", "previous", "help", "palette"}
    | {"tree", "form", "problems", "run", "why", "next_failing", "previous_failing"}
)
"""Ends of ids of commands that only move, or list keys."""


@cache
def is_harmless(key: str, place: str) -> bool:
    """Whether a key only moves, or lists keys."""
    return any(command.id.rpartition(".")[2] in _HARMLESS for command in commands_of(key, place))


@cache
def command_of(command_id: str) -> Command:
    """The command with an id, with its current keys."""
    of_editor = next((command for command in EDITOR_COMMANDS if command.id == command_id), None)
    command = of_editor or next(command for command in all_commands() if command.id == command_id)
    return replace(command, keys=_remaps.get(command_id, command.keys))


def bindings(*places: str) -> list[BindingType]:
    """The Textual bindings of some places, with default keys; the app's keymap applies the settings."""
    from textual.binding import Binding

    chosen = [command for command in _commands_with(places) if command.place in places]
    own = {key for command in chosen if command.place in ONE_PANE for key in command.keys.split(",")}
    rows: list[BindingType] = []
    for command in chosen:
        first, *later = command.keys.split(",")
        # Without later keys that a pane uses itself: else Textual would drop that key of the pane when the settings remap
        # the command.
        keys = ",".join([first, *(key for key in later if command.place in ONE_PANE or key not in own)])
        is_first = command.place in ("anywhere", "watching", "why", "criteria") or command.id in _BEFORE_TEXT_BOX
        action = f"app.run_command({command.id!r})"
        rows.append(Binding(keys, action, command.title, show=False, id=command.id, priority=is_first))
    return rows


_KEY_NAMES = {
    "question_mark": "?", "slash": "/", "plus": "+", "escape": "esc", "equals_sign": "=", "colon": ":", "comma": ",", "less_than_sign": "<", "full_stop": ".",
    "greater_than_sign": ">", "minus": "-", "pagedown": "pgdn", "pageup": "pgup",
    "right_square_bracket": "]", "left_square_bracket": "[", "down": "↓", "up": "↑", "left": "←", "right": "→", "delete": "del",
}  # fmt: skip


@cache
def key_name(key: str) -> str:
    """A key as people write it: `^s`, `esc`, `?`."""
    if key.startswith("ctrl+") and len(key) == 6:
        return f"^{key[-1]}"
    *modifiers, last = key.split("+")
    return "+".join([*modifiers, _KEY_NAMES.get(last, last)])


@cache
def key_of(command_id: str) -> str:
    """The first current key of a command, as people write it."""
    return key_name(command_of(command_id).keys.split(",")[0])

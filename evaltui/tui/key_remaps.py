"""Key remaps of the settings: which ones apply, and why others are refused. Imports no textual."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from itertools import combinations

from evaltui.printable import quoted
from evaltui.settings.user_settings import Settings
from evaltui.tui.command import ONE_PANE, Command
from evaltui.tui.commands import all_commands, key_name, other_keys

_SENT_ALIKE = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+h": "backspace",
    "ctrl+left_square_bracket": "esc",
    "alt+enter": "enter",
    "ctrl+enter": "enter",
    "shift+enter": "enter",
    "ctrl+space": "ctrl+@",
}
"""Keys that terminals send as another key, or not at all."""

_PANES = ("list", "tree", "form", "problems", "run", "sets", "recorded")
_NAMED = {
    *("enter", "tab", "escape", "space", "backspace", "delete", "insert", "home", "end", "pageup", "pagedown"),
    *("up", "down", "left", "right", *(f"f{number}" for number in range(1, 25))),
}
_NAMES = {
    "esc": "escape", "del": "delete", "ins": "insert", "pgup": "pageup", "pgdn": "pagedown", "return": "enter",
    "↑": "up", "↓": "down", "←": "left", "→": "right", "comma": "comma",
}  # fmt: skip
_SHORTER = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Textual's names of characters that differ from the Unicode names."""

_PUNCTUATION = {
    _SHORTER.get(name, name)
    for code in range(0x21, 0x7F)
    if not chr(code).isalnum()
    for name in [unicodedata.name(chr(code)).lower().replace("-", "_").replace(" ", "_")]
}


_MOVES = ("down", "up", "page_down", "page_up", "top", "bottom", "find", "help", "palette")
_ALIASES = {f"{place}.{move}": f"lists.{move}" for place in ("picker", "adding") for move in _MOVES}
"""Ids by screen, which settings may name instead of the id of the command."""


def keys_in_force(settings: Settings) -> Settings:
    """The settings with only the valid remaps, in Textual's key names; refused ones become complaints."""
    remaps: dict[str, str] = {}
    """The valid keys, by the id of the command."""
    names: dict[str, str] = {}
    """The name of each command in the settings, by its id."""
    refused: dict[str, str] = {}
    """Why keys cannot be used, by the name of the command in the settings."""
    commands = {command.id: command for command in all_commands()}
    for name, keys in settings.keys.items():
        command_id = _ALIASES.get(name, name)
        if command_id not in commands:
            near = get_close_matches(command_id, commands, 1)
            hint = f"did you mean {near[0]}?" if near else "`evaltui config --commands` lists them"
            refused[name] = f"there is no such command; {hint}"
            continue
        try:
            read_keys = _read(keys, commands[command_id])
        except ValueError as error:
            refused[name] = str(error)
            continue
        if remaps.get(command_id, read_keys) != read_keys:
            refused[name] = f"{names[command_id]} names other keys of the same command, {command_id}"
        else:
            remaps[command_id], names[command_id] = read_keys, name
    # One after the other: without a refused remap, others may fit.
    while clash := _clash(remaps):
        command_id, reason = clash
        del remaps[command_id]
        refused[names[command_id]] = reason
    in_file = settings.in_file - {f"keys.{name}" for name in settings.keys} | {f"keys.{name}" for name in remaps}
    reasons = {f"keys.{name}": reason for name, reason in refused.items()}
    return replace(settings, keys=remaps, in_file=in_file).complaining(reasons)


def _read(keys: str, command: Command) -> str:
    names = [_key(key.strip()) for key in (keys.split(",") if keys != "," else ["comma"])]
    if command.place in ("anywhere", "everywhere", "field"):
        # A default key may be a letter: `space` types a space in fields that have no use for the command.
        fit = (_NAMED - {"space"}) | set(command.keys.split(","))
        letter = next((name for name in names if "+" not in name and name not in fit), None)
        if letter is not None:
            raise ValueError(f"{key_name(letter)} would act while typing; use a key with ctrl or alt, or an F key")
    return ",".join(dict.fromkeys(names))


def _key(written: str) -> str:
    """Textual's name of a key written as `ctrl+x`, `^x`, `?`, `esc` or `alt+↑`. Raises `ValueError`."""
    if not written:
        raise ValueError("a key is missing")
    text = f"ctrl+{written[1:].lower()}" if re.fullmatch(r"\^[a-zA-Z]", written) else written
    *modifiers, last = text.split("+") if text not in ("+",) and not text.endswith("++") else [text]
    last = _NAMES.get(last.lower(), last)
    if len(last) == 1 and not last.isalnum():
        name = unicodedata.name(last, "").lower().replace("-", "_").replace(" ", "_")
        last = _SHORTER.get(name, name)
    elif len(last) > 1:
        last = last.lower()
    is_key = last in _NAMED or last in _PUNCTUATION or (len(last) == 1 and last.isascii())
    if not is_key or not {modifier.lower() for modifier in modifiers} <= {"ctrl", "alt", "shift"}:
        raise ValueError(f"there is no key {quoted(written)}; write a key as ctrl+x, alt+x, f6, n or ?")
    key = "+".join([*(modifier.lower() for modifier in modifiers), last.lower() if modifiers else last])
    if key in _SENT_ALIKE:
        raise ValueError(f"most terminals send {written} as {_SENT_ALIKE[key]}")
    return key


def _clash(remaps: Mapping[str, str]) -> tuple[str, str] | None:
    """The id of a remap whose key is already taken at its place, and the reason; None if there is none."""
    chosen = other_keys(remaps)
    concerned = [replace(command, keys=remaps.get(command.id, command.keys)) for command in all_commands()]
    for first, second in combinations(concerned, 2):
        is_remapped = first.id in remaps or second.id in remaps
        if not is_remapped or first.does == second.does or not _meet(first, second):
            continue
        # A remap of a `list` command must work in every pane.
        is_chosen = any(command.place == "list" and command.id in chosen for command in (first, second))
        if shared := clashing_keys(first, second, is_chosen=is_chosen):
            refused, holder = (second, first) if second.id in remaps else (first, second)
            return refused.id, f"{key_name(min(shared))} is already the key of {holder.id} ({holder.title})"
    return None


def clashing_keys(command: Command, rival: Command, *, is_chosen: bool = False) -> set[str]:
    """Keys of two commands of one place that conflict.

    A place of `ONE_PANE` may reuse the second and later keys of a `list` command, unless a person chose them. The first
    key is the one shown, so it must work in every pane.
    """
    shared = set(command.keys.split(",")) & set(rival.keys.split(","))
    for own, common in ((command, rival), (rival, command)):
        if common.place == "list" and own.place in ONE_PANE and not is_chosen:
            shared -= set(common.keys.split(",")[1:])
    return shared


def _meet(first: Command, second: Command) -> bool:
    """Whether the keys of both commands can work at the same time."""
    places = {first.place, second.place}
    if len(places) == 1 or "anywhere" in places or places == {"why", "recorded"}:
        return True
    if "everywhere" in places:
        return bool(places & {*_PANES, "field", "why"})
    if "lists" in places:
        return bool(places & {"picker", "adding"})
    return "list" in places and bool((places - {"list"}) & set(_PANES))

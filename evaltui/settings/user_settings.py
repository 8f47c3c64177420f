"""The user's settings: a TOML file in the user's config folder, checked at the start, and the edits of it.

An invalid setting is reported with its line and ignored; all others apply.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from platformdirs import user_config_path

from evaltui.document.disk.file_content import Fingerprint, fingerprint, reason_of
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import SaveError
from evaltui.file_access import exists, read_regular, why_unreadable
from evaltui.printable import printable, quoted
from evaltui.settings.project_settings import why_no_command

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

AUTO = "auto"
"""The setting for the theme that goes with the terminal."""
THEMES = (
    *("evaltui-dark", "evaltui-light", "textual-dark", "textual-light", "atom-one-dark", "atom-one-light"),
    *("catppuccin-frappe", "catppuccin-latte", "catppuccin-macchiato", "catppuccin-mocha", "dracula", "flexoki"),
    *("gruvbox", "monokai", "nord", "rose-pine", "rose-pine-dawn", "rose-pine-moon", "solarized-dark"),
    *("solarized-light", "tokyo-night", "ansi-dark", "ansi-light"),
)
"""The default themes, and the built-in ones of Textual. `ansi-dark` and `ansi-light` use the terminal's own colours."""

_UNITS = {"B": 1, "KB": 1_000, "MB": 1_000_000, "GB": 1_000_000_000}
_size = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMG]?B)\s*", re.IGNORECASE)


LARGEST = 200_000
"""The most bytes of a file of settings."""


@dataclass(slots=True, eq=False, repr=False)
class Settings:
    """The settings in force."""

    theme: str = AUTO
    """A name of `THEMES`, or `AUTO`."""
    mouse: bool = True
    journal: bool = True
    """Whether unsaved changes are kept on disk, to restore them after a crash."""
    inline_data_limit: int = 5_000_000
    """Bytes of a file that may be put into a set as inline data."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The changed keys of commands, by command id, comma-separated."""
    ignore: tuple[str, ...] = ()
    """The codes of rules whose problems the editor does not show."""
    ignore_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The same for single files, by path."""
    run: str = ""
    """The command that runs the agent, with placeholders. It overrides the command of a project."""
    path: Path | None = None
    """The file, whether it exists or not."""
    in_file: frozenset[str] = frozenset()
    """The names of the settings in the file."""
    complaints: tuple[tuple[int, str], ...] = ()
    """The errors in the file: the line, from 1, or 0 if it is unknown, and a sentence."""

    def ignored_in(self, file: Path | None) -> frozenset[str]:
        """The rules that are ignored in a file."""
        return frozenset(self.ignore) | frozenset(self.ignore_in.get(str(file), ()))

    def complaining(self, sentences: Mapping[str, str]) -> Settings:
        """A copy with more errors: sentences by the name of their setting."""
        text = settings_text(self.path) if self.path else ""
        more = tuple((_line_of(text, name), f"{name}: {sentence}") for name, sentence in sentences.items())
        return replace(self, complaints=self.complaints + more)

    def first_complaint(self) -> str:
        """The first error, and the number of the others, on one line; "" without errors."""
        if not self.complaints or self.path is None:
            return ""
        (number, sentence), rest = self.complaints[0], len(self.complaints) - 1
        line = f":{number}" if number else ""
        more = f" · {rest} more: see `evaltui config`" if rest else ""
        return f"{self.path.name}{line}: {sentence}{more}"


def settings_path() -> Path:
    """The path of the user's settings file."""
    return user_config_path("evaltui") / "config.toml"


def load_settings(path: Path | None = None) -> Settings:
    """Load the settings in `path` (default: the user's file); the defaults if there is no file."""
    path = path or settings_path()
    settings = Settings(path=path)
    try:
        text = settings_text(path)
    except (OSError, ValueError) as error:
        return replace(settings, complaints=((0, f"{why_unreadable(error)}; evaltui uses the defaults"),))
    if not text:
        return settings
    import tomllib  # noqa: PLC0415  the start waits for it only where there are settings

    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        line = re.search(r"at line ([0-9]+)", str(error))
        sentence = f"not TOML: {why_unreadable(error)}; evaltui uses the defaults"
        return replace(settings, complaints=((int(line[1]) if line else 0, sentence),))
    values: dict[str, Any] = {}
    wrong: dict[str, str] = {}
    for name, value in table.items():
        try:
            if name in _CHECKS:
                values[name] = _CHECKS[name](value)
            else:
                wrong[name] = f"there is no such setting; {_suggest(name, _CHECKS)}"
        except ValueError as error:
            wrong[name] = str(error)
    in_file = [*(name for name in values if name != "keys"), *(f"keys.{name}" for name in values.get("keys", {}))]
    return replace(settings, in_file=frozenset(in_file), **values).complaining(wrong)


def in_force(settings: Settings) -> Iterator[tuple[str, str, str]]:
    """Each setting with its TOML value and its origin."""
    values = {
        "theme": f'"{settings.theme}"',
        "mouse": str(settings.mouse).lower(),
        "journal": str(settings.journal).lower(),
        "inline_data_limit": f'"{settings.inline_data_limit / 1_000_000:g} MB"',
        "ignore": _as_list(settings.ignore),
        **({"run": as_text(settings.run)} if settings.run else {}),
        **{f"keys.{name}": f'"{keys}"' for name, keys in settings.keys.items()},
        **{f'ignore_in."{name}"': _as_list(codes) for name, codes in settings.ignore_in.items()},
    }
    for name, value in values.items():
        is_given = name in settings.in_file or name.startswith("ignore_in.")
        yield name, value, str(settings.path) if is_given else "default"


def as_text(value: str) -> str:
    """A TOML string on one line that is safe to show."""
    return printable(json.dumps(value, ensure_ascii=False))


def _as_list(codes: tuple[str, ...]) -> str:
    return "[" + ", ".join(f'"{code}"' for code in codes) + "]"


def settings_text(path: Path) -> str:
    """The text of a settings file; "" if there is none. Raises `OSError` or `ValueError`."""
    try:
        # A pipe or device is refused, since reading it may never end.
        return read_regular(path, LARGEST).decode("utf-8-sig")
    except FileNotFoundError:
        return ""


def _suggest(name: str, names: Collection[str]) -> str:
    near = get_close_matches(name, names, 1)
    return f"did you mean {near[0]}?" if near else f"use one of {', '.join(names)}"


def _shown(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else str(value)


def _theme(value: Any) -> str:
    names = (AUTO, *THEMES)
    if value not in names:
        raise ValueError(f"there is no theme {_shown(value)}; {_suggest(str(value), names)}")
    return str(value)


def _switch(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_shown(value)} is not true or false")  # noqa: TRY004
    return value


def _bytes(value: Any) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    match = _size.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise ValueError(f'{_shown(value)} is not a size; write a number of bytes, or "20 MB"')
    return int(float(match[1]) * _UNITS[match[2].upper()])


def _keys(value: Any) -> dict[str, str]:
    # An id has dots, so TOML reads it as nested tables unless people put it in quotes.
    if not isinstance(value, dict):
        raise ValueError('write a section [keys] with lines like "tree.add" = "f10"')  # noqa: TRY004
    keys: dict[str, str] = {}
    pending: list[tuple[tuple[str, ...], Any]] = [((name,), item) for name, item in reversed(value.items())]
    while pending:
        names, item = pending.pop()
        if isinstance(item, dict):
            pending += [((*names, name), below) for name, below in reversed(item.items())]
        elif isinstance(item, list):
            keys[".".join(names)] = ",".join(map(str, item))
        else:
            keys[".".join(names)] = str(item)
    return keys


def _command(value: Any) -> str:
    if why := why_no_command(value):
        raise ValueError(why)
    return str(value)


def _codes(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(code, str) for code in value):
        raise ValueError('write the codes of rules as a list: ["call-without-id"]')
    return tuple(value)


def _codes_by_file(value: Any) -> dict[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        line = '"/path/to/set.evalset.json" = ["call-without-id"]'
        raise ValueError(f"write a section [ignore_in] with lines like {line}")  # noqa: TRY004
    return {name: _codes(codes) for name, codes in value.items()}


_CHECKS: Mapping[str, Callable[[Any], Any]] = {
    "theme": _theme,
    "mouse": _switch,
    "journal": _switch,
    "inline_data_limit": _bytes,
    "run": _command,
    "keys": _keys,
    "ignore": _codes,
    "ignore_in": _codes_by_file,
}


def _line_of(text: str, name: str) -> int:
    """The line of `text` that gives the setting `name`, as people write it; 0 where it is not found."""
    for written in (name.removeprefix("keys."), name.rpartition(".")[2]):
        assignment = re.compile(rf"\s*(keys\.)?[\"']?{re.escape(written)}[\"']?\s*=")
        for number, line in enumerate(text.splitlines(), 1):
            if assignment.match(line):
                return number
    return 0


# --- edits of the file, which keep all other lines -------------------------------------------------------------------

_FIRST = """\
# Settings of evaltui. Delete the # before a line to use it. `evaltui config` shows the current settings.

# theme = "auto"                 # auto: light or dark, as the terminal is; T in the app lists the themes
# mouse = true                   # false: the terminal handles the mouse (select, copy)
# journal = true                 # keep unsaved changes on disk, to restore them after a crash
# inline_data_limit = "5 MB"     # the largest file that can become inline data of a set
# ignore = ["call-without-id"]   # codes of rules whose problems the editor does not show
# run = "adk eval {agent} {set}:{cases}"   # runs the agent (f6); used instead of the command of a project

# [keys]                         # `evaltui config --commands` lists the ids of all commands
# "tree.clone" = "ctrl+e"
"""


def _change(change: Callable[[TOMLDocument], object], path: Path | None, failed: str) -> Path:
    """Apply `change` to the settings file, keep all other lines, and return its path.

    Raises `SaveError`, whose message begins with `failed`, if the file cannot be read or written.
    """
    import tomlkit  # noqa: PLC0415 - few sessions change a setting
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    path = path or settings_path()
    try:
        data = read_regular(path, LARGEST) if exists(path) else None
        table = tomlkit.parse((data or b"").decode("utf-8-sig"))
        change(table)
        _write(path, tomlkit.dumps(table), None if data is None else fingerprint(data))
    except (OSError, SaveError) as error:
        raise SaveError(f"{failed}: {_reason(error)} ({path})") from error
    except (ValueError, RecursionError, TOMLKitError, TypeError, AttributeError) as error:
        # tomlkit and `change` raise these for a hostile file, or for a value of an unexpected type.
        raise SaveError(f"{failed}: the settings are not TOML ({path})") from error
    return path


def keep_theme(name: str, path: Path | None = None) -> Path:
    """Save the name of the theme in the settings; returns the path of the settings file. Raises `SaveError`."""
    return _change(lambda table: table.update({"theme": name}), path, "the theme was not saved")


def make_settings(path: Path | None = None) -> bool:
    """Create a settings file with all settings as comments; returns False if there is a file already.

    Raises `SaveError` if it cannot be created.
    """
    path = path or settings_path()
    if exists(path):
        return False
    try:
        _write(path, _FIRST, None)
    except (OSError, SaveError) as error:
        raise SaveError(f"the settings file cannot be created: {_reason(error)} ({path})") from error
    return True


def _reason(error: OSError | SaveError) -> str:
    return error.reason if isinstance(error, SaveError) else reason_of(error)


def _write(path: Path, text: str, expected: Fingerprint | None) -> None:
    # The folder is the person's own, where people keep links to their dotfiles.
    save_file(path, [text.encode()], expected, leaves=True, makes_folders=True)


def ignore_rule(code: str, file: Path | None = None, path: Path | None = None) -> Path:
    """Ignore a rule in `file`, or everywhere; returns the path of the settings file. Raises `SaveError`."""

    def add_code(table: TOMLDocument) -> None:
        if file is None:
            codes = table.setdefault("ignore", list[str]())
        else:
            codes = table.setdefault("ignore_in", dict[str, list[str]]()).setdefault(str(file), list[str]())
        if code not in codes:
            codes.append(code)

    return _change(add_code, path, "the rule is not ignored")


def heed_all(file: Path | None = None, path: Path | None = None) -> None:
    """Stop ignoring rules in `file` and in general. The lists of other files stay. Raises `SaveError`."""

    def change(table: TOMLDocument) -> None:
        table.pop("ignore", None)
        of_files = table.get("ignore_in", {})
        of_files.pop(str(file), None)
        if not of_files:
            table.pop("ignore_in", None)

    _change(change, path, "the settings cannot be changed")

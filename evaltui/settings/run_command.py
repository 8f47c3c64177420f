"""The command that runs the agent of a set, from the user's or the project's settings, and the user's trust in it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
from pathlib import Path
from typing import NamedTuple

from platformdirs import user_state_path

from evaltui.document.disk.file_content import reason_of
from evaltui.document.errors import SaveError
from evaltui.document.scanner import read_json
from evaltui.file_access import is_file, open_regular
from evaltui.settings.project_settings import project_settings
from evaltui.settings.user_settings import Settings


class RunCommand(NamedTuple):
    """A command with placeholders, and its origin."""

    text: str
    origin: Path
    """The settings file with the command."""
    folder: Path
    """The working directory of the command: the folder of the project settings, else of the set."""
    agent: Path | None = None
    """The folder of the agent in the project settings."""
    is_own: bool = False
    """Whether it is from the user's own settings."""


def run_command(settings: Settings, eval_set: Path) -> RunCommand | None:
    """The command for a set; None if there is none. Raises `SettingsError` for invalid project settings."""
    project = project_settings(eval_set.parent)
    folder = project.path.parent if project.path is not None else eval_set.parent
    agent = folder / project.agent if project.agent is not None else None
    if settings.run and settings.path is not None:
        return RunCommand(settings.run, settings.path, folder, agent, is_own=True)
    if project.run is not None and project.path is not None:
        return RunCommand(project.run, project.path, folder, agent)
    return None


# --- trust -----------------------------------------------------------------------------------------------------

# A command of a project could be anything. The user's own command runs code of a project, too: `adk eval {agent}`
# imports the agent, and `./run.sh` is a file of the project. So each command runs only after the user has seen it with
# its folders. evaltui asks again if the command, a folder or a file that the command names changes.

_MOST = 1_000  # trusted commands in the file, the newest ones
_LARGEST = 1_000_000  # bytes of the file
_MOST_READ = 20_000_000  # bytes of the files that a command names; of the bytes after these, only size and time count
_WRITABLE_BY_OTHERS = 0o022
_BETWEEN_NAMES = re.compile(r"[^\w./{}@%+-]+")


def trusted_path() -> Path:
    """The file with the hashes."""
    return user_state_path("evaltui") / "trusted_commands.json"


def state_of(command: RunCommand, agent: Path | None) -> tuple[str, tuple[str, ...]]:
    """The hash of the text, the folders and the files of a command, and these files, relative to its folder.

    `agent` is the folder of the agent that the command runs.
    """
    # Other absolute names are programs of the system, which a project cannot change.
    names = sorted({*shlex.split(command.text), *_BETWEEN_NAMES.split(command.text)})
    own = [name for name in names if not name.startswith("/") or Path(name).is_relative_to(command.folder)]
    files = tuple(name for name in own if is_file(_path(command, agent, name)))
    hashed = hashlib.sha256()
    parts = [command.text, _identity(command.folder), _identity(agent) if agent is not None else None, files]
    hashed.update(json.dumps(parts).encode("utf-8", "surrogatepass"))
    budget = _MOST_READ
    for path in dict.fromkeys(_path(command, agent, name) for name in files):
        data, rest = _content(path, budget)
        budget -= len(data)
        hashed.update(hashlib.sha256(data).digest() + rest.encode())
    return hashed.hexdigest(), files


def is_trusted(mark: str) -> bool:
    """Whether the user trusted the command with this hash."""
    return mark in _load()


def trust(mark: str) -> None:
    """Trust the command with this hash from now on. Raises `SaveError` if this cannot be saved."""
    path = trusted_path()
    marks = [trusted for trusted in _load() if trusted != mark]
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new.unlink(missing_ok=True)
        # O_EXCL: the file is new, so nobody else owns it or has it open.
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            json.dump([*marks[1 - _MOST :], mark], stream)
        new.replace(path)
    except OSError as error:
        raise SaveError(f"Your choice was not saved: {reason_of(error)} ({path})") from error


def _identity(folder: Path) -> tuple[str, int]:
    # Another folder at this path has another number.
    try:
        number = folder.stat().st_ino
    except OSError:
        number = 0
    return os.path.realpath(folder), number


def _path(command: RunCommand, agent: Path | None, name: str) -> Path:
    return command.folder / name.replace("{agent}", str(agent or ""))


def _content(path: Path, most: int) -> tuple[bytes, str]:
    """Up to `most` bytes of a file, and a text that changes with the rest or with the reason why it is unreadable."""
    try:
        with open_regular(path) as file:
            data = file.read(most) or b""
            status = os.fstat(file.fileno())
    except OSError as error:
        return b"", f"unreadable: {error.errno}"
    return data, f"{status.st_size} {status.st_mtime_ns}" if len(data) == most else ""


def _load() -> list[str]:
    """The hashes; none if the file is unreadable or invalid, or if other users could have written it."""
    try:
        with open_regular(trusted_path()) as file:
            status = os.fstat(file.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & _WRITABLE_BY_OTHERS:
                return []
            data = file.read(_LARGEST + 1)
        marks = read_json(data) if len(data) <= _LARGEST else None
    except (OSError, ValueError):
        return []
    return [mark for mark in marks if isinstance(mark, str)] if isinstance(marks, list) else []

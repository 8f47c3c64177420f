"""Project commands that the user trusts: hashes of their text and folder, in the user's state folder.

Other people write a project's settings, so its command could be anything. It runs only after the user has seen it. If
the command or its folder changes, evaltui asks again.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from platformdirs import user_state_path

from evaltui.document.disk.file_content import reason_of
from evaltui.document.errors import SaveError
from evaltui.file_access import refuse_larger
from evaltui.settings.run_command import RunCommand

_MOST = 1_000
"""The most commands in the file, the newest ones."""
_LARGEST = 1_000_000
"""Bytes of the file."""
_WRITABLE_BY_OTHERS = 0o022


def trusted_path() -> Path:
    """The file with the hashes."""
    return user_state_path("evaltui") / "trusted_commands.json"


def is_trusted(command: RunCommand, agent: Path | None) -> bool:
    """Whether the command may run without a question: it is from the user's settings, or was trusted before.

    `agent` is the folder of the agent that the command runs.
    """
    return command.is_own or _hash_of(command, agent) in _load()


def trust(command: RunCommand, agent: Path | None) -> None:
    """Trust the command with this agent from now on. Raises `SaveError` if this cannot be saved."""
    path = trusted_path()
    trusted = _hash_of(command, agent)
    hashes = [each for each in _load() if each != trusted]
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new.unlink(missing_ok=True)
        # O_EXCL: the file is new, so nobody else owns it or has it open.
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            json.dump([*hashes[1 - _MOST :], trusted], stream)
        new.replace(path)
    except OSError as error:
        raise SaveError(f"Your choice was not saved: {reason_of(error)} ({path})") from error


def _hash_of(command: RunCommand, agent: Path | None) -> str:
    """The hash of a command. It includes the agent's real folder, because `adk eval {agent}` runs the code in it."""
    folder = os.path.realpath(agent) if agent is not None else ""
    parts = [command.text, os.path.realpath(command.folder), folder]
    return hashlib.sha256(json.dumps(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _load() -> list[str]:
    """The hashes; none if the file is unreadable or invalid, or if other users could have written it."""
    path = trusted_path()
    try:
        status = path.stat()
        refuse_larger(status.st_size, _LARGEST)
        if status.st_uid != os.geteuid() or status.st_mode & _WRITABLE_BY_OTHERS:
            return []
        hashes = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return []
    return [each for each in hashes if isinstance(each, str)] if isinstance(hashes, list) else []

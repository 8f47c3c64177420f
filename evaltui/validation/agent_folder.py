"""The agent in whose folder a file is."""

from __future__ import annotations

import os
from pathlib import Path

_HEAD = 100_000
"""Bytes of a module that are looked into."""


def agent_around(path: Path) -> str:
    """The name of the folder of `path` where that is evidently an agent's, as google-adk's loader knows them; or ""."""
    try:
        folder = path.absolute().parent
        is_agent = any((folder / name).is_file() for name in ("agent.py", "root_agent.yaml")) or _is_package(folder)
    except OSError:
        return ""
    return folder.name if is_agent else ""


def _is_package(folder: Path) -> bool:
    module = folder / "__init__.py"
    if not os.path.isfile(module):  # noqa: PTH113 - nor a pipe, which would wait for ever
        return False
    with module.open("rb") as file:
        return b"agent" in file.read(_HEAD)

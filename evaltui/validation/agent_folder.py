"""The agent in whose folder a file is."""

from __future__ import annotations

from pathlib import Path


def agent_around(path: Path) -> str:
    """The name of the folder of `path` where that is evidently an agent's, as google-adk's loader knows them; or ""."""
    try:
        folder = path.absolute().parent
        is_agent = any((folder / name).is_file() for name in ("agent.py", "root_agent.yaml")) or (
            b"agent" in (folder / "__init__.py").read_bytes()
        )
    except OSError:
        return ""
    return folder.name if is_agent else ""

"""What an app leaves behind when it ends: the file to open next."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class OpenNext:
    """The file to open next; without one, the list of eval sets."""

    path: Path | None = None

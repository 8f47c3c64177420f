"""Memory available for the text of a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_MEMORY_INFO = Path("/proc/meminfo")
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Files with the memory limit of a container, for control groups of version 2 and 1."""
_COPIES = 2
"""Copies of a file in memory: a document keeps the bytes, and while it opens also their text."""


def is_too_large(size: int) -> bool:
    """Whether a text of `size` bytes does not fit into memory; False if the available memory is unknown."""
    available = available_memory()
    return available is not None and size * _COPIES > available


def available_memory() -> int | None:
    """Available memory in bytes, at most the limit of the container; None if unknown."""
    known = [bytes_ for bytes_ in (_available_here(), *map(_limit, _LIMITS)) if bytes_ is not None]
    return min(known, default=None)


def _available_here() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in _MEMORY_INFO.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _limit(path: Path) -> int | None:
    with suppress(OSError, ValueError):  # "max" is no number
        return int(path.read_text())
    return None

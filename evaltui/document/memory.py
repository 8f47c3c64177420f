"""How much memory there is for the text of a file."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

_MEMORY_INFO = Path("/proc/meminfo")
_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))
"""Limits of a container, by version of control groups."""
_COPIES = 2
"""A document holds the bytes, and at opening their text as well."""


def is_too_large(size: int) -> bool:
    """Whether a text of `size` bytes cannot be held; False where the system does not say."""
    available = available_memory()
    return available is not None and size * _COPIES > available


def available_memory() -> int | None:
    """The bytes that can be used now, at most those a container may have; None where nobody knows."""
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

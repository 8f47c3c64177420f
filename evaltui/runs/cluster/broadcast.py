"""A value that each process of the cluster gets once."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import ray

T = TypeVar("T")

_MOST = 4
"""The number of values that a process keeps."""
_known: dict[str, Any] = {}


class Broadcast(Generic[T]):
    """A value in the object store: a machine fetches it once, and each of its processes reads it once."""

    def __init__(self, value: T) -> None:
        self._place = ray.put(value)

    @property
    def value(self) -> T:
        """The value, in any process."""
        name = self._place.hex()
        if name not in _known:
            while len(_known) >= _MOST:
                del _known[next(iter(_known))]
            _known[name] = ray.get(self._place)
        found: T = _known[name]
        return found

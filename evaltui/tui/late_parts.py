"""Parts of a screen or an open file that are made when they are first asked for."""

from __future__ import annotations

from importlib import import_module
from typing import Generic, TypeVar, cast, overload

Part = TypeVar("Part")


class LatePart(Generic[Part]):
    """An attribute with the part of its owner: `clipboard: LatePart[Clipboard] = LatePart("….clipboard.Clipboard")`.

    The class of the part gets the owner. Its module is loaded by the first key that needs it, not by the first frame.
    """

    def __init__(self, path: str) -> None:
        """`path` is the full name of the class."""
        self.module, _, self.class_name = path.rpartition(".")
        self._name = ""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, owner: None, _: type) -> LatePart[Part]: ...

    @overload
    def __get__(self, owner: object, _: type) -> Part: ...

    def __get__(self, owner: object | None, _: type) -> LatePart[Part] | Part:
        if owner is None:
            return self
        part = getattr(import_module(self.module), self.class_name)(owner)
        vars(owner)[self._name] = part  # the next look-up finds it there
        return cast("Part", part)

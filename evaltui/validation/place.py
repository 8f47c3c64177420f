"""A value of parsed JSON with its pointer, and its members in either spelling, whatever types they really have."""

from __future__ import annotations

from typing import Any

from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel


class _Camel(dict[str, str]):
    """Names in snake_case with their other spelling; looked up a hundred times a case."""

    def __missing__(self, name: str) -> str:
        self[name] = camel(name)
        return self[name]


_CAMEL = _Camel()


class Place:
    """A value (as `json.loads` gives it) and where it stands."""

    __slots__ = ("data", "pointer")

    def __init__(self, data: Any, pointer: str = "") -> None:
        self.data = data
        self.pointer = pointer

    def key(self, name: str) -> str | None:
        """The spelling in which the member `name` (in snake_case) stands here: camelCase wins, as in google-adk."""
        if not isinstance(self.data, dict):
            return None
        other = _CAMEL[name]
        return other if other in self.data else name if name in self.data else None

    def below(self, key: str | int) -> Place:
        """The member or item `key`, which exists."""
        step = escape(key) if isinstance(key, str) else key
        return Place(self.data[key], f"{self.pointer}/{step}")

    def member(self, name: str) -> Place | None:
        """The member `name` in either spelling; None where it is absent or null."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return Place(value, f"{self.pointer}/{key}") if value is not None else None

    def text(self, name: str) -> str | None:
        """The text of the member `name`; None where there is none."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return value if isinstance(value, str) else None

    def items(self, name: str) -> list[Place]:
        """The items of the list `name`; none where it is absent or no list."""
        found = self.member(name)
        return found.all_items() if found is not None else []

    def all_items(self) -> list[Place]:
        """The items of this list; none where it is no list."""
        if not isinstance(self.data, list):
            return []
        return [Place(item, f"{self.pointer}/{number}") for number, item in enumerate(self.data)]

    def members(self) -> list[Place]:
        """The members of this object; none where it is no object."""
        return [self.below(key) for key in self.data] if isinstance(self.data, dict) else []

    def spelt(self, name: str) -> str:
        """How a new member `name` is to be spelt here: as it is, or in camelCase where the keys around are."""
        if isinstance(self.data, dict):
            if any("_" in key for key in self.data):
                return name
            if any(key != key.lower() for key in self.data):
                return camel(name)
        return name

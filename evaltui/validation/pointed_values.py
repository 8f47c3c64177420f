"""Values of parsed JSON that know their place, for the checks, whatever their types are."""

from __future__ import annotations

from typing import Any

from evaltui.document.pointer import escape
from evaltui.evalset.case_data import CaseData
from evaltui.evalset.keys import camel


class _Camel(dict[str, str]):
    """Names in snake_case, each with its camelCase spelling: a cache, because a case needs about a hundred."""

    def __missing__(self, name: str) -> str:
        self[name] = camel(name)
        return self[name]


_CAMEL = _Camel()


class PointedValue:
    """A value (from `json.loads`) with its JSON Pointer, which is computed on demand."""

    __slots__ = ("_above", "_key", "data")

    def __init__(self, data: Any, above: PointedValue | PointedCase | None = None, key: str | int = "") -> None:
        """`above` is the value that holds this value as `key`, or the case around it; None for the outermost value."""
        self.data = data
        self._above = above
        self._key = key

    @property
    def pointer(self) -> str:
        """The place of the value (RFC 6901), relative to what is checked."""
        steps: list[str | int] = []
        at: PointedValue | PointedCase = self
        while (
            isinstance(at, PointedValue) and at._above is not None
        ):  # a loop, because very deep values would exceed the recursion limit
            if isinstance(at._above, PointedCase):
                return "/".join([at._above.pointer_of(at.data), *map(str, reversed(steps))])
            steps.append(escape(at._key) if isinstance(at._key, str) else at._key)
            at = at._above
        return "".join(f"/{step}" for step in reversed(steps))

    def key(self, name: str) -> str | None:
        """The spelling of the member `name` (in snake_case) in this object: camelCase wins, as in google-adk."""
        if not isinstance(self.data, dict):
            return None
        other = _CAMEL[name]
        return other if other in self.data else name if name in self.data else None

    def below(self, key: str | int) -> PointedValue:
        """The member or item `key`, which must exist."""
        return PointedValue(self.data[key], self, key)

    def member(self, name: str) -> PointedValue | None:
        """The member `name` in either spelling; None if it is absent or null."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return PointedValue(value, self, key) if value is not None and key is not None else None

    def text(self, name: str) -> str | None:
        """The string of the member `name`; None if there is none."""
        key = self.key(name)
        value = self.data[key] if key is not None else None
        return value if isinstance(value, str) else None

    def items(self, name: str) -> list[PointedValue]:
        """The items of the list `name`; empty if it is absent or not a list."""
        found = self.member(name)
        return found.all_items() if found is not None else []

    def all_items(self) -> list[PointedValue]:
        """The items of this list; empty if it is not a list."""
        if not isinstance(self.data, list):
            return []
        return [PointedValue(item, self, number) for number, item in enumerate(self.data)]

    def members(self) -> list[PointedValue]:
        """The members of this object; empty if it is not an object."""
        return [self.below(key) for key in self.data] if isinstance(self.data, dict) else []

    def spelt(self, name: str) -> str:
        """The spelling of a new member `name`: camelCase if the keys around it are in camelCase, else snake_case."""
        if isinstance(self.data, dict):
            if any("_" in key for key in self.data):
                return name
            if any(key != key.lower() for key in self.data):
                return camel(name)
        return name


class PointedCase(CaseData):
    """A case that knows the pointers of its values."""

    def __init__(self, data: Any) -> None:
        super().__init__(data)
        self.root = PointedValue(data)
        self._pointers: dict[int, str] = {}
        """The pointers of all objects and lists by identity. Computed on demand, because few cases have diagnostics."""

    @property
    def session(self) -> PointedValue | None:
        """The session input of the case."""
        return self.root.member("session_input")

    def at(self, value: Any) -> PointedValue:
        """An object or a list of this case, with its pointer."""
        return PointedValue(value, self)

    def pointer_of(self, value: Any) -> str:
        """The pointer of an object or a list of this case."""
        if not self._pointers:
            self._pointers = _pointers_in(self.data)
        return self._pointers.get(id(value), "")


def _pointers_in(data: Any) -> dict[int, str]:
    """The pointers of all objects and lists below `data`, at any depth."""
    found: dict[int, str] = {}
    pending: list[tuple[Any, str]] = [(data, "")]
    while pending:
        value, pointer = pending.pop()
        found[id(value)] = pointer
        if isinstance(value, dict):
            pending += [
                (each, f"{pointer}/{escape(key)}") for key, each in value.items() if isinstance(each, dict | list)
            ]
        else:
            pending += [(each, f"{pointer}/{key}") for key, each in enumerate(value) if isinstance(each, dict | list)]
    return found

"""A cache of cases in a recorded eval set, by their text, for the next read of the file.

If one of 10,000 cases was recorded again, the other cases need no parser and no reader. The format of a file is known
only at its end; if it is not an eval set, the file is read again without this cache.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaltui.document.plain_values import Scan
from evaltui.recordings.json_stream import scan_value

_HEAD = 20
"""The number of first items that keep their values, which show the format of the file (`evalset.formats`)."""
_NO_TEXT = "\0"
"""The expected text if no item is expected: JSON never begins with it."""


Read = Callable[[dict[str, Any]], Any]
"""Makes a value of an item, from the item alone; None if it makes nothing of it."""


class ReadItem(dict[str, Any]):
    """An object of a long list that was read before; `made` is the value made of it.

    It is empty unless it is at the head of its list, so a long list needs little memory.
    """

    __slots__ = ("made",)
    made: Any


class KnownItems:
    """The known items of one file. They mostly have the same order as at the last read."""

    def __init__(self) -> None:
        self._items: dict[str, ReadItem] = {}
        """By text, in order."""
        self._texts: list[str] = []
        self._places: dict[str, int] = {}
        self._next = self._in_list = 0
        """The place of the expected item, and the number of items in the present list so far."""
        self._found: dict[str, ReadItem] = {}
        self._read: Read = lambda _: None
        self._tick: Callable[[int], object] | None = None

    def __bool__(self) -> bool:
        """Whether any item is known."""
        return bool(self._items)

    def begin(self, read: Read, tick: Callable[[int], object] | None = None) -> None:
        """Begin to read the file from its start; `read` is for unknown items.

        `tick` is called with 0 before each of them, and may pause so that keys are handled.
        """
        self._next, self._found, self._read, self._tick = 0, {}, read, tick

    def scan_of_list(self) -> Scan:
        """The function that reads the items of a list that begins now."""
        self._in_list = 0
        return self._scan

    def _scan(self, text: str, at: int) -> tuple[Any, int]:
        """The item at this place of a text, and its end. An item that was read before is a `ReadItem`."""
        expected = self._texts[self._next] if self._next < len(self._texts) else _NO_TEXT
        if self._in_list >= _HEAD and text.startswith(expected, at):
            # An object ends at its closing bracket, so equal text means an equal item, whatever follows.
            self._next += 1
            item = self._found[expected] = self._items[expected]
            return item, at + len(expected)
        if self._tick is not None:
            self._tick(0)
        value, end = scan_value(text, at)
        self._in_list += 1
        if isinstance(value, dict):
            value = self._item(text[at:end], value)
        return value, end

    def _item(self, text: str, value: dict[str, Any]) -> dict[str, Any]:
        """The item read from this text, now or before; `value` if nothing is made of it."""
        item = self._items.get(text)
        if item is not None:
            self._next = self._places[text] + 1  # the items after it probably follow
        elif (made := self._read(value)) is not None:
            item = ReadItem()
            item.made = made
        else:
            return value
        if self._in_list <= _HEAD:
            item.update(value)
        self._found[text] = item
        return item

    @property
    def has_given(self) -> bool:
        """Whether any item was read as one of an eval set since `begin`."""
        return bool(self._found)

    def keep(self) -> None:
        """Keep only the items of this read: the file was an eval set and was read to its end."""
        self._items, self._found = self._found, {}
        self._texts = [*self._items]
        self._places = {text: place for place, text in enumerate(self._texts)}

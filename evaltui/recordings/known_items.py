"""Cases of an eval set that is read as a recording, known again by their text when the file is read once more.

Of a recording with 10,000 cases of which one was recorded anew, the others need no parser and no reader then. The
format of a file is known only at its end; if it turns out to be another one, it is read once more without this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaltui.recordings.json_stream import Scan, scan_value

_HEAD = 20
"""So many first items have their members, since they tell the format of the file (`evalset.formats`)."""
_NO_TEXT = "\0"
"""Stands for the text of an item where none is expected: JSON never begins with it."""


Read = Callable[[dict[str, Any]], Any]
"""Makes of an item what a reader wants of it, from the item alone; None where it makes nothing of it."""


class ReadItem(dict[str, Any]):
    """An object in a long list that was read already: `made` is what came of it.

    It has no members unless it stands at the head of its list, so that a list of many takes little memory.
    """

    __slots__ = ("made",)
    made: Any


class KnownItems:
    """The items of one file. They mostly come in the order in which they came the last time."""

    def __init__(self) -> None:
        self._items: dict[str, ReadItem] = {}
        """By text, in order."""
        self._texts: list[str] = []
        self._places: dict[str, int] = {}
        self._next = self._in_list = 0
        """The place of the item that is expected, and how many items the present list has so far."""
        self._found: dict[str, ReadItem] = {}
        self._read: Read = lambda _: None
        self._tick: Callable[[int], object] | None = None

    def __bool__(self) -> bool:
        """Whether any item is known."""
        return bool(self._items)

    def begin(self, read: Read, tick: Callable[[int], object] | None = None) -> None:
        """The file is read from its beginning; `read` is for items that are not known.

        `tick` is called with 0 before each of these, and may rest: keys come between.
        """
        self._next, self._found, self._read, self._tick = 0, {}, read, tick

    def scan_of_list(self) -> Scan:
        """Reads the items of a list that begins now."""
        self._in_list = 0
        return self._scan

    def _scan(self, text: str, at: int) -> tuple[Any, int]:
        """The item at this place of a text, as a `ReadItem` where it was read; and the end of it."""
        expected = self._texts[self._next] if self._next < len(self._texts) else _NO_TEXT
        if self._in_list >= _HEAD and text.startswith(expected, at):
            # A text that begins with a whole object has this object there, whatever follows.
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
        """The item that was read from this text here or elsewhere; `value` where nothing is made of it."""
        item = self._items.get(text)
        if item is not None:
            self._next = self._places[text] + 1  # those that stood behind it come next
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
        """The file was an eval set and was read to its end: know its items and no others."""
        self._items, self._found = self._found, {}
        self._texts = [*self._items]
        self._places = {text: place for place, text in enumerate(self._texts)}

"""Recordings kept by content: a file is read again only if its bytes differ, and its last good state is remembered.

The cases of a recorded eval set are known by their text at the next read. If one of 10,000 cases was recorded again,
the other cases need no parser and no reader.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.json_stream import scan_value
from evaltui.document.scanner import Scan
from evaltui.file_access import exists, is_file, open_regular
from evaltui.files.file_changes import FileContents, WritePause
from evaltui.recordings.conversation import Recording, RecordingError
from evaltui.recordings.json_documents import LEFT_OUT

_WITH_VALUES = 20
"""The number of first items of a list that keep their values: they show the format (`evalset.file_formats`)."""

ReadValue = Callable[[dict[str, Any]], Any]
"""Makes a value of an item, from the item alone; None if it makes nothing of it."""


class ReadItem(dict[str, Any]):
    """An object of a long list that was read before; `conversation` is the one made of it."""

    __slots__ = ("conversation",)
    conversation: Any


class KnownItems:
    """The items of one file by their text, from an earlier read. They mostly have the same order as then."""

    def __init__(self) -> None:
        self._items: dict[str, ReadItem] = {}
        """By text, in order."""
        self._following: dict[str, str] = {}
        """By the text of an item, that of the next one; by "" that of the first."""
        self._last, self._in_list = "", 0
        """The item before the expected one, and the number of items in the present list so far."""
        self._read_items: dict[str, ReadItem] = {}
        self._read: ReadValue = lambda _: None
        self._tick: Callable[[int], object] | None = None

    def __bool__(self) -> bool:
        """Whether any item is known."""
        return bool(self._items)

    def begin(self, read: ReadValue, tick: Callable[[int], object] | None = None) -> None:
        """Begin to read the file from its start; `read` is for unknown items. `tick` is called with 0 before each."""
        self._last, self._read_items, self._read, self._tick = "", {}, read, tick

    def scan_of_list(self) -> Scan:
        """The function that reads the items of a list that begins now. An item that is known is a `ReadItem`."""
        self._in_list = 0
        return self._scan

    def _scan(self, text: str, start: int) -> tuple[Any, int]:
        expected = self._following.get(self._last, "\0")  # JSON never begins with it
        if self._in_list >= _WITH_VALUES and text.startswith(expected, start):
            # An object ends at its closing bracket, so equal text means an equal item, whatever follows.
            self._last = expected
            item = self._read_items[expected] = self._items[expected]
            return item, start + len(expected)
        if self._tick is not None:  # it may pause, so that keys are handled
            self._tick(0)
        value, end = scan_value(text, start)
        self._in_list += 1
        if not isinstance(value, dict):
            return value, end
        source = text[start:end]
        if source in self._items:
            item = self._items[source]
            self._last = source  # the items after it probably follow
        elif (result := self._read(value)) is not None:
            item = ReadItem()
            item.conversation = result
        else:
            return value, end
        if self._in_list <= _WITH_VALUES:  # the others stay empty, so a long list needs little memory
            item.update(value)
        self._read_items[source] = item
        return item, end

    @property
    def has_read(self) -> bool:
        """Whether any item was read as one of an eval set since `begin`."""
        return bool(self._read_items)

    def keep(self) -> None:
        """Keep only the items of this read: the file was an eval set and was read to its end."""
        self._items, self._read_items = self._read_items, {}
        self._following = dict(pairwise(["", *self._items]))


OpenRecording = Callable[[Path, bool, KnownItems], Recording]
"""Opens a recording, given if a case of the set has several turns, and the known items. Raises `RecordingError`."""


class RecordingCache:
    """Opens recordings. If a file cannot be read any more, its last good state is used, and `troubles` reports it."""

    def __init__(self, open_: OpenRecording, rest: WritePause, contents: FileContents) -> None:
        """`open_` opens a recording from disk."""
        self._open, self._rest, self._contents = open_, rest, contents
        self._kept: dict[tuple[Path, bool], tuple[Recording, Fingerprint | None, KnownItems]] = {}
        """The last good state of each file, its content, and the items of it which need not be read again."""
        self._used: set[tuple[Path, bool]] = set()
        self.troubles: dict[Path, str] = {}
        """The unreadable files whose last good state is used, each with a sentence."""

    def begin(self) -> None:
        """Begin a new round of opening: forget the troubles of the last round, and the files that it did not open."""
        self._kept = {key: kept for key, kept in self._kept.items() if key in self._used}
        self._used, self.troubles = set(), {}

    def open(self, path: Path, multi_turn: bool) -> Recording:
        """The recording in a file. Raises `RecordingError` if it cannot be read and never could."""
        key = path, multi_turn
        self._used.add(key)
        last, last_content, items = self._kept.get(key, (None, None, KnownItems()))
        # Standard input and a pipe give their bytes only once.
        if str(path) == "-" or (exists(path) and not is_file(path)):
            if last_content is not None:
                return self._last_good(path, last, RecordingError(f"{path}: no longer a file"))
            self._kept[key] = last or self._open(path, multi_turn, items), None, items
            return self._kept[key][0]
        content = self._contents.of(path)
        if last is None or content is None or content != last_content:
            has_items = bool(items)
            try:
                recording = self._open(path, multi_turn, items)
            except RecordingError as error:
                return self._last_good(path, last, error)
            if last is not None and _ends_in_mid_line(path, recording):
                return self._last_good(path, last, RecordingError(f"{path}: the last line is incomplete"))
            # Equal conversations stay the same objects, so comparing them is quick. Those of known items are it anyway.
            if last is not None and not has_items:
                by_id = {conversation.id: conversation for conversation in last.conversations}
                pairs = [(by_id.get(conversation.id), conversation) for conversation in recording.conversations]
                same = tuple(old if old is not None and old == new else new for old, new in pairs)
                recording = replace(recording, conversations=same)
            self._kept[key] = recording, content, items
        self._rest.forget(path)
        return self._kept[key][0]

    def _last_good(self, path: Path, last: Recording | None, error: RecordingError) -> Recording:
        rests = self._rest.is_at_rest(path, was_good=last is not None)
        sentence = str(error) if rests else f"{path}: another program is writing this file; evaltui reads it again soon"
        if last is None:
            raise RecordingError(sentence) from None
        self.troubles[path] = sentence
        return last


def _ends_in_mid_line(path: Path, recording: Recording) -> bool:
    """Whether lines are unreadable and the last one has no end: another program may be writing the file."""
    if not any(LEFT_OUT in warning for warning in recording.warnings):
        return False
    with suppress(OSError), open_regular(path) as file:
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"
    return False

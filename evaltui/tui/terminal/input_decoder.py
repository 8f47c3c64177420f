"""Decoder of terminal input: turns bytes into messages (keys, clicks and pastes) and never raises.

Textual's parser reads keys and the mouse. Pastes are cut out first: the parser is slow for long texts, and would read
key sequences inside a pasted text. If the parser raises an error for a sequence, the sequence is dropped.
"""

from __future__ import annotations

import re
import time
from codecs import getincrementaldecoder
from collections.abc import Callable, Generator, Iterable, Iterator

from textual import constants, events
from textual.message import Message
from textual.messages import InBandWindowResize

from evaltui.tui.textual_compat import KeyParser, is_key_sequence

PASTE_START, PASTE_END = b"\x1b[200~", b"\x1b[201~"
_X10 = b"\x1b[M"
_ALT = 2
"""The bit of alt in the modifiers of a key report. The modifiers are this bit field plus 1."""
_LONGER = "[]OPX^_"
"""Characters that start a longer sequence after an escape; alone they are keys with alt."""
_other_key = re.compile(r"\x1b\[27;(\d{1,3});(\d{1,7})~")
"""A key with modifiers, in the format of xterm's modifyOtherKeys."""
_special = re.compile(re.escape(PASTE_START) + b"|" + re.escape(_X10))
_unfinished = re.compile(rb"(?:\x1b(?:\[(?:20{0,2}|M[ -\xff]{0,2})?)?)?\Z")
"""An unfinished special sequence at the end of the input."""
_position = re.compile(rb"[ -\xff]{0,3}")
"""Button, column and row of an X10 mouse report, one byte each."""

_STALLED = 2.0
"""Seconds without input. If a single key follows, the end of the paste counts as lost."""
_ONE_KEY = 8
"""The most bytes of nearly all keys; a paste that continues after a pause comes in larger pieces."""

Messages = Generator[Message, None, bytes]
"""Yields messages and returns the bytes that are still to be read."""


class _AltKeyParser(KeyParser):
    """Textual's parser, but an escape with a character is always that key with alt.

    Textual does so only for some letters. It reads alt+1 as ¡, which option types on a Mac, alt+. as a full stop, and
    a held alt+j as ^ and j. Characters typed with option or AltGr come without an escape, so they are not affected.
    """

    def key_events(self, sequence: str, alt: bool) -> Iterable[events.Key]:
        """The keys of an escape sequence; `alt` if an escape came before it."""
        if reported := _other_key.fullmatch(sequence):
            modifiers, codepoint = reported.groups()
            if (int(modifiers) - 1) & _ALT:
                sequence = f"\x1b[{codepoint};{modifiers}u"  # Textual reads it with its modifiers
        elif _is_with_alt(sequence):
            sequence, alt = sequence[1], True
        for event in super().key_events(sequence, alt):
            if alt and event.is_printable and not event.key.startswith("alt+"):
                yield events.Key(f"alt+{event.key}", None)
            else:
                yield event


def _is_with_alt(sequence: str) -> bool:
    """Whether a sequence is an escape and a character that starts no longer sequence; some pairs are other keys."""
    if len(sequence) != 2 or sequence[1] in _LONGER or not sequence[1].isprintable():
        return False
    return not is_key_sequence(sequence)


class InputDecoder:
    """Decodes bytes that arrive in pieces, cut anywhere, even inside a character or a sequence."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, *, debug: bool = False) -> None:
        self._clock = clock
        self._debug = debug
        self._parser = _AltKeyParser(debug)
        self._decode = getincrementaldecoder("utf-8")("replace").decode
        self._begun = b""
        """An unfinished special sequence that more bytes may complete."""
        self._pasted: bytearray | None = None
        """The bytes of the paste that is being received."""
        self._came = clock()

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages of the next bytes."""
        if self._pasted is not None and self._end_was_lost(self._pasted, data):
            yield from self._end_paste(bytes(self._pasted))
        while data:
            data = yield from (self._read_keys(data) if self._pasted is None else self._read_paste(self._pasted, data))
        self._came = self._clock()

    def close(self) -> None:
        """Free the parsers."""
        self._parser = _AltKeyParser(self._debug)
        KeyParser.forget_all()

    def tick(self) -> Iterator[Message]:
        """The messages after a pause: an escape byte followed by a pause is the escape key."""
        if self._begun and self._clock() - self._came > constants.ESCAPE_DELAY:
            self._begun = b""
            self._parser.expect_new_sequence()
        yield from self._parsed(self._parser.tick)

    # --- keys and the mouse --------------------------------------------------------------------------------

    def _read_keys(self, data: bytes) -> Messages:
        """Read up to the end of the first special sequence."""
        known, text = _known_to_parser(self._begun), self._begun + data
        self._begun = b""
        found = _special.search(text)
        if found is None:
            yield from self._keep_unfinished(text, known)
            return b""
        if found[0] == PASTE_START:
            # The parser gets an end of paste at once, so that it is never inside a paste.
            yield from self._parse(text[known : found.end()] + PASTE_END)
            self._pasted = bytearray()
            return text[found.end() :]
        position = _position.match(text, found.end())
        assert position is not None
        if len(position[0]) < 3 and position.end() == len(text):
            yield from self._keep_unfinished(text, known)
            return b""
        yield from self._parse((text[: found.start()] + _as_sgr(position[0]))[known:])
        return text[position.end() :]

    def _keep_unfinished(self, text: bytes, known: int) -> Iterator[Message]:
        """Parse the text before an unfinished sequence. The parser gets only two bytes of an X10 report."""
        found = _unfinished.search(text)
        assert found is not None
        self._begun = found[0]
        yield from self._parse(text[known : found.start() + _known_to_parser(self._begun)])

    def _parse(self, data: bytes) -> Iterator[Message]:
        """The messages of bytes without a paste; invalid bytes become U+FFFD."""
        for character in self._decode(data):
            # One by one: an error of the parser must not lose the characters that follow.
            yield from self._parsed(self._parser.feed, character)

    def _parsed(self, read: Callable[..., Iterable[Message]], *arguments: str) -> Iterator[Message]:
        try:
            for message in read(*arguments):
                if isinstance(message, events.Resize):
                    self._parser.mouse_pixels = False  # a forged size report must not switch the mouse to pixels
                elif _is_usable(message):
                    yield message
        except Exception:  # the parser raises for many inputs: key numbers beyond Unicode, sizes of 0 …
            self._parser = _AltKeyParser(self._debug)

    # --- pastes --------------------------------------------------------------------------------------------

    def _read_paste(self, pasted: bytearray, data: bytes) -> Messages:
        """Add to the paste. All bytes up to the end of the paste are text."""
        searched = max(0, len(pasted) - len(PASTE_END) + 1)
        pasted += data
        end = pasted.find(PASTE_END, searched)
        if end < 0:
            return b""
        rest = bytes(pasted[end + len(PASTE_END) :])
        yield from self._end_paste(bytes(pasted[:end]))
        return rest

    def _end_paste(self, data: bytes) -> Iterator[Message]:
        self._pasted = None
        # Without NUL, as in Textual: some terminals insert it, and no path can contain it.
        text = data.decode("utf-8", "replace").replace("\0", "")
        if text:
            yield events.Paste(text)

    def _end_was_lost(self, pasted: bytearray, data: bytes) -> bool:
        is_late = self._clock() - self._came > _STALLED
        return is_late and len(data) <= _ONE_KEY and PASTE_END not in pasted[1 - len(PASTE_END) :] + data


def _known_to_parser(begun: bytes) -> int:
    """Number of bytes of an unfinished sequence that the parser has. It needs them to time out a lone escape."""
    return 2 if begun.startswith(_X10) else len(begun)


def _as_sgr(position: bytes) -> bytes:
    """An X10 mouse report as an SGR report, which Textual reads; an incomplete one becomes a report without effect."""
    if len(position) < 3:
        return b"\x1b[<0;0;0M"
    button, column, row = (byte - 32 for byte in position)
    is_release = button & 0b11 == 0b11 and not button & 0b110_0000
    return b"\x1b[<%d;%d;%d%c" % (button & ~0b11 if is_release else button, column, row, b"m" if is_release else b"M")


def _is_usable(message: Message) -> bool:
    """Whether a message can be passed on: a valid key, a click, or a harmless report.

    Size reports are dropped. The size comes from the system, because any program can write a report into the input.
    """
    if isinstance(message, events.Key):
        return message.character is None or not "\ud800" <= message.character <= "\udfff"
    return not isinstance(message, (InBandWindowResize, events.Paste))

"""Bytes as no person types them: every kind of sequence a terminal sends, whole, cut, overlong, and plain garbage."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

_WORDS = ("Lisbon", "text: case", "is:dirty", "[1, 2]", '{"a": null}', "Montréal ", "漢字", "👩‍💻", "\u2028", "e\u0301")
_FINALS = b"ABCDEFHIMOPQRSZ~u"
_ORDINARY = tuple(range(32, 127))
_MODES = (25, 47, 1000, 1003, 1006, 1015, 1049, 2004, 2026, 2048)
_SELDOM = 0.01
"""How often what quits stays in: an editor that is started anew has not much to lose."""


def chunks(count: int, seed: int = 0) -> Iterator[bytes]:
    """As many chunks, always the same for a seed; a sequence may be cut anywhere between two chunks."""
    random = Random(seed)
    rest = b""
    for _ in range(count):
        whole = rest + _without_quitting(random, random.choice(_KINDS)(random))
        at = random.randrange(len(whole) + 1) if random.random() < 0.2 else len(whole)
        rest = whole[at:]
        yield whole[:at]


def _without_quitting(random: Random, chunk: bytes) -> bytes:
    return chunk if random.random() < _SELDOM else chunk.replace(b"q", b"x").replace(b"\x11", b"\x12")


def _number(random: Random) -> bytes:
    """Mostly small; sometimes missing, negative, or out of any range."""
    kind = random.randrange(12)
    if kind == 0:
        return b"%d" % random.choice((0, 2**31, 2**63, 0x10FFFF, 0x110000, 0xD800, 99_999_999_999))
    if kind == 1:
        return random.choice((b"", b"-1", b"1:2:3", b":", b"9" * random.randrange(1, 60)))
    return b"%d" % random.randrange(200)


def _numbers(random: Random, most: int = 4) -> bytes:
    return b";".join(_number(random) for _ in range(random.randrange(most + 1)))


def _bytes(random: Random) -> bytes:
    return random.randbytes(random.randrange(1, 30))


def _text(random: Random) -> bytes:
    return bytes(random.choice(_ORDINARY) for _ in range(random.randrange(1, 12)))


def _words(random: Random) -> bytes:
    said = "".join(random.choices(_WORDS, k=random.randrange(1, 4)))
    return said.encode(random.choice(("utf-8", "utf-8", "utf-16", "latin-1")), "replace")


def _key(random: Random) -> bytes:
    return random.choice(
        (b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\r", b"\t", b"\x1b[Z", b"\x1b", b"\x7f", b"\x1bOP")
    )


def _control_key(random: Random) -> bytes:
    return bytes([random.randrange(32)]) if random.random() < 0.5 else b"\x1b" + bytes([random.randrange(128)])


def _sequence(random: Random) -> bytes:
    """A key of xterm or kitty, with any modifiers and any text."""
    return b"\x1b[" + random.choice((b"", b"", b"?", b">", b"[")) + _numbers(random) + bytes([random.choice(_FINALS)])


def _mouse(random: Random) -> bytes:
    at = b";".join(_number(random) for _ in range(3))
    return random.choice((
        b"\x1b[<%s%s" % (at, random.choice((b"M", b"m"))),
        b"\x1b[%sM" % at,
        b"\x1b[M" + bytes(random.randrange(32, 256) for _ in range(3)),
        b"\x1b[M" + random.randbytes(random.randrange(4)),
    ))  # fmt: skip


def _click(random: Random) -> bytes:
    place = b"0;%d;%d" % (random.randrange(1, 85), random.randrange(1, 27))
    return b"\x1b[<%sM\x1b[<%sm" % (place, place)


def _report(random: Random) -> bytes:
    """What a terminal answers: sizes, modes, positions, attributes, focus, colours."""
    return random.choice((
        b"\x1b[48;%s;%s;%s;%st" % tuple(_number(random) for _ in range(4)),
        b"\x1b[48;99999;99999;1;1t",
        b"\x1b[?%d;%d$y" % (random.choice(_MODES), random.randrange(5)),
        b"\x1b[%sR" % _numbers(random, 2),
        b"\x1b[?%sc" % _numbers(random),
        random.choice((b"\x1b[I", b"\x1b[O")),
        b"\x1b]%s;rgb:ffff/0000/0000%s" % (_number(random), random.choice((b"\x07", b"\x1b\\", b""))),
        b"\x1bP>|terminal 1.0\x1b\\",
    ))  # fmt: skip


def _paste(random: Random) -> bytes:
    """A paste, now and then without its start or its end, with anything inside."""
    inside = b"".join(random.choice((_text, _words, _bytes, _report, _key))(random) for _ in range(random.randrange(5)))
    kind = random.randrange(12)
    return (b"\x1b[200~" if kind else b"") + inside + (b"\x1b[201~" if kind != 1 else b"")


def _long(random: Random) -> bytes:
    """A sequence that does not end, or a paste of many lines; seldom, for keys in a long text take longer."""
    kind = random.randrange(100)
    if kind < 10:
        return b"\x1b[" + b";".join(_number(random) for _ in range(50))
    if kind < 12:
        return b"\x1b[200~" + random.choice((b"x", b"word ", b"line\r")) * random.randrange(2000) + b"\x1b[201~"
    return _text(random)


_KINDS = (
    *(_text, _bytes, _words, _key, _key, _key, _control_key, _sequence),
    *(_mouse, _click, _report, _paste, _paste, _long),
)

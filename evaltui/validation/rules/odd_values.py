"""Rules about values that look wrong wherever they stand: duplicate keys, NaN, times in another unit, and secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from json import JSONDecoder
from typing import Any

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Move, Remove, Set
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.document.positions import TextRange, line_and_column
from evaltui.document.scanner import read_json
from evaltui.document.strings import decode, invalid_utf8
from evaltui.evalset.case_data import unit_of
from evaltui.printable import quoted
from evaltui.validation.checked_case import CheckedCase, PointedValue
from evaltui.validation.rule_types import TALK, Diagnostic, Fix, Rule, Severity, a_case, a_set, a_turn
from evaltui.validation.rules.json_syntax import VERY_DEEP, may_be_bad

_TALK = (
    '"conversation": [{"user_content": {"parts": [{"text": "Hi"}]},\n'
    '   "final_response": {"parts": [{"text": "Hello"}]}}]'
)


def read_data(source: bytes, reader: str = "google-adk") -> tuple[Any, list[Diagnostic]]:
    """The data of a JSON text, and a diagnostic for each duplicate key and NaN.

    `reader` is the program that reads the file.

    Raises `ValueError` for invalid JSON or UTF-8; `DepthError`, which is one, for values that are nested too deeply.
    """
    # The fast parser looks first; only a text with something odd is walked node by node, which is slow.
    data, is_odd = _read(source.decode())
    return data, list(_odd_values(Node(source), reader)) if is_odd else []


def _read(text: str) -> tuple[Any, bool]:
    """The data of a JSON text, and whether it has a duplicate key or NaN. Raises like `read_data`."""
    is_odd = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal is_odd
        members = dict(pairs)  # the last of duplicate keys counts, as for google-adk
        is_odd = is_odd or len(members) < len(pairs)
        return members

    def constant(name: str) -> float:
        nonlocal is_odd
        is_odd = True
        return float(name)

    return read_json(text, JSONDecoder(object_pairs_hook=members, parse_constant=constant)), is_odd


def _odd_values(root: Node, reader: str) -> Iterator[Diagnostic]:
    pending = [root]
    while pending:
        node = pending.pop()
        pending += reversed(node.items)
        if node.kind == "number" and node.source()[-1:] in b"Ny":
            message = f"{node.source().decode()} is not valid JSON; {reader} reads it, but writes null"
            yield NOT_A_NUMBER.at(node.pointer(), message)
        for name, times in Counter(item.name for item in node.items if item.key).items():
            if times > 1:
                place = f"{node.pointer()}/{escape(name)}"
                # Always index 0: each removal makes the next duplicate the first.
                fix = Fix("Delete the ignored keys", False, tuple(Remove(place, 0) for _ in range(times - 1)))
                count = "" if times == 2 else f" ({times} times)"
                message = f"duplicate key {quoted(name, 40)}{count}; only the last value is read"
                yield DUPLICATE_KEY.at(place, message, at_key=True, fix=fix)


DUPLICATE_KEY = Rule(
    "duplicate-key",
    "An object has the same key twice.",
    "google-adk reads only the last value and gives no warning. When google-adk writes the file, the other values are "
    "lost. RFC 8259 does not define which value a parser reads.",
    a_set(
        f'{{"eval_set_id": "desk", "name": "Desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": '
        f'"a", {_TALK}}}]}}'
    ),
    a_set(f'{{"eval_set_id": "desk", "name": "Front desk",\n "eval_cases": [{{"eval_id": "a", {_TALK}}}]}}'),
    "Deletes the values that google-adk ignores (not safe: a deleted value may be the intended value).",
    group="syntax",
)


def with_reachable_fixes(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """The diagnostics without the fixes that a document would refuse, because a duplicate key is in their way."""
    every = [*diagnostics]
    # No pointer reaches a value at or below a duplicate key; only the fix of the key itself counts its positions.
    duplicates = {diagnostic.pointer for diagnostic in every if diagnostic.code == DUPLICATE_KEY.code}
    for diagnostic in every:
        obstacles = duplicates - ({diagnostic.pointer} if diagnostic.code == DUPLICATE_KEY.code else set())
        edits = diagnostic.fix.edits if diagnostic.fix is not None and obstacles else ()
        is_blocked = any(not obstacles.isdisjoint(ways_of(edit)) for edit in edits)
        yield replace(diagnostic, fix=None) if is_blocked else diagnostic


def ways_of(edit: Edit) -> Iterator[str]:
    """The pointers of an edit and of all values around them."""
    places = [edit.pointer, *((edit.origin,) if isinstance(edit, Move) else ())]
    for place in places:
        yield place
        if cut := place.rpartition("/")[0]:
            places.append(cut)


NOT_A_NUMBER = Rule(
    "not-a-number",
    "A number is NaN or Infinity.",
    "google-adk's parser reads NaN and Infinity, but `LocalEvalSetsManager` writes null. So an argument changes "
    "without a warning, and null in a timestamp makes the whole file invalid. Other programs refuse the file.",
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": '
        f"NaN}}}},\n {_TALK}}}"
    ),
    a_case(
        f'{{"eval_id": "a", "session_input": {{"app_name": "desk", "user_id": "u", "state": {{"fee": 0}}}},\n {_TALK}}}'
    ),
    group="syntax",
)


_NAME = "creation_timestamp"
_LATEST = 100_000_000_000
"""Numbers below this (the year 5138) count as seconds."""

TIMESTAMP_UNIT = Rule(
    "timestamp-unit",
    "A creation_timestamp is in milliseconds, microseconds or nanoseconds instead of seconds.",
    "google-adk writes seconds since 1970, as a float (`time.time()` in `LocalEvalSetsManager` and `adk web`). In "
    "seconds, this value is a date thousands of years in the future. Python's `datetime.fromtimestamp` raises "
    "*ValueError: year is out of range*.",
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009012, {TALK}}}'),
    a_case(f'{{"eval_id": "greeting", "creation_timestamp": 1763869009.012, {TALK}}}'),
    "Converts the time to seconds, without losing digits.",
)


def check_times(case: CheckedCase) -> Iterator[Diagnostic]:
    """Creation times of a case and its turns that are not in seconds."""
    for owner in (case.root, *(case.at(turn.data) for turn in case.turns)):
        yield from _check_time(owner.member(_NAME))


def check_time_of_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """The creation time of an eval set, if it is not in seconds."""
    if isinstance(rest.data, dict) and _NAME in rest.data:
        yield from _check_time(rest.below(_NAME))


def _check_time(time: PointedValue | None) -> Iterator[Diagnostic]:
    if time is None or isinstance(time.data, bool) or not isinstance(time.data, int | float) or time.data < _LATEST:
        return
    try:
        per_second, unit = unit_of(time.data)
    except ValueError:  # no unit gives a plausible time
        return
    # Decimal, because a division of floats rounds; an int stays an int if possible, and a float stays a float.
    seconds = f"{Decimal(repr(time.data)) / per_second:f}"
    if "." in seconds:
        seconds = seconds.rstrip("0").removesuffix(".")
    if isinstance(time.data, float) and "." not in seconds:
        seconds += ".0"
    fix = Fix(f"Write {seconds}", True, (Set(time.pointer, seconds.encode()),))
    yield TIMESTAMP_UNIT.at(time, f"{_NAME} is in {unit}, but google-adk expects seconds", fix=fix)


_SECRETS = (
    ("AIza", r"AIza(?<![\w-]AIza)[\w-]{35}+(?![\w-])", "a Google API key"),
    ("sk-", r"sk-(?<![\w-]sk-)(?=[\w-]{0,80}[0-9])(?=[\w-]{0,80}[A-Z])[\w-]{32,200}+", "an OpenAI or Anthropic key"),
    ("ghp_", r"ghp_(?<!\wghp_)[A-Za-z0-9]{36}+", "a GitHub token"),
    ("github_pat_", r"github_pat_(?<!\wgithub_pat_)\w{60,90}+", "a GitHub token"),
    ("AKIA", r"AKIA(?<!\wAKIA)[A-Z0-9]{16}+(?<!EXAMPLE)(?!\w)", "an AWS access key"),
    ("xox", r"xox(?<![\w-]xox)[abeprs]-(?=[\w-]{0,80}[0-9])[\w-]{20,200}+", "a Slack token"),
    ("eyJ", r"eyJ(?<![\w-]eyJ)[\w-]{10,}+\.eyJ[\w-]{10,}+\.[\w-]{10}", "a JSON web token"),
    ("PRIVATE KEY-----", r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----", "a private key"),
)
"""For each kind of secret: a text that it always contains, its form, and its name."""
# Each expression begins with a fixed text, which is found at memory speed; so the lookbehinds come after it. The rest
# is one kind of character with a possessive quantifier, which never backtracks. So the time is linear for any text.

SECRET = Rule(
    "secret",
    "A string looks like a key or a token.",
    "Eval sets are usually committed to git, and recorded eval sets contain everything that the tools returned. "
    "google-adk sends the texts of a case to the agent's model and to judges, and stores them in "
    "`.adk/eval_history`. evaltui recognizes secrets by their form. It knows private keys, JSON web tokens, and keys "
    "of Google, OpenAI, Anthropic, GitHub, AWS and Slack.",
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is this refused? -----BEGIN PRIVATE KEY-----"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
    a_turn(
        '{"user_content": {"parts": [{"text": "Why is my private key refused?"}]},\n'
        ' "final_response": {"parts": [{"text": "It has expired."}]}}'
    ),
    severity="info",
)


def check_texts(root: PointedValue, source: bytes) -> Iterator[Diagnostic]:
    """Strings in `root` that look like secrets; `source` is its JSON text."""
    forms = [(sign, re.compile(form, re.ASCII), name) for sign, form, name in _SECRETS if sign.encode() in source]
    pending = [root] if forms else []
    while pending:
        value = pending.pop()
        if isinstance(value.data, str):
            for sign, form, name in forms:
                if sign in value.data and form.search(value.data):
                    yield SECRET.at(value, f"looks like {name}")
                    break
        else:
            pending += reversed([*value.members(), *value.all_items()])


# --- files that are not eval sets, for which there are no rules -------------------------------------------------------

_MOST = 100
"""The largest number of problems that are reported."""
# More would tell the reader nothing new, and a screen of thousands takes long to draw.


Oddity = tuple[Diagnostic, Node | None]
"""A problem that no rule has found (its code is ""), and the value that has it."""


def _oddity(severity: Severity, message: str, place: tuple[int, int], node: Node | None = None) -> Oddity:
    return Diagnostic("", severity, message, "", place=TextRange(*place, *place)), node


def find_oddities(document: Document) -> Iterator[Oddity | None]:
    """The problems of `document`, with a None after each slice of work, so that the caller can do other things."""
    root, fault, encoding = document.root, document.fault, document.encoding
    if fault is not None:
        yield _oddity("error", f"invalid JSON: {fault.message}", document.line_and_column(fault.offset))
    if encoding == "utf-8-sig":
        yield _oddity("warning", "the file begins with a byte order mark, which google-adk rejects", (1, 1))
    elif encoding != "utf-8":
        message = f"the file is {encoding.upper()}, which google-adk does not read; saving keeps the encoding"
        yield _oddity("warning", message, (1, 1))
    if root is None:
        body = document.body()
        if (place := invalid_utf8(body)) is not None:
            yield _oddity("error", _not_utf8(body[place[0]]), line_and_column(body[: place[0]]))
        yield None
        return
    yield None
    room = _MOST
    for part in _parts(root):
        for diagnostic, node in _walk(part) if _looks_odd(part.source()) else ():
            if not room:
                yield replace(diagnostic, severity="info", message="more problems of this kind are not listed"), node
                return
            room -= 1
            yield diagnostic, node
        yield None


def _not_utf8(byte: int) -> str:
    return f"byte 0x{byte:02X} is not UTF-8; it is shown as � and stays in the file"


def _parts(root: Node) -> Iterator[Node]:
    """Small pieces that cover the document: the items of its outer lists, and the parts of large items."""
    # A problem of a key is seen only from the object around it, so that such an object is one piece.
    if not root.items or _has_odd_name(root):
        yield root
        return
    for member in root.items:
        if member.is_unfolded and member.items and not _has_odd_name(member):
            yield from member.items
        else:
            yield member


def _has_odd_name(node: Node) -> bool:
    has_duplicate = node.kind == "object" and len({item.name for item in node.items}) < len(node.items)
    return has_duplicate or any(_has_half_pair(item.key) or invalid_utf8(item.key) is not None for item in node.items)


def _has_half_pair(literal: bytes) -> bool:
    if b"\\ud" not in literal.lower():
        return False
    # Bytes that are not UTF-8 would be surrogates, too; they are problems of another kind.
    return any("\ud800" <= character <= "\udfff" for character in decode(literal.decode("utf-8", "replace").encode()))


def _looks_odd(source: bytes) -> bool:
    try:
        # Latin-1 reads any bytes, and of texts only the names matter here.
        return _read(source.decode("latin-1"))[1] or may_be_bad(source)
    except ValueError:  # values are nested deeply, or a number has thousands of digits
        return True


def _walk(part: Node) -> Iterator[Oddity]:
    pending = [(part, 0)]
    is_too_deep = False
    while pending:
        node, depth = pending.pop()
        message = ""
        if depth > VERY_DEEP:  # each level is parsed again for the next one
            text = f"values are nested over {VERY_DEEP} levels deep here; most programs cannot read this"
            message, is_too_deep = "" if is_too_deep else text, True
        elif node.is_container:
            pending += [(item, depth + 1) for item in reversed(node.items)]
            yield from _odd_names(node)
        elif node.kind == "number" and node.source()[-1:] in b"Ny":
            message = f"{node.source().decode()} is not valid JSON, though many programs accept it"
        elif node.kind == "string":
            yield from _broken_bytes(node, node.source(), 0)
            if _has_half_pair(node.source()):
                message = "the string has half of a surrogate pair, so google-adk rejects the file"
        if message:
            yield _oddity("warning", message, line_and_column(node.text_before()), node)


def _odd_names(node: Node) -> Iterator[Oddity]:
    names: set[str] = set()
    for item in node.items if node.kind == "object" else ():
        for is_odd, message in (
            (item.name in names, f"duplicate key {quoted(item.name)}; only the last value is read"),
            (_has_half_pair(item.key), "the key has half of a surrogate pair, so google-adk rejects the file"),
        ):
            if is_odd:
                yield _oddity("warning", message, line_and_column(item.text_before()), item)
        names.add(item.name)
    for item in node.items:
        yield from _broken_bytes(item, item.key, len(item.key) + len(item.colon))


def _broken_bytes(node: Node, literal: bytes, distance: int) -> Iterator[Oddity]:
    """The first byte of a string that is not UTF-8; the string begins `distance` bytes before the value of `node`."""
    if (bad := invalid_utf8(literal)) is not None:
        text = node.text_before()
        place = line_and_column(text[: len(text) - distance] + literal[: bad[0]])
        yield _oddity("error", _not_utf8(literal[bad[0]]), place, node)

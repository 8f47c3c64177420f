"""Rules about values that look wrong wherever they stand: duplicate keys, NaN, times in another unit, and secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from json import JSONDecoder
from typing import Any

from evaltui.document.edits import Edit, Move, Remove, Set
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, unit_of
from evaltui.printable import quoted
from evaltui.validation.checked_case import CheckedCase, PointedValue
from evaltui.validation.rule_types import TALK, Diagnostic, Fix, Rule, a_case, a_set, a_turn

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

    data = read_json(source.decode(), JSONDecoder(object_pairs_hook=members, parse_constant=constant))
    return data, list(_odd_values(Node(source), reader)) if is_odd else []


def _odd_values(root: Node, reader: str) -> Iterator[Diagnostic]:
    pending = [(root, "")]
    while pending:
        node, pointer = pending.pop()
        if node.kind == "number" and node.source()[-1:] in b"Ny":
            message = f"{node.source().decode()} is not valid JSON; {reader} reads it, but writes null"
            yield NOT_A_NUMBER.at(pointer, message)
        is_object = node.kind == "object"
        for name, times in Counter(item.name for item in node.items).items() if is_object else ():
            if times > 1:
                place = f"{pointer}/{escape(name)}"
                # Always index 0: each removal makes the next duplicate the first.
                fix = Fix("Delete the ignored keys", False, tuple(Remove(place, 0) for _ in range(times - 1)))
                count = "" if times == 2 else f" ({times} times)"
                message = f"duplicate key {quoted(name, 40)}{count}; only the last value is read"
                yield DUPLICATE_KEY.at(place, message, at_key=True, fix=fix)
        pending += [
            (item, f"{pointer}/{escape(item.name) if is_object else number}")
            for number, item in reversed([*enumerate(node.items)])
        ]


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
        is_blocked = any(not obstacles.isdisjoint(_ways(edit)) for edit in edits)
        yield replace(diagnostic, fix=None) if is_blocked else diagnostic


def _ways(edit: Edit) -> Iterator[str]:
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
    for owner in (case.data, *(turn.data for turn in case.turns)):
        # The plain value first: hardly any time is in another unit.
        if _is_late(get(owner, _NAME)) and (time := case.at(owner).member(_NAME)) is not None:
            yield from _in_another_unit(time)


def check_time_of_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """The creation time of an eval set, if it is not in seconds."""
    if isinstance(rest.data, dict) and _is_late(rest.data.get(_NAME)):
        yield from _in_another_unit(rest.below(_NAME))


def _is_late(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value >= _LATEST


def _in_another_unit(time: PointedValue) -> Iterator[Diagnostic]:
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

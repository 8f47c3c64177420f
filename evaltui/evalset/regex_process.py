"""Regular expressions of unknown cost, in a process that can be ended.

Python's `re` holds the interpreter while it matches, so in a thread a catastrophic expression would freeze the app
all the same. The process gets texts and gives what is found in them and what that becomes; whoever waits too long
kills it.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from evaltui.document import EditError
from evaltui.evalset.whole_words import Match

SECONDS = 5.0
"""What an expression may take for all texts."""

_PROGRAM = """
import json, re, sys
sys.setrecursionlimit(100_000)
pattern, ignoring, template, sources, texts, words = json.load(sys.stdin)
compiled = re.compile(pattern, re.IGNORECASE if ignoring else 0)
spelt = {None: "null", True: "true", False: "false"}

def strings(source):
    numbers = {"parse_int": str, "parse_float": str, "parse_constant": str}
    pending = [json.loads(source, object_pairs_hook=lambda pairs: [*map(list, pairs)], **numbers)]
    while pending:
        at = pending.pop()
        if isinstance(at, list):
            pending += at
        else:
            yield at if isinstance(at, str) else spelt.get(at, "")

def holds(source):
    try:
        return any(map(compiled.search, strings(source)))
    except (ValueError, RecursionError):
        return True

def found(text, is_word):
    matches = filter(None, [compiled.fullmatch(text)]) if is_word else compiled.finditer(text)
    return [[*match.span(), match.expand(template)] for match in matches]

json.dump([[holds(source) for source in sources], [*map(found, texts, words)]], sys.stdout)
"""


def checked(pattern: str, template: str) -> None:
    """Raise `EditError` with a sentence where either is broken."""
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        raise EditError(f"not a regular expression: {_said(error)}") from error
    names = {number: f"?P<{name}>" for name, number in compiled.groupindex.items()}
    same_groups = "".join(f"({names.get(number, '')})" for number in range(1, compiled.groups + 1))
    try:
        re.sub(same_groups, template, "")  # the pattern itself may take minutes, even on nothing
    except (re.error, IndexError) as error:
        raise EditError(f"the replacement refers to nothing: {_said(error)}") from error


def _said(error: Exception) -> str:
    place = getattr(error, "pos", None)
    return f"{getattr(error, 'msg', error)}{f' at character {place + 1}' if place is not None else ''}"


def holding(pattern: str, ignoring_case: bool, sources: Sequence[bytes]) -> list[bool]:
    """Which of these JSON texts hold a string, key, number or word that matches. Raises `EditError` as `matches`."""
    texts = [source.decode("utf-8", "surrogateescape") for source in sources]
    return [bool(held) for held in _answer(pattern, ignoring_case, "", texts, [], [])[0]]


def matches(
    pattern: str, ignoring_case: bool, template: str, texts: Sequence[str], words: Sequence[bool]
) -> list[list[Match]]:
    """What is found in each text, those that are `words` as a whole only. Raises `EditError` if it takes too long."""
    found = _answer(pattern, ignoring_case, template, [], texts, words)[1]
    return [[Match(*each) for each in of_text] for of_text in found]


def _answer(
    pattern: str,
    ignoring_case: bool,
    template: str,
    sources: Sequence[str],
    texts: Sequence[str],
    words: Sequence[bool],
) -> list[list[Any]]:
    asked = json.dumps([pattern, ignoring_case, template, list(sources), list(texts), list(words)]).encode("ascii")
    command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", _PROGRAM]
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=SECONDS, check=True)
    except subprocess.TimeoutExpired as error:
        raise EditError(f"this expression takes more than {SECONDS:g} seconds; try one that repeats less") from error
    except (OSError, subprocess.CalledProcessError) as error:
        raise EditError("this expression could not be tried") from error
    answer: list[list[Any]] = json.loads(done.stdout)
    return answer

"""The cases of a set, found by the facts that recordings share with them: an id, a user message, the id of a turn."""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from evaltui.document.disk.file_content import blake2b
from evaltui.document.scanner import read_json
from evaltui.evalset.case_data import get, items_in
from evaltui.evalset.content_parts import read_content
from evaltui.evalset.dataset_turns import is_dataset_case
from evaltui.evalset.expected_set import ExpectedCase

_LONGEST_TEXT = 120
"""Characters of a user message from which on its hash stands for it."""


class MatchFacts(NamedTuple):
    """The facts of a case that find its recordings."""

    eval_id: str
    first_text: str
    """The `text_key` of the first user message; "" if there is none."""
    turns: int
    """The number of its turns, given turns included."""
    invocation_ids: tuple[str, ...] = ()
    """The ids of its turns, by which it is found in the session that it was taken from; none in a dataset."""
    given_turns: int = 0
    """The number of its first turns that are given and not compared, in a dataset."""
    app_name: str | None = None


def text_key(text: str) -> str:
    """A user message in the form that is compared: lower case, with single blanks; the hash of a long one."""
    folded = " ".join(text.split()).casefold()
    if len(folded) <= _LONGEST_TEXT:
        return folded
    # No message begins with this character: a blank is folded away, and JSON has it only as an escape.
    return "\0" + digest_of(folded, 20).hex()


def match_facts(case: ExpectedCase) -> MatchFacts:
    """The facts of a case."""
    invocation_ids = tuple(turn.invocation_id for turn in case.turns) if not case.is_of_dataset else ()
    turns = len(case.given_turns) + len(case.turns)
    return MatchFacts(
        case.eval_id, text_key(case.first_user_text), turns, invocation_ids, len(case.given_turns), case.app_name
    )


def match_facts_in_text(source: bytes) -> MatchFacts | None:
    """The facts of a case in its JSON text; None for a case without an id, or of a dataset."""
    try:
        data = read_json(source)
    except ValueError:
        return None
    eval_id = get(data, "eval_id")
    if not isinstance(eval_id, str) or not eval_id or is_dataset_case(data):
        return None
    # Calls are not read, which halves the time.
    turns = [turn for turn in items_in(data, "conversation") if isinstance(turn, dict)]
    ids = (get(turn, "invocation_id") for turn in turns)
    text = read_content(get(turns[0], "user_content"))[0] if turns else ""
    app_name = get(get(data, "session_input"), "app_name")
    return MatchFacts(
        eval_id,
        text_key(text),
        len(turns),
        tuple(identifier if isinstance(identifier, str) else "" for identifier in ids),
        app_name=app_name if isinstance(app_name, str) else None,
    )


class NumbersByKey:
    """Numbers of cases by a key of bytes, as sorted arrays: 20 bytes a number, where a dict of lists takes 120."""

    def __init__(self, keys: Iterable[bytes | None]) -> None:
        """`keys` are of one length, by number. A number whose key is None is left out."""
        # Sorted bucket by bucket: as objects, all entries at once would take five times the memory of the arrays.
        buckets = [bytearray() for _ in range(256)]
        size = 1
        for number, key in enumerate(keys):
            if key is not None:
                entry = key + number.to_bytes(_NUMBER, "big")  # so that entries of one key are sorted by number
                buckets[key[0]] += entry
                size = len(entry)
        self._width = size - _NUMBER
        sorted_keys, numbers = bytearray(), array("I")
        for bucket in map(bytes, buckets):
            entries = sorted(bucket[start : start + size] for start in range(0, len(bucket), size))
            sorted_keys += b"".join([entry[:-_NUMBER] for entry in entries])
            numbers.frombytes(b"".join([entry[-_NUMBER:] for entry in entries]))
        if sys.byteorder == "little":
            numbers.byteswap()
        self._keys = bytes(sorted_keys)
        # A view, because a slice of it copies nothing: all cases of a set may begin with one message.
        self._numbers = memoryview(numbers)

    def beginning_with(self, prefix: bytes) -> Sequence[int]:
        """The numbers whose key begins with these bytes, ascending for each key."""
        places, keys, width = range(len(self._numbers)), self._keys, self._width
        # The second is longer than any rest of a key, so that it sorts behind all keys that begin with the prefix.
        start, end = (
            bisect_left(places, bound, key=lambda place: keys[place * width : (place + 1) * width])
            for bound in (prefix, prefix + b"\xff" * 17)
        )
        return self._numbers[start:end]


_NUMBER = 4
"""The bytes of a number."""


def digest_with_turns(text: str, turns: int) -> bytes:
    """The digest of a text, followed by a number of turns."""
    return digest_of(text) + min(turns, 0xFFFF).to_bytes(2, "big")


def digest_of(text: str, size: int = 16) -> bytes:
    """The digest of a text, of `size` bytes. A text may have halves of surrogate pairs, as JSON can."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()

"""New ids in the style of the ids beside them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from evaltui.document.disk.file_content import blake2b
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, calls_and_orphans, expected_uses
from evaltui.evalset.case_file import CaseFile, expected_rows, turns_of
from evaltui.evalset.keys import text_of

is_uuid = re.compile(r"(?is)(?P<prefix>.*?)(?P<body>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z").match
"""Matches an id that ends in a UUID."""
_RANDOM = r"(?P<prefix>[A-Za-z]+[_-])(?=[A-Za-z0-9]*[0-9][A-Za-z])(?P<body>[A-Za-z0-9]{12,})\Z"
_NUMBERED = r"(?s)(?P<prefix>.*?)(?P<number>[0-9]{1,15})\Z"


def fresh_id(examples: Sequence[str], default: str, is_taken: Callable[[str], bool], seed: str = "") -> str:
    """An id like the last of `examples`: its prefix with a new UUID, a random tail, or the next free number.

    Without examples it is `default` (such as `call_1`), or one like that if it is taken. With a `seed` nothing is
    random: the same seed gives the same id unless it is taken.
    """
    if not examples and not is_taken(default):
        return default
    example = examples[-1] if examples else default
    if match := is_random(example):
        import uuid  # noqa: PLC0415 - most ids are numbered, and it loads much

        for number in count():
            digest = blake2b(f"{seed}/{number}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
            new = uuid.UUID(bytes=digest, version=4) if seed else uuid.uuid4()
            identifier = match["prefix"] + (str(new) if "-" in match["body"] else new.hex[: len(match["body"])])
            # A random id is never taken; an id from a seed is, once the same change was made before.
            if not seed or not is_taken(identifier):
                return identifier
    prefix, digits = parts_of_id(example)
    if not digits:
        prefix, digits = f"{example}_", "1"
    number = _free_after(int(digits), lambda number: is_taken(f"{prefix}{number:0{len(digits)}d}"))
    return f"{prefix}{number:0{len(digits)}d}"


def is_random(identifier: str) -> re.Match[str] | None:
    """A match if an id ends in a UUID or a random tail."""
    return is_uuid(identifier) or re.match(_RANDOM, identifier)


def parts_of_id(identifier: str) -> tuple[str, str]:
    """The part before the number at the end of an id, and that number; without one, the whole id and ""."""
    match = re.match(_NUMBERED, identifier)
    return (match["prefix"], match["number"]) if match else (identifier, "")


def _free_after(last: int, is_taken: Callable[[int], bool]) -> int:
    """A free number after a taken one, near `last`."""
    for number in range(last + 1, last + 20):
        if not is_taken(number):
            return number
    # A binary search, because thousands in a row may be taken: an id for each of 10,000 copies looks here.
    highest, step = last + 19, 20
    while is_taken(highest + step):
        highest, step = highest + step, step * 2
    free = highest + step
    while free - highest > 1:
        middle = (free + highest) // 2
        highest, free = (middle, free) if is_taken(middle) else (highest, middle)
    return free


# --- ids of new rows -------------------------------------------------------------------------------------------------

_NEIGHBOURS = 8
"""Cases before and after a case that show the style of the set. Reading all cases would unfold a large set."""


def cases_near(cases: Sequence[Node], case: Node | None) -> list[Node]:
    """The case itself, then the cases before it and after it, nearest first; for None, the last cases."""
    index = case.index() if case is not None and case.parent is not None else len(cases)
    earlier, later = cases[max(0, index - _NEIGHBOURS) : index], cases[index + 1 : index + 1 + _NEIGHBOURS]
    return [*([case] if case is not None else []), *reversed(earlier), *later]


def new_case_id(case_file: CaseFile, near: Node | None) -> str:
    """The id of a new case beside the case `near`: the next of a series, else a neutral name such as `case_4`."""
    cases = case_file.cases
    ids = [case_file.case_id(case) for case in cases_near(cases, near)]
    is_taken = case_file.ids.of(cases).__contains__
    example = next(filter(None, ids), "")
    prefix, number = parts_of_id(example)
    rivals = [name for name in ids if name and name != example]
    # `case_N` begins a series. So does another number at the end, unless no id nearby has the same prefix.
    is_series = not rivals or prefix.rstrip("_-") == "case" or any(parts_of_id(name)[0] == prefix for name in rivals)
    if is_random(example) or (number and is_series):
        return fresh_id([example], "", is_taken)
    # Not `refund_2` beside `refund`: a copied name would describe the neighbour, not the new case.
    joint = "-" if "-" in example and "_" not in example else "_"
    return fresh_id([], f"case{joint}{len(cases) + 1}", is_taken)


def first_turn_id(eval_set: CaseFile, near: Node | None) -> str:
    """The id of the first turn of a case beside `near`; "" if the turns beside it have no ids."""
    ids_by_case = [ids for case in cases_near(eval_set.cases, near) if (ids := _turn_ids(case))]
    is_taken = taken_turn_ids(eval_set, near).__contains__
    if not ids_by_case:
        return fresh_id([], "inv-1", is_taken)
    example = ids_by_case[0][0]
    if not example or is_random(example):
        return fresh_id([example], "", lambda _: False) if example else ""
    if _shares_ids(ids_by_case):  # each case counts its turns from the same id
        return example
    prefix, number = parts_of_id(example)
    if len(ids_by_case) > 1 and prefix not in {parts_of_id(ids[0])[0] for ids in ids_by_case[1:]}:
        # Each case has a prefix of its own, such as `flight-1`: that of the neighbour would be wrong here.
        joint = "" if prefix[-1:].isalnum() else prefix[-1:]
        return fresh_id([], f"inv{joint}{1:0{len(number)}d}" if number else "inv-1", is_taken)
    return fresh_id([ids_by_case[0][-1] or example], "", is_taken)


def next_turn_id(eval_set: CaseFile, case: Node) -> str:
    """The id of another turn in a case; "" if its turns, or those of the cases beside it, have no ids."""
    ids = _turn_ids(case)
    if not ids:
        return first_turn_id(eval_set, case)
    own = [text for text in ids if text]
    return fresh_id(own, "", taken_turn_ids(eval_set, case).union(own).__contains__) if own else ""


def taken_turn_ids(eval_set: CaseFile, near: Node | None) -> set[str]:
    """The ids of all turns of the set, which a new turn beside `near` cannot have."""
    # Where cases share ids, an id needs to be unique only in its case.
    if _shares_ids([_turn_ids(case) for case in cases_near(eval_set.cases, near)]):
        return set()
    return eval_set.turn_ids.of(eval_set.cases)


def _turn_ids(case: Node) -> list[str]:
    """The ids of the turns of a case; "" for a turn without one."""
    return [text_of(turn, "invocation_id") for turn in turns_of(case)]


def _shares_ids(ids_by_case: list[list[str]]) -> bool:
    """Whether an id is in more than one case, as where each case counts its turns from 1."""
    ids = [text for ids in ids_by_case for text in {*ids} if text]
    return len(set(ids)) < len(ids)


def new_call_id(eval_set: CaseFile, turn: Node) -> str:
    """An id in the style of nearby calls; "" if they have no ids."""
    case = eval_set.enclosing(turn, "case")
    own = calls_of_case(case) if case is not None else []
    uses, orphans = calls_and_orphans(turn)
    used = {use.id for use in own} | {text_of(orphan, "id") for orphan in orphans}
    if own:  # the calls of the turn are the nearest examples
        examples = _ids_of(uses) or _ids_of(own)
        return fresh_id(examples, "call_1", used.__contains__) if examples else ""
    ids_by_case = [_ids_of(calls) for near in cases_near(eval_set.cases, case) if (calls := calls_of_case(near))]
    example = next(iter(ids_by_case[0]), "") if ids_by_case else "call_1"
    prefix, number = parts_of_id(example)
    series = [identifier for ids in ids_by_case for identifier in {*ids}]
    is_series = sum(map(bool, ids_by_case)) > 1 and len({*series}) == len(series)
    # Calls are numbered within their case, so the first gets the number 1, unless the cases share one series.
    if not is_series and number and not is_random(example):
        return fresh_id([], f"{prefix}{1:0{len(number)}d}", used.__contains__)
    return fresh_id([example], "", {*series, *used}.__contains__) if example else ""


def calls_of_case(case: Node) -> list[ToolUse]:
    """The expected tool calls of a case of either format."""
    return [use for row in expected_rows(case) for use in expected_uses(row)]


def _ids_of(calls: Iterable[ToolUse]) -> list[str]:
    return [use.id for use in calls if use.id]


# --- ids from texts --------------------------------------------------------------------------------------------------

LONGEST = 40
"""The longest proposed id, in characters."""
_UNWRITTEN = str.maketrans("", "", "'’ʼ\u200d")
"""Apostrophes, and the joiner inside words of Indic scripts."""
_INVISIBLE = "\u034f\u180b\u180c\u180d\u180f"
"""Marks that only change how a letter looks, beside the variation selectors."""


def proposed_id(user_text: str, number: int, is_taken: Callable[[str], bool]) -> str:
    """An id such as `book_flight_1`: the first words in lower case, or `case_` and the number without words.

    Letters with their marks and digits of any script count. If the id is taken, it gets the next free number (`_2`).
    """
    spaced = ""
    for char in unicodedata.normalize("NFC", user_text[: 20 * LONGEST].lower().translate(_UNWRITTEN)):
        # A mark without a letter before it would stand on the `_` between words.
        is_of_word = char.isalnum() or (is_mark(char) and spaced[-1:] not in ("", " "))
        spaced += char if is_of_word else " "
    base = ""
    for word in spaced.split():
        longer = f"{base}_{word}" if base else word
        if len(longer) > LONGEST:
            base = base or _beginning(longer, LONGEST)
            break
        base = longer
    identifier = base = base or f"case_{number}"
    for repetition in count(2):
        if not is_taken(identifier):
            break
        identifier = _beginning(base, LONGEST - len(f"_{repetition}")).rstrip("_") + f"_{repetition}"
    return identifier


def is_mark(char: str) -> bool:
    """Whether a character is a visible mark of the letter before it: a vowel of Thai or Hindi, an accent."""
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in _INVISIBLE
    return unicodedata.category(char) in ("Mn", "Mc") and not is_selector


def _beginning(text: str, length: int) -> str:
    """The beginning of a text. The last letter has all its marks, unless they alone are too many."""
    end = length
    while 0 < end < len(text) and is_mark(text[end]):
        end -= 1
    return text[: end or length]

"""New ids in the style of the ids beside them, and the ids of a copy that must be new."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections.abc import Callable, Iterable, Sequence

from evaltui.document.disk.file_content import blake2b
from evaltui.document.edits import Edit, Set, json_text
from evaltui.document.node import Node
from evaltui.evalset.call_views import ToolUse, tool_uses_of
from evaltui.evalset.case_file import CaseFile, dataset_turns_of, turns_of
from evaltui.evalset.keys import member, text_of

_UUID = r"(?is)(?P<prefix>.*?)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z"
_NUMBERED = r"(?s)(?P<prefix>.*?)(?P<number>[0-9]{1,15})\Z"
_RANDOM = r"(?P<prefix>[A-Za-z]+[_-])(?=[A-Za-z0-9]*[0-9][A-Za-z])(?P<body>[A-Za-z0-9]{12,})\Z"


def fresh_id(examples: Sequence[str], default: str, is_taken: Callable[[str], bool], seed: str = "") -> str:
    """An id like the last of `examples`: its prefix with a new UUID, a random tail, or the next free number.

    Without examples, `default` (such as `call_1`) is the example. With a `seed` nothing is random: the same seed
    gives the same id unless it is taken.
    """
    example = examples[-1] if examples else None
    if example is None:
        return default if not is_taken(default) else fresh_id([default], default, is_taken, seed)
    if found := re.match(_UUID, example):
        prefix = found["prefix"]
        return _untaken(lambda made: f"{prefix}{made}", is_taken, seed)
    if found := re.match(_RANDOM, example):
        prefix, length = found["prefix"], len(found["body"])
        return _untaken(lambda made: prefix + made.hex[:length], is_taken, seed)
    found = re.match(_NUMBERED, example)
    prefix, last = (found["prefix"], found["number"]) if found else (f"{example}_", "1")
    number = _free_after(int(last), lambda number: is_taken(f"{prefix}{number:0{len(last)}d}"))
    return f"{prefix}{number:0{len(last)}d}"


def is_random(identifier: str) -> bool:
    """Whether an id ends in a UUID or a random tail."""
    return bool(re.match(_UUID, identifier) or re.match(_RANDOM, identifier))


def parts_of_id(identifier: str) -> tuple[str, str]:
    """The part before the number at the end of an id, and that number; without one, the whole id and ""."""
    found = re.match(_NUMBERED, identifier)
    return (found["prefix"], found["number"]) if found else (identifier, "")


def _untaken(shown: Callable[[uuid.UUID], str], is_taken: Callable[[str], bool], seed: str) -> str:
    """An id with a random UUID, or with the first UUID of the seed that gives a free id."""
    if not seed:
        return shown(uuid.uuid4())
    number = 0
    while is_taken(made := shown(_seeded_uuid(f"{seed}/{number}"))):
        number += 1
    return made


def _seeded_uuid(seed: str) -> uuid.UUID:
    return uuid.UUID(bytes=blake2b(seed.encode("utf-8", "surrogatepass"), digest_size=16).digest(), version=4)


def _free_after(last: int, is_taken: Callable[[int], bool]) -> int:
    """A free number after a taken one, near `last`; binary search, because thousands in a row may be taken."""
    for number in range(last + 1, last + 20):
        if not is_taken(number):
            return number
    taken, step = last + 19, 20
    while is_taken(taken + step):
        taken, step = taken + step, step * 2
    free = taken + step
    while free - taken > 1:
        middle = (free + taken) // 2
        taken, free = (middle, free) if is_taken(middle) else (taken, middle)
    return free


Renaming = tuple[Node, str]
"""The node of an id in a copy, and its new text."""


def fresh_case(copy: Node, taken: set[str], taken_turns: set[str]) -> list[Renaming]:
    """The ids of a copied case that must change: taken ids of the case and its turns, and globally unique ids.

    The final ids are added to `taken` and `taken_turns`.
    """
    renamings = fresh_where_taken(member(copy, "eval_id"), taken)
    turns = turns_of(copy)
    own = {text_of(turn, "invocation_id") for turn in turns}
    for turn in turns:
        identifier = member(turn, "invocation_id")
        fresh = fresh_again(identifier)
        if not fresh and identifier is not None and identifier.text() in taken_turns:
            is_taken = (taken_turns | own).__contains__
            fresh = [(identifier, fresh_id([identifier.text()], "", is_taken))]
        taken_turns.update(text for _, text in fresh)
        renamings += fresh
    taken_turns |= own
    return renamings


def fresh_dataset_case(copy: Node, taken: set[str]) -> list[Renaming]:
    """The ids that a copied dataset case must change; its final id is added to `taken`."""
    renamings = fresh_where_taken(member(copy, "eval_case_id"), taken)
    return renamings + [
        renaming for turn in dataset_turns_of(copy) for renaming in fresh_again(member(turn, "turn_id"))
    ]


def fresh_where_taken(node: Node | None, taken: set[str]) -> list[Renaming]:
    """A new id if the text is among `taken`, which gets the final id; empty for an empty text."""
    if node is None or node.kind != "string":
        return []
    renamings = _fresh(node, taken)
    taken.add(renamings[0][1] if renamings else node.text())
    return renamings


def fresh_again(identifier: Node | None) -> list[Renaming]:
    """A new id in place of one that is globally unique, such as a UUID."""
    if identifier is None or not re.match(_UUID, identifier.text()):
        return []
    return [(identifier, fresh_id([identifier.text()], "", lambda _: False))]


def fresh_turn(copy: Node, turns: Iterable[Node], taken_ids: set[str]) -> list[Renaming]:
    """The ids of a copied turn that its new neighbours `turns`, or other copied turns, have already."""
    taken = {text_of(turn, "invocation_id") for turn in turns} | taken_ids
    identifier = member(copy, "invocation_id")
    renamings = _fresh(identifier, taken) if identifier is not None and identifier.text() else []
    if identifier is not None:
        taken_ids.add(renamings[0][1] if renamings else identifier.text())
    calls = {use.id for turn in turns for use in tool_uses_of(turn).calls}
    for use in tool_uses_of(copy).calls:
        renamings += fresh_call(use.node, use.response, calls)
    return renamings


def fresh_call(call: Node, response: Node | None, taken: set[str]) -> list[Renaming]:
    """A new id for a copied call and its response, if its id is among `taken`; that set gets the new id."""
    identifier = member(call, "id")
    if identifier is None or not identifier.text():
        return []
    renamings = _fresh(identifier, taken)
    text = renamings[0][1] if renamings else identifier.text()
    taken.add(text)
    answered = member(response, "id")
    if renamings and answered is not None:
        renamings.append((answered, text))
    return renamings


def _fresh(node: Node, taken: set[str]) -> list[Renaming]:
    text = node.text()
    return [(node, fresh_id([text], text, taken.__contains__))] if text in taken else []


def renamed(renamings: Iterable[Renaming], pointer: str) -> list[Edit]:
    """The edits that rename ids in a copy, after it was inserted at `pointer`."""
    return [Set(pointer + node.pointer(), json_text(text)) for node, text in renamings]


def new_case_id(near: Sequence[str], count: int, is_taken: Callable[[str], bool]) -> str:
    """The id of a new case in a set of `count` cases; `near` are the ids of the cases around it, the nearest first.

    A copied name such as `refund_2` would describe the neighbor, not the new case.
    """
    example = next(filter(None, near), "")
    if example and (is_random(example) or _is_of_series(example, near)):
        return fresh_id([example], "", is_taken)
    joint = "-" if "-" in example and "_" not in example else "_"
    name = f"case{joint}{count + 1}"
    return fresh_id([name], "", is_taken) if is_taken(name) else name


def _is_of_series(example: str, near: Sequence[str]) -> bool:
    """Whether an id is `case_N`, or ends in a number and no other case is near or one has the same prefix."""
    prefix, number = parts_of_id(example)
    others = [name for name in near if name and name != example]
    is_alike = prefix.rstrip("_-") == "case" or any(parts_of_id(name)[0] == prefix for name in others)
    return bool(number) and (not others or is_alike)


_NEIGHBOURS = 8
"""Cases before and after a case that show the style of the set. Reading all cases would unfold a large set."""


def first_turn_id(eval_set: CaseFile, near: Node | None) -> str:
    """The id of the first turn of a case beside `near`; "" if the turns beside it have no ids."""
    cases = cases_near(eval_set.cases, near)
    of_cases = [ids for case in cases if (ids := _ids_in(case))]
    if not of_cases:
        return fresh_id([], "inv-1", taken_turn_ids(eval_set, near).__contains__)
    example = of_cases[0][0]
    if not example or is_random(example):
        return fresh_id([example], "", lambda _: False) if example else ""
    if _shares_ids(of_cases):
        return example
    taken = taken_turn_ids(eval_set, near).__contains__
    prefix, number = parts_of_id(example)
    if len(of_cases) > 1 and prefix not in {parts_of_id(ids[0])[0] for ids in of_cases[1:]}:
        # Each case has a prefix of its own, such as `flight-1`: that of the neighbour would be wrong here.
        joint = "" if prefix[-1:].isalnum() else prefix[-1:]
        return fresh_id([], f"inv{joint}{1:0{len(number)}d}" if number else "inv-1", taken)
    return fresh_id([of_cases[0][-1] or example], "", taken)


def next_turn_id(eval_set: CaseFile, case: Node) -> str:
    """The id of another turn in a case; "" if its turns, or those of the cases beside it, have no ids."""
    ids = _ids_in(case)
    if not ids:
        return first_turn_id(eval_set, case)
    filled = [text for text in ids if text]
    taken = taken_turn_ids(eval_set, case).union(filled)
    return fresh_id(filled, "", taken.__contains__) if filled else ""


def taken_turn_ids(eval_set: CaseFile, near: Node | None) -> set[str]:
    """The ids of all turns of the set, which a new turn beside `near` cannot have.

    Empty if the cases there share ids: then an id needs to be unique only in its case.
    """
    if _shares_ids([_ids_in(case) for case in cases_near(eval_set.cases, near)]):
        return set()
    return eval_set.turn_ids.of(eval_set.cases)


def cases_near(cases: Sequence[Node], near: Node | None) -> list[Node]:
    """The case `near` itself, then the cases before it and after it, nearest first."""
    index = near.index() if near is not None and near.parent is not None else len(cases)
    before, after = cases[max(0, index - _NEIGHBOURS) : index], cases[index + 1 : index + 1 + _NEIGHBOURS]
    return [*([near] if near is not None else []), *reversed(before), *after]


def _ids_in(case: Node) -> list[str]:
    """The ids of the turns of a case; "" for a turn without one."""
    return [text_of(turn, "invocation_id") for turn in turns_of(case)]


def _shares_ids(of_cases: list[list[str]]) -> bool:
    """Whether an id is in more than one case, as where each case counts its turns from 1."""
    found = [text for ids in of_cases for text in {*ids} if text]
    return len(set(found)) < len(found)


def new_call_id(eval_set: CaseFile, turn: Node) -> str:
    """An id in the style of nearby calls; "" if they have no ids.

    The first call of a case gets the number 1, unless the cases around it number their calls as one series.
    """
    case = eval_set.enclosing(turn, "case")
    own = _calls_in(case) if case is not None else []
    taken = {use.id for use in own} | {text_of(orphan, "id") for orphan in tool_uses_of(turn).orphans}
    if own:
        examples = _ids_of(tool_uses_of(turn).calls) or _ids_of(own)
        return fresh_id(examples, "call_1", taken.__contains__) if examples else ""
    around = [_ids_of(calls) for near in cases_near(eval_set.cases, case) if (calls := _calls_in(near))]
    example = next(iter(around[0]), "") if around else "call_1"
    prefix, number = parts_of_id(example)
    series = [identifier for ids in around for identifier in {*ids}]
    is_series = sum(map(bool, around)) > 1 and len({*series}) == len(series)
    if not is_series and number and not is_random(example):
        return fresh_id([], f"{prefix}{1:0{len(number)}d}", taken.__contains__)
    return fresh_id([example], "", {*series, *taken}.__contains__) if example else ""


def _calls_in(case: Node) -> list[ToolUse]:
    return [use for turn in turns_of(case) for use in tool_uses_of(turn).calls]


def _ids_of(calls: Iterable[ToolUse]) -> list[str]:
    return [use.id for use in calls if use.id]


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
    text = unicodedata.normalize("NFC", user_text[: 20 * LONGEST].lower().translate(_UNWRITTEN))
    base = _joined(_words(text)) or f"case_{number}"
    made, count = base, 1
    while is_taken(made):
        count += 1
        tail = f"_{count}"
        made = _beginning(base, LONGEST - len(tail)).rstrip("_") + tail
    return made


def is_mark(char: str) -> bool:
    """Whether a character is a visible mark of the letter before it: a vowel of Thai or Hindi, an accent."""
    is_selector = "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in _INVISIBLE
    return unicodedata.category(char) in ("Mn", "Mc") and not is_selector


def _words(text: str) -> list[str]:
    """Runs of letters and digits with their marks; marks without a letter are left out."""
    made = ""
    for char in text:
        is_kept = char.isalnum() or (is_mark(char) and made[-1:] not in ("", " "))
        made += char if is_kept else " "
    return made.split()


def _joined(words: list[str]) -> str:
    """As many whole words as fit; if the first word is too long, its beginning."""
    made = ""
    for word in words:
        longer = f"{made}_{word}" if made else word
        if len(longer) > LONGEST:
            return made or _beginning(longer, LONGEST)
        made = longer
    return made


def _beginning(text: str, length: int) -> str:
    """The beginning of a text. The last letter has all its marks, unless they alone are too many."""
    end = length
    while 0 < end < len(text) and is_mark(text[end]):
        end -= 1
    return text[: end or length]

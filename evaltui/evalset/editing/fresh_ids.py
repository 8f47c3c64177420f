"""Fresh ids in the style of the ids in a file, and the ids of a copy that must be fresh."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable, Sequence

from evaltui.document.blake2 import blake2b
from evaltui.document.edits import Edit, Set, json_text
from evaltui.document.node import Node
from evaltui.evalset.call_views import tool_uses_of
from evaltui.evalset.case_file import dataset_turns_of, turns_of
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

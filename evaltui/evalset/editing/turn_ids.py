"""Ids of new turns, in the style of the set: unique in the set, or only in the case where the cases share ids."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.editing.fresh_ids import fresh_id, is_random, parts_of_id
from evaltui.evalset.keys import text_of

_NEIGHBOURS = 8
"""Cases before and after a case that show the style of the set. Reading all cases would unfold a large set."""


def first_turn_id(eval_set: CaseFile, near: Node | None) -> str:
    """The id of the first turn of a case beside `near`; "" if the turns beside it have no ids."""
    cases = _cases_near(eval_set, near)
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
    if _shares_ids([_ids_in(case) for case in _cases_near(eval_set, near)]):
        return set()
    return eval_set.turn_ids.of(eval_set.cases)


def _cases_near(eval_set: CaseFile, near: Node | None) -> list[Node]:
    """The case itself, then the cases before it and after it, nearest first."""
    cases = eval_set.cases
    at = near.index() if near is not None and near.parent is not None else len(cases)
    before, after = cases[max(0, at - _NEIGHBOURS) : at], cases[at + 1 : at + 1 + _NEIGHBOURS]
    return [*([near] if near is not None else []), *reversed(before), *after]


def _ids_in(case: Node) -> list[str]:
    """The ids of the turns of a case; "" for a turn without one."""
    return [text_of(turn, "invocation_id") for turn in turns_of(case)]


def _shares_ids(of_cases: list[list[str]]) -> bool:
    """Whether an id is in more than one case, as where each case counts its turns from 1."""
    found = [text for ids in of_cases for text in {*ids} if text]
    return len(set(found)) < len(found)

"""Checks of the sessions of all cases of a set against each other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from evaltui.document import Set, json_text
from evaltui.printable import one_line
from evaltui.validation.agent_folder import agent_around
from evaltui.validation.case_facts import CaseFacts, Found, StateValue
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.rules import sessions as rules

_EMPTY = {"list": "[]", "object": "{}"}
_COMPARED = {"text", "number", "list", "object"}


def check(cases: Sequence[CaseFacts], path: Path | None) -> Iterator[Found]:
    """Values of the state of another type than elsewhere, and app names unlike the others or the folder's."""
    values: dict[str, list[tuple[int, StateValue]]] = defaultdict(list)
    for number, facts in enumerate(cases):
        for value in facts.state:
            if value.type in _COMPARED:
                values[value.key].append((number, value))
    for same_key in values.values():
        yield from _types(same_key)
    yield from _app_names(cases, path)


def _types(values: list[tuple[int, StateValue]]) -> Iterator[Found]:
    """The values of one key, with the numbers of their cases."""
    counts = Counter(value.type for _, value in values)
    if len(counts) == 1:
        return
    usual = max(counts, key=lambda kind: (counts[kind], kind != "text"))
    example = next(number for number, value in values if value.type == usual)
    for number, value in values:
        if value.type != usual:
            said = f"{one_line(value.key, 40)!r} is a {value.type} here and a {usual} in case {example + 1}"
            yield number, rules.STATE_TYPE_DIFFERS.at(value.pointer, said, fix=_emptied(value, usual))


def _emptied(value: StateValue, usual: str) -> Fix | None:
    empty = _EMPTY.get(usual, "") if value.is_empty_text else ""
    return Fix(f"Write {empty}", False, (Set(value.pointer, empty.encode()),)) if empty else None


def _app_names(cases: Sequence[CaseFacts], path: Path | None) -> Iterator[Found]:
    counts = Counter(facts.app_name for facts in cases if facts.app_name)
    if not counts:
        return
    usual, times = counts.most_common(1)[0]
    if len(counts) > 1 and times * 2 >= counts.total():
        for number, facts in enumerate(cases):
            if facts.app_name and facts.app_name != usual:
                yield number, _differs(facts, usual)
    agent = agent_around(path) if path is not None else ""
    if agent and agent not in counts:
        number = next(number for number, facts in enumerate(cases) if facts.app_name == usual)
        said = f"app_name is {one_line(usual, 40)!r}, and the folder of the agent {one_line(agent, 40)!r}"
        yield number, rules.APP_NAME_UNLIKE_FOLDER.at(cases[number].app_name_pointer, said)


def _differs(facts: CaseFacts, usual: str) -> Diagnostic:
    fix = Fix(f"Write {one_line(usual, 30)}", False, (Set(facts.app_name_pointer, json_text(usual)),))
    said = f"app_name is {one_line(facts.app_name or '', 40)!r} here and {one_line(usual, 40)!r} in most cases"
    return rules.APP_NAME_DIFFERS.at(facts.app_name_pointer, said, fix=fix)

"""Checks of keys where google-adk lets unknown ones pass: in the set, a case, a session input and an event."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, TypeAdapter, ValidationError

from evaltui.document import Remove, Rename
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel
from evaltui.evalset.schema.eval_case import EvalCase, EvalSet, InvocationEvent, SessionInput
from evaltui.printable import one_line
from evaltui.validation.case_data import Case
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.nearness import meant
from evaltui.validation.place import Place
from evaltui.validation.rules import keys as rules

_OF_THE_LIST_FORMAT = {
    "data",
    "query",
    "reference",
    "expected_tool_use",
    "expected_intermediate_agent_responses",
    "initial_session",
}
"""Keys of cases and turns of the older format (`google.adk.evaluation.local_eval_sets_manager`)."""


def check(case: Case) -> Iterator[Diagnostic]:
    """Keys of a case that nothing reads."""
    yield from _misspelt(case.place, EvalCase)
    yield from _both_spellings(case.place, EvalCase)
    for key in _unknown(case.place, EvalCase):
        if key in _OF_THE_LIST_FORMAT:
            said = f"{key} belongs to the older list format; nothing reads it here"
            yield rules.LEGACY_KEY.at(case.place.below(key), said, at_key=True)
    inner: list[tuple[Place, type[BaseModel]]] = [(case.session, SessionInput)] if case.session is not None else []
    inner += [(event, InvocationEvent) for turn in case.turns for event in turn.events]
    for place, model in inner:
        yield from _misspelt(place, model)
        yield from _both_spellings(place, model)
    state = case.place.member("final_session_state")
    if state is not None and isinstance(state.data, dict) and state.data:
        yield rules.UNREAD_FINAL_STATE.at(state, "final_session_state is read by no metric")


def of_set(rest: Place) -> Iterator[Diagnostic]:
    """Keys at the top of a set that google-adk does not know."""
    misspelt = list(_misspelt(rest, EvalSet))
    yield from misspelt
    said_already = {each.pointer for each in misspelt}
    for key in _unknown(rest, EvalSet):
        at = rest.below(key)
        if at.pointer not in said_already and not _is_missed(rest, key):
            said = f"{one_line(key, 40)} is unknown to google-adk, which loses it when it writes the file"
            yield rules.DROPPED_KEY.at(at, said, at_key=True)


@lru_cache(maxsize=8)
def _fields(model: type[BaseModel]) -> dict[str, str]:
    """The field that each key is read as: in either spelling where the model has aliases."""
    names = list(model.model_fields)
    aliases = {camel(name): name for name in names} if model.model_config.get("alias_generator") else {}
    return {**{name: name for name in names}, **aliases}


def _unknown(place: Place, model: type[BaseModel]) -> list[str]:
    """The keys of an object that the model does not know."""
    fields = _fields(model)
    return [key for key in place.data if key not in fields] if isinstance(place.data, dict) else []


def _misspelt(place: Place, model: type[BaseModel]) -> Iterator[Diagnostic]:
    """Keys that are near to one which is not there, and whose value would do for that one."""
    unknown = _unknown(place, model)
    free = _absent(place, model) if unknown else []
    for key in unknown:
        name = meant(key, free)
        if name and _would_do(model, name, place.data[key]):
            free.remove(name)
            at = place.below(key)
            spelt = place.spelt(name) if model.model_config.get("alias_generator") else name
            fix = Fix(f"Rename it to {spelt}", True, (Rename(at.pointer, spelt),))
            said = f"{one_line(key, 40)} is not read; {spelt} was probably meant"
            yield rules.MISSPELT_KEY_IGNORED.at(at, said, at_key=True, fix=fix)


def _absent(place: Place, model: type[BaseModel]) -> list[str]:
    """The fields that could be meant: a required one that is missing is said with the schema."""
    fields = _fields(model)
    there = {fields[key] for key in place.data if key in fields}
    if there & {"conversation", "conversation_scenario"}:  # the one excludes the other
        there |= {"conversation", "conversation_scenario"}
    return [name for name, field in model.model_fields.items() if name not in there and not field.is_required()]


def _is_missed(rest: Place, key: str) -> bool:
    """Whether a key is reported as a misspelling of a required one already."""
    required = [name for name, field in EvalSet.model_fields.items() if field.is_required() and name not in rest.data]
    return bool(meant(key, required))


def _would_do(model: type[BaseModel], name: str, value: object) -> bool:
    try:
        _adapter(model, name).validate_json(json.dumps(value))
    except (ValidationError, ValueError, RecursionError):
        return False
    return value is not None


@lru_cache(maxsize=32)
def _adapter(model: type[BaseModel], name: str) -> TypeAdapter[Any]:
    annotation: Any = model.model_fields[name].annotation
    return TypeAdapter(annotation)


def _both_spellings(place: Place, model: type[BaseModel]) -> Iterator[Diagnostic]:
    fields = _fields(model)
    if not isinstance(place.data, dict):
        return
    for key in place.data:
        name = fields.get(key)
        if name is not None and key != name and name in place.data:
            is_same = place.data[key] == place.data[name]
            fix = Fix(f"Take {name} out", is_same, (Remove(f"{place.pointer}/{escape(name)}"),))
            said = f"{name} stands here as {key} as well, and google-adk reads that one"
            yield rules.BOTH_SPELLINGS.at(place.below(name), said, at_key=True, fix=fix)

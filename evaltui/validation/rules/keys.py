"""Rules about keys that google-adk accepts but does not read.

The checks import the models, not this module: loading them takes 0.1 s, and `evaltui rule` needs only the texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from evaltui.document.edits import Remove, Rename
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel
from evaltui.printable import one_line
from evaltui.validation.misspellings import meant
from evaltui.validation.pointed_values import PointedCase, PointedValue
from evaltui.validation.rule import TALK, Diagnostic, Fix, Rule, a_case, a_set

if TYPE_CHECKING:
    from pydantic import BaseModel, TypeAdapter

_CASES = f'"eval_cases": [{{"eval_id": "greeting", {TALK}}}]'
_GOOD = a_case(f'{{"eval_id": "greeting", {TALK}}}')
_SESSION = '{"app_name": "desk", "user_id": "user"}'
_OF_THE_LIST_FORMAT = {
    "data",
    "query",
    "reference",
    "expected_tool_use",
    "expected_intermediate_agent_responses",
    "initial_session",
}
"""Keys of cases and turns of the older format (`google.adk.evaluation.local_eval_sets_manager`)."""


def check_case(case: PointedCase) -> Iterator[Diagnostic]:
    """Keys of a case that nothing reads."""
    from evaltui.evalset.schema.eval_case import EvalCase, InvocationEvent, SessionInput

    yield from misspelt_keys(case.root, EvalCase)
    yield from both_spellings(case.root, EvalCase)
    yield from _legacy(case.root, EvalCase)
    session = case.session
    inner: list[tuple[PointedValue, type[BaseModel]]] = [(session, SessionInput)] if session is not None else []
    inner += [(case.at(event), InvocationEvent) for turn in case.turns for event in turn.events]
    for place, model in inner:
        yield from misspelt_keys(place, model)
        yield from both_spellings(place, model)
    yield from _final_state(case.root)


MISSPELT_KEY_IGNORED = Rule(
    "misspelt-key-ignored",
    "google-adk ignores a key that looks like a misspelled field name.",
    "`EvalCase` and `SessionInput` (google.adk.evaluation.eval_case) keep unknown keys, and `EvalSet` and "
    "`InvocationEvent` ignore them. So a misspelled key raises no error, and the field that you meant has no value. At "
    "the top of an eval set only snake_case is read, so `creationTimestamp` counts as misspelled there.",
    a_case(f'{{"eval_id": "greeting", {TALK},\n "session_inputs": {_SESSION}}}'),
    a_case(f'{{"eval_id": "greeting", {TALK},\n "session_input": {_SESSION}}}'),
    "Renames the key, in the style of the keys around it.",
)


def misspelt_keys(place: PointedValue, model: type[BaseModel]) -> Iterator[Diagnostic]:
    """Keys that are similar to an absent field, with a value that is valid for that field."""
    unknown = _unknown(place, model)
    free = _absent(place, model) if unknown else []
    for key in unknown:
        name = meant(key, free)
        if name and _would_do(model, name, place.data[key]):
            free.remove(name)
            at = place.below(key)
            spelt = place.spelt(name) if model.model_config.get("alias_generator") else name
            fix = Fix(f"Rename it to {spelt}", True, (Rename(at.pointer, spelt),))
            said = f"{one_line(key, 40)} is ignored; {spelt} is probably meant"
            yield MISSPELT_KEY_IGNORED.at(at, said, at_key=True, fix=fix)


@lru_cache(maxsize=8)
def _fields(model: type[BaseModel]) -> dict[str, str]:
    """The field that each key is read as; in both spellings if the model has aliases."""
    names = list(model.model_fields)
    aliases = {camel(name): name for name in names} if model.model_config.get("alias_generator") else {}
    return {**{name: name for name in names}, **aliases}


def _unknown(place: PointedValue, model: type[BaseModel]) -> list[str]:
    """The keys of an object that the model does not know."""
    fields = _fields(model)
    return [key for key in place.data if key not in fields] if isinstance(place.data, dict) else []


def _absent(place: PointedValue, model: type[BaseModel]) -> list[str]:
    """The fields that a key could be meant for. Required fields are left out: the schema reports them."""
    fields = _fields(model)
    there = {fields[key] for key in place.data if key in fields}
    if there & {"conversation", "conversation_scenario"}:  # a case has only one of the two
        there |= {"conversation", "conversation_scenario"}
    return [name for name, field in model.model_fields.items() if name not in there and not field.is_required()]


def _would_do(model: type[BaseModel], name: str, value: object) -> bool:
    try:
        _adapter(model, name).validate_json(json.dumps(value))
    except (ValueError, RecursionError):  # pydantic's ValidationError is a ValueError
        return False
    return value is not None


@lru_cache(maxsize=32)
def _adapter(model: type[BaseModel], name: str) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    annotation: Any = model.model_fields[name].annotation
    return TypeAdapter(annotation)


BOTH_SPELLINGS = Rule(
    "both-spellings",
    "An object has the same key in snake_case and in camelCase.",
    "google-adk reads the camelCase key. `EvalCase` and `SessionInput` keep the snake_case key as an unknown key. "
    "When google-adk saves the file, it writes the key twice (`LocalEvalSetsManager._write_eval_set_to_path`). The "
    "program that reads the file next gets the other value. If the object forbids unknown keys, google-adk rejects "
    "it.",
    a_case(f'{{"eval_id": "greeting", "evalId": "welcome", {TALK}}}'),
    _GOOD,
    "Deletes the key that google-adk ignores (safe if both keys have the same value).",
)


def both_spellings(place: PointedValue, model: type[BaseModel], reader: str = "google-adk") -> Iterator[Diagnostic]:
    """Keys that an object has in both spellings; `reader` is the program that has the model."""
    fields = _fields(model)
    if not isinstance(place.data, dict):
        return
    for key in place.data:
        name = fields.get(key)
        if name is not None and key != name and name in place.data:
            is_same = place.data[key] == place.data[name]
            fix = Fix(f"Delete {name}", is_same, (Remove(f"{place.pointer}/{escape(name)}"),))
            said = f"{reader} reads {key} and ignores {name}; delete one of them"
            yield BOTH_SPELLINGS.at(place.below(name), said, at_key=True, fix=fix)


LEGACY_KEY = Rule(
    "legacy-key",
    "A case in an eval set has a key of the older list format. Nothing reads this key.",
    "`EvalCase` keeps unknown keys, and no metric reads them. So expected values in such a key are never compared. "
    "`expected_tool_use`, `reference`, `query`, `initial_session` and similar keys are read only if the whole file "
    "is a list. See `convert_eval_set_to_pydantic_schema` in google.adk.evaluation.local_eval_sets_manager.",
    a_case(f'{{"eval_id": "greeting", {TALK},\n "expected_tool_use": [{{"tool_name": "get_fines"}}]}}'),
    a_case(
        '{"eval_id": "greeting", "conversation": [\n'
        '  {"user_content": {"parts": [{"text": "Hi"}]},\n'
        '   "intermediate_data": {"tool_uses": [{"name": "get_fines", "args": {}}]}}]}'
    ),
)


def _legacy(case: PointedValue, model: type[BaseModel]) -> Iterator[Diagnostic]:
    for key in _unknown(case, model):
        if key in _OF_THE_LIST_FORMAT:
            said = f"{key} is a key of the older list format; nothing reads it here"
            yield LEGACY_KEY.at(case.below(key), said, at_key=True)


DROPPED_KEY = Rule(
    "dropped-key",
    "An eval set has an unknown key at the top. google-adk deletes the key when it writes the file.",
    "`EvalSet` (google.adk.evaluation.eval_set) is a plain pydantic model that ignores unknown keys. So `adk web` "
    "and `adk eval_set` write the file without the unknown key. Unknown keys of cases are kept.",
    a_set(f'{{"eval_set_id": "desk", "owner": "library", {_CASES}}}'),
    a_set(f'{{"eval_set_id": "desk", "description": "Owned by the library", {_CASES}}}'),
    severity="info",
)


def check_set(rest: PointedValue) -> Iterator[Diagnostic]:
    """Keys at the top of an eval set that google-adk does not know."""
    from evaltui.evalset.schema.eval_case import EvalSet

    misspelt = list(misspelt_keys(rest, EvalSet))
    yield from misspelt
    said_already = {each.pointer for each in misspelt}
    for key in _unknown(rest, EvalSet):
        at = rest.below(key)
        if at.pointer not in said_already and not _is_missed(rest, key, EvalSet):
            said = f"google-adk does not know {one_line(key, 40)} and deletes the key when it writes the file"
            yield DROPPED_KEY.at(at, said, at_key=True)


def _is_missed(rest: PointedValue, key: str, model: type[BaseModel]) -> bool:
    """Whether the schema already reports the key as a misspelling of a required one."""
    required = [name for name, field in model.model_fields.items() if field.is_required() and name not in rest.data]
    return bool(meant(key, required))


UNREAD_FINAL_STATE = Rule(
    "unread-final-state",
    "A case has a final session state, but no metric compares it.",
    "`EvalCase.final_session_state` exists, but no metric of google-adk 2.13 compares it, so the value changes no "
    "score. You can keep the value for people, or delete it.",
    a_case(f'{{"eval_id": "greeting", {TALK},\n "final_session_state": {{"fines": 0}}}}'),
    _GOOD,
    severity="info",
)


def _final_state(case: PointedValue) -> Iterator[Diagnostic]:
    state = case.member("final_session_state")
    if state is not None and isinstance(state.data, dict) and state.data:
        yield UNREAD_FINAL_STATE.at(state, "final_session_state is never scored")

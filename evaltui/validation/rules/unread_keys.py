"""Rules about keys that google-adk accepts but does not read, and that the readers of datasets do not find."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from evaltui.document.edits import Edit, Insert, Move, Remove, Rename, Set, json_text
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel
from evaltui.printable import one_line
from evaltui.validation.checked_case import CheckedCase, PointedValue
from evaltui.validation.misspellings import meant
from evaltui.validation.rule_types import (
    TALK,
    Diagnostic,
    Fix,
    Rule,
    Severity,
    a_case,
    a_dataset,
    a_dataset_case,
    a_set,
)
from evaltui.validation.rules.dataset_cases import GOOD, PROMPT

# The checks import the models, not this module: loading them takes 0.1 s, and `evaltui rule` needs only the texts.
if TYPE_CHECKING:
    from pydantic import BaseModel, TypeAdapter

_CASES = f'"eval_cases": [{{"eval_id": "greeting", {TALK}}}]'
_GOOD = a_case(f'{{"eval_id": "greeting", {TALK}}}')
_SESSION = '{"app_name": "desk", "user_id": "user"}'
_LEGACY_KEYS = (
    *("data", "query", "reference", "expected_tool_use", "expected_intermediate_agent_responses", "initial_session"),
)
"""Keys of cases and turns of the older format (`google.adk.evaluation.local_eval_sets_manager`)."""


def check_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Keys of a case that nothing reads."""
    from evaltui.evalset.schema.eval_case import EvalCase, InvocationEvent, SessionInput

    yield from _misspelt_keys(case.root, EvalCase)
    yield from _both_spellings(case.root, EvalCase)
    for key in _unknown(case.root, EvalCase):
        if key in _LEGACY_KEYS:
            message = f"{key} is a key of the older list format; nothing reads it here"
            yield LEGACY_KEY.at(case.root.below(key), message, at_key=True)
    inner: list[tuple[PointedValue, type[BaseModel]]] = []
    if case.session is not None:
        inner.append((case.session, SessionInput))
    inner += [(case.at(event), InvocationEvent) for turn in case.turns for event in turn.events]
    for place, model in inner:
        yield from _misspelt_keys(place, model)
        yield from _both_spellings(place, model)
    state = case.root.member("final_session_state")
    if state is not None and isinstance(state.data, dict) and state.data:
        yield UNREAD_FINAL_STATE.at(state, "final_session_state is never scored")


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


def _misspelt_keys(place: PointedValue, model: type[BaseModel]) -> Iterator[Diagnostic]:
    """Keys that are similar to an absent field, with a value that is valid for that field."""
    unknown, fields = _unknown(place, model), _fields(model)
    if not unknown:  # as in nearly all objects, in which nothing else is looked at
        return
    present = {fields[key] for key in place.data if key in fields}
    if present & {"conversation", "conversation_scenario"}:  # a case has only one of the two
        present |= {"conversation", "conversation_scenario"}
    # Without required fields: the schema reports those.
    absent = [name for name, field in model.model_fields.items() if name not in present and not field.is_required()]
    for key in unknown:
        name = meant(key, absent)
        if name and _is_valid(model, name, place.data[key]):
            absent.remove(name)
            spelt = place.spelt(name) if model.model_config.get("alias_generator") else name
            key_place = place.below(key)
            fix = Fix(f"Rename it to {spelt}", True, (Rename(key_place.pointer, spelt),))
            message = f"{one_line(key, 40)} is ignored; {spelt} is probably meant"
            yield MISSPELT_KEY_IGNORED.at(key_place, message, at_key=True, fix=fix)


@lru_cache(maxsize=8)
def _fields(model: type[BaseModel]) -> dict[str, str]:
    """The field that each key is read as; in both spellings if the model has aliases."""
    names = list(model.model_fields)
    aliases = {camel(name): name for name in names} if model.model_config.get("alias_generator") else {}
    return {**{name: name for name in names}, **aliases}


def _unknown(place: PointedValue, model: type[BaseModel]) -> list[str]:
    fields = _fields(model)
    return [key for key in place.data if key not in fields] if isinstance(place.data, dict) else []


def _is_valid(model: type[BaseModel], name: str, value: object) -> bool:
    # A key with a value of another form is probably no misspelling, but the author's own.
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


def _both_spellings(place: PointedValue, model: type[BaseModel], reader: str = "google-adk") -> Iterator[Diagnostic]:
    """Keys that an object has in both spellings; `reader` is the program that has the model."""
    fields = _fields(model)
    for key in place.data if isinstance(place.data, dict) else ():
        # From the camelCase key, which wins, to the other one.
        name = fields.get(key)
        if name is not None and key != name and name in place.data:
            is_same = place.data[key] == place.data[name]
            fix = Fix(f"Delete {name}", is_same, (Remove(f"{place.pointer}/{escape(name)}"),))
            message = f"{reader} reads {key} and ignores {name}; delete one of them"
            yield BOTH_SPELLINGS.at(place.below(name), message, at_key=True, fix=fix)


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

    misspelt = list(_misspelt_keys(rest, EvalSet))
    yield from misspelt
    reported = {diagnostic.pointer for diagnostic in misspelt}
    for key in _unknown(rest, EvalSet):
        place = rest.below(key)
        fields = EvalSet.model_fields.items()
        required = [name for name, field in fields if field.is_required() and name not in rest.data]
        # The schema reports a misspelling of a required key.
        if place.pointer not in reported and not meant(key, required):
            message = f"google-adk does not know {one_line(key, 40)} and deletes the key when it writes the file"
            yield DROPPED_KEY.at(place, message, at_key=True)


UNREAD_FINAL_STATE = Rule(
    "unread-final-state",
    "A case has a final session state, but no metric compares it.",
    "`EvalCase.final_session_state` exists, but no metric of google-adk 2.13 compares it, so the value changes no "
    "score. You can keep the value for people, or delete it.",
    a_case(f'{{"eval_id": "greeting", {TALK},\n "final_session_state": {{"fines": 0}}}}'),
    _GOOD,
    severity="info",
)


# --- datasets --------------------------------------------------------------------------------------------------------
_KEYS_OF_OPTIMIZE = (
    *("eval_case_id", "conversation_history", "intermediate_events", "rubric_groups", "system_instruction"),
    "user_scenario",
)
"""Fields that `eval optimize` reads only in snake_case, though other readers know both spellings."""
_KEYS_OF_ADK = {
    "eval_id": "eval_case_id",
    "conversation": "agent_data",
    "conversation_scenario": "user_scenario",
    "session_input": "state_delta of an event",
    "rubrics": "rubric_groups",
}
"""Fields of a case of google-adk's eval sets, and the dataset field to use instead."""
# Not creation_timestamp and final_session_state: `evaltui convert` keeps them under these names, for the way back.


def check_dataset_case(case: CheckedCase) -> Iterator[Diagnostic]:
    """Keys of a case of a dataset that its readers do not find."""
    from evaltui.evalset.schema.genai_models import DatasetCase

    of_adk = list(_keys_of_adk(case.root))
    yield from of_adk
    reported = {diagnostic.pointer for diagnostic in of_adk}
    misspelt = _misspelt_keys(case.root, DatasetCase)
    # eval_id is also similar to eval_case_id; one problem for a key is enough.
    yield from (diagnostic for diagnostic in misspelt if diagnostic.pointer not in reported)
    yield from _both_spellings(case.root, DatasetCase, "agents-cli")
    yield from _single_response(case.root)
    # With a prompt, eval generate runs the case and does not look for agent_data.
    if case.prompt is None or not case.prompt.data:
        effect = "eval generate does not find agent_data and runs nothing"
        yield from _camel_keys(case.root, ("agent_data",), effect)
    yield from _camel_keys(case.root, _KEYS_OF_OPTIMIZE, "eval optimize reads only snake_case", "info")


ADK_MEMBER = Rule(
    "adk-member",
    "A case in a dataset has a field of google-adk's eval sets. Nothing reads this field.",
    "`EvalCase` of agentplatform keeps unknown fields, so the file is accepted. But messages, state and expected "
    "values in these fields are ignored. Only `eval optimize` reads `eval_id` and `rubrics`, if the dataset's own "
    "fields are absent. evaltui does not report a `session_input` without state. `evaltui convert` makes a dataset "
    "from an eval set and lists the values that are lost.",
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n "session_input": {{"app_name": "desk", "user_id": "user",\n'
        '   "state": {"fines": 0}}}'
    ),
    GOOD,
    "Renames an id or a scenario if the dataset field is free (not safe for a scenario with a persona).",
)


def _keys_of_adk(root: PointedValue) -> Iterator[Diagnostic]:
    for name, substitute in _KEYS_OF_ADK.items() if isinstance(root.data, dict) else ():
        key = root.key(name)
        if key is None or root.data[key] is None or (name == "session_input" and _loses_nothing(root)):
            continue
        place, value, fix = root.below(key), root.data[key], None
        if substitute in ("eval_case_id", "user_scenario") and root.key(substitute) is None:
            # A scenario with two members has no persona, which has another form in a dataset.
            has_same_form = isinstance(value, dict) and len(value) <= 2
            is_safe = isinstance(value, str) if substitute == "eval_case_id" else has_same_form
            fix = Fix(f"Rename it to {substitute}", is_safe, (Rename(place.pointer, substitute),))
        message = f"{key} is a field of google-adk's eval sets and ignored here; use {substitute}"
        yield ADK_MEMBER.at(place, message, at_key=True, fix=fix)


def _loses_nothing(root: PointedValue) -> bool:
    """Whether the session input of a case has no state, or no event could carry the state."""
    session = root.member("session_input")
    state = session.member("state") if session is not None else None
    is_sent = any(member is not None and member.data for member in map(root.member, ("prompt", "agent_data")))
    return session is not None and isinstance(session.data, dict) and not (is_sent and state is not None and state.data)


SINGLE_RESPONSE = Rule(
    "single-response",
    "A case has `response`, but metrics read `responses`.",
    "`response` is a column of the tables that agentplatform reads. In a case, only your own metrics can read this "
    "field. Metrics read the list `responses`. Without that list they fail with *Response missing* "
    "(agentplatform._genai._evals_metric_handlers).",
    a_dataset_case(f'{{"eval_case_id": "greeting", {PROMPT}, "response": "Hello"}}'),
    a_dataset_case(
        f'{{"eval_case_id": "greeting", {PROMPT},\n'
        ' "responses": [{"response": {"role": "model", "parts": [{"text": "Hello"}]}}]}'
    ),
    "Moves the value to the list `responses` (not safe: your own metric may read `response`).",
)


def _single_response(root: PointedValue) -> Iterator[Diagnostic]:
    response = root.member("response")
    if response is None or root.key("responses") is not None or not isinstance(response.data, str | dict):
        return
    if isinstance(response.data, str):
        value = b'{"response": {"role": "model", "parts": [{"text": %s}]}}' % json_text(response.data)
        edits: list[Edit] = [Set(response.pointer, b"[%s]" % value), Rename(response.pointer, "responses")]
    else:
        is_wrapped = "response" in response.data
        edits = [
            Insert("/responses", b"[]" if is_wrapped else b"[{}]"),
            Move(response.pointer, "/responses/0" if is_wrapped else "/responses/0/response"),
        ]
    message = "nothing reads response here; metrics read the list responses"
    fix = Fix("Move it to the list responses", False, tuple(edits))
    yield SINGLE_RESPONSE.at(response, message, at_key=True, fix=fix)


CAMEL_CASE_KEY = Rule(
    "camel-case-key",
    "A key is in camelCase, but a command of agents-cli reads it only in snake_case.",
    "The models of agentplatform read both styles. But `eval generate` first looks for `eval_cases`, `prompt` and "
    "`agent_data` in the JSON itself (google.agents.cli.eval.cmd_generate). Without these keys, it runs nothing. `eval "
    "optimize` reads most fields of a case the same way (google.agents.cli.eval.optimize_utils). For those fields, the "
    "severity is info.",
    a_dataset(f'{{"evalCases": [{GOOD.text}]}}'),
    a_dataset(f'{{"eval_cases": [{GOOD.text}]}}'),
    "Renames the key.",
)


def _camel_keys(
    owner: PointedValue, names: Iterable[str], effect: str, severity: Severity = "warning"
) -> Iterator[Diagnostic]:
    for name in names:
        key = camel(name)
        if isinstance(owner.data, dict) and key in owner.data and name not in owner.data:
            place = owner.below(key)
            fix = Fix(f"Rename it to {name}", True, (Rename(place.pointer, name),))
            message = f"{key} should be {name}: {effect}"
            yield CAMEL_CASE_KEY.at(place, message, at_key=True, fix=fix, severity=severity)


def check_dataset(rest: PointedValue) -> Iterator[Diagnostic]:
    """The key of the list of cases of a dataset."""
    yield from _camel_keys(rest, ("eval_cases",), "eval generate finds no cases and runs nothing")

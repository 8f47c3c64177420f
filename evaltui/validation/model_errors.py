"""Errors of the models of google-adk and agentplatform, each reported once and at its place, with a fix."""

from __future__ import annotations

import types
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Union, get_args, get_origin

import pydantic_core
from pydantic import BaseModel, ValidationError

from evaltui.document.edits import Edit, Insert, Remove, Rename, Set, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.document.scanner import is_deep
from evaltui.evalset.keys import key_for, member, snake
from evaltui.evalset.schema.eval_case import PERSONAS, EvalSet
from evaltui.evalset.schema.genai_models import Content
from evaltui.validation.locations import node_below
from evaltui.validation.misspellings import meant
from evaltui.validation.model_fields import Branch, ModelError, field_named, models_of, named, options_at
from evaltui.validation.odd_json import VERY_DEEP
from evaltui.validation.rule_types import Diagnostic, Fix
from evaltui.validation.rules import json_syntax as rules
from evaltui.validation.rules.model_rules import TYPES, diagnostic_of, misspelt, wrong_root

_SHAPES = ("tool_uses", "invocation_events")
"""One key of each of the two models of intermediate data."""


def errors_in_case(source: bytes) -> list[Diagnostic]:
    """The errors of one case of an eval set, given as its JSON text."""
    # As the only case of a set: limits of depth then count as in the file.
    return errors_by_model(b'{"eval_set_id":"","eval_cases":[%s]}' % source, Node(source), EvalSet, ("eval_cases", 0))


def errors_in_set_without_cases(root: Node) -> list[Diagnostic]:
    """The errors of an eval set apart from its cases; `root` has an empty list of cases."""
    if root.kind != "object":
        return [wrong_root(root)]
    return errors_by_model(root.source(), root, EvalSet, ())


def errors_by_model(
    source: bytes, node: Node, model: type[BaseModel], prefix: tuple[str | int, ...], reader: str = "google-adk"
) -> list[Diagnostic]:
    """The errors of `model` in a source.

    `node` is the part of the source below the steps `prefix`. `reader` is the program that has the model.
    """
    # As the programs read the file: in a validation of plain data, depth and bytes of the JSON would not count.
    try:
        model.model_validate_json(source)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        if details[0]["type"] == "json_invalid":
            return list(_bad_texts(node, reader)) or [_unreadable(node, str(details[0]["ctx"]["error"]), reader)]
        return list(_worded(_of_intended_members(_errors(details, node, model, prefix, reader))))
    return []


def _errors(
    details: Sequence[Any], root: Node, model: type[BaseModel], prefix: tuple[str | int, ...], reader: str
) -> Iterator[ModelError]:
    for detail in details:
        steps = tuple(detail["loc"])
        node, missing = root, ""
        branches: list[Branch] = []
        for number, step in enumerate(steps[len(prefix) :], len(prefix)):
            # At a union, pydantic's location has an extra step: the name of the member that it tried.
            if len(options := options_at(model, steps[:number])) > 1:
                branches.append((node, step, options))
                continue
            below = node_below(node, step)
            if below is None:
                steps, missing = steps[: number + 1], str(step)
                break
            node = below
        owner = next(iter(models_of(options_at(model, steps[:-1])[:1])), None)
        context = detail.get("ctx", {}) if not missing else {}
        yield ModelError(detail["type"], node, owner, missing, context, branches, reader)


# --- unions ----------------------------------------------------------------------------------------------------------


def _of_intended_members(errors: Iterable[ModelError]) -> list[ModelError]:
    """The errors without those of union members that the author evidently did not mean."""
    every = [*errors]
    # pydantic reports errors for every member of a union; those of unintended members are noise.
    # The step of the intended member; if that has no errors (a tag names the member), of the first one with errors.
    steps: dict[Node, str | int] = {}
    for node, step, options in (branch for error in every for branch in error.branches):
        if node not in steps or named(options, step) is _intended(node, options):
            steps[node] = step
    chosen: list[ModelError] = []
    mixed: set[Node] = set()
    for error in every:
        nodes = [node for node, _, _ in error.branches if node.kind == "object"]
        data = next((node for node in nodes if all(member(node, key) is not None for key in _SHAPES)), None)
        if data is None:
            if all(step == steps[node] for node, step, _ in error.branches):
                chosen.append(error)
        elif data not in mixed:
            mixed.add(data)
            chosen.append(ModelError("two_shapes", data, None))
    return chosen or every[:1]  # a rejected file must have an error, even if no member looks intended


def _intended(node: Node, options: Sequence[Any]) -> Any:
    """The intended type of a union for a value, chosen by the kind of the value and its keys."""
    models = models_of(options)
    lists = [option for option in options if get_origin(option) is list]
    if node.kind == "object" and models:
        return max(models, key=lambda model: _likeness(node, model))
    if node.kind == "array" and lists:
        return lists[0]
    plain = [option for option in options if option not in models and option not in lists]
    return [*plain, *options][0]


def _likeness(node: Node, model: type[BaseModel]) -> int:
    names = list(model.model_fields)
    # A known key says more than a similar one.
    return sum(2 if field_named(model, item.name) else bool(meant(item.name, names)) for item in node.items)


# --- from errors to diagnostics ----------------------------------------------------------------------------------


def _worded(errors: list[ModelError]) -> Iterator[Diagnostic]:
    """One diagnostic for each error; a missing required key and a similar unknown key are one diagnostic."""
    # Missing keys first: they explain unknown ones, which then need no diagnostic.
    unknown: dict[Node, list[Node]] = defaultdict(list)
    for error in errors:
        if error.kind == "extra_forbidden" and error.node.parent is not None:
            unknown[error.node.parent].append(error.node)
    explained: set[Node] = set()
    for error in errors:
        if error.kind == "missing" and (key := _misspelt(error, unknown)) is not None:
            explained.add(key)
            yield _renaming(key, error, error.field_name)
        elif error.kind != "extra_forbidden":
            yield diagnostic_of(error, _fix_of(error))
    for error in errors:
        if error.kind == "extra_forbidden" and error.node not in explained:
            owner = error.node.parent
            absent = [name for name in error.known if owner is None or member(owner, name) is None]
            # The other spelling of a key that is there is no misspelling of another one.
            name = "" if error.is_spelt_twice else meant(error.node.name, absent)
            yield _renaming(error.node, error, name) if name else diagnostic_of(error, _fix_of(error))


def _misspelt(error: ModelError, unknown: dict[Node, list[Node]]) -> Node | None:
    """The unknown key that was meant to be the missing key."""
    candidates, model, name = [*unknown.get(error.node, [])], error.model, error.field_name
    # A model that forbids no keys reports no unknown ones.
    if model is not None and model.model_config.get("extra") != "forbid":
        if name in [field_named(model, item.name) for item in error.node.items]:
            return None
        candidates += [item for item in error.node.items if field_named(model, item.name) is None]
    return next((item for item in candidates if meant(item.name, [name]) == name), None)


def _renaming(key: Node, error: ModelError, name: str) -> Diagnostic:
    assert key.parent is not None
    edit = Rename(key.pointer(), error.spelt(name, key.parent))
    return misspelt(key, name, Fix(f"Rename it to {name}", True, (edit,)))


_LEVELS = 190
"""The number of levels to look through."""
# Deeper values may be too deep themselves: pydantic's parser stops at about 200 levels.
_FEW = 3
"""The number of levels to descend in very deep values."""


def _bad_texts(node: Node, reader: str, depth: int = 0, is_reachable: bool = True) -> Iterator[Diagnostic]:
    """A diagnostic for each key and string with bytes that are not UTF-8, or with half of a surrogate pair."""
    for literal in (node.key, node.source() if node.kind == "string" else b""):
        if (diagnostic := rules.bad_text(node, literal, reader)) is not None:
            yield diagnostic if is_reachable else replace(diagnostic, fix=None)
    if node.items and depth < _LEVELS and rules.may_be_bad(node.source()):
        # No pointer reaches a value below a duplicate key.
        times = Counter(item.name for item in node.items) if node.kind == "object" else {}
        for item in node.items:
            yield from _bad_texts(item, reader, depth + 1, is_reachable and times.get(item.name, 1) == 1)


def _unreadable(root: Node, error: str, reader: str) -> Diagnostic:
    """The diagnostic for a value that cannot be parsed, at the innermost such value.

    `error` is the error of the parser of `reader`.
    """

    def is_unreadable(node: Node) -> bool:
        try:
            pydantic_core.from_json(node.source())
        except ValueError:
            return True
        return False

    node = root
    # In very deep values, each level takes long to parse.
    for _ in range(_FEW if is_deep(root.source(), most=VERY_DEEP) else _LEVELS):
        below = next(filter(is_unreadable, node.items), None)
        if below is None:
            break
        node = below
    if "recursion" in error:
        return rules.TOO_DEEP.at(node.pointer(), f"the value is nested deeper than {reader} reads (about 200 levels)")
    return rules.NOT_JSON.at(node.pointer(), f"{reader} cannot read this: {error}")


# --- fixes: only those that need no person ---------------------------------------------------------------------------


def _fix_of(error: ModelError) -> Fix | None:
    """The fix of an error; None if only a person can know the right value."""
    node = error.node
    match error.kind:
        case "missing" if node.kind != "array":
            name = error.field_name
            field = error.model.model_fields.get(name) if error.model is not None else None
            value = _least(field.annotation, node) if field is not None else None
            if value is not None:
                edit = Insert(f"{node.pointer()}/{escape(error.spelt(name))}", json_text(value))
                return Fix(f"Add {name} with an empty value", False, (edit,))
        case "extra_forbidden":
            return Fix("Delete it", False, (Remove(node.pointer()),))
        case "value_error" if node.kind == "string":
            # Only the ids of built-in personas have such a fix.
            persona = node.text().strip().upper()
            edits = (Set(node.pointer(), json_text(persona)),)
            return Fix(f"Write {persona}", True, edits) if persona in PERSONAS else None
        case "value_error":  # a case has one of conversation and scenario
            scenario = member(node, "conversation_scenario")
            if member(node, "conversation") is not None and scenario is not None and scenario.kind != "null":
                return Fix("Delete the scenario", False, (Remove(scenario.pointer()),))
            pointer = f"{node.pointer()}/conversation"
            is_absent = node.member("conversation") is None
            addition: Edit = Insert(pointer, b"[]") if is_absent else Set(pointer, b"[]")
            return Fix("Add an empty conversation", False, (addition,))
        case kind if kind in TYPES:
            return _as_another_type(node, kind, error.model, snake(node.name) if node.key else "")
    return None


def _least(annotation: Any, container: Node) -> Any:
    """The smallest valid value of a type; None if only a person can know it."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next((option for option in get_args(annotation) if option is not type(None)), None)
    if annotation is str:
        return ""
    if annotation is Content:
        return {"parts": [{"text": ""}]}
    if origin := get_origin(annotation):
        return {} if origin is dict else []
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        required = {name: field for name, field in annotation.model_fields.items() if field.is_required()}
        values = {key_for(container, name): _least(field.annotation, container) for name, field in required.items()}
        return None if None in values.values() else values
    return None


def _as_another_type(node: Node, kind: str, model: type[BaseModel] | None, name: str) -> Fix | None:
    """The fix that writes a value of the wrong type as the right type; `kind` is pydantic's error type."""
    pointer = node.pointer()
    if kind == "string_type" and node.kind in ("number", "boolean"):
        return Fix("Write it as a string", True, (Set(pointer, json_text(node.source().decode())),))
    if node.kind == "null" and kind in ("dict_type", "list_type"):
        empty = b"{}" if kind == "dict_type" else b"[]"
        return Fix(f"Write {empty.decode()}", True, (Set(pointer, empty),))
    if node.kind == "null" and node.parent is not None and node.parent.kind == "object":
        field = model.model_fields.get(name) if model is not None else None
        return Fix("Delete it", True, (Remove(pointer),)) if field is not None and not field.is_required() else None
    contents = ("prompt", "user_content", "final_response", "content", "system_instruction")
    if node.kind == "string" and name in contents:
        # A prompt is certainly a message of the user; the author of another content may be somebody else.
        role = b'"role": "user", ' if name == "prompt" else b""
        value = b'{%s"parts": [{"text": %s}]}' % (role, node.source())
        return Fix("Put it into a content object", name == "prompt", (Set(pointer, value),))
    return None

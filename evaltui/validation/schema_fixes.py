"""Fixes for values that google-adk's models reject, if the right value is clear."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin

from pydantic import BaseModel

from evaltui.document.edits import Edit, Insert, Remove, Set, json_text
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import key_for, member, snake
from evaltui.evalset.schema.eval_case import PERSONAS
from evaltui.evalset.schema.genai_models import Content
from evaltui.validation.rule_types import Fix
from evaltui.validation.rules.model_rules import TYPES

if TYPE_CHECKING:
    from evaltui.validation.model_fields import ModelError


def fix_of(error: ModelError) -> Fix | None:
    """The fix of an error; None if only a person can know the right value."""
    node, model = error.node, error.model
    match error.kind:
        case "missing" if node.kind != "array":
            return _adding(node, model, error.field_name, error.spelt(error.field_name))
        case "extra_forbidden":
            return Fix("Delete it", False, (Remove(node.pointer()),))
        case "value_error" if node.kind == "string":
            return _persona_in_capitals(node)
        case "value_error":
            return _one_of_two(node)
        case kind if kind in TYPES:
            return _as_another_type(node, kind, model, snake(node.name) if node.key else "")
    return None


def _adding(container: Node, model: type[BaseModel] | None, name: str, key: str) -> Fix | None:
    """The fix that adds a required field, as `key`, with the smallest valid value."""
    field = model.model_fields.get(name) if model is not None else None
    value = _least(field.annotation, container) if field is not None else None
    if value is None:
        return None
    said = f"Add {name} with an empty value"
    return Fix(said, False, (Insert(f"{container.pointer()}/{escape(key)}", json_text(value)),))


def _least(annotation: Any, container: Node) -> Any:
    """The smallest valid value of a type; None if only a person can know it."""
    if get_origin(annotation) in (Union, types.UnionType):
        annotation = next((each for each in get_args(annotation) if each is not type(None)), None)
    if annotation is str:
        return ""
    if annotation is Content:
        return {"parts": [{"text": ""}]}
    origin = get_origin(annotation)
    if origin is not None and origin is not dict:
        return []
    if origin is dict:
        return {}
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        required = {name: field for name, field in annotation.model_fields.items() if field.is_required()}
        values = {key_for(container, name): _least(field.annotation, container) for name, field in required.items()}
        return None if None in values.values() else values
    return None


def _as_another_type(node: Node, kind: str, model: type[BaseModel] | None, name: str) -> Fix | None:
    """The fix that writes a value of the wrong type as the right type; `kind` is pydantic's error type."""
    at = node.pointer()
    if kind == "string_type" and node.kind in ("number", "boolean"):
        return Fix("Write it as a string", True, (Set(at, json_text(node.source().decode())),))
    if node.kind == "null" and kind in ("dict_type", "list_type"):
        empty = b"{}" if kind == "dict_type" else b"[]"
        return Fix(f"Write {empty.decode()}", True, (Set(at, empty),))
    if node.kind == "null" and node.parent is not None and node.parent.kind == "object":
        field = model.model_fields.get(name) if model is not None else None
        return Fix("Delete it", True, (Remove(at),)) if field is not None and not field.is_required() else None
    if node.kind == "string" and name == "prompt":
        return Fix(
            "Put it into a content object",
            True,
            (Set(at, b'{"role": "user", "parts": [{"text": %s}]}' % node.source()),),
        )
    if node.kind == "string" and name in ("user_content", "final_response", "content", "system_instruction"):
        value = b'{"parts": [{"text": %s}]}' % node.source()
        return Fix("Put it into a content object", False, (Set(at, value),))
    return None


def _one_of_two(case: Node) -> Fix:
    """The fix that leaves a case with exactly one of conversation and scenario."""
    scenario = member(case, "conversation_scenario")
    if member(case, "conversation") is not None and scenario is not None and scenario.kind != "null":
        return Fix("Delete the scenario", False, (Remove(scenario.pointer()),))
    conversation = case.member("conversation")
    at = f"{case.pointer()}/conversation"
    edit: Edit = Insert(at, b"[]") if conversation is None else Set(at, b"[]")
    return Fix("Add an empty conversation", False, (edit,))


def _persona_in_capitals(persona: Node) -> Fix | None:
    """The fix that writes the id of a built-in persona in capitals."""
    meant = persona.text().strip().upper()
    return Fix(f"Write {meant}", True, (Set(persona.pointer(), json_text(meant)),)) if meant in PERSONAS else None

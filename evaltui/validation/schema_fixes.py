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
        case "value_error":
            return _one_of_two(node)
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


def _one_of_two(case: Node) -> Fix:
    scenario = member(case, "conversation_scenario")
    if member(case, "conversation") is not None and scenario is not None and scenario.kind != "null":
        return Fix("Delete the scenario", False, (Remove(scenario.pointer()),))
    pointer = f"{case.pointer()}/conversation"
    is_absent = case.member("conversation") is None
    edit: Edit = Insert(pointer, b"[]") if is_absent else Set(pointer, b"[]")
    return Fix("Add an empty conversation", False, (edit,))

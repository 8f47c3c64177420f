"""Sentences for what google-adk's models object to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from evaltui.document import Node
from evaltui.document.pointer import escape
from evaltui.evalset.keys import camel, key_for, member, snake
from evaltui.evalset.schema.eval_case import PERSONAS
from evaltui.printable import one_line
from evaltui.validation import schema_fixes
from evaltui.validation.diagnostic import Diagnostic
from evaltui.validation.model_walk import field_named
from evaltui.validation.rules import schema as rules

_WANTED = {
    "string_type": "a text",
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "int_parsing_size": "a smaller number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "list_type": "a list",
    "tuple_type": "a list of two: an author and a list of parts",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "bytes_type": "base64 text",
    "none_required": "null",
    "datetime_type": "a date and time",
    "datetime_parsing": "a date and time",
    "datetime_from_date_parsing": "a date and time",
}
_IS = {"object": "an object", "array": "a list", "string": "a text", "null": "null"}


@dataclass(frozen=True, slots=True)
class Branch:
    """A member of a union, by which a value was tried to be read."""

    node: Node
    step: str | int
    """pydantic's word for the member."""
    options: Sequence[Any]
    """The types of the union."""


@dataclass(frozen=True, slots=True)
class Fault:
    """An error of pydantic at its place."""

    kind: str
    """pydantic's type of it, or `two_shapes`."""
    node: Node
    """What it is about; where something is missing, the object without it."""
    model: type[BaseModel] | None
    """What the object is read by that holds the node, or that lacks a member."""
    missing: str = ""
    """The key that is not there."""
    steps: tuple[str | int, ...] = ()
    context: Mapping[str, Any] = field(default_factory=dict)
    branches: Sequence[Branch] = ()
    """The unions on the way, outermost first."""


def objection(fault: Fault) -> Diagnostic:
    """The diagnostic of one fault."""
    node = fault.node
    name, at = _name(node), node.pointer()
    match fault.kind:
        case "missing" if node.kind == "array":
            return rules.WRONG_LENGTH.at(at, f"{name} must have two items: an author and a list of parts")
        case "missing":
            field_name = _snake(fault)
            key = spelt(node, fault.model, field_name)
            fix = schema_fixes.adding(node, fault.model, field_name, key)
            return rules.MISSING_FIELD.at(f"{at}/{escape(key)}", f"{field_name} is required", fix=fix)
        case "extra_forbidden":
            said = f"{name} is not known here, so google-adk rejects the file"
            if is_spelt_twice(fault):
                said = f"{name} stands here in camelCase as well, so google-adk rejects the file"
            return rules.UNKNOWN_KEY.at(at, said, at_key=True, fix=schema_fixes.without(node))
        case "bytes_invalid_encoding":
            return rules.BAD_BASE64.at(at, f"{name} is not base64")
        case "too_long" | "too_short":
            return rules.WRONG_LENGTH.at(at, f"{name} must have two items: an author and a list of parts")
        case "literal_error":
            return rules.BAD_VALUE.at(at, f"{name} must be {fault.context.get('expected', 'another')}")
        case "two_shapes":
            said = "tool_uses and invocation_events exclude each other; google-adk rejects the file"
            return rules.TWO_SHAPES.at(at, said)
        case "value_error":
            return _by_validator(node)
        case "union_tag_invalid":
            tag = str(fault.context.get("discriminator", "")).strip("'")
            said = f"{tag} must be {_either(fault.context.get('expected_tags', ''))}"
            return rules.BAD_VALUE.at(f"{at}/{tag}", said)
        case kind if kind in _WANTED:
            wanted = _WANTED[kind] + (" or an object" if _may_be_object(fault) else "")
            fix = schema_fixes.as_another_type(node, kind, fault.model, snake(node.name) if node.key else "")
            return rules.WRONG_TYPE.at(at, f"{name} must be {wanted}, not {_what_is(node)}", fix=fix)
    return rules.REJECTED.at(at, f"{name} is not what google-adk reads ({fault.kind.replace('_', ' ')})")


def is_spelt_twice(fault: Fault) -> bool:
    """Whether a key is rejected only because it stands in its other spelling, too, which is the one that is read."""
    return fault.model is not None and field_named(fault.model, fault.node.name) is not None


def spelt(parent: Node, model: type[BaseModel] | None, name: str) -> str:
    """How a key of `parent`, which `model` reads, is to be spelt: like those around it, where both are read."""
    return key_for(parent, name) if model is not None and model.model_config.get("alias_generator") else name


def _either(tags: str) -> str:
    return " or ".join(tag.strip().strip("'") for tag in tags.split(","))


def _may_be_object(fault: Fault) -> bool:
    """Whether the value is read by a union that has a model, too."""
    last = fault.branches[-1] if fault.branches else None
    models = [each for each in last.options if isinstance(each, type) and issubclass(each, BaseModel)] if last else []
    return last is not None and last.node is fault.node and len(models) < len(last.options) and bool(models)


def _by_validator(node: Node) -> Diagnostic:
    if node.kind == "string" and snake(_name(node)) == "custom_instructions":
        needed = "{{ stop_signal }}, {{ conversation_plan }} and {{ conversation_history }}"
        said = f"custom_instructions must be a Jinja template that uses {needed}"
        return rules.INSTRUCTIONS.at(node.pointer(), said)
    if node.kind == "string":
        said = f"{one_line(node.text(), 40)} is no persona that google-adk knows: {', '.join(PERSONAS)}"
        return rules.UNKNOWN_PERSONA.at(node.pointer(), said, fix=schema_fixes.persona_in_capitals(node))
    has_both = member(node, "conversation") is not None
    said = "a case has either a conversation or a conversation_scenario; this one has " + (
        "both" if has_both else "neither"
    )
    return rules.CONVERSATION_OR_SCENARIO.at(node.pointer(), said, fix=schema_fixes.one_of_two(node))


def _name(node: Node) -> str:
    if node.parent is None:
        return "the file"
    if node.parent.kind == "array":
        return f"item {node.index() + 1} of {_name(node.parent)}"
    return one_line(node.name, 40)


def _what_is(node: Node) -> str:
    if node.kind in ("boolean", "number"):
        return one_line(node.source().decode(), 20)
    return f"the text {one_line(node.text(), 20)!r}" if node.kind == "string" else _IS.get(node.kind, node.kind)


def _snake(fault: Fault) -> str:
    names = list(fault.model.model_fields) if fault.model else []
    return next((name for name in names if fault.missing in (name, camel(name))), fault.missing)

"""Arguments of tool calls that are no plain object: other values, and objects with comparison rules (`$matchType`).

CX Agent Studio and cxas have rules for single arguments:

    {"summary": {"$matchType": "semantic", "$matchValue": "asks for a refund", "$originalValue": ""}}

cxas-scrapi's guide writes the value as `value`, its templates as `$matchValue`; both are read.
"""

from __future__ import annotations

from contextlib import suppress

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.interop.fields import SetField
from evaltui.interop.odd_values import with_finite_numbers
from evaltui.interop.output_tree import Made, Value
from evaltui.interop.portable_set import CallPart
from evaltui.interop.source_fields import SourceFields

_JSON_TEXT = "other formats require an object as arguments, so evaltui reads the JSON text"
_NO_OBJECT = 'other formats require an object as arguments, so evaltui puts the value under the key "value"'
_RULE = "$matchType"
_VALUES = ("$matchValue", "value", "$originalValue")
_NO_PATTERNS = ("$originalValue", "$matchValue", "value")
"""The members with the value of an argument, in the order of preference: a pattern matches no argument literally."""


def as_object(args: Node) -> Value:
    """Arguments as an object, which google-adk requires. A text may be the JSON of one."""
    if args.kind == "object":
        return args
    if args.kind == "string":
        with suppress(EditError):
            parsed = parse_value(args.text().encode("utf-8", "surrogatepass"))
            if parsed.kind == "object":
                return Made(with_finite_numbers(parsed.value()), (args,), "changed", _JSON_TEXT)
    return in_an_object(args)


def in_an_object(args: Node) -> Made:
    """An object with arguments of another kind under `value`."""
    return Made({"value": args.value()}, (args,), "changed", _NO_OBJECT)


def take_args(call: CallPart, args: Node, fields: SourceFields) -> None:
    """Give a call its arguments, also without rules for formats that have none. Notes all their fields."""
    call.args = fields.note(args, SetField.CALL_ARGS)
    if args.kind != "object" or not any(item.member(_RULE) is not None for item in args.items):
        return
    call.ruled_args = args
    plain = {item.name: _plain(item, fields) for item in args.items if args.member(item.name) is item}
    sources = {name: each for name, each in plain.items() if each is not None}
    call.args = Made({name: each.value() for name, each in sources.items()}, tuple(sources.values()))


def _plain(item: Node, fields: SourceFields) -> Node | None:
    """The value of an argument; None for a rule without one."""
    rule = item.member(_RULE)
    if rule is None:
        return item
    fields.note(item, SetField.ARGUMENT_RULES)
    for name in _NO_PATTERNS if rule.text() in ("regexp", "ignore") else _VALUES:
        found = item.member(name)
        if found is not None and found.kind != "null" and found.source() != b'""':
            return found
    return None

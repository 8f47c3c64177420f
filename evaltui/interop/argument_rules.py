"""Comparison rules of single arguments (`$matchType`), as CX Agent Studio and cxas have them in arguments.

    {"summary": {"$matchType": "semantic", "$matchValue": "asks for a refund", "$originalValue": ""}}

cxas-scrapi's guide writes the value as `value`, its templates as `$matchValue`; both are read.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.interop.fields import SetField
from evaltui.interop.output_tree import Made
from evaltui.interop.portable_set import CallPart
from evaltui.interop.source_fields import SourceFields

_RULE = "$matchType"
_VALUES = ("$matchValue", "value", "$originalValue")
_NO_PATTERNS = ("$originalValue", "$matchValue", "value")
"""The members with the value of an argument, in the order of preference: a pattern matches no argument literally."""


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

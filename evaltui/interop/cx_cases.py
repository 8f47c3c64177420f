"""Unique names of cases, for formats that require them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.interop.fields import SetField, SourceFields
from evaltui.interop.odd_values import with_finite_numbers
from evaltui.interop.output_tree import Invented, Made, Tree, Value, missing, only_text, remade, text_in
from evaltui.interop.portable_set import CallPart, PortableCase, PortableSet

_RENAME = "Give each case a unique id."


class UniqueNames:
    """Gives each case of a set a unique name: its id, with a number if another case has the same id."""

    def __init__(self, format_name: str, unique: str) -> None:
        """`format_name` requires names; `unique` is the reason for a changed name."""
        self._format_name, self._unique = format_name, unique
        self._taken: set[str] = set()

    def name(self, case: PortableCase, number: int) -> tuple[Tree, str]:
        """The name to be written, and its text; `number` is the place of the case in its set, from 1."""
        wanted = text_in(case.id) or f"case_{number}"
        name, copies = wanted, 1
        while name in self._taken:
            copies += 1
            name = f"{wanted}_{copies}"
        self._taken.add(name)
        if case.id is None or not text_in(case.id):
            return Invented(name, case.node, "/eval_id", missing(self._format_name, case.id)), name
        return (case.id if name == wanted else remade(case.id, name, "changed", self._unique, _RENAME)), name


_NO_CASES = "the eval set id becomes a tag of cases, but this set has no cases"
_NO_TEXT = "the eval set id becomes a tag of cases, but a tag must be a text"


def note_lost_set_id(portable: PortableSet) -> None:
    """Note why an eval set id does not become a tag."""
    if isinstance(portable.id, Node) and not portable.cases:
        portable.fields.note(portable.id, SetField.SET_ID, _NO_CASES)
    elif isinstance(portable.id, Node) and portable.id.kind != "string":
        portable.fields.note(portable.id, SetField.SET_ID, _NO_TEXT)


def tags_of(portable: PortableSet, case: PortableCase) -> list[Value]:
    """The eval set id, so that its cases can be found again, and the tags of the case.

    An extra key `tags` counts too, because google-adk's cases may have one.
    """
    of_set = [] if isinstance(portable.id, str) or portable.id is None else [portable.id]
    own = case.others.get("tags")
    listed: list[Value] = [*of_set, *case.tags, *(own.items if own is not None and own.kind == "array" else ())]
    return [each for each in listed if only_text(each) is not None and text_in(each)]


def persona_texts(persona: Any) -> list[tuple[str, str]]:
    """Names and texts: the id, the description, and each behavior with its instructions.

    `persona` is the id of a registered persona or an object (`google.adk.evaluation.simulation`), in either key case.
    Violation rubrics are not included: they judge the simulation.
    """
    if isinstance(persona, str):
        return [("persona", persona)] if persona else []
    if not isinstance(persona, dict):
        return []
    found = [("persona", persona.get("id")), ("persona description", persona.get("description"))]
    behaviors = persona.get("behaviors")
    for behavior in behaviors if isinstance(behaviors, list) else []:
        if isinstance(behavior, dict):
            found.append((str(behavior.get("name") or "behavior"), "\n".join(_behavior(behavior))))
    return [(name, text) for name, text in found if isinstance(text, str) and text]


def _behavior(behavior: dict[str, Any]) -> Iterator[str]:
    instructions = behavior.get("behavior_instructions", behavior.get("behaviorInstructions"))
    for text in (behavior.get("description"), *(instructions if isinstance(instructions, list) else ())):
        if isinstance(text, str) and text:
            yield text


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

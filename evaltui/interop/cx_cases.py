"""Cases of CX Agent Studio and cxas: names, tags, personas in words, and rules for single arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, count, filterfalse
from typing import Any, Final

from evaltui.document.node import Node
from evaltui.interop.fields import SetField, SourceFields, changed
from evaltui.interop.output_tree import Made, Tree, Value, remade, required, text_in, value_of
from evaltui.interop.portable_set import CallPart, PortableCase, PortableSet, TextPart

TRANSFER: Final = "transfer_to_agent"
"""The tool that google-adk's agents call for a transfer (`google.adk.tools.transfer_to_agent_tool`)."""
TARGET: Final = "agent_name"
"""Its argument."""
GOAL: Final = "Talk to the agent as its users do."
"""The goal of a simulated user without one."""
EVENT_TEXT: Final = changed("the event becomes a text message, as in cxas")
_NO_CASES = "the eval set id becomes a tag of cases, but this set has no cases"
_NO_TEXT = "the eval set id becomes a tag of cases, but a tag must be a text"
_RULE = "$matchType"
_VALUES = ("$matchValue", "value", "$originalValue")
"""The members with the value of an argument, in the order of preference."""
_VALUES_BESIDE_PATTERNS = ("$originalValue", "$matchValue", "value")


def named_cases(
    cases: Iterable[tuple[int, PortableCase]], reader: str, reason: str
) -> Iterator[tuple[PortableCase, Tree]]:
    """The cases with their unique names: the id, with a number if an earlier case has it.

    The number of a case is its place in the set, from 1. `reader` requires names; `reason` is why a name is changed.
    """
    names: set[str] = set()
    for number, case in cases:
        case_id = text_in(case.id) or f"case_{number}"
        candidates = chain([case_id], (f"{case_id}_{copy}" for copy in count(2)))
        name = next(filterfalse(names.__contains__, candidates))
        names.add(name)
        if case.id is None or not text_in(case.id):
            yield case, required(name, case.node, "eval_id", reader, case.id)
        elif name == case_id:
            yield case, case.id
        else:
            yield case, remade(case.id, name, changed(reason, "Give each case a unique id."))


def note_lost_set_id(portable: PortableSet) -> None:
    """Note why an eval set id does not become a tag."""
    if isinstance(portable.id, Node) and not portable.cases:
        portable.fields.note(portable.id, SetField.SET_ID, _NO_CASES)
    elif isinstance(portable.id, Node) and portable.id.kind != "string":
        portable.fields.note(portable.id, SetField.SET_ID, _NO_TEXT)


def tags_of(portable: PortableSet, case: PortableCase) -> list[Tree]:
    """The eval set id and the tags of the case. Both formats have no sets, so the id finds the cases of one again."""
    # An extra key `tags` counts too, because google-adk's cases may have one.
    extra = case.extras.get("tags")
    extra_tags = extra.items if extra is not None and extra.kind == "array" else []
    tags: list[Value | str] = [portable.id, *case.tags, *extra_tags]
    return [tag for tag in tags if isinstance(tag, Node | Made) and text_in(tag)]


def persona_texts(persona: Any) -> list[tuple[str, str]]:
    """Names and texts of a persona: the id, the description, and each behavior with its instructions.

    `persona` is the id of a registered persona or an object (`google.adk.evaluation.simulation`), in either key case.
    """
    if isinstance(persona, str):
        return [("persona", persona)] if persona else []
    if not isinstance(persona, dict):
        return []
    texts = [("persona", persona.get("id")), ("persona description", persona.get("description"))]
    behaviors = persona.get("behaviors")
    for behavior in behaviors if isinstance(behaviors, list) else []:
        if isinstance(behavior, dict):
            # Violation rubrics are left out: they judge the simulation.
            instructions = behavior.get("behavior_instructions", behavior.get("behaviorInstructions"))
            lines = [behavior.get("description"), *(instructions if isinstance(instructions, list) else ())]
            text = "\n".join(line for line in lines if isinstance(line, str) and line)
            texts.append((str(behavior.get("name") or "behavior"), text))
    return [(name, text) for name, text in texts if isinstance(text, str) and text]


def transfer_target(part: CallPart) -> Value | None:
    """The agent that a call hands over to; None for a call of another tool."""
    args = value_of(part.args)
    if text_in(part.name) != TRANSFER or not isinstance(args, dict) or not isinstance(args.get(TARGET), str):
        return None
    if isinstance(part.args, Made):
        return part.args._replace(value=args[TARGET])
    return part.args.member(TARGET) if part.args is not None else None


def event_part(event: Node) -> TextPart:
    """An event by the user as a text, because other formats have nothing else for it."""
    return TextPart(Made(f"<event>{event.text()}</event>", (event,), EVENT_TEXT))


# --- comparison rules of arguments ---------------------------------------------------------------------------------


def take_args(call: CallPart, args: Node, fields: SourceFields) -> None:
    """Give a call its arguments, also without rules for formats that have none. Notes all their fields.

    A rule for a single argument: `{"summary": {"$matchType": "semantic", "$matchValue": "asks for a refund"}}`.
    """
    call.args = fields.note(args, SetField.CALL_ARGS)
    if args.kind != "object" or not any(item.member(_RULE) is not None for item in args.items):
        return
    call.ruled_args = args
    values = {item.name: _value_of_rule(item, fields) for item in args.items if args.member(item.name) is item}
    sources = {name: value for name, value in values.items() if value is not None}
    call.args = Made({name: value.value() for name, value in sources.items()}, tuple(sources.values()))


def _value_of_rule(item: Node, fields: SourceFields) -> Node | None:
    """The value of an argument; None for a rule without one."""
    rule = item.member(_RULE)
    if rule is None:
        return item
    fields.note(item, SetField.ARGUMENT_RULES)
    # cxas-scrapi's guide writes the value as `value`, its templates as `$matchValue`. The value beside a pattern is
    # the pattern itself, which matches no argument literally.
    for name in _VALUES_BESIDE_PATTERNS if rule.text() in ("regexp", "ignore") else _VALUES:
        value = item.member(name)
        if value is not None and value.kind != "null" and value.source() != b'""':
            return value
    return None

"""What google-adk's models reject, each fault once and at its place (`EvalSet.model_validate_json`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from evaltui.document import Node, Rename
from evaltui.evalset.keys import camel
from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.printable import one_line
from evaltui.validation.diagnostic import Diagnostic, Fix
from evaltui.validation.lookup import Lookup
from evaltui.validation.model_walk import choices_at, field_named, known_keys, model_at
from evaltui.validation.nearness import meant
from evaltui.validation.rules.schema import MISSPELT_KEY, WRONG_TYPE
from evaltui.validation.unions import of_meant_shape
from evaltui.validation.unreadable import unreadable
from evaltui.validation.wording import Branch, Fault, is_spelt_twice, objection, spelt


def of_case(source: bytes) -> list[Diagnostic]:
    """What is wrong with one case, validated as the only one of a set, so that it lies as deep as in the file."""
    return by_model(b'{"eval_set_id":"","eval_cases":[%s]}' % source, Node(source), EvalSet, ("eval_cases", 0))


def of_set_without_cases(root: Node) -> list[Diagnostic]:
    """What is wrong with an eval set apart from its cases, given with an empty list for them."""
    if root.kind != "object":
        return [WRONG_TYPE.at(root.pointer(), "an eval set must be an object")]
    return by_model(root.source(), root, EvalSet, ())


def by_model(source: bytes, node: Node, model: type[BaseModel], at: tuple[str | int, ...]) -> list[Diagnostic]:
    """What `model` has against a source, of which `node` is what lies below the steps `at`."""
    try:
        model.model_validate_json(source)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        if details[0]["type"] == "json_invalid":
            return [unreadable(node, str(details[0]["ctx"]["error"]))]
        return list(_worded(of_meant_shape(_faults(details, node, model, at))))
    return []


def _faults(details: Sequence[Any], node: Node, model: type[BaseModel], at: tuple[str | int, ...]) -> Iterator[Fault]:
    """The errors of pydantic, each with the node it is about."""
    lookup = Lookup()
    for detail in details:
        steps = tuple(detail["loc"])
        parent, found, branches = node, node, []
        for number, step in enumerate(steps[len(at) :], len(at)):
            if options := choices_at(model, steps[:number]):
                branches.append(Branch(found, step, options))
                continue
            parent = found
            below = lookup.step(found, step)
            if below is None:
                owner = model_at(model, steps[:number])
                yield Fault(detail["type"], parent, owner, missing=str(step), steps=steps, branches=branches)
                break
            found = below
        else:
            owner, context = model_at(model, steps[:-1]), detail.get("ctx", {})
            yield Fault(detail["type"], found, owner, steps=steps, context=context, branches=branches)


def _worded(faults: list[Fault]) -> Iterator[Diagnostic]:
    """One diagnostic a fault; a required key that is missing and an unknown one near to it are one."""
    unknown: dict[Node, list[Node]] = defaultdict(list)
    for fault in faults:
        if fault.kind == "extra_forbidden" and fault.node.parent is not None:
            unknown[fault.node.parent].append(fault.node)
    explained: set[Node] = set()
    lookup = Lookup()
    for fault in faults:
        if fault.kind == "missing" and (key := _misspelt(fault, unknown)) is not None:
            explained.add(key)
            name = _name(fault)
            yield _misspelt_as(key, fault, name)
        elif fault.kind != "extra_forbidden":
            yield objection(fault)
    for fault in faults:
        if fault.kind == "extra_forbidden" and fault.node not in explained:
            near = "" if is_spelt_twice(fault) else meant(fault.node.name, _absent(fault, lookup))
            yield _misspelt_as(fault.node, fault, near) if near else objection(fault)


def _misspelt(fault: Fault, unknown: dict[Node, list[Node]]) -> Node | None:
    """The key that was meant to be the missing one."""
    rejected = unknown.get(fault.node, [])
    free = [] if fault.model is None or fault.model.model_config.get("extra") == "forbid" else fault.node.items
    known = set(filter(None, (field_named(fault.model, item.name) for item in free))) if fault.model else set()
    name = _name(fault)
    candidates = [*rejected, *(item for item in free if fault.model and field_named(fault.model, item.name) is None)]
    return next((item for item in candidates if meant(item.name, [name]) == name and name not in known), None)


def _name(fault: Fault) -> str:
    """The missing field, in snake_case."""
    names = known_keys(fault.model) if fault.model else []
    return next((name for name in names if fault.missing in (name, camel(name))), fault.missing)


def _absent(fault: Fault, lookup: Lookup) -> list[str]:
    there = lookup.members(fault.node.parent) if fault.node.parent is not None else {}
    names = known_keys(fault.model) if fault.model else []
    return [name for name in names if name not in there and camel(name) not in there]


def _misspelt_as(key: Node, fault: Fault, name: str) -> Diagnostic:
    assert key.parent is not None
    fix = Fix(f"Rename it to {name}", True, (Rename(key.pointer(), spelt(key.parent, fault.model, name)),))
    return MISSPELT_KEY.at(key.pointer(), f"{_quoted(key)} should be {name}", at_key=True, fix=fix)


def _quoted(node: Node) -> str:
    return one_line(node.name, 40)

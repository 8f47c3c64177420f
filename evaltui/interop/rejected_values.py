"""Values of a written document that the model of its reader rejects. They are kept, and reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from evaltui.document.node import Node
from evaltui.evalset.keys import camel, snake
from evaltui.evalset.schema.plain_check import is_plain_dataset
from evaltui.interop.fields import Reason
from evaltui.interop.output_tree import Made, Respelt, Tree
from evaltui.interop.portable_set import FormatType

_REJECTED = "kept, but {} rejects the file because of this value: {}"
_ADVICE = "Correct the value in the source, and convert it again."
_FORBIDDEN = "its key is unknown"
_HALF = "its text or its key has half of a surrogate pair"
_TOO_DEEP = "it is nested deeper than 200 levels"
_LEVELS = 200
"""The most levels that pydantic's JSON parser (jiter) reads."""
_SHAPES = ("IntermediateData", "InvocationEvents")

_half = re.compile("[\ud800-\udfff]").search
_Steps = tuple[str | int, ...]
"""The keys and indexes above a value."""


def rejected_values(tree: Tree, value: Any, target: FormatType) -> dict[Node, Reason]:
    """The values of the source that the target's reader rejects in a written document, with the reasons.

    `value` is the plain value of the tree. Raises RecursionError if it nests too deep.
    """
    rejected: dict[Node, Reason] = {}
    if not target.reader or (target.reader == "agents-cli" and is_plain_dataset(value)):
        return rejected
    faults: list[tuple[_Steps, str]] = []
    errors = _errors(json.dumps(value), target.reader)
    if errors and errors[0]["type"] == "json_invalid":
        # The parser stops at its first fault. With such texts replaced, the model itself also has its say.
        faults += _unreadable(value, ())
        errors = _errors(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), target.reader)
    for error in errors:
        if error["type"] != "json_invalid" and not _is_of_other_shape(value, error["loc"]):
            message, is_key = str(error["msg"]), error["type"] == "extra_forbidden"
            faults.append((error["loc"], _FORBIDDEN if is_key else message[:1].lower() + message[1:]))
    for steps, clause in faults:
        reason = Reason("changed", _REJECTED.format(target.reader, clause), _ADVICE)
        place = tree
        for step in steps:
            # Some steps lead nowhere: pydantic also names missing keys, and the members of a union.
            if (item := _item_at(place, step)) is not None:
                place = item
        for source in _sources(place):
            rejected.setdefault(source, reason)
    return rejected


def _errors(text: str | bytes, reader: str) -> list[Any]:
    from pydantic import ValidationError  # noqa: PLC0415 - loading the models takes 0.1 s, and few targets have one

    if reader == "google-adk":
        from evaltui.evalset.schema.eval_case import EvalSet  # noqa: PLC0415

        model: Any = EvalSet
    else:
        from evaltui.evalset.schema.genai_models import EvaluationDataset  # noqa: PLC0415

        model = EvaluationDataset
    try:
        model.model_validate_json(text)
    except ValidationError as error:
        return error.errors(include_url=False, include_input=False)
    return []


def _is_of_other_shape(value: Any, steps: _Steps) -> bool:
    """Whether an error is about a shape of intermediate data other than that of the written turn.

    pydantic reports the errors of both members of the union; their names are steps of the place.
    """
    for step in steps:
        if step in _SHAPES and isinstance(value, dict):
            return (step == "InvocationEvents") != ("invocation_events" in map(snake, value))
        if isinstance(value, list) and isinstance(step, int):
            value = value[step]
        elif isinstance(value, dict):
            value = value.get(step, value)
    return False


def _unreadable(value: Any, steps: _Steps) -> Iterator[tuple[_Steps, str]]:
    """Values that the JSON parser of the reader refuses."""
    if isinstance(value, str) and _half(value):
        yield steps, _HALF
    if not isinstance(value, dict | list):
        return
    if len(steps) == _LEVELS:
        yield steps, _TOO_DEEP
        return
    for step, item in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(step, str) and _half(step):
            yield (*steps, step), _HALF
        else:
            yield from _unreadable(item, (*steps, step))


def _item_at(tree: Tree, step: str | int) -> Tree:
    if isinstance(tree, Made):
        # A single source was respelt, and has about the same members. An added value has none.
        tree = tree.sources[0] if len(tree.sources) == 1 and tree.reason.kind != "invented" else None
    if isinstance(tree, Respelt):
        tree = tree.tree
    if isinstance(tree, Node):
        if isinstance(step, str):
            return tree.member(step) if tree.kind == "object" else None
        return tree.items[step] if tree.kind == "array" and step < len(tree.items) else None
    if isinstance(tree, Mapping):
        return next((item for name, item in tree.items() if step in (name, camel(name))), None)
    if isinstance(tree, list | tuple) and isinstance(step, int):
        return tree[step] if step < len(tree) else None
    return None


def _sources(tree: Tree) -> Iterator[Node]:
    """The outermost values of the source in a tree; none for an added value."""
    if isinstance(tree, Node):
        yield tree
    elif isinstance(tree, Respelt):
        yield tree.node
    elif isinstance(tree, Made):
        yield from tree.sources if tree.reason.kind != "invented" else ()
    elif isinstance(tree, Mapping):
        yield from chain.from_iterable(map(_sources, tree.values()))
    elif isinstance(tree, list | tuple):
        yield from chain.from_iterable(map(_sources, tree))

"""The losses of a conversion: source values that the target lacks or has in another form.

No list of losses is written by hand. Losses follow from the source, from its values in the written tree, and from the
reasons in the target's holdings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.document.scanner import refuse_deep
from evaltui.document.strings import invalid_utf8
from evaltui.evalset.keys import camel, filled, member, snake
from evaltui.evalset.schema.plain_check import is_plain_dataset
from evaltui.interop.fields import HELD, LossKind, Reason, SetField, SourceFields, changed, no_place
from evaltui.interop.output_tree import ABSENT, NO_TEXT, Made, Respelt, Tree, Value, is_infinite
from evaltui.interop.portable_set import FormatType

_NO_PLACE = Reason("no_place")
_UNKNOWN = "evaltui does not know this field, or its value has the wrong type"
_SHADOWED = no_place("the object has this key twice, and evaltui uses the last value")
_OTHER_SPELLING = no_place(
    "the object has this key in snake_case and in camelCase, and evaltui uses the other spelling"
)
_NOT_UTF_8 = changed(
    "the text has bytes that are not UTF-8, and evaltui writes halves of surrogate pairs, which google-adk rejects",
    "Save the source as UTF-8, and convert it again.",
)
_NOT_FINITE = changed("JSON has no NaN and no Infinity, so evaltui writes a string")
_maybe_infinite = re.compile(rb"[0-9][eE]\+?[0-9]{3}|[0-9]{300}").search


class Loss(NamedTuple):
    """One value of the source that the target lacks or has in another form, or one that the source lacks."""

    pointer: str
    """RFC 6901, in the source."""
    kind: LossKind
    value: Any
    """The value in the source; for `invented`, the value in the target."""
    reason: str
    advice: str
    field: SetField | None = None


class LossFinder:
    """Finds the losses of a conversion, in the order of the source."""

    def __init__(
        self,
        fields: SourceFields,
        target: FormatType,
        leaves: Iterable[Value],
        rejected: Mapping[Node, Reason],
        *,
        has_odd_values: bool,
    ) -> None:
        """`leaves` are those of the written trees. `has_odd_values` says it of the source."""
        self._fields, self._target, self._rejected = fields, target, rejected
        self._has_odd_values = has_odd_values
        self._placed: set[Node] = set()
        reasons: dict[Node, Reason] = {}
        self._added: dict[Node, list[Loss]] = {}
        for leaf in leaves:
            if not isinstance(leaf, Made):
                self._placed.add(leaf)
            elif leaf.reason.kind != "invented":
                reasons.update(dict.fromkeys(leaf.sources, leaf.reason))
            else:
                (owner,), text = leaf.sources, leaf.reason.text
                # Writers see a value of the wrong type as None, but people see it in their file: it is not missing.
                if filled(owner, leaf.pointer.removeprefix("/")) is not None:
                    text = text.replace(ABSENT, NO_TEXT)
                loss = Loss(leaf.pointer, "invented", leaf.value, text, leaf.reason.advice)
                self._added.setdefault(owner, []).append(loss)
        # A remark comes first: its value is reported as one, whatever is written of it.
        self._reasons = {source: reason for source, reason in reasons.items() if reason.kind is not None}
        self._reasons |= fields.remarks
        self._above_rejected = {above for node in rejected for above in node.ancestors()}
        self._written = self._placed | reasons.keys() | rejected.keys()
        self._told = self._placed | reasons.keys() | self._added.keys() | fields.remarks.keys()

    def below(self, node: Node, pointer: str = "", field: SetField | None = None, unread: str = "") -> Iterator[Loss]:
        """The losses of a value and of the values in it. `field` and `unread` are those of the value around it."""
        for loss in self._added.get(node, ()):
            yield loss._replace(pointer=pointer + loss.pointer)
        noted = self._fields.noted
        if node in noted and noted[node] is None and node not in self._rejected:
            return
        field, unread = noted.get(node) or field, self._fields.unread.get(node, unread)
        if (reason := self._reasons.get(node)) is not None:
            yield self._loss(pointer, node, field, reason)
        elif node in self._written:
            yield from self._losses_in_written(node, pointer, field)
        elif self._is_lost_as_one(node):
            if says_something(node):
                yield self._loss(pointer, node, field, _NO_PLACE, unread)
        else:
            yield from self._losses_of_key(node, pointer)
            hidden = _shadowed(node) if self._has_odd_values else ()
            for item, item_pointer in _items(node, pointer):
                if item in hidden:
                    yield self._loss(item_pointer, item, None, _SHADOWED)
                elif not self._is_other_spelling(item, node):
                    yield from self.below(item, item_pointer, field, unread)
                elif says_something(item):
                    yield self._loss(item_pointer, item, None, _OTHER_SPELLING)

    def _losses_in_written(self, node: Node, pointer: str, field: SetField | None) -> Iterator[Loss]:
        """The values inside a written value that JSON cannot hold, and those that the target's reader rejects."""
        odd: list[Loss] = []
        if self._has_odd_values:
            if invalid_utf8(node.key) is not None:
                odd.append(self._loss(pointer, node, field, _NOT_UTF_8))
            odd += [self._loss(place, value, field, reason) for place, value, reason in odd_values(node, pointer)]
        yield from odd
        if self._rejected:
            yield from self._rejections(node, pointer, field, {loss.pointer for loss in odd})

    def _rejections(self, node: Node, pointer: str, field: SetField | None, reported: Container[str]) -> Iterator[Loss]:
        if node in self._rejected and pointer not in reported:
            yield self._loss(pointer, node, field, self._rejected[node])
        elif node in self._above_rejected:
            for item, item_pointer in _items(node, pointer):
                yield from self._rejections(item, item_pointer, field, reported)

    def _losses_of_key(self, node: Node, pointer: str) -> Iterator[Loss]:
        """The key of a value, if the target has the value without its key, or if the key has bad bytes."""
        if self._has_odd_values and invalid_utf8(node.key) is not None:
            yield self._loss(pointer, node, None, _NOT_UTF_8)
        field, advice = self._fields.keys.get(node, (None, ""))
        if field is not None and self._target.holdings[field].kind is not None and self._is_partly_written(node):
            loss = self._loss(pointer, node, field, changed("", advice))
            yield loss._replace(value=node.name)

    def _is_lost_as_one(self, node: Node) -> bool:
        """Whether a value is one loss, because nothing of it is written, reported or noted."""
        if not node.is_container:
            return True
        field = self._fields.noted.get(node)
        if node in self._fields.noted and not self._is_partly_written(node, or_noted=True):
            return True
        # A rubric is one loss even if its description is noted, because nobody wants half of it back.
        is_rubric = node.kind == "object" and field in (SetField.CASE_RUBRICS, SetField.TURN_RUBRICS)
        return is_rubric and not self._is_partly_written(node)

    def _is_partly_written(self, node: Node, *, or_noted: bool = False) -> bool:
        """Whether a value below is written or reported on its own."""
        if not node.is_unfolded:
            return False  # never unfolded, so no reader noted or placed anything below
        return any(
            item in self._told
            or (or_noted and item in self._fields.noted)
            or self._is_partly_written(item, or_noted=or_noted)
            for item in node.items
        )

    def _is_other_spelling(self, item: Node, owner: Node) -> bool:
        """Whether a value was not read because its object also has the key in the other spelling."""
        # Readers use the camelCase key (as pydantic does), so only names with two spellings can be passed over.
        name = snake(item.name)
        if owner.kind != "object" or camel(name) == name or item in self._fields.noted or item in self._placed:
            return False
        return member(owner, name) is not item and not self._is_partly_written(item, or_noted=True)

    def _loss(self, pointer: str, node: Node, field: SetField | None, reason: Reason, unread: str = "") -> Loss:
        """A loss. Without words in `reason`, the target's holdings give them, or the reader if it has the field."""
        holding = self._target.holdings[field] if field is not None else HELD
        text, advice = reason.text, reason.advice
        if not text:
            # A field that the target lacks is lost for that reason, whatever its reader did with it.
            of_form = f"the value does not have the type or form that {self._target.title} requires"
            if field is None:
                of_form = _UNKNOWN
            elif field.name.endswith(("_OTHER", "_DETAILS")):
                of_form = f"evaltui knows no field like this in {self._target.title}"
            text = (unread if holding.kind != "no_place" else "") or holding.text or of_form
            advice = advice or holding.advice
        assert reason.kind is not None
        return Loss(pointer, reason.kind, node.value(), text, advice, field)


def says_something(node: Node) -> bool:
    """Whether a value has any content. Nulls and empty values have none."""
    if node.is_container:
        return any(map(says_something, node.items))
    return node.kind != "null" and node.source() != b'""'


def _items(node: Node, pointer: str) -> Iterator[tuple[Node, str]]:
    for index, item in enumerate(node.items):
        yield item, f"{pointer}/{pointers.escape(item.name if node.kind == 'object' else str(index))}"


# --- values that JSON cannot represent -----------------------------------------------------------------------------


def has_odd_values(root: Node) -> bool:
    """Whether a document may have NaN, Infinity, numbers beyond a double, duplicate keys or bytes that are not UTF-8.

    Only then are its values searched for them. Raises RecursionError.
    """
    source = root.source()
    refuse_deep(source)
    if _maybe_infinite(source) or invalid_utf8(source) is not None:
        return True
    odd: list[object] = []
    # The decoder of the standard library is written in C, so this one pass is cheaper than a walk over the nodes.
    decoder = json.JSONDecoder(
        object_pairs_hook=lambda members: odd.append(members) if len(dict(members)) < len(members) else None,
        parse_constant=odd.append,
    )
    decoder.decode(source.decode("utf-8", "surrogateescape"))
    return bool(odd)


def odd_values(node: Node, pointer: str) -> Iterator[tuple[str, Node, Reason]]:
    """Such values in the value at `pointer`, with their pointers and reasons."""
    if node.kind == "number" and is_infinite(node.value()):
        yield pointer, node, _NOT_FINITE
    elif node.kind == "string" and invalid_utf8(node.source()) is not None:
        yield pointer, node, _NOT_UTF_8
    hidden = _shadowed(node)
    for item, item_pointer in _items(node, pointer):
        if item in hidden:
            yield item_pointer, item, _SHADOWED
        else:
            if invalid_utf8(item.key) is not None:
                yield item_pointer, item, _NOT_UTF_8
            yield from odd_values(item, item_pointer)


def _shadowed(node: Node) -> Sequence[Node]:
    """The values of an object whose key occurs again later: readers use the last one."""
    if node.kind != "object":
        return ()
    last = {item.name: item for item in node.items}
    return [item for item in node.items if last[item.name] is not item] if len(last) < len(node.items) else ()


# --- values of a written document that the model of its reader rejects: they are kept, and reported -------------------

_REJECTED = "kept, but {} rejects the file because of this value: {}"
_CORRECT = "Correct the value in the source, and convert it again."
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
    errors = _model_errors(json.dumps(value), target.reader)
    if errors and errors[0]["type"] == "json_invalid":
        # The parser stops at its first fault. With such texts replaced, the model itself also has its say.
        faults += _unreadable(value, ())
        errors = _model_errors(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"), target.reader)
    for error in errors:
        if error["type"] != "json_invalid" and not _is_of_other_shape(value, error["loc"]):
            message, is_key = str(error["msg"]), error["type"] == "extra_forbidden"
            faults.append((error["loc"], _FORBIDDEN if is_key else message[:1].lower() + message[1:]))
    for steps, clause in faults:
        reason = changed(_REJECTED.format(target.reader, clause), _CORRECT)
        place = tree
        for step in steps:
            # Some steps lead nowhere: pydantic also names missing keys, and the members of a union.
            if (item := _tree_item(place, step)) is not None:
                place = item
        for source in _outermost_sources(place):
            rejected.setdefault(source, reason)
    return rejected


def _model_errors(text: str | bytes, reader: str) -> list[Any]:
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


def _tree_item(tree: Tree, step: str | int) -> Tree:
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


def _outermost_sources(tree: Tree) -> Iterator[Node]:
    """The outermost values of the source in a tree; none for an added value."""
    if isinstance(tree, Node):
        yield tree
    elif isinstance(tree, Respelt):
        yield tree.node
    elif isinstance(tree, Made):
        yield from tree.sources if tree.reason.kind != "invented" else ()
    elif isinstance(tree, Mapping):
        yield from chain.from_iterable(map(_outermost_sources, tree.values()))
    elif isinstance(tree, list | tuple):
        yield from chain.from_iterable(map(_outermost_sources, tree))

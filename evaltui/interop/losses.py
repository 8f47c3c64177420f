"""The losses of a conversion: source values that the target lacks or has in another form.

No list of losses is written by hand. Losses follow from the source, from its values in the written tree, and from the
reasons in the target's holdings.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from evaltui.document import pointer as pointers
from evaltui.document.node import Node
from evaltui.evalset.keys import camel, member, snake
from evaltui.interop.fields import HELD, Holdings, SetField, SourceFields
from evaltui.interop.odd_values import is_bad, odd_values, shadowed
from evaltui.interop.output_tree import LeftOutItem, LossKind, Made, Rendering, true_reason

_RUBRICS = (SetField.CASE_RUBRICS, SetField.TURN_RUBRICS)
_UNKNOWN = "evaltui does not know this field, or its value has the wrong type"
_SHADOWED = "the object has this key twice, and evaltui uses the last value"
_OTHER_SPELLING = "the object has this key in snake_case and in camelCase, and evaltui uses the other spelling"
_NOT_UTF_8 = (
    "the text has bytes that are not UTF-8, and evaltui writes halves of surrogate pairs, which google-adk rejects",
    "Save the source as UTF-8, and convert it again.",
)
_CORRECT_IT = "Correct the value in the source, and convert it again."
_NOT_FINITE = "JSON has no NaN and no Infinity, so evaltui writes a string"


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


class Losses:
    """Finds the losses of one conversion."""

    def __init__(self, fields: SourceFields, rendering: Rendering, holdings: Holdings, target: str) -> None:
        """`target` is the name of the written format as sentences have it."""
        self._fields, self._holdings, self._target = fields, holdings, target
        self._placed = rendering.placed
        self._has_odd_values = rendering.has_odd_values
        self._left_out: dict[Node, LeftOutItem] = {each.node: each for each in rendering.left_out}
        self._remarks = fields.remarks
        self._made: dict[Node, Made] = {source: made for made in rendering.made for source in made.sources}
        self._rejected = rendering.rejected
        self._above_rejected = {above for node in rendering.rejected for above in node.ancestors()}
        self._invented: dict[Node, list[Loss]] = {}
        for each in rendering.invented:
            found = Loss(each.member, "invented", each.value, true_reason(each), each.advice)
            self._invented.setdefault(each.at, []).append(found)

    def of(self, root: Node) -> list[Loss]:
        """The losses of a source, in file order."""
        return list(self._below(root, "", None))

    def _below(self, node: Node, pointer: str, field: SetField | None, unread: str = "") -> Iterator[Loss]:
        for each in self._invented.get(node, ()):
            yield each._replace(pointer=pointer + each.pointer)
        if self._fields.is_passed_over(node) and node not in self._rejected:
            return
        field, unread = self._fields.field(node) or field, self._fields.unread.get(node, unread)
        if (remark := self._remarks.get(node)) is not None:
            yield self._loss(pointer, remark.kind, node, field, remark.reason, remark.advice)
            return
        if (left_out := self._left_out.get(node)) is not None:
            yield self._loss(pointer, "no_place", node, field, left_out.reason, left_out.advice)
            return
        made = self._made.get(node)
        if made is not None and made.kind is not None:
            yield self._loss(pointer, made.kind, node, field, made.reason, made.advice)
            return
        if made is not None or node in self._placed or node in self._rejected:
            odd = list(self._odd_ones(node, pointer, field))
            yield from odd
            yield from self._rejected_in(node, pointer, field, {each.pointer for each in odd})
            return
        is_unit = self._fields.is_noted(node) or not node.is_container
        if (is_unit and not self._is_partly_written(node)) or self._is_lost_rubric(node):
            if says_something(node):
                yield self._loss(pointer, "no_place", node, field, unread=unread)
            return
        yield from self._lost_key(node, pointer)
        hidden = shadowed(node) if self._has_odd_values else ()
        for index, item in enumerate(node.items):
            below = f"{pointer}/{pointers.escape(item.name if node.kind == 'object' else str(index))}"
            if item in hidden:
                yield self._loss(below, "no_place", item, None, _SHADOWED)
            elif self._is_other_spelling(item, node):
                yield from self._unread(item, below)
            else:
                yield from self._below(item, below, field, unread)

    def _lost_key(self, node: Node, pointer: str) -> Iterator[Loss]:
        """The key of a value, if the target has the value without its key, or if the key has bad bytes."""
        if self._has_odd_values and is_bad(node.key):
            yield self._loss(pointer, "changed", node, None, *_NOT_UTF_8)
        field, advice = self._fields.keys.get(node, (None, ""))
        if (
            field is not None
            and self._holdings[field].extent != "held"
            and self._is_partly_written(node, or_noted=False)
        ):
            yield self._loss(pointer, "changed", node, field, "", advice)._replace(value=node.name)

    def _is_other_spelling(self, item: Node, owner: Node) -> bool:
        """Whether a value was not read because its object also has the key in the other spelling."""
        name = snake(item.name)
        if owner.kind != "object" or camel(name) == name or self._fields.is_noted(item) or item in self._placed:
            return False
        return member(owner, name) is not item and not self._is_partly_written(item)

    def _unread(self, node: Node, pointer: str) -> Iterator[Loss]:
        if says_something(node):
            yield self._loss(pointer, "no_place", node, None, _OTHER_SPELLING)

    def _odd_ones(self, node: Node, pointer: str, field: SetField | None) -> Iterator[Loss]:
        """Losses inside a written value that JSON cannot hold."""
        if self._has_odd_values and is_bad(node.key):
            yield self._loss(pointer, "changed", node, field, *_NOT_UTF_8)
        for each in odd_values(node, pointer) if self._has_odd_values else ():
            if each.is_shadowed:
                yield self._loss(each.pointer, "no_place", each.node, field, _SHADOWED)
            elif each.has_bad_bytes:
                yield self._loss(each.pointer, "changed", each.node, field, *_NOT_UTF_8)
            else:
                yield self._loss(each.pointer, "changed", each.node, field, _NOT_FINITE)

    def _rejected_in(self, node: Node, pointer: str, field: SetField | None, told: Container[str]) -> Iterator[Loss]:
        """Losses of what is rejected of a written value, except at the pointers that are `told`."""
        if node in self._rejected and pointer not in told:
            yield self._rejection(node, pointer, field)
        elif node in self._above_rejected:
            for index, item in enumerate(node.items):
                below = f"{pointer}/{pointers.escape(item.name if node.kind == 'object' else str(index))}"
                yield from self._rejected_in(item, below, field, told)

    def _rejection(self, node: Node, pointer: str, field: SetField | None) -> Loss:
        return self._loss(pointer, "changed", node, field, self._rejected[node], _CORRECT_IT)

    def _is_lost_rubric(self, node: Node) -> bool:
        """Whether nothing of a rubric is written. It is one loss then, also if it has a description."""
        is_rubric = node.kind == "object" and self._fields.field(node) in _RUBRICS
        return is_rubric and not self._is_partly_written(node, or_noted=False)

    def _is_partly_written(self, node: Node, *, or_noted: bool = True) -> bool:
        """Whether a value below is written, reported on its own, or noted."""
        if not node.is_unfolded:
            return False  # never unfolded, so no reader noted or placed anything below
        return any(
            item in self._placed
            or item in self._made
            or item in self._invented
            or item in self._remarks
            or (or_noted and self._fields.is_noted(item))
            or self._is_partly_written(item, or_noted=or_noted)
            for item in node.items
        )

    def _loss(
        self,
        pointer: str,
        kind: LossKind,
        node: Node,
        field: SetField | None,
        reason: str = "",
        advice: str = "",
        unread: str = "",
    ) -> Loss:
        """A loss. Without a `reason`, the target's holdings give one, or the reader if the target has the field."""
        holding = self._holdings.get(field, HELD) if field is not None else HELD
        has_field = holding.extent != "no_place"
        if not reason:
            reason = (unread if has_field else "") or holding.reason or self._no_place(field, has_field=has_field)
            advice = advice or holding.advice
        return Loss(pointer, kind, node.value(), reason, advice, field)

    def _no_place(self, field: SetField | None, *, has_field: bool) -> str:
        if field is None:
            return _UNKNOWN
        if has_field and field.name.endswith(("_OTHER", "_DETAILS")):
            return f"evaltui knows no field like this in {self._target}"
        if has_field:
            return f"the value does not have the type or form that {self._target} requires"
        return f"{self._target} has no field for this"


def says_something(node: Node) -> bool:
    """Whether a value has any content. Nulls and empty values have none."""
    if node.is_container:
        return any(map(says_something, node.items))
    return node.kind != "null" and node.source() != b'""'

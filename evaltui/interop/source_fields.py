"""The fields of the values of a source, as its reader finds them."""

from __future__ import annotations

from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.interop.fields import SetField
from evaltui.interop.output_tree import LossKind


class LossRemark(NamedTuple):
    """The kind and reason of a loss that does not follow from its field."""

    node: Node
    kind: LossKind
    reason: str
    """A clause without a full stop."""
    advice: str = ""


class SourceFields:
    """The field of each value of a source.

    A value below a noted one belongs to the same field, unless it is noted itself. A reader notes everything it
    understands. The rest of the source is also reported, leaf by leaf and without a field.
    """

    def __init__(self) -> None:
        self._fields: dict[Node, SetField | None] = {}
        self.keys: dict[Node, tuple[SetField, str]] = {}
        """Values whose keys are values themselves, with the fields of the keys and advice for a lost key."""
        self.unread: dict[Node, str] = {}
        """Reasons for values that the reader does not use. They count where the target has the field in any form."""
        self.remarks: dict[Node, LossRemark] = {}
        """Values whose loss has its own reason. Nothing of them is written where a reader looks."""

    def note(self, node: Node, field: SetField, unread: str = "") -> Node:
        """Note the field of a value; returns the value. `unread` is why the reader does not use the value."""
        self._fields[node] = field
        if unread:
            self.unread[node] = unread
        return node

    def note_key(self, node: Node, field: SetField, advice: str = "") -> None:
        """Note that the key of a value is a value itself, chosen by the author: the name of a group."""
        self.keys[node] = (field, advice)

    def remark(self, node: Node, kind: LossKind, reason: str, advice: str = "") -> None:
        """Report a value for its own reason, even if parts of it are written."""
        self.remarks[node] = LossRemark(node, kind, reason, advice)

    def pass_over(self, node: Node | None) -> None:
        """Note that a value needs no report: a default, a conventional role, the number of a turn."""
        if node is not None:
            self._fields[node] = None

    def pass_over_word(self, node: Node | None, words: tuple[str, ...]) -> None:
        """Note that a value needs no report if it is one of these conventional words."""
        if node is not None and node.kind == "string" and node.text().lower() in words:
            self.pass_over(node)

    def is_noted(self, node: Node) -> bool:
        """Whether a value has a field of its own, or needs no report."""
        return node in self._fields

    def is_passed_over(self, node: Node) -> bool:
        """Whether a value needs no report."""
        return node in self._fields and self._fields[node] is None

    def field(self, node: Node) -> SetField | None:
        """The field noted for this very value."""
        return self._fields.get(node)

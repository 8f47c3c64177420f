"""Reader of adk-rs eval sets: google-adk's eval sets with a `name` per case, and `id` for `eval_id` in older files.

It also reads fields that adk-rs ignores (ids of calls, responses, rubrics), because google-adk reads the same files.
"""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.interop.eval_sets.reader import SetReader
from evaltui.interop.fields import SetField
from evaltui.interop.portable_set import PortableCase, PortableSet
from evaltui.interop.source_fields import SourceFields

_ALIAS = "id"


def read_adk_rs_set(root: Node, name: str) -> PortableSet:
    """Read an eval set of adk-rs. Raises `ConversionError` if it has no cases."""
    return _AdkRsReader(SourceFields()).eval_set(root, name)


class _AdkRsReader(SetReader):
    """Reads sets and cases with the members that adk-rs adds."""

    def eval_set(self, root: Node, name: str) -> PortableSet:
        """The set, whose id may have the key `id`."""
        found = super().eval_set(root, name)
        if isinstance(found.id, str) and (set_id := self.value(root, _ALIAS, SetField.SET_ID)) is not None:
            found.id = set_id
            found.others.pop(_ALIAS, None)
        return found

    def case(self, node: Node) -> PortableCase:
        """One eval case, whose id may have the key `id`."""
        found = super().case(node)
        if found.id is None and (eval_id := self.value(node, _ALIAS, SetField.CASE_ID)) is not None:
            found.id = eval_id
            found.others.pop(_ALIAS, None)
        found.name = self.value(node, "name", SetField.CASE_NAME)
        found.others.pop("name", None)
        return found

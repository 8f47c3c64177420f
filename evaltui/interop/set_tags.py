"""Tags of cases for formats without sets or set ids."""

from __future__ import annotations

from evaltui.document.node import Node
from evaltui.interop.fields import SetField
from evaltui.interop.output_tree import Value, only_text, text_in
from evaltui.interop.portable_set import PortableCase, PortableSet

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

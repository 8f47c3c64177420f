"""Tags of cases for formats without sets or set ids."""

from __future__ import annotations

from evaltui.interop.output_tree import Value, only_text, text_in
from evaltui.interop.portable_set import PortableCase, PortableSet


def tags_of(portable: PortableSet, case: PortableCase) -> list[Value]:
    """The eval set id, so that its cases can be found again, and the tags of the case.

    An extra key `tags` counts too, because google-adk's cases may have one.
    """
    of_set = [] if isinstance(portable.id, str) or portable.id is None else [portable.id]
    own = case.others.get("tags")
    listed: list[Value] = [*of_set, *case.tags, *(own.items if own is not None and own.kind == "array" else ())]
    return [each for each in listed if only_text(each) is not None and text_in(each)]

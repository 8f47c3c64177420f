"""Copies of rows in either format and of JSON values, as clones beside them and as JSON text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count

from evaltui.document.edits import Edit, Insert
from evaltui.document.layout import line_indent, shifted
from evaltui.document.node import Node
from evaltui.document.pointer import escape
from evaltui.evalset.call_views import use_of
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.pasted_rows import put_copies
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.titles import counted_kind, title


def copy_of(case_file: CaseFile, node: Node) -> Copy:
    """A copy of a row inside the file."""
    kind = case_file.kind(node)
    use = use_of(case_file.enclosing(node, "turn"), node) if kind == "call" else None
    if use is None:
        return Copy(kind, node.source(), line_indent(node))
    response = use.response.source() if use.response is not None else None
    return Copy(kind, node.source(), line_indent(node), response, use.author)


def clone_rows(case_file: CaseFile, nodes: Sequence[Node]) -> Revision:
    """Copy rows of one kind, and put the copies after the last of them."""
    copies = [copy_of(case_file, node) for node in nodes]
    revision = put_copies(case_file, copies, nodes[-1], is_before=False)
    rows = title(case_file, nodes[0]) if len(nodes) == 1 else counted_kind(copies[0].kind, len(copies))
    return Revision(f"clone {rows}", revision.edits, revision.remark)


def value_copies(nodes: Sequence[Node]) -> list[Edit]:
    """Put a copy after each value; the copy of a key gets a new name."""
    edits: list[Edit] = []
    # The last one first: an index before it stays valid.
    for node in reversed(nodes):
        container = node.parent
        assert container is not None
        place = str(node.index() + 1)
        if container.kind == "object":
            names = {item.name for item in container.items}
            place = escape(next(name for number in count(2) if (name := f"{node.name}_{number}") not in names))
        follower = container.items[node.index() + 1 :][:1]
        before = follower[0].name if follower and follower[0].key else None
        edits.append(Insert(f"{container.pointer()}/{place}", node.source(), before, line_indent(node)))
    return edits


def text_of_copies(copies: list[Copy]) -> str:
    """Copies as JSON text for the clipboard: one as it is, several as a list, a call with its response."""
    texts: list[bytes] = []
    for copy in copies:
        # In another program the text stands alone, so it begins at the left margin.
        source, *response = (
            shifted(json, copy.indent, b"") if copy.indent else json
            for json in (copy.source, copy.response)
            if json is not None
        )
        texts.append(b'{"tool_use": %s, "tool_response": %s}' % (source, *response) if response else source)
    text = texts[0] if len(texts) == 1 else b"[\n" + b",\n".join(texts) + b"\n]"
    return text.decode("utf-8", "replace")

"""Nodes are put in file order, and those that are gone are left out."""

from evaltui.document.document import Document
from evaltui.document.edits import Remove
from evaltui.document.positions import in_order


def test_nodes_come_in_file_order_without_those_that_are_gone() -> None:
    document = Document(b'{"a": [1, {"b": 2}, 3], "c": 4}')
    root = document.root
    assert root is not None
    pointers = ["", "/a", "/a/0", "/a/1", "/a/1/b", "/a/2", "/c"]
    nodes = [root.at(pointer) for pointer in pointers]
    assert in_order(reversed(nodes), root) == nodes
    document.apply([Remove("/a/1")], "")
    assert in_order(nodes, root) == [nodes[n] for n in (0, 1, 2, 5, 6)]

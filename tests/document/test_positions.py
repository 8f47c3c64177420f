"""Lines and columns of nodes, nodes at lines, and nodes in file order."""

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Move, Remove
from evaltui.document.positions import (
    TextRange,
    count_lines,
    in_order,
    node_at_line,
    spans_of,
    text_ranges_of,
)
from tests.document.helpers import all_nodes, root_of

SOURCE = '\ufeff{\r\n  "é": [1, "😀", true],\n\n  "b": {"c": "x"}}\n'.encode()


def place_of(source: bytes, pointer: str) -> TextRange:
    document = Document(source)
    node = root_of(document).at(pointer)
    _, span = spans_of(root_of(document), [node])[node]
    return text_ranges_of(document.body(), [span])[span]


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("", TextRange(1, 1, 4, 19)),
        ("/é", TextRange(2, 8, 2, 22)),
        ("/é/1", TextRange(2, 12, 2, 15)),
        ("/é/2", TextRange(2, 17, 2, 21)),
        ("/b/c", TextRange(4, 14, 4, 17)),
    ],
)
def test_places_count_code_points_from_one_and_a_mark_is_no_column(pointer: str, place: TextRange) -> None:
    assert place_of(SOURCE, pointer) == place


def test_what_stands_before_a_node_is_the_text_up_to_it() -> None:
    document = Document(SOURCE)
    body = document.body()
    for node in all_nodes(root_of(document)):
        before = node.text_before()
        assert body[len(before) :].startswith(node.source())
        assert body.startswith(before)


def test_places_stay_true_when_members_become_items_and_items_members() -> None:
    document = Document(b'{"a": [1, 2], "b": 3}')
    root = root_of(document)
    document.apply([Move("/b", "/a/0")], "into the list")
    document.apply([Move("/a/1", "/c")], "out of the list")
    assert document.body() == b'{"a": [3, 2], "c": 1}'
    assert root.at("/a/0").text_before() == b'{"a": ['
    assert root.at("/c").text_before() == b'{"a": [3, 2], "c": '
    item = root.at("/c")
    document.undo()
    assert item.text_before() == b'{"a": [3, '


def test_columns_count_bytes_that_are_no_text() -> None:
    assert place_of(b'["\xff", 1]', "/1") == TextRange(1, 7, 1, 8)


def test_nodes_come_in_file_order_without_those_that_are_gone() -> None:
    document = Document(b'{"a": [1, {"b": 2}, 3], "c": 4}')
    root = document.root
    assert root is not None
    pointers = ["", "/a", "/a/0", "/a/1", "/a/1/b", "/a/2", "/c"]
    nodes = [root.at(pointer) for pointer in pointers]
    assert in_order(reversed(nodes), root) == nodes
    document.apply([Remove("/a/1")], "")
    assert in_order(nodes, root) == [nodes[n] for n in (0, 1, 2, 5, 6)]


TEXT = """
{
  "a": 1,
  "b": {
    "c": [
      2, 3,

      "x\\ny"
    ]
  }, "d": true
}
"""


@pytest.mark.parametrize(
    ("line", "pointer"),
    [
        *((1, ""), (2, ""), (3, "/a"), (4, "/b"), (5, "/b/c"), (6, "/b/c/0")),
        *((7, "/b/c"), (8, "/b/c/2"), (9, "/b/c"), (10, "/b"), (11, "")),
    ],
)
def test_the_node_at_a_line_is_the_innermost_that_holds_the_first_character(line: int, pointer: str) -> None:
    root = Document(TEXT.encode()).root
    assert root is not None
    found = node_at_line(root, line)
    assert found is not None
    assert found.pointer() == pointer


@pytest.mark.parametrize("line", [0, 12, 13, 1000])
def test_no_node_is_at_a_line_outside_of_the_file(line: int) -> None:
    root = Document(TEXT.encode()).root
    assert root is not None
    assert count_lines(root) == 11
    assert node_at_line(root, line) is None

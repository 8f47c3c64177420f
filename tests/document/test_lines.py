"""The value at a line of the file."""

import pytest

from evaltui.document.document import Document
from evaltui.document.positions import count_lines, node_at_line

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
def test_it_is_the_innermost_that_holds_the_first_character(line: int, pointer: str) -> None:
    root = Document(TEXT.encode()).root
    assert root is not None
    found = node_at_line(root, line)
    assert found is not None
    assert found.pointer() == pointer


@pytest.mark.parametrize("line", [0, 12, 13, 1000])
def test_there_is_none_outside_of_the_file(line: int) -> None:
    root = Document(TEXT.encode()).root
    assert root is not None
    assert count_lines(root) == 11
    assert node_at_line(root, line) is None

"""The tree that unfolds where somebody looks."""

import math
from collections.abc import Iterator

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Edit, Insert, Set
from evaltui.document.errors import PointerError
from evaltui.document.node import Node, NodeParser
from evaltui.document.pointer import array_index, join, parent_and_last, parse_pointer
from tests.document.helpers import all_nodes, root_of, unfold_wholly

SOURCE = rb'{"a/b": [10, {"m~n": "x"}], "": null, "\u00e9": -0, "t": true, "twice": 1, "twice": 2, "e": { }}'


@pytest.fixture
def root() -> Node:
    return root_of(Document(SOURCE))


@pytest.mark.parametrize(
    ("pointer", "source"),
    [
        ("", SOURCE),
        ("/a~1b", b'[10, {"m~n": "x"}]'),
        ("/a~1b/0", b"10"),
        ("/a~1b/1/m~0n", b'"x"'),
        ("/", b"null"),
        ("/é", b"-0"),
        ("/e", b"{ }"),
    ],
)
def test_a_pointer_leads_to_its_value_and_back(root: Node, pointer: str, source: bytes) -> None:
    assert root.at(pointer).source() == source
    assert root.at(pointer).pointer() == pointer


@pytest.mark.parametrize(
    ("pointer", "sentence"),
    [
        ("a", "does not begin with /"),
        ("/a~2b", "without 0 or 1"),
        ("/a~", "without 0 or 1"),
        ("/nothing", 'there is no "nothing" in this object'),
        ("/a~1b/2", "there is no item 2; the list has length 2"),
        ("/a~1b/-", '"-" is not a list index'),
        ("/a~1b/01", '"01" is not a list index'),
        ("/a~1b/+1", '"\\+1" is not a list index'),
        ("/a~1b/١", "is not a list index"),
        ("/a~1b/1e0", "is not a list index"),
        ("/a~1b/99999999999999999999", "is not a list index"),
        ("/t/x", 'there is no "x" in this boolean'),
    ],
)
def test_a_pointer_that_leads_nowhere_says_where_it_ends(root: Node, pointer: str, sentence: str) -> None:
    with pytest.raises(PointerError, match=sentence):
        root.at(pointer)


def test_a_key_that_stands_twice_is_no_address(root: Node) -> None:
    with pytest.raises(PointerError, match='the object has the key "twice" 2 times'):
        root.at("/twice")


def test_of_two_members_with_one_name_the_last_counts(root: Node) -> None:
    member = root.member("twice")
    assert member is not None
    assert member.source() == b"2"


def test_kinds_are_those_of_json(root: Node) -> None:
    kinds = [item.kind for item in root.items]
    assert kinds == ["array", "null", "number", "boolean", "number", "number", "object"]


def test_scalars_have_no_items_and_lists_no_members(root: Node) -> None:
    number, array = root.at("/a~1b/0"), root.at("/a~1b")
    assert (number.items, number.member("x"), array.member("0")) == ([], None, None)
    assert (number.text(), root.at("/a~1b/1/m~0n").text()) == ("", "x")


def test_a_node_knows_where_it_stands(root: Node) -> None:
    node = root.at("/a~1b/1/m~0n")
    assert [container.pointer() for container in node.ancestors()] == ["/a~1b/1", "/a~1b", ""]
    assert (node.name, node.index(), root.at("/a~1b/1").index(), root.index()) == ("m~n", 0, 1, 0)
    assert root.at("/a~1b/1").name == ""


def test_looking_at_a_value_leaves_its_bytes(root: Node) -> None:
    for node in all_nodes(root):
        node.forget_source()
    assert root.source() == SOURCE


def test_two_levels_are_unfolded_at_first() -> None:
    root = root_of(Document(b'{"cases": [{"turns": []}]}'))
    case = root.items[0].items[0]
    assert root.items[0].is_unfolded
    assert not case.is_unfolded
    assert case.items[0].name == "turns"
    assert case.is_unfolded


def test_a_path_is_unfolded_in_one_go_and_nothing_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    case = b'{"s": {"t": [[1], [[[2]], {"x~/": {"y": 3}}]], "u": {}}, "v": [4]}'
    root = root_of(Document(b'{"cases": [%b]}' % case))
    read: list[bytes] = []

    class Counting(NodeParser):
        def __init__(self, source: bytes) -> None:
            read.append(source)
            super().__init__(source)

    monkeypatch.setattr("evaltui.document.node.NodeParser", Counting)
    assert root.at("/cases/0/s/t/1/1/x~0~1/y").source() == b"3"
    assert read == [case]
    beside = ["/cases/0/v", "/cases/0/s/u", "/cases/0/s/t/0", "/cases/0/s/t/1/0"]
    assert not any(root.at(pointer).is_unfolded for pointer in beside)
    assert read == [case]
    assert root.at("/cases/0").source() == case


@pytest.mark.parametrize("edit", [Set("/cases/1/a/0/0", b"true"), Insert("/cases/1/a/0/-", b'"x"')])
def test_an_edit_of_a_scalar_unfolds_nothing_beside_its_place(edit: Edit) -> None:
    document = Document(b'{"cases": [{"a": [[1]]}, {"a": [[2], [3]]}, {"a": [[4]]}]}')
    document.apply([edit], "edit")
    unfolded = [node.pointer() for node in known_nodes(root_of(document)) if node.is_unfolded]
    assert unfolded == ["", "/cases", "/cases/1", "/cases/1/a", "/cases/1/a/0"]


def known_nodes(root: Node) -> Iterator[Node]:
    """The nodes that exist so far."""
    yield root
    for item in root.items if root.is_unfolded else ():
        yield from known_nodes(item)


def test_values_are_what_python_makes_of_them(root: Node) -> None:
    assert root.value()["a/b"] == [10, {"m~n": "x"}]
    assert root_of(Document(b'["\xff"]')).value() == ["\udcff"]


def test_a_number_of_5000_digits_has_a_value() -> None:
    assert root_of(Document(b"9" * 5000)).value() == math.inf
    assert root_of(Document(b"9" * 3999)).value() == int("9" * 3999)


def test_deep_values_are_found_changed_and_joined() -> None:
    document = Document(b"[" * 3000 + b"7" + b"]" * 3000)
    node = root_of(document).at("/0" * 3000)
    assert node.source() == b"7"
    assert node.pointer() == "/0" * 3000
    unfold_wholly(document)
    assert document.to_bytes() == b"[" * 3000 + b"7" + b"]" * 3000


def test_a_value_too_deep_for_python_says_so() -> None:
    with pytest.raises(RecursionError):
        root_of(Document(b"[" * 100_000 + b"]" * 100_000)).value()


def test_pointers_are_taken_apart_and_put_together() -> None:
    assert parse_pointer("/a~1b/m~0n//0") == ["a/b", "m~n", "", "0"]
    assert join("a/b", "m~n", "", 0) == "/a~1b/m~0n//0"
    assert parse_pointer("/~01") == ["~1"]
    assert parent_and_last("/a/~1") == ("/a", "/")
    assert array_index("10", "/10") == 10
    with pytest.raises(PointerError, match="no container"):
        parent_and_last("")


def test_an_item_knows_its_place_again_once_it_is_back() -> None:
    document = Document(b'{"list": [1, 2, 3]}')
    listed = root_of(document).at("/list")
    last = listed.items[2]
    document.apply([Set("/list", b"[1]")], "shorten")
    with pytest.raises(ValueError, match="no longer in its array"):
        last.index()
    document.undo()
    document.apply([Insert("/list/0", b"0")], "insert")
    assert (last.index(), last.pointer(), last.path(root_of(document))) == (3, "/list/3", (0, 3))

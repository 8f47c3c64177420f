"""Items of a list change places, alone and several at once, in any JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Move
from evaltui.document.node import Node
from evaltui.evalset.editing.row_moves import move_value, moves, shifted


def list_of(count: int) -> tuple[Document, Node]:
    document = Document(json.dumps([*range(count)]).encode())
    assert document.root is not None
    return document, document.root


@pytest.mark.parametrize(
    ("chosen", "step", "after"),
    [
        ([1, 2], -1, [1, 2, 0, 3, 4]),
        ([0, 1], 1, [2, 0, 1, 3, 4]),
        ([0, 2], 1, [1, 0, 3, 2, 4]),
        ([0, 1], -1, [0, 1, 2, 3, 4]),
        ([0, 2], -1, [0, 2, 1, 3, 4]),
        ([3, 4], 1, [0, 1, 2, 3, 4]),
    ],
)
def test_chosen_neighbours_move_together_past_one_that_is_not_chosen(
    chosen: list[int], step: int, after: list[int]
) -> None:
    document, root = list_of(5)
    nodes = {root.items[at] for at in chosen}
    edits = moves("", root.items, shifted(root.items, nodes, step), nodes)
    document.apply(edits, "move")
    assert json.loads(document.to_bytes()) == after
    assert {root.items.index(node) for node in nodes} == {after.index(at) for at in chosen}


@given(st.permutations(range(12)), st.sets(st.integers(0, 11)), st.integers(0, 3))
def test_moves_bring_any_order_about_behind_items_that_stay(order: list[int], chosen: set[int], head: int) -> None:
    now = [f"head {number}" for number in range(head)] + [str(number) for number in range(12)]
    wanted = [str(number) for number in order]
    for edit in moves("/list", now[head:], wanted, {str(number) for number in chosen}, head):
        assert isinstance(edit, Move)
        now.insert(int(edit.pointer.rpartition("/")[2]), now.pop(int(edit.origin.rpartition("/")[2])))
    assert now == [f"head {number}" for number in range(head)] + wanted


def test_a_member_moves_among_members() -> None:
    document = Document(b'{"a": 1, "b": 2, "c": 3}')
    assert document.root is not None
    document.apply(move_value(document.root.items[2], -1, "c").edits, "move")
    assert document.to_bytes() == b'{"a": 1, "c": 3, "b": 2}'

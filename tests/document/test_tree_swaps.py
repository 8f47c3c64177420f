"""Another text put into a document: its bytes are exact, nodes stay, undo gives the old text, and it can be logged."""

import random

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Remove, Set
from evaltui.evalset.merge.paired_items import paired

OLD = b"""{
  "eval_set_id": "s",
  "eval_cases": [
    {"eval_id": "a", "n": 1},
    {"eval_id": "b", "n": 2}
  ]
}
"""
NEW = b'\xef\xbb\xbf{"eval_cases": [{"eval_id": "b", "n": 2}, {"eval_id": "c"}, {"eval_id": "a", "n": [1, {"x": 2}]}]}'


def opened(data: bytes = OLD) -> Document:
    document = Document(data)
    document.keep_log()
    return document


def become(document: Document, data: bytes, *edits: Set | Remove) -> None:
    target = opened(data)
    if edits:
        target.apply(edits, "mine")
    document.become(target, paired, "read again", data)


def test_the_bytes_are_those_of_the_new_text() -> None:
    document = opened()
    become(document, NEW)
    assert document.to_bytes() == NEW
    assert not document.is_dirty


def test_nodes_stay_who_they_are_and_keep_what_is_unfolded() -> None:
    document = opened()
    assert document.root is not None
    a, b = document.root.at("/eval_cases").items
    value = a.at("/n")
    become(document, NEW)
    items = document.root.at("/eval_cases").items
    assert items[0] is b
    assert items[2] is a
    assert a.at("/n") is value
    assert value.at("/1/x").source() == b"2"


def test_undo_and_redo_go_to_and_fro() -> None:
    document = opened()
    document.apply([Set("/eval_cases/1/n", b"7")], "edit")
    before = document.to_bytes()
    become(document, NEW.removeprefix(b"\xef\xbb\xbf"))
    document.apply([Remove("/eval_cases/0")], "delete")
    after = document.to_bytes()
    document.undo()
    assert not document.is_dirty
    document.undo()
    assert document.to_bytes() == before
    assert document.is_dirty
    document.undo()
    assert document.to_bytes() == OLD
    for _ in range(3):
        document.redo()
    assert document.to_bytes() == after


def test_edits_of_a_merge_are_marked_and_nothing_else() -> None:
    document = opened()
    assert document.root is not None
    a, b = document.root.at("/eval_cases").items
    become(document, OLD.replace(b'"n": 2', b'"n": 3'), Set("/eval_cases/0/n", b"9"))
    assert document.is_dirty
    assert document.is_changed(a)
    assert document.is_changed(a.at("/n"))
    assert not document.is_changed(b)


@pytest.mark.parametrize("seed", range(20))
def test_the_log_gives_the_same_bytes_on_what_is_on_disk(seed: int) -> None:
    chance = random.Random(seed)
    document = opened()
    for _ in range(12):
        match chance.randrange(4):
            case 0:
                data = b"%s[%d]}" % (OLD.replace(b"s", b"t", 1).rstrip(b"}\n") + b', "more": ', chance.randrange(99))
                become(document, data, *([Set("/more/0", b"1")] if chance.random() < 0.5 else []))
            case 1:
                document.undo()
            case 2:
                document.redo()
            case _:
                document.apply([Set("/eval_cases/0/n", b"%d" % chance.randrange(99))], "edit")
        assert document.base is not None
        assert document.log is not None
        again = Document(document.base)
        again.replay(document.log.entries(), "again")
        assert again.to_bytes() == document.to_bytes()


def test_one_value_gets_the_very_bytes_it_had() -> None:
    document = opened()
    assert document.root is not None
    document.apply([Set("/eval_cases/0/n", b"[5]"), Remove("/eval_cases/1")], "edit")
    node = document.root.at("/eval_cases/0")
    document.restore(node, b'{"eval_id": "a", "n": 1}', paired, "revert")
    assert document.to_bytes() == OLD.replace(b',\n    {"eval_id": "b", "n": 2}', b"")
    document.undo()
    document.undo()
    assert document.to_bytes() == OLD

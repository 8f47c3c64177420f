"""A log of what was done, done again to the bytes at the save point, gives the very bytes; whatever was done."""

from __future__ import annotations

import json
from collections.abc import Hashable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.edits import Insert, Remove, Set
from evaltui.document.errors import DocumentError, EditError
from evaltui.document.journals.journal import read_line, write_line
from evaltui.document.journals.redo_log import Entry
from evaltui.document.node import Node
from evaltui.document.swaps import AsideSwap
from tests.document.helpers import spelled_value
from tests.document.plain import after
from tests.document.strategies import DOCUMENTS, edits_for

ACTS = st.sampled_from(
    ["edit", "edit", "edit", "type", "undo", "undo", "redo", "half typed", "fail", "save", "save later"]
)


def logged(document: Document) -> list[Entry]:
    """All entries since the save point, as they come back from a file."""
    assert document.log is not None
    lines = [write_line({"do": group.entries}) for group in document.log.groups]
    return [entry for line in lines for entry in read_line(line)["do"]]


def replayed(base: bytes, document: Document) -> bytes:
    other = Document(base)
    other.replay(logged(document), "replay")
    mine = other.to_bytes()
    if other.undo():
        assert other.to_bytes() == base
        other.redo()
        assert other.to_bytes() == mine
    return mine


class Author:
    """Does things to a document and saves it; `base` is what is on disk."""

    def __init__(self, source: bytes) -> None:
        self.document = Document(source, clock=lambda: 0.0)
        self.document.keep_log()
        self.base = source
        self.saving: tuple[bytes, object] | None = None

    def act(self, data: st.DataObject, act: str) -> None:
        document, value = self.document, spelled_value(self.document.to_bytes())
        if act == "undo":
            document.undo()
        elif act == "redo":
            document.redo()
        elif act == "half typed":
            kept: dict[tuple[Node, Hashable], str] = {}
            assert document.root is not None
            text = data.draw(st.sampled_from(["1", "12"]))
            document.set_aside([AsideSwap(document.root, "key", kept, text)], "half type", "typing")
        elif act == "save":
            self.save_begins()
            self.save_ends()
        elif act == "save later":
            self.save_ends() if self.saving else self.save_begins()
        else:
            edits = []
            for _ in range(data.draw(st.integers(1, 3)) if act == "edit" else 1):
                edits.append(data.draw(edits_for(value)))
                value = after(value, edits[-1])
            if act == "fail":
                with pytest.raises(DocumentError):
                    document.apply([*edits, Remove("/no/such/place")], "fails")
            else:
                document.apply(edits, "step", "typing" if act == "type" else None)

    def save_begins(self) -> None:
        self.document.history.seal()
        self.saving = self.document.to_bytes(), self.document.history.point()

    def save_ends(self) -> None:
        assert self.saving is not None
        (self.base, point), self.saving = self.saving, None
        self.document.mark_saved(self.base, point)  # type: ignore[arg-type]


@given(st.data(), DOCUMENTS)
def test_any_edits_undos_and_saves_give_the_very_bytes_again(data: st.DataObject, source: bytes) -> None:
    author = Author(source)
    for act in data.draw(st.lists(ACTS, max_size=12)):
        author.act(data, act)
        assert replayed(author.base, author.document) == author.document.to_bytes()
        assert author.document.saved_bytes == author.base
        assert author.document.is_dirty or author.document.to_bytes() == author.base


def test_what_is_typed_on_is_one_group() -> None:
    document = Document(b'{"x": 0}', clock=lambda: 0.0)
    log = document.keep_log()
    assert log is not None
    for text in (b"1", b"12", b"123"):
        document.apply([Set("/x", text)], "type", "x")
    assert [group.entries for group in log.groups] == [(("set", (0,), b"123"),)]


def test_a_save_after_a_draft_leaves_nothing_to_do_again() -> None:
    author = Author(b"[]")
    author.document.apply([Insert("/-", b"0")], "add")
    assert author.document.root is not None
    author.document.set_aside([AsideSwap(author.document.root, "key", {}, "half")], "draft", "typing")
    author.save_begins()
    author.document.apply([Insert("/-", b"1")], "add meanwhile")
    author.save_ends()
    assert json.loads(author.base) == [0]
    assert replayed(author.base, author.document) == author.document.to_bytes()


def test_blanks_between_brackets_come_back() -> None:
    document = Document(b'{"a": {"b": [ ]}}')
    document.keep_log()
    document.apply([Insert("/a/b/0", b"1")], "fill")
    document.apply([Remove("/a")], "remove")
    document.undo()
    document.undo()
    assert replayed(b'{"a": {"b": [ ]}}', document) == b'{"a": {"b": [ ]}}'


def test_many_changes_of_one_list_are_noted_in_time_that_grows_with_their_number() -> None:
    """Each place of the list is looked up once: not once for each change."""
    count = 2_000
    document = Document(b"[" + b",".join([b"[0]"] * count) + b"]")
    document.keep_log()
    document.apply([Set(f"/{number}/0", b"1") for number in range(count)], "set all")
    document.undo()
    document.redo()
    assert replayed(b"[" + b",".join([b"[0]"] * count) + b"]", document) == document.to_bytes()


@pytest.mark.parametrize(
    "entries",
    [[("set", (3,), b"1")], [("run", (0,), 5, 2, (), ())], [("set", (0, 0), b"1")], [("key", (9, 9), b'"a"', b":")]],
)
def test_a_log_of_other_bytes_is_refused_and_leaves_all_as_it_was(entries: list[Entry]) -> None:
    document = Document(b'{"a": 1}')
    with pytest.raises(DocumentError):
        document.replay([("set", (0,), b"2"), *entries], "replay")
    assert document.to_bytes() == b'{"a": 1}'
    assert not document.is_dirty


def test_nothing_is_replayed_into_what_is_not_json(tmp_path: Path) -> None:
    with pytest.raises(EditError):
        Document(b"{", tmp_path / "a.json").replay([("set", (), b"1")], "replay")

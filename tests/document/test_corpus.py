"""Real public files: nothing of them changes that nobody changed."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.document.edits import Remove, Set
from evaltui.document.node import Node
from evaltui.validation.rules.odd_values import find_oddities
from tests.document.helpers import all_nodes, root_of, unfold_wholly


@pytest.fixture(scope="module")
def files(shared_folder: Path) -> dict[str, bytes]:
    found = {path.name: path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*.json"))}
    assert len(found) > 100
    return found


def documents(files: dict[str, bytes]) -> Iterator[tuple[str, bytes, Document]]:
    for name, data in files.items():
        yield name, data, Document(data)


def test_a_file_that_is_opened_keeps_its_bytes(files: dict[str, bytes]) -> None:
    for name, data, document in documents(files):
        assert document.to_bytes() == data, name
        if document.root is not None:
            unfold_wholly(document)
            assert document.to_bytes() == data, name


def test_a_changed_value_changes_nothing_else(files: dict[str, bytes]) -> None:
    for name, data, document in documents(files):
        for node in _some_scalars(document):
            before, old = node.text_before(), node.source()
            document.apply([Set(node.pointer(), b'"changed"')], "set")
            rest = document.body()[len(before) + len(node.source()) :]
            assert document.body() == before + node.source() + rest, name
            document.undo()
            assert document.body() == before + old + rest, name
        assert document.to_bytes() == data, name


def test_a_removed_value_comes_back(files: dict[str, bytes]) -> None:
    for name, data, document in documents(files):
        for node in _some_scalars(document):
            if node.parent is not None:
                document.apply([Remove(node.pointer())], "remove")
        while document.undo():
            assert document.root is not None
        assert document.to_bytes() == data, name


def test_what_is_inspected_is_said_in_plain_words(files: dict[str, bytes]) -> None:
    for name, _, document in documents(files):
        for finding in find_oddities(document):
            assert finding is None or (finding[0].place.line >= 1 and finding[0].message), name


def _some_scalars(document: Document) -> list[Node]:
    """A few values from all over the file."""
    if document.root is None:
        return []
    scalars = [node for node in all_nodes(root_of(document)) if not node.is_container and _has_one_address(node)]
    return scalars[:: max(1, len(scalars) // 5)]


def _has_one_address(node: Node) -> bool:
    return all(len({item.name for item in at.items}) == len(at.items) for at in node.ancestors() if at.kind == "object")

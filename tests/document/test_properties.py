"""Whatever the layout and whatever the edits: values as in plain Python, bytes kept, undo exact."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.document import pointer as pointers
from evaltui.document.document import Document
from evaltui.document.edits import Insert, Move, Remove, Rename, Set
from evaltui.document.errors import DocumentError
from tests.document.helpers import all_nodes, root_of, spelled_value, unfold_wholly
from tests.document.plain import after, all_pointers, value_at
from tests.document.strategies import DOCUMENTS, SCALARS, edits_for

_tokens = re.compile(rb'"(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],:]').findall


@given(DOCUMENTS)
def test_any_layout_is_kept_to_the_byte(source: bytes) -> None:
    document = Document(source)
    assert document.to_bytes() == source
    unfold_wholly(document)
    assert document.to_bytes() == source


@given(st.data(), DOCUMENTS)
def test_edits_do_what_they_do_to_plain_values_and_undo_takes_all_back(data: st.DataObject, source: bytes) -> None:
    document, value = Document(source), spelled_value(source)
    states = [source]
    for _ in range(data.draw(st.integers(1, 4))):
        edits = []
        for _ in range(data.draw(st.integers(1, 3))):
            edits.append(data.draw(edits_for(value)))
            value = after(value, edits[-1])
        document.apply(edits, "step")
        states.append(document.to_bytes())
        assert repr(spelled_value(states[-1])) == repr(value)
    for state in reversed(states[:-1]):
        document.undo()
        assert document.to_bytes() == state
    assert document.undo() is None
    for state in states[1:]:
        document.redo()
        assert document.to_bytes() == state
    assert document.redo() is None


@given(st.data(), DOCUMENTS)
def test_a_rehearsal_leaves_no_trace(data: st.DataObject, source: bytes) -> None:
    """Between steps and their undo, and also where its last edit cannot be done."""
    document, value = Document(source), spelled_value(source)
    for _ in range(data.draw(st.integers(1, 3))):
        before, rehearsed = document.to_bytes(), value
        edits = []
        for _ in range(data.draw(st.integers(1, 3))):
            edits.append(data.draw(edits_for(rehearsed)))
            rehearsed = after(rehearsed, edits[-1])
        if data.draw(st.booleans()):
            with pytest.raises(DocumentError):
                document.rehearse([*edits, Remove("/nowhere/at/all")])
        else:
            document.rehearse(edits)
        assert document.to_bytes() == before
        assert all(node.source() == b"".join(node.pieces()) for node in all_nodes(root_of(document)))
        step = data.draw(edits_for(value))
        value = after(value, step)
        document.apply([step], "step")
    while document.undo() is not None:
        document.rehearse([])
    assert document.to_bytes() == source


@given(st.data(), DOCUMENTS, SCALARS)
def test_setting_a_scalar_changes_only_its_own_span(data: st.DataObject, source: bytes, scalar: str) -> None:
    document = Document(source)
    scalars = [node for node in all_nodes(root_of(document)) if not node.is_container]
    if not scalars:
        return
    node = data.draw(st.sampled_from(scalars))
    before, old = node.text_before(), node.source()
    document.apply([Set(node.pointer(), scalar.encode())], "set")
    assert source == before + old + source[len(before + old) :]
    assert document.to_bytes() == before + node.source() + source[len(before + old) :]


@given(st.data(), DOCUMENTS)
def test_an_insert_leaves_all_other_tokens_as_they_are(data: st.DataObject, source: bytes) -> None:
    value = spelled_value(source)
    edit = data.draw(edits_for(value).filter(lambda edit: isinstance(edit, Insert)))
    document = Document(source)
    document.apply([edit], "insert")
    added = len(_tokens(document.to_bytes())) - len(_tokens(source))
    assert _is_cut_out(_tokens(document.to_bytes()), added, _tokens(source))


@given(st.data(), DOCUMENTS)
def test_a_removal_leaves_all_other_tokens_as_they_are(data: st.DataObject, source: bytes) -> None:
    where = data.draw(st.sampled_from(all_pointers(spelled_value(source))))
    if where:
        document = Document(source)
        document.apply([Remove(where)], "remove")
        gone = len(_tokens(source)) - len(_tokens(document.to_bytes()))
        assert _is_cut_out(_tokens(source), gone, _tokens(document.to_bytes()))


def _is_cut_out(longer: list[bytes], count: int, shorter: list[bytes]) -> bool:
    """Whether `shorter` is `longer` without one run of `count` tokens."""
    return any(longer[:at] + longer[at + count :] == shorter for at in range(len(shorter) + 1))


@given(st.data(), DOCUMENTS)
def test_inserting_and_removing_again_gives_the_same_bytes(data: st.DataObject, source: bytes) -> None:
    value = spelled_value(source)
    edit = data.draw(edits_for(value).filter(lambda edit: isinstance(edit, Insert)))
    place, last = pointers.parent_and_last(edit.pointer)
    holder = value_at(value, place)
    pointer = f"{place}/{len(holder)}" if last == "-" else edit.pointer
    document = Document(source)
    document.apply([edit], "insert")
    document.apply([Remove(pointer)], "remove")
    if holder:
        assert document.to_bytes() == source
    assert repr(spelled_value(document.to_bytes())) == repr(value)


@given(st.data(), DOCUMENTS)
def test_a_moved_value_keeps_its_tokens(data: st.DataObject, source: bytes) -> None:
    value = spelled_value(source)
    edit = data.draw(edits_for(value))
    if not isinstance(edit, Move | Rename):
        return
    origin = edit.origin if isinstance(edit, Move) else edit.pointer
    document = Document(source)
    tokens = _tokens(root_of(document).at(origin).source())
    document.apply([edit], "move")
    goal = _place_of(edit)
    assert _tokens(root_of(document).at(goal).source()) == tokens


def _place_of(edit: Any) -> str:
    if isinstance(edit, Move):
        return edit.pointer
    return f"{pointers.parent_and_last(edit.pointer)[0]}/{pointers.escape(edit.name)}"

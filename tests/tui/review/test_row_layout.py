"""Runs of text in lines of a width: nothing is left out, nothing is wider."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from evaltui.tui.lines import text_of
from evaltui.tui.review.row_layout import wrap_runs

roles = st.sampled_from(["", "dim", "differs"])
texts = st.text(st.sampled_from("ab  東京é-"), max_size=30)
paragraphs = st.lists(st.tuples(texts, roles), max_size=6)


@pytest.mark.thorough
@given(paragraphs, st.integers(8, 30))
def test_wrapped_lines_hold_all_characters_and_fit(paragraph: list[tuple[str, str]], width: int) -> None:
    lines = wrap_runs(paragraph, width)
    shown = "".join(text_of(line) for line in lines)
    assert shown.replace(" ", "") == text_of(paragraph).replace(" ", "")
    assert all(cell_len(text_of(line).rstrip()) <= width for line in lines)


@pytest.mark.thorough
@given(paragraphs, st.integers(8, 30))
def test_characters_keep_their_roles(paragraph: list[tuple[str, str]], width: int) -> None:
    def roles_of(line: list[tuple[str, str]]) -> list[tuple[str, str]]:
        return [(char, role) for text, role in line for char in text if char != " "]

    assert [each for line in wrap_runs(paragraph, width) for each in roles_of(line)] == roles_of(paragraph)


def test_a_name_and_its_value_stay_on_one_line() -> None:
    assert [text_of(line) for line in wrap_runs([("search", "name"), ("  to=", "dim"), ('"OSL"', "")], 12)] == [
        "search",
        'to="OSL"',
    ]

"""Each edit of a text or a call, in both key cases and both shapes: only what it means differs in the file."""

import pytest

from .editing import Editing, saving_changes_nothing_else, undo_and_redo
from .edits import IN_CALLS, TEXTS
from .sets import SETS, SNAKE


@pytest.mark.parametrize("shape", ["snake", "camel_events"])
@pytest.mark.parametrize("editing", TEXTS.values(), ids=list(TEXTS))
async def test_saving_a_changed_text_changes_nothing_else(shape: str, editing: Editing) -> None:
    await saving_changes_nothing_else(SETS[shape], editing)


@pytest.mark.parametrize("shape", list(SETS))
@pytest.mark.parametrize("editing", IN_CALLS.values(), ids=list(IN_CALLS))
async def test_saving_a_changed_call_changes_nothing_else(shape: str, editing: Editing) -> None:
    await saving_changes_nothing_else(SETS[shape], editing)


@pytest.mark.parametrize("editing", (TEXTS | IN_CALLS).values(), ids=list(TEXTS | IN_CALLS))
async def test_undo_takes_an_edit_back_and_redo_does_it_again(editing: Editing) -> None:
    await undo_and_redo(SNAKE, editing)

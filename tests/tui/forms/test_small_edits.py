"""Each edit of a text or a call, in both key cases and both shapes: only what it means differs in the file.

Undo takes it back and redo does it again.
"""

import pytest

from tests.tui.editing import Editing, assert_changes_nothing_else
from tests.tui.edits import IN_CALLS, TEXTS
from tests.tui.sets import SETS


@pytest.mark.parametrize("shape", ["snake", "camel_events"])
@pytest.mark.parametrize("editing", TEXTS.values(), ids=list(TEXTS))
async def test_a_changed_text_changes_nothing_else(shape: str, editing: Editing) -> None:
    await assert_changes_nothing_else(SETS[shape], editing)


@pytest.mark.parametrize("shape", list(SETS))
@pytest.mark.parametrize("editing", IN_CALLS.values(), ids=list(IN_CALLS))
async def test_a_changed_call_changes_nothing_else(shape: str, editing: Editing) -> None:
    await assert_changes_nothing_else(SETS[shape], editing)

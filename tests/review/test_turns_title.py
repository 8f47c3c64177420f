"""The title of the key that adds or deletes turns."""

from __future__ import annotations

import pytest

from evaltui.review.review_changes import Place, ReviewChange, turns_title

_DELETED, _ADDED, _CALL = Place("delete_turn", turn=2), Place("add_turn", actual_turn=1), Place("add_call", 0, 0, 0, 0)


@pytest.mark.parametrize(
    ("places", "title"),
    [
        ([_DELETED], "delete turn 3"),
        ([_ADDED], "add turn"),
        ([_DELETED, _DELETED], "delete 2 turns"),
        ([_ADDED, _ADDED], "add 2 turns"),
        ([_DELETED, _ADDED], "add and delete turns"),
        ([_DELETED, _CALL], ""),
        ([_CALL], ""),
        ([], ""),
    ],
)
def test_the_title_names_the_turns(places: list[Place], title: str) -> None:
    changes = [ReviewChange(str(number), "sequence", "", place) for number, place in enumerate(places)]
    assert turns_title(changes) == title

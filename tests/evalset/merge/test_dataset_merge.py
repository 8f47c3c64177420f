"""A dataset that others changed on disk, merged with the text that is open: cases are known by their eval_case_id."""

import json

from evaltui.evalset.merge.three_way import reread
from tests.evalset.travel import BOOKING, LUNCH, MUSEUMS, REFUND, TRAVEL, dataset_of


def test_changes_of_both_sides_are_kept_also_in_another_order() -> None:
    mine = dataset_of(BOOKING, MUSEUMS, REFUND, LUNCH | {"prompt": "Where is tea?"})
    theirs = dataset_of(LUNCH, REFUND | {"prompt": "Money!"}, BOOKING, MUSEUMS)
    result = reread(TRAVEL.encode(), mine.encode(), theirs.encode(), merging=True)
    assert isinstance(result, tuple)
    merged = json.loads(result[0].to_bytes())
    assert merged == {
        "eval_cases": [LUNCH | {"prompt": "Where is tea?"}, REFUND | {"prompt": "Money!"}, BOOKING, MUSEUMS]
    }


def test_a_conflict_names_the_case() -> None:
    mine = dataset_of(BOOKING, MUSEUMS, REFUND | {"prompt": "Please"}, LUNCH)
    theirs = dataset_of(BOOKING, MUSEUMS, REFUND | {"prompt": "Money!"}, LUNCH)
    result = reread(TRAVEL.encode(), mine.encode(), theirs.encode(), merging=True)
    assert isinstance(result, list)
    assert ["refund" in conflict.where for conflict in result] == [True]


def test_the_summary_counts_cases() -> None:
    theirs = dataset_of(BOOKING, LUNCH, MUSEUMS | {"eval_case_id": "new"}, REFUND | {"prompt": "Money!"})
    result = reread(TRAVEL.encode(), TRAVEL.encode(), theirs.encode(), merging=False)
    assert result[1] == "1 case changed, 1 added, 1 deleted"

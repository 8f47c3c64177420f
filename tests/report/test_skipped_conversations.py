"""Sentences about conversations of no case: one for each reason and file, with ids only where somebody must act."""

import pytest

from evaltui.report.run_notes import skipped_lines

OTHER_SET = 'recorded for eval set "other"'
NO_CASE = "no case has the same first user message"
RIVALS = "2 cases begin with this user message, and none of them has 3 turns"


@pytest.mark.parametrize(
    ("skipped", "said"),
    [
        ([("a.json", "x", OTHER_SET)], ['a.json: 1 conversation skipped: it belongs to eval set "other"']),
        (
            [("a.json", each, OTHER_SET) for each in "xy"],
            ['a.json: 2 conversations skipped: they belong to eval set "other"'],
        ),
        (
            [(f"{file}.json", "x", OTHER_SET) for file in "abc"],
            ['3 conversations in 3 files skipped: they belong to eval set "other"'],
        ),
        (
            [("a.json", "x", NO_CASE), ("b.json", "y", NO_CASE), ("b.json", "z", NO_CASE)],
            [f"a.json: 1 conversation skipped: {NO_CASE}", f"b.json: 2 conversations skipped: {NO_CASE}"],
        ),
        (
            [("a.json", each, "there is no user message, so no case matches") for each in "xy"],
            ["a.json: 2 conversations skipped: there are no user messages, so no case matches"],
        ),
        (
            [("a.json", each, RIVALS) for each in "uvwxyz"],
            [f"a.json: 6 conversations (u, v, w, x, y and 1 more) skipped: {RIVALS}"],
        ),
        (
            [("a.json", "x", f'case "gone" is not in this eval set; {NO_CASE}')],
            [f'a.json: conversation x skipped: case "gone" is not in this eval set; {NO_CASE}'],
        ),
        ([], []),
    ],
)
def test_a_sentence_for_each_reason_and_file(skipped: list[tuple[str, str, str]], said: list[str]) -> None:
    assert [*skipped_lines(skipped)] == said

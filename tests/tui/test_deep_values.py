"""The app with values that nest as deep as evaltui reads, and deeper. The calls of the app leave room for them."""

import json

import pytest

from evaltui.document.scanner import MOST_LEVELS
from tests.commands.runs import case, eval_set, result, turn
from tests.sampling import sampled
from tests.tui.review.reviewed import review
from tests.tui.scenario import scenario

AROUND = 20
OLD = '[{"name": "c", "data": [{"query": "q", "expected_tool_use": [{"tool_name": "t", "tool_input": %s}]}]}]'


def deep(levels: int) -> str:
    return '{"a": ' * levels + "{}" + "}" * levels


def with_arguments(text: str, levels: int) -> str:
    return text.replace('"DEEP"', deep(levels))


SET = json.dumps(eval_set(case("greeting", turn("Hi", "Hello", [("search", {"x": 1})]))))
RECORDING = json.dumps(result(case("greeting", turn("Hi", "Hello", [("search", {"x": "DEEP"})]))))


@pytest.mark.parametrize("levels", [250, MOST_LEVELS - AROUND])
async def test_a_recorded_value_up_to_the_limit_is_compared_and_shown(levels: int) -> None:
    async with review(set_=SET, recording=with_arguments(RECORDING, levels)) as s:
        s.expect("search")
        await s.press("c", "d")
        s.expect("search")


@pytest.mark.parametrize("levels", [MOST_LEVELS + AROUND, 1_000, 5_000])
async def test_a_recording_beyond_the_limit_is_refused(levels: int) -> None:
    beside = {"actual.json": with_arguments(RECORDING, levels)}
    async with scenario(SET, beside=beside, recordings=["actual.json"]) as s:
        await s.press("o")
        assert "No recording could be read" in s.status


@pytest.mark.parametrize(
    ("levels", "is_read"),
    sampled([(MOST_LEVELS - AROUND, True), (250, True), (4_000, False), (MOST_LEVELS + AROUND, False)]),
)
async def test_a_case_of_another_format_is_pasted_up_to_the_limit(levels: int, is_read: bool) -> None:
    async with scenario(SET) as s:
        await s.paste(OLD % deep(levels))
        said = any("values are nested too deeply" in each for each in s.app.messages.newest_first())
        assert (said, s.bytes() == s.original) == (not is_read, not is_read)


@pytest.mark.parametrize(
    ("levels", "is_read"),
    sampled([(MOST_LEVELS - AROUND, True), (250, True), (4_000, False), (MOST_LEVELS + AROUND, False)]),
)
async def test_a_file_of_another_format_is_shown_converted_up_to_the_limit(levels: int, is_read: bool) -> None:
    async with scenario(OLD % deep(levels), name="old.json") as s:
        assert ("Shown as JSON" in s.status) == (not is_read)

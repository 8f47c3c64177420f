"""JSON that is no eval set is browsed and edited as a tree of its values."""

import pytest

from tests.tui.scenario import scenario

CONFIG = """{
    "criteria": {
        "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "EXACT"},
        "response_match_score": 0.80
    },
    "tags": ["nightly", "slow"],
    "owner": null
}
"""


@pytest.mark.thorough
async def test_a_config_is_browsed() -> None:
    async with scenario(CONFIG, name="test_config.json") as s:
        assert "JSON" in s.title
        s.expect("criteria", "response_match_score  0.80", '0  "nightly"', "owner  null")
        await s.to("tool_trajectory_avg_score  {")
        await s.press("right")
        s.expect('match_type  "EXACT"')
        await s.press("enter")
        s.expect("─ test_config.json › criteria › tool_trajectory_avg_score", "threshold   1.0", "number")


@pytest.mark.thorough
async def test_values_of_a_config_are_edited_added_renamed_and_deleted() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("response_match_score  0.80")
        await s.press("f7")
        await s.type("0.75")
        await s.press("escape")
        assert await s.saved() == s.original.replace(b"0.80", b"0.75")
        await s.start_over()
        await s.to("owner  null")
        await s.press("d")
        assert s.bytes() == s.original.replace(b',\n    "owner": null', b"")
        await s.to("criteria  {")
        await s.press("enter")
        await s.to("response_match")
        await s.press("d", "escape")
        await s.to('"slow"')
        await s.press("d")
        wanted = s.original.replace(b',\n    "owner": null', b"").replace(b', "slow"', b"")
        assert await s.saved() == wanted.replace(b',\n        "response_match_score": 0.80', b"")
        await s.start_over()
        await s.enter("criteria  {")
        await s.press("a")
        s.expect("Name of the new key")
        await s.type("safety_v1\r")
        await s.type("x")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b": 0.80", b': 0.80,\n        "safety_v1": "x"')
        s.expect("› criteria ─")
        await s.to("safety_v1")
        await s.press("t")
        assert b'"safety_v1": 0\n' in s.bytes()
        await s.start_over()
        await s.enter("criteria  {")
        await s.to("response_match")
        await s.press("r", "ctrl+u")
        await s.type("rouge\r")
        assert s.bytes() == s.original.replace(b"response_match_score", b"rouge")
        await s.start_over()
        await s.enter("tags  [")
        await s.press("a")
        await s.type("new")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b'"slow"', b'"slow", "new"')
        await s.start_over()
        await s.enter("tool_trajectory_avg_score  {")
        await s.edit('{"threshold"', '{"threshold": 1.0, "match_type": "IN_ORDER"}')
        assert s.bytes() == s.original.replace(b"EXACT", b"IN_ORDER")


async def test_a_result_is_shown_as_json_and_not_checked_as_a_set() -> None:
    async with scenario('{"eval_set_result_id": "r", "eval_set_id": "s", "eval_case_results": []}') as s:
        assert s.title.endswith("JSON")


@pytest.mark.thorough
@pytest.mark.parametrize("text", ['[{"eval_id": "a", "conversation": []}]', '{"eval_case": [{"eval_id": "a"}]}', "{}"])
async def test_a_set_in_the_wrong_shape_is_shown_as_json_with_its_problems(text: str) -> None:
    async with scenario(text) as s:
        assert "JSON" in s.title
        assert "error" in s.title

"""JSON that is no eval set is browsed and edited as a tree of its values."""

import json

import pytest

from .scenario import NORMAL, scenario

CONFIG = """{
    "criteria": {
        "tool_trajectory_avg_score": {"threshold": 1.0, "match_type": "EXACT"},
        "response_match_score": 0.80
    },
    "tags": ["nightly", "slow"],
    "owner": null
}
"""


async def test_a_config_is_browsed() -> None:
    async with scenario(CONFIG, name="test_config.json") as s:
        assert "no eval set" in s.title
        s.expect("criteria", "response_match_score  0.80", '0  "nightly"', "owner  null")
        await s.to("tool_trajectory_avg_score  {")
        await s.press("right")
        s.expect('match_type  "EXACT"')
        await s.press("enter")
        s.expect("─ tool_trajectory_avg_score", "threshold   1.0", "number")


async def test_a_number_is_edited_and_nothing_else_changes() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("response_match_score  0.80")
        await s.edit("0.80", "0.75")
        assert await s.saved() == s.original.replace(b"0.80", b"0.75")


async def test_values_are_deleted_in_the_tree_and_in_the_form() -> None:
    async with scenario(CONFIG) as s:
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


async def test_a_member_is_added_by_name_and_edited_at_once() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("criteria  {")
        await s.press("a")
        s.expect("Name of the new member")
        await s.type("safety_v1\r")
        await s.type("x")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b": 0.80", b': 0.80,\n        "safety_v1": "x"')
        await s.press("escape")
        s.expect("─ criteria ─")
        await s.to("safety_v1")
        await s.press("t")
        assert b'"safety_v1": 0\n' in s.bytes()


async def test_a_member_is_renamed_in_its_place() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("criteria  {")
        await s.to("response_match")
        await s.press("r", "ctrl+u")
        await s.type("rouge\r")
        assert s.bytes() == s.original.replace(b"response_match_score", b"rouge")


async def test_items_are_added_behind_the_selected_one_and_at_the_end() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("tags  [")
        await s.press("a")
        await s.type("new")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b'"slow"', b'"slow", "new"')


async def test_a_container_is_edited_as_json_and_keeps_its_layout() -> None:
    async with scenario(CONFIG) as s:
        await s.enter("tool_trajectory_avg_score  {")
        await s.edit('{"threshold"', '{"threshold": 1.0, "match_type": "IN_ORDER"}')
        assert s.bytes() == s.original.replace(b"EXACT", b"IN_ORDER")


@pytest.mark.parametrize(
    ("text", "typed", "after"),
    [
        ('"x"', "[y]", '"[y]"'),
        ("12", "12.50", "12.50"),
        ("null", "true", "true"),
        ("false", '"no"', '"no"'),
    ],
)
async def test_a_file_of_one_value_is_edited(text: str, typed: str, after: str) -> None:
    async with scenario(text + "\n") as s:
        await s.press("enter", "enter", "f7")
        await s.type(typed)
        assert (await s.saved()).decode() == after + "\n"


@pytest.mark.parametrize(("text", "keys", "after"), [("{}", "aN\rx", '{"N": "x"}'), ("[]", "ax", '["x"]')])
async def test_an_empty_container_is_filled(text: str, keys: str, after: str) -> None:
    async with scenario(text) as s:
        await s.press("enter")
        s.expect("Nothing in here. a adds something.")
        await s.press(*keys)
        assert json.loads(s.bytes()) == json.loads(after)


async def test_a_list_at_the_top_grows_and_shrinks() -> None:
    async with scenario("[1, 2, 3]") as s:
        await s.to("1  2")
        await s.press("d")
        assert s.bytes() == b"[1, 3]"
        await s.press("a")
        assert s.bytes() == b"[1, 3, 0]"
        await s.press("home", "d")
        assert "cannot be deleted" in s.status


async def test_numbers_of_items_follow_a_deletion() -> None:
    async with scenario('["a", "b", "c"]', NORMAL) as s:
        await s.to('"a"')
        await s.press("d")
        s.expect('0  "b"', '1  "c"')
        await s.press("u")
        s.expect('0  "a"', '1  "b"', '2  "c"')


async def test_members_are_not_added_where_a_name_would_be_needed() -> None:
    async with scenario(CONFIG) as s:
        await s.to("owner  null")
        await s.press("a")
        assert "the form adds members by name" in s.status
        assert not s.is_dirty


@pytest.mark.parametrize("name", ["test_config.json", "notes", "x.evalset.json"])
async def test_what_a_file_is_depends_on_what_it_holds_not_on_its_name(name: str) -> None:
    async with scenario('{"eval_set_id": "s", "eval_cases": []}', name=name) as s:
        assert "0 cases" in s.title
        assert name in s.title
    async with scenario("[]", name=name) as s:
        assert "no eval set" in s.title


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n  "])
async def test_line_ends_and_marks_stay(end: str) -> None:
    text = '\ufeff{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'.replace("\n", "\r\n") + end
    async with scenario(text.encode()) as s:
        await s.to("0  2")
        await s.press("a")
        assert s.bytes() == s.original.replace(b"    2", b"    2,\r\n    0")

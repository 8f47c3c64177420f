"""Lists, single values and empty containers as whole files."""

import json

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, scenario


@pytest.mark.parametrize(
    ("text", "typed", "after"),
    sampled(
        [
            ('"x"', "[y]", '"[y]"'),
            ("12", "12.50", "12.50"),
            ("null", "true", "true"),
            ("false", '"no"', '"no"'),
        ]
    ),
)
async def test_a_file_of_one_value_is_edited(text: str, typed: str, after: str) -> None:
    async with scenario(text + "\n") as s:
        await s.press("enter", "f7")
        await s.type(typed)
        assert (await s.saved()).decode() == after + "\n"


@pytest.mark.parametrize(("text", "keys", "after"), [("{}", "aN\rx", '{"N": "x"}'), ("[]", "ax", '["x"]')])
async def test_an_empty_container_is_filled(text: str, keys: str, after: str) -> None:
    async with scenario(text) as s:
        await s.press("enter")
        s.expect("Empty. Outside the text box, press a to add a")
        await s.press("f7")
        await s.type(after)
        assert json.loads(s.bytes()) == json.loads(after)
        await s.press("escape", "u")
        assert s.bytes() == s.original
        await s.press(*keys)
        assert json.loads(s.bytes()) == json.loads(after)


@pytest.mark.parametrize(("before", "typed", "after"), [("5", "56", "56"), ("true", " ", "false"), ("null", "1", "1")])
async def test_enter_ends_typing_in_a_value_of_the_tree_that_is_no_text(before: str, typed: str, after: str) -> None:
    async with scenario(f'{{"n": {before}, "t": "x"}}') as s:
        await s.to(f"n  {before}")
        await s.press("enter")
        s.expect("enter done")
        await s.type(typed)
        await s.press("enter")
        assert s.focused == "form"
        assert s.bytes() == f'{{"n": {after}, "t": "x"}}'.encode()


async def test_a_list_at_the_top_grows_and_shrinks() -> None:
    async with scenario("[1, 2, 3]") as s:
        await s.to("1  2")
        await s.press("d")
        assert s.bytes() == b"[1, 3]"
        await s.press("a")
        assert s.bytes() == b"[1, 3, 0]"
        await s.press("escape", "escape", "home", "d")
        assert "not possible for the outermost value" in s.status


@pytest.mark.thorough
async def test_numbers_of_items_follow_a_deletion() -> None:
    async with scenario('["a", "b", "c"]', NORMAL) as s:
        await s.to('"a"')
        await s.press("d")
        s.expect('0  "b"', '1  "c"')
        await s.press("u")
        s.expect('0  "a"', '1  "b"', '2  "c"')


@pytest.mark.parametrize("name", sampled(["test_config.json", "x.evalset.json", "notes"], most=1))
async def test_what_a_file_is_depends_on_what_it_holds_not_on_its_name(name: str) -> None:
    async with scenario('{"eval_set_id": "s", "eval_cases": []}', name=name) as s:
        assert "0 cases" in s.title
        assert name in s.title
    async with scenario("[]", name=name) as s:
        assert "JSON" in s.title


@pytest.mark.parametrize("end", sampled(["", "\n", "\r\n", "\n\n  "]))
async def test_line_ends_and_marks_stay(end: str) -> None:
    text = '\ufeff{\n  "a": 1,\n  "b": [\n    2\n  ]\n}'.replace("\n", "\r\n") + end
    async with scenario(text.encode()) as s:
        await s.to("0  2")
        await s.press("a")
        assert s.bytes() == s.original.replace(b"    2", b"    2,\r\n    0")


@pytest.mark.thorough
async def test_the_type_of_a_text_that_is_open_goes_round_to_where_it_began() -> None:
    async with scenario('{"note": "first"}', name="any.json") as s:
        await s.enter("note")
        for written in ("0", "false", "null", '["first"]', "{}", '"first"'):
            await s.press("t")
            assert json.loads(s.bytes()) == {"note": json.loads(written)}


@pytest.mark.thorough
async def test_an_empty_text_becomes_an_empty_list() -> None:
    async with scenario('{"note": ""}', name="any.json") as s:
        await s.enter("note")
        await s.press("t", "t", "t", "t")
        assert json.loads(s.bytes()) == {"note": []}


async def test_a_new_empty_object_takes_members_by_a_key() -> None:
    async with scenario('[{"a": 1}]', name="any.json") as s:
        await s.to("0  {a}")
        await s.press("a", "a")
        assert s.focused == "NameDialog"
        await s.type("b\r2")
        assert json.loads(s.bytes()) == [{"a": 1}, {"b": "2"}]

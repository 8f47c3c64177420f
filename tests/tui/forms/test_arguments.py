"""Arguments of a call: added, renamed, deleted, typed as any JSON, turned into another type."""

import pytest

from tests.sampling import sampled
from tests.tui.scenario import NORMAL, SAMPLES, Scenario, scenario
from tests.tui.sets import FIRST_CALL, SETS, SNAKE

GET_WEATHER = ("Is it raining", "get_weather")


async def test_a_value_that_is_no_text_can_become_any_other_by_typing_json() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        for value in sampled(
            ['"é\\n"', "12", '"12"', "true", "1E+3", "-0.0", '{"a": null}', "null", " [1] ", "[1, [2, {}]]"], 6
        ):
            await s.edit("metric", value)
            assert s.bytes() == s.original.replace(b'"metric": true', b'"metric": ' + value.strip().encode())
            while s.is_dirty:
                await s.press("u")


@pytest.mark.thorough
async def test_types_go_round_and_typing_follows_them() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.to("days")
        values = []
        for kind in ("boolean", "null", "list", "object", "string", "number"):
            await s.press("t")
            assert s.cursor().split()[-1] == kind
            values.append(s.bytes().split(b'"days": ')[1].split(b', "metric"')[0])
        assert values[2] == b"[3]"
        assert values[4] == b'"3"'
        assert s.bytes() == s.original
        await s.press("u")
        assert s.bytes() == s.original
        await s.start_over()
        await s.enter(*FIRST_CALL)
        await s.edit("city", "[true]")
        assert s.bytes() == s.original.replace(b'"Bergen"', b'"[true]"')
        await s.start_over()
        await s.enter(*FIRST_CALL, "note ")
        await s.press("f7", '"', '"', "left", "h", "i")
        assert s.bytes() == s.original.replace(b'"note": null', b'"note": "hi"')
        await s.start_over()
        await s.enter(*FIRST_CALL)
        for key, said in [
            ("t", "no type to change"),
            ("d", "cannot be"),
            ("r", "Only arguments and keys can be renamed"),
        ]:
            await s.press(key)
            assert said in s.status
        assert s.bytes() == s.original
        await s.start_over()
        await s.enter(*GET_WEATHER)
        await add_argument(s, "lang", "nb")
        assert "string" not in s.status
        await s.edit("city", "4")
        assert b'"city": "4"' in s.bytes()
        assert "to make it" not in s.status


@pytest.mark.thorough
async def test_enter_in_a_new_argument_asks_for_the_next_one() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.press("a")
        s.expect("Name of the new argument")
        await s.press(*"lang", "enter", *"nb")
        assert b'"lon": 5.32}, "lang": "nb"}' in s.bytes()
        assert "enter add argument" in s.keys
        await s.press("enter")
        s.expect("Name of the new argument")
        await s.press(*"unit", "enter", *"K", "escape")
        assert b'"lang": "nb", "unit": "K"}' in s.bytes()
        assert s.focused == "form"
        await s.start_over()
        await s.enter(*GET_WEATHER)
        await s.press("a", *"passengers", "enter", "4", "enter")
        assert s.focused == "NameDialog"
        s.expect('passengers is the string "4", not a number.')
        await s.press("escape")
        assert s.status.strip() == 'passengers is the string "4". Press t to make it a number.'
        await s.start_over()
        await s.enter(*FIRST_CALL, "area")
        await s.press("enter")
        assert s.focused == "form"
        assert s.status.strip() == "Editing ended. Letters are keys now: a adds another argument."
        await s.press("down")
        assert "Editing ended" not in s.status


@pytest.mark.thorough
@pytest.mark.parametrize("text", sampled(SETS.values()))
async def test_a_call_without_arguments_gets_its_first(text: str) -> None:
    async with scenario(text) as s:
        await s.enter("Is it raining", "find_umbrella")
        s.expect("no arguments ({}) · a: add an argument")
        await s.press("a")
        await s.type("size\r")
        await s.press("escape")
        assert s.bytes() == s.original.replace(b'"args": {}', b'"args": {"size": ""}')


@pytest.mark.thorough
async def test_arguments_that_are_absent_are_made_by_the_first() -> None:
    async with scenario(SNAKE.replace('"find_umbrella", "args": {}', '"find_umbrella"')) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.press("a")
        await s.type("size\r")
        assert b'"name": "find_umbrella", "args": {"size": ""}}' in s.bytes()


@pytest.mark.thorough
async def test_names_are_unique_and_may_hold_any_character() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.press("a")
        await s.type("city\r")
        s.expect('"city" already exists')
        await s.press("escape")
        await s.to("metric")
        await s.press("r", "ctrl+u")
        await s.type("city\r")
        s.expect('"city" already exists')
        await s.type("_2\r")
        s.expect("city_2  ")
        await s.press("u")
        assert s.bytes() == s.original
        for key in "ar":
            await s.press(key)
            assert s.focused == "NameDialog"
            await s.type("q")
            await s.press("escape")
            assert s.focused == "form"
        assert s.bytes() == s.original
        await s.start_over()
        await s.enter(*FIRST_CALL)
        await s.to("metric")
        await s.press("r", "ctrl+u")
        await s.type('a/b~1."é[')
        await s.press("enter")
        assert s.bytes() == s.original.replace(b'"metric"', rb'"a/b~1.\"' + 'é["'.encode())
        await s.edit('a/b~1."é[', "1e1")
        assert b': 1e1, "note"' in s.bytes()


async def test_a_spread_list_keeps_its_layout_when_an_item_changes() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", NORMAL) as s:
        await s.enter("Please book me", "search_flights", "depart_between")
        await s.press("left", "left", "left")
        await s.type("9")
        assert s.bytes() == s.original.replace(b'["06:00", "12:00"]', b'["06:00", "12:090"]')


# --- the type of a new argument --------------------------------------------------------------------------------------


def with_a_call(args: str) -> str:
    """A set with one more call of get_weather."""
    call = '{"id": "call-9", "name": "get_weather", "args": ' + args + "}"
    return SNAKE.replace('{"id": "call-2"', call + ', {"id": "call-2"', 1)


async def add_argument(s: Scenario, name: str, value: str) -> None:
    """Add an argument in the form of a call, and end editing."""
    await s.press("a")
    await s.type(f"{name}\r")
    await s.type(value)
    await s.press("escape")


@pytest.mark.thorough
async def test_a_new_argument_gets_the_type_that_it_has_in_other_calls() -> None:
    async with scenario(with_a_call('{"city": "Oslo"}')) as s:
        await s.enter("Is it raining", 'city="Oslo"')
        for name, value, kind in (
            ("days", "4", "a number"),
            ("days", "-1.50e3", "a number"),
            ("metric", "false", "a boolean"),
            ("note", "null", "null"),
            ("hours", "[1, 2]", "a list"),
            ("area", '{"lat": 1}', "an object"),
        ):
            await add_argument(s, name, value)
            assert f'"city": "Oslo", "{name}": {value}}}'.encode() in s.bytes()
            assert s.status.strip() == f"{name} is {kind}, as in other calls of get_weather (press t to change)."
            assert name in s.cursor()
            await s.press("u")
            assert f'"city": "Oslo", "{name}": ""}}'.encode() in s.bytes()
            await s.press("U")
            assert f'"{name}": {value}}}'.encode() in s.bytes()
            await s.press("u", "u")
            assert s.bytes() == s.original


@pytest.mark.thorough
async def test_whatever_else_is_typed_is_a_text() -> None:
    async with scenario(with_a_call('{"lang": "nb"}')) as s:
        await s.enter("Is it raining", "lang=")
        texts = [
            ("days", "4x"),
            ("days", " 4"),
            ("days", '"4"'),
            ("metric", "1"),
            ("days", "true"),
            ("days", "["),
            ("city", "4"),
        ]
        for name, value in sampled(texts, 4):
            await add_argument(s, name, value)
            spelt = value.replace('"', '\\"')
            assert f'"lang": "nb", "{name}": "{spelt}"}}'.encode() in s.bytes()
            while s.is_dirty:
                await s.press("u")
        await s.start_over()
        await s.enter("Is it raining", "lang=")
        await s.press("a")
        await s.type("days\r")
        await s.type("4")
        assert b'"days": 4}' in s.bytes()
        await s.type(" or 5")
        assert b'"days": "4 or 5"}' in s.bytes()
        assert "draft" not in s.status
        await s.press("escape")
        assert "days" in s.cursor()
        await s.press("u")
        assert b'"days": ""}' in s.bytes()
        await s.start_over()
        await s.enter("Is it raining", "lang=")
        await s.press("a")
        await s.type("metric\r")
        await s.type("true")
        assert "space" not in s.keys
        await s.type(" enough")
        assert b'"metric": "true enough"}' in s.bytes()


@pytest.mark.thorough
async def test_a_value_without_others_like_it_stays_a_text_and_t_makes_it_what_it_reads_as() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        kinds = {"4": "a number", "true": "a boolean", "null": "null", "[1]": "a list", "{}": "an object"}
        for value, kind in sampled(kinds.items(), 3):
            await add_argument(s, "seats", value)
            assert f'"seats": "{value}"}}'.encode() in s.bytes()
            assert s.status.strip() == f'seats is the string "{value}". Press t to make it {kind}.'
            await s.press("t")
            assert f'"seats": {value}}}'.encode() in s.bytes()
            await s.press(*"ttttt")
            assert f'"seats": "{value}"}}'.encode() in s.bytes()
            await s.press("t", "u")
            assert f'"seats": "{value}"}}'.encode() in s.bytes()
            while s.is_dirty:
                await s.press("u")


@pytest.mark.thorough
async def test_types_of_a_text_go_round_from_the_one_that_it_reads_as() -> None:
    async with scenario(SNAKE.replace('"Bergen", "days"', '"false", "days"')) as s:
        await s.enter(*GET_WEATHER)
        await s.to("city")
        kinds = []
        for _ in range(6):
            await s.press("t")
            kinds.append(s.cursor().split()[-1])
        assert kinds == ["boolean", "number", "null", "list", "object", "string"]
        assert s.bytes() == s.original


async def test_a_new_member_of_any_json_says_which_type_it_has() -> None:
    async with scenario('{"a": {"b": 1}}') as s:
        await s.press("home", "2", "a")
        await s.type("c\r")
        await s.type("4")
        await s.press("escape")
        assert 'c is the string "4". Press t to make it a number.' in s.status


async def test_an_empty_argument_gets_its_type_whatever_was_done_before() -> None:
    async with scenario(with_a_call('{"days": ""}')) as s:
        await s.enter("Is it raining", 'days=""')
        for before in ([], ["a", "escape"]):
            await s.press(*before)
            await s.to("days")
            await s.press("enter")
            await s.type("5")
            assert b'"days": 5}' in s.bytes()
            await s.press("escape", "u")
            assert s.bytes() == s.original
        await s.to("days")
        await s.press("enter")
        await s.type("5")
        await s.click("   name")
        assert "days is a number, as in other calls of get_weather" in s.status

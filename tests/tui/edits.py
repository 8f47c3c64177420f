"""Every kind of edit on the small sets: the keys that make it, and how the file then differs."""

from collections.abc import Awaitable, Callable

from tests.tui.editing import Editing
from tests.tui.scenario import Scenario
from tests.tui.sets import FIRST_CALL


def in_form(*rows: str, edit: str, to: str) -> Callable[[Scenario], Awaitable[None]]:
    """Enter some rows one after another, and edit a field there."""

    async def keys(s: Scenario) -> None:
        await s.enter(*rows)
        await s.edit(edit, to)

    return keys


def pressing(*rows: str, on: str, press: tuple[str, ...], typing: str = "") -> Callable[[Scenario], Awaitable[None]]:
    """Enter some rows, press keys on one, and answer with a text and enter where one is asked for."""

    async def keys(s: Scenario) -> None:
        await s.enter(*rows)
        await s.to(on)
        await s.press(*press)
        if typing:
            await s.press("f7" if s.focused == "field" else "ctrl+u")
            await s.type(typing)
            await s.press("enter")

    return keys


TEXTS = {
    "user text": Editing(
        in_form("Is it raining", edit="Is it raining", to="Rain?"), "Is it raining in Bergen?", "Rain?"
    ),
    "user text emptied": Editing(in_form("Thanks", edit="Thanks", to=""), '"Thanks"', '""'),
    "response": Editing(in_form("Thanks", edit="You are", to="Any time."), "You are welcome.", "Any time."),
    "eval_id": Editing(in_form("greeting", edit="eval_id", to="hello"), '"greeting"', '"hello"'),
    "eval_set_id": Editing(in_form("weather_desk", edit="eval_set_id", to="sky"), '"weather_desk"', '"sky"'),
    "set name": Editing(in_form("weather_desk", edit="name ", to="Sky"), '"Weather"', '"Sky"'),
    "description": Editing(in_form("weather_desk", edit="description", to="Two"), '"Two short talks"', '"Two"'),
    "invocation_id": Editing(in_form("Thanks", edit="turn-2", to="t2"), '"turn-2"', '"t2"'),
}

IN_CALLS = {
    "tool name": Editing(
        in_form(*FIRST_CALL, edit="name ", to="forecast"), '"name": "get_weather"', '"name": "forecast"', 2
    ),
    "call id": Editing(in_form(*FIRST_CALL, edit="call-1", to="c-9"), '"id": "call-1"', '"id": "c-9"', 2),
    "call id taken out": Editing(in_form(*FIRST_CALL, edit="call-1", to=""), '"id": "call-1", ', "", 2),
    "text argument": Editing(in_form(*FIRST_CALL, edit="Bergen", to="Oslo"), '"city": "Bergen"', '"city": "Oslo"'),
    "number argument": Editing(
        in_form(*FIRST_CALL, edit="days ", to="1.50"), '"days": 3, "metric"', '"days": 1.50, "metric"'
    ),
    "boolean argument": Editing(in_form(*FIRST_CALL, edit="metric", to="false"), '"metric": true', '"metric": false'),
    "null argument": Editing(in_form(*FIRST_CALL, edit="note ", to="7"), '"note": null', '"note": 7'),
    "list argument": Editing(in_form(*FIRST_CALL, edit="hours", to="[6, 12, 18]"), "[6, 12]", "[6, 12, 18]"),
    "object argument": Editing(
        in_form(*FIRST_CALL, edit="area", to='{"lat": 60.39, "lon": 5.50}'), '"lon": 5.32', '"lon": 5.50'
    ),
    "tool response": Editing(
        in_form(*FIRST_CALL, edit="rain_mm", to='{"rain_mm": 12.50, "wind": null}'), '"wind": "strong"', '"wind": null'
    ),
    "argument added": Editing(
        pressing(*FIRST_CALL, on="city", press=("a",), typing="lang"), '"lon": 5.32}}', '"lon": 5.32}, "lang": ""}'
    ),
    "argument renamed": Editing(
        pressing(*FIRST_CALL, on="metric", press=("r",), typing="si"), '"metric": true', '"si": true'
    ),
    "argument deleted": Editing(pressing(*FIRST_CALL, on="metric", press=("d",)), '"metric": true, ', ""),
    "last argument deleted": Editing(
        pressing(*FIRST_CALL, on="area", press=("delete",)), ', "area": {"lat": 60.39, "lon": 5.32}', ""
    ),
    "type changed": Editing(pressing(*FIRST_CALL, on="metric", press=("t",)), '"metric": true', '"metric": null'),
}

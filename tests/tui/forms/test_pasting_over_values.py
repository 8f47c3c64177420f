"""What is pasted in the form takes the place of the value under the cursor, one undoable step."""

import json
from typing import Any

import pytest

from tests.tui.scenario import NORMAL, SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE


def state(s: Scenario) -> Any:
    """The state of the first case's session."""
    return json.loads(s.bytes())["eval_cases"][0]["session_input"]["state"]


async def test_what_is_pasted_replaces_the_selected_value() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("rain_in_bergen")
        await s.to("state  ")
        await s.paste('{"unit": "inch"}')
        assert state(s) == {"unit": "inch"}
        assert "replaced rain_in_bergen › session_input › state · 2 keys deleted" in s.status
        await s.press("u")
        assert s.bytes() == s.original
        await s.start_over()
        await s.enter("Thanks")
        await s.to("Thanks")
        await s.paste("Thank you\nvery much")
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Thank you\\nvery much"')
        await s.start_over()
        await s.enter("rain_in_bergen")
        await s.to("2 Thanks")
        await s.paste('{"user_content": {"parts": []}}')
        assert "Paste this kind of row in the tree (press 1)" in s.status
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_the_clipboard_replaces_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pyperclip.paste", lambda: '{"days": 7}')
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("rain_in_bergen")
        await s.to("state  ")
        await s.press("p")
        assert state(s) == {"days": 7}


@pytest.mark.parametrize(
    ("text", "why"), [("hello", "is not valid JSON"), ("[1]", "is a list; this line needs object")]
)
async def test_what_an_object_cannot_be_is_refused(text: str, why: str) -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("rain_in_bergen")
        await s.to("state  ")
        await s.paste(text)
        assert why in s.status
        assert s.bytes() == s.original


async def test_a_rubric_is_replaced_by_an_object_only() -> None:
    async with scenario(SAMPLES / "scenario_persona.evalset.json", NORMAL) as s:
        await s.enter("novice_asks_for_a_service")
        await s.to("checks_calendar")
        await s.paste("[]")
        assert "is a list; this line needs object" in s.status
        await s.paste('{"rubric_id": "other", "rubric_content": {"text_property": "Says so."}}')
        assert b'"rubric_id": "other"' in s.bytes()
        assert b"checks_calendar" not in s.bytes()

"""Texts that look like markup or act on terminals: shown in every place, obeyed in none.

`Scenario.expect_harmless`, like any look at the screen, fails where a line has a character that acts on a terminal.
"""

import json

import pytest

from evaltui.tui.widgets.line_input import on_one_line
from tests.tui.scenario import NARROW, SAMPLES, WIDE, Scenario, scenario

MARKUP = "[/nope] [b]bold[/b] [@click=app.exit]x[/] $error [0] {braces} \\[esc"
ANSI = "\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b[2J \x1b]52;c;aGk=\x07 \x9b31m \x85 \x00 \x7f \r \x08"
BIDI = "\u202eevil\u202c \u2066x\u2069 \u200b\u200e\ufeff \u2028\u2029 \u061c"
ODD = "e\u0301 👩‍👩‍👧 東京 \ud83d half \U0010ffff \t tab \x0b\x0c\x1c\x1d\x1e"
MIXED = "[/nope][b]$e[@click=app.exit]\x1b[2J\x1b]0;t\x07\x9b\x00\x7f\x85\r\u202ev\u200b\u2028\u061c東\ud83d\t"
"""Some of the first four, short enough for a label."""
HOSTILE = {
    **{"mixed": MIXED, "markup": MARKUP, "ansi": ANSI, "bidi": BIDI, "odd": ODD},
    **{"long": "[" * 3000, "blanks": "   \n\n \t "},
}


def marks_of(name: str, size: tuple[int, int] = NARROW) -> list[pytest.MarkDecorator]:
    """The default run takes `MIXED` in both sizes, and what differs from it in one. A thorough run takes all."""
    is_usual = name == "mixed" or (name in ("long", "blanks") and size == NARROW)
    return [] if is_usual else [pytest.mark.thorough]


EVERY_TEXT = pytest.mark.parametrize(
    "text", [pytest.param(text, id=name, marks=marks_of(name)) for name, text in HOSTILE.items()]
)
EVERY_TEXT_AND_SIZE = pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(text, size, id=f"{name}-{size[0]}", marks=marks_of(name, size))
        for name, text in HOSTILE.items()
        for size in (NARROW, WIDE)
    ],
)


def set_of(text: str) -> str:
    """An eval set with `text` in every place that takes one: ids, names, keys, values, texts."""
    content = {"parts": [{"text": text}, {"inline_data": {"mime_type": text, "data": text}}], "role": text}
    call = {
        "id": text,
        "name": text,
        "args": {text: text, "n": 1, "list": [text], "o": {text: {text: text}}},
        text: text,
    }
    answer = {"id": text, "name": text, "response": {text: text}}
    turn = {
        "invocation_id": text,
        "user_content": content,
        "intermediate_data": {"tool_uses": [call, {"name": "b", "id": text}], "tool_responses": [answer, answer]},
        "final_response": content,
        text: text,
    }
    case = {"eval_id": text, "conversation": [turn, turn], "session_input": {"state": {text: text}}, text: [text]}
    scenario_case = {"eval_id": text, "conversation_scenario": {"starting_prompt": text}}
    whole = {"eval_set_id": text, "name": text, "description": text, "eval_cases": [case, scenario_case], text: text}
    return json.dumps(whole, indent=1)


async def walk(s: Scenario) -> int:
    """Enter every row of the tree, look at every line of its form, open what it leads to; the number of looks."""
    looks = 0
    await s.press("equals_sign", "home")
    while True:
        await s.press("right")
        for keys in [("2", "end"), ("enter",), ("escape",), ("1",)]:
            await s.press(*keys)
            looks += len(s.screen()) > 0
        await s.press("escape", "escape", "escape")
        before = s.cursor()
        await s.press("1", "down", "down")
        if s.cursor() == before or looks > 200:
            return looks


@pytest.mark.drawn
@EVERY_TEXT_AND_SIZE
async def test_every_place_shows_it_without_obeying(text: str, size: tuple[int, int]) -> None:
    async with scenario(set_of(text), size) as s:
        assert await walk(s) > 10
        assert s.bytes() == s.original


@EVERY_TEXT
async def test_every_field_takes_it_in_and_gives_it_back(text: str) -> None:
    async with scenario(set_of(text)) as s:
        await s.press("home", "enter", "enter")
        for _ in range(3):
            assert s.focused == "field"
            await s.press("x", "backspace", "tab")
            s.expect_harmless()
        assert s.bytes() == s.original


@EVERY_TEXT
async def test_what_is_pasted_is_saved_as_it_was(text: str) -> None:
    pasted = text.encode("utf-8", "replace").decode().replace("\r", "\n")
    async with scenario(set_of("plain")) as s:
        await s.press("end", "enter", "enter", "f7")
        await s.paste(pasted)
        s.expect_harmless()
        await s.press("tab", "f7")
        await s.paste(pasted)
        s.expect_harmless()
        await s.press("escape", "escape")
        s.expect_harmless()
        case = json.loads(await s.saved())["eval_cases"][1]
        assert case["conversation_scenario"]["starting_prompt"] == pasted
        assert case["eval_id"] == on_one_line(pasted)


@EVERY_TEXT
async def test_labels_dialogs_and_status_show_it_harmlessly(text: str) -> None:
    async with scenario(set_of(text)) as s:
        for keys in [("end", "d"), ("u",), ("enter", "enter", "end", "x"), ("escape", "ctrl+q"), ("escape",)]:
            await s.press(*keys)
            s.expect_harmless()
        await s.press("escape", "escape", "escape", "home", "down", "right", "right", "right", "right", "enter")
        for key in ["r", "escape", "t", "u", "a", "escape", "d", "u"]:
            await s.press(*["down"] * 2, key)
            s.expect_harmless()


@pytest.mark.parametrize("name", ["[red]x[b][@click=app.exit]x[.json", "e\u202evil\x1b[31m\nb.json", "é東京.json"])
async def test_the_name_of_a_file_is_only_a_name(name: str) -> None:
    async with scenario('{"eval_set_id": "s", "eval_cases": []}', name=name) as s:
        assert ".json" in s.title
        await s.press("a", "ctrl+q")
        s.expect("unsaved changes")
        await s.press("escape", "ctrl+s")
        assert "Saved " in s.status
    async with scenario("{", name=name) as s:
        assert "invalid JSON" in s.title


@EVERY_TEXT
async def test_any_json_shows_it_too(text: str) -> None:
    async with scenario(json.dumps({text: text, "a": [text, {text: 1}], "b": {"c": text}})) as s:
        await s.press("home", "equals_sign")
        for key in ["down", "right", "enter", "end", "escape", "escape", "down", "enter", "r", "escape"]:
            await s.press(key)
            s.expect_harmless()
        assert s.bytes() == s.original


async def test_a_problem_that_quotes_a_text_shows_it_harmlessly() -> None:
    text = '{"eval_set_id": "s", "eval_cases": [], "\\u001b[2J[/b]": 1, "\\u001b[2J[/b]": NaN, "x": "\\ud800"}'
    async with scenario(text) as s:
        await s.press("3")
        s.expect("duplicate key")
        await s.press("enter")
        s.expect_harmless()


async def test_the_line_filters_are_the_same_for_every_frame() -> None:
    """Textual keeps what a filter made of a line by the filter's identity."""
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        first, then = s.app.get_line_filters(), s.app.get_line_filters()
        assert first
        assert [id(each) for each in first] == [id(each) for each in then]

"""What keys do in a field, and that the last line says so."""

import json
import threading
from typing import Any

import pytest

from evaltui.tui.editor import clipboard as row_clipboard
from evaltui.tui.open_file.drafts import DraftPlace, FieldDraft
from evaltui.tui.panes.form_pane import FormPane
from evaltui.tui.terminal import input_order
from tests.sampling import sampled
from tests.tui.scenario import NORMAL, Scenario, scenario
from tests.tui.sets import FIRST_CALL, SNAKE

ARGS = b'"days": 3, "metric": true, "note": null'


def first_turn(s: Scenario) -> Any:
    return json.loads(s.bytes())["eval_cases"][0]["conversation"][0]


def args(s: Scenario) -> Any:
    return first_turn(s)["intermediate_data"]["tool_uses"][0]["args"]


def is_on_the_edited_field(s: Scenario) -> bool:
    form = s.app.screen.query_one(FormPane)
    selected = form.lines.selected
    return form.edited is not None and selected is not None and selected.item is form.edited


# --- pasting ---------------------------------------------------------------------------------------------------


@pytest.fixture(params=[0.0, 0.1])
def slow_clipboard(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> list[str]:
    """A clipboard that takes its time, also more than keys wait for other things; it holds the last of the list."""
    held: list[str] = []
    monkeypatch.setattr(input_order, "_PATIENCE", 0.05)

    def paste() -> str:
        threading.Event().wait(request.param)
        return held[-1] if held else ""

    def copy(text: str) -> list[str]:
        threading.Event().wait(request.param)
        held.append(text)
        return ["slow"]

    monkeypatch.setattr(row_clipboard, "paste_from_anywhere", paste)
    monkeypatch.setattr(row_clipboard, "copy_everywhere", copy)
    return held


@pytest.mark.thorough
async def test_a_save_behind_a_paste_saves_what_was_pasted(slow_clipboard: list[str]) -> None:
    slow_clipboard.append("pasted")
    async with scenario(SNAKE) as s:
        await s.enter("greeting")
        await s.to("eval_id")
        await s.burst("p", "ctrl+s")
        assert s.file_bytes() == s.original.replace(b'"greeting"', b'"pasted"')


async def test_a_save_behind_pasted_rows_saves_them(slow_clipboard: list[str]) -> None:
    slow_clipboard.append(json.dumps({"eval_id": "fresh", "conversation": []}))
    async with scenario(SNAKE) as s:
        await s.to("greeting")
        await s.burst("p", "ctrl+s")
        assert [case["eval_id"] for case in json.loads(s.file_bytes())["eval_cases"]][-1] == "fresh"


@pytest.mark.thorough
async def test_a_paste_behind_a_copy_pastes_what_was_copied(slow_clipboard: list[str]) -> None:
    slow_clipboard.append("old")
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.to("name ")
        await s.burst("y", "down", "p", "ctrl+s")
        assert s.file_bytes() == s.original.replace(b'"id": "call-1"', b'"id": "get_weather"')


async def test_a_clipboard_that_does_not_answer_holds_up_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()
    monkeypatch.setattr(row_clipboard, "_PATIENCE", 0.0)
    monkeypatch.setattr(row_clipboard, "paste_from_anywhere", lambda: answered.wait(5) and "late")
    async with scenario(SNAKE) as s:
        await s.enter("greeting")
        await s.to("eval_id")
        await s.press("p")
        assert "does not respond" in s.status
        await s.press("down")
        answered.set()
        assert s.bytes() == s.original


# --- clearing and selecting --------------------------------------------------------------------------------------


async def test_fields_are_cleared_and_selected() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting", "eval_id")
        assert "^u clear " in s.keys
        await s.press("left", "left", "ctrl+u")
        await s.type("anew")
        assert s.bytes() == s.original.replace(b'"greeting"', b'"anew"')
        await s.start_over()
        await s.enter("Thanks", "Thanks")
        await s.burst("enter", *"second", "enter", *"third", "up", "left")
        assert "^u clear line" in s.keys
        await s.press("ctrl+u")
        assert b'"Thanks\\n\\nthird"' in s.bytes()
        await s.press("ctrl+u")
        assert b'"Thanks\\nthird"' in s.bytes()
        await s.start_over()
        await s.enter("Thanks", "Thanks")
        assert "f7 select all" in s.keys
        await s.press("enter", *"more", "f7")
        await s.type("x")
        assert b'{"text": "x"}' in s.bytes()
        await s.press("enter", *"y", "alt+a")
        await s.type("z")
        assert b'{"text": "z"}' in s.bytes()


# --- enter -------------------------------------------------------------------------------------------------------


async def test_the_last_line_says_what_enter_does_and_it_does_so() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.to("name ")
        assert "enter edit" in s.keys
        await s.press("enter")
        assert "enter next field" in s.keys
        await s.press("escape")
        await s.enter("rain_mm")
        assert "enter new line" in s.keys
        assert "^j" not in s.keys
        await s.press("escape", "escape")
        assert "enter open" in s.keys
        await s.to("Yes, bring")
        await s.press("enter")
        assert "enter new line" in s.keys
        assert "tab next field" in s.keys
        await s.start_over()
        await s.enter("rain_in_bergen", "eval_id")
        assert "enter next line" in s.keys
        assert "tab next field" in s.keys
        await s.press("enter")
        assert "1 Is it raining" in s.cursor()
        assert s.focused == "form"
        assert s.status.strip() == "Editing ended. Letters are keys now."
        await s.press("escape")
        assert "Letters are keys" not in s.status
        await s.start_over()
        await s.enter(*FIRST_CALL, "hours")
        assert "enter next field" in s.keys
        await s.press("enter")
        assert s.focused == "field"
        assert "area" in s.cursor()
        assert "enter done" in s.keys
        assert "tab next field" in s.keys
        await s.press("enter")
        assert s.focused == "form"
        assert "area" in s.cursor()
        assert "a add argument" in s.keys
        await s.press("a")
        await s.type("lang\rnb")
        await s.press("escape")
        assert s.focused == "form"
        assert "lang" in s.cursor()
        assert args(s)["lang"] == "nb"
        await s.press("enter", "tab")
        assert s.focused == "field"
        assert "enter new line" in s.keys


@pytest.mark.thorough
async def test_empty_arguments_are_begun_by_a_name_or_as_json() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.to("no arguments")
        assert s.keys.strip().startswith("enter add argument  d delete")
        await s.press("enter")
        s.expect("Name of the new argument, or all arguments as { … }")
        await s.type("days\r")
        assert s.focused == "field"
        await s.type("2")
        assert b'"args": {"days": "2"}' in s.bytes()
        await s.start_over()
        await s.enter("Is it raining", "find_umbrella", "no arguments")
        await s.burst(*"{}", "left", *'"days": 12', "enter")
        assert s.focused == "field"
        assert "days" in s.cursor()
        await s.press("escape")
        assert first_turn(s)["intermediate_data"]["tool_uses"][1]["args"] == {"days": 12}
        await s.start_over()
        await s.enter("Is it raining", "find_umbrella", "no arguments")
        await s.type('{"days"\r')
        assert s.focused == "NameDialog"
        await s.press("escape")
        assert s.bytes() == s.original


async def test_a_draft_of_all_arguments_is_edited_by_enter() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.to("no arguments")
        form, session = s.app.screen.panes.form, s.app.file
        since = session.document.history.point()
        session.keep_draft(DraftPlace(form.node, "args"), FieldDraft('{"a"', "no value", "args"), since, lambda: "")
        form.show(form.node)
        await s.press("enter")
        assert s.focused == "field"
        await s.type(": 1}")
        assert b'"args": {"a": 1}' in s.bytes()


async def test_enter_in_the_last_member_does_not_begin_the_whole_as_json() -> None:
    async with scenario('{"a": 1, "b": 2}') as s:
        await s.press("home", "2")
        await s.enter("b ")
        assert s.focused == "field"
        await s.press("enter")
        assert s.focused == "form"
        assert "b " in s.cursor()


@pytest.mark.thorough
async def test_enter_in_the_last_field_is_its_end_and_says_so() -> None:
    async with scenario('{"a": 1}') as s:
        await s.enter("a  1")
        await s.press("enter")
        assert "enter" in s.keys
        await s.press("escape")
        assert s.bytes() == s.original


async def test_choices_and_booleans_have_keys_of_their_own() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("greeting")
        await s.press("end")
        assert "enter choose" in s.keys
        await s.start_over()
        await s.enter(*FIRST_CALL)
        await s.to("metric")
        assert "space toggle" in s.keys
        await s.press("space")
        assert args(s)["metric"] is False
        assert "metric" in s.cursor()
        await s.press("space")
        assert s.bytes() == s.original
        await s.press("enter")
        assert "space toggle" in s.keys
        await s.type("t")
        assert "space toggle" not in s.keys
        await s.press("ctrl+z", "space")
        assert args(s)["metric"] is False
        await s.press("space")
        assert s.bytes() == s.original
        await s.press("space", "escape")
        assert args(s)["metric"] is False
        await s.start_over()
        await s.enter(*FIRST_CALL)
        await s.to("days")
        await s.press("space")
        assert "Only a boolean" in s.status
        await s.enter("city")
        assert "space" not in s.keys
        await s.type(" a b")
        assert args(s)["city"] == "Bergen a b"


# --- booleans, numbers, null ---------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_what_is_typed_replaces_a_value_that_is_no_text() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        for field, typed, now in (
            ("metric", "false", b'"metric": false'),
            ("days", "12", b'"days": 12'),
            ("note", "7", b'"note": 7'),
        ):
            await s.enter(f"{field} ")
            await s.type(typed)
            await s.press("escape")
            before = next(part for part in ARGS.split(b", ") if part.startswith(f'"{field}"'.encode()))
            assert s.bytes() == s.original.replace(before, now, 1)
            await s.press("u")


# --- line breaks ---------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_no_line_break_is_typed_into_an_id_or_a_name() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("greeting", "eval_id")
        assert "^j" not in s.keys
        await s.press("ctrl+j")
        assert s.bytes() == s.original
        assert "one line" in s.status
        await s.press("escape", "1")
        await s.enter(*FIRST_CALL)
        for field in ("name ", "id "):
            await s.enter(field)
            await s.press("ctrl+j", "escape")
        assert s.bytes() == s.original
        await s.enter("city")
        assert "^j new line" in s.keys
        await s.press("ctrl+j")
        assert args(s)["city"] == "Bergen\n"


async def test_names_have_one_line_and_texts_have_line_feeds() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.press("a")
        await s.paste("two\nwords")
        s.expect("Line breaks became spaces")
        await s.press("ctrl+j")
        s.expect("This field has one line")
        await s.press("enter")
        assert "two words" in args(s)
        await s.start_over()
        await s.enter("Is it raining")
        await s.paste("one\rtwo\r\nthree")
        assert first_turn(s)["user_content"]["parts"][0]["text"] == "one\ntwo\nthree"
        await s.start_over()
        for pasted in ("_two\r\nthree\n", "_two\u2028three", "_two\rthree\r\n\r\n"):
            await s.enter("greeting", "eval_id")
            await s.paste(pasted)
            assert s.bytes() == s.original.replace(b'"greeting"', b'"greeting_two three"')
            assert "Line breaks became spaces" in s.status
            await s.press("escape")
            await s.to("eval_id")
            await s.paste(pasted)
            assert s.bytes() == s.original.replace(b'"greeting"', b'"_two three"')
            assert "line breaks became spaces" in s.status
            await s.start_over()


@pytest.mark.thorough
async def test_an_id_that_has_a_line_break_keeps_it_until_that_is_deleted() -> None:
    async with scenario(SNAKE.replace('"greeting"', '"greet\\ning"')) as s:
        await s.enter("greet", "eval_id")
        await s.press("ctrl+end")
        await s.type("s")
        assert b'"greet\\nings"' in s.bytes()


# --- JSON ----------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_a_field_in_which_json_is_typed_stays_under_the_cursor() -> None:
    async with scenario('{"a": {"b": 1}, "c": 2}') as s:
        await s.enter("a  {")
        await s.press("end", "enter", "f7")
        await s.type('{"x": 1, "b": 2, "y": [3]}')
        assert s.focused == "field"
        assert is_on_the_edited_field(s)
        await s.press("escape")
        assert '"x"' in s.cursor()
        assert json.loads(s.bytes()) == {"a": {"x": 1, "b": 2, "y": [3]}, "c": 2}


@pytest.mark.thorough
async def test_absent_arguments_are_typed_as_json_too() -> None:
    async with scenario(SNAKE.replace('"name": "find_umbrella", "args": {}', '"name": "find_umbrella"')) as s:
        await s.enter("Is it raining", "find_umbrella", "no arguments")
        await s.burst(*"{}", "left", *'"days": 12', "enter")
        call = first_turn(s)["intermediate_data"]["tool_uses"][1]
        assert call["args"] == {"days": 12}
        assert s.focused == "field"


@pytest.mark.thorough
async def test_the_cursor_stays_on_a_line_whose_neighbours_come_and_go() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.to("city")
        await s.press("d")
        assert "days" in s.cursor()
        await s.press("u")
        assert "city" in s.cursor()
        await s.press("down", "d")
        assert args(s).get("city") == "Bergen"
        assert "days" not in args(s)
        await s.start_over()
        await s.enter("greeting")
        await s.press("A")
        await s.type("final session state\r")
        assert s.focused == "NameDialog"
        assert not s.shows("to add a key")
        await s.type("A\r")
        assert json.loads(s.bytes())["eval_cases"][1]["final_session_state"] == {"A": ""}


# --- the first name of a new state -----------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_line_breaks_become_spaces_in_a_prompt_of_one_line() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.press("slash")
        await s.paste("rain\rin\rbergen")
        s.expect("rain in bergen")


# --- tab ---------------------------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_tab_in_the_last_field_and_shift_tab_in_the_first_stay_there_and_say_so() -> None:
    async with scenario(SNAKE) as s:
        await s.to("Is it raining")
        await s.press("A")
        assert s.focused == "field"
        await s.type("find")
        await s.press("shift+tab")
        assert s.focused == "field"
        assert "This is the first field. Press esc to end editing." in s.status
        await s.type("d")
        assert b'"name": "findd"' in s.bytes()
        await s.press("tab", "tab", "tab", "tab")
        assert s.focused == "field"
        assert "This is the last field. Press esc to end editing." in s.status
        await s.press("escape")
        assert s.focused == "form"
        assert "last field" not in s.status
        await s.press("enter", "tab")
        assert "last field" in s.status
        await s.type("x")
        said = s.status
        assert "last field" not in said
        await s.press("escape")
        assert s.status == said
        await s.start_over()
        await s.enter("rain_in_bergen", "eval_id")
        here = s.cursor()
        await s.press("tab")
        assert s.focused == "field"
        if s.cursor() == here:
            assert "This is the last field" in s.status
        await s.start_over()
        await s.enter("Is it raining", "find_umbrella")
        s.expect("a: add an argument", "enter: write JSON")
        await s.to("name ")
        await s.press("enter")
        assert s.focused == "field"
        assert not s.shows("a: add an argument")
        assert not s.shows("enter: write JSON")
        await s.press("escape")
        s.expect("a: add an argument")


# --- hints ------------------------------------------------------------------------------------------------------


async def test_the_type_key_is_named_where_it_acts_only() -> None:
    async with scenario(SNAKE) as s:
        await s.enter(*FIRST_CALL)
        await s.press("a")
        await s.type("year\r")
        await s.type("2027")
        await s.press("tab")
        assert s.focused == "field"
        assert 'year is the string "2027", not a number.' in s.status
        assert "t makes" not in s.status
        await s.press("escape")
        await s.to("year")
        assert 'This is the string "2027". Press t to make it a number.' in s.status
        await s.press("t")
        assert b'"year": 2027' in s.bytes()
        await s.start_over()
        await s.enter(*FIRST_CALL)
        await s.press("a")
        await s.type("year\r")
        await s.type("2027")
        await s.press("escape")
        assert 'year is the string "2027". Press t to make it a number.' in s.status
        await s.press("t")
        assert b'"year": 2027' in s.bytes()


@pytest.mark.thorough
@pytest.mark.parametrize("size", sampled([(80, 24), (140, 40)], most=1))
async def test_no_key_of_the_form_is_named_while_a_dialog_is_in_front(size: tuple[int, int]) -> None:
    async with scenario(SNAKE, size) as s:
        await s.enter(*FIRST_CALL)
        assert "a add argument" in s.keys
        await s.press("a")
        assert s.focused == "NameDialog"
        assert not s.keys.strip()
        await s.press("escape")
        assert "a add argument" in s.keys

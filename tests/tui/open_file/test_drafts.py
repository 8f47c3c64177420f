"""Half-typed JSON is kept beside its last valid value, and nobody is left in doubt about it."""

import re
from pathlib import Path

import pytest

from tests.tui.editor.test_editing_outside import Editor
from tests.tui.scenario import NARROW, NORMAL, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

NOT_YET = "draft, not in the file yet"


async def half_type_a_list(s: Scenario) -> None:
    """`hours` is [6, 12], and what stands in its field is [6, 12."""
    await s.enter("Is it raining", "get_weather", "hours")
    await s.press("backspace")


@pytest.mark.thorough
async def test_esc_keeps_a_draft_and_enter_goes_on_with_it() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.press("escape", "escape", "escape")
        assert s.focused == "tree"
        await s.enter("get_weather")
        s.expect(NOT_YET)
        await s.enter("hours")
        await s.type(", 18]")
        assert s.bytes() == s.original.replace(b"[6, 12]", b"[6, 12, 18]")
        assert not s.shows(NOT_YET)


@pytest.mark.thorough
async def test_tab_leaves_a_draft_behind_that_no_other_call_shows() -> None:
    async with scenario(SNAKE) as s:
        # Tab leaves a draft behind.
        await half_type_a_list(s)
        await s.press("tab")
        s.expect(NOT_YET)
        await s.press("shift+tab")
        await s.type("]")
        assert not s.shows("draft")
        assert s.bytes() == s.original
        await s.press("escape", "escape", "escape", "escape")

        # A draft of one call is not shown in another.
        await half_type_a_list(s)
        await s.press("escape", "escape")
        await s.enter("find_umbrella")
        assert not s.shows(NOT_YET)


async def test_a_save_writes_the_value_from_before_the_field_was_edited() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("weather_desk", "eval_set_id")
        await s.press("!", "escape", "escape")
        await s.enter("Is it raining", "get_weather", "hours")
        await s.press("left")
        await s.type(", 18")
        await s.press("end", "backspace")
        assert await s.saved() == s.original.replace(b'"weather_desk"', b'"weather_desk!"')
        assert "1 draft not in the file" in s.status
        await s.press("escape")
        s.expect(NOT_YET)


@pytest.mark.thorough
async def test_quitting_with_nothing_but_a_draft_asks_and_counts_it() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.press("escape", "ctrl+q")
        assert s.focused == "quit question"
        s.expect("1 draft not in the file", "turn 1 › tool call 1 › hours")
        await s.press("escape")
        assert not s.ended
        await s.enter("area")
        await s.press("backspace", "escape", "ctrl+q")
        s.expect("2 drafts not in the file")


async def test_save_and_quit_with_nothing_but_a_draft_quits() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.press("escape", "ctrl+q", "s")
        assert s.ended
        assert s.file_bytes() == s.original


async def test_an_undo_in_the_field_drops_the_draft() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "days ")
        await s.type("0")
        await s.type("x")
        s.expect(NOT_YET)
        await s.press("ctrl+z")
        assert not s.shows(NOT_YET)
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_draft_goes_with_the_argument_that_is_deleted() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.press("escape", "d")
        assert b"hours" not in s.bytes()
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("ctrl+q")
        assert s.ended or "draft" in "".join(s.screen())


async def test_changing_the_type_drops_the_draft() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.press("escape", "t")
        assert not s.shows(NOT_YET)
        assert b'"hours": {}' in s.bytes()


async def test_a_draft_can_hold_what_a_terminal_would_obey() -> None:
    async with scenario(SNAKE) as s:
        await half_type_a_list(s)
        await s.paste("\x1b[31m[/nope] \u202e")
        await s.press("escape")
        s.expect(NOT_YET, "[/nope]")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_half_deleted_number_is_nobodys_value() -> None:
    async with scenario(SNAKE.replace('"days": 3', '"days": 600')) as s:
        # What was valid on the way to a draft is nobodys value.
        await s.enter("Is it raining", "get_weather", "days ")
        await s.press("end", "backspace", "backspace")
        assert b'"days": 6,' in s.bytes()
        await s.type("x")
        s.expect(NOT_YET)
        assert s.bytes() == s.original
        await s.press("backspace")
        assert b'"days": 6,' in s.bytes()
        await s.press("ctrl+z", "ctrl+z", "escape", "escape", "escape")

        # A half deleted number is nobodys value after a pause either.
        await s.enter("Is it raining", "get_weather", "days ")
        await s.press("end", "backspace", "backspace")
        s.document.history.seal()  # what a pause or a jump of the caret does
        await s.type("x")
        assert s.bytes() == s.original
        s.expect("6x", NOT_YET)
        await s.press("ctrl+z")
        assert b'"days": 6,' in s.bytes()
        await s.press("ctrl+z")
        assert s.bytes() == s.original
        assert not s.is_dirty


async def test_a_letter_typed_and_deleted_leaves_no_mark() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "Is it raining")
        await s.press("x", "backspace")
        assert not s.is_dirty
        await s.press("escape", "u")
        assert "Nothing to undo" in s.status


@pytest.mark.thorough
async def test_what_is_typed_into_a_key_that_stands_twice_is_kept_as_a_draft() -> None:
    async with scenario('{"a": {"k": "one", "k": "two", "n": 1}}', NORMAL) as s:
        await s.enter("a  ")
        await s.to("two")
        await s.press("enter", "!")
        assert 'the object has the key "k" 2 times' in s.status
        await s.press("escape")
        s.expect("two!", NOT_YET)
        assert s.bytes() == s.original
        await s.press("ctrl+q")
        assert s.focused == "quit question"
        s.expect("1 draft not in the file")


@pytest.mark.thorough
async def test_what_was_saved_meanwhile_is_the_value_to_go_back_to() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather", "days ")
        await s.press("end", "0")
        now = await s.saved()
        assert b'"days": 30,' in now
        await s.type("x")
        assert s.bytes() == now
        await s.press("escape")
        assert "●" not in s.title
        assert "✎" in s.title


@pytest.mark.thorough
async def test_a_value_that_was_left_and_is_edited_again_is_the_one_to_go_back_to() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "days ")
        await s.press("end", "0", "escape", "enter", "end", "x")
        assert s.bytes() == s.original.replace(b'"days": 3,', b'"days": 30,')


async def test_a_draft_is_a_step_is_shown_marked_and_listed() -> None:
    async with scenario(SNAKE, WIDE) as s:
        # Undo and redo take a draft away and bring it back.
        await half_type_a_list(s)
        await s.press("escape", "escape", "escape", "u")
        assert "Undone: draft of rain_in_bergen › turn 1 › tool call 1 › hours" in s.status
        assert not s.shows(NOT_YET)
        assert "✎" not in s.title
        await s.press("U")
        s.expect("[6, 12 ", NOT_YET)
        await s.press("u", "u")
        assert "Nothing to undo" in s.status

        # A draft is marked in the tree and in the title.
        await half_type_a_list(s)
        assert "✎" in s.title
        assert [row.split()[1] for row in s.screen() if row.split("│")[0].rstrip().endswith("✎")] == [
            "rain_in_bergen",
            "1",
            "get_weather",
        ]
        await s.type("]")
        assert not s.shows("✎")
        await s.press("escape", "escape", "escape", "escape")

        # A draft is shown with what is wrong and the status says so.
        await half_type_a_list(s)
        assert "draft, not in the file: invalid JSON" in s.status
        await s.press("escape")
        s.expect("[6, 12 ", NOT_YET)
        assert s.bytes() == s.original
        await s.press("X", "escape", "escape")

        # Saving with nothing but a draft says which.
        await half_type_a_list(s)
        await s.press("escape", "ctrl+s")
        assert "Nothing to save: 1 draft not in the file" in s.status
        assert "hours" in s.status
        await s.press("X", "escape", "escape")

        # Drafts are listed and enter leads to their field.
        await half_type_a_list(s)
        await s.press("escape", "escape", "escape", "home", "3")
        s.expect("Problems 1 · 1 draft", "✎ rain_in_bergen › turn 1 › tool call 1 › hours  [6, 12: invalid JSON")
        await s.press("home", "enter")
        assert s.focused == "form"
        assert "hours" in s.cursor()
        await s.press("enter")
        await s.type("]")
        assert not s.shows("draft")
        assert s.bytes() == s.original


@pytest.mark.thorough
async def test_a_draft_is_a_step_before_what_was_done_later() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await half_type_a_list(s)
        await s.press("escape", "escape", "escape")
        await s.edit_id("greeting", "hello")
        await s.press("u")
        s.expect("✎")
        assert s.bytes() == s.original
        await s.press("u")
        assert not s.shows("✎")


async def test_with_no_problem_drafts_are_listed_alone() -> None:
    async with scenario('{"days": 3}', NARROW, name="notes.json") as s:
        await s.to("days")
        await s.press("enter", "enter", "end", "x", "escape", "escape")
        assert "✎" in s.line_with("days  3")
        await s.press("3")
        s.expect("No problems · 1 draft", "days  3x: ")


async def test_a_key_drops_the_draft_one_is_at_and_undo_brings_it_back() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await half_type_a_list(s)
        for pane, keys in (("form", ["escape"]), ("tree", ["escape", "escape"]), ("problems", ["3", "home"])):
            await s.press(*keys)
            assert s.focused == pane
            assert "X drop draft" in s.keys
            await s.press("X")
            assert "dropped draft of rain_in_bergen › turn 1 › tool call 1 › hours" in s.status
            assert not s.shows("✎")
            assert "X drop draft" not in s.keys
            await s.press("X")
            assert "No draft here" in s.status
            await s.press("u")
            s.expect("✎")
            assert s.bytes() == s.original


async def test_a_draft_whose_field_is_gone_from_the_form_is_shown_at_its_head(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Editor(tmp_path, monkeypatch).does('printf "{" > "$1"')
    async with scenario(SNAKE.replace('"hours": [6, 12]', '"hours": []'), WIDE) as s:
        await s.enter("Is it raining", "find_umbrella")
        await s.to("no arguments")
        await s.press("e", "escape", "a", *"size", "enter", *"1", "escape", "home")
        s.expect("draft of rain_in_bergen › turn 1 › tool call 2 › args", NOT_YET, "size")
        await s.press("enter")
        assert "No field left for this draft" in s.status
        await s.press("X")
        assert not s.shows(NOT_YET)
        await s.press("u")
        s.expect(NOT_YET)


async def test_the_question_before_quitting_says_what_becomes_of_drafts() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await half_type_a_list(s)
        await s.press("escape", "ctrl+q")
        s.expect("s  save and quit (1 draft lost: no journal)", "d  quit without saving (1 draft lost)")


async def test_the_row_of_a_value_shows_what_was_typed() -> None:
    async with scenario('{"days": 600}', NARROW) as s:
        await s.to("days  600")
        await s.press("enter", "end", "backspace", "x", "escape", "escape")
        assert re.search(r"days  600 +✎ 60x", s.line_with("days  600"))


async def test_a_message_names_the_value_by_what_it_is_called_now() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.enter("greeting", "eval_id")
        await s.press(*"_ab")
        assert "edited eval_id of greeting_ab" in s.status
        await s.press("escape", "u")
        assert 'Undone: eval_id is "greeting" again' in s.status


@pytest.mark.thorough
async def test_a_draft_says_why_it_is_no_number_no_boolean_or_unfinished_json() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        for row, typed, why in (
            ("days", "two", "draft, not in the file yet: not a number"),
            ("metric", "maybe", "draft, not in the file yet: not a boolean"),
            ("days", "[1, ", "invalid JSON"),
        ):
            await s.edit(row, typed)
            s.expect(why)


# --- a draft whose value has changed since ----------------------------------------------------------------------

SINCE = "The value has changed since"


async def half_type_the_state(s: Scenario) -> None:
    """The draft of the whole session state lacks the last brace."""
    await s.enter("rain_in_bergen", "state")
    await s.press("end", "enter", "backspace", "escape")
    s.expect(NOT_YET)
    assert not s.shows(SINCE)


async def test_a_draft_of_a_whole_value_does_not_replace_a_newer_member_unasked() -> None:
    async with scenario(SNAKE) as s:
        await half_type_the_state(s)
        newer = s.original.replace(b'"mm"', b'"cm"')
        await s.edit("unit", "cm")
        s.expect(SINCE, NOT_YET)
        assert s.bytes() == newer

        # Letters typed in a burst answer nothing, so they write nothing.
        await s.press("end")
        await s.burst("enter", "}")
        s.expect("go on with the draft", "drop the draft", "decide later")
        await s.press("escape")
        assert s.bytes() == newer
        s.expect(SINCE, NOT_YET)

        # Dropped, the value stays, and undo brings the draft back.
        await s.press("enter", "X")
        assert s.bytes() == newer
        assert not s.shows(NOT_YET)
        await s.press("u")
        s.expect(SINCE, NOT_YET)

        # Undo of the newer value: the draft is that of the value again, and needs no question.
        await s.press("u")
        assert s.bytes() == s.original
        assert not s.shows(SINCE)
        await s.press("U", "end", "enter", "g")
        assert s.focused == "field"
        await s.type("}")
        assert s.bytes() == s.original
        assert not s.shows(NOT_YET)


async def test_a_draft_of_a_value_that_was_replaced_or_reloaded_says_so() -> None:
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather", "hours")
        await s.press("backspace", "escape", "escape", "escape", "ctrl+r")
        await s.type("Bergen")
        await s.press("tab")
        await s.type("Voss")
        await s.press("ctrl+r", "escape")
        await s.enter("Is it raining", "get_weather")
        s.expect(NOT_YET)
        assert not s.shows(SINCE)
        await s.press("escape", "escape", "ctrl+s")
        s.path.write_bytes(s.file_bytes().replace(b"[6, 12]", b"[6, 13]"))
        await s.press("R")
        await s.enter("Is it raining", "get_weather")
        s.expect(NOT_YET, SINCE, "[6, 12")
        await s.enter("hours")
        await s.press("g")
        await s.type(", 14]")
        assert b"[6, 12, 14]" in s.bytes()


async def test_an_outdated_draft_of_the_editor_asks_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = Editor(tmp_path, monkeypatch)
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining", "get_weather")
        await s.press("escape")
        editor.does('sed -i "s/5.32/5.32x/" "$1"')
        await s.press("e", "escape")
        await s.enter("get_weather")
        s.expect("draft of the whole value", NOT_YET)
        assert not s.shows(SINCE)
        await s.edit("days ", "4")
        s.expect(SINCE)
        editor.does('sed -i "s/5.32x/5.4/" "$1"')
        newer = s.bytes()
        await s.enter("draft of the whole value")
        s.expect("decide later")
        assert s.bytes() == newer
        await s.press("g")
        assert s.bytes() == s.original.replace(b"5.32", b"5.4")

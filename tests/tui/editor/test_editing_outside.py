"""The selected field or value in $EDITOR: what comes back is one step that touches only what changed."""

import contextlib
from pathlib import Path

import pytest

from evaltui.tui.app import EvaltuiApp
from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import SAMPLES, Scenario, scenario
from tests.tui.sets import SNAKE

TRIP = SAMPLES / "trip_planner.evalset.json"


class Editor:
    """An $EDITOR that is a script of the test."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._monkeypatch = folder, monkeypatch
        monkeypatch.setattr(EvaltuiApp, "suspend", lambda _: contextlib.nullcontext())

    def does(self, body: str, name: str = "editor") -> None:
        """From now on the editor runs this; "$1" is the file, or the line where one is told."""
        path = self._folder / name
        path.write_text(f'#!/bin/sh\necho "$@" >> {self._folder}/called\n{body}\n')
        path.chmod(0o755)
        self._monkeypatch.setenv("EDITOR", str(path))

    def replaces(self, old: str, new: str) -> None:
        """The editor is `sed`."""
        self.does(f"sed -i 's/{old}/{new}/' \"$1\"")

    @property
    def calls(self) -> list[str]:
        called = self._folder / "called"
        return called.read_text().splitlines() if called.exists() else []


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Editor:
    return Editor(tmp_path, monkeypatch)


async def test_a_value_of_the_tree_is_edited_as_json_and_only_the_change_is_written(editor: Editor) -> None:
    editor.replaces("LIS", "OPO")
    async with scenario(TRIP) as s:
        await s.press("down", "e")
        s.expect("edited book_flight_lisbon_montreal › turn 1 as JSON in editor")
        assert editor.calls[0].endswith("book_flight_lisbon_montreal-turn-1.json")
        assert await s.saved() == s.original.replace(b'"LIS"', b'"OPO"', 1)
        await s.press("u")
        assert s.bytes() == s.original


async def test_in_the_run_it_is_the_selected_case(editor: Editor) -> None:
    editor.replaces("Longer", "Longest")
    async with scenario(SET, beside={"actual.json": RECORDING}, recordings=["actual.json"]) as s:
        await s.press("4", "down", "e")
        s.expect("edited too_long as JSON in editor")


@pytest.mark.thorough
async def test_a_text_is_edited_bare(editor: Editor) -> None:
    editor.replaces("morning", "evening")
    async with scenario(TRIP) as s:
        for key in ("e", "f4", "alt+e"):
            await s.press("down", "enter", key)
            assert editor.calls[0].endswith(".md")
            assert s.bytes() == s.original.replace(b"In the morning if", b"In the evening if", 1)
            await s.start_over()


async def test_a_field_one_types_in_goes_to_the_editor_with_what_is_typed(editor: Editor) -> None:
    editor.replaces("Sir", "Madam")
    async with scenario(TRIP) as s:
        await s.press("down", "enter", "enter")
        await s.type(" Sir")
        await s.press("f4")
        assert s.focused == "field"
        s.expect("Madam")
        await s.type("!")
        assert b"600. Madam!" in s.bytes()
        await s.press("ctrl+z", "ctrl+z")
        assert b"600. Sir" in s.bytes()


async def test_an_editor_that_changes_nothing_fails_or_is_missing(
    editor: Editor, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scenario(TRIP) as s:
        editor.does("true")
        await s.press("e")
        s.expect("Nothing changed in editor.")
        assert not s.is_dirty
        await s.start_over()
        editor.does('echo "[1" > "$1"')
        await s.press("down", "e", "d")
        s.expect("the text from editor was dropped")
        assert not s.is_dirty
        assert s.focused == "tree"
        await s.start_over()
        editor.does("exit 1")
        await s.press("e")
        s.expect("Nothing changed: editor exited with status 1.")
        editor.does('echo "{}" > "$1"; exit 1')
        await s.press("e")
        s.expect("editor exited with status 1; its text was not used")
        await s.press("d")
        assert not s.is_dirty
        await s.start_over()
        editor.does('echo "[]" > "$1"')
        await inner(s)
        await s.press("e")
        s.expect("edited")
        await s.press("u")
        assert s.bytes() == s.original
        await s.start_over()
        monkeypatch.setenv("EDITOR", "nosuch --wait")
        await s.press("e")
        s.expect("$EDITOR is nosuch --wait, but there is no such program")


async def test_another_layout_is_no_edit(editor: Editor) -> None:
    editor.does('tr -d "\\n" < "$1" > "$1.new"; mv "$1.new" "$1"')
    async with scenario(SNAKE.replace("Two short talks", "Two")) as s:
        await s.press("g", "e")
        s.expect("changed only layout or the order of keys")
        assert not s.is_dirty


@pytest.mark.thorough
async def test_the_whole_set_is_edited_from_the_first_row(editor: Editor) -> None:
    editor.replaces('"case_id_nobody_has"', "")
    async with scenario(SNAKE) as s:
        editor.replaces("Weather", "Climate")
        await s.press("g", "e")
        assert s.bytes() == s.original.replace(b"Weather", b"Climate", 1)


async def test_broken_json_names_the_place_and_the_editor_goes_on_there(editor: Editor) -> None:
    editor.does('printf "{\\n  \\"invocation_id\\": oops\\n}\\n" > "$1"', "vim")
    async with scenario(TRIP) as s:
        await s.press("down", "e")
        s.expect("line 2, column 20: invalid JSON", "open $EDITOR again")
        editor.does('test "$(sed -n 2p "$2")" = \'  "invocation_id": oops\' && sed -i s/oops/1/ "$2"', "vim")
        await s.press("e")
        assert editor.calls[1].split()[0] == "+2"
        s.expect("edited book_flight_lisbon_montreal › turn 1 as JSON in vim")
        await s.press("u")
        assert s.bytes() == s.original


async def test_broken_json_can_be_kept_and_the_editor_goes_on_with_it(editor: Editor) -> None:
    editor.does('echo "[1" > "$1"')
    async with scenario(TRIP) as s:
        await s.press("down", "e", "escape")
        s.expect("Kept as a draft: book_flight_lisbon_montreal › turn 1", "✎")
        await s.press("ctrl+q")
        s.expect("1 draft not in the file")
        await s.press("escape")
        editor.does('grep -q "^\\[1$" "$1" && echo "{}" > "$1"')
        await s.press("e")
        s.expect("edited book_flight_lisbon_montreal › turn 1 as JSON")
        assert "✎" not in s.title


@pytest.mark.thorough
async def test_an_invalid_field_kept_is_the_fields_own_draft(editor: Editor) -> None:
    editor.does('echo "{" > "$1"')
    async with scenario(TRIP) as s:
        await s.press("down", "enter")
        await s.enter("search_flights")
        await s.to("id ")
        await s.press("end")
        await s.press("e")
        s.expect("invalid JSON")
        await s.press("escape")
        s.expect("✎ draft, not in the file yet")
        assert s.bytes() == s.original


@pytest.mark.parametrize(
    ("body", "sentence"),
    [('rm "$1"', "was removed; nothing"), ('printf "\\377" > "$1"', "is not UTF-8")],
)
async def test_what_cannot_be_read_back_is_said(editor: Editor, body: str, sentence: str) -> None:
    editor.does(body)
    async with scenario(TRIP) as s:
        await s.press("down", "enter", "e")
        s.expect(sentence)
        assert not s.is_dirty


async def inner(s: Scenario) -> None:
    await s.press("down", "enter")
    await s.enter("intermediate_data")


async def test_where_no_value_is_selected_a_second_press_opens_the_whole(editor: Editor) -> None:
    editor.does("exit 3")
    async with scenario(SNAKE) as s:
        await s.enter("Is it raining")
        await s.to("enter: add rubrics")
        await s.press("e")
        assert s.status.startswith(" Press e again to edit rain_in_bergen › turn 1 as a whole in $EDITOR.")
        await s.press("f2", "f2")
        assert not s.shows("again")
        await s.press("e")
        assert not editor.calls, "another key in between makes it the first press again"
        await s.press("e")
        s.expect("exited with status 3")

"""A file that is not JSON is shown with all its problems; fixes change its text, and only a save writes it."""

from contextlib import nullcontext
from threading import Event

import pytest
from rich.cells import cell_len

from evaltui.document.disk.file_content import Fingerprint
from evaltui.document.disk.file_replacement import Saved
from evaltui.tui.base_app import BaseApp, OpenNext
from evaltui.tui.screens.repair_screen import RepairScreen
from tests.tui.editor.test_saving_meanwhile import until
from tests.tui.scenario import NARROW, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

UNCLOSED = SNAKE.replace('"Weather",', '"Weather"')


@pytest.mark.thorough
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_the_place_is_named_by_line_and_column_and_marked_in_the_text(size: tuple[int, int]) -> None:
    async with scenario(UNCLOSED, size) as s:
        assert "set.evalset.json:4:3: invalid JSON" in s.title
        lines = s.screen()
        at = next(n for n, line in enumerate(lines) if "▲ here" in line)
        assert '"description": "Two short talks"' in lines[at - 1]
        assert lines[at].index("▲") == lines[at - 1].index('"description"')
        assert "e open in $EDITOR" in s.keys


async def test_a_place_far_down_is_in_sight_at_once() -> None:
    text = "[\n" + "".join(f"  {n},\n" for n in range(500)) + "  oops\n]"
    async with scenario(text) as s:
        assert "set.evalset.json:502:3" in s.title
        s.expect("oops", "▲ here", "497")


async def test_a_resize_keeps_the_place_in_sight_unless_the_person_scrolled_away() -> None:
    text = "[\n" + "".join(f"  {n},\n" for n in range(500)) + "  oops\n]"
    async with scenario(text, (80, 40)) as s:
        for height in (24, 8, 12, 6, 24, 40):
            await s.resize(80, height)
            assert s.shows("502    oops") == (height > 6), height
        await s.press("tab", "home")
        await s.resize(80, 24)
        s.expect("    1  [")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", "1:1"),
        ("{", "1:2"),
        ("[1,]", "1:4"),
        ("{'a': 1}", "1:2"),
        ("[1]\n]", "2:1"),
        ('["é", x]', "1:7"),
        ("nope", "1:1"),
    ],
)
async def test_common_slips_are_placed(text: str, place: str) -> None:
    async with scenario(text) as s:
        assert f"set.evalset.json:{place}: invalid JSON" in s.title
        s.expect("▲ here")


async def test_the_text_scrolls() -> None:
    async with scenario("nope\n" + "line\n" * 100 + "end") as s:
        await s.press("tab", "end")
        s.expect("end")
        assert not s.shows("    1  nope")
        await s.press("home")
        assert "    1  nope" in "\n".join(s.screen())
        await s.press("pagedown", "down", "j", "k", "up", "pageup", "G")
        s.expect("end")


@pytest.mark.thorough
@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_it_is_left_without_a_question(key: str) -> None:
    async with scenario(UNCLOSED) as s:
        await s.press(key)
        assert s.ended


async def test_no_key_changes_the_file_or_ends_in_an_error() -> None:
    async with scenario(UNCLOSED) as s:
        for key in [
            "a",
            "d",
            "u",
            "U",
            "ctrl+z",
            "ctrl+y",
            "ctrl+s",
            "enter",
            "tab",
            "1",
            "2",
            "3",
            "ctrl+down",
            "escape",
        ]:
            await s.press(key)
        await s.press("ctrl+c", "f1", "escape", "question_mark", "escape")
        assert not s.ended
        assert s.file_bytes() == UNCLOSED.encode()


async def test_bytes_that_are_no_text_are_shown_without_acting() -> None:
    async with scenario(b'{"a": "\xff\xfe\x1b]0;title\x07\x1b[2J\xc2\x9b31m' + "\u202e[/nope]".encode()) as s:
        s.expect("▲ here", "[/nope]")


@pytest.mark.thorough
async def test_the_help_tells_the_keys() -> None:
    async with scenario(UNCLOSED) as s:
        await s.press("f1")
        assert s.focused == "HelpScreen"


SEVERAL = """{
  eval_set_id: "trips",
  "name": 'Trips', // mine
  "eval_cases": [
    {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}],}
  ]
  "description": undefined
}
"""
SAFE = """{
  "eval_set_id": "trips",
  "name": "Trips",
  "eval_cases": [
    {"eval_id": "a", "conversation": [{"user_content": {"parts": [{"text": "Hi"}]}}]}
  ],
  "description": undefined
}
"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", [NARROW, WIDE])
async def test_all_problems_are_listed_in_their_order_with_their_places(size: tuple[int, int]) -> None:
    async with scenario(SEVERAL, size) as s:
        s.expect("Problems 6 · 5 with a safe fix")
        assert [row.split("  ")[0].split(" ")[1] for row in s.rows()] == ["2:3", "3:11", "3:20", "5:86", "7:3", "7:18"]
        assert "fix" in s.rows()[0]
        assert "unsafe fix" in s.rows()[5]


async def test_the_text_follows_the_selected_problem() -> None:
    async with scenario(SEVERAL) as s:
        assert "set.evalset.json:2:3: invalid JSON: the key eval_set_id needs double quotes" in s.title
        for key in ("down", "f8", "j"):
            await s.press(key)
        assert "set.evalset.json:5:86: invalid JSON: extra comma" in s.title
        lines = s.screen()
        at = next(n for n, line in enumerate(lines) if "▲ here" in line)
        assert lines[at - 1][lines[at].index("▲")] == "}"
        await s.press("shift+f8", "up", "k")
        assert ":2:3" in s.title
        await s.press("shift+f8")
        assert ":7:18" in s.title
        await s.press("f8")
        assert ":2:3" in s.title


async def test_the_status_line_says_what_f_would_do() -> None:
    async with scenario(SEVERAL) as s:
        assert "f: Put the key in quotes · F: all safe fixes · ^s: save the file" in s.status
        await s.press("end")
        assert "f: Write null (unsafe) · F: all safe" in s.status
    async with scenario("{} x") as s:
        assert "This problem has no fix. Press e to edit this line in $EDITOR." in s.status
        await s.press("f")
        assert "This problem has no fix" in s.status


async def test_a_fix_changes_the_text_and_not_the_file_until_it_is_saved() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f")
        s.expect('"eval_set_id": "trips"', "Problems 5")
        assert "fixed line 2: put the key in quotes · u: undo" in s.status
        assert "●" in s.title
        assert s.file_bytes() == SEVERAL.encode()
        await s.press("ctrl+s")
        assert "Saved set.evalset.json (not valid JSON yet)" in s.status
        assert "●" not in s.title
        assert s.file_bytes() == SEVERAL.replace("eval_set_id", '"eval_set_id"').encode()
        assert not s.ended


async def test_a_fix_names_the_line_that_it_changes() -> None:
    async with scenario('{\n  "a": [\n    1\n\n\n}\n') as s:
        assert "set.evalset.json:6:1: invalid JSON: ] is missing" in s.title
        assert "f: Write ] in line 3 (unsafe)" in s.status
        await s.press("f", "f")
        assert "fixed line 3: wrote ] here" in s.status
        await s.press("ctrl+s")
        assert s.file_bytes() == b'{\n  "a": [\n    1]\n\n\n}\n'


async def test_fixes_are_undone_and_done_again() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f", "f", "u")
        s.expect("'Trips'", "Problems 5")
        assert "Undone: Write double quotes" in s.status
        await s.press("ctrl+z")
        s.expect("Problems 6")
        assert "●" not in s.title
        await s.press("u")
        assert "Nothing to undo." in s.status
        await s.press("U", "ctrl+y")
        s.expect("Problems 4")
        await s.press("U")
        assert "Nothing to redo." in s.status


async def test_all_safe_fixes_are_shown_before_they_are_applied() -> None:
    async with scenario(SEVERAL, WIDE) as s:
        await s.press("F")
        assert "5 safe fixes, not applied yet" in s.title
        s.expect(
            "-  eval_set_id:", '+  "eval_set_id": "trips",', "-  \"name\": 'Trips', // mine", '+  "name": "Trips",'
        )
        for count in ("1 trailing-comma", "1 comment", "1 unquoted-key", "1 problem left"):
            assert count in s.status
        await s.press("escape")
        s.expect("Problems 6")
        await s.press("F", "down", "pagedown", "home", "F")
        s.expect("Problems 1")
        assert "5 safe fixes applied · u: undo" in s.status
        assert s.file_bytes() == SEVERAL.encode()
        await s.press("u", "F", "enter", "ctrl+s")
        assert s.file_bytes() == SAFE.encode()


async def test_what_is_json_then_is_opened_when_it_is_saved() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("F", "F", "f", "f")
        assert "valid JSON now; press ^s to save and open the file" in s.title
        s.expect("No problems")
        assert not s.ended
        await s.press("ctrl+s")
        assert s.ended
        assert s.app.return_value == OpenNext(s.path)
        assert s.file_bytes() == SAFE.replace("undefined", "null").encode()


@pytest.mark.parametrize(("key", "is_saved"), [("s", True), ("d", False)])
async def test_leaving_with_fixes_asks_whether_to_save_them(key: str, is_saved: bool) -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f", "q")
        assert s.focused == "quit question"
        s.expect("fixes are not saved (1 step)")
        await s.press("escape")
        assert not s.ended
        await s.press("ctrl+q", key)
        assert s.ended
        assert (s.file_bytes() != SEVERAL.encode()) == is_saved


async def test_leaving_after_the_undo_of_a_saved_fix_names_the_undo() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f", "ctrl+s", "u", "q")
        s.expect("the undo of saved fixes is not saved")


def hold_writes(s: Scenario, monkeypatch: pytest.MonkeyPatch) -> Event:
    """Threads that save write only when the event is set."""
    go_on, write = Event(), s.document.write

    def held(data: bytes, expected: Fingerprint | None) -> Saved:
        go_on.wait(20)
        return write(data, expected)

    monkeypatch.setattr(s.document, "write", held)
    return go_on


@pytest.mark.parametrize(("key", "following"), [("ctrl+q", None), ("ctrl+o", OpenNext())])
async def test_leaving_waits_for_the_save_that_runs(
    key: str, following: OpenNext | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f")
        go_on = hold_writes(s, monkeypatch)
        s._send("ctrl+s")
        s._send(key)
        await until(lambda: "after the save. Press ^q again to leave without waiting." in s.status)
        assert not s.ended
        go_on.set()
        await s.settle()
        assert s.ended
        assert s.app.return_value == following
        assert s.file_bytes() != SEVERAL.encode()


async def test_quitting_asks_when_the_save_that_runs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f")
        go_on = hold_writes(s, monkeypatch)
        s._send("ctrl+s")
        s._send("ctrl+q")
        await until(lambda: "after the save" in s.status)
        s.path.write_bytes(b"{}")
        go_on.set()
        await s.settle()
        assert s.focused == "quit question"
        assert s.file_bytes() == b"{}"


async def test_a_second_key_to_quit_asks_while_the_save_still_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f")
        go_on = hold_writes(s, monkeypatch)
        for key in ("ctrl+s", "ctrl+q", "ctrl+q"):
            s._send(key)
        await until(lambda: s.focused == "quit question")
        assert s.app.file.saving
        s._send("s")
        await until(lambda: s.focused != "quit question")
        go_on.set()
        await s.settle()
        assert s.ended
        assert s.app.return_value is None


async def test_the_editor_is_not_given_a_file_without_the_fixes() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("f", "e")
        assert "Your fixes are not saved yet. Press ^s to save or u to undo them." in s.status


async def test_a_save_does_not_replace_what_others_wrote_meanwhile() -> None:
    async with scenario(SEVERAL) as s:
        s.path.write_bytes(b"{}")
        await s.press("f", "ctrl+s")
        assert "NOT SAVED" in s.status
        assert s.file_bytes() == b"{}"


async def test_only_looking_changes_nothing() -> None:
    async with scenario(SEVERAL) as s:
        s.app.file.readonly = True
        await s.press("f", "F", "ctrl+s", "e")
        assert "Read-only" in s.status
        s.expect("Problems 6")
        assert s.file_bytes() == SEVERAL.encode()


async def test_without_a_safe_fix_there_is_nothing_to_preview() -> None:
    async with scenario("[1 2]") as s:
        await s.press("F")
        assert "No problem here has a safe fix." in s.status


async def test_a_byte_order_mark_is_a_problem_with_a_fix_and_no_column() -> None:
    async with scenario(b'\xef\xbb\xbf{"a": 1,}') as s:
        assert "set.evalset.json:1:1: invalid JSON: the file begins with a byte order mark" in s.title
        await s.press("down")
        assert "set.evalset.json:1:9: invalid JSON" in s.title
        await s.press("F", "F", "ctrl+s")
        assert s.file_bytes() == b'{"a": 1}'


async def test_a_utf_16_file_is_repaired_as_it_is() -> None:
    async with scenario('{"a": "é",}'.encode("utf-16")) as s:
        s.expect('{"a": "é",}')
        await s.press("f", "ctrl+s")
        assert s.file_bytes() == '{"a": "é"}'.encode("utf-16")


async def test_a_large_file_is_looked_at_by_a_thread_and_repaired_all_the_same() -> None:
    text = '{"eval_cases": [\n' + '  {"a": "b",},\n' * 20_000 + "  {}\n]}\n"
    async with scenario(text) as s:
        s.expect("Problems 100 or more")
        await s.press("F")
        assert "20,000 safe fixes, not applied yet" in s.title
        await s.press("F", "ctrl+s")
        assert s.ended
        assert s.file_bytes() == text.replace(",}", "}").encode()


async def test_the_mark_stands_below_its_character_in_wide_text() -> None:
    async with scenario('{"日本語": oops}') as s:
        lines = s.screen()
        at = next(n for n, line in enumerate(lines) if "▲ here" in line)
        assert cell_len(lines[at].partition("▲")[0]) == cell_len(lines[at - 1].partition("oops")[0])


@pytest.mark.thorough
async def test_a_problem_far_to_the_right_is_in_sight() -> None:
    async with scenario("[" + "1, " * 5000 + "oops, " + "2, " * 5000 + "3]") as s:
        line = s.line_with("oops, 2")
        assert s.screen()[s.screen().index(line) + 1].index("▲") == line.index("oops")


async def test_a_click_selects_a_problem() -> None:
    async with scenario(SEVERAL) as s:
        await s.click("7:18")
        assert ":7:18" in s.title


async def test_a_fix_that_is_not_safe_is_shown_first_and_done_by_a_second_press() -> None:
    async with scenario(SEVERAL) as s:
        await s.press("end", "f")
        assert "unsafe fix: Write null: undefined → null" in s.status
        assert s.status.endswith("press again to fix")
        s.expect("Problems 6")
        await s.press("up", "down")
        assert not s.shows("press again")
        await s.press("f")
        s.expect("Problems 6")
        await s.press("f")
        s.expect("Problems 5", '"description": null')


async def test_an_unsafe_fix_that_only_adds_a_text_names_it_once() -> None:
    async with scenario('{"eval_set_id": "trips", "eval_cases": [{"eval_id": "a"') as s:
        await s.press("f")
        assert s.status.count("}]}") == 1, s.status


async def test_a_title_without_room_for_its_sentence_ends_at_a_word() -> None:
    text = '{"eval_set_id": "trips", "eval_cases": [' + "\n" * 211 + '{"eval_id": "a"'
    async with scenario(text, name="a_set_with_a_longer_name.evalset.json") as s:
        await s.resize(200, 24)
        whole = s.title
        assert "…" not in whole
        for width in (110, 80, 60):
            await s.resize(width, 24)
            assert s.title.endswith("…")
            shown = s.title.removesuffix("…").rstrip()
            assert whole.startswith(f"{shown} ")


async def test_the_rule_of_a_problem_is_explained() -> None:
    async with scenario(SEVERAL, WIDE) as s:
        await s.press("full_stop")
        s.expect("error: unquoted-key", "A key has no quotes.", "Writes the key in double quotes.")
        await s.press("escape")
        assert s.focused == "repair"


async def test_the_editor_begins_at_the_first_problem_before_all_are_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places: list[tuple[int, int]] = []

    def edit(_: object, line: int, column: int) -> None:
        places.append((line, column))

    monkeypatch.setattr("evaltui.tui.screens.repair_screen.edit_file", edit)
    async with scenario(UNCLOSED) as s:
        monkeypatch.setattr(s.app, "suspend", nullcontext)
        screen = s.app.screen
        assert isinstance(screen, RepairScreen)
        screen.faults.entries = ()
        screen.faults.why_empty = "looking for problems …"
        screen.edit_outside()
        assert places == [(4, 3)]


@pytest.mark.parametrize("text", ["", " \n", "\ufeff"])
async def test_an_empty_file_offers_a_new_set(text: str) -> None:
    async with scenario(text, name="trips.evalset.json") as s:
        s.expect("Press a to make a new set here.")
        assert "a make a new set here" in s.keys
        await s.press("a")
        s.expect("valid JSON now", '"eval_set_id": "trips"')
        assert s.file_bytes() == s.original
        await s.press("u")
        assert "a make a new set here" in s.keys
        s.app.file.readonly = True
        assert isinstance(s.app.screen, RepairScreen)
        assert s.app.screen._hint() == ""
        s.app.file.readonly = False
        await s.press("a", "ctrl+s")
        assert s.app.return_value == OpenNext(s.path)
        assert b'"eval_set_id": "trips"' in s.file_bytes()


async def test_a_file_that_is_not_empty_becomes_no_new_set() -> None:
    async with scenario("{") as s:
        assert "new set" not in s.keys
        await s.press("a")
        assert "Only an empty file can become a new set." in s.status
        assert s.file_bytes() == b"{"


async def test_before_the_problems_are_found_nothing_says_that_there_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BaseApp, "start_thread", lambda *_: None)  # a search that never ends
    async with scenario("[\n" + "  1,\n" * 20_000 + "  x\n") as s:
        assert "set.evalset.json:20002:3: invalid JSON" in s.title
        assert s.status.strip() == "looking for problems …"
        assert not s.shows("No problems")
        assert not s.shows("␊")
        await s.press("f")
        assert "Still looking for problems." in s.status


async def test_in_five_lines_both_panes_can_be_reached() -> None:
    async with scenario(SEVERAL, (20, 5)) as s:
        for keys in (["tab", "end"], ["tab", "down"], ["tab"], ["shift+tab"]):
            await s.press(*keys)
            assert s.title.startswith(" set.evalset.json")
            assert s.app.screen.virtual_region.width == 20
            assert s.app.screen.scroll_offset.y == 0
            assert not s.app.screen.show_vertical_scrollbar

"""The file is written by somebody else while it is open."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from evaltui.document.document import Document
from evaltui.evalset.merge.three_way import Conflict, both_of
from evaltui.tui.editor.edit_screen import EditScreen
from evaltui.tui.lines import folded, text_of
from evaltui.tui.screens import conflict_screen
from evaltui.tui.screens.conflict_screen import VersionView, shown_both
from tests.sampling import sampled
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario, scenario
from tests.tui.sets import SNAKE

RENAMED = SNAKE.replace('"eval_id": "greeting"', '"eval_id": "welcome"')


async def others_write(s: Scenario, text: str | bytes | None) -> None:
    """Another program writes the file, or deletes it, and the watch notices."""
    if text is None:
        s.path.unlink()
    else:
        new = s.path.with_name("new")
        new.write_bytes(text.encode() if isinstance(text, str) else text)
        new.replace(s.path)
    await noticed(s)


async def noticed(s: Scenario) -> None:
    s.app.call_later(s.app.file.disk.look)
    await s.settle()


async def append(s: Scenario, text: str) -> None:
    """Write behind the user's `Thanks`."""
    await s.enter("Thanks", "Thanks")
    await s.type(text)
    await s.press("escape")


async def test_a_clean_text_is_read_again_in_its_place() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.to("2 Thanks")
        await others_write(s, SNAKE.replace("Is it raining", "Does it rain").replace('"Thanks"', '"Cheers"'))
        assert "2 Cheers" in s.cursor()
        assert "reloaded: 1 case changed · u: undo" in s.status
        assert s.bytes() == s.file_bytes()
        assert not s.is_dirty
        s.expect("Does it rain", "Cheers")


async def test_folds_and_cursor_stay_when_cases_come_before_them() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.to("greeting")
        await s.press("left")
        rows = s.rows()
        first = '"eval_cases": [\n    {"eval_id": "first", "conversation": []},'
        await others_write(s, SNAKE.replace('"eval_cases": [', first))
        assert "1 case added" in s.status
        assert "greeting" in s.cursor()
        assert [row for row in s.rows() if "first" not in row] == rows


@pytest.mark.thorough
async def test_the_selected_row_stays_in_its_place_on_screen() -> None:
    def with_cases(*ids: str) -> str:
        return json.dumps({"eval_set_id": "long", "eval_cases": [{"eval_id": id, "conversation": []} for id in ids]})

    def row_on_screen(s: Scenario) -> int:
        return next(n for n, line in enumerate(s.screen()) if "case 30" in line)

    ids = [f"case {n}" for n in range(40)]
    async with scenario(with_cases(*ids)) as s:
        await s.to("case 39")
        await s.burst(*["up"] * 9)  # a row at the bottom would stay there anyway
        row = row_on_screen(s)
        await others_write(s, with_cases(*ids[:20], "theirs", "theirs as well", *ids[20:], "last"))
        assert "case 30" in s.cursor()
        assert row_on_screen(s) == row


@pytest.mark.thorough
async def test_reading_again_is_undone_as_any_step() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        mine = await s.saved()
        await s.press("escape")
        await others_write(s, RENAMED)
        assert s.bytes() == RENAMED.encode()
        await s.press("u")
        assert s.is_dirty
        assert s.bytes() == mine
        await s.press("u")
        assert s.bytes() == s.original
        await s.press("U", "U")
        assert s.bytes() == s.file_bytes()
        assert not s.is_dirty


async def test_what_was_saved_here_is_nothing_new() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        await s.saved()
        said = s.status
        await noticed(s)
        assert s.status == said


@pytest.mark.thorough
async def test_unsaved_changes_are_put_on_top_of_what_is_new() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        await others_write(s, RENAMED)
        assert "merged with the file on disk: 1 case changed · your changes are unsaved" in s.status
        assert s.is_dirty
        assert s.bytes() == RENAMED.replace('"Thanks"', '"Thanks!"').encode()
        assert s.file_bytes() == RENAMED.encode()
        assert [row for row in s.rows() if "●" in row] == [s.line_with("▾ rain_in")[1:49].rstrip() + " ●"] or s.shows(
            "●"
        )
        assert await s.saved() == s.bytes()
        assert not s.is_dirty
        await s.press("u")
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Thanks!"')


@pytest.mark.thorough
async def test_while_typing_the_news_waits() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Thanks", "Thanks")
        await s.type("!")
        await others_write(s, RENAMED)
        assert s.focused == "field"
        assert "The change comes in when you leave this field" in s.status
        assert "changed on disk" in s.title
        assert b"greeting" in s.bytes()
        await s.type("?")
        await s.press("escape")
        assert s.bytes() == RENAMED.replace('"Thanks"', '"Thanks!?"').encode()
        assert "changed on disk" not in s.title


@pytest.mark.thorough
async def test_a_save_that_comes_too_late_merges_and_the_next_one_writes() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        s.path.write_text(RENAMED)
        await s.press("ctrl+s")
        assert s.file_bytes() == RENAMED.encode()
        assert "merged with the file on disk" in s.status
        assert await s.saved() == RENAMED.replace('"Thanks"', '"Thanks!"').encode()


async def test_a_save_in_the_midst_of_typing_merges_and_typing_goes_on() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await s.enter("Thanks", "Thanks")
        await s.type("!")
        s.path.write_text(RENAMED)
        await s.press("ctrl+s")
        assert s.focused == "field"
        await s.type("?")
        assert await s.saved() == RENAMED.replace('"Thanks"', '"Thanks!?"').encode()


async def in_conflict(s: Scenario) -> str:
    """Both sides write behind `Thanks`; what is on disk then."""
    await append(s, " mine")
    await s.press("escape")
    theirs = RENAMED.replace('"Thanks"', '"Thanks theirs"')
    await others_write(s, theirs)
    return theirs


def version(s: Scenario, title: str) -> list[str]:
    """The lines that the merge screen shows of a version."""
    views = [view for view in s.app.screen.query(VersionView) if view.display]
    shown = next(view for view in views if str(view.border_title).strip() == title)
    s.expect(title)
    assert shown.size.height > 0
    return [text_of(shown.line(number)).strip() for number in range(shown.line_count())]


async def test_a_conflict_is_said_and_changes_nothing_until_it_is_decided() -> None:
    async with scenario(SNAKE, WIDE) as s:
        theirs = await in_conflict(s)
        assert "1 conflict with set.evalset.json on disk. Press M or ^s to decide" in s.status
        assert "changed on disk, 1 conflict" in s.title
        mine = s.original.replace(b'"Thanks"', b'"Thanks mine"')
        assert s.bytes() == mine
        await s.press("ctrl+s")
        s.expect("rain_in_bergen › turn 2 › user message", "changed on both sides")
        s.expect("Before", "Mine", "On disk", "Thanks mine", "Thanks theirs")
        await s.press("enter", "escape")
        assert s.bytes() == mine
        assert s.file_bytes() == theirs.encode()


@pytest.mark.thorough
async def test_of_a_conflict_with_a_long_id_the_reason_and_the_choice_stay_whole() -> None:
    long = "book_flight_lisbon_montreal_with_a_bag"
    async with scenario(SNAKE.replace("rain_in_bergen", long), NARROW) as s:
        await append(s, " mine")
        await s.press("escape")
        await others_write(s, s.file_bytes().decode().replace('"Thanks"', '"Theirs"'))
        await s.press("ctrl+s")
        row = s.line_with("changed on both sides")
        assert "book_flight_l" in row
        assert "…" in row
        assert row.rstrip().endswith("changed on both sides  ?")
        await s.press("t")
        assert s.line_with("changed on both sides").rstrip().endswith("changed on both sides  on disk")


@pytest.mark.thorough
async def test_wide_characters_of_a_version_are_not_cut_off() -> None:
    async with scenario(SNAKE.replace('"Thanks"', f'"Thanks {"漢字" * 60}"'), WIDE) as s:
        await append(s, " mine")
        await s.press("escape")
        await others_write(s, s.file_bytes().decode().replace("Thanks", "Theirs"))
        await s.press("M")
        view = next(view for view in s.app.screen.query(VersionView) if view.display)
        assert view.line_count() > 1
        for number in range(view.line_count()):
            assert cell_len(text_of(view.line(number))) <= view.scrollable_content_region.width


@pytest.mark.thorough
@pytest.mark.parametrize("text", sampled(["words\n" * 5_000, "some words " * 5_000, "漢字テスト" * 5_000]))
async def test_versions_of_many_pages_are_folded_once_and_whole(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folds: list[str] = []
    monkeypatch.setattr(conflict_screen, "folded", lambda line, width: folds.append(line) or folded(line, width))
    async with scenario(SNAKE, WIDE) as s:
        await append(s, " mine")
        await s.press("escape")
        await others_write(s, SNAKE.replace('"Thanks"', json.dumps(text)))
        await s.press("M")
        before = len(folds)
        await s.press("m", "t", "o")
        assert len(folds) == before > 0
        s.expect("changed on both sides")
        view = next(view for view in s.app.screen.query(VersionView) if view.name_of_version == "theirs")
        shown = [text_of(view.line(number)) for number in range(view.line_count())]
        assert max(map(cell_len, shown)) <= view.scrollable_content_region.width
        assert "".join(line[2:] for line in shown).replace(" ", "") == text.replace("\n", "").replace(" ", "")


async def test_each_choice_gives_its_text() -> None:
    choices = {"m": "Thanks mine", "o": "Thanks", "b": r"Thanks theirs\nThanks mine", "t": "Thanks theirs"}
    async with scenario(SNAKE, NORMAL) as s:
        theirs = await in_conflict(s)
        await s.press("M")
        assert version(s, "Before (o)") == ["Thanks"]
        assert version(s, "Mine (m)") == ["± Thanks mine"]
        assert version(s, "On disk (t)") == ["± Thanks theirs"]
        assert version(s, "Both (b)") == ["± Thanks theirs", "± Thanks mine"]
        for key, text in choices.items():
            await s.press(key, "enter")
            merged = theirs.replace("Thanks theirs", text).encode()
            assert s.bytes() == merged
            assert s.is_dirty == (key != "t")
            await s.press("u")
            assert s.bytes() == s.original.replace(b'"Thanks"', b'"Thanks mine"')
            await s.press("M")
        await s.press("b", "enter")
        assert await s.saved() == s.bytes()
        assert not s.is_dirty


async def test_an_edit_begins_with_the_chosen_version_and_is_shown() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        theirs = await in_conflict(s)
        await s.press("M", "t", "e")
        await s.type(" and mine")
        await s.press("ctrl+s")
        assert version(s, "Edited (e)") == ["± Thanks theirs and mine"]
        await s.press("e")
        await s.type("!")
        await s.press("ctrl+s", "m")
        assert version(s, "Mine (m)") == ["± Thanks mine"]
        s.expect("All conflicts are decided. Press enter to merge, then ^s to save.")
        await s.press("e")
        await s.type("!")
        await s.press("ctrl+s", "enter")
        assert s.bytes() == theirs.replace("Thanks theirs", "Thanks mine!").encode()


@pytest.mark.thorough
async def test_what_both_gives_is_shown_before_it_is_chosen() -> None:
    async with scenario(SNAKE, NARROW) as s:
        await in_conflict(s)
        await s.press("M")
        for size in (NARROW, WIDE):
            await s.resize(*size)
            assert version(s, "Before (o)") == ["Thanks"]
            assert version(s, "Mine (m)") == ["± Thanks mine"]
            assert version(s, "On disk (t)") == ["± Thanks theirs"]
            assert version(s, "Both (b)") == ["± Thanks theirs", "± Thanks mine"]
        await s.press("escape")


def test_what_both_gives_of_lists_is_shown_in_the_layout_of_the_file() -> None:
    base, mine, theirs = (Document(text.encode()).root for text in ("[1]", "[1, 3]", "[\n    1,\n    2\n  ]"))
    assert mine is not None
    assert theirs is not None
    both = both_of(base, mine, theirs)
    conflict = Conflict("/list", "list", "both sides", b"[1]", mine.source(), theirs.source(), both)
    assert shown_both(conflict) == "[\n  1,\n  2,\n  3\n]"


def test_what_both_add_over_several_lines_is_indented_by_the_unit_of_the_file() -> None:
    deep = b"[\n          1\n        ]"
    theirs = b'[\n          1,\n          "theirs"\n        ]'
    both = b'[1, "theirs", {"mine": [2]}]'
    conflict = Conflict("x", "x", "both changed it", deep, both, theirs, both)
    assert shown_both(conflict) == ('[\n  1,\n  "theirs",\n  {\n    "mine": [\n      2\n    ]\n  }\n]')


async def edit_a_case_that_others_delete(s: Scenario) -> None:
    """Leads to the question what to do about it."""
    await append(s, "!")
    await s.press("escape")
    root = json.loads(SNAKE)
    del root["eval_cases"][0]
    await others_write(s, json.dumps(root, indent=2))
    await s.press("M")


@pytest.mark.thorough
async def test_no_preview_of_both_where_both_make_no_sense() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await edit_a_case_that_others_delete(s)
        s.expect("Mine (m)")
        assert not s.shows("Both (b)")
        await s.press("escape")


async def test_a_conflict_is_written_by_hand() -> None:
    async with scenario(SNAKE) as s:
        theirs = await in_conflict(s)
        await s.press("M", "e")
        s.expect("Thanks mine")
        await s.type(" and theirs")
        await s.press("ctrl+s", "enter")
        assert s.bytes() == theirs.replace("Thanks theirs", "Thanks mine and theirs").encode()


async def test_a_file_that_changes_once_more_is_asked_about_anew() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        theirs = await in_conflict(s)
        await s.press("M", "m")
        s.path.write_text(theirs.replace("theirs", "once more"))
        await s.press("enter")
        s.expect("Thanks once more", "1 of 1 conflict to decide")
        await s.press("t", "enter")
        assert s.bytes() == s.file_bytes()


async def test_a_case_deleted_on_disk_and_changed_here_is_asked() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await edit_a_case_that_others_delete(s)
        s.expect("changed here, deleted or renamed on disk", "not in this version")
        await s.press("m", "enter")
        assert [case["eval_id"] for case in json.loads(s.bytes())["eval_cases"]] == ["rain_in_bergen", "greeting"]
        assert b"Thanks!" in s.bytes()


async def test_a_file_that_goes_comes_back_and_becomes_something_else() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await others_write(s, None)
        assert "Your text is kept" in s.status
        assert "gone from disk" in s.title
        await s.press("ctrl+q")
        s.expect("save and quit")
        await s.press("escape")
        assert await s.saved() == s.original
        assert "gone" not in s.title
        await s.start_over()
        await others_write(s, SNAKE)
        await others_write(s, None)
        await others_write(s, SNAKE)
        assert "gone" not in s.title
        assert "is unchanged again" in s.status
        await s.start_over()
        await others_write(s, SNAKE)
        await others_write(s, '{"theirs": [1, 2]}')
        assert s.bytes() == b'{"theirs": [1, 2]}'
        s.expect("theirs", "JSON")
        await s.press("u")
        s.expect("rain_in_bergen")


async def test_a_broken_file_is_not_read_and_git_marks_are_named() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        broken = SNAKE.replace('  "name"', '<<<<<<< HEAD\n  "name"', 1)
        await others_write(s, broken)
        assert "line 3: git merge conflict" in s.status
        assert "invalid JSON on disk" in s.title
        assert "move that file away and press ^s" in s.app.messages.newest_first()[0]
        await s.press("ctrl+s")
        assert s.file_bytes() == broken.encode()
        assert s.bytes() == s.original.replace(b'"Thanks"', b'"Thanks!"')
        await others_write(s, RENAMED)
        assert s.bytes() == RENAMED.replace('"Thanks"', '"Thanks!"').encode()
        assert "invalid JSON" not in s.title


async def test_a_save_over_a_broken_file_answers_though_its_sentence_stood_there_already() -> None:
    async with scenario(SNAKE, WIDE) as s:
        await append(s, "!")
        await s.press("escape")
        await others_write(s, SNAKE.replace("{", "<<<<<<< HEAD", 1))
        assert s.status.strip().startswith("set.evalset.json on disk is not valid JSON")
        await s.press("ctrl+s")
        assert s.status.strip().startswith("NOT SAVED: set.evalset.json on disk is not valid JSON")
        await s.press("ctrl+s")
        assert s.status.strip().startswith("STILL NOT SAVED: set.evalset.json on disk is not valid JSON")
        await s.press("ctrl+s")
        assert s.status.strip().startswith("NOT SAVED: ")
        await others_write(s, SNAKE)


async def test_undoing_a_reading_shows_what_was_before_and_closes_views() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        rows = s.rows()
        await others_write(s, "{}")
        assert len(s.rows()) == 1
        await s.press("u")
        assert s.rows() == rows
        await s.press("U")
        assert len(s.rows()) == 1
        await s.start_over()
        await others_write(s, SNAKE)
        await others_write(
            s, SNAKE.replace('"eval_id": "greeting",', '"eval_id": "greeting", "theirs": {"a": {"b": 1}},')
        )
        await s.enter("greeting", "theirs")
        assert len(s.app.screen_stack) == 2
        await s.press("ctrl+z")
        assert len(s.app.screen_stack) == 1
        assert s.bytes() == s.original
        s.expect("Undone")


async def test_rows_that_went_and_came_back_stand_once() -> None:
    async with scenario('[{"query":"a","expected_tool_use":[],"reference":"r"}]', NORMAL, as_json=True) as s:
        rows = s.rows()
        await others_write(s, "[]\n")
        assert len(s.rows()) == 1
        await s.press("u", "home", "right", "right")
        assert [row.removesuffix("●").rstrip() for row in s.rows()] == rows


@pytest.mark.thorough
async def test_views_of_what_is_gone_close() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("rain_in_bergen", "state")
        s.expect("days")
        await others_write(s, SNAKE.replace('"unit": "mm"', '"unit": "inch"'))
        s.expect("inch", "reloaded")
        root = json.loads(SNAKE)
        del root["eval_cases"][0]
        await others_write(s, json.dumps(root, indent=2))
        assert len(s.app.screen_stack) == 1
        s.expect("1 case deleted")


async def test_a_draft_comes_back_with_its_field() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.enter("Is it raining", "get_weather", "days")
        await s.press("f7")
        await s.type("4x")
        await s.press("escape")
        await others_write(s, RENAMED)
        s.expect("4x")
        root = json.loads(SNAKE)
        del root["eval_cases"][0]
        await others_write(s, json.dumps(root, indent=2))
        assert "1 draft" in s.status
        await s.press("u")
        await s.enter("get_weather")
        s.expect("4x")
        await s.press("escape", "escape")


@pytest.mark.thorough
async def test_reload_asks_only_when_something_is_unsaved() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        s.path.write_text(RENAMED)
        await s.press("R")
        assert s.bytes() == RENAMED.encode()
        await append(s, "!")
        await s.press("R")
        s.expect("has unsaved changes")
        await s.press("escape")
        assert s.is_dirty
        await s.press("R", "d")
        assert s.bytes() == RENAMED.encode()
        assert not s.is_dirty
        await s.press("u")
        assert b"Thanks!" in s.bytes()


async def test_one_case_goes_back_to_what_is_on_disk() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        await s.press("escape")
        await s.enter("Good morning", "Good morning")
        await s.type("?")
        await s.press("escape", "escape")
        await s.to("Thanks!")
        await s.press("V")
        assert s.bytes() == s.original.replace(b'"Good morning"', b'"Good morning?"')
        assert "reverted rain_in_bergen to its text on disk u: undo" in s.status
        assert "2 Thanks" in s.cursor()
        await s.press("u")
        assert b"Thanks!" in s.bytes()
        await s.to("greeting")
        await s.press("a", "escape", "escape", "V")
        assert "is not on disk. Press d to delete it" in s.status


async def test_a_case_that_was_only_moved_differs_in_its_place() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await s.to("rain_in_bergen")
        await s.press("x", "p", "V")
        assert "rain_in_bergen has the text on disk; only its place is unsaved. C shows it." in s.status
        await s.to("greeting")
        await s.press("V")
        assert "greeting has no unsaved changes." in s.status


@pytest.mark.thorough
async def test_a_case_is_reverted_while_a_call_that_goes_with_it_is_edited() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", WIDE) as s:
        await s.press("down", "a", *"New turn", "escape")
        await s.to("New turn")
        await s.press("right", "down")
        await s.press("a", *"boo")
        screen = s.app.screen
        assert isinstance(screen, EditScreen)
        assert screen.panes.form.edited is not None
        screen.undo_commands.revert_case()
        await s.settle()
        assert screen.panes.form.edited is None
        assert s.bytes() == s.original


async def test_a_name_without_a_folder_is_written_where_the_program_runs_and_said_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with scenario(SNAKE, WIDE) as s:
        for key, what in (("W", "a copy as"), ("S", "as")):
            await s.press(key, "f7")
            await s.type(f"half{key}.json\r")
            assert (tmp_path / f"half{key}.json").read_bytes() == s.original
            s.expect(f"Saved {what} {tmp_path / f'half{key}.json'}")
        await s.press("W", "f7")
        await s.type("beside.json\r")
        s.expect("Saved a copy as beside.json")


async def test_save_as_goes_on_in_the_new_file_and_a_copy_does_not() -> None:
    async with scenario(SNAKE, NORMAL) as s:
        await append(s, "!")
        await s.press("W", "f7")
        await s.paste(f"{s.path}")
        await s.press("enter")
        s.expect("this file already exists")
        copy = s.path.with_name("copy.json")
        await s.press("home", "ctrl+k")
        await s.paste(f"{copy}")
        await s.press("enter")
        assert copy.read_bytes() == s.bytes()
        assert s.is_dirty
        await s.press("S", "home", "ctrl+k")
        other = s.path.with_name("other.json")
        await s.paste(f"{other}")
        await s.press("enter")
        assert other.read_bytes() == s.bytes()
        assert "other.json" in s.title
        assert not s.is_dirty
        assert s.file_bytes() == s.original


@pytest.mark.thorough
async def test_random_changes_of_both_sides() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json", NORMAL) as s:
        for number in range(2):
            root = json.loads(s.file_bytes())
            root["eval_cases"][number]["conversation"][0]["final_response"]["parts"][0]["text"] = f"theirs {number}"
            await s.to("▾ " if number % 2 else "Please book")
            await s.press("down", "enter")
            await s.enter("invocation_id")
            await s.type(f"-{number}")
            await s.press("escape", "escape", "escape")
            await others_write(s, json.dumps(root, indent=2, ensure_ascii=False))
            assert f"theirs {number}".encode() in s.bytes()
            assert f"-{number}".encode() in s.bytes()

"""Recent files, and the view of a file, which is as the user left it."""

import json
import os
import shutil
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from platformdirs import user_state_path

from evaltui.document.document import Document
from evaltui.runs.run_options import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.base_app import OpenNext
from evaltui.tui.remembered_files import PlaceSeen, ViewState, load_view, recent_files, remember_file, save_view
from tests.scored_sets import EXPECTED, RECORDING, SET, history
from tests.tui.scenario import SAMPLES, Scenario
from tests.tui.screens.test_sets_list import listed
from tests.tui.sets import SNAKE


def files(folder: Path, *names: str) -> list[Path]:
    folder.mkdir()
    paths = [folder / name for name in names]
    for path in paths:
        path.write_text(SNAKE)
    return paths


async def test_files_from_elsewhere_are_listed_last_and_opened(tmp_path: Path) -> None:
    (here,) = files(tmp_path / "here", "here.json")
    for path in files(tmp_path / "there", "one.json", "two.json"):
        remember_file(path)
    remember_file(here)
    async with listed(here.parent) as s:
        s.expect("1 eval set", "one.json", "  recent")
        rows = [line for line in s.screen() if ".json" in line]
        assert [name in row for name, row in zip(("here.json", "two.json", "one.json"), rows, strict=True)] == [
            True
        ] * 3
        assert "  recent" not in rows[0]
        await s.press("end", "enter")
        assert s.app.return_value == OpenNext(tmp_path / "there" / "one.json")


async def test_files_that_are_gone_are_left_out_and_names_are_never_obeyed(tmp_path: Path) -> None:
    gone, hostile = files(tmp_path / "there", "gone.json", "[red]\x1b[31m.json")
    (here,) = files(tmp_path / "here", "here.json")
    remember_file(gone)
    remember_file(hostile)
    gone.unlink()
    async with listed(here.parent) as s:
        s.expect("[red]␛[31m.json")
        assert not s.shows("gone.json")


def test_the_list_is_private_and_bounded_and_damage_is_no_trouble(tmp_path: Path) -> None:
    paths = files(tmp_path / "many", *(f"{number}.json" for number in range(40)))
    for path in [*paths, paths[20]]:
        remember_file(path)
    assert recent_files() == [paths[20], *(path for path in paths[:9:-1] if path != paths[20])][:30]
    kept = user_state_path("evaltui") / "recent.json"
    assert kept.stat().st_mode & 0o777 == 0o600
    for damage in ("", "{", '[1, null, "relative"]', "{}", "[" * 100_000, json.dumps(["/\0"])):
        kept.write_text(damage)
        assert recent_files() == []


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return Path(shutil.copy(SAMPLES / "trip_planner.evalset.json", tmp_path))


@asynccontextmanager
async def opened(path: Path, case: str | None = None) -> AsyncIterator[Scenario]:
    app = EvaltuiApp(Document.open(path), case)
    app.remembers_views = True
    async with app.run_test(size=(110, 30)) as pilot:
        running = Scenario(app, pilot, path)
        await running.settle()
        yield running


def kept(path: Path) -> Path:
    (found,) = (user_state_path("evaltui") / "views").iterdir()
    return found


def replace_by(path: Path, content: bytes) -> None:
    path.write_bytes(content)


async def left(path: Path) -> tuple[list[str], str]:
    """Leave `path` in a way that is not the usual; gives the rows shown and the selected one."""
    async with opened(path) as s:
        await s.press("minus", "down", "right", "right", "right", "greater_than_sign")
        rows, cursor = s.rows(), s.cursor()
        assert "greeting" not in cursor
    return rows, cursor


@pytest.mark.thorough
async def test_a_file_opens_as_it_was_left(file: Path) -> None:
    rows, cursor = await left(file)
    async with opened(file) as s:
        assert (s.rows(), s.cursor()) == (rows, cursor)
        assert any(line.find("│") == 40 for line in s.screen())


@pytest.mark.thorough
async def test_a_case_named_on_the_command_line_has_the_cursor(file: Path) -> None:
    await left(file)
    async with opened(file, "entry_rules_service_silent") as s:
        assert "entry_rules_service_silent" in s.cursor()


@pytest.mark.thorough
async def test_a_case_that_moved_is_found_by_its_id(file: Path) -> None:
    async with opened(file) as s:
        await s.to("greeting_without_tools")
        await s.press("down")
        cursor = s.cursor()
    async with opened(file) as s:
        await s.press("home", "down", "d", "ctrl+s")
        await s.to("greeting_without_tools")
        await s.press("down")
    async with opened(file) as s:
        assert s.cursor() == cursor


@pytest.mark.thorough
async def test_a_place_that_is_gone_is_forgotten(file: Path) -> None:
    await left(file)
    replace_by(file, b'{"eval_set_id": "x", "eval_cases": [{"eval_id": "other", "conversation": []}]}')
    async with opened(file) as s:
        assert "other" in s.cursor()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b'{"split": "x"}', b"\xff", b"[" * 100_000])
def test_what_is_no_view_is_left_alone(file: Path, content: bytes) -> None:
    save_view(file, ViewState(40))
    replace_by(kept(file), content)
    assert load_view(file) == ViewState()


@pytest.mark.parametrize(
    "content",
    [
        b'{"split": true, "cursor": 3, "unfolded": {}}',
        b'{"split": 99999, "cursor": {"pointer": "no", "eval_id": null}, "unfolded": [{"pointer": "/", "eval_id": 1}]}',
        b'{"split": -5, "cursor": {"pointer": "/eval_cases/99", "eval_id": "a"}, "unfolded": []}',
    ],
)  # fmt: skip
async def test_whatever_is_kept_the_file_opens(file: Path, content: bytes) -> None:
    save_view(file, ViewState(40))
    replace_by(kept(file), content)
    async with opened(file) as s:
        s.expect("book_flight_lisbon_montreal")


def test_it_is_private_and_of_the_file_itself(file: Path) -> None:
    view = ViewState(40, PlaceSeen("/eval_cases/1", "é"), (PlaceSeen("", ""),))
    save_view(file, view)
    assert stat.S_IMODE(kept(file).stat().st_mode) == 0o600
    link = file.with_name("link.json")
    link.symlink_to(file)
    assert load_view(link) == view
    assert load_view(file.with_name("other.json")) == ViewState()


def test_a_folder_that_cannot_be_written_is_no_matter(file: Path) -> None:
    folder = user_state_path("evaltui")
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("a file in its place")
    save_view(file, ViewState(40))
    assert load_view(file) == ViewState()
    assert [path.name for path in folder.parent.iterdir()] == ["evaltui"]


def test_very_many_unfolded_rows_are_not_kept(file: Path) -> None:
    save_view(file, ViewState(40, None, tuple(PlaceSeen(f"/{n}") for n in range(1000))))
    assert load_view(file) == ViewState(40)


def test_only_so_many_files_are_remembered_the_last_ones(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.tui.remembered_files._MOST_FILES", 3)
    views = user_state_path("evaltui") / "views"
    files = [file.with_name(f"{number}.json") for number in range(5)]
    for number, each in enumerate(files):
        known = set(views.iterdir()) if number else set()
        save_view(each, ViewState(split=30))
        for new in set(views.iterdir()) - known:
            os.utime(new, (number, number))
    assert [load_view(each).split for each in files] == [None, None, 30, 30, 30]


async def test_recordings_that_were_named_are_offered_the_next_time(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    recording = tmp_path / "elsewhere" / "actual.json"
    recording.write_text(RECORDING)
    path = tmp_path / "set.evalset.json"
    path.write_text(SET)
    for named in [(str(recording),), ()]:
        document = Document(path.read_bytes(), path, clock=lambda: 0.0)
        app = EvaltuiApp(document, scored_with=RunOptions(named))
        app.remembers_views = True
        async with app.run_test(size=(80, 24)) as pilot:
            s = Scenario(app, pilot, path)
            await s.settle()
            if not named:
                s.expect("actual.json was used the last time. Press H, then a to add it again.")
                await s.press("H", "a")
                s.expect("elsewhere/actual.json")
                await s.press("enter")
                await s.press("escape")
            assert s.app.file.scores.counts["passed"] == 1


async def test_recordings_that_are_used_anyway_are_not_offered(tmp_path: Path) -> None:
    path = tmp_path / "set.evalset.json"
    path.write_text(SET)
    ((name, text),) = history(EXPECTED).items()
    (tmp_path / name).parent.mkdir(parents=True)
    (tmp_path / name).write_text(text)
    for offered in ((), (str(tmp_path / "other.json"),)):
        save_view(path, ViewState(recordings=(str(tmp_path / name), *offered)))
        app = EvaltuiApp(Document(path.read_bytes(), path, clock=lambda: 0.0), scored_with=RunOptions())
        app.remembers_views = True
        async with app.run_test(size=(80, 24)) as pilot:
            s = Scenario(app, pilot, path)
            await s.settle()
            assert s.app.file.scores.counts["passed"] == 4
            assert ("other.json was used the last time." in s.status) == bool(offered)
            assert "and 1 more" not in s.status
            assert "was used the last time" not in s.status or offered

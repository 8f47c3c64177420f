"""Files opened lately: kept in private, and listed below the sets of a folder."""

import json
from pathlib import Path

from platformdirs import user_state_path

from evaltui.tui.base_app import OpenNext
from evaltui.tui.remembered_files import recent_files, remember_file
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
        s.expect("1 eval set", "one.json", "opened lately")
        rows = [line for line in s.screen() if ".json" in line]
        assert [name in row for name, row in zip(("here.json", "two.json", "one.json"), rows, strict=True)] == [
            True
        ] * 3
        assert "opened lately" not in rows[0]
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

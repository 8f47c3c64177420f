"""Which files of a folder are listed as eval sets."""

from pathlib import Path

import pytest

from evaltui.evalset.set_files import FoundSet, find_sets
from evaltui.files.folder_search import Bounds, SearchCancelledError, SearchLimitError

SET = '{"eval_set_id": "s", "name": "Trips", "eval_cases": [{"eval_id": "a"}, {"eval_id": "b"}]}'


def written(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def names(folder: Path) -> list[str]:
    return [str(found.path.relative_to(folder)) for found in find_sets(folder) if found is not None]


def test_sets_are_told_by_content_and_those_further_up_come_first(tmp_path: Path) -> None:
    written(tmp_path, {"a/deep.json": SET, "z.json": SET, "b/c/d.evalset.json": SET, "package.json": "{}"})
    assert names(tmp_path) == ["z.json", "a/deep.json", "b/c/d.evalset.json"]


def test_name_and_cases_are_told(tmp_path: Path) -> None:
    written(tmp_path, {"z.json": SET})
    assert next(find_sets(tmp_path)) == FoundSet(tmp_path / "z.json", 2, "Trips")


def test_a_file_named_as_a_set_is_listed_whatever_it_holds(tmp_path: Path) -> None:
    written(tmp_path, {"a.evalset.json": "{", "b.test.json": "[]", "c.json": "{", "d.json": '{"x": "eval_cases"}'})
    found = [each for each in find_sets(tmp_path) if each is not None]
    assert [(each.path.name, each.cases, each.is_json) for each in found] == [
        ("a.evalset.json", None, False),
        ("b.test.json", None, True),
    ]


def test_hidden_folders_and_those_of_tools_are_not_looked_into(tmp_path: Path) -> None:
    for folder in (".git", ".venv", "node_modules", ".adk/eval_history", "venv"):
        written(tmp_path, {f"{folder}/x.evalset.json": SET})
    (tmp_path / "venv" / "pyvenv.cfg").touch()
    assert names(tmp_path) == []


def test_what_git_ignores_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, {"out/x.evalset.json": SET, "y.evalset.json": SET, ".gitignore": "/out/\n"})
    assert names(tmp_path) == ["y.evalset.json"]


def test_links_that_lead_round_in_a_circle_are_not_followed(tmp_path: Path) -> None:
    written(tmp_path, {"a/x.evalset.json": SET})
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    assert names(tmp_path) == ["a/x.evalset.json"]


def test_files_that_cannot_be_read_and_devices_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "x.evalset.json").symlink_to("/dev/zero")
    (tmp_path / "y.evalset.json").symlink_to(tmp_path / "gone")
    assert names(tmp_path) == []
    assert names(tmp_path / "no such folder") == []


def test_sets_are_found_however_deep_they_lie(tmp_path: Path) -> None:
    deep = "/".join("d" * 60)
    written(tmp_path, {f"{deep}/x.evalset.json": SET})
    assert names(tmp_path) == [f"{deep}/x.evalset.json"]


def test_the_search_keeps_to_its_limits(tmp_path: Path) -> None:
    written(tmp_path, {f"{n:03}.evalset.json": SET for n in range(9)})
    assert len(list(find_sets(tmp_path, Bounds(entries=9)))) == 9
    with pytest.raises(SearchLimitError, match="after 8 files and folders"):
        list(find_sets(tmp_path, Bounds(entries=8)))


def test_a_search_that_nobody_waits_for_ends(tmp_path: Path) -> None:
    written(tmp_path, {f"{'d/' * n}x.evalset.json": SET for n in range(9)})
    found: list[FoundSet | None] = []
    with pytest.raises(SearchCancelledError):
        for each in find_sets(tmp_path, Bounds(cancelled=lambda: len(found) == 3)):
            found.append(each)
    assert len(found) == 3

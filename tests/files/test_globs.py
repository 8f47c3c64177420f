"""Globs find what Python's `glob` finds, and never look at a place twice."""

import glob
from pathlib import Path

import pytest

from evaltui.files.globs import matching
from evaltui.files.search_bounds import Bounds, SearchLimitError

FILES = ("a.json", "b/a.json", "b/c/a.json", "b/c/d/x.txt", "b/.h/a.json", ".h/b/a.json", "b/.a.json", "[b]/a.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "link").symlink_to(tmp_path / "b")
    (tmp_path / "gone").symlink_to("nothing")
    return tmp_path


@pytest.mark.parametrize(
    "pattern",
    [
        *("*.json", "*/*.json", "b/*", "*/a.json", "?/[ac]*", ".h/*/a.json", ".*/*", "[[]b]/*", "nothing/*", "gone"),
        *("b/c/../a.json", "b/./c/*", "link/*.json", "*/c/*", "a.json/*", "b//c/a.json", "[", "b/c", "../*/a.json"),
    ],
)
def test_python_s_glob_finds_the_same(folder: Path, pattern: str) -> None:
    expected = glob.glob(pattern, root_dir=folder)  # noqa: PTH207 - `glob` is the reference here
    found = matching(folder, pattern, Bounds())
    assert {path.resolve() for path in found} == {(folder / name).resolve() for name in expected}
    assert matching(folder, str(folder / pattern), Bounds()) == matching(Path("/"), str(folder / pattern), Bounds())


def test_two_stars_are_any_number_of_folders(folder: Path) -> None:
    def names(pattern: str) -> list[str]:
        return [path.relative_to(folder).as_posix() for path in matching(folder, pattern, Bounds())]

    assert names("**/a.json") == ["[b]/a.json", "a.json", "b/a.json", "b/c/a.json"]
    assert names("**/c/**/*.txt") == ["b/c/d/x.txt"]
    assert names("b/**") == ["b"]
    assert names("**/**/**/c") == ["b/c"]


def test_many_stars_look_at_no_place_twice(tmp_path: Path) -> None:
    at = tmp_path
    for _ in range(30):
        at /= "a"
    at.mkdir(parents=True)
    assert matching(tmp_path, "**/" * 100 + "b", Bounds(entries=100)) == []
    assert matching(tmp_path, "**/a/" * 20 + "b", Bounds(entries=30 * 21)) == []
    assert matching(tmp_path, "*a" * 200 + "b", Bounds(entries=10)) == []


def test_a_search_keeps_to_its_limits(folder: Path) -> None:
    with pytest.raises(SearchLimitError):
        matching(folder, "**/*", Bounds(entries=5))

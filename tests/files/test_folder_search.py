"""The files below a folder, whatever somebody made of it, and those that match a glob as Python's own finds them."""

import glob
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.files.folder_search import Bounds, SearchCancelledError, SearchLimitError, matching, walk
from tests.nested import nested
from tests.strangers import Strangers


def written(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def names(paths: Iterator[Path], folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in paths]


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[Path]:
    """A folder with 2,200 nested ones, the path of the last too long for the system, and a file at the top."""
    (tmp_path / "top.json").touch()
    with nested(tmp_path, 2_200):
        yield tmp_path


def test_files_come_in_the_order_of_their_paths_or_by_level(tmp_path: Path) -> None:
    written(tmp_path, "b.json", "a/z.json", "a/b/c.json", "c/a.json")
    assert names(walk(tmp_path, Bounds()), tmp_path) == ["a/b/c.json", "a/z.json", "b.json", "c/a.json"]
    by_level = walk(tmp_path, Bounds(), by_level=True)
    assert names(by_level, tmp_path) == ["b.json", "a/z.json", "c/a.json", "a/b/c.json"]


def test_files_of_a_level_come_before_the_next_is_looked_into(tmp_path: Path) -> None:
    written(tmp_path, "a/1.json", "a/2.json", "z.json")
    found = walk(tmp_path, Bounds(entries=2), by_level=True)
    assert next(found).name == "z.json"
    with pytest.raises(SearchLimitError):
        next(found)


def test_what_is_hidden_and_what_tools_made_is_left_out(tmp_path: Path) -> None:
    written(tmp_path, ".a", ".b/c", ".d/e", "node_modules/f", "env/pyvenv.cfg", "env/g", "conda/conda-meta/h", "x/i")
    assert names(walk(tmp_path, Bounds(), hidden=(".d",)), tmp_path) == [".d/e", "x/i"]
    assert names(walk(tmp_path / "env", Bounds()), tmp_path) == ["env/g", "env/pyvenv.cfg"]


def test_git_s_rules_hold_down_to_the_files_and_from_above(tmp_path: Path) -> None:
    written(tmp_path, ".git/x", "in/a/keep.log", "in/a/b.log", "in/out/c.json", "in/d.json")
    (tmp_path / ".gitignore").write_text("*.log\n/in/out/\n/in/d.json\n")
    (tmp_path / "in" / "a" / ".gitignore").write_text("!keep.log\n")
    assert names(walk(tmp_path / "in", Bounds(), by_git=True), tmp_path) == ["in/a/keep.log"]
    assert len(names(walk(tmp_path / "in", Bounds()), tmp_path)) == 4


def test_a_repository_that_a_stranger_planted_above_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path, ".git/x", "mine/a.json")
    (tmp_path / ".gitignore").write_text("*\n")
    assert names(walk(tmp_path / "mine", Bounds(), by_git=True), tmp_path) == []
    Strangers(monkeypatch).own(tmp_path / ".git")
    (tmp_path / ".gitignore").write_bytes(b"a" * 2_000_000)
    said: list[str] = []
    found = walk(tmp_path / "mine", Bounds(), lambda _, reason: said.append(reason), by_git=True)
    assert (names(found, tmp_path), said) == (["mine/a.json"], [])


def test_a_folder_that_is_named_is_searched_although_git_ignores_it(tmp_path: Path) -> None:
    written(tmp_path, ".git/x", "out/a.json")
    (tmp_path / ".gitignore").write_text("out/\n")
    assert names(walk(tmp_path / "out", Bounds(), by_git=True), tmp_path) == ["out/a.json"]


def test_folders_nested_deeper_than_a_path_may_be_are_said(deep: Path) -> None:
    said: list[str] = []
    found = walk(deep, Bounds(), lambda _, reason: said.append(reason), by_git=True)
    assert names(found, deep) == ["top.json"]
    assert said == ["cannot be read: file name too long"]


def test_links_lead_nowhere(tmp_path: Path) -> None:
    written(tmp_path, "a/b.json")
    (tmp_path / "a" / "up").symlink_to(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert names(walk(tmp_path, Bounds(), by_git=True), tmp_path) == ["a/b.json", "a/up", "loop"]


def test_a_search_ends_at_its_limits_and_when_nobody_waits(tmp_path: Path) -> None:
    written(tmp_path, *(f"{number}.json" for number in range(9)))
    with pytest.raises(SearchLimitError, match="after 5 files and folders; give a folder with fewer"):
        list(walk(tmp_path, Bounds(entries=5)))
    with pytest.raises(SearchLimitError, match="after -1 seconds; give a folder with fewer files"):
        list(walk(tmp_path, Bounds(seconds=-1)))
    with pytest.raises(SearchCancelledError):
        list(walk(tmp_path, Bounds(cancelled=lambda: True)))


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

"""What `.gitignore` files leave out: git itself is asked, and a hostile file takes no time."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.files import gitignore
from evaltui.files.gitignore import Rules, is_ignored, rules_of

ATOMS = (
    *("a", "b", "ab", "*", "*", "**", "?", "/", "/", "**/", "/**", "*/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a"),
    *("[[:alpha:]]", "[[:alnum:]-]", "[[:oops:]]", "[/a]", "[a/b]", "[\\]a]", "\\a", "\\", "\\*", "\\ ", "\\/"),
    *("!", " ", "-", "#", ".", "\t", "é"),
)
NAMES = ("a", "b", "ab", "ba", "aab", "c", "a b", "*", "-", "é", "#a", "!a", "\\")
line = st.lists(st.sampled_from(ATOMS), min_size=1, max_size=6).map("".join)
text = st.lists(line, min_size=1, max_size=4).flatmap(
    lambda lines: st.sampled_from(["\n", "", " \n", "\r\n"]).map(lambda end: "\n".join(lines) + end)
)
LITTLE = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "XDG_CONFIG_HOME": os.devnull,
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("git") is None:
        pytest.skip("there is no git here")
    folder = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "init", "-q", folder], check=True, env=LITTLE)
    for first in NAMES[:7]:
        for second in NAMES[:3]:
            (folder / first / second).mkdir(parents=True)
            for third in NAMES[:4]:
                (folder / first / second / third).touch()
        for second in NAMES[3:]:
            (folder / first / second).touch()
    for first in NAMES[7:]:
        (folder / first).touch()
    return folder


def ignored_by_git(folder: Path, paths: list[str]) -> set[str]:
    given_paths = "\0".join(paths).encode()
    done = subprocess.run(
        ["git", "check-ignore", "-z", "--stdin", "--no-index"],
        cwd=folder,
        env=LITTLE,
        input=given_paths,
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(done.stdout.decode().split("\0")) - {""}


def ignored_here(folder: Path, paths: list[str]) -> set[str]:
    """In the order of paths: what is in an ignored folder is ignored, whatever is said of it."""
    found: set[str] = set()
    for path in paths:
        parents = [str(each) for each in Path(path).parents]
        inner = [folder / each for each in reversed(parents)]
        rules = tuple(rule for each in inner if (rule := rules_of(each, lambda *_: None)) is not None)
        if found.intersection(parents) or is_ignored(os.fsencode(folder / path), (folder / path).is_dir(), rules):
            found.add(path)
    return found


@given(outer=text, inner=text)
def test_git_says_the_same(tree: Path, outer: str, inner: str) -> None:
    paths = sorted(str(path.relative_to(tree)) for path in tree.rglob("*") if ".git" not in str(path.relative_to(tree)))
    (tree / ".gitignore").write_text(outer, newline="")
    (tree / "a" / ".gitignore").write_text(inner, newline="")
    assert ignored_here(tree, paths) == ignored_by_git(tree, paths)


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 60 + "b", "a" * 250),
        ("/x/" + "*a" * 60 + "b", "x/" + "a" * 250),
        ("**/a/" * 200 + "b", "a/" * 1500 + "c"),
        ("**/*a*/" * 200 + "b", "aa/" * 1000 + "c"),
        ("[!b]*" * 500 + "b", "a" * 250),
        ("?*" * 1000 + "b", "a" * 250),
    ],
)
def test_a_hostile_pattern_takes_no_time(pattern: str, path: str) -> None:
    rules = Rules(Path("/repository"), f"{pattern}\n*.log\n".encode())
    assert rules.verdict(f"/repository/{path}".encode(), False) is None
    assert rules.verdict(f"/repository/{path}.log".encode(), False) is True


def test_a_file_with_too_many_patterns_is_said_and_left_out(tmp_path: Path) -> None:
    said: list[str] = []
    for content in ("*.x%d\n" * 30_000, "n\n" * (gitignore.LARGEST // 2 + 1)):
        (tmp_path / ".gitignore").write_text(content)
        assert rules_of(tmp_path, lambda path, reason: said.append(f"{path.name}: {reason}")) is None
    assert said == [
        ".gitignore: the file has too many patterns; its rules are not used",
        ".gitignore: the file has more than 1,000,000 bytes; its rules are not used",
    ]


def test_a_pipe_or_a_link_in_its_place_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / ".gitignore").symlink_to("/dev/zero")
    assert [rules_of(folder, lambda *_: None) for folder in (tmp_path, tmp_path / "a")] == [None, None]

"""A sidecar that somebody else put there, or exchanges while a review is open; and whose name a decision gets."""

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.review import decisions as decisions_module
from evaltui.review.decisions import Decision, Sidecar, SidecarError, author_in, decision_on
from tests.review.test_decisions import an_item

OURS = b"export A=1\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / ".bashrc").write_bytes(OURS)
    return tmp_path / "home"


@pytest.fixture
def clone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    clone = tmp_path / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / "sets").mkdir()
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    (home / ".gitconfig").write_text("[user]\n\tname = Ana\n\temail = ana@example.org\n")
    author_in.cache_clear()
    return clone


def decision() -> Decision:
    return decision_on(an_item(), Path("/"), "skipped", note="$(touch x)")


def refused(sidecar: Sidecar, said: str) -> None:
    for write in (lambda: sidecar.add([decision()]), lambda: sidecar.take_back([decision()]), sidecar.check_writable):
        with pytest.raises(SidecarError, match=said):
            write()


@pytest.mark.parametrize("target", ["../../home/.bashrc", "../../home/new", "../.git/hooks", "../.git/config"])
def test_a_link_out_of_the_repository_is_never_written(clone: Path, home: Path, target: str) -> None:
    sidecar = Sidecar(clone / "sets" / "a.json")
    sidecar.path.symlink_to(target)
    refused(sidecar, "cannot be written: a link leads to ")
    assert (home / ".bashrc").read_bytes() == OURS
    assert not (home / "new").exists()
    assert list((clone / ".git").iterdir()) == []


def test_a_folder_that_leads_out_is_never_written(clone: Path, home: Path) -> None:
    (clone / "linked").symlink_to(home)
    refused(Sidecar(clone / "linked" / "a.json"), "cannot be written: a link leads to ")
    assert sorted(path.name for path in home.iterdir()) == [".bashrc", ".gitconfig"]


def test_a_link_that_comes_between_look_and_write_is_not_followed(
    clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sidecar, open_file = Sidecar(clone / "a.json"), os.open

    def exchanged_before(name: str, flags: int, *arguments: int, **named: int) -> int:
        if flags & os.O_APPEND:
            sidecar.path.symlink_to(home / ".bashrc")
        return open_file(name, flags, *arguments, **named)

    monkeypatch.setattr(os, "open", exchanged_before)
    with pytest.raises(SidecarError, match="cannot be written"):
        sidecar.add([decision()])
    assert (home / ".bashrc").read_bytes() == OURS


def test_a_pipe_that_comes_between_look_and_write_is_not_waited_for(
    clone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sidecar, open_file = Sidecar(clone / "a.json"), os.open

    def exchanged_before(name: str, flags: int, *arguments: int, **named: int) -> int:
        if flags & os.O_APPEND:
            os.mkfifo(sidecar.path)
        return open_file(name, flags, *arguments, **named)

    monkeypatch.setattr(os, "open", exchanged_before)
    with pytest.raises(SidecarError, match="not a regular file"):
        sidecar.add([decision()])


KINDS: dict[str, Callable[[Path], object]] = {
    "pipe": os.mkfifo,
    "link to a device": lambda path: path.symlink_to("/dev/null"),
    "folder": Path.mkdir,
    "link to nowhere": lambda path: path.symlink_to("/none/none"),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("kind", KINDS)
def test_what_it_becomes_while_a_review_is_open_holds_nothing_up(clone: Path, kind: str) -> None:
    sidecar = Sidecar(clone / "a.json")
    first = decision()
    sidecar.add([first])
    sidecar.path.unlink()
    KINDS[kind](sidecar.path)
    refused(sidecar, "cannot be written")
    with pytest.raises(SidecarError, match="cannot be written"):
        sidecar.take_back([first])
    if kind == "link to nowhere":
        assert sidecar.read().every == []
    else:
        with pytest.raises(SidecarError, match="cannot be read"):
            sidecar.read()
    assert os.path.lexists(sidecar.path)


@pytest.mark.timeout(20)
def test_one_without_end_is_a_sentence(clone: Path) -> None:
    sidecar = Sidecar(clone / "a.json")
    sidecar.path.touch()
    os.truncate(sidecar.path, 1 << 40)
    with pytest.raises(SidecarError, match="cannot be read: the file has more than 20,000,000 bytes"):
        sidecar.read()


@pytest.mark.parametrize("line", [b"{}", b"x", b'{"id": [', b'{"changes": [1, 2, 3]}'])
def test_one_with_too_many_other_lines_is_a_sentence(clone: Path, line: bytes) -> None:
    sidecar = Sidecar(clone / "a.json")
    sidecar.path.write_bytes((line + b"\n") * 500_000)
    with pytest.raises(SidecarError, match="cannot be read: more than 1,000 lines are not decisions"):
        sidecar.read()


def test_changes_that_are_no_ids_are_no_decision(clone: Path) -> None:
    sidecar = Sidecar(clone / "a.json")
    sidecar.path.write_text(json.dumps(decision().to_json() | {"changes": [10] * 100}) + "\n")
    assert (sidecar.read().every, sidecar.read().unread) == ([], [1])


def test_one_that_grew_since_it_was_made_stays(clone: Path) -> None:
    sidecar, first = Sidecar(clone / "a.json"), decision()
    sidecar.add([first])
    os.truncate(sidecar.path, 1 << 40)
    sidecar.take_back([first])
    assert sidecar.path.stat().st_size > 1 << 40


def test_another_name_of_the_file_keeps_the_old_content(clone: Path, home: Path) -> None:
    sidecar = Sidecar(clone / "a.json")
    os.link(home / ".bashrc", sidecar.path)
    sidecar.add([first := decision()])
    assert (home / ".bashrc").read_bytes() == OURS
    assert (sidecar.read().every, sidecar.path.read_bytes().startswith(OURS)) == ([first], True)


def test_a_link_within_the_repository_is_followed(clone: Path) -> None:
    sidecar = Sidecar(clone / "a.json")
    sidecar.path.symlink_to("sets/decisions.jsonl")
    sidecar.check_writable()
    sidecar.add([first := decision()])
    assert (sidecar.read().every, sidecar.path.is_symlink()) == ([first], True)


# --- the author ----------------------------------------------------------------------------------------------------


def bare_repository(folder: Path) -> None:
    """A folder of a clone that git takes for a repository."""
    for name in ("objects", "refs"):
        (folder / name).mkdir(parents=True)
    (folder / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / "config").write_text(
        "[core]\n\tbare = true\n\trepositoryformatversion = 0\n[user]\n\tname = Mallory\n\temail = m@example.org\n"
    )


@pytest.mark.parametrize("within", ["a clone", "no repository"])
def test_a_bare_repository_beside_the_set_speaks_for_nobody(clone: Path, within: str) -> None:
    folder = clone / "sets"
    bare_repository(folder)
    (clone / ".git").rmdir()
    forged = subprocess.run(["git", "config", "user.name"], cwd=folder, capture_output=True, text=True, check=True)
    assert forged.stdout == "Mallory\n"
    if within == "a clone":
        subprocess.run(["git", "init", "-q"], cwd=clone, check=True)
    for place in (folder, folder / "refs"):
        assert author_in(place) == "Ana <ana@example.org>"


def test_a_repository_of_a_person_speaks_for_the_person(clone: Path) -> None:
    (clone / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=clone, check=True)
    subprocess.run(["git", "config", "user.name", "Ana at work"], cwd=clone, check=True)
    assert author_in(clone / "sets") == "Ana at work <ana@example.org>"


@pytest.mark.parametrize("entry", [".", "", "sets", "bin/../sets"])
def test_git_is_no_program_of_the_clone(clone: Path, monkeypatch: pytest.MonkeyPatch, entry: str) -> None:
    for folder in (clone, clone / "sets", clone / "sets" / "sets"):
        folder.mkdir(exist_ok=True)
        (folder / "git").write_text(f"#!/bin/sh\ntouch {clone}/ran\necho Mallory\n")
        (folder / "git").chmod(0o755)
    monkeypatch.chdir(clone)
    monkeypatch.setenv("PATH", f"{entry}:{os.environ['PATH']}")
    assert author_in(clone / "sets") == "Ana <ana@example.org>"
    assert not (clone / "ran").exists()


def test_no_git_at_all_is_no_error(clone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", ".:sets")
    monkeypatch.setenv("LOGNAME", "cy")
    assert author_in(clone) == "cy"


def test_a_name_is_one_safe_line_of_bounded_length(clone: Path, home: Path) -> None:
    (home / ".gitconfig").write_text('[user]\n\tname = "A\\n\\tB\x1b[31m\u202e"\n\temail = "' + "x" * 5_000 + '"\n')
    author = author_in(clone)
    assert author.startswith("A B\u241b[31m\u205e <xxx")
    assert len(author) < 420


def test_a_git_that_never_answers_is_not_waited_for(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\nexec sleep 60\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    monkeypatch.setattr(decisions_module, "_GIT_SECONDS", 0.05)
    monkeypatch.setenv("LOGNAME", "cy")
    assert author_in(clone) == "cy"

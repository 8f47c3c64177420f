"""The sidecar: lines that are only added, merged by git as they are, and read with conflict marks left in."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from evaltui.review.decisions import Decision, Sidecar, SidecarError, again, author_in, contradict, decision_on
from tests.review.test_decisions import an_item

GIT = ("git", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgsign=false")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own where git knows Ana, whatever the person who runs the tests has set."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "config", "user.name", "Ana")
    git(tmp_path, "config", "user.email", "ana@example.org")
    author_in.cache_clear()
    return tmp_path


def git(folder: Path, *arguments: str, fails: bool = False) -> None:
    done = subprocess.run([*GIT, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode != 0) == fails, done.stderr + done.stdout


def commit(folder: Path, message: str) -> None:
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", message)


def decision(author: str, verdict: str = "skipped", note: str = "") -> Decision:
    found = decision_on(an_item(), Path.cwd(), "skipped", note=note)
    return found._replace(author=author, verdict=verdict)  # type: ignore[arg-type]


def test_it_stands_beside_its_set_and_is_made_by_the_first_decision(folder: Path) -> None:
    sidecar = Sidecar(folder / "trips.evalset.json")
    assert sidecar.read().every == []
    assert not sidecar.path.exists()
    said = decision_on(an_item(), folder, "agent is wrong", note="née ☂\n\u202e")
    sidecar.add([said])
    assert sidecar.path == folder / "trips.evalset.json.review.jsonl"
    assert sidecar.read().every == [said]
    assert said.author == "Ana <ana@example.org>"
    (line,) = sidecar.path.read_text("utf-8").splitlines()
    assert json.loads(line)["decision"] == "agent is wrong"


def test_a_file_that_was_made_here_goes_with_its_last_decision(folder: Path) -> None:
    sidecar = Sidecar(folder / "trips.evalset.json")
    first, second = decision("Ana"), decision("Ana")
    sidecar.add([first])
    sidecar.add([second])
    sidecar.take_back([second])
    assert sidecar.read().about(an_item()) == [first]
    sidecar.take_back([first])
    assert not sidecar.path.exists()
    sidecar.add([again(first)])
    assert len(sidecar.read().every) == 1


@pytest.mark.parametrize("before", ["", "{}\n"])
def test_a_file_that_was_there_stays(folder: Path, before: str) -> None:
    sidecar = Sidecar(folder / "trips.evalset.json")
    sidecar.path.write_text(before)
    sidecar.add([first := decision("Ana")])
    sidecar.take_back([first])
    assert len(sidecar.path.read_text().removeprefix(before).splitlines()) == 2


def test_a_file_with_a_line_of_somebody_else_stays(folder: Path) -> None:
    sidecar, other = (Sidecar(folder / "trips.evalset.json") for _ in range(2))
    sidecar.add([first := decision("Ana")])
    other.add([second := decision("Bo")])
    sidecar.take_back([first])
    assert sidecar.read().about(an_item()) == [second]
    other.take_back([second])
    assert sidecar.read().about(an_item()) == []
    assert len(sidecar.path.read_text().splitlines()) == 4


def test_lines_are_only_ever_added_also_behind_a_line_that_was_cut_off(folder: Path) -> None:
    sidecar = Sidecar(folder / "a.json")
    sidecar.path.write_bytes(b'{"own": "line"}\n{"cut')
    first = decision("Ana")
    sidecar.add([first])
    assert sidecar.path.read_bytes().startswith(b'{"own": "line"}\n{"cut\n{"id"')
    sidecar.take_back([first])
    assert (sidecar.read().every, sidecar.read().unread) == ([], [1, 2])


def test_two_people_s_sidecars_merge_to_the_sum(folder: Path) -> None:
    """With the line in .gitattributes that docs/reviewing.md gives."""
    (folder / ".gitattributes").write_text("*.review.jsonl merge=union\n")
    sidecar = Sidecar(folder / "a.json")
    sidecar.add([decision("Base")])
    _two_branches(folder, sidecar)
    git(folder, "merge", "-q", "bo")
    assert [each.author for each in sidecar.read().every] == ["Base", "Ana", "Bo"]
    assert sidecar.read().unread == []
    assert contradict(sidecar.read().verdicts(an_item()).values())


@pytest.mark.parametrize("style", ["merge", "diff3"])
def test_conflict_marks_that_were_left_in_do_no_harm(folder: Path, style: str) -> None:
    git(folder, "config", "merge.conflictStyle", style)
    sidecar = Sidecar(folder / "a.json")
    sidecar.add([decision("Base")])
    _two_branches(folder, sidecar)
    git(folder, "merge", "-q", "bo", fails=True)
    assert b"<<<<<<<" in sidecar.path.read_bytes()
    assert [each.author for each in sidecar.read().every] == ["Base", "Ana", "Bo"]
    assert sidecar.read().unread == []


def _two_branches(folder: Path, sidecar: Sidecar) -> None:
    """Ana adds a line on the branch that is checked out at the end, Bo another on the branch bo."""
    commit(folder, "base")
    git(folder, "checkout", "-q", "-b", "bo")
    sidecar.add([decision("Bo", "accepted")._replace(became=an_item().seen)])
    commit(folder, "bo")
    git(folder, "checkout", "-q", "main")
    sidecar.add([decision("Ana", "agent is wrong")])
    commit(folder, "ana")


def test_without_git_s_settings_the_account_decides(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(folder, "config", "--unset", "user.name")
    git(folder, "config", "--unset", "user.email")
    monkeypatch.setenv("LOGNAME", "cy")
    assert author_in(folder) == "cy"
    author_in.cache_clear()


def test_one_that_cannot_be_read_or_written_is_a_sentence(folder: Path) -> None:
    sidecar = Sidecar(folder / "a.json")
    sidecar.path.mkdir()
    with pytest.raises(SidecarError, match="cannot be read"):
        sidecar.read()
    with pytest.raises(SidecarError, match="cannot be written"):
        sidecar.check_writable()
    with pytest.raises(SidecarError, match="cannot be written"):
        sidecar.add([decision("Ana")])


def test_a_decision_that_could_not_be_written_is_not_written_once_it_is_taken_back(folder: Path) -> None:
    sidecar = Sidecar(folder / "trips.evalset.json")
    sidecar.path.mkdir()
    first, second = decision("Ana"), decision("Ben")
    with pytest.raises(SidecarError):
        sidecar.add([first])
    with pytest.raises(SidecarError):
        sidecar.add([second])
    with pytest.raises(SidecarError):
        sidecar.take_back([first])
    sidecar.path.rmdir()
    sidecar.write_rest()
    assert sidecar.read().every == [second]
    assert b"takes_back" not in sidecar.path.read_bytes()

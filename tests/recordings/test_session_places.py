"""Where session databases are looked for: near the set, and within its project."""

from pathlib import Path

import pytest

from evaltui.recordings.recording_search import session_databases
from tests.strangers import Strangers


def made(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def found(folder: Path, eval_set: str, agent: str | None = None) -> list[str]:
    named = [folder / agent] if agent is not None else []
    return [str(path.relative_to(folder)) for path in session_databases(folder / eval_set, named)]


def test_the_nearest_come_first(tmp_path: Path) -> None:
    made(tmp_path, ".git", ".adk/session.db", "a/.adk/session.db", "a/b/.adk/session.db", "a/b/c/.adk/session.db")
    assert found(tmp_path, "a/b/set.json") == [
        "a/b/.adk/session.db", "a/.adk/session.db", ".adk/session.db", "a/b/c/.adk/session.db",
    ]  # fmt: skip


def test_the_folder_of_the_settings_comes_first_and_counts_once(tmp_path: Path) -> None:
    made(tmp_path, ".git", ".adk/session.db", "agent/.adk/session.db")
    assert found(tmp_path, "set.json", "agent") == ["agent/.adk/session.db", ".adk/session.db"]


def test_nothing_above_the_project_is_looked_into(tmp_path: Path) -> None:
    made(tmp_path, ".adk/session.db", "project/.git", "project/evals/set.json")
    assert found(tmp_path, "project/evals/set.json") == []


@pytest.mark.parametrize(("git", "wanted"), [([".git"], ["agent/.adk/session.db"]), ([], [])])
def test_agents_beside_the_folder_of_the_set_count_within_a_project(
    tmp_path: Path, git: list[str], wanted: list[str]
) -> None:
    made(tmp_path, *git, "agent/.adk/session.db", "tests/unit/set.json")
    assert found(tmp_path, "tests/unit/set.json") == wanted


def test_agents_beside_do_not_count_where_one_is_nearer(tmp_path: Path) -> None:
    made(tmp_path, ".git", "agent/.adk/session.db", "other/.adk/session.db", "agent/evals/set.json")
    assert found(tmp_path, "agent/evals/set.json") == ["agent/.adk/session.db"]


def test_a_folder_of_that_name_is_no_database(tmp_path: Path) -> None:
    made(tmp_path, ".adk/session.db/x")
    assert found(tmp_path, "set.json") == []


def test_a_database_of_a_stranger_above_does_not_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made(tmp_path, ".adk/session.db", "agent/.adk/session.db", "mine/set.json")
    strangers = Strangers(monkeypatch)
    assert found(tmp_path, "mine/set.json") == [".adk/session.db"]
    strangers.own(tmp_path / ".adk" / "session.db")
    assert found(tmp_path, "mine/set.json") == []
    made(tmp_path, ".git")
    strangers.own(tmp_path / ".git")  # planted, so that the folder seems to be a repository
    assert found(tmp_path, "mine/set.json") == []

"""The search for settings of a project: where it ends, and whose files count."""

import os
from pathlib import Path

import pytest

from evaltui.runs.agent_run import find_agent
from evaltui.runs.command_process import CommandError
from evaltui.settings.project_settings import SettingsError, project_settings, read_settings_again, settings_files
from tests.strangers import STRANGER, Strangers

STRICT, BROKEN = "strict = true\n", "strict = "


@pytest.fixture
def strangers(monkeypatch: pytest.MonkeyPatch) -> Strangers:
    read_settings_again()
    return Strangers(monkeypatch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    read_settings_again()
    inner = tmp_path / "project" / "sets"
    inner.mkdir(parents=True)
    return inner


def written(path: Path, text: str = STRICT) -> Path:
    path.write_text(f"[tool.evaltui]\n{text}" if path.name == "pyproject.toml" else text)
    return path


@pytest.mark.parametrize("name", ["evaltui.toml", "pyproject.toml"])
@pytest.mark.parametrize("text", [STRICT, BROKEN, "strikt = 1\n", f"x = '{'x' * 2_000_000}'"])
def test_settings_of_a_stranger_above_change_nothing_and_stop_nobody(
    folder: Path, strangers: Strangers, name: str, text: str
) -> None:
    strangers.own(written(folder.parent / name, text), written(folder / name, text))
    assert project_settings(folder).path is None
    own = written(folder.parent.parent / "pyproject.toml")
    read_settings_again()
    assert project_settings(folder).path == own
    assert [*settings_files(folder)][-1] == own


def test_a_link_of_a_stranger_to_a_file_of_the_user_does_not_count(folder: Path, strangers: Strangers) -> None:
    target = written(folder / "broken", BROKEN)
    (folder.parent / "evaltui.toml").symlink_to(target)
    with pytest.raises(SettingsError):
        project_settings(folder)
    strangers.own(folder.parent / "evaltui.toml")
    assert project_settings(folder).path is None
    (folder / "evaltui.toml").symlink_to(target)  # a link of the user to a file of a stranger
    strangers.own(target)
    assert project_settings(folder).path is None


def test_a_repository_planted_above_does_not_make_settings_count(folder: Path, strangers: Strangers) -> None:
    (folder.parent / ".git").mkdir()
    strangers.own(folder.parent / ".git", written(folder.parent / "evaltui.toml"))
    assert project_settings(folder).path is None


def test_settings_of_root_and_of_the_owner_of_the_folder_count(folder: Path, strangers: Strangers) -> None:
    """A container mounts a repository of another user."""
    path = written(folder.parent / "evaltui.toml")
    for user in (0, STRANGER):
        strangers.own(path, folder, user=user)
        read_settings_again()
        assert project_settings(folder).path == path


@pytest.mark.parametrize("kind", ["folder", "file", "link that leads nowhere"])
def test_the_search_ends_at_the_root_of_the_repository(folder: Path, kind: str) -> None:
    written(folder.parent.parent / "evaltui.toml", BROKEN)
    (folder.parent.parent / "agent.py").touch()
    git = folder.parent / ".git"
    git.mkdir() if kind == "folder" else git.touch() if kind == "file" else git.symlink_to("gone")
    assert project_settings(folder).path is None
    assert {path.parent for path in settings_files(folder)} == {folder, folder.parent}
    with pytest.raises(CommandError, match="No agent found"):
        find_agent(folder / "set.json", None)
    own = written(folder.parent / "evaltui.toml")
    read_settings_again()
    assert project_settings(folder).path == own


def test_the_search_ends_at_the_home_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(folder.parent.parent / "evaltui.toml", BROKEN)
    (folder.parent.parent / "link").symlink_to(folder.parent)
    for home in (folder.parent, folder.parent.parent / "link"):
        monkeypatch.setenv("HOME", f"{home}/")
        assert project_settings(folder).path is None
        assert {path.parent for path in settings_files(folder)} == {folder, folder.parent}
    own = written(folder.parent / "evaltui.toml")
    read_settings_again()
    assert project_settings(folder).path == own


@pytest.mark.parametrize("name", ["evaltui.toml", "pyproject.toml"])
def test_what_is_no_file_has_no_settings(folder: Path, name: str) -> None:
    os.mkfifo(folder / name)
    (folder.parent / name).symlink_to("/dev/zero")
    (folder.parent.parent / name).mkdir()
    assert project_settings(folder).path is None


def test_settings_that_never_end_are_refused(folder: Path) -> None:
    with (folder / "evaltui.toml").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(SettingsError, match="the file has more than 1,000,000 bytes"):
        project_settings(folder)

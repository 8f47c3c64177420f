"""The command that runs the agent, from the settings of the user and of the project."""

from pathlib import Path

import pytest

from evaltui.settings.project_settings import SettingsError, read_settings_again
from evaltui.settings.run_command import run_command
from evaltui.settings.user_settings import Settings, in_force, load_settings


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "sets").mkdir()
    read_settings_again()
    return tmp_path


def user(tmp_path: Path, text: str) -> Settings:
    path = tmp_path / "config.toml"
    path.write_text(text)
    return load_settings(path)


def test_without_settings_there_is_no_command(project: Path) -> None:
    assert run_command(Settings(), project / "sets" / "a.json") is None


@pytest.mark.parametrize(
    ("name", "head"), [("evaltui.toml", ""), ("pyproject.toml", "[project]\nname = 'x'\n[tool.evaltui]\n")]
)
def test_the_command_of_a_project_runs_in_its_folder(project: Path, name: str, head: str) -> None:
    (project / name).write_text(f'{head}run = "adk eval {{agent}}"\nagent = "app"\n')
    command = run_command(Settings(), project / "sets" / "a.json")
    assert command is not None
    assert (command.text, command.origin, command.folder) == ("adk eval {agent}", project / name, project)
    assert command.agent == project / "app"
    assert not command.is_own


def test_the_users_own_command_wins_and_takes_folder_and_agent_of_the_project(project: Path) -> None:
    settings = user(project, 'run = "mine {set}"')
    command = run_command(settings, project / "sets" / "a.json")
    assert command is not None
    assert (command.text, command.folder, command.is_own) == ("mine {set}", project / "sets", True)
    (project / "evaltui.toml").write_text('run = "theirs"\nagent = "app"\n')
    read_settings_again()
    command = run_command(settings, project / "sets" / "a.json")
    assert command is not None
    assert (command.text, command.folder, command.agent) == ("mine {set}", project, project / "app")
    assert command.is_own


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run = 3", "run must be a command"),
        ("run = '  '", "run must be a command"),
        ('run = "a\\u0000b"', "run contains a null character"),
        (f"run = '{'x' * 3000}'", "run has more than 2,000 characters; put it into a script"),
    ],
)
def test_a_command_that_is_none_is_said_of_project_and_user(project: Path, text: str, said: str) -> None:
    ((line, sentence),) = user(project, text).complaints
    assert line == 1
    assert sentence.replace("run: ", "run ").startswith(said)
    (project / "evaltui.toml").write_text(text)
    read_settings_again()
    with pytest.raises(SettingsError, match=said.partition(";")[0]):
        run_command(Settings(), project / "sets" / "a.json")


@pytest.mark.parametrize("text", ["agent = 3", "agent = ''"])
def test_an_agent_that_is_no_folder_is_said(project: Path, text: str) -> None:
    (project / "evaltui.toml").write_text(text)
    with pytest.raises(SettingsError, match='agent must be a folder, such as "trip_agent"'):
        run_command(Settings(), project / "sets" / "a.json")


def test_the_command_in_force_is_one_safe_line(project: Path) -> None:
    settings = user(project, 'run = "a\\n\\u001b[31m\\u202e\\"b"')
    shown = {name: (value, origin) for name, value, origin in in_force(settings)}
    assert shown["run"] == ('"a\\n\\u001b[31m⁞\\"b"', str(settings.path))
    assert "run" not in {name for name, _, _ in in_force(Settings())}

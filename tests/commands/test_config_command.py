"""`evaltui config`: the path, the settings in force, what is wrong."""

from pathlib import Path

import pytest

from evaltui.cli import main
from evaltui.settings.project_settings import read_settings_again


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    path = tmp_path / "evaltui" / "config.toml"
    path.parent.mkdir()
    return path


def test_the_path_is_printed_whether_the_file_exists_or_not(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "--path"]) == 0
    assert capsys.readouterr().out == f"{config}\n"


def test_the_settings_are_printed_with_where_they_come_from(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('theme = "nord"\n[keys]\n"tree.add" = "f10"\n')
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f'theme = "nord"  # {config}' in lines
    assert "mouse = true  # default" in lines
    assert f'keys.tree.add = "f10"  # {config}' in lines


def test_what_is_wrong_is_exit_1_and_a_sentence(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text("\nmouse = 3\n")
    assert main(["config"]) == 1
    said = capsys.readouterr()
    assert said.err == f"{config}:2: mouse: 3 is not true or false\n"
    assert "mouse = true  # default" in said.out


def test_all_commands_are_listed_with_the_keys_they_have(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text('[keys]\n"tree.add" = "f10"\n')
    assert main(["config", "--commands"]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("tree.add "))
    assert row.split()[:3] == ["tree.add", "f10", "Add"]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    read_settings_again()
    return folder / "evaltui.toml"


def test_the_command_of_the_agent_is_printed_on_one_safe_line_with_its_file(
    config: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write_text('run = "adk\\n\\u001b[31m {agent}"\nagent = "app"\n')
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f'run = "adk\\n\\u001b[31m {{agent}}"  # {project}, runs once you trust it' in lines
    assert f'agent = "app"  # {project}' in lines
    config.write_text('run = "mine"\n')
    assert main(["config"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("run = ")] == [f'run = "mine"  # {config}']


def test_settings_of_the_project_that_do_not_hold_are_exit_1_and_a_sentence(
    config: Path, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project.write_text("run = 3\n")
    assert main(["config"]) == 1
    said = capsys.readouterr()
    assert said.err == f'evaltui: {project}: run must be a command, such as "adk eval {{agent}} {{set}}:{{cases}}"\n'
    assert "mouse = true  # default" in said.out

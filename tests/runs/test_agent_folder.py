"""The folder of an agent: named, or found above the set."""

from pathlib import Path

import pytest

from evaltui.runs.agent_folder import agent_folder
from evaltui.runs.command_process import CommandError


@pytest.mark.parametrize(
    ("name", "text"),
    [("agent.py", ""), ("root_agent.yaml", ""), ("__init__.py", "from .x import root_agent\n")],
)
@pytest.mark.parametrize("below", ["set.json", "tests/eval/set.json"])
def test_the_nearest_folder_with_an_agent_is_taken(tmp_path: Path, name: str, text: str, below: str) -> None:
    for folder in (tmp_path, tmp_path / "trip"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "trip" / "tests").mkdir()
    (tmp_path / "trip" / "tests" / "__init__.py").write_text("# no agent\n")
    assert agent_folder(tmp_path / "trip" / below, None) == tmp_path / "trip"


def test_a_named_folder_goes_before_those_above(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    named = tmp_path / "other"
    named.mkdir()
    assert agent_folder(tmp_path / "set.json", named) == named
    with pytest.raises(CommandError, match=r"The folder in the setting agent does not exist: .*gone"):
        agent_folder(tmp_path / "set.json", tmp_path / "gone")


def test_the_search_ends_at_the_root_of_a_repository(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    with pytest.raises(CommandError, match=r'Write the folder into evaltui\.toml: agent = "path/of/agent"'):
        agent_folder(tmp_path / "repo" / "sets" / "set.json", None)


def test_a_package_that_cannot_be_read_is_no_agent(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_bytes(b"\xff" * 2_000_000 + b"root_agent")
    (tmp_path / ".git").mkdir()
    with pytest.raises(CommandError):
        agent_folder(tmp_path / "set.json", None)

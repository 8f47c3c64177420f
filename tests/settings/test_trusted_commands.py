"""Trust in commands of projects: by text, folder and agent, kept for the user only."""

import json
import os
import stat
from pathlib import Path

import pytest

from evaltui.document.errors import SaveError
from evaltui.settings import trusted_commands
from evaltui.settings.run_command import RunCommand
from evaltui.settings.trusted_commands import is_trusted, trust, trusted_path


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(trusted_commands, "user_state_path", lambda _: tmp_path / "state")


AGENT = Path("/p/agent")


def command(text: str = "adk eval {agent}", folder: Path = Path("/p")) -> RunCommand:
    return RunCommand(text, folder / "evaltui.toml", folder)


def trusted(asked: RunCommand) -> bool:
    """Whether a command may run with the usual agent."""
    return is_trusted(asked, AGENT)


def test_another_agent_that_a_search_found_is_asked_about(tmp_path: Path) -> None:
    """A clone below a trusted project has code of its own; so has a link that leads elsewhere now."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "agent").symlink_to("one")
    trust(command(), tmp_path / "agent")
    assert is_trusted(command(), tmp_path / "one")
    assert not is_trusted(command(), tmp_path / "other")
    (tmp_path / "agent").unlink()
    (tmp_path / "agent").symlink_to("other")
    assert not is_trusted(command(), tmp_path / "agent")


def test_a_command_is_trusted_once_it_was_and_only_that_one(tmp_path: Path) -> None:
    assert not trusted(command())
    trust(command(), AGENT)
    assert trusted(command())
    assert not trusted(command("adk eval {agent} "))
    assert not trusted(command(folder=tmp_path))
    assert not is_trusted(command(), Path("/p/other"))
    trust(command("other"), AGENT)
    assert trusted(command())
    assert trusted(command("other"))


def test_the_same_folder_by_another_name_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    trust(command(folder=tmp_path / "link"), AGENT)
    assert trusted(command(folder=tmp_path / "project"))


def test_commands_of_the_user_need_no_trust() -> None:
    assert trusted(command()._replace(is_own=True))
    assert not trusted_path().exists()


def test_the_file_is_for_the_user_only_and_holds_no_command() -> None:
    trust(command("secret --token abc"), AGENT)
    assert stat.S_IMODE(trusted_path().stat().st_mode) == 0o600
    assert "secret" not in trusted_path().read_text()
    assert [path.name for path in trusted_path().parent.iterdir()] == ["trusted_commands.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"7", b"[7, null]", b"\xff", b" " * 2_000_000])
def test_a_file_that_makes_no_sense_trusts_nothing_and_is_written_anew(content: bytes) -> None:
    trusted_path().parent.mkdir()
    trusted_path().write_bytes(content)
    assert not trusted(command())
    trust(command(), AGENT)
    assert trusted(command())


def test_a_file_that_others_could_write_trusts_nothing() -> None:
    trust(command(), AGENT)
    trusted_path().chmod(0o622)
    assert not trusted(command())


def test_only_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trusted_commands, "_MOST", 3)
    for name in "abcd":
        trust(command(name), AGENT)
    trust(command("b"), AGENT)
    assert len(json.loads(trusted_path().read_text())) == 3
    assert [trusted(command(name)) for name in "abcd"] == [False, True, True, True]


def test_a_file_at_the_name_of_the_new_one_is_not_followed(tmp_path: Path) -> None:
    trusted_path().parent.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    trusted_path().with_suffix(f".{os.getpid()}").symlink_to(victim)
    trust(command(), AGENT)
    assert victim.read_text() == "mine"
    assert trusted(command())


def test_an_answer_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(SaveError, match=r"Your choice was not saved: .*trusted_commands"):
        trust(command(), AGENT)

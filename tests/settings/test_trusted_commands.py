"""Trust in commands: by text, folders and the files that they name, kept for the user only."""

import json
import os
import stat
from pathlib import Path

import pytest

from evaltui.document.errors import SaveError
from evaltui.settings import run_command as run_command_module
from evaltui.settings.run_command import RunCommand, is_trusted, state_of, trust, trusted_path


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(run_command_module, "user_state_path", lambda _: tmp_path / "state")


AGENT = Path("/p/agent")


def command(text: str = "adk eval {agent}", folder: Path = Path("/p")) -> RunCommand:
    return RunCommand(text, folder / "evaltui.toml", folder)


def trusted(asked: RunCommand, agent: Path | None = AGENT) -> bool:
    """Whether a command may run with an agent."""
    return is_trusted(state_of(asked, agent)[0])


def trust_now(asked: RunCommand, agent: Path | None = AGENT) -> None:
    """Trust a command as it is now."""
    trust(state_of(asked, agent)[0])


def test_another_agent_that_a_search_found_is_asked_about(tmp_path: Path) -> None:
    """A clone below a trusted project has code of its own; so has a link that leads elsewhere now."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
    (tmp_path / "agent").symlink_to("one")
    trust_now(command(), tmp_path / "agent")
    assert trusted(command(), tmp_path / "one")
    assert not trusted(command(), tmp_path / "other")
    (tmp_path / "agent").unlink()
    (tmp_path / "agent").symlink_to("other")
    assert not trusted(command(), tmp_path / "agent")


def test_a_command_is_trusted_once_it_was_and_only_that_one(tmp_path: Path) -> None:
    assert not trusted(command())
    trust_now(command())
    assert trusted(command())
    assert not trusted(command("adk eval {agent} "))
    assert not trusted(command(folder=tmp_path))
    assert not trusted(command(), Path("/p/other"))
    trust_now(command("other"))
    assert trusted(command())
    assert trusted(command("other"))


def test_the_same_folder_by_another_name_is_the_same(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "project")
    trust_now(command(folder=tmp_path / "link"))
    assert trusted(command(folder=tmp_path / "project"))


def test_a_command_of_the_user_is_asked_about_once_for_each_folder_and_agent(tmp_path: Path) -> None:
    """It imports the code of these folders."""
    for text in ("adk eval {agent} {set}", "./run.sh", "python -m evals", "/usr/bin/make eval"):
        own = command(text)._replace(is_own=True, origin=Path("/home/ada/config.toml"))
        assert not trusted(own)
        trust_now(own)
        assert trusted(own)
        assert not trusted(own._replace(folder=tmp_path))
        assert not trusted(own, tmp_path)


def test_another_folder_in_the_place_of_a_trusted_one_is_asked_about(tmp_path: Path) -> None:
    for name in ("project", "agent", "clone"):
        (tmp_path / name).mkdir()
    trust_now(command(folder=tmp_path / "project"), tmp_path / "agent")
    (tmp_path / "project").rename(tmp_path / "renamed")
    assert not trusted(command(folder=tmp_path / "renamed"), tmp_path / "agent")
    (tmp_path / "clone").rename(tmp_path / "project")
    assert not trusted(command(folder=tmp_path / "project"), tmp_path / "agent")


NAMING = [
    ("./evals/run.sh {set}", "evals/run.sh"),
    ("python 'my run.py' --set={set}", "my run.py"),
    ("sh -c 'cd . && sh evals/run.sh | tee log'", "evals/run.sh"),
    ("python {agent}/eval.py", "agent/eval.py"),
    ("env X=1 run --config=evals/run.toml", "evals/run.toml"),
    ("../tools/run.sh", "../tools/run.sh"),
    ("{folder}/run.sh", "run.sh"),
    ("sh link.sh", "link.sh"),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "work" / "project"
    for text, name in NAMING:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name == "link.sh":
            path.symlink_to("target.sh")
        path.write_text(text)
    return folder


@pytest.mark.parametrize(("text", "name"), NAMING)
def test_a_file_that_the_command_names_and_that_changed_is_asked_about(project: Path, text: str, name: str) -> None:
    asked = command(text.replace("{folder}", str(project)), project)
    path = (project / name).resolve()
    assert [
        (project / file.replace("{agent}", "agent")).resolve() for file in state_of(asked, project / "agent")[1]
    ] == [path]
    trust_now(asked, project / "agent")
    assert trusted(asked, project / "agent")
    before = path.read_bytes()
    path.write_bytes(before + b"#")
    assert not trusted(asked, project / "agent")
    path.write_bytes(before)
    assert trusted(asked, project / "agent")
    path.unlink()
    assert not trusted(asked, project / "agent")
    os.mkfifo(path)
    assert not trusted(asked, project / "agent")


def test_a_file_that_appears_where_the_command_names_one_is_asked_about(tmp_path: Path) -> None:
    asked = command("python run.py", tmp_path)
    trust_now(asked)
    (tmp_path / "run.py").touch()
    assert not trusted(asked)


def test_of_large_files_size_and_time_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_command_module, "_MOST_READ", 10)
    path = tmp_path / "run.sh"
    path.write_bytes(b"0123456789abc")
    os.utime(path, (1, 1))
    asked = command("sh run.sh", tmp_path)
    trust_now(asked)
    assert trusted(asked)
    path.write_bytes(b"0123456789abd")
    assert not trusted(asked)


def test_what_leads_nowhere_or_to_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "folder").mkdir()
    asked = command("run pipe zero loop folder gone ~ . .. / '' {set} {cases} " + "x" * 300, tmp_path)
    assert state_of(asked, None)[1] == ()


def test_the_file_is_for_the_user_only_and_holds_no_command() -> None:
    trust_now(command("secret --token abc"))
    assert stat.S_IMODE(trusted_path().stat().st_mode) == 0o600
    assert "secret" not in trusted_path().read_text()
    assert [path.name for path in trusted_path().parent.iterdir()] == ["trusted_commands.json"]


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"7", b"[7, null]", b"\xff", b" " * 2_000_000])
def test_a_file_that_makes_no_sense_trusts_nothing_and_is_written_anew(content: bytes) -> None:
    trusted_path().parent.mkdir()
    trusted_path().write_bytes(content)
    assert not trusted(command())
    trust_now(command())
    assert trusted(command())


def test_a_file_that_others_could_write_trusts_nothing() -> None:
    trust_now(command())
    trusted_path().chmod(0o622)
    assert not trusted(command())


def test_only_the_newest_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_command_module, "_MOST", 3)
    for name in "abcd":
        trust_now(command(name))
    trust_now(command("b"))
    assert len(json.loads(trusted_path().read_text())) == 3
    assert [trusted(command(name)) for name in "abcd"] == [False, True, True, True]


def test_a_file_at_the_name_of_the_new_one_is_not_followed(tmp_path: Path) -> None:
    trusted_path().parent.mkdir()
    victim = tmp_path / "victim"
    victim.write_text("mine")
    trusted_path().with_suffix(f".{os.getpid()}").symlink_to(victim)
    trust_now(command())
    assert victim.read_text() == "mine"
    assert trusted(command())


def test_an_answer_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("a file")
    with pytest.raises(SaveError, match=r"Your choice was not saved: .*trusted_commands"):
        trust_now(command())

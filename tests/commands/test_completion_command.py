"""`evaltui completion`: set up as the help says, then Tab in a real bash, zsh and fish."""

import os
import pty
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.commands.completion import _ENDINGS, DESCRIPTION, completion_script
from evaltui.commands.parser import ProgramParser
from tests.commands.conftest import Evaltui

COMPLETED = {
    "evaltui vali": "evaltui validate",
    "evaltui tri": "evaltui trips.evalset.json",
    "evaltui trips.evalset.json -r rec": "evaltui trips.evalset.json -r recordings",
    "evaltui trips.evalset.json --reado": "evaltui trips.evalset.json --readonly",
    "evaltui run trips.evalset.json oth": "evaltui run trips.evalset.json others.evalset.json",
    "evaltui run trips.evalset.json -r re": "evaltui run trips.evalset.json -r recordings",
    "evaltui run --format ju": "evaltui run --format junit",
    "evaltui run --metric tool_tr": "evaltui run --metric tool_trajectory_avg_score",
    "evaltui run --match-type IN_": "evaltui run --match-type IN_ORDER",
    "evaltui validate --conf": "evaltui validate --config",
    "evaltui rule unread-f": "evaltui rule unread-final-state",
    "evaltui convert --to cx": "evaltui convert --to cxas-yaml",
    "evaltui edit --case a my\\ s": "evaltui edit --case a my\\ set.json",
    "evaltui no": "evaltui notes/",
    "evaltui run no": "evaltui run notes/",
    "evaltui run notes/": "evaltui run notes/deep.json",
    "evaltui run a.json -r trace": "evaltui run a.json -r traces.jsonl",
    "evaltui run a.json -r sess": "evaltui run a.json -r session.db",
    "evaltui run a.json --config eval": "evaltui run a.json --config evaluators.yaml",
    "evaltui run a.json -o sco": "evaltui run a.json -o scores.md",
    "evaltui convert --to ces eval": "evaltui convert --to ces evaluators.yaml",
    "evaltui run eval": "evaltui run eval",
    "evaltui compare sco": "evaltui compare sco",
    "evaltui run ~/home": "evaltui run ~/home_set.json",
}
_BASH_KEYS = """\
PS1='ready> '
show_line() { printf '\\n<<%s>>\\n' "$READLINE_LINE"; READLINE_LINE=; }
bind -x '"\\C-t": show_line'
"""
_ZSH_KEYS = """\
PS1='ready> '
autoload -Uz compinit; compinit -u -D
show_line() { print -r -- $'\\n'"<<$BUFFER>>"; BUFFER= }
zle -N show_line; bindkey '^T' show_line; bindkey '^I' complete-word
"""
_RC = {"bash": (".bashrc", _BASH_KEYS), "zsh": (".zshrc", _ZSH_KEYS), "fish": (".config/fish/config.fish", "")}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with `evaltui` on the path; the current folder has files to complete."""
    home = tmp_path / "home"
    program = home / "bin" / "evaltui"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m evaltui "$@"\n')
    program.chmod(0o755)
    for name in ("PATH", "HOME", "TERM", "COLUMNS"):
        values = {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(home), "TERM": "dumb"}
        monkeypatch.setenv(name, values.get(name, "200"))
    for name in ("XDG_CONFIG_HOME", "ZDOTDIR", "BASH_ENV"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "work"
    (folder / "recordings").mkdir(parents=True)
    (folder / "notes").mkdir()
    (home / "home_set.json").touch()
    (home / "home_notes.txt").touch()
    for name in ("trips.evalset.json", "others.evalset.json", "my set.json", "my notes.txt", "notes.txt"):
        (folder / name).touch()
    for name in ("notes/deep.json", "notes/deep.txt", "traces.jsonl", "traces.txt", "session.db", "session.log"):
        (folder / name).touch()
    for name in ("evaluators.yaml", "evaluators.txt", "scores.md", "scores.log", "trips.txt", "recordings.txt"):
        (folder / name).touch()
    monkeypatch.chdir(folder)
    return home


@pytest.mark.parametrize("shell", _RC)
def test_tab_completes_what_was_typed(home: Path, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    if shell == "bash" and b"old" in subprocess.check_output(["bash", "-c", "((BASH_VERSINFO[0] >= 4)) || echo old"]):
        pytest.skip("bash before 4 cannot show its line to a test")
    name, text = _RC[shell]
    rc = home / name
    rc.parent.mkdir(parents=True, exist_ok=True)
    rc.write_text(text)
    (line,) = (each for each in DESCRIPTION.splitlines() if each.strip().startswith(shell))
    subprocess.run(["sh", "-c", line.split(maxsplit=1)[1]], check=True)
    found = _in_fish() if shell == "fish" else dict(zip(COMPLETED, _in_terminal(shell), strict=True))
    assert {typed: line.rstrip(" /") for typed, line in found.items()} == {
        typed: line.rstrip("/") for typed, line in COMPLETED.items()
    }


def _in_fish() -> dict[str, str]:
    """The typed lines with the only candidate that fish has for the last word."""
    found = {}
    for typed in COMPLETED:
        done = subprocess.run(["fish", "-c", 'complete -C "$argv"', typed], capture_output=True, text=True, check=True)
        candidates = [line.partition("\t")[0] for line in done.stdout.splitlines()]
        before = typed[: len(typed) - len(typed.replace("\\ ", "__").rpartition(" ")[2])]
        shown = " ".join(each.replace(" ", "\\ ") for each in candidates)
        found[typed] = before + shown if candidates else typed
    return found


def _in_terminal(shell: str) -> Iterator[str]:
    """Type each line, then Tab, in an interactive shell; yields the line that it then has."""
    terminal, inner = pty.openpty()
    process = subprocess.Popen([shell, "-i"], stdin=inner, stdout=inner, stderr=inner, start_new_session=True)
    os.close(inner)
    shown = b""
    try:
        while b"ready> " not in shown:
            shown += os.read(terminal, 4096)
        for typed in COMPLETED:
            os.write(terminal, typed.encode() + b"\t\x14")
            shown = b""
            while b">>" not in shown:
                shown += os.read(terminal, 4096)
            yield shown.rpartition(b"<<")[2].partition(b">>")[0].decode()
    finally:
        process.kill()
        process.wait()
        os.close(terminal)


@pytest.mark.parametrize("shell", _RC)
def test_the_script_is_printed(evaltui: Evaltui, shell: str) -> None:
    done = evaltui("completion", shell)
    assert (done.code, done.err) == (0, "")
    assert done.out.decode() == completion_script(shell) + "\n"
    assert "/home" not in done.out.decode()


def test_another_shell_is_exit_2(evaltui: Evaltui) -> None:
    done = evaltui("completion", "tcsh")
    assert (done.code, done.out) == (2, b"")
    assert "choose from" in done.err


def test_each_value_is_a_path_or_known_to_be_none() -> None:
    free = {"NAME[=THRESHOLD]", "ADDRESS", "TYPE", "CODES", "CODE", "ID", "N", "N-M", "TEXT", "CMD", "GLOB"}
    for command in ProgramParser().commands.values():
        taken = [each for each in command._actions if each.metavar and not each.choices and each.dest != "output"]
        assert {each.dest for each in taken if each.metavar not in free} <= set(_ENDINGS)
        assert not {each.dest for each in taken if each.metavar in free} & set(_ENDINGS)

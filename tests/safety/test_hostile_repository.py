"""All commands in a repository of an attacker: nothing in it runs, deletes, hangs or speaks for evaltui."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.safety.hostile_repository import (
    fingerprint,
    write_good_repository,
    write_hostile_repository,
    write_outside,
    write_temporary,
)
from tests.terminal.pseudo_terminal import PseudoTerminal

SET, RECORDED = "a.evalset.json", ("-r", "recs")
COMMANDS: Mapping[str, Sequence[str]] = {
    "validate a folder": ("validate", ".", "--jobs", "2"),
    "validate for a runner": ("validate", ".", "--format", "github"),
    "validate and fix": ("validate", SET, "ds.json", "--fix", "--diff"),
    "validate as JSON": ("validate", SET, "nested.json", "settings/s.evalset.json", "--format", "json"),
    "run": ("run", SET, *RECORDED, "--jobs", "2"),
    "run as JSON": ("run", SET, *RECORDED, "--format", "json"),
    "run as JUnit": ("run", SET, *RECORDED, "--format", "junit"),
    "run as Markdown": ("run", SET, *RECORDED, "--format", "markdown"),
    "run for a runner": ("run", SET, *RECORDED, "--format", "github"),
    "run a folder": ("run", "."),
    "run a dataset": ("run", "ds.json"),
    "run with a database": ("run", SET, "-r", ".adk/session.db"),
    "run in place of a link": ("run", SET, *RECORDED, "-o", "out.json", "-o", "sub/out.xml"),
    "save a baseline in place of a link": ("run", SET, *RECORDED, "--save-baseline", "base.json"),
    "review as text": ("review", SET, *RECORDED, "--format", "text"),
    "review as JSON": ("review", SET, *RECORDED, "--format", "json"),
    "review as Markdown": ("review", SET, *RECORDED, "--format", "markdown"),
    "accept with a note": ("accept", SET, *RECORDED, "--case", "alpha", "--note", "$(touch ran)"),
    "record, list": ("record", "--list"),
    "record a result": ("record", "recs/a.evalset_result.json", "-o", "new.json"),
    "record into a set": ("record", "recs/a.evalset_result.json", "--into", SET, "--again", "--diff"),
    "convert beside the set": ("convert", SET, "--to", "ces", "--force"),
    "convert in place of a link": ("convert", SET, "--to", "ces", "-o", "out.json"),
    "convert below a link": ("convert", SET, "--to", "ces", "-o", "sub/set.json"),
    "convert YAML": ("convert", "alias.yaml", "--to", "evalset", "-o", "-"),
    "compare": ("compare", "base.evalset_result.json", "recs/a.evalset_result.json"),
    "patch": ("patch", SET, "patch.json", "--diff"),
    "patch nothing": ("patch", "nested.json", "patch.json", "--diff"),
    "settings": ("config",),
    "completion": ("completion", "bash"),
}
MOST_MEMORY = 500_000
"""Kilobytes of a process."""
RATIO, LEAST_SECONDS = 10, 1.0
"""A command may take this many times the processor time that it takes in a good repository, if that is not tiny."""


class Surroundings(NamedTuple):
    """A hostile and a good repository, and the folders of the user."""

    hostile: Path
    good: Path
    mark: Path
    home: Path
    temporary: Path

    def environment(self) -> dict[str, str]:
        """The variables of a runner. What evaltui keeps for its user lies beside the folders that are compared."""
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "LANG", "LC_ALL")}
        state = {
            f"XDG_{name}_HOME": str(self.home.parent / name.lower()) for name in ("STATE", "CONFIG", "CACHE", "DATA")
        }
        runner = {"GITHUB_ACTIONS": "true", "HOME": str(self.home), "TMPDIR": str(self.temporary), "COLUMNS": "40"}
        path = {"PATH": f".:{os.environ['PATH']}", "TMUX": "x", "DISPLAY": ":9"}
        return kept | state | runner | path | {"TERM": "xterm-256color", "EDITOR": "true"}

    def unchanged(self) -> dict[str, tuple[int, bytes | str]]:
        """What no command may change, in the folders of the user and in the links of the repository."""
        links = {str(path): (0, str(path.readlink())) for path in self.hostile.iterdir() if path.is_symlink()}
        return fingerprint(self.home, self.temporary) | links


@pytest.fixture(scope="module")
def surroundings(tmp_path_factory: pytest.TempPathFactory) -> Surroundings:
    folder = tmp_path_factory.mktemp("surroundings")
    surroundings = Surroundings(*(folder / name for name in ("hostile", "good", "ran", "home", "temporary")))
    write_outside(surroundings.home)
    write_temporary(surroundings.temporary)
    write_hostile_repository(surroundings.hostile, surroundings.home, surroundings.mark)
    write_good_repository(surroundings.good)
    return surroundings


class Ended(NamedTuple):
    """How a command ended, and the processor seconds and kilobytes that it took."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    memory: int


def ended(surroundings: Surroundings, words: Sequence[str], *, in_hostile: bool) -> Ended:
    """Run a program in a copy of a repository; one that hangs is killed, which is a negative code."""
    repository = surroundings.hostile if in_hostile else surroundings.good
    out, err = (surroundings.home.parent / name for name in ("out", "err"))
    with out.open("wb") as to, err.open("wb") as errors:
        process = subprocess.Popen(
            words, cwd=repository, env=surroundings.environment(), stdin=subprocess.DEVNULL, stdout=to, stderr=errors
        )
        timer = threading.Timer(60, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
    code = process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(code, out.read_bytes(), err.read_bytes(), usage.ru_utime + usage.ru_stime, usage.ru_maxrss)


def evaltui(*words: str) -> list[str]:
    """The command line of the console script, as people start it."""
    return [str(Path(sys.executable).with_name("evaltui")), *words]


@pytest.fixture
def nothing_changes(surroundings: Surroundings) -> Iterator[None]:
    before = surroundings.unchanged()
    yield
    assert surroundings.unchanged() == before
    assert not surroundings.mark.exists()


def test_the_good_repository_is_good(surroundings: Surroundings) -> None:
    done = ended(surroundings, evaltui("run", SET, *RECORDED, "--format", "json"), in_hostile=False)
    assert (done.code, done.err) == (1, b"")


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("nothing_changes")
def test_a_command(surroundings: Surroundings, name: str) -> None:
    words = evaltui(*COMMANDS[name])
    repository = surroundings.hostile
    sets = {
        path: path.read_bytes()
        for path in repository.glob("[a-z]*.evalset.json")
        if not path.is_symlink() and path.is_file()
    }
    hostile = ended(surroundings, words, in_hostile=True)
    for path, data in sets.items():
        path.write_bytes(data)
    assert hostile.code in (0, 1, 2, 3), hostile.err
    assert b"Traceback" not in hostile.err
    assert "internal error" not in hostile.err.decode()
    assert hostile.memory < MOST_MEMORY
    good = ended(surroundings, words, in_hostile=False)
    assert hostile.seconds < RATIO * max(good.seconds, LEAST_SECONDS)
    assert runner_commands(hostile.out + hostile.err, is_for_runner="github" in words) == []


def runner_commands(log: bytes, *, is_for_runner: bool) -> list[str]:
    """The lines of a log that a runner obeys, without evaltui's own annotations."""
    lines = [line.strip() for line in re.split(r"\r\n|\r|\n", log.decode("utf-8"))]
    obeyed = [line for line in lines if line.startswith("::") or "##[" in line]
    own = re.compile(r"::(error|warning|notice) file=[^:]*(,[a-zA-Z]+=[^:,]*)*::(?!.*##\[)")
    return [line for line in obeyed if not (is_for_runner and own.match(line))]


@pytest.mark.usefixtures("nothing_changes")
def test_watch(surroundings: Surroundings) -> None:
    words = evaltui("watch", SET, *RECORDED, "--format", "jsonl")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    ignored = signal.signal(signal.SIGINT, signal.default_int_handler)  # a child would inherit that it is ignored
    with subprocess.Popen(words, cwd=surroundings.hostile, env=surroundings.environment(), **streams) as process:
        signal.signal(signal.SIGINT, ignored)
        timer = threading.Timer(60, process.kill)
        timer.start()
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"version"')
        process.send_signal(signal.SIGINT)
        assert process.wait() == 1
        timer.cancel()


@pytest.mark.usefixtures("nothing_changes")
def test_pytest(surroundings: Surroundings) -> None:
    """Started as people do: not by `python -m`, which imports from the working directory by itself."""
    words = [str(Path(sys.executable).with_name("pytest")), "-p", "evaltui.pytest", "-n", "0", "-o", "addopts=", SET]
    done = ended(surroundings, [*words, "--evaltui-recordings", "recs"], in_hostile=True)
    assert done.code == 1, done.out
    assert runner_commands(done.out + done.err, is_for_runner=False) == []


@pytest.mark.parametrize(
    "words", [("edit", SET, *RECORDED), ("review", SET, *RECORDED), ("edit", "linked.evalset.json")]
)
@pytest.mark.usefixtures("nothing_changes")
def test_an_app(surroundings: Surroundings, words: Sequence[str]) -> None:
    environment = surroundings.environment()
    with PseudoTerminal(evaltui(*words), environment, surroundings.hostile) as terminal:
        terminal.until(lambda: b"alpha" in terminal.last)
        terminal.send(b"\x11")
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 0

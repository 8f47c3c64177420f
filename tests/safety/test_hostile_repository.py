"""All commands in a repository of an attacker: nothing in it runs, deletes, hangs or speaks for evaltui."""

import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.safety.hostile_repository import (
    fingerprint,
    write_hostile_repository,
    write_outside,
    write_temporary,
)
from tests.terminal.pseudo_terminal import PseudoTerminal
from tests.warm.commands import running, warm_evaltui

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
MOST_SECONDS = 10.0
"""Processor time of a process."""


class Surroundings(NamedTuple):
    """A hostile repository, and the folders of the user."""

    hostile: Path
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
    surroundings = Surroundings(*(folder / name for name in ("hostile", "ran", "home", "temporary")))
    write_outside(surroundings.home)
    write_temporary(surroundings.temporary)
    write_hostile_repository(surroundings.hostile, surroundings.home, surroundings.mark)
    return surroundings


class Ended(NamedTuple):
    """How a command ended, and the processor seconds and kilobytes that it took."""

    code: int
    out: bytes
    err: bytes
    seconds: float
    kilobytes: float


def ended(surroundings: Surroundings, words: Sequence[str]) -> Ended:
    """Run a program in the repository; one that hangs is killed, which is a negative code."""
    out, err, used = (surroundings.home.parent / name for name in ("out", "err", "used"))
    used.unlink(missing_ok=True)
    environment = surroundings.environment() | {"EVALTUI_USAGE": str(used)}
    with (
        out.open("wb") as to,
        err.open("wb") as errors,
        running(
            words, cwd=surroundings.hostile, env=environment, stdin=subprocess.DEVNULL, stdout=to, stderr=errors
        ) as process,
        ending_after_a_while(process),
    ):
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    mine = (usage.ru_utime + usage.ru_stime, usage.ru_maxrss)
    seconds, kilobytes = map(float, used.read_text().split()) if used.exists() else mine
    return Ended(process.returncode, out.read_bytes(), err.read_bytes(), seconds, kilobytes)


@contextmanager
def ending_after_a_while(process: "subprocess.Popen[bytes]") -> Iterator[None]:
    timer = threading.Timer(60, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def evaltui(*words: str) -> list[str]:
    """The command line of the console script, as people start it."""
    return [str(Path(sys.executable).with_name("evaltui")), *words]


STARTED_AFRESH = {words[0]: name for name, words in reversed(COMMANDS.items())}.values()
"""The first form of each command: Python starts in the repository. For the others it has started elsewhere."""


@pytest.fixture
def nothing_changes(surroundings: Surroundings) -> Iterator[None]:
    before = surroundings.unchanged()
    yield
    assert surroundings.unchanged() == before
    assert not surroundings.mark.exists()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("nothing_changes")
def test_a_command(surroundings: Surroundings, name: str) -> None:
    words = COMMANDS[name]
    repository = surroundings.hostile
    sets = {
        path: path.read_bytes()
        for path in repository.glob("[a-z]*.evalset.json")
        if not path.is_symlink() and path.is_file()
    }
    done = ended(surroundings, evaltui(*words) if name in STARTED_AFRESH else [*warm_evaltui(), *words])
    for path, data in sets.items():
        path.write_bytes(data)
    assert done.code in (0, 1, 2, 3), done.err
    assert b"Traceback" not in done.err
    assert "internal error" not in done.err.decode()
    mine = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # Linux counts it as the child's, too
    assert done.kilobytes < max(MOST_MEMORY, 1.1 * mine)
    assert done.seconds < MOST_SECONDS
    assert runner_commands(done.out + done.err, is_for_runner="github" in words) == []


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
    with (
        running(words, cwd=surroundings.hostile, env=surroundings.environment(), **streams) as process,
        ending_after_a_while(process),
    ):
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b'{"version"')
        process.send_signal(signal.SIGINT)
        assert process.wait() == 1


@pytest.mark.usefixtures("nothing_changes")
def test_pytest(surroundings: Surroundings) -> None:
    """Started as people do: not by `python -m`, which imports from the working directory by itself."""
    words = [str(Path(sys.executable).with_name("pytest")), "-p", "evaltui.pytest", "-n", "0", "-o", "addopts=", SET]
    done = ended(surroundings, [*words, "--evaltui-recordings", "recs"])
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
        assert terminal.process.returncode == 0, terminal.last[-3000:]

"""Ctrl-C at any moment: 130, no word, no half a file, nobody left behind."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evaltui.interrupt import deferred
from tests.commands.conftest import Process
from tests.commands.runs import GREETING, eval_set, result, write
from tests.sampling import sampled
from tests.warm.commands import running

ROOT = Path(__file__).parents[2]
SET, TRACE = "trips.evalset.json", "run.json"
INTERRUPTED = """
import os, signal, sys
where, sys.argv[1:] = sys.argv[1], sys.argv[2:]

class Dying:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        [None for _ in range(100)]

class Finder:
    def find_spec(self, name, path, target=None):
        if name == where:
            Dying()  # what a finalizer raises is printed and forgotten

if where == "fsync":
    fsync = os.fsync
    def synced(handle):
        os.kill(os.getpid(), signal.SIGINT)
        fsync(handle)
    os.fsync = synced
sys.meta_path.insert(0, Finder())
from evaltui.__main__ import run
run()
"""


def interrupted(where: str, *arguments: str) -> "subprocess.CompletedProcess[bytes]":
    command = [sys.executable, "-c", INTERRUPTED, where, *arguments]
    return subprocess.run(command, capture_output=True, check=False, timeout=60)


@pytest.fixture(autouse=True)
def _files(tmp_path: Path) -> None:
    write(tmp_path / SET, eval_set(GREETING))
    write(tmp_path / TRACE, result(GREETING))
    (tmp_path / "patch.json").write_text('[{"op": "add", "path": "/name", "value": "n"}]')


@pytest.mark.parametrize(
    "where",
    ["evaltui.interrupt", "argparse", "evaltui.cli", "evaltui.commands.run", "json", "evaltui.scoring.scored_set"],
)
def test_while_modules_are_imported(tmp_path: Path, where: str) -> None:
    done = interrupted(where, "run", SET, "-r", TRACE, "-o", "scores.json")
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert not (tmp_path / "scores.json").exists()


def test_python_imports_nothing_more_before_ctrl_c_is_quiet() -> None:
    script = "import sys; before = set(sys.modules); import evaltui.__main__; print(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True, cwd=ROOT)
    assert set(done.stdout.split()) == {b"evaltui", b"evaltui.__main__"}


@pytest.mark.parametrize(
    ("arguments", "written"),
    [
        (("run", SET, "-r", TRACE, "-o", "out.json", "-o", "out.xml"), "out.json"),
        (("patch", SET, "patch.json"), SET),
        (("patch", SET, "patch.json", "-o", "out.json"), "out.json"),
    ],
)
def test_while_a_file_is_written_it_is_written_whole(tmp_path: Path, arguments: tuple[str, ...], written: str) -> None:
    names = {path.name for path in tmp_path.iterdir()}
    done = interrupted("fsync", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")
    assert {path.name for path in tmp_path.iterdir()} == names | {written}
    assert (tmp_path / written).read_bytes().endswith(b"}" if written == SET or "patch" in arguments else b"}\n")


def test_while_other_processes_check_none_is_left_behind(tmp_path: Path) -> None:
    """Those have a pipe of ours as stderr: when it ends, they have."""
    for number in range(2):
        (tmp_path / f"{number}.evalset.json").write_bytes(b'{"eval_set_id": "s", "eval_cases": []}' + b" " * 5_000_000)
    script = """
import os, signal, sys
from concurrent.futures import Future
following = Future.result
def interrupted(self, timeout=None):
    os.kill(os.getpid(), signal.SIGINT)
    return following(self, timeout)
Future.result = interrupted
sys.argv[1:] = ["validate", "--jobs", "2", "0.evalset.json", "1.evalset.json"]
if __name__ == "__main__":
    from evaltui.__main__ import run
    run()
"""
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"")


def test_who_ignores_it_is_not_interrupted() -> None:
    command = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", INTERRUPTED, "evaltui.commands.rule"]
    done = subprocess.run([*command, "rule"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")


def test_while_it_reads_standard_input() -> None:
    reading = ["validate -", f"run {SET} -r -", "run -", f"patch {SET} -", "patch - patch.json --diff"]
    for line in sampled(reading, 1, kind=lambda line: line.split()[0]):
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with running([sys.executable, "-m", "evaltui", *line.split()], **streams) as command:
            assert command.stdin is not None
            command.stdin.write(b" " * (1 << 20))  # more than a pipe holds: when this is through, the command reads
            command.stdin.flush()
            command.send_signal(signal.SIGINT)
            out, err = command.communicate(timeout=60)
        assert (command.returncode, out, err) == (130, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize(
    "arguments",
    [
        *(("validate", SET, "--format", form) for form in ("json", "github")),
        *(("run", SET, "-r", TRACE, "--format", form) for form in ("table", "json", "junit", "markdown")),
        *(("rule",), ("rule", "missing-field"), ("schema",), ("config",), ("validate", SET, "--help")),
    ],
)
def test_a_disk_that_is_full_and_a_pipe_that_is_closed(
    process: Process, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / SET).write_text('{"eval_cases": [{}]}' if arguments[0] == "validate" else (tmp_path / SET).read_text())
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, stdout=full)
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (2, [b"evaltui: no space left on device"])
    reading, writing = os.pipe()
    os.close(reading)
    done = process(*arguments, stdout=writing)
    os.close(writing)
    assert done.returncode == 128 + signal.SIGPIPE
    assert b"Traceback" not in done.stderr


def test_a_thread_defers_nothing_and_leaves_the_handler_alone() -> None:
    before, found = signal.getsignal(signal.SIGINT), []

    def write() -> None:
        with deferred() as was_asked:
            found.append((was_asked(), signal.getsignal(signal.SIGINT)))

    thread = threading.Thread(target=write)
    thread.start()
    thread.join()
    assert found == [(False, before)]

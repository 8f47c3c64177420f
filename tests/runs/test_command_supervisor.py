"""All descendants of a command end with it, as real processes: other groups and sessions, daemons, a killed evaltui."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.runs import command_supervisor
from evaltui.runs.command_process import CommandProcess, end_all_commands
from evaltui.runs.command_supervisor import Family, ProcessRow, Supervisor, read_proc, read_ps
from tests.runs.test_command_process import ended, is_there, python, started
from tests.sampling import sampled
from tests.terminal.waiting import until

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")

SESSION, ORPHAN = "os.setsid()", "os.fork() and os._exit(0)"
DAEMON = f"{SESSION}; {ORPHAN}"
PARTINGS = [SESSION, ORPHAN, DAEMON, "os.setpgid(0, 0)", f"{DAEMON}; {DAEMON}", f"signal.signal(15, 1); {DAEMON}"]
"""What a server does to leave the command that starts it."""
WAITS = "print('up', flush=True); signal.pause()"


def starting(parting: str, then: str = WAITS) -> list[str]:
    """A command that starts a server, prints its number, and then does something."""
    return python(
        f"""
import os, signal, sys
reading, writing = os.pipe()
if not os.fork():
    {parting}
    os.write(writing, str(os.getpid()).encode())
    signal.pause()
print(os.read(reading, 100).decode(), flush=True)
{then}
"""
    )


def server_of(process: CommandProcess) -> int:
    return int(process.output.tail()[0])


@pytest.fixture(autouse=True)
def _nothing_runs_on() -> Iterator[None]:
    yield
    end_all_commands(0)


FOLLOWED = """
import signal, subprocess, sys, time
from pathlib import Path
from evaltui.runs.command_process import CommandProcess
signal.signal(signal.SIGCHLD, getattr(signal, sys.argv[1]))
other = subprocess.Popen(["sleep", "1000"], start_new_session=True)
process = CommandProcess(["sh", "-c", sys.argv[2]], Path.cwd())
process.start()
if sys.argv[3] == "cancel":
    process.cancel()
process.wait(10)
print(process.code, other.poll())
other.kill()
"""
"""Follows a command beside a process that is not its own, and prints its exit code and whether the other one lives."""


def test_an_exit_code_is_known_even_if_the_end_of_children_is_ignored() -> None:
    words = [sys.executable, "-c", FOLLOWED, "SIG_IGN", "exit 3", "wait"]
    assert subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout == b"3 None\n"


def test_no_other_process_gets_a_signal_in_a_namespace_with_the_numbers_of_another_one() -> None:
    unshare = ["unshare", "--pid", "--fork"]
    if not shutil.which("unshare") or subprocess.run([*unshare, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this user cannot make a PID namespace")
    words = [*unshare, sys.executable, "-c", FOLLOWED, "SIG_DFL", "sleep 1000 & wait", "cancel"]
    assert subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout == b"-15 None\n"


@pytest.mark.parametrize("parting", sampled(PARTINGS, 3))
def test_cancel_ends_a_server_whatever_it_does_to_leave(tmp_path: Path, parting: str) -> None:
    process = started(starting(parting), tmp_path, grace=0.2, until="up")
    server = server_of(process)
    assert is_there(server)
    process.cancel()
    end = ended(process)
    assert not is_there(server)
    assert end.alive == []
    assert [name for name in end.ended if name.endswith(f"(pid {server})")]
    assert end.others[0].startswith("ended with the command: ")


@pytest.mark.parametrize("parting", sampled([SESSION, DAEMON, ORPHAN], 1))
def test_a_killed_evaltui_leaves_nothing(tmp_path: Path, parting: str) -> None:
    script = f"""
import signal
from pathlib import Path
from evaltui.runs.command_process import CommandProcess
process = CommandProcess({starting(parting)!r}, Path({str(tmp_path)!r}), grace=0.2)
process.start()
while "up" not in process.output.tail():
    process.wait(0.01)
print(process.output.tail()[0], flush=True)
signal.pause()
"""
    with subprocess.Popen(python(script), stdout=subprocess.PIPE) as evaltui:
        assert evaltui.stdout is not None
        server = int(evaltui.stdout.readline())
        assert is_there(server)
        evaltui.kill()
    until(lambda: not is_there(server))


def test_a_server_in_a_session_of_its_own_outlives_a_command_that_ends_by_itself(tmp_path: Path) -> None:
    process = started(starting(DAEMON, "sys.exit(3)"), tmp_path)
    end = ended(process)
    server = server_of(process)
    assert is_there(server)
    os.kill(server, signal.SIGKILL)
    assert (end.code, end.ended) == (3, [])
    (name,) = end.alive
    assert name.endswith(f"(pid {server})")
    assert end.others[0].startswith("still running: ")


def test_a_command_that_a_signal_ends_leaves_no_server(tmp_path: Path) -> None:
    process = started(starting(DAEMON, "os.kill(os.getpid(), signal.SIGKILL)"), tmp_path)
    assert (ended(process).code, process.is_cancelled) == (-signal.SIGKILL, False)
    assert not is_there(server_of(process))


@pytest.mark.thorough
def test_a_process_of_the_session_ends_with_a_command_that_ends_by_itself(tmp_path: Path) -> None:
    process = started(starting(ORPHAN, "sys.exit(0)"), tmp_path)
    end = ended(process)
    server = server_of(process)
    assert (end.code, end.alive, is_there(server)) == (0, [], False)
    assert [name for name in end.ended if name.endswith(f"(pid {server})")]


def test_other_children_of_evaltui_live_on_and_are_not_waited_for(tmp_path: Path) -> None:
    with subprocess.Popen(["sleep", "1000"], start_new_session=True) as other, subprocess.Popen(["true"]) as over:
        process = started(starting(DAEMON), tmp_path, until="up")
        process.cancel()
        assert ended(process).alive == []
        assert is_there(other.pid)
        assert over.wait() == 0
        other.kill()


def test_a_supervisor_that_is_killed_is_said(tmp_path: Path) -> None:
    process = started(starting("pass"), tmp_path, until="up")
    assert process._supervisor is not None
    process._supervisor.kill()
    end = ended(process)
    server = server_of(process)
    command = int(Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()[1])
    for number in (server, command):  # nobody else ends them now
        os.kill(number, signal.SIGKILL)
    assert end.others == ["still running: perhaps all of it, because the process of evaltui that follows it was killed"]


@pytest.mark.thorough
def test_sigterm_to_the_supervisor_ends_the_command(tmp_path: Path) -> None:
    process = started(starting(SESSION), tmp_path, until="up")
    assert process._supervisor is not None
    process._supervisor.terminate()
    assert ended(process).code == -signal.SIGTERM
    assert not is_there(server_of(process))


# --- systems without /proc, or without subreapers --------------------------------------------------------------------


@pytest.fixture(params=["no /proc", "no subreaper"])
def portable(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A supervisor that lacks a feature of Linux."""
    source = Path(command_supervisor.__file__).read_text().replace("_SUBREAPER = 36", "_SUBREAPER = 0")
    if request.param == "no /proc":
        source = source.replace('_PROC = "/proc"', '_PROC = "/nowhere"')
    (tmp_path / "supervisor.py").write_text(source)
    monkeypatch.setattr(command_supervisor, "__file__", str(tmp_path / "supervisor.py"))


@pytest.mark.usefixtures("portable")
@pytest.mark.parametrize("parting", sampled([ORPHAN, SESSION], 1))
def test_parents_and_sessions_tell_descendants_elsewhere(tmp_path: Path, parting: str) -> None:
    process = started(starting(parting), tmp_path, grace=0.2, until="up")
    server = server_of(process)
    process.cancel()
    end = ended(process)
    assert not is_there(server)
    assert [name for name in end.ended if name.endswith(f"(pid {server})")]


def test_ps_and_proc_tell_the_same_of_a_process() -> None:
    pipe = subprocess.PIPE
    with subprocess.Popen(["cat", "-u"], stdin=pipe, stdout=pipe, bufsize=0, start_new_session=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        # Until a new program runs, ps knows its name and not its words. One that answers runs.
        child.stdin.write(b"up\n")
        assert child.stdout.readline() == b"up\n"
        ((proc,), (ps,)) = ([row for row in rows() if row.pid == child.pid] for rows in (read_proc, read_ps))
        child.kill()
    assert proc[:3] == ps[:3] == (child.pid, os.getpid(), child.pid)
    assert ps.words == "cat -u"


def row(pid: int, parent: int, session: int, start: str = "1") -> ProcessRow:
    return ProcessRow(pid, parent, session, start)


def test_a_number_that_another_process_has_now_is_no_descendant() -> None:
    looks = [[row(11, os.getpid(), 11), row(12, 11, 12)], [row(12, 1, 99, start="2")]]
    family = Family(lambda: looks.pop(0), adopts=False)
    assert family.living().keys() == {11, 12}
    assert family.living() == {}


def test_a_daemon_is_known_by_the_session_that_was_seen_before() -> None:
    looks = [[row(11, os.getpid(), 11), row(12, 11, 12)], [row(13, 1, 12), row(14, 13, 14), row(15, 1, 15)]]
    family = Family(lambda: looks.pop(0), adopts=False)
    assert family.living().keys() == {11, 12}
    assert family.living().keys() == {13, 14}


def test_the_supervisor_is_no_descendant_and_neither_is_its_ps() -> None:
    own = os.getsid(0)
    family = Family(lambda: [row(os.getpid(), 1, own), row(11, os.getpid(), own)], adopts=False)
    assert family.living() == {}


def test_a_process_that_hangs_in_a_system_call_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(os, "kill", lambda _, number: sent.append(number))
    supervisor = Supervisor(Family(list, adopts=True), grace=3.0)
    supervisor.order("t")
    hangs = {11: row(11, os.getpid(), 11)}
    began = supervisor._term_at
    assert [supervisor._is_over(hangs, 11, began + seconds) for seconds in (0, 1, 3.5, 4.5)] == [False] * 3 + [True]
    assert sent == [signal.SIGTERM, signal.SIGKILL]


def test_a_sentence_names_three_processes_and_counts_the_others() -> None:
    process = CommandProcess(["true"], Path())
    process.ended, process.alive = [f"p{n} \x1b[31m (pid {n})" for n in range(1, 7)], ["q (pid 9)"]
    assert process.others == [
        "ended with the command: p1 ␛[31m (pid 1), p2 ␛[31m (pid 2), p3 ␛[31m (pid 3), 3 more",
        "still running: q (pid 9)",
    ]

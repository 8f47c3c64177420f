"""Commands that run beside evaltui, as real processes: output, end, cancel, and nothing left behind."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.printable import is_unsafe
from evaltui.runs import command_process
from evaltui.runs.command_process import (
    LONGEST,
    CommandError,
    CommandOutput,
    CommandProcess,
    end_all_commands,
)

PATIENCE = 30


@pytest.fixture(autouse=True)
def _nothing_runs_on() -> Iterator[None]:
    yield
    end_all_commands(0)
    assert command_process._running == set()


def python(script: str) -> list[str]:
    return [sys.executable, "-c", script]


def ended(process: CommandProcess) -> CommandProcess:
    assert process.wait(PATIENCE), process.output.tail(20)
    return process


def started(argv: list[str], folder: Path, *, grace: float = 30.0, until: str = "") -> CommandProcess:
    """A process that runs, once it has written `until`."""
    process = CommandProcess(argv, folder, grace=grace)
    process.start()
    deadline = time.monotonic() + PATIENCE
    while until and until not in process.output.tail():
        assert time.monotonic() < deadline, process.output.tail(20)
        process.wait(0.01)
    return process


def is_there(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_output_and_errors_come_as_lines_in_their_order(tmp_path: Path) -> None:
    process = started(
        python("import sys; print('one'); sys.stderr.write('two\\n'); print('three'); sys.exit(3)"), tmp_path
    )
    end = ended(process)
    assert process.output.tail() == ["one", "two", "three"]
    assert (end.code, end.is_cancelled, end.outcome) == (3, False, "exit code 3")
    assert end.seconds > 0
    assert not process.is_running


def test_it_runs_in_its_folder_with_more_environment_and_no_keyboard(tmp_path: Path) -> None:
    script = (
        "import os, sys; print(os.getcwd(), os.environ['EVALTUI_SET'], 'PATH' in os.environ, repr(sys.stdin.read()))"
    )
    process = CommandProcess(python(script), tmp_path, {"EVALTUI_SET": "a set"})
    process.start()
    ended(process)
    assert process.output.tail() == [f"{tmp_path.resolve()} a set True ''"]


def test_python_is_the_users_own_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A safe path, with which evaltui starts its own processes, would break agents."""
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PYTHONPATH", "lib")
    process = started(python("import os; print(*sorted(n for n in os.environ if n.startswith('PYTHON')))"), tmp_path)
    ended(process)
    assert process.output.tail() == ["PYTHONPATH PYTHONUNBUFFERED"]


def test_a_hundred_thousand_lines_are_counted_and_the_last_ones_kept(tmp_path: Path) -> None:
    process = started(python("for n in range(100_000): print('line', n)"), tmp_path)
    assert ended(process).code == 0
    assert process.output.count == 100_000
    assert process.output.tail(2) == ["line 99998", "line 99999"]
    assert process.output.numbered_tail()[0] == 95_000


def test_the_end_is_told_once(tmp_path: Path) -> None:
    ends: list[int | None] = []
    process = CommandProcess(["true"], tmp_path, on_end=lambda: ends.append(process.code))
    process.start()
    seconds = ended(process).seconds
    assert ends == [0]
    process.kill()
    process.cancel()
    assert (ends, process.outcome, process.seconds) == ([0], "exit code 0", seconds)


def test_a_signal_is_named(tmp_path: Path) -> None:
    assert ended(started(["sh", "-c", "kill -SEGV $$"], tmp_path)).outcome == "SIGSEGV"


def test_cancel_ends_the_process_with_sigterm(tmp_path: Path) -> None:
    script = "import signal, sys; signal.signal(signal.SIGTERM, lambda *_: sys.exit(7)); print('up'); signal.pause()"
    process = started(python(script), tmp_path, until="up")
    assert process.is_running
    process.cancel()
    end = ended(process)
    assert (end.code, end.is_cancelled, end.outcome) == (7, True, "cancelled")


_CHILD = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("child", os.getpid())
signal.pause()
"""
_FAMILY = f"""
import signal, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", {_CHILD!r}], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline().strip())
print("up")
%s
"""


def pid_of_child(process: CommandProcess) -> int:
    return int(process.output.tail()[0].removeprefix("child "))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
def test_cancel_kills_a_grandchild_that_ignores_sigterm(tmp_path: Path) -> None:
    process = started(python(_FAMILY % "signal.pause()"), tmp_path, grace=0.2, until="up")
    child = pid_of_child(process)
    assert is_there(child)
    process.cancel()
    assert ended(process).code == -signal.SIGTERM
    assert not is_there(child)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
def test_kill_ends_all_at_once(tmp_path: Path) -> None:
    process = started(python(_FAMILY % "signal.pause()"), tmp_path, until="up")
    child = pid_of_child(process)
    process.cancel()
    process.kill()
    assert ended(process).is_cancelled
    assert not is_there(child)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="tells processes by /proc")
def test_a_process_that_the_command_leaves_behind_is_ended(tmp_path: Path) -> None:
    process = started(python(_FAMILY % "sys.exit(0)"), tmp_path, grace=0.2)
    end = ended(process)
    assert (end.code, end.is_cancelled) == (0, False)
    assert not is_there(pid_of_child(process))


def test_the_last_words_of_a_process_behind_the_first_are_read(tmp_path: Path) -> None:
    process = started(["bash", "-c", "exec > >(cat); echo through a pipe"], tmp_path)
    assert ended(process).code == 0
    assert process.output.tail() == ["through a pipe"]


_LEAVING = """
import os, subprocess
subprocess.Popen(["cat"], stdin=subprocess.PIPE, start_new_session=True)
print("left")
os._exit(0)
"""


def test_a_process_in_a_session_of_its_own_does_not_keep_the_command_open(tmp_path: Path) -> None:
    process = started(python(_LEAVING), tmp_path)
    assert ended(process).code == 0
    assert process.output.tail() == ["left"]


def test_a_program_of_evaltui_that_is_gone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/gone/python")
    with pytest.raises(CommandError, match="/gone/python: there is no such program"):
        CommandProcess(["true"], tmp_path).start()


def test_a_command_that_was_cancelled_before_its_start_ends(tmp_path: Path) -> None:
    process = CommandProcess(["sleep", "1000"], tmp_path)
    process.cancel()
    process.start()
    assert ended(process).is_cancelled


def test_a_command_that_closes_its_output_goes_on(tmp_path: Path) -> None:
    script = "import os; os.close(1); os.close(2); open('done', 'w').close()"
    assert ended(started(python(script), tmp_path)).code == 0
    assert (tmp_path / "done").exists()


def test_no_descriptor_and_no_zombie_is_left(tmp_path: Path) -> None:
    def descriptors() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    ended(started(["true"], tmp_path))
    before = descriptors()
    for _ in range(5):
        process = started(["true"], tmp_path)
        ended(process)
        assert process._supervisor is not None
        assert process._supervisor.returncode == 0
    assert descriptors() == before


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["no-such-program-at-all"], "no-such-program-at-all: there is no such program. Is its environment active?"),
        (["./plain"], "./plain cannot be run: it is not executable."),
        (["./text"], "./text cannot be run: it is not a program and has no #! line."),
        (["echo", "a\0b"], "echo cannot be run: an argument contains a null character."),
        (["echo", "x" * 3_000_000], "echo cannot be run: its arguments are too long; run fewer cases at once."),
    ],
)
def test_a_command_that_cannot_run_is_a_sentence(tmp_path: Path, argv: list[str], said: str) -> None:
    (tmp_path / "plain").write_text("#!/bin/sh\n")
    (tmp_path / "text").write_bytes(b"\x01\x02\x03\x04")
    (tmp_path / "text").chmod(0o755)
    process = CommandProcess(argv, tmp_path)
    with pytest.raises(CommandError) as caught:
        process.start()
    assert str(caught.value) == said
    assert not process.is_running


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="gone: there is no such folder"):
        CommandProcess(["true"], tmp_path / "gone").start()
    (tmp_path / "file").touch()
    with pytest.raises(CommandError, match="file: not a directory"):
        CommandProcess(["true"], tmp_path / "file").start()


def test_all_commands_end_with_evaltui(tmp_path: Path) -> None:
    script = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up'); signal.pause()"
    processes = [started(python(script), tmp_path, until="up") for _ in range(2)]
    end_all_commands(0.1)
    assert [ended(process).code for process in processes] == [-signal.SIGKILL] * 2


# --- the lines of an output: any bytes, bounded, safe to show ------------------------------------------------------


def output_of(*pieces: bytes, most: int = 5_000) -> CommandOutput:
    output = CommandOutput(most)
    for piece in pieces:
        output.feed(piece)
    output.feed(b"", is_last=True)
    return output


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"one\ntwo\n", ["one", "two"]),
        (b"one\r\ntwo\r\n", ["one", "two"]),
        (b"no newline", ["no newline"]),
        (b"\n\n", ["", ""]),
        (b"a\tb", ["a       b"]),
        (b"bad \xff byte", ["bad \ufffd byte"]),
        (b"10 %\r20 %\r100 %\ndone", ["100 %", "done"]),
        (b"10 %\r20 %\r", ["20 %"]),
        (b"\x1b[1;31mred\x1b[0m text", ["red text"]),
        (b"\x1b]0;title\x07after", ["after"]),
        (b"\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", ["link"]),
        (b"bell \x07 and \x9b", ["bell ␇ and \ufffd"]),
        ("form\x0cfeed\u2028line".encode(), ["form␌feed⁞line"]),
    ],
)
def test_lines_are_those_that_a_terminal_would_leave(data: bytes, lines: list[str]) -> None:
    assert output_of(data).tail() == lines


def test_a_line_may_grow() -> None:
    output = CommandOutput()
    output.feed(b"Continue")
    assert output.numbered_tail() == (0, ["Continue"])
    output.feed("? é".encode()[:-1])
    assert output.tail() == ["Continue? "]
    output.feed(b"\xa9\nyes")
    assert output.tail() == ["Continue? é", "yes"]
    assert output.count == 2


def test_only_the_last_lines_are_kept_and_all_are_counted() -> None:
    output = output_of(b"".join(b"%d\n" % number for number in range(100)), most=10)
    assert output.count == 100
    assert output.numbered_tail() == (90, [str(number) for number in range(90, 100)])
    assert output.numbered_tail(3) == (97, ["97", "98", "99"])


def test_the_last_lines_count_the_one_that_is_open() -> None:
    output = CommandOutput()
    output.feed(b"1\n2\n3")
    assert output.numbered_tail(2) == (1, ["2", "3"])


def test_an_endless_line_is_cut_and_what_is_cut_is_counted() -> None:
    output = CommandOutput()
    for _ in range(1_000):
        output.feed(b"x" * 1_000)
    assert output.tail() == ["x" * LONGEST + f" … {1_000_000 - LONGEST:,} more characters"]
    output.feed(b"\rshort\n")
    assert output.tail() == ["short"]


@given(st.lists(st.binary(max_size=40), max_size=20))
def test_no_bytes_act_on_a_terminal_and_pieces_do_not_matter(pieces: list[bytes]) -> None:
    in_pieces, at_once = output_of(*pieces), output_of(b"".join(pieces))
    assert in_pieces.tail() == at_once.tail()
    assert not any(is_unsafe(line) for line in in_pieces.tail())
    assert in_pieces.count == len(in_pieces.tail())


@given(st.lists(st.text("a\r\n\t\x1b", max_size=60), max_size=8), st.integers(1, 5))
def test_the_last_lines_do_not_depend_on_the_pieces(pieces: list[str], most: int) -> None:
    at_once = output_of("".join(pieces).encode(), most=most)
    for some in (pieces, "".join(pieces)):
        in_pieces = output_of(*(piece.encode() for piece in some), most=most)
        assert in_pieces.tail() == at_once.tail()
        assert in_pieces.count == at_once.count


@pytest.mark.parametrize("piece", [b"\n" * 65_536, b"\r\n" * 30_000, b"10 %\r\xff\n" * 10_000])
def test_lines_that_leave_the_memory_at_once_are_only_counted(monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    """A command that writes 100 MB of line breaks would wait for evaltui for minutes."""
    shown: list[str] = []
    show = command_process._readable
    monkeypatch.setattr(command_process, "_readable", lambda line, cut: shown.append(line) or show(line, cut))
    output = CommandOutput(most=100)
    output.feed(b"begun")
    for _ in range(3):
        output.feed(piece)
    assert output.count == 3 * piece.count(b"\n")
    assert output.numbered_tail()[0] == output.count - 100
    assert len(shown) == 300


def test_many_carriage_returns_leave_the_last_text() -> None:
    output = CommandOutput()
    output.feed(b"10 %" + b"\r" * 60_000 + b"20 %" + b"\r" * 60_000)
    assert output.tail() == ["20 %"]
    output.feed(b"30")
    assert output.tail() == ["30"]

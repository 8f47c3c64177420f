"""How the command starts and ends: what it imports, and that it never ends in a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import evaltui
from evaltui.cli import main, run
from evaltui.commands.parser import COMMANDS as NAMES
from tests.commands.conftest import Process

PATCH = b'[{"op": "add", "path": "/b", "value": 2}]'
COMMANDS = {
    "version": ["--version"],
    "help": ["--help"],
    "help of a command": ["patch", "--help"],
    "bytes": ["patch", "set.json", "patch.json", "-o", "-"],
    "difference": ["patch", "set.json", "patch.json", "--diff"],
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set.json").write_bytes(b'{"a": 1}\n')
    (tmp_path / "patch.json").write_bytes(PATCH)
    monkeypatch.chdir(tmp_path)


def imported_by(*arguments: str) -> set[str]:
    """The packages that a command has imported when it is done."""
    script = (
        "import contextlib, sys; from evaltui.cli import main\n"
        "with contextlib.suppress(SystemExit): main(sys.argv[1:])\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, *arguments], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_no_command_without_a_screen_imports_textual(arguments: list[str]) -> None:
    found = imported_by(*arguments)
    assert "argparse" in found
    assert not found & {"textual", "rich", "pydantic"}


def test_a_conversion_to_a_plain_dataset_waits_for_no_models_of_agentplatform(tmp_path: Path) -> None:
    eval_set = Path(__file__).parents[2] / "sample_sets" / "trip_planner.evalset.json"
    found = imported_by("convert", str(eval_set), "--to", "evaluation-dataset", "-o", str(tmp_path / "dataset.json"))
    assert (tmp_path / "dataset.json").exists()
    assert "pydantic" not in found


def test_a_run_of_a_plain_set_waits_for_no_models_of_google_adk() -> None:
    samples = Path(__file__).parents[2] / "sample_sets"
    eval_set, recordings = f"{samples}/trip_planner.evalset.json", f"{samples}/recordings"
    found = imported_by("run", eval_set, "-r", recordings, "--format", "json")
    assert "argparse" in found
    assert not found & {"rich", "pydantic"}


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_waits_for_nothing_that_its_code_needs(name: str) -> None:
    script = (
        "import contextlib, sys; from evaltui.cli import main\n"
        "with contextlib.suppress(SystemExit): main(sys.argv[1:])\n"
        "print(*sys.modules)"
    )
    words = [sys.executable, "-c", script, name, "--help"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.splitlines()[-1].split())
    assert f"evaltui.commands.{name}" in loaded
    assert {each for each in loaded if each.startswith("evaltui.commands.")} <= {
        f"evaltui.commands.{name}",
        "evaltui.commands.parser",
        "evaltui.commands.set_options",
    }
    needless = {"evaltui.document.document", "dataclasses", "json", "pathlib"}
    # From 3.14 on, argparse itself loads dataclasses, for its colours.
    assert not loaded & (needless - {"dataclasses"} if sys.version_info >= (3, 14) else needless)


def test_a_watch_without_a_terminal_imports_textual_neither_at_first_nor_later() -> None:
    Path("set.evalset.json").write_text('{"eval_set_id": "a", "eval_cases": []}')
    script = (
        "import sys; from evaltui.cli import main; from evaltui.runs.watch_loop import WatchLoop\n"
        "WatchLoop.run = lambda loop: print(*sys.modules)\n"
        "main(['watch', 'set.evalset.json'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    document, modules = done.stdout.splitlines()
    assert '"trigger": []' in document
    loaded = {name.partition(".")[0] for name in modules.split()}
    assert "argparse" in loaded
    assert not loaded & {"textual", "rich"}


def test_the_editor_spares_itself_openssl_but_keeps_it_from_nobody() -> None:
    found = imported_by("edit", "set.json")
    assert "asyncio" in found
    assert not found & {"ssl", "_ssl", "_hashlib"}
    script = "from evaltui.cli import main; main(['edit', 'set.json']); import asyncio, ssl; print(ssl.OPENSSL_VERSION)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "SSL" in done.stdout


def test_the_app_is_imported_without_openssl() -> None:
    script = (
        "from evaltui.commands.edit import import_asyncio_without_tls; import_asyncio_without_tls()\n"
        "import evaltui.tui.launch, evaltui.tui.app, evaltui.tui.open_file.journal_keeper\n"
        "import evaltui.tui.remembered_files\n"
        "import sys; print({'_ssl', '_hashlib'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_version_and_the_help_go_to_standard_output(process: Process) -> None:
    assert process("--version").stdout == f"evaltui {evaltui.__version__}\n".encode()
    done = process("--help")
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"patch" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "edit needs a terminal. Elsewhere, use `evaltui patch`, `evaltui validate` or `evaltui run`."),
        (["patch"], "the following arguments are required: FILE, PATCH (see `evaltui patch --help`)"),
        (["patch", "a", "b", "c"], "unexpected argument c (see `evaltui patch --help`)"),
        (["patch", "a", "b", "--dif"], "patch has no option --dif; did you mean --diff? (see `evaltui patch --help`)"),
        (["patch", "a", "b", "\x1b[31m\n"], "unexpected argument ␛[31m␊ (see `evaltui patch --help`)"),
        (["--nonsense=1", "a.json"], "evaltui has no option --nonsense (see `evaltui --help`)"),
        (["a.json", "--readnly"], "edit has no option --readnly; did you mean --readonly? (see `evaltui edit --help`)"),
    ],
)
def test_wrong_usage_is_exit_2_and_one_sentence(process: Process, arguments: list[str], sentence: str) -> None:
    done = process(*arguments)
    assert (done.returncode, done.stdout, done.stderr.decode()) == (2, b"", f"evaltui: {sentence}\n")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("run SET -r A B C", "unexpected arguments B C; repeat -r for each value: -r A -r B"),
        ("run SET --recording=A B", "unexpected argument B; repeat --recording for each value: --recording A"),
        ("run SET -r A --format table B", "unexpected argument B (see `evaltui run --help`)"),
        ("run SET --dry-run", "run has no option --dry-run; it never changes an eval set (see `evaltui run --help`)"),
        ("record --dry-run", "record has no option --dry-run; --diff shows the changes and writes nothing (see"),
        (
            "convert SET --to ces --diff",
            "convert has no option --diff; --dry-run reports the losses and writes nothing",
        ),
        ("validate SET --json", "validate has no option --json; did you mean --format json? (see"),
        ("validate -r A", "validate has no option -r; only commands that score take recordings, such as `evaltui run`"),
        ("record --list -r A", "record has no option -r; it takes the source without an option: evaltui record SOURCE"),
        ("compare -r A B", "compare has no option -r; it takes both results without an option: evaltui compare BASE"),
    ],
)
def test_words_that_a_command_does_not_take_are_exit_2_with_advice(
    line: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    written = capsys.readouterr()
    assert (written.out, written.err.startswith(f"evaltui: {sentence}")) == ("", True), written.err
    assert written.err.endswith(f"(see `evaltui {line.split(maxsplit=1)[0]} --help`)\n")


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("valdate", 'there is no command "valdate"; did you mean validate? `evaltui edit valdate` opens a file'),
        (
            "frobnicate",
            'there is no command "frobnicate"; use one of edit, record, validate, rule, schema, run, watch, compare,',
        ),
        ("\x1b[31m" + "x" * 100, 'there is no command "␛[31mxxxxx'),
    ],
)
def test_an_unknown_command_is_exit_2_with_a_suggestion(process: Process, word: str, sentence: str) -> None:
    done = process(word, "set.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode().startswith(f"evaltui: {sentence}")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        *(["set.json"], ["new.json"], ["./new"], ["folder"], ["."], ["/tmp/x.evalset.json", "--readonly"]),
        *(["--readonly", "set.json"], ["-r", "run.json", "set.json"], ["--case=a", "set.json"], ["--", "-odd.json"]),
    ],
)
def test_a_file_or_folder_without_a_command_is_opened(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("folder").mkdir()
    opened: list[object] = []
    monkeypatch.setattr("evaltui.tui.launch.launch", lambda file, case, **_: opened.append(file) or 0)
    assert main(arguments) == main(["edit", *arguments]) == 0
    assert opened[0] == opened[1]
    assert opened[0] is not None


def test_a_command_is_not_taken_for_a_file_of_its_name(process: Process) -> None:
    Path("rule").touch()
    Path("valdate").touch()
    assert process("rule").stdout.startswith(b"not-json ")
    assert process("valdate").stderr == process().stderr  # a file that is there is opened


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_closed_pipe_is_quiet(process: Process, arguments: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = process(*arguments, stdout=writing)
    os.close(writing)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_full_disk_is_one_sentence(process: Process, arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments, stdout=full)
    assert (done.returncode, done.stderr) == (2, b"evaltui: no space left on device\n")


@pytest.mark.parametrize(
    ("closing", "arguments", "code"),
    [
        ("<&-", ["patch", "set.json", "-"], 2),
        (">&-", ["patch", "set.json", "patch.json", "-o", "-"], 0),
        (">&-", ["patch", "set.json", "patch.json", "--diff"], 0),
        ("2>&-", ["patch", "set.json", "nothing.json"], 2),
    ],
)
def test_a_stream_that_is_not_there_is_no_traceback(closing: str, arguments: list[str], code: int) -> None:
    command = ["sh", "-c", f'exec "$@" {closing}', "sh", sys.executable, "-m", "evaltui", *arguments]
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == code
    assert b"Traceback" not in done.stdout + done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_that_is_not_utf8_gets_replacements(fresh_process: Process, encoding: str) -> None:
    Path("set.json").write_bytes('{"a": "é😀\x7f"}\n'.encode())
    done = fresh_process("patch", "set.json", "patch.json", "--diff", env={"PYTHONIOENCODING": encoding})
    shown = '-{"a": "é😀␡"}'.encode(encoding, "replace")
    assert (done.returncode, done.stdout.splitlines()[3], done.stderr) == (0, shown, b"")


def test_a_file_name_that_is_not_utf8_is_no_traceback(process: Process) -> None:
    done = process("patch", os.fsdecode(b"\xff\x1b.json"), "patch.json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == "evaltui: �␛.json: there is no such file\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_message_that_cannot_be_written_leaves_the_exit_code(process: Process) -> None:
    with Path("/dev/full").open("wb") as full:
        assert process("patch", "set.json", "nothing.json", stderr=full).returncode == 2
        assert process("patch", "set.json", stderr=full).returncode == 2


def test_the_module_prints_its_version() -> None:
    done = subprocess.run([sys.executable, "-m", "evaltui", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, f"evaltui {evaltui.__version__}")


def test_programs_are_searched_in_absolute_folders_only(monkeypatch: pytest.MonkeyPatch) -> None:
    searched: list[str] = []
    monkeypatch.setenv("PATH", ".::bin:/usr/bin:../bin:/bin")
    monkeypatch.setattr("evaltui.cli.guard_streams", lambda: None)  # it would stay, on a CI runner
    monkeypatch.setattr("evaltui.cli.main", lambda: searched.append(os.environ["PATH"]) or 0)
    with pytest.raises(SystemExit):
        run()
    assert searched == ["/usr/bin:/bin"]

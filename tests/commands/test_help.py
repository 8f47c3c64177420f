"""The help of evaltui and of each command: its layout, and examples that work in the folder sample_sets."""

import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from evaltui.cli import main
from evaltui.commands.parser import COMMANDS, COMMANDS_BY_PURPOSE, EXAMPLE, CommandParser, ProgramParser
from tests.warm.commands import running, write_program

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sets"
EXIT_CODES = {"validate": 1, "run": 1, "watch": 1, "review": 1}
"""The exit codes of examples with problems or failing cases; the others exit with 0."""
OF_THE_APP = {"edit": "", "review": " --format text"}
"""Commands that open the app, with the option that prints something in its place."""


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of sample_sets as the current folder, with `evaltui` on the path."""
    folder, program = tmp_path / "sample_sets", tmp_path / "bin" / "evaltui"
    shutil.copytree(SAMPLES, folder)
    write_program(program)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.chdir(folder)
    return folder


def parsers() -> dict[str, CommandParser]:
    program = ProgramParser()
    return {"": program, **program.commands}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("edit", "watch")])
def test_the_example_of_a_command_works(samples: Path, name: str) -> None:
    command = parsers()[name].example + OF_THE_APP.get(name, "")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
    assert (done.returncode, "Traceback" in done.stderr) == (EXIT_CODES.get(name, 0), False), done.stderr
    assert done.stdout or any(path.stat().st_size for path in samples.glob("*.schema.json"))


def test_the_example_of_watch_works(samples: Path) -> None:
    command = f"exec {parsers()['watch'].example}"
    with running(["sh", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as watch:
        assert watch.stdout is not None
        assert watch.stdout.readline().startswith(b'{"version": 1')
        watch.send_signal(signal.SIGINT)
        assert watch.wait() == EXIT_CODES["watch"]


@pytest.mark.parametrize("example", [EXAMPLE, parsers()["edit"].example])
def test_the_example_of_the_editor_opens_a_set(samples: Path, example: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr("evaltui.tui.launch.launch", lambda file, *_, **__: opened.append(file) or 0)
    assert main(shlex.split(example)[1:]) == 0
    assert [Path(name).exists() for name in opened] == [True]


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_fits_a_terminal_of_80_columns(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as ended:
        patch.setenv("COLUMNS", "80")
        main([name, "--help"] if name else ["--help"])
    shown = capsys.readouterr().out
    example = parsers()[name].example
    assert ended.value.code == 0
    assert "\nExample:\n" in shown
    assert all(f"\n  {line}\n" in shown for line in example.splitlines())
    assert [line for line in shown.splitlines() if len(line) > 80] == []


@pytest.mark.parametrize("columns", ["20", "5"])
@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_the_help_in_a_narrow_terminal_has_every_word(name: str, columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    parser = parsers()[name]
    monkeypatch.setenv("COLUMNS", "80")
    wide = parser.format_help()
    monkeypatch.setenv("COLUMNS", columns)
    narrow = parser.format_help()
    assert "".join(narrow.split()) == "".join(wide.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_each_option_has_a_group_and_a_sentence(name: str) -> None:
    parser = parsers()[name]
    titles = [group.title for group in parser._action_groups if group._group_actions]
    assert not {"options", "positional arguments"} & set(titles)
    assert len(set(titles)) == len(titles)
    for action in parser._actions:
        assert action.help is not None
        assert action.help[0].isupper() or action.help.startswith(".")
        assert action.help.endswith(".")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_an_option_names_its_values(name: str) -> None:
    for action in parsers()[name]._actions:
        refused = {"json"} if name == "watch" else set()  # it is parsed to point to jsonl
        missing = [each for each in action.choices or () if each not in (action.help or "") and each not in refused]
        assert missing == [], action.dest


def test_the_help_shows_all_commands_by_purpose() -> None:
    shown = parsers()[""].format_help()
    places = [shown.index(f"\n  {name} ") for name in COMMANDS]
    assert places == sorted(places)
    assert [shown.count(f"\n{purpose}:\n") for purpose in COMMANDS_BY_PURPOSE] == [1] * len(COMMANDS_BY_PURPOSE)
    assert [text for text in COMMANDS.values() if text not in shown.replace("\n              ", " ")] == []

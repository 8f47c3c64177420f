"""No process of evaltui imports from the working directory, which has a file named like each module there is."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.evalset.search.replacement import RegexProcess
from evaltui.processes import in_processes
from evaltui.recordings.reader_process import open_in_process
from tests.commands.runs import case, eval_set, result, turn, write
from tests.safety.modules import shadow_modules

LARGE = 31_000_000
"""Bytes of a set for which `validate` uses several processes by itself."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The working directory. It must be left as it is, without a mark of code that ran."""
    folder, mark = tmp_path / "repository", tmp_path / "mark"
    folder.mkdir()
    shadow_modules(folder, mark)
    monkeypatch.chdir(folder)
    yield folder
    assert not mark.exists()


def started(*words: str) -> "subprocess.CompletedProcess[bytes]":
    return subprocess.run(words, capture_output=True, check=False, timeout=120)


def test_a_module_here_runs_where_python_is_started_plainly(tmp_path: Path) -> None:
    """So that the other tests mean something."""
    shadow_modules(tmp_path, tmp_path / "mark")
    subprocess.run([sys.executable, "-c", "import json"], cwd=tmp_path, capture_output=True, check=False)
    # From Python 3.13 on, `-c` itself imports a module from here.
    assert (tmp_path / "mark").read_text().split()[0] in ("json", "linecache")


@pytest.mark.thorough
def test_processes_of_large_files(folder: Path) -> None:
    text = "word " * 200_000
    cases = [case(f"case_{number}", turn("Hello", text)) for number in range(LARGE // len(text) + 1)]
    write(folder / "a.evalset.json", eval_set(*cases))
    assert started(str(Path(sys.executable).with_name("evaltui")), "validate", "a.evalset.json").returncode == 0


@pytest.mark.parametrize(
    "start",
    [
        (sys.executable, "-P", "-m", "evaltui"),
        (sys.executable, "-I", "-m", "evaltui"),
        (sys.executable, "-E", str(Path(sys.executable).with_name("evaltui"))),
    ],
    ids=["safe", "isolated", "without variables"],
)
def test_processes_however_evaltui_was_started(folder: Path, start: tuple[str, ...]) -> None:
    """As a program, commands are started in `test_hostile_repository.py`."""
    for number in range(2):
        write(folder / f"{number}.evalset.json", eval_set(case("alpha", turn("Hello", "Hi."))))
    assert started(*start, "validate", "--jobs", "2", ".").returncode == 0


def test_python_dash_m_imports_nothing_from_here_once_evaltui_runs(folder: Path) -> None:
    """Before that, Python itself imports some, such as `pkgutil`."""
    for path in folder.iterdir():
        if path.stem not in ("argparse", "asyncio", "json", "multiprocessing", "pickle", "pydantic", "signal", "yaml"):
            path.unlink()
    write(folder / "a.evalset.json", eval_set(case("alpha", turn("Hello", "Hi."))))
    assert started(sys.executable, "-m", "evaltui", "validate", "--jobs", "2", ".").returncode == 0


def test_the_processes_of_the_editor(folder: Path) -> None:
    path = write(folder / "run.json", result(case("alpha", turn("Hello", "Hi."))))
    assert len(open_in_process(path).conversations) == 1
    assert RegexProcess().search("l+", False, "", texts=["Hello"], words=[False])[1] == [[(2, 4, "")]]


def test_the_environment_is_as_before(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """The user's own commands may import from their working directory."""
    for value in (None, "", "1"):
        monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
        if value is not None:
            monkeypatch.setenv("PYTHONSAFEPATH", value)
        assert list(in_processes(os.getenv, ["PYTHONSAFEPATH"], 2)) == ["1"]
        assert os.environ.get("PYTHONSAFEPATH") == value

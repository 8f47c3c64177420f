"""Commands run in this process (`evaltui`) or in one of their own (`process`), and files for them."""

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from evaltui.cli import main
from tests.warm.commands import warm_evaltui

SOURCE = b'{"a": 1.0, "b": "\\u00e9"}\n'
PATCHED = b'{"a": 1.0, "b": "\\u00e9", "c": [2]}\n'
ADD = b'[{"op": "add", "path": "/c", "value": [2]}]'


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: bytes
    err: str


Evaltui = Callable[..., Done]
Process = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def evaltui(capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Evaltui:
    """Runs a command: `evaltui("patch", path, "-", stdin=b"[]")`."""

    def run(*arguments: object, stdin: bytes = b"") -> Done:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(argument) for argument in arguments])
        sys.stdout.flush()
        out, err = capfdbinary.readouterr()
        return Done(code, out, err.decode())

    return run


@pytest.fixture
def process() -> Process:
    """Runs a command in a process of its own that has imported evaltui; `env` adds variables."""
    return _runner(warm_evaltui())


@pytest.fixture
def fresh_process() -> Process:
    """Runs a command in a process of its own from the start of Python on."""
    return _runner([sys.executable, "-m", "evaltui"])


def _runner(program: list[str]) -> Process:
    """Output is buffered as in a shell."""

    def run(
        *arguments: object, env: dict[str, str] | None = None, **options: Any
    ) -> subprocess.CompletedProcess[bytes]:
        unbuffered = ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8")
        environment = {name: value for name, value in os.environ.items() if name not in unbuffered} | (env or {})
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        command = [*program, *map(str, arguments)]
        return subprocess.run(command, check=False, timeout=60, env=environment, **streams)

    return run


@pytest.fixture(autouse=True)
def in_own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands run where the files are."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file to patch."""
    path = tmp_path / "set.json"
    path.write_bytes(SOURCE)
    return path


@pytest.fixture
def patch(tmp_path: Path) -> Path:
    """A patch that fits it."""
    path = tmp_path / "patch.json"
    path.write_bytes(ADD)
    return path

"""`make test-versions`: the Pythons that it finds."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.versions import candidates, missing, newest_pythons, version_of


def program(path: Path, said: str) -> Path:
    """A program that prints a line in the place of a Python."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{said}\n")
    path.chmod(0o755)
    return path


def python(path: Path, *version: int, name: str = "cpython") -> Path:
    return program(path, f"echo {name} {' '.join(map(str, version))}")


def test_pythons_are_found_on_the_path_and_in_pyenv(tmp_path: Path) -> None:
    on_path = python(tmp_path / "bin" / "python3.12", 3, 12, 1)
    program(tmp_path / "bin" / "python3.12-config", "echo no")
    pyenv = tmp_path / "pyenv"
    newer = python(pyenv / "versions" / "3.12.4" / "bin" / "python", 3, 12, 4)
    newest = python(pyenv / "versions" / "3.14.0" / "bin" / "python", 3, 14, 0)
    python(pyenv / "versions" / "3.10.1" / "bin" / "python", 3, 10, 1)
    path = os.pathsep.join(["", str(tmp_path / "none"), str(on_path.parent)])
    assert on_path in candidates(path, pyenv)
    found = newest_pythons(path, pyenv)
    assert found == {(3, 12, 4): newer, (3, 14, 0): newest}
    assert missing(found) == ["3.11", "3.13"]
    assert list(newest_pythons(path, tmp_path / "none")) == [(3, 12, 1)]


@pytest.mark.parametrize("said", ["exit 1", "echo", "echo pypy 3 11 0", "echo cpython 3 12 1; exit 127"])
def test_other_programs_are_no_pythons(tmp_path: Path, said: str) -> None:
    assert version_of(program(tmp_path / "python3.12", said)) is None


def test_a_file_that_cannot_run_is_no_python(tmp_path: Path) -> None:
    (tmp_path / "python3.12").write_text("")
    assert version_of(tmp_path / "python3.12") is None


def test_this_python_is_one() -> None:
    assert version_of(Path(shutil.which(sys.executable) or "")) == sys.version_info[:3]

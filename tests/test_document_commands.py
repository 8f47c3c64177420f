"""Every command line of the documents is run as written, page by page, in a copy of the folder sample_sets.

A command that opens the app gets no terminal. It must run until it reports that it needs one.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.warm.commands import write_program

PROJECT = Path(__file__).resolve().parents[1]
HAVE_THEIR_OWN_TEST = {"baselines.md", "watching.md"}
NEEDS_NOTHING_OF_OURS = ("make ", "pip ", "pipx ", "#!")


def pages() -> list[Path]:
    found = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
    return [page for page in found if page.name not in HAVE_THEIR_OWN_TEST and commands(page)]


def commands(page: Path) -> list[str]:
    """The command lines in the `sh` blocks of a page, in order. Scripts (`#!`) are left out."""
    text = page.read_text("utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for block in blocks if not block.startswith("#!") for line in _joined(block)]
    return [line for line in lines if not line.startswith(NEEDS_NOTHING_OF_OURS)]


def _joined(block: str) -> list[str]:
    """The lines of a block. A line that ends with a backslash is joined with the next one."""
    return [line for line in block.replace("\\\n", " ").splitlines() if line.strip() and not line.startswith("#")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the sample sets, and `evaltui` and `python` on the path."""
    shutil.copytree(PROJECT / "sample_sets", tmp_path / "sample_sets")
    write_program(tmp_path / "bin" / "evaltui")
    write_program(tmp_path / "bin" / "python", [sys.executable])
    return tmp_path


def run(folder: Path, place: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    words = ["bash", "-o", "pipefail", "-c", command]
    return subprocess.run(
        words, cwd=place, env=environment, check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )


def opens_the_app(command: str) -> bool:
    words = shlex.split(command, comments=True)
    if words[:1] != ["evaltui"]:
        return False
    shows_a_set = words[1:2] == ["edit"] or (len(words) > 1 and words[1].endswith(".json"))
    return shows_a_set or (words[1:2] == ["review"] and "--format" not in words) or len(words) == 1


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_each_command_of_the_page_works(page: Path, folder: Path) -> None:
    place = folder if page.name == "README.md" else folder / "sample_sets"
    for command in commands(page):
        done = run(folder, place, command)
        said = f"{page.name}: {command}\n{done.stdout[-500:]}{done.stderr[-500:]}"
        if opens_the_app(command):
            assert done.returncode == 2, said
            assert "terminal" in done.stderr, said
        else:
            assert done.returncode in (0, 1, 3), said
            assert "Traceback" not in done.stderr, said


def test_some_pages_have_commands() -> None:
    assert {"README.md", "authoring.md", "ci.md", "converting.md"} <= {page.name for page in pages()}
    assert opens_the_app("evaltui edit a.json -r b")
    assert not opens_the_app("evaltui review a.json --format text")

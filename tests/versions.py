"""Runs the tests, without those of a terminal, on each Python from 3.11 on that this machine has.

A Python is found on the PATH (`python3.12`) and among the versions of pyenv. Of several 3.12, the newest counts. Each
has a virtual environment below `.venvs`.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parent.parent
OLDEST = (3, 11)
NEWEST = (3, 14)
"""The newest version that README.md names."""

Version = tuple[int, int, int]

_ASK = "import sys, venv, ensurepip; print(sys.implementation.name, *sys.version_info[:3])"


def candidates(path: str, pyenv: Path) -> Iterator[Path]:
    """The programs that may be a Python: `python3.N` in the folders of `path`, and the versions of pyenv."""
    for folder in map(Path, path.split(os.pathsep)):
        yield from sorted(each for each in folder.glob("python3.*") if each.name.removeprefix("python3.").isdigit())
    yield from sorted(pyenv.glob("versions/*/bin/python"))


def version_of(python: Path) -> Version | None:
    """The version of a CPython that can make virtual environments; None for any other program."""
    try:
        done = subprocess.run([python, "-I", "-c", _ASK], check=False, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    name, *numbers = done.stdout.split() or [""]
    if done.returncode or name != "cpython":
        return None
    major, minor, micro = map(int, numbers)
    return major, minor, micro


def newest_pythons(path: str, pyenv: Path) -> dict[Version, Path]:
    """The newest Python of each minor version from 3.11 on, the oldest first."""
    newest: dict[tuple[int, int], tuple[Version, Path]] = {}
    for python in candidates(path, pyenv):
        version = version_of(python)
        if version is None or version[:2] < OLDEST:
            continue
        known = newest.get(version[:2])
        if known is None or known[0] < version:
            newest[version[:2]] = version, python
    return dict(sorted(newest.values()))


def text_of(version: tuple[int, ...]) -> str:
    """`3.12.1`."""
    return ".".join(map(str, version))


def missing(found: dict[Version, Path]) -> list[str]:
    """The minor versions up to the newest of the README that were not found."""
    minors = {version[:2] for version in found}
    every = [(3, minor) for minor in range(OLDEST[1], NEWEST[1] + 1)]
    return [text_of(each) for each in every if each not in minors]


def run_tests(version: Version, python: Path) -> int:
    """Install the project for a Python, and run the tests. Returns an exit code."""
    folder = PROJECT / ".venvs" / text_of(version)
    own = folder / "bin" / "python"
    install = [own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", ".[test]"]
    commands: list[list[str | Path]] = [
        *([] if own.exists() else [[python, "-m", "venv", folder]]),
        install,
        [own, "-m", "pytest", "--ignore=tests/terminal"],
    ]
    for command in commands:
        if code := subprocess.run(command, check=False, cwd=PROJECT).returncode:
            return code
    return 0


def main() -> int:
    """Run the tests on each Python. Returns 1 if one of them fails or no Python was found."""
    root = os.environ.get("PYENV_ROOT")
    found = newest_pythons(os.environ.get("PATH", ""), Path(root) if root else Path.home() / ".pyenv")
    for version, python in found.items():
        print(f"Found Python {text_of(version)}: {python}")
    for minor in missing(found):
        print(f"Not found: Python {minor}. Its tests do not run")
    failed = []
    for version, python in found.items():
        print(f"Python {text_of(version)}: the tests run …", flush=True)
        if run_tests(version, python):
            failed.append(text_of(version))
    passed = [text_of(each) for each in found if text_of(each) not in failed]
    print(f"Passed: {', '.join(passed) or 'none'}. Failed: {', '.join(failed) or 'none'}")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())

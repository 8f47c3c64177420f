"""The loop of a team with the plug-in, in another version of pytest than the one that runs this test."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.scored_sets import ACTUAL, RECORDING, SET, a_set

_IDS = ["twice", "twice", "open[one", "open[one]", "größe→[ü]"]
_NAMES = ["twice[1]", "twice[2]", "open%5Bone", "open[one]", "größe→[ü]"]
_WORDS = "-p", "evaltui.pytest", "-rA", "--evaltui-recordings", "run.json"


@pytest.fixture
def other_pytest(tmp_path: Path) -> Path:
    """A Python with another version of pytest and the packages of evaltui; EVALTUI_PYTEST_PYTHON names it."""
    python = os.environ.get("EVALTUI_PYTEST_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_PYTEST_PYTHON names no Python with another version of pytest")
    cases = [{"eval_id": eval_id, "conversation": ACTUAL["nobody"]} for eval_id in _IDS]
    for name, text in {
        "ids.evalset.json": json.dumps({"eval_set_id": "ids", "eval_cases": cases}),
        "trips.evalset.json": SET,
        "run.json": RECORDING,
    }.items():
        (tmp_path / name).write_text(text)
    return Path(python)


def _run(python: Path, folder: Path, *words: str, module: str = "pytest", code: int = 0) -> str:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    command = [str(python), "-m", module, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("option", ["--lf", "--ff", "--sw"])
def test_failures_of_the_last_run_are_found(other_pytest: Path, tmp_path: Path, option: str) -> None:
    _run(other_pytest, tmp_path, *_WORDS, "ids.evalset.json", "trips.evalset.json", code=1)
    if option == "--sw":
        skipped = [word for name in _NAMES[:3] for word in ("--deselect", f"ids.evalset.json::{name}")]
        _run(other_pytest, tmp_path, *_WORDS, "ids.evalset.json", "--sw", *skipped, code=2)
    listed = _run(other_pytest, tmp_path, *_WORDS, option, "--collect-only", "-q", "ids.evalset.json")
    found = [line for line in listed.splitlines() if "::" in line]
    assert found == [f"ids.evalset.json::{name}" for name in (_NAMES[3:] if option == "--sw" else _NAMES)]


def test_a_baseline_and_workers(other_pytest: Path, tmp_path: Path) -> None:
    base = "run", "trips.evalset.json", "-r", "run.json", "--save-baseline", "base.json"
    _run(other_pytest, tmp_path, *base, module="evaltui", code=1)
    words = *_WORDS, "-p", "xdist", "-n", "2", "--evaltui-baseline", "base.json", "--evaltui-fail-on", "regression"
    well = _run(other_pytest, tmp_path, *words, "trips.evalset.json")
    assert "1 passed, 1 skipped, 2 xfailed" in well
    (tmp_path / "run.json").write_text(a_set({**ACTUAL, "greeting": ACTUAL["too_long"]}))
    worse = _run(other_pytest, tmp_path, *words, "trips.evalset.json", code=1)
    assert "regressed: this case passed in base.json" in worse
    assert "1 failed, 1 skipped, 2 xfailed" in worse

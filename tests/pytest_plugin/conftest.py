"""A project with eval sets, and runs of pytest with the plug-in. Real processes are slow, so most are in this one."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import evaltui.api  # noqa: F401 - else each run in this process would import it again
from tests.scored_sets import EXPECTED, RECORDING, SET, a_set

HELLO = EXPECTED["greeting"]
_TWICE = {"eval_id": "twice", "conversation": HELLO}
ODD = json.dumps({"eval_set_id": "odd", "eval_cases": [_TWICE, {"eval_id": "a::b", "conversation": HELLO}, _TWICE]})
FILES = {
    "evals/trips.evalset.json": SET,
    "evals/odd.test.json": ODD,
    "evals/legacy.test.json": "[]",
    "evals/other.json": SET,
    "run.json": RECORDING,
    "faults/broken.evalset.json": '{"eval_set_id": "x",',
    "faults/empty.evalset.json": a_set({}),
    "faults/legacy.evalset.json": '[{"query": "Hi", "reference": "Hello"}]',
    "test_own.py": "def test_own():\n    pass\n",
    "own.json": '{"criteria": {"response_match_score": 0.1}}',
}
TRIPS, ODDS = "evals/trips.evalset.json", "evals/odd.test.json"
WITH_RUN = "--evaltui-recordings", "run.json"
Run = Callable[..., pytest.RunResult]


@pytest.fixture(autouse=True)
def project(pytester: pytest.Pytester) -> Path:
    """The current folder, with eval sets, recordings and a test in Python."""
    for name, text in FILES.items():
        (pytester.path / name).parent.mkdir(exist_ok=True)
        (pytester.path / name).write_text(text)
    return pytester.path


@pytest.fixture
def run(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs pytest with the plug-in, and without those that are installed: `run("-q", "evals")`."""
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("COLUMNS", "400")

    def run(*words: str) -> pytest.RunResult:
        if "xdist" in words:
            return pytester.runpytest_subprocess("-p", "evaltui.pytest", *words)
        return pytester.runpytest_inprocess("-p", "evaltui.pytest", *words)

    return run


def outcomes(result: pytest.RunResult) -> dict[str, str]:
    """The outcome of each test, from the summary of `-rA`. Skipped tests are named by their place."""
    found = re.findall(r"^(PASSED|FAILED|XFAIL|ERROR|SKIPPED) (?:\[\d+\] )?(\S+)", text_of(result), re.MULTILINE)
    return {name: outcome for outcome, name in found}


def collected(result: pytest.RunResult) -> list[str]:
    """The tests of `--collect-only -q`."""
    return [line for line in result.outlines if "::" in line]


def text_of(result: pytest.RunResult) -> str:
    return "\n".join([*result.outlines, *result.errlines])

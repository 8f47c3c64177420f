"""A large run on one processor, on two and on a Ray cluster gives one document, with the scores of google-adk.

EVALTUI_LARGE_RUN sets the number of cases; 30,000 take some minutes.
"""

import json
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from benchmarks.large_set import large_results, large_set
from tests.agreement.score_oracle import CASES, answers

pytestmark = pytest.mark.timeout(3600)

COUNT = int(os.environ.get("EVALTUI_LARGE_RUN", "2000"))
SAMPLE = 300
CONFIG = {"criteria": {"tool_trajectory_avg_score": 1.0, "response_match_score": 0.8}}
ENGINES = (["--jobs", "1"], ["--jobs", "2"], *([["--engine", "ray"]] if find_spec("ray") else []))


def test_each_engine_gives_one_document_with_the_scores_of_google_adk(adk_python: str, tmp_path: Path) -> None:
    eval_set, results = large_set(COUNT), large_results(COUNT)
    config = tmp_path / "test_config.json"
    config.write_text(json.dumps(CONFIG))
    written = [tmp_path / f"{number}.json" for number, _ in enumerate(ENGINES)]
    for engine, path in zip(ENGINES, written, strict=True):
        words = ["run", str(eval_set), "-r", str(results), "--config", str(config), "-o", str(path), *engine]
        done = subprocess.run([sys.executable, "-m", "evaltui", *words], capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
    assert len({path.read_bytes() for path in written}) == 1
    scored = {each["eval_id"]: each for each in json.loads(written[0].read_bytes())["cases"]}
    assert len(scored) == COUNT
    cases = random.Random(18).sample(json.loads(eval_set.read_bytes())["eval_cases"], min(SAMPLE, COUNT))
    recorded = _recorded(results)
    questions = [[case, CONFIG, [recorded[case["eval_id"]]]] for case in cases]
    for case, answer in zip(cases, answers(adk_python, CASES, questions), strict=True):
        ours = scored[case["eval_id"]]
        (run,) = answer["runs"]
        assert run["status"].lower() == ours["status"]
        assert run["metrics"] == {each["name"]: [each["score"], each["status"].upper()] for each in ours["metrics"]}


def _recorded(folder: Path) -> dict[str, Any]:
    """The actual invocations of each case."""
    found = {}
    for path in folder.iterdir():
        for case in json.loads(path.read_bytes())["eval_case_results"]:
            turns = case["eval_metric_result_per_invocation"]
            found[case["eval_id"]] = [each["actual_invocation"] for each in turns]
    return found

"""Results that the real `agents-cli eval grade` writes: they are found, and the scores of its graders are shown."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from evaltui.cli import main

_SAYS = {"role": "model", "parts": [{"text": "It costs 600."}]}
_CASE = {
    "eval_case_id": "price",
    "prompt": {"role": "user", "parts": [{"text": "Price of the phone?"}]},
    "reference": {"response": {"role": "model", "parts": [{"text": "It costs 500."}]}},
}
_EVENT = {"author": "shop", "event_time": "2026-11-27T05:00:01Z", "content": _SAYS}
_TRACE = _CASE | {
    "responses": [{"response": _SAYS}],
    "agent_data": {"turns": [{"turn_index": 0, "turn_id": "turn_0", "events": [_EVENT]}]},
}
_GRADERS = """
custom_metrics:
  - name: politeness
    custom_function: |
      def evaluate(instance: dict):
          return {"score": 0.75, "explanation": "fine"}
  - name: broken
    custom_function: |
      def evaluate(instance: dict):
          raise ValueError("no judge here")
"""
_NOBODY = {"type": "authorized_user", "client_id": "x", "client_secret": "x", "refresh_token": "x"}
"""Credentials that nothing uses: graders of the project run on this machine, but the client wants some."""


@pytest.mark.parametrize("folder", [[], ["-r", "artifacts/grade_results"]])
def test_grades_stand_beside_the_case(
    agents_cli_python: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    folder: list[str],
) -> None:
    files = {
        "agents-cli-manifest.yaml": "name: shop\nagent_directory: app\n",
        "app/__init__.py": "",
        "tests/eval/eval_config.yaml": _GRADERS,
        "tests/eval/datasets/basic-dataset.json": json.dumps({"eval_cases": [_CASE]}),
        "artifacts/traces/traces_20261127_050000.json": json.dumps({"eval_cases": [_TRACE]}),
        "credentials.json": json.dumps(_NOBODY),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    program = Path(agents_cli_python).with_name("agents-cli")
    account = {"GOOGLE_APPLICATION_CREDENTIALS": str(tmp_path / "credentials.json"), "GOOGLE_CLOUD_PROJECT": "p"}
    grade = [program, "eval", "grade", "--metrics", "politeness,broken"]
    done = subprocess.run(grade, cwd=tmp_path, env=os.environ | account, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    monkeypatch.chdir(tmp_path)
    dataset = "tests/eval/datasets/basic-dataset.json"
    assert main(["run", dataset, "--format", "json", *folder]) == 1
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    (result,) = Path("artifacts/grade_results").glob("*.json")
    assert case["recording"] == {"path": str(result), "id": "price", "matched_by": "eval_id"}
    grades = {each["name"]: each for each in case["metrics"] if "recorded_at" in each}
    assert {name: each["score"] for name, each in grades.items()} == {"politeness": 0.75, "broken": None}
    assert {each["status"] for each in grades.values()} == {"informational"}
    assert "no judge here" in grades["broken"]["reason"]

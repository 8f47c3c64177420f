"""The workflows of docs/ci.md, run step by step in a fresh folder with the wheel, also with the real `adk eval`."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from tests.commands.runs import case, eval_set, result, turn, write

PROJECT = Path(__file__).parents[2]
PAGE = (PROJECT / "docs" / "ci.md").read_text("utf-8")
AGENT = PROJECT / "tests" / "data" / "trip_agent"
SET, BASELINE = Path("evals/trips.evalset.json"), Path("evals/trips.baseline.json")
GREETING, BOOKED, BYE = "Hello, where do you want to go?", "Your flight is booked.", "See you soon."
CASES = (
    case("greeting", turn("Hi", GREETING)),
    case("booking", turn("Book flight 7", BOOKED, [("book_flight", {"flight_id": "7"})])),
    case("elsewhere", turn("Bye", BYE)),
)
VALUES = {
    "${{ secrets.GOOGLE_API_KEY }}": "",
    "${{ github.token }}": "token",
    "${{ github.event.pull_request.number }}": "7",
}
"""What GitHub puts in the place of its expressions."""
ADK = """\
import json, sys
from pathlib import Path
assert sys.argv[1:] == "eval agent evals/trips.evalset.json --config_file_path evals/test_config.json".split(), sys.argv
answers = Path("agent/answers.json").read_text()
history = Path("agent/.adk/eval_history")
history.mkdir(parents=True)
(history / "agent_trips_1.evalset_result.json").write_text(answers)
sys.exit(1)
"""
"""A stand-in for adk: its agent has answered already, and a case fails."""
COMMENT = """\
import sys
from pathlib import Path
words = sys.argv[1:]
bodies = [word.removeprefix("body=<") for word in words if word.startswith("body=<")]
body = bodies[0] if bodies else words[words.index("--body-file") + 1]
Path("comment.txt").write_text("\\n".join([*words, Path(body).read_text("utf-8")]), "utf-8")
"""
"""A stand-in for gh and curl: it keeps its words and the comment."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", folder, PROJECT], check=True)
    (built,) = folder.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", folder / "installed", built], check=True)
    return folder / "installed"


class Runner:
    """A runner of workflows in a fresh checkout."""

    def __init__(self, folder: Path, wheel: Path, adk: str | None) -> None:
        """`adk` is the real program; None for the stand-in."""
        self.folder = folder
        programs = folder.parent / f"{folder.name}-bin"
        programs.mkdir()
        stand_ins = {"pip": "", "gh": COMMENT, "curl": COMMENT, **({} if adk else {"adk": ADK})}
        for name, source in stand_ins.items():
            (programs / name).write_text(f"#!{sys.executable}\n{source}")
            (programs / name).chmod(0o755)
        if adk:
            (programs / "adk").write_text(f'#!/bin/sh\nPYTHONPATH= exec {adk} "$@"\n')
            (programs / "adk").chmod(0o755)
        self._environment = os.environ | {
            "PATH": os.pathsep.join([str(programs), str(wheel / "bin"), os.environ["PATH"]]),
            "PYTHONPATH": str(wheel),
            "GITHUB_STEP_SUMMARY": "summary.md",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(folder),
            "COMMENT_TOKEN": "token",
            "CI_API_V4_URL": "https://gitlab.example.com/api/v4",
            "CI_PROJECT_ID": "5",
            "CI_MERGE_REQUEST_IID": "7",
        }
        self.log = ""

    def run(self, command: str, variables: dict[str, str] | None = None) -> int:
        """The exit code of a step. Its output goes to the log."""
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command]
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=self._environment | {name: VALUES[value] for name, value in (variables or {}).items()},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        self.log += done.stdout
        return done.returncode

    def run_on_github(self) -> dict[str, list[int]]:
        """The exit codes of the steps of each job."""
        return {name: list(self._codes(job["steps"])) for name, job in blocks()["github"]["jobs"].items()}

    def _codes(self, steps: list[dict[str, Any]]) -> Iterator[int]:
        has_failed = False
        for step in (step for step in steps if "run" in step):
            assert step.get("if") in (None, "always()")
            if has_failed and "if" not in step:
                continue
            code = self.run(step["run"], step.get("env"))
            has_failed = has_failed or (code != 0 and not step.get("continue-on-error"))
            yield code

    def run_on_gitlab(self) -> int:
        """The exit code of the job."""
        job = blocks()["gitlab"]["evals"]
        code = self.run("\n".join(job["script"]))
        self.run("\n".join(job["after_script"]))
        return code


def blocks() -> dict[str, Any]:
    """The workflows of the page, and the command that saves the first baseline."""
    github, gitlab, *_ = (yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL))
    return {"github": github, "gitlab": gitlab, "baseline": re.findall(r"```bash\n(adk .*?)```", PAGE, re.DOTALL)[0]}


def checkout(folder: Path, wheel: Path, adk: str | None, answers: dict[str, str], baseline: str = "") -> Runner:
    """A checkout whose agent answers the greetings like this."""
    write(folder / "evals" / "test_config.json", {"criteria": {"response_match_score": 0.8}})
    (folder / SET).write_text(json.dumps(eval_set(*CASES), indent=1))
    if baseline:
        (folder / BASELINE).write_text(baseline)
    (folder / "agent").mkdir()
    for path in AGENT.glob("*.py"):
        text = path.read_text().replace(GREETING, answers["greeting"]).replace(BOOKED, answers["booking"])
        (folder / "agent" / path.name).write_text(text)
    recorded = [case(each["eval_id"], turn(user_text(each), answers[each["eval_id"]])) for each in CASES]
    write(folder / "agent" / "answers.json", result(*recorded))
    return Runner(folder, wheel, adk)


def place_of(level: str, eval_id: str) -> str:
    """The start of an annotation at the line in which a case of the set begins."""
    lines = json.dumps(eval_set(*CASES), indent=1).splitlines()
    line = lines.index(f'   "eval_id": "{eval_id}",')  # its brace is one line above, and lines count from 1
    return f"::{level} file={SET},line={line},title={eval_id}"


def user_text(of_case: dict[str, Any]) -> str:
    return str(of_case["conversation"][0]["user_content"]["parts"][0]["text"])


def check_workflows(tmp_path: Path, wheel: Path, adk: str | None) -> None:
    """Save a baseline with a failing case. An agent as good as that passes, a worse one fails both workflows."""
    good = {"greeting": GREETING, "booking": BOOKED, "elsewhere": GREETING}
    first = checkout(tmp_path / "first", wheel, adk, good)
    code = first.run(f"{blocks()['baseline'].replace(chr(10), ' || true' + chr(10), 1)}")
    assert code == 1, first.log
    baseline = (tmp_path / "first" / BASELINE).read_text()
    verdicts = {name: each["status"] for name, each in json.loads(baseline)["cases"].items()}
    assert verdicts == {"greeting": "passed", "booking": "passed", "elsewhere": "failed"}

    same = checkout(tmp_path / "same", wheel, adk, good, baseline)
    assert same.run_on_github() == {"check": [0, 0], "score": [0, 1, 0, 0, 0, 0]}, same.log
    assert f"{place_of('notice', 'elsewhere')} did not pass in the baseline either::" in same.log
    assert "::error" not in same.log

    worse = checkout(tmp_path / "worse", wheel, adk, {**good, "greeting": "Go away."}, baseline)
    assert worse.run_on_github() == {"check": [0, 0], "score": [0, 1, 1, 0, 0, 0]}, worse.log
    assert f"{place_of('error', 'greeting')} failed::▼ regressed: response_match 1.00 → 0." in worse.log
    assert "| ▼ regressed | `greeting` |" in (worse.folder / "summary.md").read_text("utf-8")
    commented = (worse.folder / "comment.txt").read_text("utf-8")
    assert commented.startswith("pr\ncomment\n7\n--edit-last")
    assert "## Review of `trips`" in commented
    assert "Go away." in commented

    for name, greeting, expected in (("gitlab-same", GREETING, 0), ("gitlab-worse", "Go away.", 1)):
        job = checkout(tmp_path / name, wheel, adk, {**good, "greeting": greeting}, baseline)
        assert job.run_on_gitlab() == expected, job.log
        suite = ElementTree.parse(job.folder / "scores.xml").getroot()[0]
        assert (suite.get("failures"), suite.get("skipped")) == (str(expected), "1")
        assert "https://gitlab.example.com/api/v4/projects/5/merge_requests/7/notes" in (
            job.folder / "comment.txt"
        ).read_text("utf-8")

    broken = checkout(tmp_path / "broken", wheel, adk, good, baseline)
    (broken.folder / "agent" / "agent.py").write_text("no python")
    (broken.folder / "agent" / "answers.json").unlink()
    assert broken.run_on_github()["score"] == [0, 1, 2, 0, 0, 0], broken.log
    assert "This run has no review." in (broken.folder / "comment.txt").read_text("utf-8")
    assert "agent/.adk/eval_history" in broken.log.rpartition("Traceback")[2]


@pytest.mark.thorough
def test_the_workflows_fail_only_for_what_got_worse(tmp_path: Path, wheel: Path) -> None:
    check_workflows(tmp_path, wheel, None)


def test_the_workflows_run_with_the_real_adk_eval(tmp_path: Path, wheel: Path, adk_python: str) -> None:
    adk = Path(adk_python).with_name("adk")
    if not adk.exists() or shutil.which("bash") is None:
        pytest.skip("there is no adk beside the Python of EVALTUI_ADK_PYTHON, or no bash")
    check_workflows(tmp_path, wheel, str(adk))

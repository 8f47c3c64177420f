"""The commands and the workflow of docs/baselines.md are run as written."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.warm.commands import write_program

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "baselines.md").read_text("utf-8")
BASELINE = "evals/trip_planner.baseline.json"


def shell_blocks() -> list[list[str]]:
    return [block.splitlines() for block in re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)]


def steps() -> list[str]:
    (workflow,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    return [step for step in re.findall(r"run: (.*)", workflow) if not step.startswith("pip ")]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the sample set, recordings, and the programs that a workflow uses."""
    (tmp_path / "evals").mkdir()
    shutil.copy(PROJECT / "sample_sets" / "trip_planner.evalset.json", tmp_path / "evals")
    shutil.copytree(PROJECT / "sample_sets" / "recordings", tmp_path / "recordings")
    write_program(tmp_path / "bin" / "evaltui")
    comment = 'echo "$@" > gh.txt; while [ "$1" != --body-file ]; do shift; done; cat "$2" >> gh.txt'
    write_program(tmp_path / "bin" / "gh", ["sh", "-c", comment, "gh"])
    return tmp_path


def shell(project: Path, command: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {
        "PATH": f"{project / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": "summary.md",
        "PULL_REQUEST": "7",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }
    # Like a step of a workflow: bash ends at the first command that fails, also within a pipe.
    words = ["bash", "-eo", "pipefail", "-c", command]
    return subprocess.run(words, cwd=project, env=environment, check=False, capture_output=True, text=True)


def commit(project: Path) -> None:
    who = "-c user.name=a -c user.email=a@example.org"
    commands = ("git init -q -b main", "git add evals", f"git {who} commit -qm a", "git remote add origin .")
    assert [shell(project, command).returncode for command in commands] == [0, 0, 0, 0]


def test_each_command_of_the_page_does_what_it_says(project: Path) -> None:
    saving, comparing, from_main, updating, two_results = shell_blocks()
    (save,) = saving
    assert shell(project, save).returncode == 1  # some cases fail, and there is no baseline to compare with yet
    shown = re.search(r"```json\n(.*?)    …", PAGE, re.DOTALL)
    assert shown is not None
    assert (project / BASELINE).read_text("utf-8").startswith(shown[1].rstrip(" \n"))
    commit(project)
    assert [shell(project, command).returncode for command in (*comparing, *from_main)] == [0, 0, 0]
    assert [shell(project, command).returncode for command in updating] == [1, 0]
    found = [shell(project, command) for command in two_results]
    assert [each.returncode for each in found] == [1, 1, 0, 1]
    assert "= book_flight_lisbon_montreal  same" in found[2].stdout
    assert "+ greeting_without_tools  new" in found[2].stdout
    assert found[3].stdout.startswith("## ")


def test_the_workflow_fails_for_a_regression_and_comments(project: Path) -> None:
    run, summary, comment = steps()
    shell(project, shell_blocks()[0][0])
    assert [shell(project, step).returncode for step in (run, summary, comment)] == [0, 0, 0]
    assert "2 not evaluated, 4 same" in (project / "summary.md").read_text("utf-8")
    text = (project / BASELINE).read_text("utf-8")
    was = '"tokyo_day_trip_by_train": {"status": "failed"'
    assert was in text
    (project / BASELINE).write_text(text.replace(was, was.replace("failed", "passed")))
    assert [shell(project, step).returncode for step in (run, summary, comment)] == [1, 0, 0]
    posted = (project / "gh.txt").read_text("utf-8")
    assert posted.startswith("pr comment 7 ")
    assert "| ▼ regressed | `tokyo_day_trip_by_train` |" in posted

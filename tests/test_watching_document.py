"""The commands of docs/watching.md are run as written."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.commands.watched import WatchProcess

PROJECT = Path(__file__).resolve().parents[1]
PAGE = (PROJECT / "docs" / "watching.md").read_text("utf-8")
SET = "trip_planner.evalset.json"
COMMANDS = [shlex.split(line)[2:] for line in re.findall(r"^evaltui watch .*$", PAGE, re.MULTILINE)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the sample set, its recordings, an agent, and a script that records the agent."""
    shutil.copy(PROJECT / "sample_sets" / SET, tmp_path)
    shutil.copytree(PROJECT / "sample_sets" / "recordings", tmp_path / "recordings")
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent/agent.py").write_text("# answers")
    # As on the page: write to a temporary name, then move into place.
    record = "cp recordings/trip_planner_second.evalset_result.json run.tmp; mv run.tmp recordings/run.json"
    (tmp_path / "record.sh").write_text(record)
    return tmp_path


@pytest.mark.parametrize("arguments", COMMANDS, ids=" ".join)
def test_each_command_scores_at_once_and_after_a_change(project: Path, arguments: list[str]) -> None:
    with WatchProcess(project, *arguments) as watch:
        assert watch.document()["trigger"] == []
        if "--exec" in arguments:
            (project / "agent/agent.py").write_text("# answers otherwise")
        else:
            shutil.copy(project / "recordings/trip_planner_second.evalset_result.json", project / "run.tmp")
            (project / "run.tmp").replace(project / "recordings/run.json")
        assert watch.document()["trigger"] == ["recordings/run.json"]


def test_the_page_has_commands_with_and_without_an_agent() -> None:
    assert {"--exec" in arguments for arguments in COMMANDS} == {True, False}
    assert '"trigger": ["recordings/run.json"]' in PAGE

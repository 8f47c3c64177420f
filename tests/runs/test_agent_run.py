"""A run of the agent: its folder, named or found, and the new recordings after it."""

import json
import os
import stat
from pathlib import Path

import pytest

from evaltui.recordings.default_recordings import artifacts_of, default_folders
from evaltui.recordings.recording_search import HISTORY
from evaltui.runs import agent_run
from evaltui.runs.agent_run import find_agent, new_output_folder, new_recordings, plan_run, result_folders, results_in
from evaltui.runs.command_process import CommandError
from evaltui.settings.user_settings import Settings
from tests.scored_sets import ACTUAL, RECORDING, history

RESULT = next(iter(history(ACTUAL).values()))


def write(path: Path, text: str = RESULT, age: float = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_700_000_000 - age, 1_700_000_000 - age))
    return path


def test_only_what_was_written_or_changed_since_counts(tmp_path: Path) -> None:
    history_of_set, history_of_agent = tmp_path / "sets/.adk/eval_history", tmp_path / "agent/.adk/eval_history"
    write(history_of_set / "old.evalset_result.json")
    changed = write(history_of_set / "changed.evalset_result.json", age=50)
    folders = [tmp_path / name / HISTORY for name in ("sets", "agent", "sets/../sets")]
    earlier, output = results_in(folders), tmp_path / "out"
    assert new_recordings(folders, earlier, output) == []
    write(changed, RESULT + "\n", age=40)
    new = write(history_of_agent / "new.evalset_result.json", age=30)
    write(history_of_agent / "notes.txt")
    written = write(tmp_path / "out" / "deep" / "results.json", age=20)
    write(tmp_path / "out" / "log.json", '{"no": "recording"}')
    write(tmp_path / "out" / "set.json", RECORDING)
    assert new_recordings(folders, earlier, output) == [changed, new, written]


@pytest.mark.parametrize(
    ("settings", "folder"),
    [
        ('run = "adk eval agents/rail {set}:{cases}"', "agents/rail/.adk/eval_history"),
        ('run = "./eval.sh {set}"\nagent = "agents/rail"', "agents/rail/.adk/eval_history"),
        ('run = "./eval.sh {set}"', "bus/.adk/eval_history"),
        ('run = "agents-cli eval run --dataset {set}"', "artifacts/grade_results"),
    ],
)
def test_a_run_brings_what_is_found_without_names_later(tmp_path: Path, settings: str, folder: str) -> None:
    for name in (".git/HEAD", "agents/rail/agent.py", "bus/agent.py", "agents-cli-manifest.yaml"):
        write(tmp_path / name, "")
    write(tmp_path / "evaltui.toml", settings)
    path = write(tmp_path / "evals" / "desk.evalset.json", "{}")
    folders = set(result_folders(plan_run(Settings(), path, ())))
    assert tmp_path / folder in folders
    for is_dataset in (False, True):
        assert folders.issuperset(default_folders(path, is_dataset=is_dataset))


def test_a_trace_that_a_new_result_repeats_is_no_recording_of_its_own(tmp_path: Path) -> None:
    folders = [*artifacts_of(tmp_path)]
    earlier = results_in(folders)
    events = {"agent_data": {"turns": [{"events": [{"event_time": "2026-11-20T10:00:00.000001Z"}]}]}}
    text = json.dumps({"eval_cases": [events]})
    trace = write(tmp_path / "artifacts" / "traces" / "t.json", text, age=20)
    other = write(tmp_path / "artifacts" / "traces" / "u.json", text.replace("10:00", "11:00"), age=10)
    assert new_recordings(folders, earlier, None) == [trace, other]
    graded = write(tmp_path / "artifacts" / "grade_results" / "results_1.json", text)
    assert new_recordings(folders, earlier, None) == [other, graded]


def test_places_that_are_absent_hold_nothing(tmp_path: Path) -> None:
    assert new_recordings([tmp_path / "gone" / HISTORY], {}, None) == []
    assert new_recordings([], {}, tmp_path / "gone") == []


def test_output_folders_are_private_and_the_oldest_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_run, "user_state_path", lambda _: tmp_path)
    monkeypatch.setattr(agent_run, "_MOST_FOLDERS", 3)
    above = tmp_path / "agent_runs"
    for name in ("run-20200101-000000-aa", "run-20210101-000000-bb", "of-somebody"):
        write(above / name / "result.json")
    made = [new_output_folder() for _ in range(4)]
    assert stat.S_IMODE(made[0].stat().st_mode) == 0o700
    assert {path.name for path in above.iterdir()} == {
        "of-somebody", *(path.name for path in made)
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "text"),
    [("agent.py", ""), ("root_agent.yaml", ""), ("__init__.py", "from .x import root_agent\n")],
)
@pytest.mark.parametrize("below", ["set.json", "tests/eval/set.json"])
def test_the_nearest_folder_with_an_agent_is_taken(tmp_path: Path, name: str, text: str, below: str) -> None:
    for folder in (tmp_path, tmp_path / "trip"):
        folder.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (tmp_path / "trip" / "tests").mkdir()
    (tmp_path / "trip" / "tests" / "__init__.py").write_text("# no agent\n")
    assert find_agent(tmp_path / "trip" / below, None) == tmp_path / "trip"


def test_a_named_folder_goes_before_those_above(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    named = tmp_path / "other"
    named.mkdir()
    assert find_agent(tmp_path / "set.json", named) == named
    with pytest.raises(CommandError, match=r"The folder in the setting agent does not exist: .*gone"):
        find_agent(tmp_path / "set.json", tmp_path / "gone")


def test_the_search_ends_at_the_root_of_a_repository(tmp_path: Path) -> None:
    (tmp_path / "agent.py").touch()
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    with pytest.raises(CommandError, match=r'Write the folder into evaltui\.toml: agent = "path/of/agent"'):
        find_agent(tmp_path / "repo" / "sets" / "set.json", None)


def test_a_package_that_cannot_be_read_is_no_agent(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_bytes(b"\xff" * 2_000_000 + b"root_agent")
    (tmp_path / ".git").mkdir()
    with pytest.raises(CommandError):
        find_agent(tmp_path / "set.json", None)

"""New recordings after a run: of google-adk's histories and of the output folder."""

import os
import stat
from pathlib import Path

import pytest

from evaltui.runs import result_places
from evaltui.runs.result_places import ResultPlaces, new_output_folder
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
    places = ResultPlaces([tmp_path / "sets", tmp_path / "agent", tmp_path / "sets"], tmp_path / "out")
    assert places.new_recordings() == []
    write(changed, RESULT + "\n", age=40)
    new = write(history_of_agent / "new.evalset_result.json", age=30)
    write(history_of_agent / "notes.txt")
    written = write(tmp_path / "out" / "deep" / "results.json", age=20)
    write(tmp_path / "out" / "log.json", '{"no": "recording"}')
    write(tmp_path / "out" / "set.json", RECORDING)
    assert places.new_recordings() == [changed, new, written]


def test_places_that_are_absent_hold_nothing(tmp_path: Path) -> None:
    assert ResultPlaces([tmp_path / "gone"], None).new_recordings() == []
    assert ResultPlaces([], tmp_path / "gone").new_recordings() == []


def test_output_folders_are_private_and_the_oldest_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(result_places, "user_state_path", lambda _: tmp_path)
    monkeypatch.setattr(result_places, "_MOST_KEPT", 3)
    above = tmp_path / "agent_runs"
    for name in ("run-20200101-000000-aa", "run-20210101-000000-bb", "of-somebody"):
        write(above / name / "result.json")
    made = [new_output_folder() for _ in range(4)]
    assert stat.S_IMODE(made[0].stat().st_mode) == 0o700
    assert {path.name for path in above.iterdir()} == {
        "of-somebody", *(path.name for path in made)
    }  # fmt: skip

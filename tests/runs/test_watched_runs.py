"""Runs of a watch compared: with the one before, or with the baseline of the command line."""

import json
from pathlib import Path

import pytest

from evaltui.commands.set_options import set_arguments
from evaltui.runs.input_baseline import open_baseline
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import ScoredRun, score_sets
from evaltui.runs.watched_runs import CaseKey, ComparedRun, ComparedRuns
from evaltui.scoring.baseline_changes import with_changes
from evaltui.scoring.baseline_file import baseline_of, baseline_text
from tests.scored_sets import EXPECTED, RECORDING, SET, a_set, recording_with, turn

OTHER_WORDS = recording_with("greeting", turn(1, "Hello", "Other words"))


@pytest.fixture
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("set.json").write_text(SET)
    Path("actual.json").write_text(RECORDING)


def scored() -> ScoredRun:
    return score_sets(set_arguments(["set.json"]), RunOptions(["actual.json"]))


def taken(compared: ComparedRuns, *trigger: str) -> ComparedRun:
    return compared.compare(scored().runs, 1.0, 0, [], trigger)


def key(eval_id: str, repeat: int = 0) -> CaseKey:
    return "set.json", eval_id, repeat


@pytest.mark.usefixtures("_files")
def test_the_first_run_has_no_changes_and_the_next_only_its_own() -> None:
    compared = ComparedRuns("")
    assert taken(compared).changes == {}
    Path("actual.json").write_text(OTHER_WORDS)
    changes = taken(compared, "actual.json").changes
    assert {each: change.change for each, change in changes.items()} == {key("greeting"): "regressed"}


@pytest.mark.usefixtures("_files")
def test_a_look_that_changes_nothing_keeps_changes_time_and_trigger() -> None:
    compared = ComparedRuns("")
    taken(compared)
    Path("actual.json").write_text(OTHER_WORDS)
    run = taken(compared, "actual.json")
    again = taken(compared)
    assert (again.changes, again.ended_at, again.trigger) == (run.changes, run.ended_at, ("actual.json",))
    assert again.rates == run.rates == (0.25, 0.0)


@pytest.mark.usefixtures("_files")
def test_cases_with_one_id_are_compared_one_by_one() -> None:
    twins = json.loads(a_set({"greeting": EXPECTED["greeting"]}))
    twins["eval_cases"] *= 2
    Path("set.json").write_text(json.dumps(twins))
    compared = ComparedRuns("")
    run = taken(compared)
    assert [*run.cases["set.json"]] == [key("greeting"), key("greeting", 1)]
    twins["eval_cases"].append(twins["eval_cases"][0])
    Path("set.json").write_text(json.dumps(twins))
    assert {each: change.change for each, change in taken(compared, "set.json").changes.items()} == {
        key("greeting", 2): "new"
    }


@pytest.mark.usefixtures("_files")
def test_with_a_baseline_each_run_is_compared_with_it_and_an_edited_case_claims_nothing() -> None:
    Path("base.json").write_text(baseline_text(baseline_of(scored().runs[0])))
    compared = ComparedRuns("base.json")

    def run() -> ComparedRun:
        (one,) = scored().runs
        return compared.compare([with_changes(one, open_baseline("base.json"), "base.json")], 1.0, 0, [], ())

    assert run().changes == {}
    Path("actual.json").write_text(OTHER_WORDS)
    for _ in range(2):
        assert run().changes[key("greeting")].change == "regressed"
    edited = {**EXPECTED, "greeting": [turn(1, "Hello", "Other words")]}
    Path("set.json").write_text(a_set(edited))
    assert run().changes[key("greeting")].change == "edited"
    assert run().baseline == "base.json"

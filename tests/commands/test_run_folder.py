"""`evaltui run FOLDER`: the sets found in it, each with its own recordings and config."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.answered_dataset import ANSWERED, DATASET
from tests.commands.conftest import Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, eval_set, result, write


@pytest.fixture(autouse=True)
def _sets(tmp_path: Path) -> None:
    """Two sets in folders of their own, each with its history, the second with a config; and what is no set."""
    for name, recorded in (("a", GREETING), ("b", ACTUAL)):
        expected = GREETING if name == "a" else EXPECTED
        folder = tmp_path / "sets" / name
        write(folder / f"{name}.evalset.json", eval_set(expected, name=name))
        write(folder / ".adk" / "eval_history" / "x.evalset_result.json", result(recorded, name=name))
    write(tmp_path / "sets" / "b" / "test_config.json", {"criteria": {"response_match_score": 0.1}})
    write(tmp_path / "sets" / "package.json", {"name": "p"})


def runs(out: bytes) -> list[dict[str, Any]]:
    return list(json.loads(out)["runs"])


def test_each_set_has_its_own_recordings_and_config(evaltui: Evaltui) -> None:
    done = evaltui("run", "sets", "--format", "json")
    found = runs(done.out)
    assert (done.code, done.err) == (0, "")
    assert [each["set"]["path"] for each in found] == ["sets/a/a.evalset.json", "sets/b/b.evalset.json"]
    assert [len(each["recordings"]) for each in found] == [1, 1]
    assert [list(each["config"]["criteria"]) for each in found] == [
        ["tool_trajectory_avg_score", "response_match_score"],
        ["response_match_score"],
    ]
    assert json.loads(done.out)["summary"]["cases"] == 2


def test_a_set_that_is_named_too_is_scored_once(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "sets" / "link.evalset.json").symlink_to("a/a.evalset.json")
    done = evaltui("run", "sets/b/b.evalset.json", "sets", "sets/a", "--format", "json")
    assert [Path(each["set"]["path"]).name for each in runs(done.out)] == ["b.evalset.json", "a.evalset.json"]


def test_cases_are_chosen_among_those_of_all_sets(evaltui: Evaltui) -> None:
    done = evaltui("run", "sets:gree*", "--format", "json")
    assert json.loads(done.out)["set"]["path"] == "sets/a/a.evalset.json"
    both = evaltui("run", "sets:greeting,book_flight", "--format", "json")
    assert [[case["eval_id"] for case in each["cases"]] for each in runs(both.out)] == [["greeting"], ["book_flight"]]
    refused = evaltui("run", "sets:nobody")
    assert (refused.code, refused.out) == (2, b"")
    assert 'sets: no case has the eval_id "nobody"' in refused.err


def test_what_is_broken_is_said_and_never_a_pass(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "sets" / "cut.evalset.json").write_text('{"eval_set_id": "c", "eval_cases": [')
    write(tmp_path / "sets" / "old.test.json", [{"query": "Hi", "reference": "Hello"}])
    done = evaltui("run", "sets")
    assert done.code == 3
    assert "sets/cut.evalset.json:1:37: invalid JSON: " in done.err
    assert "; skipped" in done.err
    assert "1 file in sets skipped: not in the eval set format of google-adk" in done.err
    assert evaltui("run", "sets", "--allow-not-evaluated").code == 0


def test_a_folder_without_sets_evaluates_nothing(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = evaltui("run", "empty", "--format", "json")
    assert (done.code, runs(done.out)) == (3, [])
    assert done.err == "evaltui: empty: there is no eval set or dataset in this folder\n"


def test_what_git_ignores_and_what_is_hidden_is_left_out(evaltui: Evaltui, tmp_path: Path) -> None:
    (tmp_path / "sets" / ".gitignore").write_text("/b/\n")
    (tmp_path / "sets" / "a").rename(tmp_path / "sets" / ".a")
    assert evaltui("run", "sets").code == 3


def test_the_bar_counts_the_results_that_google_adk_keeps(evaltui: Evaltui, monkeypatch: pytest.MonkeyPatch) -> None:
    totals, done = [], []

    @contextmanager
    def progress(total: int, _what: str) -> Iterator[Callable[[int], None]]:
        totals.append(total)
        yield done.append

    monkeypatch.setattr("evaltui.report.terminal_output.progress", progress)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert evaltui("run", "sets/a/a.evalset.json", "-r", "sets/a").code == 0
    history = Path("sets/a/.adk/eval_history/x.evalset_result.json").stat().st_size
    assert history < sum(done) <= totals[0]


@pytest.mark.parametrize("command", ["run", "review"])
def test_conversations_of_another_set_share_a_line_and_json_lists_them(evaltui: Evaltui, command: str) -> None:
    samples = Path(__file__).resolve().parents[2] / "sample_sets"
    arguments = (samples / "trip_planner.evalset.json", "-r", samples / "recordings", "--format", "json")
    done = evaltui(command, *map(str, arguments))
    unmatched = json.loads(done.out)["unmatched_recordings"]
    assert len(unmatched) == 4
    assert not [each["id"] for each in unmatched if each["id"] in done.err]
    (line,) = [line for line in done.err.splitlines() if "belong" in line]
    assert line.endswith('_first.evalset_result.json: 2 conversations skipped: they belong to eval set "support_desk"')


def test_datasets_are_sets_and_their_traces_are_not(evaltui: Evaltui, tmp_path: Path) -> None:
    answered = json.loads(ANSWERED)["eval_cases"]
    write(tmp_path / "evals" / "basic.json", json.loads(DATASET))
    write(tmp_path / "evals" / "answered.json", {"eval_cases": answered})
    write(tmp_path / "evals" / "trace.json", {"eval_cases": [answered[1]]})
    write(tmp_path / "evals" / "artifacts" / "traces" / "traces_1.json", {"eval_cases": answered})
    done = evaltui("run", "evals", "--format", "json")
    assert [each["set"]["path"] for each in runs(done.out)] == ["evals/answered.json", "evals/basic.json"]
    assert "1 file in evals skipped: not in the eval set format of google-adk, and no dataset" in done.err


def test_files_in_a_folder_of_recordings_are_no_sets(evaltui: Evaltui, tmp_path: Path) -> None:
    evals = tmp_path / "evals"
    write(evals / "basic.json", json.loads(DATASET))
    write(evals / "recordings" / "today" / "trace.json", json.loads(ANSWERED))
    (tmp_path / "link").symlink_to(evals / "recordings")
    for name in ("evals/recordings", "evals/recordings/", str(evals / "recordings"), "link"):
        done = evaltui("run", "evals", "-r", name, "--format", "json")
        assert json.loads(done.out)["set"]["path"] == "evals/basic.json"
        assert len(json.loads(done.out)["recordings"]) == 1
        assert "1 file in evals skipped: in a folder of recordings (-r)" in done.err
    assert b"recordings/today/trace.json" not in evaltui("review", "evals", "-r", "link", "--format", "json").out
    both = evaltui("run", "evals", "evals/recordings", "-r", "evals/recordings", "--format", "json")
    assert [each["set"]["path"] for each in runs(both.out)] == ["evals/basic.json", "evals/recordings/today/trace.json"]
    own = evaltui("run", "evals", "-r", "evals", "--format", "json")
    assert len(runs(own.out)) == 2

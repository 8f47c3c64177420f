"""Runs whose cases, conversations and results lie on disk or on a cluster, against runs in memory."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaltui.cli import main
from evaltui.runs.run_options import RunOptions
from tests.answered_dataset import ANSWERED, DATASET
from tests.recordings.spans import agent, assistant, chat, export, tool, user
from tests.runs.ray.memory_cluster import use_memory
from tests.runs.told_runs import SAMPLES, SETS, Engine, in_batch, in_memory, random_set
from tests.sampling import Extent, sampled


@pytest.fixture(params=["documents", "streams"])
def way_of_reading(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets are read as a whole, as small files are, or case by case, as large files are."""
    if request.param == "streams":
        in_small_pieces(monkeypatch)
    return


@pytest.fixture(params=["local", pytest.param("ray", marks=pytest.mark.cluster)])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """This machine, or a cluster that is in fact this process. Ray is large: other tests are faster without it."""
    if request.param == "ray":
        use_memory(monkeypatch)
        return Engine("ray")
    return Engine(jobs=1)


def in_small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.document.disk.file_content.LARGE", 0)
    monkeypatch.setattr("evaltui.document.json_stream.WINDOW", 200)
    monkeypatch.setattr("evaltui.recordings.recording_bytes.LARGE", 0)
    monkeypatch.setattr("evaltui.recordings.large_recording._TOGETHER", 2)


@pytest.mark.usefixtures("way_of_reading")
@pytest.mark.parametrize("all_runs", [False, True], ids=["latest", "all"])
def test_samples_give_the_same_reports(all_runs: bool, engine: Engine) -> None:
    for path in sampled(SETS, 4):
        for recordings in ((), (str(SAMPLES / "recordings"),)):
            options = RunOptions(recordings, all_runs=all_runs)
            assert in_batch([str(path)], options, engine) == in_memory([str(path)], options)


@pytest.mark.usefixtures("way_of_reading")
def test_several_sets_and_a_folder_give_the_same_reports(engine: Engine) -> None:
    options = RunOptions([str(SAMPLES / "recordings")])
    names = [str(path) for path in SETS]
    assert in_batch(names, options, engine) == in_memory(names, options)
    assert in_batch([str(SAMPLES)], options, engine) == in_memory([str(SAMPLES)], options)


@pytest.mark.parametrize("all_runs", [False, True], ids=["latest", "all"])
def test_scores_of_graders_give_the_same_reports(tmp_path: Path, engine: Engine, all_runs: bool) -> None:
    graders = {"politeness": {"score": 0.75}, "broken": {"error_message": "no judge"}}
    result = {
        "eval_case_results": [{"response_candidate_results": [{"metric_results": graders}]}],
        "evaluation_dataset": [json.loads(ANSWERED)],
    }
    for name, text in {
        "agents-cli-manifest.yaml": "",
        "desk.json": DATASET,
        "artifacts/traces/traces_1.json": ANSWERED,
        "artifacts/grade_results/results_1.json": json.dumps(result),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    options = RunOptions(all_runs=all_runs)
    told = in_batch([str(tmp_path / "desk.json")], options, engine)
    assert "politeness: mean 0.75, recorded" in str(told)
    assert told == in_memory([str(tmp_path / "desk.json")], options)


def test_files_of_others_give_the_same_reports(shared_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = sampled(sorted((shared_folder / "corpus").glob("*.json")), 30)
    with_recordings = RunOptions([str(shared_folder / "recordings")])
    readable, expected = [], []
    for path in found:
        alone = [str(path)], RunOptions([str(path)], all_runs=True)
        expected.append((alone, in_memory(*alone)))
        if not isinstance(expected[-1][1], str):
            readable.append(str(path))
    assert len(readable) > len(found) / 4
    for start in range(0, len(readable), 40):
        together = readable[start : start + 40], with_recordings
        expected.append((together, in_memory(*together)))
    for arguments, reports in expected:
        assert in_batch(*arguments) == reports
    in_small_pieces(monkeypatch)
    for arguments, reports in expected:
        assert in_batch(*arguments) == reports


@pytest.mark.thorough
def test_two_processes_give_the_same_bytes_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaltui.runs.score_blocks._TOGETHER", 2)
    monkeypatch.setattr("evaltui.runs.recording_reader._MOST", 1)
    names = [str(path) for path in sampled(SETS, 3)]
    options = RunOptions([str(SAMPLES / "recordings")], all_runs=True)
    assert in_batch(names, options, Engine(jobs=2)) == in_batch(names, options)


@pytest.mark.usefixtures("way_of_reading")
@pytest.mark.parametrize("all_runs", [False, True], ids=["latest", "all"])
def test_sessions_and_cases_that_were_taken_from_them_give_the_same_reports(
    tmp_path: Path, all_runs: bool, engine: Engine
) -> None:
    desk, sessions = SAMPLES / "travel_desk", str(SAMPLES / "travel_desk" / ".adk" / "session.db")
    made = tmp_path / "made.evalset.json"
    assert main(["record", sessions, "-o", str(made)]) == 0
    part = json.loads(made.read_text())
    for case in part["eval_cases"]:
        del case["conversation"][1:]
    cut = tmp_path / "cut.evalset.json"
    cut.write_text(json.dumps(part))
    for path in (made, cut, desk / "travel_desk.evalset.json"):
        options = RunOptions([sessions, str(made)], all_runs=all_runs)
        assert in_batch([str(path)], options, engine) == in_memory([str(path)], options)


@pytest.mark.usefixtures("way_of_reading")
@pytest.mark.parametrize("all_runs", [False, True], ids=["latest", "all"])
def test_copies_count_once_in_every_run(tmp_path: Path, engine: Engine, all_runs: bool) -> None:
    """A copy in a folder, a copy that is named, and a named file of the folder."""
    recordings = SAMPLES / "recordings"
    shutil.copytree(recordings, tmp_path / "again")
    named = next(path for path in sorted(recordings.iterdir()) if path.name.startswith("trip_planner"))
    shutil.copy(named, tmp_path / "copy.json")
    path = str(SAMPLES / "trip_planner.evalset.json")
    others = [str(tmp_path / "again"), str(tmp_path / "copy.json"), str(named)]
    options = RunOptions([str(recordings), *others], all_runs=all_runs)
    once, copied = in_memory([path], options._replace(recordings=[str(recordings)])), in_memory([path], options)
    assert isinstance(once, dict) and isinstance(copied, dict)
    assert copied["json"] == once["json"]
    assert "are copies of other recordings" in str(copied["notes"])
    assert in_batch([path], options, engine) == copied


def test_conversations_with_traces_in_several_files_give_the_same_reports(tmp_path: Path, engine: Engine) -> None:
    chance = random.Random(7)
    for of_several_turns in (False, True):
        for named in (False, True):
            folder = tmp_path / f"{of_several_turns}{named}"
            folder.mkdir()
            for number in range(12):
                talk = {"gen_ai.conversation.id": f"talk {chance.randrange(5)}"}
                asked = chat([user(f"question {chance.randrange(3)}")], [assistant("answer")], talk, trace=number + 1)
                resource = {"agentevals.session_name": f"night {chance.randrange(2)}"} if named and number == 9 else {}
                (folder / f"{number}.json").write_text(json.dumps(export([asked], resource)))
            alone = [
                chat([user(f"question {number}")], [assistant("answer")], {"session.id": "alone"}, trace=100 + number)
                for number in range(2)
            ]
            (folder / "alone.json").write_text(json.dumps(export(alone)))
            outer = agent({"session.id": "split"}, trace=200)
            inner = chat([user("question 1")], [assistant("answer")], within=outer)
            (folder / "split_1.json").write_text(json.dumps(export([outer, inner])))
            (folder / "split_2.json").write_text(
                json.dumps(export([tool("look", {}, more={"session.id": "split"}, within=outer)]))
            )
            eval_set = folder / "s.evalset.json"
            eval_set.write_text(json.dumps(random_set(chance, 4, 3 if of_several_turns else 1)))
            for all_runs in (False, True):
                options = RunOptions([str(folder)], all_runs=all_runs)
                assert in_batch([str(eval_set)], options, engine) == in_memory([str(eval_set)], options)


@pytest.mark.parametrize("kind", ["cut off", "without a trace", "of its time", "of another time"])
@pytest.mark.parametrize("several", [False, True])
def test_lost_spans_beside_traces_give_the_same_reports(
    tmp_path: Path, kind: str, several: bool, engine: Engine
) -> None:
    outer = agent({"gen_ai.conversation.id": "talk"})
    inner = chat([user("question 1")], [assistant("answer")], within=outer)
    time = outer["startTimeUnixNano"] if kind == "of its time" else str(10**18)
    stray = tool("pay", {}, trace=9) | {"startTimeUnixNano": time, "endTimeUnixNano": time}
    if kind == "without a trace":
        del stray["traceId"]
    lost = json.dumps(export([stray]))
    folder = tmp_path / "traces"
    folder.mkdir()
    (folder / "b.json").write_text(json.dumps(export([outer, inner, tool("look", {}, within=outer)])))
    (folder / "a.json").write_text(lost[:-9] if kind == "cut off" else lost)
    if several:
        talk = {"gen_ai.conversation.id": "talk"}
        later = agent(talk, trace=3)
        spans = [later, chat([user("question 2")], [assistant("answer")], within=later)]
        (folder / "c.json").write_text(json.dumps(export(spans)))
    eval_set = tmp_path / "s.evalset.json"
    calls = {"tool_uses": [{"name": name, "args": {}} for name in ("look", "pay")]}
    texts = [f"question {number}" for number in range(1, 3 if several else 2)]
    turns = [{"user_content": {"parts": [{"text": text}]}, "intermediate_data": calls} for text in texts]
    eval_set.write_text(json.dumps({"eval_set_id": "s", "eval_cases": [{"eval_id": "a", "conversation": turns}]}))
    options = RunOptions([str(folder)])
    expected = in_memory([str(eval_set)], options)
    assert in_batch([str(eval_set)], options, engine) == expected
    assert ("the tool calls are not recorded" in str(expected)) == (kind != "of another time")


@pytest.mark.usefixtures("way_of_reading")
def test_random_sets_and_recordings_give_the_same_reports(tmp_path: Path, engine: Engine) -> None:
    chance = random.Random(18)
    for number in range(60 if Extent.is_thorough else 12):
        names = [tmp_path / f"{number}-{which}.evalset.json" for which in range(4)]
        for path in names:
            path.write_text(json.dumps(random_set(chance, chance.randrange(6), 3)))
        options = RunOptions([str(path) for path in names[1:]], all_runs=chance.random() < 0.5)
        sets = [str(path) for path in names[: chance.randrange(1, 3)]]
        assert in_batch(sets, options, engine) == in_memory(sets, options)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--engine", "ray", "--address", ""], "--address is empty"),
        (["--address", "here:1"], "add --engine ray"),
        (["--engine", "ray", "--jobs", "2"], "--jobs is for this machine"),
    ],
)
def test_options_of_a_cluster_that_do_not_fit_are_refused(
    words: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", str(SETS[0]), *words]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert reason in said.err

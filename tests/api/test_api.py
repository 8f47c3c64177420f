"""`evaltui.api` as docs/python.md describes it."""

import dataclasses
import json
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import evaltui.api
from evaltui.api import (
    CaseResult,
    EvaltuiError,
    criteria,
    read_eval_set,
    read_recordings,
    review,
    score,
    validate,
    validate_files,
)
from evaltui.scoring import case_scores
from tests.api.conftest import Document
from tests.commands.conftest import Evaltui
from tests.scored_sets import ACTUAL, EXPECTED, a_set, history

TRIPS, RUN = "trips.evalset.json", "run.json"
pytestmark = pytest.mark.usefixtures("trips")


def by_id() -> dict[str, CaseResult]:
    return {case.eval_id: case for case in score(TRIPS, RUN)}


def test_a_set_has_plain_values() -> None:
    found = read_eval_set(Path(TRIPS))
    assert (found.path, found.eval_set_id, found.rejected, found.config) == (TRIPS, "trips", None, None)
    assert [case.eval_id for case in found.cases] == list(EXPECTED)
    assert found.cases[1].user_messages == ("Find me a flight", "Book the first")
    lines = Path(TRIPS).read_text().splitlines()
    assert [lines[case.line - 1] for case in found.cases] == ["    {"] * 4
    assert [lines[case.line] for case in found.cases] == [f'      "eval_id": "{name}",' for name in EXPECTED]


def test_a_result_says_what_and_why() -> None:
    found = by_id()
    booking = found["book_flight"]
    assert (booking.status, booking.reason, booking.number, booking.recordings) == ("failed", None, 1, 1)
    assert booking.recording is not None
    assert (booking.recording.path, booking.recording.matched_by) == (RUN, "eval_id")
    trajectory = booking.metrics["tool_trajectory_avg_score"]
    assert (trajectory.score, trajectory.threshold, trajectory.status) == (0.5, 1.0, "failed")
    turn = booking.turns[1]
    assert turn.turn == 2
    assert turn.expected.calls[0].args == {"flight_id": "1"}
    assert turn.actual.calls[0].args == {"flight_id": 1}
    explanation = turn.metrics["tool_trajectory_avg_score"].explanation
    assert explanation is not None
    assert [row["state"] for row in explanation["rows"]] == ["arguments_differ", "extra"]
    assert any("flight_id" in sentence for sentence in booking.why)
    assert found["escalate"].status == "not_evaluated"
    assert found["escalate"].open_reasons == ("there is no recording of this case",)
    assert found["too_long"].why[0] == "1 turn recorded, 2 expected"


def test_a_case_is_scored_when_it_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[str] = []
    original = case_scores.score_expected

    def noted(case: case_scores.ExpectedCase, *args: object, **options: object) -> object:
        scored.append(case.eval_id)
        return original(case, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("evaltui.api.scores.score_expected", noted)
    results = score(TRIPS, RUN)
    assert scored == []
    assert next(results).eval_id == "greeting"
    assert scored == ["greeting"]
    assert len(list(results)) == 3


def test_scores_name_what_has_no_case() -> None:
    Path("more").mkdir()
    Path("more", "notes.txt").write_text("x")
    results = score(TRIPS, [RUN, "more"])
    assert [each.id for each in results.unmatched_recordings] == ["nobody"]
    assert results.warnings == ("more: there is no recording in this folder; 1 file in it (.txt) is not a recording",)
    assert [each.path for each in results.recordings] == [RUN]


def test_all_runs_of_a_case() -> None:
    Path("again.json").write_bytes(Path(RUN).read_bytes() + b"\n")
    booking = [*score(TRIPS, [RUN, "again.json"], runs="all")][1]
    assert booking.runs is not None
    assert ([run.status for run in booking.runs], booking.passed_runs) == (["failed", "failed"], 0)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"tool_trajectory_avg_score": 0.5}, ["--metric", "tool_trajectory_avg_score=0.5"]),
        (
            {"metrics": {"tool_trajectory_avg_score": None}, "match_type": "IN_ORDER", "ignore_args": True},
            ["--metric", "tool_trajectory_avg_score", "--match-type", "IN_ORDER", "--ignore-args"],
        ),
        ({"config": "strict.json"}, ["--config", "strict.json"]),
        ({"profile": "adk-rs"}, ["--profile", "adk-rs"]),
    ],
)
def test_criteria_are_the_options_of_the_command(
    options: dict[str, object], words: list[str], document: Document
) -> None:
    Path("strict.json").write_text(json.dumps({"criteria": {"response_match_score": 0.95}}))
    said = document("run", TRIPS, "-r", RUN, *words)
    chosen = criteria(**options)  # type: ignore[arg-type]
    assert chosen.as_dict() == said["config"]
    assert [each.as_dict() for each in score(TRIPS, RUN, chosen)] == said["cases"]


def test_the_config_beside_the_set_counts() -> None:
    Path("test_config.json").write_text(json.dumps({"criteria": {"response_match_score": 0.1}}))
    eval_set = read_eval_set(TRIPS)
    assert eval_set.config == "test_config.json"
    results = score(eval_set, RUN)
    assert results.criteria.metrics == {"response_match_score": {"threshold": 0.1}}
    assert next(results).status == "passed"


def test_a_change_of_a_review_is_the_change_that_the_command_accepts(evaltui: Evaltui) -> None:
    before = review(TRIPS, RUN)
    change = next(each for each in before[-1].changes)
    assert evaltui("accept", TRIPS, "-r", RUN, "--change", change.id).code == 0
    assert change.id not in {each.id for item in review(TRIPS, RUN) for each in item.changes}


def test_a_set_is_reviewed_as_it_was_read() -> None:
    eval_set = read_eval_set(TRIPS)
    before = review(eval_set, RUN)
    Path(TRIPS).write_text(a_set({}))
    assert review(eval_set, RUN) == before
    assert before


def test_problems_have_places_and_fixes() -> None:
    text = a_set(EXPECTED).replace('"user_content"', '"user_contents"', 1)
    Path("broken.evalset.json").write_text(text)
    Path("other.json").write_text("{}")
    problem, *_ = [each for each in validate(".") if each.severity == "error"]
    assert (problem.path, problem.code, problem.eval_id, problem.turn) == (
        "broken.evalset.json",
        "misspelt-key",
        "greeting",
        1,
    )
    assert "user_contents" in text.splitlines()[problem.line - 1]
    assert problem.fix is not None
    assert problem.fix.patch is not None
    assert problem.fix.patch[0]["op"] == "move"
    assert validate(TRIPS, ignore=["meaning", "config"]) == []
    chosen = validate("broken.evalset.json", select="schema,meaning", ignore="misspelt-key")
    assert {each.group for each in chosen} <= {"schema", "meaning"}
    assert "misspelt-key" not in {each.code for each in chosen}


def test_an_unusable_config_beside_a_set_is_a_warning() -> None:
    Path("test_config.json").write_text("{")
    (report,) = validate_files(TRIPS)
    assert report.accepted_by_adk
    assert "test_config.json" in report.warnings[0]


@pytest.mark.parametrize(
    ("words", "call"),
    [
        (["run", "nowhere.json"], lambda: score("nowhere.json")),
        (["run", TRIPS, "-r", "nowhere"], lambda: score(TRIPS, "nowhere")),
        (["run", TRIPS, "-r", TRIPS + "x"], lambda: read_recordings([RUN, TRIPS + "x"])),
        (["run", RUN[:3]], lambda: read_eval_set(RUN[:3])),
        (["run", TRIPS, "--config", "broken.json"], lambda: criteria("broken.json")),
        (["validate", "nowhere.json"], lambda: validate("nowhere.json")),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else "",
)
def test_an_error_is_the_sentence_of_the_command(words: list[str], call: object, evaltui: Evaltui) -> None:
    Path("broken.json").write_text('{"criteria": 1}')
    with pytest.raises(EvaltuiError) as refused:
        call()  # type: ignore[operator]
    assert evaltui(*words).err.strip().removeprefix("evaltui: ") == str(refused.value)
    assert isinstance(refused.value, ValueError)


def test_no_sentence_names_an_option_of_the_command() -> None:
    Path("x.evalset_result.json").write_text(history(ACTUAL).popitem()[1])
    Path("agentevals.yaml").write_text("evaluators: []\n")
    Path("more").mkdir()
    Path("more", "a.evalset.json").write_text(a_set(ACTUAL))
    said = list(read_recordings("more").warnings)
    for call in (
        lambda: read_eval_set("x.evalset_result.json"),
        lambda: read_eval_set("agentevals.yaml"),
        lambda: read_recordings("s3://key:secret@bucket/key"),
    ):
        with pytest.raises(EvaltuiError) as refused:
            call()
        said.append(str(refused.value))
    assert said == [
        "more: there is no recording in this folder; 1 file in it (.json) is not a recording; "
        "to use the responses of an eval set, give its file: more/a.evalset.json",
        "x.evalset_result.json: google-adk rejects this: the file is the result of a run, not an eval set; "
        "give it as one of the recordings",
        "agentevals.yaml: this is a config of agentevals in YAML, not JSON; give it as config",
        "paths: only `evaltui run` reads files of a store; copy them to this machine",
    ]


@pytest.mark.parametrize("call", [read_eval_set, read_recordings, validate, criteria])
def test_standard_input_is_not_read(call: object) -> None:
    for path in ("-", ""):
        with pytest.raises(EvaltuiError, match="give the name of a file"):
            call(path)  # type: ignore[operator]


def test_results_are_values() -> None:
    values = [read_eval_set(TRIPS), read_recordings(RUN), criteria(), *score(TRIPS, RUN), *review(TRIPS, RUN)]
    for value in values:
        assert pickle.loads(pickle.dumps(value)) == value
        with pytest.raises(dataclasses.FrozenInstanceError):
            value.path = "other"  # type: ignore[union-attr,misc]


def test_values_have_a_hash_and_a_short_repr() -> None:
    found = [
        read_eval_set(TRIPS),
        read_recordings(RUN),
        criteria(),
        *score(TRIPS, RUN, runs="all"),
        *review(TRIPS, RUN),
    ]
    Path("broken.evalset.json").write_text(a_set(EXPECTED).replace('"user_content"', '"user_contents"', 1))
    for value in [*found, *validate_files("."), *validate(".")]:
        assert hash(value) == hash(pickle.loads(pickle.dumps(value)))
        assert repr(value).startswith(f"{type(value).__name__}(") and len(repr(value)) < 320
    assert len({*score(TRIPS, RUN), *score(TRIPS, RUN)}) == 4
    assert repr(found[1]) == "Recordings(files=1, warnings=0)"


def test_rows_of_tables() -> None:
    booking = by_id()["book_flight"]
    scores = {name: metric.score for name, metric in booking.metrics.items()}
    assert booking.as_row() == {"eval_id": "book_flight", "status": "failed", "recording": RUN, **scores}
    assert scores["tool_trajectory_avg_score"] == 0.5
    assert by_id()["escalate"].as_row().items() >= {"status": "not_evaluated", "recording": None}.items()
    Path("broken.evalset.json").write_text(a_set(EXPECTED).replace('"user_content"', '"user_contents"', 1))
    row = validate("broken.evalset.json")[0].as_row()
    assert list(row) == ["path", "line", "column", "severity", "code", "eval_id", "turn", "message"]
    assert row.items() >= {"code": "misspelt-key", "eval_id": "greeting", "turn": 1}.items()


def test_a_set_that_was_read_belongs_to_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    """In another folder, files with the same names would give other verdicts."""
    for folder, cases, metric in (("", ACTUAL, "tool_trajectory_avg_score"), ("other", EXPECTED, "safety_v1")):
        config = json.dumps({"criteria": {metric: 1.0}})
        for name, text in {**history(cases), "test_config.json": config}.items():
            Path(folder, name).parent.mkdir(parents=True, exist_ok=True)
            Path(folder, name).write_text(text)
    eval_set = read_eval_set(TRIPS)
    wanted, reviewed = [each.status for each in score(eval_set)], review(eval_set)
    monkeypatch.chdir("other")
    assert [each.status for each in score(eval_set)] == wanted == ["passed", "failed", "not_evaluated", "failed"]
    assert [each.changes for each in review(eval_set)] == [each.changes for each in reviewed]


def test_threads_share_sets_and_recordings() -> None:
    eval_set, recordings = read_eval_set(TRIPS), read_recordings(RUN)
    wanted = [*score(eval_set, recordings)], review(eval_set, recordings)
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda _: ([*score(eval_set, recordings)], review(eval_set, recordings)), range(12))
    assert all(each == wanted for each in found)


def test_nothing_is_printed_and_no_terminal_library_is_loaded() -> None:
    script = (
        "import sys; from evaltui.api import *\n"
        "assert [*score(sys.argv[1], sys.argv[2])] and review(sys.argv[1], sys.argv[2])\n"
        "assert validate('.') is not None\n"
        "raise SystemExit(bool({'textual', 'rich', 'pytest'} & sys.modules.keys()))"
    )
    done = subprocess.run([sys.executable, "-c", script, TRIPS, RUN], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_every_public_name_is_documented() -> None:
    for name in evaltui.api.__all__:
        assert getattr(evaltui.api, name).__doc__, name
    assert sorted(evaltui.api.__all__) == list(evaltui.api.__all__)

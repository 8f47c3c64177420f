"""Copies of recordings count once, on every way in which a set is scored."""

import gzip
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.api import EvaltuiError, read_recordings, score
from evaltui.evalset.keys import camel
from evaltui.recordings.recording_copies import copies_among
from tests.commands.conftest import Evaltui, evaltui  # noqa: F401 - a fixture
from tests.scored_sets import ACTUAL, EXPECTED, SET, a_set, history

TRIPS = "trips.evalset.json"


@pytest.fixture(autouse=True)
def artefacts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set, and the artefacts of two CI jobs: the second one has the result of the first, too."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / TRIPS).write_text(SET)
    for job, results in (("job1", [ACTUAL]), ("job2", [ACTUAL, EXPECTED])):
        for number, cases in enumerate(results):
            ((name, text),) = history(cases).items()
            path = tmp_path / "artefacts" / job / f"{Path(name).name.split('.')[0]}{number}.evalset_result.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    return tmp_path / "artefacts"


def booking_of(document: dict[str, Any]) -> dict[str, Any]:
    return next(case for case in document["cases"] if case["eval_id"] == "book_flight")


def test_a_copy_counts_once_and_is_said(evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    done = evaltui("run", TRIPS, "-r", "artefacts", "--runs", "all", "--format", "json")
    booking = booking_of(json.loads(done.out))
    assert (booking["recordings"], booking["passed_runs"], len(booking["runs"])) == (2, 1, 2)
    assert booking["metrics"][0]["score"] == 0.75
    said = (
        "this is a copy of artefacts/job1/app_trips_17600000000.evalset_result.json, so each session in it counts once"
    )
    assert done.err.splitlines()[0] == f"evaltui: artefacts/job2/app_trips_17600000000.evalset_result.json: {said}"


def test_the_api_and_the_command_agree(evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    document = json.loads(evaltui("run", TRIPS, "-r", "artefacts", "--runs", "all", "--format", "json").out)
    found = read_recordings("artefacts")
    assert len(found.files) == 2
    assert "is a copy of" in found.warnings[0]
    assert [case.as_dict() for case in score(TRIPS, found, runs="all")] == document["cases"]


def test_a_copied_conversation_is_still_the_only_one(evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    Path(TRIPS).write_text(a_set({"c": EXPECTED["greeting"]}))
    for name in ("a.json", "b.json"):
        Path(name).write_text(a_set({"nobody": ACTUAL["nobody"]}))
    document = json.loads(evaltui("run", TRIPS, "-r", "a.json", "-r", "b.json", "--format", "json").out)
    assert document["cases"][0]["recording"]["matched_by"] == "only_one"
    assert [each["path"] for each in document["recordings"]] == ["a.json"]


def test_many_copies_are_counted(artefacts: Path, evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    for number in range(3):
        shutil.copytree(artefacts / "job1", artefacts / f"again{number}")
    err = evaltui("run", TRIPS, "-r", "artefacts").err
    assert (
        "4 files are copies of other recordings, so each session in them counts once; the first is artefacts/again1"
        in err
    )


def test_a_named_copy_must_be_a_recording(artefacts: Path, evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    for name in ("a.evalset_result.json", "b.evalset_result.json"):
        (artefacts / name).write_text("{")
    assert evaltui("run", TRIPS, "-r", "artefacts").code != 2
    for name in ("a", "b"):
        assert evaltui("run", TRIPS, "-r", "artefacts", "-r", f"artefacts/{name}.evalset_result.json").code == 2
    with pytest.raises(EvaltuiError):
        read_recordings(["artefacts", "artefacts/b.evalset_result.json"])


def test_a_copy_in_another_layout_counts_once(artefacts: Path, evaltui: Evaltui) -> None:  # noqa: F811 - the fixture
    result = json.loads(next((artefacts / "job1").iterdir()).read_text())
    (artefacts / "indented.json").write_text(json.dumps(result, indent=4, sort_keys=True))
    (artefacts / "packed.json.gz").write_bytes(gzip.compress(json.dumps(result).encode()))
    (artefacts / "packed_indented.json.gz").write_bytes(gzip.compress(json.dumps(result, indent=1).encode()))
    done = evaltui("run", TRIPS, "-r", "artefacts", "--runs", "all", "--format", "json")
    assert booking_of(json.loads(done.out))["recordings"] == 2
    assert "4 files are copies of other recordings" in done.err
    (artefacts / "packed_indented.json.gz").unlink()
    (artefacts / "packed.json.gz").write_bytes(gzip.compress(json.dumps(result).encode()))
    result["eval_case_results"][1]["eval_metric_result_per_invocation"][1]["actual_invocation"]["intermediate_data"][
        "tool_uses"
    ][0]["args"]["flight_id"] = True  # not 1
    (artefacts / "indented.json").write_text(json.dumps(result, indent=4))
    document = json.loads(evaltui("run", TRIPS, "-r", "artefacts", "--runs", "all", "--format", "json").out)
    assert booking_of(document)["recordings"] == 3


def in_camel_case(value: Any) -> Any:
    if isinstance(value, dict):
        return {camel(key): in_camel_case(member) for key, member in value.items()}
    return [in_camel_case(each) for each in value] if isinstance(value, list) else value


def test_results_with_the_same_sessions_are_copies(tmp_path: Path) -> None:
    result = json.loads(next(iter(history(ACTUAL).values())))
    text = json.dumps(result)
    others = {**result, "eval_case_results": [{**case, "session_id": "x"} for case in result["eval_case_results"]]}
    bare = {**result, "eval_case_results": [{"session_id": case["session_id"]} for case in result["eval_case_results"]]}
    texts = {
        "without_turns": json.dumps(bare),
        "cut": text[:-2],
        "whole": text,
        "camel": json.dumps(in_camel_case(result), indent=2),
        "string": json.dumps(text),
        "indented_in_string": json.dumps(json.dumps(result, indent=2)),
        "utf16": text,
        "other_sessions": json.dumps(others),
        "fewer_sessions": json.dumps({**result, "eval_case_results": result["eval_case_results"][1:]}),
        "noted": json.dumps({**result, "note": "of the nightly job"}),
    }
    for name, each in texts.items():
        (tmp_path / name).write_text(each, "utf-16" if name == "utf16" else "utf-8")
    names = [*texts]
    copies = {names[copy]: names[first] for copy, first in copies_among([tmp_path / name for name in names]).items()}
    expected = ["whole", "camel", "string", "indented_in_string", "utf16"]
    assert copies == dict.fromkeys(expected, "noted")


def test_what_is_not_a_copy(tmp_path: Path) -> None:
    texts = {"a": b"x" * 70_000, "b": b"x" * 69_999 + b"y", "c": b"", "d": b"", "e": gzip.compress(b"x" * 70_000)[:-1]}
    for name, text in texts.items():
        (tmp_path / name).write_bytes(text)
    (tmp_path / "f").symlink_to("nowhere")
    for name, deep in (("g", 100_000), ("h", 100_000)):
        (tmp_path / name).write_text('{"eval_set_result_id": "deep", "' + name + '": ' + "[" * deep + "]" * deep + "}")
    paths = [tmp_path / name for name in (*texts, "f", "g", "h", "none", "a\0")]
    assert copies_among(paths) == {}
    shutil.copy(tmp_path / "a", tmp_path / "i")
    (tmp_path / "j").write_bytes(gzip.compress(texts["a"]))
    assert copies_among([*paths, tmp_path / "i", tmp_path / "j"]) == {len(paths): 0, len(paths) + 1: 0}
    (tmp_path / "i-wal").write_bytes(b"more")
    assert copies_among([*paths, tmp_path / "i"]) == {}

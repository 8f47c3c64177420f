"""The recordings of a project with several datasets: a conversation that names a case of another one is not used."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from evaltui.api import score
from evaltui.document.document import Document
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.keys import items_of, without_cases
from evaltui.runs.editor_scores import EditorRun
from evaltui.runs.run_options import RunOptions
from tests.answered_dataset import said
from tests.runs.ray.memory_cluster import use_memory
from tests.runs.told_runs import Engine, in_batch, in_memory

SKIPPED = "3 conversations in 2 files skipped: they name cases that this dataset does not have"
NAMES = ["one.json", "two.json", "without_ids.json"]


def case(eval_id: str | None, *more: str, response: str = "") -> dict[str, Any]:
    """A case that begins with the message of all others."""
    texts = ["Hello", *more]
    turns: list[dict[str, Any]] = [{"events": [{"author": "user", "content": said(text)}]} for text in texts]
    for turn in turns if response else turns[:-1]:
        turn["events"].append({"author": "desk", "content": said(response or "Hi", "model")})
    found: dict[str, Any] = {"agent_data": {"turns": turns}, "reference": {"response": said("Hi", "model")}}
    return found | ({"eval_case_id": eval_id} if eval_id is not None else {})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The datasets of a project, beside the traces of the datasets `two` and `three`."""
    monkeypatch.chdir(tmp_path)
    files = {
        "one.json": [case("a")],
        "two.json": [case("b", "Bye")],
        "without_ids.json": [case(None)],
        "artifacts/traces/traces_1.json": [case("b", "Bye", response="Hi")],
        "artifacts/traces/traces_2.json": [case("c", response="Go"), case("d", "Bye", response="Go")],
    }
    (tmp_path / "agents-cli-manifest.yaml").touch()
    for name, cases in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(json.dumps({"eval_cases": cases}))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_only_conversations_that_name_no_case_of_another_dataset_are_used() -> None:
    one, two, without_ids = (told(name) for name in NAMES)
    assert (one["statuses"], two["statuses"], without_ids["statuses"]) == (["not_evaluated"], ["passed"], ["failed"])
    assert SKIPPED in one["notes"]
    assert (
        SKIPPED.replace("3 conversations in 2 files", "artifacts/traces/traces_2.json: 2 conversations") in two["notes"]
    )
    assert not any("skipped" in note for note in without_ids["notes"])


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("setting", [True, False], ids=["settings", "named"])
def test_named_recordings_are_matched_by_their_messages(folder: Path, *, setting: bool) -> None:
    if setting:
        (folder / "evaltui.toml").write_text('recordings = ["artifacts/traces"]')
    found = told("one.json", *([] if setting else ["artifacts/traces"]))
    assert found["statuses"] == ["failed"]
    assert any('case "c" is not in this eval set; matched by its first user message' in each for each in found["notes"])


def told(name: str, *recordings: str) -> dict[str, Any]:
    found = in_memory([name], RunOptions(recordings))
    assert isinstance(found, dict)
    return {**found, "statuses": [each["status"] for each in json.loads(found["json"])["cases"]]}


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("engine", ["local", pytest.param("ray", marks=pytest.mark.cluster)])
def test_all_ways_agree(monkeypatch: pytest.MonkeyPatch, engine: Any) -> None:
    if engine == "ray":
        use_memory(monkeypatch)
    for name in NAMES:
        assert in_batch([name], RunOptions(), Engine(engine)) == in_memory([name], RunOptions())


@pytest.mark.usefixtures("folder")
def test_the_editor_and_the_api_use_the_same_conversations() -> None:
    for name in NAMES:
        statuses = told(name)["statuses"]
        assert [each.status for each in score(name)] == statuses
        assert in_editor(EditorRun(RunOptions()), name) == statuses


def test_a_recording_that_somebody_adds_in_the_app_is_named(folder: Path) -> None:
    shutil.move(folder / "artifacts/traces/traces_2.json", folder / "mine.json")
    editor_run = EditorRun(RunOptions())
    editor_run.choices = editor_run.choices.adding("mine.json")
    assert in_editor(editor_run, "one.json") == ["failed"]


def in_editor(editor_run: EditorRun, name: str) -> list[str]:
    document = Document(Path(name).read_bytes(), Path(name))
    assert document.root is not None
    sources = [node.source() for node in items_of(document.root, "eval_cases")]
    subject = ExpectedSet(name, Path(name), None, (), is_dataset=True)
    steps = editor_run.steps(subject, sources, without_cases(document.root), anew=True)
    return [step[1].status for step in steps if step is not None]

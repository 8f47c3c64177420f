"""Files that the app refuses when it starts, with the commands for them."""

from pathlib import Path

import pytest

from evaltui.document.errors import DocumentError
from evaltui.runs.run_options import RunOptions
from evaltui.tui.launch import _editor
from tests.tui.scenario import SAMPLES

TRACE = SAMPLES / "recordings" / "trip_planner_traced.otlp.jsonl"


def opened_as(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    _editor(path, readonly=True, scored_with=RunOptions(), review=None)


def test_a_recording_of_several_lines_is_named_with_its_commands(tmp_path: Path) -> None:
    data = TRACE.read_bytes()
    assert data.count(b"\n") > 1
    for text in (data, data[:-40]):  # also one whose last line is cut
        with pytest.raises(DocumentError) as caught:
            opened_as(tmp_path / "a trace.jsonl", text)
        said = str(caught.value)
        assert "this is a recording, not an eval set" in said
        assert f"`evaltui run SET -r '{tmp_path}/a trace.jsonl'`" in said
        assert f"`evaltui record '{tmp_path}/a trace.jsonl' --list`" in said
        assert "+ in a set adds them" in said


def test_other_texts_of_several_values_are_repaired(tmp_path: Path) -> None:
    for text in (b'{"eval_set_id": "a", "eval_cases": []}\n{"eval_set_id": "b", "eval_cases": []}\n', b'{"a": 1}\n{'):
        opened_as(tmp_path / "sets.json", text)

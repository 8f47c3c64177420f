"""Copies of recordings in a store count once, as they do on this machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaltui.runs.run_options import RunOptions
from tests.commands.runs import case, eval_set, result, turn
from tests.recordings.spans import assistant, chat, export, user
from tests.runs.ray.conftest import RayCluster, Store
from tests.runs.told_runs import in_batch

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]


def test_copies_in_a_store_count_once(ray_cluster: RayCluster, store: Store, tmp_path: Path) -> None:
    cases = [case("greeting", turn("hello", "hi")), case("traced", turn("which way", "left"))]
    path = tmp_path / "s.evalset.json"
    path.write_text(json.dumps(eval_set(*cases)))
    wrong = json.dumps(result(case("greeting", turn("hello", "nothing")))).encode()
    traced = json.dumps(export([chat([user("which way")], [assistant("left")], {"session.id": "a"}, trace=1)])).encode()
    files = {"a.json": wrong, "b.json": wrong, "c.json": json.dumps(result(cases[0])).encode(), "d.json": traced}
    for name, data in {**files, "e.json": traced}.items():
        store.put(f"copies/{name}", data)
    options = RunOptions([store.address("copies")], all_runs=True)
    there = in_batch([str(path)], options, ray_cluster.engine)
    assert isinstance(there, dict)
    document = json.loads(str(there["json"]))
    assert [each["path"] for each in document["recordings"]] == [f"s3://traces/copies/{name}.json" for name in "acd"]
    assert [(each["recordings"], each["passed_runs"]) for each in document["cases"]] == [(2, 1), (1, 1)]
    said = "2 files are copies of other recordings, so each session in them counts once; the first is"
    assert f"{said} s3://traces/copies/b.json, a copy of s3://traces/copies/a.json" in str(there["notes"])

"""Runs on two nodes give the documents of runs in memory, also if workers, nodes or files are lost."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaltui import __version__
from evaltui.runs.ray.connection import ClusterError, connected
from evaltui.runs.run_options import RunOptions
from tests.runs.ray.cluster_work import result_of, run_evaltui, set_of, workers
from tests.runs.ray.conftest import RayCluster, Store
from tests.runs.told_runs import SAMPLES, SETS, in_batch, in_memory
from tests.safety.modules import shadow_modules

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]


@pytest.mark.parametrize("all_runs", [False, True], ids=["latest", "all"])
def test_samples_give_the_same_reports(ray_cluster: RayCluster, all_runs: bool) -> None:
    import ray

    assert sum(node["Alive"] for node in ray.nodes()) == 2
    names = [str(path) for path in SETS]
    options = RunOptions([str(SAMPLES / "recordings")], all_runs=all_runs)
    assert in_batch(names, options, ray_cluster.engine) == in_memory(names, options)


def test_the_command_writes_the_same_bytes_as_on_one_machine(ray_cluster: RayCluster, tmp_path: Path) -> None:
    written = []
    for engine in ([], ["--engine", "ray", "--address", ray_cluster.cluster.address]):
        outputs = [word for ending in ("json", "xml", "md", "txt") for word in ("-o", str(tmp_path / f"r.{ending}"))]
        words = ["run", "trip_planner.evalset.json:*flight*,*hotels", "-r", "recordings", "--format", "json", *outputs]
        done = run_evaltui([*words, *engine], SAMPLES)
        reports = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
        written.append((done.returncode, done.stdout, done.stderr, reports))
    assert written[0] == written[1]
    assert written[0][0] == 1
    assert json.loads(written[0][1])["summary"]["cases"] == 2


def test_workers_import_nothing_from_the_working_directory(ray_cluster: RayCluster, tmp_path: Path) -> None:
    repository = tmp_path / "repository"
    repository.mkdir()
    shadow_modules(repository, tmp_path / "mark")
    program = str(Path(sys.executable).with_name("evaltui"))
    words = [program, "run", str(SAMPLES / "trip_planner.evalset.json"), "-r", str(SAMPLES / "recordings")]
    for engine in (["--address", ray_cluster.cluster.address], ["--address", "local"]):
        done = subprocess.run([*words, "--engine", "ray", *engine], cwd=repository, capture_output=True, check=False)
        assert done.returncode == 1, done.stderr
    assert not (tmp_path / "mark").exists()


def test_files_of_a_store_are_scored_and_damaged_ones_are_said(
    ray_cluster: RayCluster, store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "traces"
    files = {f"day/{number:04}.json": result_of(number, number % 3 != 0) for number in range(1200)}
    files |= {
        "day/0007.json": b'{"eval_set_result_id": "half of a file',
        "day/0008.json.gz": gzip.compress(result_of(8, True))[:-30],
        "day/notes.txt": b"no recording",
        "day/.hidden.json": result_of(9, True),
    }
    for name, data in files.items():
        store.put(name, data)
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    subject = set_of(tmp_path, 1200)
    with _in(folder):
        local = in_memory([subject], RunOptions(["day"]))
        there = in_batch([subject], RunOptions([store.address("day")]), ray_cluster.engine)
    assert isinstance(local, dict)
    assert isinstance(there, dict)
    assert json.loads(str(local["json"]))["summary"]["failed"] == 400
    for form in ("json", "table", "junit", "markdown", "notes"):
        assert str(there[form]).replace("s3://traces/day", "day") == str(local[form])
    assert "secret" not in str(there)


@pytest.mark.parametrize("ending", ["*.json", "**/*.json", "a/1.json"])
def test_a_glob_and_a_file_of_a_store(ray_cluster: RayCluster, store: Store, tmp_path: Path, ending: str) -> None:
    names = ["globs/a/1.json", "globs/0.json", "globs/2.text"]
    for number, name in enumerate(names):
        store.put(name, result_of(number, True))
    there = in_batch([set_of(tmp_path, 3)], RunOptions([store.address(f"globs/{ending}")]), ray_cluster.engine)
    assert isinstance(there, dict)
    read = [each["path"] for each in json.loads(str(there["json"]))["recordings"]]
    expected = {"*.json": names[1:2], "**/*.json": names[1::-1], "a/1.json": names[:1]}
    assert read == [f"s3://traces/{name}" for name in expected[ending]]


def test_a_file_that_is_not_in_the_store(ray_cluster: RayCluster, store: Store, tmp_path: Path) -> None:
    subject = set_of(tmp_path, 1)
    for address in ("ftp://key:secret@there/a.json", "S3://key:sec/secret@b/a.json", "s3://", "gs:///"):
        said = str(in_batch([subject], RunOptions([address]), ray_cluster.engine))
        assert said.endswith("an address of a store, such as s3://bucket/key or gs://bucket/key")
        assert "secret" not in said
    for address in ("s3://key:secret/secret@b/a.json", "s3://traces-*/a.json", "s3://key:secret@secret:1@b:1/a.json"):
        said = str(in_batch([subject], RunOptions([address]), ray_cluster.engine))
        assert "the name of the bucket is not valid" in said
        assert "secret" not in said
    for odd in (f"s3://key:secret^%zz@b/a.json{store.query}", "s3://b/a.json?my key=secret"):
        assert "secret" not in str(in_batch([subject], RunOptions([odd]), ray_cluster.engine))
    for key, reason in (("no.json", "there is no such file or folder"), ("no/*.json", "no file matches")):
        said = in_batch([subject], RunOptions([store.address(key)]), ray_cluster.engine)
        assert said == f"s3://traces/{key}: {reason}"


@pytest.mark.parametrize("lost", ["worker", "node"])
def test_a_worker_or_a_node_that_is_lost_changes_nothing(ray_cluster: RayCluster, tmp_path: Path, lost: str) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number:03}.json").write_bytes(result_of(number, number % 3 != 0, turns=40))
    subject, options = set_of(tmp_path, 400, turns=40), RunOptions([str(folder)])
    cluster = ray_cluster.cluster
    node = cluster.add_node(num_cpus=1, object_store_memory=200_000_000) if lost == "node" else None
    end = _kill_one if node is None else lambda: cluster.remove_node(node, allow_graceful=False)
    with _during_work(lambda: bool(workers()), end) as ended:
        there = in_batch([subject], options, ray_cluster.engine)
    assert ended.is_set()
    assert there == in_memory([subject], options)
    cluster.wait_for_nodes(timeout=120)  # the cluster learns late that a node is lost, and other tests use it


def test_a_machine_with_another_version_is_said(
    ray_cluster: RayCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evaltui.runs.ray.ray_run.__version__", "0.0.0")
    (tmp_path / "r.json").write_bytes(result_of(0, True))
    said = in_batch([set_of(tmp_path, 1)], RunOptions([str(tmp_path / "r.json")]), ray_cluster.engine)
    assert said == f"this is evaltui 0.0.0, and a machine of the cluster has {__version__}; install one version"


def test_a_cluster_that_nobody_runs(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    for address, reason in (
        ("127.0.0.1:1", "connection refused; check --address"),
        ("ray://there:10001", "Ray Client"),
        ("http://there:8265", "HOST:6379"),
    ):
        words = ["run", set_of(tmp_path, 1), "--engine", "ray", "--address", address]
        done = run_evaltui(words, tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert reason in done.stderr.decode()
        assert done.stderr.count(b"\n") == 1


def test_wrong_inputs_are_said_before_a_cluster_is_started(tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    nobody = "s3://key:secret@traces/*.json?endpoint_override=127.0.0.1:1&scheme=http&region=us-east-1"
    for name, reason in (("nowhere.json", "no such file"), (nobody, "s3://traces/*.json: the store cannot be reached")):
        words = ["run", set_of(tmp_path, 1), "-r", name, "--engine", "ray", "--address", "127.0.0.1:1"]
        done = run_evaltui(words, tmp_path)
        assert (done.returncode, done.stdout) == (2, b"")
        assert reason in done.stderr.decode()
        assert b"secret" not in done.stderr


def test_a_cluster_that_asks_for_a_token(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Ray tells this only on stderr, from C++, once a second."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")

    def refused(**_: object) -> None:
        os.write(2, b"gcs_client.cc:210: Unauthenticated: RPC error: InvalidAuthToken: the token is missing\n" * 3)
        raise ConnectionError("Failed to connect to Ray cluster at here:6379")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", refused)
    said = 'the Ray cluster "here" asks for its token; set RAY_AUTH_MODE=token'
    with pytest.raises(ClusterError, match=said), connected("here"):
        pass
    assert capfd.readouterr().err == ""


def test_a_signal_within_an_import_of_ray_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then `ray.shutdown` cannot import its own modules. The handler of the signal must still come to its end."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")

    def interrupted() -> None:
        raise ImportError("cannot import name from partially initialized module")

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda **_: None)
    monkeypatch.setattr(ray, "shutdown", interrupted)
    said = []
    with connected("here"):
        said.append("connected")
    assert said == ["connected"]


@contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _kill_one() -> None:
    os.kill(workers()[0], signal.SIGKILL)


@contextmanager
def _during_work(begun: Callable[[], bool], end: Callable[[], object]) -> Iterator[threading.Event]:
    """Once `begun` is true, call `end`, in a thread beside the context. The event is set after that."""
    done, over = threading.Event(), threading.Event()

    def watch() -> None:
        while not over.wait(0.01):
            if begun():
                try:
                    end()
                except (IndexError, ProcessLookupError):  # that worker has just ended
                    continue
                done.set()
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield done
    finally:
        over.set()
        thread.join()

"""The command on a cluster of its own that loses a worker, a node, its head or the node of the command."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runs.ray.cluster_work import result_of, run_evaltui, set_of, workers
from tests.terminal.pseudo_terminal import PseudoTerminal

pytestmark = [pytest.mark.cluster, pytest.mark.timeout(400), pytest.mark.filterwarnings("ignore")]

_SCORING = b"scored_block"
_IMPATIENT = {"RAY_gcs_rpc_server_reconnect_timeout_s": "5", "RAY_DATA_HASH_SHUFFLE_REDUCE_GET_TIMEOUT_S": "15"}
"""Seconds that Ray tries to find a head again, and that a reduce waits for its input."""


@pytest.fixture
def own_cluster() -> Iterator[Any]:
    """A cluster of two nodes that the test may break."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    from ray.cluster_utils import Cluster

    facts = {"num_cpus": 1, "object_store_memory": 100_000_000}
    with pytest.MonkeyPatch.context() as environment:  # the nodes inherit it
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
        cluster = Cluster(initialize_head=True, head_node_args={**facts, "include_dashboard": False})
        try:
            cluster.add_node(**facts)
            yield cluster
        finally:
            cluster.shutdown()


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    """A run that takes some seconds on each node."""
    folder = tmp_path / "runs"
    folder.mkdir()
    for number in range(400):
        (folder / f"{number:03}.json").write_bytes(result_of(number, number % 3 != 0, turns=40))
    return ["run", set_of(tmp_path, 400, turns=40), "-r", str(folder), "--format", "json"]


def _kill_worker(_: Any) -> None:
    os.kill(workers()[0], signal.SIGKILL)


def _kill_node(cluster: Any) -> None:
    (node,) = cluster.worker_nodes
    node.kill_raylet()


def _kill_node_of_command(cluster: Any) -> None:
    cluster.head_node.kill_raylet()


def _kill_head(cluster: Any) -> None:
    cluster.head_node.kill_gcs_server()
    cluster.head_node.kill_raylet()


@pytest.mark.parametrize(
    ("kill", "work"), [(_kill_worker, b"MapBatches"), (_kill_node, _SCORING)], ids=["worker", "node while others wait"]
)
def test_ray_repeats_lost_work_and_stdout_has_the_report_alone(
    own_cluster: Any, words: list[str], tmp_path: Path, kill: Callable[[Any], None], work: bytes
) -> None:
    local = run_evaltui(words, tmp_path)
    assert _ended(own_cluster, words, kill, work) == (local.returncode, local.stdout, local.stderr)
    assert local.returncode == 1


@pytest.mark.parametrize("kill", [_kill_node_of_command, _kill_head], ids=["node of the command", "head"])
def test_a_lost_cluster_is_said(own_cluster: Any, words: list[str], kill: Callable[[Any], None]) -> None:
    code, out, said = _ended(own_cluster, words, kill, _SCORING)
    assert (code, out) == (2, b"")
    assert said.startswith(b"evaltui: the Ray cluster ")
    assert said.count(b"\n") == 1
    named = said.decode().rpartition(" ")[2].strip()
    assert Path(named).stat().st_size
    Path(named).unlink()


def _ended(cluster: Any, words: list[str], kill: Callable[[Any], None], work: bytes) -> tuple[int | None, bytes, bytes]:
    """How a command ends during which a part of the cluster is killed, once such work is seen."""
    process = _started([*words, "--engine", "ray", "--address", cluster.address])
    while not workers(work):
        assert process.poll() is None, process.communicate()
    kill(cluster)
    out, said = process.communicate()
    return process.returncode, out, said


def _started(words: list[str], **variables: str) -> subprocess.Popen[bytes]:
    project = str(Path(__file__).parents[3])
    return subprocess.Popen(
        [sys.executable, "-m", "evaltui", *words],
        env={**os.environ, **_IMPATIENT, **variables, "PYTHONPATH": project},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


@pytest.mark.parametrize(
    ("content", "reason"),
    [("127.0.0.1:1", "connection refused"), ("", "Invalid address format:"), ("here", "Invalid address format: here")],
)
def test_an_outdated_address_that_ray_finds_is_said(tmp_path: Path, content: str, reason: str) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    file = tmp_path / "ray" / "ray_current_cluster"
    file.parent.mkdir()
    file.write_text(content)
    process = _started(["run", set_of(tmp_path, 1), "--engine", "ray"], RAY_TMPDIR=str(tmp_path))
    out, said = process.communicate()
    sentence = f'the Ray cluster "{content}" cannot be reached: {reason}'
    assert said.decode() == f"evaltui: {sentence}; delete {file}, which names it, or give --address\n"
    assert (process.returncode, out) == (2, b"")


def test_ctrl_c_ends_a_connection_to_nobody(tmp_path: Path) -> None:
    """Ray waits in C++ for somebody who listens and says nothing."""
    util = pytest.importorskip("ray.util", reason="Ray is not installed: pip install 'evaltui[ray]'")
    with socket.create_server((util.get_node_ip_address(), 0)) as silent:  # Ray uses it in place of 127.0.0.1
        silent.settimeout(120)
        address = ":".join(map(str, silent.getsockname()))
        process = _started(["run", set_of(tmp_path, 1), "--engine", "ray", "--address", address])
        connections = [silent.accept()[0] for _ in range(2)]  # evaltui knocks, then Ray connects
        process.send_signal(signal.SIGINT)
        assert process.communicate() == (b"", b"")
        assert process.returncode == 130
        for connection in connections:
            connection.close()


def test_ctrl_c_at_a_terminal_ends_the_run_and_its_cluster(words: list[str], tmp_path: Path) -> None:
    """Ray takes a process that starts a cluster out of the group that gets Ctrl-C."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    project = str(Path(__file__).parents[3])
    argv = [sys.executable, "-m", "evaltui", *words, "--engine", "ray", "--address", "local"]
    with PseudoTerminal(argv, {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": project}, tmp_path) as terminal:
        terminal.until(lambda: b"connecting to Ray" in terminal.last, patience=120)
        terminal.until(lambda: b"scoring" in terminal.last, patience=120)
        terminal.interrupt()
        assert terminal.ends_within(60)
        assert terminal.process.returncode == 130
        terminal.until(lambda: not _processes_of(terminal.process.pid), patience=120)  # Ray's agents look now and then
        assert terminal.last.rstrip().endswith(b"\x1b[?25h")  # the cursor is shown


def _processes_of(session: int) -> list[str]:
    """The processes of a session."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = entry.read_text().rpartition(")")
        except OSError:  # it has ended
            continue
        if rest.split()[3] == str(session) and rest.split()[0] != "Z":
            found.append(name)
    return found

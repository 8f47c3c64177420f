"""A Ray cluster of two nodes, and a store that speaks S3, on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.runs.told_runs import Engine

_STORE_BYTES = 200_000_000
"""The object store of a node."""


class RayCluster(NamedTuple):
    """A cluster, and the engine that uses it."""

    cluster: Any
    engine: Engine


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[RayCluster]:
    """Two nodes with one processor each. This process is connected, so that its workers are started only once."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'evaltui[ray]'")
    with pytest.MonkeyPatch.context() as environment:  # the nodes inherit it
        environment.setenv("RAY_USAGE_STATS_ENABLED", "0")
        environment.setenv("RAY_idle_worker_killing_time_threshold_ms", "600000")
        environment.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
        yield from _started()


def _started() -> Iterator[RayCluster]:
    from ray.cluster_utils import Cluster

    from evaltui.runs.ray.connection import connected

    facts = {"num_cpus": 1, "object_store_memory": _STORE_BYTES, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=facts)
    try:
        cluster.add_node(num_cpus=1, object_store_memory=_STORE_BYTES)
        with connected(cluster.address):
            yield RayCluster(cluster, Engine("ray", address=cluster.address))
    finally:
        cluster.shutdown()


class Store(NamedTuple):
    """A store with one bucket."""

    client: Any
    query: str
    """The part of an address after the key, which names the server."""

    def put(self, key: str, data: bytes) -> None:
        self.client.put_object(Bucket="traces", Key=key, Body=data)

    def address(self, key: str) -> str:
        return f"s3://key:secret@traces/{key}{self.query}"


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    """A server of moto, which speaks S3."""
    pytest.importorskip("moto.server", reason="moto is not installed: pip install 'moto[s3]' flask flask-cors boto3")
    import boto3
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        names = {"aws_access_key_id": "key", "aws_secret_access_key": "secret", "region_name": "us-east-1"}
        client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", **names)
        client.create_bucket(Bucket="traces")
        yield Store(client, f"?endpoint_override={host}:{port}&scheme=http&region=us-east-1")
    finally:
        server.stop()

"""The connection to a Ray cluster, and errors of the cluster as sentences."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line

_INSTALL = "--engine ray needs Ray; install it with: pip install 'evaltui[ray]'"
_CLIENT = "ray://"
_LONGEST = 300
"""Characters of an error of the cluster that are shown."""


class ClusterError(DocumentError):
    """The cluster cannot be used, or it failed."""


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A connection to the cluster with this address. A connection that this process already has is used.

    Without an address, Ray decides: RAY_ADDRESS, a cluster that runs on this machine, or a new one on this machine.
    Raises `ClusterError`, also for failures of the cluster within the context.
    """
    ray = _ray()
    if not ray.is_initialized():
        _connect(ray, address)
        end = ray.shutdown
    else:
        end = _nothing
    try:
        with ending_on_signals(end):
            yield
    except ray.exceptions.RayError as error:
        raise ClusterError(_told(error)) from error
    finally:
        end()


def _nothing() -> None:
    pass


def _connect(ray: Any, address: str | None) -> None:
    if (address or os.environ.get("RAY_ADDRESS", "")).startswith(_CLIENT):
        raise ClusterError(
            f"{_CLIENT} addresses are for Ray Client, which Ray Data does not support; run evaltui on a machine of the "
            "cluster: ray job submit -- evaltui run …"
        )
    try:
        ray.init(
            address=address,
            logging_level=logging.ERROR,
            log_to_driver=False,
            include_dashboard=None if address or os.environ.get("RAY_ADDRESS") else False,
        )
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        where = f"the Ray cluster {address}" if address else "the Ray cluster"
        raise ClusterError(f"{where} cannot be reached: {_sentence(error)}; check --address") from error


def _ray() -> Any:
    """The module. Raises `ClusterError` if it is not installed."""
    if find_spec("ray") is None or find_spec("pyarrow") is None:
        raise ClusterError(_INSTALL)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # evaltui sends nothing anywhere
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import ray  # noqa: PLC0415 - it takes a second
        import ray.data  # noqa: PLC0415
        import ray.exceptions  # noqa: PLC0415

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def _told(error: BaseException) -> str:
    """The sentence for an error of the cluster. One that evaltui raised in a worker keeps its own."""
    cause: BaseException | None = error
    while cause is not None:
        own = getattr(cause, "cause", None)
        if isinstance(own, DocumentError):
            return str(own)
        if isinstance(own, ModuleNotFoundError) or isinstance(cause, ModuleNotFoundError):
            return (
                f"a worker of the Ray cluster misses a package: {_sentence(own or cause)}; install evaltui[ray] there"
            )
        cause = own if isinstance(own, BaseException) else cause.__cause__
    return f"the Ray cluster failed: {_sentence(error)}"


def _sentence(error: BaseException) -> str:
    """The last line of an error: Ray puts tracebacks before it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[-1] if lines else type(error).__name__, _LONGEST)

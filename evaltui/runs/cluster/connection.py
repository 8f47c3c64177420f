"""The connection to a Ray cluster, and errors of the cluster as sentences."""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import IO, Any

from evaltui.document.errors import DocumentError
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line, quoted

_INSTALL = "--engine ray needs Ray; install it with: pip install 'evaltui[ray]'"
_CLIENT = "ray://"
_DASHBOARD = ("http://", "https://")
_PATIENCE = 10.0
"""Seconds to wait for the cluster to answer."""
_LONGEST = 300
"""Characters of an error of the cluster that are shown."""


_WRONG_TOKEN = b"InvalidAuthToken"
_GIVE_TOKEN = "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN to the token if ~/.ray/auth_token does not have it"


class ClusterError(DocumentError):
    """The cluster cannot be used, or it failed."""


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A connection to the cluster with this address. A connection that this process already has is used.

    Without an address, Ray decides: RAY_ADDRESS, a cluster that runs on this machine, or a new one on this machine.
    Raises `ClusterError`, also for failures of the cluster within the context.
    """
    ray = load_ray()
    end: Callable[[], None] = _nothing
    if not ray.is_initialized():
        with _own_signals():
            _connect(ray, address)
        end = partial(_end, ray)
    try:
        with ending_on_signals(end):
            yield
    except Exception as error:
        if _is_of_ray(error):
            raise ClusterError(_told(error)) from error
        raise
    finally:
        end()


def _nothing() -> None:
    pass


def _end(ray: Any) -> None:
    """End the connection. Ray cannot do so while a signal interrupts one of its imports; the process ends anyway."""
    with suppress(ImportError):
        ray.shutdown()


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep the handlers of signals: Ray replaces them, and its own print a stack of machine code."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, call in before.items():
            if call is not None:  # None: not set from Python
                signal.signal(number, call)


def _connect(ray: Any, address: str | None) -> None:
    given = address or os.environ.get("RAY_ADDRESS", "")
    if given.startswith(_CLIENT):
        raise ClusterError(
            f"{_CLIENT} addresses are for Ray Client, which Ray Data does not support. "
            "Run evaltui on a machine of the cluster: ray job submit -- evaltui run …"
        )
    if given.startswith(_DASHBOARD):
        raise ClusterError(
            f"{quoted(given)} is the address of a dashboard; give the one of the cluster, such as HOST:6379"
        )
    where = f"the Ray cluster {quoted(given)}" if given else "the Ray cluster"
    # Ray puts the working directory on the path of modules of all its workers. A json.py there would run as code.
    with _kept_from_terminal() as log, chdir("/"):
        try:
            _knock(given)
            ray.init(
                address=address,
                logging_level=logging.ERROR,
                log_to_driver=False,
                include_dashboard=None if given else False,
            )
        except (Exception, SystemExit) as error:  # Ray raises many kinds, and plain ones, too
            log.seek(0)
            if _WRONG_TOKEN in log.read():
                raise ClusterError(f"{where} asks for its token; {_GIVE_TOKEN}") from error
            name = "--address" if address or not given else "RAY_ADDRESS"
            raise ClusterError(f"{where} cannot be reached: {_sentence(error)}; check {name}") from error


@contextmanager
def _kept_from_terminal() -> Iterator[IO[bytes]]:
    """A file that gets what this process writes to stderr: Ray's code in C++ writes each failed attempt there."""
    with TemporaryFile() as log:
        sys.stderr.flush()
        terminal = os.dup(2)
        try:
            os.dup2(log.fileno(), 2)
            yield log
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)


def _knock(address: str) -> None:
    """Raise `OSError` if nobody listens there: Ray would try for minutes, and write to the terminal meanwhile."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdecimal():
        with socket.create_connection((host.strip("[]"), int(port)), _PATIENCE):
            pass


def load_ray() -> Any:
    """The module, with the settings that evaltui needs. Raises `ClusterError` if it is not installed."""
    if find_spec("ray") is None or find_spec("pyarrow") is None:
        raise ClusterError(_INSTALL)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # evaltui sends nothing anywhere
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_ENABLE_AUTO_CONNECT", "0")  # else a thread that outlives the end starts a new cluster
    # A new cluster on this machine keeps its workers between the steps of a run: each takes seconds to start.
    os.environ.setdefault("RAY_idle_worker_killing_time_threshold_ms", "60000")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import ray  # noqa: PLC0415 - it takes a second
            import ray.data  # noqa: PLC0415
        except ImportError as error:  # without the extra, Ray has no Ray Data
            raise ClusterError(_INSTALL) from error

    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False  # evaltui has one bar for the whole run
    context.raise_original_map_exception = True  # else the reason of an error is lost on its way
    context.shuffle_strategy = "shuffle_v2"  # tasks, which Ray repeats; not actors
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def _is_of_ray(error: BaseException) -> bool:
    """Whether Ray or Arrow raised an error, or Ray marked an error as its own (`SystemException`)."""
    return any(type(each).__module__.startswith(("ray.", "pyarrow.")) for each in (error, error.__cause__))


def _told(error: BaseException) -> str:
    """The sentence for an error of the cluster. One that evaltui raised in a worker keeps its own."""
    cause: BaseException | None = error
    while cause is not None:
        own = getattr(cause, "cause", None)  # RayTaskError has the error of the worker
        if isinstance(own, DocumentError):
            return str(own).partition("\n")[0]  # Ray adds advice about its settings
        cause = own if isinstance(own, BaseException) else cause.__cause__
    said = _sentence(error)
    if "No module named" in said:
        return f"a machine of the Ray cluster lacks a package ({said}); install evaltui[ray] on all its machines"
    return f"the Ray cluster failed: {said}"


def _sentence(error: BaseException) -> str:
    """The last line of an error: Ray puts tracebacks before it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[-1] if lines else type(error).__name__, _LONGEST)

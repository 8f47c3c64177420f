"""The connection to a Ray cluster, and errors and silence of the cluster as sentences."""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, chdir, contextmanager, nullcontext, suppress
from importlib.util import find_spec
from traceback import walk_tb
from typing import Any

from evaltui.document.errors import DocumentError
from evaltui.interrupt import ending_on_signals
from evaltui.printable import one_line, quoted
from evaltui.runs.ray.driver_process import allow_silence, is_driver, kept_log, ray_output, wait_for

_INSTALL = "--engine ray needs Ray; install it with: pip install 'evaltui[ray]'"
_CLIENT = "ray://"
_PATIENCE = 10.0
"""Seconds to wait for a connection to the address."""
_ANSWER = 120
"""Seconds to wait for a cluster that runs."""
_START = 300
"""Seconds to wait for a cluster that starts on this machine, which may have much else to do."""
_LEAVE = 30
"""Seconds to wait for the end of the connection."""
_LONGEST = 300
"""Characters of an error of the cluster that are shown."""

_CALLBACKS = "RAY_DATA_EXECUTION_CALLBACKS"
_TASK_PROGRESS = "evaltui.runs.ray.cluster_watch.TaskProgress"
_GIVE_TOKEN = "set RAY_AUTH_MODE=token, and RAY_AUTH_TOKEN to the token if ~/.ray/auth_token does not have it"


class ClusterError(DocumentError):
    """The cluster cannot be used, or it failed."""


@contextmanager
def connected(
    address: str | None, waiting: Callable[[], AbstractContextManager[object]] = nullcontext
) -> Iterator[None]:
    """A connection to the cluster with this address. A connection that this process already has is used.

    Without an address, Ray decides: RAY_ADDRESS, a cluster that runs on this machine, or a new one on this machine.
    `waiting` shows that the connection is made. Raises `ClusterError`, also for failures of the cluster within the
    context.
    """
    ray = load_ray()
    from evaltui.runs.ray.cluster_watch import watched_cluster  # noqa: PLC0415 - it imports Ray

    is_own = False

    def end_connection() -> None:
        if is_own:
            with suppress(ImportError):  # a signal interrupts one of Ray's imports; the process ends anyway
                ray.shutdown()

    with ray_output() if is_driver() else nullcontext():
        try:
            if not ray.is_initialized():
                with _own_signals(), waiting():
                    _connect(ray, address)
                is_own = True
            try:
                with ending_on_signals(end_connection), watched_cluster() if is_driver() else nullcontext():
                    yield
            except (Exception, SystemExit) as error:
                if _is_of_ray(error):
                    raise ClusterError(f"{_explain(error)}{kept_log()}") from error
                raise
        finally:
            allow_silence(_LEAVE, "the Ray cluster did not end the run in time; run it again")
            end_connection()
            allow_silence(0, "")


@contextmanager
def _own_signals() -> Iterator[None]:
    """Keep the handlers of signals: Ray replaces them, and its own print a stack of machine code."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, call in handlers.items():
            if call is not None:  # None: not set from Python
                signal.signal(number, call)


def _connect(ray: Any, address: str | None) -> None:
    named_address = address or os.environ.get("RAY_ADDRESS", "")
    if named_address.startswith(_CLIENT):
        raise ClusterError(
            f"{_CLIENT} addresses are for Ray Client, which Ray Data does not support. "
            "Run evaltui on a machine of the cluster: ray job submit -- evaltui run …"
        )
    if named_address.startswith(("http://", "https://")):
        raise ClusterError(
            f"{quoted(named_address)} is the address of a dashboard; give the one of the cluster, such as HOST:6379"
        )
    where, advice = "the Ray cluster", f"check {'--address' if address or not named_address else 'RAY_ADDRESS'}"
    cluster_address = None if named_address == "local" else named_address
    # Ray puts the working directory on the path of modules of all its workers. A json.py there would run as code.
    with ray_output() as log, chdir("/"):
        start = log.seek(0, os.SEEK_END)
        try:
            if named_address in ("", "auto"):
                from ray._common.utils import get_ray_address_file  # noqa: PLC0415 - Ray has no public name for both
                from ray._private.services import get_ray_address_from_environment  # noqa: PLC0415

                cluster_address = get_ray_address_from_environment(named_address or None, None)
                if cluster_address is not None:
                    # `ray start` writes the file, and only `ray stop` deletes it. Ray would try for ten minutes.
                    advice = f"delete {get_ray_address_file(None)}, which names it, or give --address"
            if cluster_address is None:
                wait_for("Ray to start on this machine")
                allow_silence(_START, f"Ray did not start on this machine within {_START // 60} minutes; run it again")
            else:
                where = f"the Ray cluster {quoted(cluster_address)}"
                allow_silence(_ANSWER, f"{where} was silent for {_ANSWER // 60} minutes; {advice}")
                _knock(cluster_address)
            ray.init(
                address=address,
                logging_level=logging.ERROR,
                log_to_driver=False,
                include_dashboard=None if named_address else False,
            )
            wait_for("the Ray cluster")
        except (Exception, SystemExit) as error:  # Ray raises many kinds, and plain ones, too
            if isinstance(error, SystemExit) and error.code == signal.SIGTERM:
                raise  # Ray's own handler of the signal
            log.seek(start)
            if b"InvalidAuthToken" in log.read() or isinstance(error, ray.exceptions.AuthenticationError):
                raise ClusterError(f"{where} asks for its token; {_GIVE_TOKEN}") from error
            raise ClusterError(f"{where} cannot be reached: {_sentence(error)}; {advice}") from error


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
    # A reduce that waits for work of a lost machine may hold the only processor that could repeat it.
    os.environ.setdefault("RAY_DATA_HASH_SHUFFLE_REDUCE_GET_TIMEOUT_S", "120")
    # In a variable, and not in the context of Ray Data, which Ray sends to machines that may have another version.
    callbacks = os.environ.get(_CALLBACKS, "")
    if _TASK_PROGRESS not in callbacks:
        os.environ[_CALLBACKS] = f"{callbacks},{_TASK_PROGRESS}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            import ray  # noqa: PLC0415 - it takes a second
            import ray.data  # noqa: PLC0415
        except ImportError as error:  # without the extra, Ray has no Ray Data
            raise ClusterError(_INSTALL) from error
        context = ray.data.DataContext.get_current()  # of Ray's own warnings, none is for users
    context.enable_progress_bars = False  # evaltui has one bar for the whole run
    context.raise_original_map_exception = True  # else the reason of an error is lost on its way
    context.shuffle_strategy = "shuffle_v2"  # tasks, which Ray repeats; not actors
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    return ray


def _is_of_ray(error: BaseException) -> bool:
    """Whether an error comes from Ray or Arrow, which also raise plain ones, or was marked by Ray as its own."""
    modules = [type(source).__module__ for source in (error, error.__cause__)]
    modules += [frame.f_globals["__name__"] for frame, _ in walk_tb(error.__traceback__)]
    return any(name.startswith(("ray.", "pyarrow.")) for name in modules)


def _explain(error: BaseException) -> str:
    """The sentence for an error of the cluster. One that evaltui raised in a worker keeps its own."""
    cause: BaseException | None = error
    while cause is not None:
        own = getattr(cause, "cause", None)  # RayTaskError has the error of the worker
        if isinstance(own, DocumentError):
            return str(own).partition("\n")[0]  # Ray adds advice about its settings
        cause = own if isinstance(own, BaseException) else cause.__cause__
    sentence = _sentence(error)
    if "No module named" in sentence:
        return f"a machine of the Ray cluster lacks a package ({sentence}); install evaltui[ray] on all its machines"
    return f"the Ray cluster failed: {sentence}"


def _sentence(error: BaseException) -> str:
    """The last line of an error: Ray puts tracebacks before it."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return one_line(lines[-1].rstrip(".") if lines else type(error).__name__, _LONGEST)

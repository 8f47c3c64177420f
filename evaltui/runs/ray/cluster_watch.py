"""The progress of a run on a cluster, task by task, and a look at its machines while there is none."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import ray
from ray.data._internal.execution.execution_callback import ExecutionCallback

from evaltui.runs.ray.driver_process import allow_silence, note_progress, silence, wait_for

_SILENCE = 600
"""Seconds in which a task must end. A cluster that adds machines when there is work takes minutes for it."""
_AFTER_LOSS = 180
"""The same after a machine was lost: Ray may wait forever for a processor that a waiting task holds."""
_LOOK = 5.0
"""Seconds between two looks at the machines."""


class TaskProgress(ExecutionCallback):  # type: ignore[misc] # Ray Data has no types here
    """Notes each task that ends. Ray Data makes one for each of its pipelines; a shuffle gives no rows for long."""

    def __init__(self) -> None:
        self._ended = -1

    def on_execution_step(self, executor: Any) -> None:
        """Called several times a second, in a thread of Ray Data."""
        ended = sum(operator.metrics.num_tasks_finished for operator in executor._topology)
        if ended != self._ended:
            self._ended = ended
            note_progress()


@contextmanager
def watched_cluster() -> Iterator[None]:
    """Within the context, limit the time without progress, and find out what Ray waits for."""
    over = threading.Event()
    _allow(0, 0)
    threading.Thread(target=_watch, args=(over,), daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _watch(over: threading.Event) -> None:
    most = lost = 0
    while True:
        with suppress(Exception):  # a cluster that does not tell makes no progress either
            machines = sum(node["Alive"] for node in ray.nodes())
            most, earlier = max(most, machines), lost
            lost = most - machines
            if lost != earlier and not over.is_set():
                _allow(lost, most)
            if silence() > _LOOK:
                what = f"the rest of the Ray cluster ({lost} of {most} machines lost)"
                if not lost:
                    number = ray.cluster_resources().get("CPU", 0.0)
                    busy = number - ray.available_resources().get("CPU", 0.0)
                    what = f"the Ray cluster ({busy:g} of {number:g} processors busy)"
                wait_for(what)
        if over.wait(_LOOK):
            return


def _allow(lost: int, most: int) -> None:
    """Limit the silence of a cluster that has lost some of its machines."""
    if not lost:
        text = f"no task of the run ended on the Ray cluster for {_SILENCE // 60} minutes; look at it with ray status"
        allow_silence(_SILENCE, text)
        return
    who = f"{lost} of {most} machines of the Ray cluster {'was' if lost == 1 else 'were'} lost"
    allow_silence(_AFTER_LOSS, f"{who}, and no task ended for {_AFTER_LOSS // 60} minutes after that; run it again")

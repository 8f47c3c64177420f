"""Threads that may hang, as a network mount can: neither the screen nor quitting waits for them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import TypeVar

_Result = TypeVar("_Result")


class UnawaitedThreads(ThreadPoolExecutor):
    """Threads for an event loop that ends without waiting for them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Begin no more work; threads that run may go on."""
        super().shutdown(wait=False, cancel_futures=True)


async def result_of(work: Callable[[], _Result]) -> _Result:
    """Run `work` in a daemon thread and return its result; errors of `work` are raised here.

    Textual's workers share a few threads, which Python waits for at its end. A daemon thread takes no place from them,
    and the process ends without it.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def run() -> None:
        try:
            settle = partial(future.set_result, work())
        except Exception as error:
            settle = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the app and its event loop have ended
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    threading.Thread(target=run, name="daemon work", daemon=True).start()
    return await future

"""Work that may hang, as looking at a network mount does: neither the screen nor quitting waits for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

_Result = TypeVar("_Result")


async def result_of(work: Callable[[], _Result]) -> _Result:
    """What `work` gives, done in a daemon thread; raises what it raises.

    Python waits at its end for the threads of Textual's workers, but not for this one.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[_Result] = loop.create_future()

    def run() -> None:
        try:
            settle = partial(future.set_result, work())
        except Exception as error:
            settle = partial(future.set_exception, error)
        with suppress(RuntimeError):  # the app has ended, and its loop with it
            loop.call_soon_threadsafe(lambda: None if future.done() else settle())

    threading.Thread(target=run, name="daemon work", daemon=True).start()
    return await future

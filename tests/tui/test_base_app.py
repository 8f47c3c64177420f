"""Work beside the keys: of an app that ends before a worker begins, no coroutine is left that nobody awaits."""

from collections.abc import Callable
from typing import Any

import pytest

from evaltui.tui.base_app import BaseApp


class EndsAtOnce(BaseApp):
    """An app whose workers never come to begin."""

    def __init__(self) -> None:
        super().__init__()
        self.given: list[Any] = []

    def run_worker(self, work: Any, *_: Any, **__: Any) -> Any:
        self.given.append(work)


STARTS: dict[str, Callable[[BaseApp], object]] = {
    "run_alone": lambda app: app.run_alone("a", never),
    "run_once": lambda app: app.run_once("a", never),
    "start_thread": lambda app: app.start_thread("a", lambda: 1, print, print),
}


async def never() -> None:
    raise AssertionError("no task was made for this")


@pytest.mark.parametrize("way", STARTS)
async def test_a_worker_makes_its_coroutine_itself(way: str) -> None:
    app = EndsAtOnce()
    STARTS[way](app)
    assert [callable(work) for work in app.given] == [True]

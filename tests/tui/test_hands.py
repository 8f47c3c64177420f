"""The hands of a scenario wait for what runs beside the keys, however that ends."""

import asyncio

from tests.tui.scenario import SAMPLES, scenario


async def test_a_worker_that_is_cancelled_while_it_is_waited_for_is_no_failure() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        turns_left = 100

        async def cancelled_late() -> None:
            nonlocal turns_left
            while turns_left:
                turns_left -= 1
                await asyncio.sleep(0)
            raise asyncio.CancelledError

        s.app.run_worker(cancelled_late(), exit_on_error=False)
        await s.settle()
        assert turns_left == 0
        assert not s.app.workers

"""Screens of the app as text, for documents: each function shows one screen of the sample sets."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

from textual.pilot import Pilot

from evaltui.document.document import Document
from evaltui.runs.run_options import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.review.review_queue import ReviewStart

PROJECT = Path(__file__).resolve().parent.parent
PICTURED = PROJECT / "sample_sets" / "trip_planner.evalset.json"
RECORDED = PROJECT / "sample_sets" / "recordings"
CHATTED = PROJECT / "sample_sets" / "travel_desk" / "travel_desk.evalset.json"
LOOKED_AT = 1_795_420_000
"""Unix time of the screens that show ages: some hours after the last conversation of the sample agent."""


async def turn_form() -> str:
    """The first turn of the pictured set in a terminal of 80×24."""
    app = EvaltuiApp(Document.open(PICTURED))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        return _screen_of(app)


async def review() -> str:
    """The review of the pictured set in a terminal of 80×24, at the first turn that fails."""
    recording = RECORDED / "trip_planner_first.evalset_result.json"
    app = EvaltuiApp(
        Document.open(PICTURED),
        review=ReviewStart(is_first=True),
        scored_with=RunOptions((str(recording),)),
    )
    async with app.run_test(size=(80, 24)) as pilot:
        return await _settled(app, pilot)


async def conversations() -> str:
    """The conversations of the sample agent in a terminal of 80×24, at the one with a booking."""
    app = EvaltuiApp(Document.open(CHATTED))
    clock = SimpleNamespace(time=lambda: LOOKED_AT)
    with patch("evaltui.tui.recordings.recording_columns.time", clock):
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("plus")
            await app.workers.wait_for_complete()
            await pilot.press("down", "down", "down", "down", "down")
            await pilot.pause()
            await pilot.pause()
            return _screen_of(app)


async def recordings() -> str:
    """The recordings of the pictured set in a terminal of 80×14."""
    clock = SimpleNamespace(time=lambda: LOOKED_AT)
    with patch("evaltui.tui.recordings.recording_columns.time", clock):
        return await _scored_screen("H", (80, 14))


async def criteria() -> str:
    """The criteria of the pictured set in a terminal of 80×20, with a lower threshold on trial."""
    return await _scored_screen("alt+c", (80, 20), "enter", "home", "shift+end", "0", ".", "5", "enter", "escape", "up")


async def _scored_screen(opens: str, size: tuple[int, int], *keys: str) -> str:
    """The screen that the key `opens` opens from the scores of the pictured set, after some more keys."""
    os.chdir(PROJECT)
    recorded = str(RECORDED.relative_to(PROJECT))
    app = EvaltuiApp(Document.open(PICTURED), scored_with=RunOptions((recorded,)))
    async with app.run_test(size=size) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        for key in (opens, *keys):
            await pilot.press(key)
            await pilot.pause()
        return await _settled(app, pilot)


async def _settled(app: EvaltuiApp, pilot: Pilot[None]) -> str:
    """The screen after all scoring has ended."""
    await app.workers.wait_for_complete()
    await pilot.pause()
    while "scoring" in (screen := _screen_of(app)):
        await pilot.pause(0.01)
    return screen


def _screen_of(app: EvaltuiApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "".join("".join(segment.text for segment in strip).rstrip() + "\n" for strip in strips)

"""The pictures in the README: screens of the sample sets as SVG, in the dark and the light theme."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple
from unittest.mock import patch

from textual.app import App
from textual.pilot import Pilot

from docs.svg import svg
from evaltui.document.document import Document
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.session.review_start import ReviewStart
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.session import Session

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = "docs/pictures"
SAMPLES = PROJECT / "sample_sets"
TRIPS = SAMPLES / "trip_planner.evalset.json"
RECORDED = SAMPLES / "recordings"
THEMES = {"dark": "textual-dark", "light": "textual-light"}
SIZE = (100, 30)
NOW = 1_795_420_000
"""When the pictures are taken, some days after the recordings of the samples were made."""
_CLOCK = SimpleNamespace(
    time=lambda: NOW, monotonic=lambda: NOW, sleep=time.sleep, strftime=time.strftime, localtime=time.gmtime
)
_CLOCKS = (
    "evaltui.tui.conversations.found_lines",
    "evaltui.tui.editor.scoring_runs",
    "evaltui.tui.panes.run_head",
    "evaltui.tui.panes.run_pane",
    "evaltui.tui.recordings.file_lines",
    "evaltui.tui.session.past_runs",
    "evaltui.tui.session.scores",
    "evaltui.tui.watch.watch_table",
    "evaltui.tui.watch.watch_text",
)
"""Modules that show the time of day, an age or how long a run took."""
_PERSONAL = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLORFGBG", "TMUX", "TEXTUAL_THEME")


class Pictured(NamedTuple):
    """A screen to take pictures of."""

    name: str
    title: str
    open: Callable[[], App[Any]]
    keys: Sequence[str] = ()


def trips(*, review: ReviewStart | None = None, recordings: Path = RECORDED) -> EvaltuiApp:
    """The app on the sample set of a travel agent, scored with recordings."""
    return EvaltuiApp(Session(Document.open(TRIPS)), review=review, scored_with=ScoredWith((str(recordings),)))


IN_README = (
    Pictured("edit", "The editor at a turn that fails", trips, ("down", "down")),
    Pictured("review", "The review desk at a turn that fails", lambda: trips(review=ReviewStart(is_first=True))),
    Pictured("run", "The scores of all cases in the editor", trips, ("4", "down")),
)


@contextmanager
def still_surroundings() -> Iterator[None]:
    """A clock that stands still, files that were written just now, and nothing of the caller's terminal."""
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {"TERM": "xterm-256color"}))
        for name in _PERSONAL:
            os.environ.pop(name, None)
        for module in _CLOCKS:
            stack.enter_context(patch(f"{module}.time", _CLOCK))
        stack.enter_context(patch("evaltui.tui.session.session.written_at", lambda _: NOW))
        stack.enter_context(patch("evaltui.tui.session.file_times.times_of", lambda _: {}))
        yield


async def pictures_of(pictured: Pictured, size: tuple[int, int], themes: dict[str, str] = THEMES) -> dict[str, str]:
    """The SVG of a screen by the name of the theme."""
    with still_surroundings():
        app = pictured.open()
        async with app.run_test(size=size) as pilot:
            await settle(app, pilot)
            for key in pictured.keys:
                await pilot.press(key)
                await settle(app, pilot)
            found: dict[str, str] = {}
            for name, theme in themes.items():
                app.theme = theme
                await settle(app, pilot)
                lines = app.screen._compositor.render_strips()
                found[name] = svg(lines, pictured.title, is_dark=app.current_theme.dark)
            return found


async def settle(app: App[Any], pilot: Pilot[Any]) -> None:
    """Let all be done and drawn that was asked for, also what workers do."""
    for _ in range(2):
        await app.workers.wait_for_complete()
        await pilot.pause()


async def readme_pictures() -> dict[str, str]:
    """The pictures of the README by their paths in the project."""
    return {
        f"{FOLDER}/{pictured.name}-{theme}.svg": picture
        for pictured in IN_README
        for theme, picture in (await pictures_of(pictured, SIZE)).items()
    }

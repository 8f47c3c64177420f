"""SVG pictures of the screens with the sample sets, in the dark and the light theme.

`make docs` writes the pictures of the README. `make pictures` writes all screens in four sizes into docs/pictures/all.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from unittest.mock import patch

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from docs.screens import SCREENS, ShownScreen, go, samples_in, settle
from docs.svg import svg

PROJECT = Path(__file__).resolve().parent.parent
FOLDER = "docs/pictures"
THEMES = {"dark": "evaltui-dark", "light": "evaltui-light"}
SIZE = (100, 30)
SIZES = ((80, 24), (100, 30), (140, 40), (200, 60))
NOW = 1_795_420_000
"""Unix time of the pictures: some days after the recordings of the samples."""
_CLOCK = SimpleNamespace(
    time=lambda: NOW, monotonic=lambda: NOW, sleep=time.sleep, strftime=time.strftime, localtime=time.gmtime
)
_CLOCKS = (
    "evaltui.tui.open_file.scoring_runs",
    "evaltui.tui.panes.score_head",
    "evaltui.tui.panes.scores_pane",
    "evaltui.tui.recordings.recording_columns",
    "evaltui.tui.open_file.set_scores",
    "evaltui.tui.watch.watch_table",
    "evaltui.tui.watch.watch_text",
)
"""Modules that show the time of day, an age or a duration."""
_PERSONAL = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLORFGBG", "TMUX", "TEXTUAL_THEME")


IN_README = {
    "edit": "The editor at a case with failing turns",
    "review": "The review desk at a turn that fails",
    "run": "The scores of all cases in the editor",
}
"""Titles of the pictures, for people who cannot see them, by the name of the screen."""


@contextmanager
def still_surroundings() -> Iterator[None]:
    """Fixes clock and file times, and hides the terminal of the caller. So pictures are equal on every machine."""
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, {"TERM": "xterm-256color"}))
        for name in _PERSONAL:
            os.environ.pop(name, None)
        for module in _CLOCKS:
            stack.enter_context(patch(f"{module}.time", _CLOCK))
        stack.enter_context(patch("evaltui.recordings.conversation.file_times", lambda _: {}))
        yield


async def pictures_of(
    shown: ShownScreen, title: str, size: tuple[int, int], folder: Path, themes: dict[str, str] = THEMES
) -> dict[str, str]:
    """The SVG of a screen by the name of the theme."""
    with still_surroundings():
        if shown.before is not None:
            await shown.before(folder)
        app = shown.open(folder)
        async with app.run_test(size=size) as pilot:
            await go(app, pilot, shown.steps, folder)
            found: dict[str, str] = {}
            for name, theme in themes.items():
                app.theme = theme
                await settle(app, pilot)
                lines = app.screen._compositor.render_strips()
                found[name] = svg(lines, title, is_dark=app.current_theme.dark)
            return found


async def readme_pictures() -> dict[str, str]:
    """The pictures of the README by their paths in the project."""
    return {
        f"{FOLDER}/{shown.name}-{theme}.svg": picture
        for shown in SCREENS
        if shown.name in IN_README
        for theme, picture in (await pictures_of_copy(shown, IN_README[shown.name], SIZE)).items()
    }


async def pictures_of_copy(shown: ShownScreen, title: str, size: tuple[int, int]) -> dict[str, str]:
    """The SVG of a screen by the name of the theme, on a copy of the samples that its steps may change."""
    with TemporaryDirectory() as name, patch.dict(os.environ, {"XDG_STATE_HOME": f"{name}/state"}):
        samples_in(Path(name))
        return await pictures_of(shown, title, size, Path(name))


# --- all screens ---------------------------------------------------------------------------------------------------


def write_all(folder: Path, wanted: Sequence[str] = (), sizes: Sequence[tuple[int, int]] = SIZES) -> None:
    """Write pictures of all screens, or of the named ones, in all sizes, and a page that shows them."""
    folder.mkdir(parents=True, exist_ok=True)
    for shown in SCREENS:
        for size in sizes if not wanted or shown.name in wanted else ():
            title = f"{shown.name} {size[0]}x{size[1]}"
            for theme, picture in asyncio.run(pictures_of_copy(shown, title, size)).items():
                (folder / f"{shown.name}-{size[0]}x{size[1]}-{theme}.svg").write_text(picture, "utf-8")
    shown_files = sorted(path.name for path in folder.glob("*.svg"))
    page = "".join(f"<h2>{name}</h2><img src={name}>\n" for name in shown_files)
    (folder / "index.html").write_text(f"<!doctype html><title>evaltui</title>\n{page}", "utf-8")


if __name__ == "__main__":
    write_all(PROJECT / FOLDER / "all", sys.argv[1:])

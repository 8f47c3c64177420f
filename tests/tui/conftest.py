"""What every scenario starts from: the same clock, terminal and folders, whoever runs the tests."""

import gc
import os
import tempfile

os.environ["TEXTUAL_ANIMATIONS"] = "none"  # read once, when textual is imported

import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyperclip
import pytest
import textual._wait
import textual.screen
from textual._compositor import Compositor, visible_screen_stack
from textual._styles_cache import StylesCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

from evaltui.tui.base_app import BaseApp

_MANY_OBJECTS = 400_000
_PERSONAL = ("NO_COLOR", "FORCE_COLOR", "COLORTERM", "COLUMNS", "COLORFGBG", "LINES", "EDITOR", "VISUAL", "TMUX")


@pytest.fixture(autouse=True)
def _short_paths(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders have names of one length for every user, worker and run: on screen, lines break where paths end."""
    if Path("/tmp").is_dir():
        monkeypatch.setattr(tempfile, "tempdir", "/tmp")


def _folder(_short_paths: None) -> Iterator[Path]:
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield Path(folder)


tmp_path = pytest.fixture(_folder, name="tmp_path")
home = pytest.fixture(_folder, name="home")


@pytest.fixture(autouse=True)
def _plain_surroundings(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the caller's terminal, locale or settings reaches the app."""
    for name in [*_PERSONAL, *(name for name in os.environ if name.startswith("TEXTUAL_"))]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("HOME", str(home))
    for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
        monkeypatch.setenv(f"XDG_{kind}_HOME", str(home / kind.lower()))
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def _without_desktop() -> str:
    raise pyperclip.PyperclipException


@pytest.fixture(autouse=True)
def _hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing waits for a pause, and no clock or desktop decides what a test sees."""
    # The clipboard of whoever runs the tests stays as it is; a file in the state folder takes its place.
    monkeypatch.setattr("pyperclip.copy", lambda _: _without_desktop())
    monkeypatch.setattr("pyperclip.paste", _without_desktop)
    # Pilot looks every 2 ms instead of every 20 ms whether the app is idle.
    monkeypatch.setattr(textual._wait, "SLEEP_GRANULARITY", 1 / 500)
    monkeypatch.setattr(textual._wait, "SLEEP_IDLE", 1 / 2000)
    # A fault of our own that only takes a feature away from people ends the test.
    monkeypatch.setattr(BaseApp, "note_fault", BaseApp._handle_exception)
    # What is typed is checked and scored, and conversations come, without waiting for a pause.
    monkeypatch.setattr("evaltui.tui.open_file.pending_checks.PAUSE", 0.0)
    for module in ("pending_checks", "scoring_runs"):
        for name in ("QUIET", "TYPES"):
            monkeypatch.setattr(f"evaltui.tui.open_file.{module}.{name}", 0.0)
    monkeypatch.setattr("evaltui.tui.open_file.scoring_runs._SETTLES", 0.02)
    monkeypatch.setattr("evaltui.files.file_changes.REST", 0.05)
    monkeypatch.setattr("evaltui.tui.open_file.scorer._QUIET", 0.0)
    monkeypatch.setattr("evaltui.tui.recordings.conversation_reading._AFTER_KEY", 0.0)
    # No clock draws between two keys of a burst: `Hands.settle` draws, at the same moments in every run.
    monkeypatch.setattr(textual.screen, "UPDATE_PERIOD", 3600.0)
    # The apps of a run share the rules of their style sheets.
    monkeypatch.setattr(Stylesheet, "_parse_rules", _parse_once)
    # An app that begins would turn the collector on, and leave out for good what earlier apps have left.
    monkeypatch.setattr("evaltui.garbage_collection.begin", lambda: None)


@pytest.fixture(autouse=True)
def _drawn_where_someone_looks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """What no test looks at is laid out, but not drawn: that saves a quarter of the time.

    `Sight.screen` draws all that is on screen. Tests with the mark `drawn` draw each frame: they look for crashes.
    """
    if request.node.get_closest_marker("drawn") is None:
        monkeypatch.setattr(Compositor, "render_update", _not_drawn)


def _not_drawn(compositor: Compositor, full: bool = False, screen_stack: Any = None, simplify: bool = False) -> None:
    visible_screen_stack.set([] if screen_stack is None else screen_stack)
    compositor._dirty_regions.clear()


_RULES: dict[tuple[object, ...], list[RuleSet]] = {}
_parse_rules = Stylesheet._parse_rules


def _parse_once(sheet: Stylesheet, *source: Any, **options: Any) -> list[RuleSet]:
    key = (*sheet._variables.items(), *source, *options.items())
    if key not in _RULES:
        _RULES[key] = _parse_rules(sheet, *source, **options)
    return _RULES[key]


@pytest.fixture(scope="session", autouse=True)
def _lasting_objects_are_not_looked_at() -> None:
    """Modules, style sheets and the like live as long as the run: no collection need look at them."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="package", autouse=True)
def _no_garbage_is_collected() -> Iterator[None]:
    """Textual makes so many small objects that the collector, left alone, takes two thirds of a scenario's time."""
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(autouse=True)
def _collected_between_tests() -> None:
    """What tests leave is collected at the start of a later one: at its own end its app is still in use."""
    if gc.get_count()[0] > _MANY_OBJECTS:
        StylesCache.get_inner_outer.cache_clear()  # it keeps what the widgets of the last tests have drawn
        gc.collect()
        gc.freeze()  # what is left now stays

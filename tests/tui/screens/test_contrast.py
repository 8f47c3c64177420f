"""Every screen can be read in the default themes: the contrast of what is really drawn, by WCAG 2 (AA)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from textual.app import App
from textual.screen import ModalScreen
from textual.widget import Widget

from docs.screens import SCREENS, ShownScreen, go, samples_in, settle
from docs.svg import Run, runs_of
from tests.tui.screens.test_themes import contrast_of

TEXT, SIGN = 4.5, 3.0
"""The least contrast of text, and of marks and the line around the focused pane."""
LINES = {chr(number) for number in range(0x2500, 0x2580)}
DEFAULTS = ("evaltui-dark", "evaltui-light")
SIZE = (100, 30)

VARIED = {"criteria", "problem_in_form", "recovery", "replace", "review_trial", "run"}
"""Screens that together draw most widgets in most pairs of colours."""


def drawn(app: App[Any]) -> Iterator[Run]:
    """What is drawn and can be acted on: of a screen with a dialog, the dialog."""
    dialogs = list(app.screen.query(".dialog")) if isinstance(app.screen, ModalScreen) else []
    region = dialogs[0].region if dialogs else app.screen.region
    for run in runs_of(app.screen._compositor.render_strips()):
        if region.contains(run.column, run.row):
            yield run


def has_edge(app: App[Any]) -> bool:
    """Whether the pane in which keys act has a line around or above it."""
    focused = [node for node in app.focused.ancestors_with_self if isinstance(node, Widget)] if app.focused else []
    return any(node.styles.border_top[0] for node in focused) or bool(app.screen.query(".pane-title.-focused"))


def faults(app: App[Any]) -> Iterator[str]:
    lines: list[float] = []
    for run in drawn(app):
        if LINES & set(run.text):
            lines.append(contrast_of(run.color, run.background))
        signs = {sign for sign in run.text if not sign.isspace() and unicodedata.category(sign) != "Co"}
        found = contrast_of(run.color, run.background)
        least = TEXT if any(sign.isalnum() for sign in signs) else SIGN
        if not signs <= LINES and found < least:
            shown = f"{run.row}:{run.column} {run.text.strip()!r} {run.color} on {run.background}"
            yield f"{app.theme} {shown}: {found:.2f}"
    if has_edge(app) and max(lines) < SIGN:
        yield f"{app.theme}: no line stands out"


def test_the_names_of_varied_screens_are_those_of_screens() -> None:
    assert {shown.name for shown in SCREENS} >= VARIED


@pytest.mark.parametrize(
    "shown",
    [pytest.param(each, marks=[] if each.name in VARIED else pytest.mark.thorough, id=each.name) for each in SCREENS],
)
async def test_all_that_is_drawn_can_be_read(tmp_path: Path, shown: ShownScreen) -> None:
    samples_in(tmp_path)
    if shown.before is not None:
        await shown.before(tmp_path)
    app = shown.open(tmp_path)
    async with app.run_test(size=SIZE) as pilot:
        await go(app, pilot, shown.steps, tmp_path)
        found: list[str] = []
        for theme in DEFAULTS:
            app.theme = theme
            await settle(app, pilot)
            found += faults(app)
        assert not found, "\n".join(found)

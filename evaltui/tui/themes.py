"""The default themes, dark and light, those of the terminal's own colours, and the choice between them.

The colours of the default themes hold WCAG AA on every row of every screen (tests/tui/screens/test_contrast.py): 4.5
for text, 3 for marks and for the line around the focused pane.
"""

from __future__ import annotations

import os
from dataclasses import replace

from textual import constants
from textual.theme import BUILTIN_THEMES, Theme


def _scrollbars(bar: str, hovered: str, active: str, background: str) -> dict[str, str]:
    backgrounds = {f"scrollbar-background{state}": background for state in ("", "-hover", "-active")}
    return {"scrollbar": bar, "scrollbar-hover": hovered, "scrollbar-active": active, **backgrounds}


DARK = Theme(
    name="evaltui-dark",
    primary="#3b8fd9",
    secondary="#2f5d86",
    accent="#ffa62b",
    warning="#e8c547",
    error="#e05a72",
    success="#4ebf71",
    foreground="#e0e0e0",
    background="#121212",
    surface="#1c1c1c",
    panel="#232c33",
    variables={
        "text-primary": "#74b9ee",
        "text-accent": "#ffbe66",
        "text-warning": "#ecd06a",
        "text-error": "#f5929e",
        "text-success": "#83d39c",
        **_scrollbars("#6e6e6e", "#8a8a8a", "#ffa62b", "#1a1a1a"),
    },
)
LIGHT = Theme(
    name="evaltui-light",
    primary="#0b5fa5",
    secondary="#4f7ca3",
    accent="#b05000",
    warning="#7d6000",
    error="#b3203c",
    success="#1f7a3d",
    foreground="#1b1b1b",
    background="#fafafa",
    surface="#f2f2f2",
    panel="#e3e7ea",
    dark=False,
    variables={
        "text-primary": "#0a4a82",
        "text-accent": "#8a3d00",
        "text-warning": "#664e00",
        "text-error": "#98142e",
        "text-success": "#12592a",
        **_scrollbars("#828282", "#6a6a6a", "#b05000", "#ededed"),
    },
)


# Textual's accent in ansi-dark is the green of passed scores, and its scrollbars are the brightest thing on the screen.
ANSI_DARK = replace(
    BUILTIN_THEMES["ansi-dark"],
    accent="ansi_bright_magenta",
    variables=BUILTIN_THEMES["ansi-dark"].variables
    | {"scrollbar": "ansi_white", "scrollbar-hover": "ansi_white", "scrollbar-active": "ansi_bright_white"},
)
ANSI_LIGHT = replace(
    BUILTIN_THEMES["ansi-light"],
    variables=BUILTIN_THEMES["ansi-light"].variables
    | {"scrollbar": "ansi_bright_black", "scrollbar-hover": "ansi_bright_black", "scrollbar-active": "ansi_black"},
)

_LIGHT_NUMBERS = ("7", "9", "10", "11", "12", "13", "14", "15")
"""White and the bright colours, but for bright black."""

# Among Textual's own: an app that begins with one of them has no styles to make again before its first frame.
BUILTIN_THEMES.update({theme.name: theme for theme in (DARK, LIGHT, ANSI_DARK, ANSI_LIGHT)})


def has_light_background() -> bool:
    """Whether COLORFGBG, which some terminals set to the numbers of their two colours, names a light background."""
    # The terminal is not asked (OSC 11): an answer that comes late would be typed into the app or the shell.
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_NUMBERS


def default_theme() -> str:
    """The name of the theme for the background of the terminal."""
    return (LIGHT if has_light_background() else DARK).name


def environment_theme() -> str | None:
    """The theme that TEXTUAL_THEME names; None without one, or if there is no such theme."""
    named = constants.DEFAULT_THEME
    return named if "TEXTUAL_THEME" in os.environ and named in BUILTIN_THEMES else None

"""Access to the clipboard in every available way: desktop, tmux, and a file of evaltui; the app does OSC 52.

The file lets two running evaltuis exchange rows if nothing else works. Nothing here touches a widget, so call it in a
thread: the clipboard programs of a desktop can hang.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from platformdirs import user_state_path

_PATIENCE = 2.0
"""Seconds for a clipboard program."""


def desktop_copy(text: str) -> bool:
    """Copy `text` to the clipboard of the desktop; False if there is none."""
    import pyperclip

    try:
        pyperclip.copy(text)
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return False
    return True


def desktop_paste() -> str | None:
    """The text in the clipboard of the desktop; None if there is none."""
    import pyperclip

    try:
        return str(pyperclip.paste())
    except (pyperclip.PyperclipException, OSError, UnicodeError):
        return None


def tmux_copy(text: str) -> bool:
    """Copy `text` to tmux, which passes it on to its terminal; False outside of tmux."""
    return _tmux(["load-buffer", "-w", "-"], text) is not None


def tmux_paste() -> str | None:
    """The newest buffer of tmux; None outside of tmux."""
    return _tmux(["show-buffer"], "")


def _tmux(arguments: list[str], text: str) -> str | None:
    if not os.environ.get("TMUX"):
        return None
    given = text.encode("utf-8", "replace")
    try:
        done = subprocess.run(["tmux", *arguments], input=given, capture_output=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")


def shared_copy(text: str) -> bool:
    """Write `text` to a file that other evaltuis of this user read; False if that fails."""
    path = _shared_file()
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, UnicodeError):
        return False
    return True


def shared_paste() -> str | None:
    """The text that an evaltui last copied; None if there is none."""
    try:
        return _shared_file().read_text("utf-8")
    except (OSError, UnicodeError):
        return None


def _shared_file() -> Path:
    return user_state_path("evaltui") / "clipboard"


def copy_everywhere(text: str) -> list[str]:
    """Copy in all ways except OSC 52, which the app does; returns the names of the ways that worked."""
    shared_copy(text)
    ways = {"the desktop's clipboard": desktop_copy, "tmux": tmux_copy}
    return [name for name, copy in ways.items() if copy(text)]


def paste_from_anywhere() -> str | None:
    """The copied text from the first non-empty source: desktop, tmux, evaltui's file."""
    for paste in (desktop_paste, tmux_paste, shared_paste):
        text = paste()
        if text and text.strip():
            return text
    return None

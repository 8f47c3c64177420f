"""The clipboard of the system: of the desktop, of tmux, and a file of evaltui; `copy_text` does OSC 52.

Nothing here touches a widget, so call it in a thread: the clipboard programs of a desktop can hang.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

_PATIENCE = 2.0
"""Seconds for a clipboard program."""


def copy_everywhere(text: str) -> list[str]:
    """Copy in all ways except OSC 52; returns the names of the ways that worked, but for the file."""
    import pyperclip

    copy_to_file(text)  # lets two running evaltuis exchange rows if nothing else works
    names: list[str] = []
    with suppress(pyperclip.PyperclipException, OSError, UnicodeError):
        pyperclip.copy(text)
        names.append("the desktop's clipboard")
    is_in_tmux = _run_tmux(["load-buffer", "-w", "-"], text) is not None  # -w: tmux passes it on to its terminal
    return [*names, "tmux"] if is_in_tmux else names


def paste_from_anywhere() -> str | None:
    """The copied text from the first source that is not blank: desktop, tmux, evaltui's file."""
    import pyperclip

    with suppress(pyperclip.PyperclipException, OSError, UnicodeError):
        text = str(pyperclip.paste())
        if text.strip():
            return text
    texts = (_run_tmux(["show-buffer"], ""), paste_from_file())
    return next((text for text in texts if text and text.strip()), None)


def _run_tmux(arguments: list[str], text: str) -> str | None:
    """The output of a command of tmux that reads a text; None outside of tmux, or if it fails."""
    if not os.environ.get("TMUX"):
        return None
    command, data = ["tmux", *arguments], text.encode("utf-8", "replace")
    try:
        done = subprocess.run(command, input=data, capture_output=True, timeout=_PATIENCE, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace")


def copy_to_file(text: str) -> None:
    """Write `text` to a file that other evaltuis of this user read, if that is possible."""
    path = _shared_file()
    with suppress(OSError, UnicodeError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)


def paste_from_file() -> str | None:
    """The text that an evaltui of this user copied last; None if there is none."""
    try:
        return _shared_file().read_text("utf-8")
    except (OSError, UnicodeError):
        return None


def _shared_file() -> Path:
    return user_state_path("evaltui") / "clipboard"

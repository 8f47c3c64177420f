"""Editing of a text in the user's own editor: the program, the line, the file, and the result.

Uses no screen. The program is $VISUAL, else $EDITOR, else vi, as in git and other programs.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_WITH_GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf"}
_WITH_COLON = {"hx", "helix", "subl", "zed", "zeditor"}
_WITH_PLUS = {
    *("vi", "vim", "nvim", "gvim", "mvim", "view", "elvis", "nvi", "vim.basic", "vim.tiny"),
    *("nano", "pico", "emacs", "emacsclient", "joe", "jmacs", "jed", "mg", "micro", "kak", "ne", "mcedit", "gedit"),
}
"""How editors accept the first line: `--goto FILE:LINE:COLUMN`, `FILE:LINE:COLUMN`, `+LINE FILE`."""

_MOST_SIGNALS = 4096
"""Most signals during an editor session that are passed on."""
_STAYING = {
    **dict.fromkeys([*_WITH_GOTO, "subl", "zed", "zeditor", "gedit", "atom", "pulsar", "bbedit"], ("--wait", "-w")),
    **dict.fromkeys(["gvim", "mvim"], ("--nofork", "-f")),
    "mate": ("-w", "--wait"),
    "kate": ("--block", "-b"),
}
"""Options that make editors with windows wait until the file is closed; the first is added if none is given."""


class EditorError(Exception):
    """The editor failed; `str(error)` is the message."""


def editor_command(environ: Mapping[str, str]) -> list[str]:
    """The editor and its arguments. Raises `EditorError` if it does not exist or the variable is invalid."""
    for name in ("VISUAL", "EDITOR"):
        command_text = environ.get(name, "").strip()
        if not command_text:
            continue
        if shutil.which(command_text, path=environ.get("PATH")):
            return [command_text]  # a path may contain spaces
        try:
            command = shlex.split(command_text)
        except ValueError as error:
            raise EditorError(f"${name} is not a valid command ({str(error).lower()}): {command_text}") from None
        if not command or shutil.which(command[0], path=environ.get("PATH")) is None:
            raise EditorError(f"${name} is {command_text}, but there is no such program; set ${name} to your editor")
        return command
    if shutil.which("vi", path=environ.get("PATH")) is None:
        raise EditorError("vi is not installed; set $VISUAL or $EDITOR to your editor")
    return ["vi"]


def command_line(command: list[str], file: Path, line: int = 1, column: int = 1) -> list[str]:
    """The command that edits `file`, at a line and column if the editor is known to support that."""
    name, words = editor_name(command), [*command]
    staying = _STAYING.get(name)
    if staying and not set(staying) & set(words):
        words.append(staying[0])
    if (line, column) == (1, 1):
        return [*words, str(file)]
    if name in _WITH_GOTO:
        return [*words, "--goto", f"{file}:{line}:{column}"]
    if name in _WITH_COLON:
        return [*words, f"{file}:{line}:{column}"]
    return [*words, f"+{line}", str(file)] if name in _WITH_PLUS else [*words, str(file)]


def editor_name(command: list[str]) -> str:
    """The name of the editor: the last part of its path."""
    return Path(command[0]).name.removesuffix(".exe").removesuffix(".cmd").lower()


def edit_file(file: Path, line: int = 1, column: int = 1, environ: Mapping[str, str] = os.environ) -> tuple[str, int]:
    """Edit `file` and wait; returns the editor's name and exit status. Raises `EditorError`."""
    command = editor_command(environ)
    with _interrupts_passed_over():
        try:
            process = subprocess.Popen(command_line(command, file, line, column))
        except OSError as error:
            raise EditorError(f"{command[0]} could not be started: {(error.strerror or str(error)).lower()}") from None
        return editor_name(command), process.wait()


@contextmanager
def _interrupts_passed_over() -> Iterator[None]:
    """Drop SIGINT of ^c, which is meant for the editor but also reaches this process; queue other signals.

    SIGINT is not ignored, because the editor would inherit that, and ^c may come while it starts. The event loop gets
    signals through a file descriptor; all signals of this time except SIGINT are written to it at the end.
    """
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    wakes = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    handler = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        signal.set_wakeup_fd(wakes)
        os.close(writer)
        numbers = bytes(number for number in os.read(reader, _MOST_SIGNALS) if number != signal.SIGINT)
        os.close(reader)
        if numbers and wakes != -1:
            os.write(wakes, numbers)


def edit_text(
    text: bytes, name: str, line: int = 1, column: int = 1, environ: Mapping[str, str] = os.environ
) -> tuple[bytes, str, int]:
    """Edit `text` in a file called `name`, whose suffix tells the editor its type. Raises `EditorError`.

    Returns the bytes of the file, the name of the editor, and its exit status (0: success, negative: a signal).
    Only this user can read the file. It gets a final newline that is not part of the text, because editors add one.
    """
    try:
        # The folder is deleted with everything an editor adds to it.
        with tempfile.TemporaryDirectory(prefix="evaltui-", ignore_cleanup_errors=True) as folder:
            file = Path(folder) / name
            with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
                stream.write(text + b"\n" if text else b"")
            editor, status = edit_file(file, line, column, environ)
            try:
                if not file.is_file() and file.exists():  # a pipe would never end
                    raise EditorError(f"{editor} did not save a regular file; nothing was changed")
                return file.read_bytes().removesuffix(b"\n"), editor, status
            except FileNotFoundError:
                raise EditorError(f"the file edited in {editor} was removed; nothing was changed") from None
            except OSError as error:
                reason = (error.strerror or str(error)).lower()
                raise EditorError(f"the text from {editor} cannot be read: {reason}; nothing was changed") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise EditorError(f"a file for the editor could not be created in {tempfile.gettempdir()}: {reason}") from None

"""A private tmux server that lives as long as one test."""

import os
import re
import subprocess
import uuid
from collections.abc import Mapping
from pathlib import Path

_UNWANTED = re.compile(
    r"TMUX|TEXTUAL|LC_|XDG_|SSH_|(NO_COLOR|FORCE_COLOR|COLORTERM|COLUMNS|LINES|ESCDELAY|EDITOR|VISUAL)$"
)
_OPTIONS = (
    *("set", "-g", "default-terminal", "tmux-256color", ";"),
    *("set", "-g", "status", "off", ";"),
)


def environment(home: Path) -> dict[str, str]:
    """The caller's, with nothing of the caller's terminal, locale or personal settings in it."""
    kept = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
    folders = {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    own = {"HOME": str(home), "SHELL": "/bin/sh", "LANG": "C.UTF-8", "TERM": "xterm-256color"}
    return kept | folders | own


class Server:
    """One session with one pane; the socket's name is never used twice."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environment = dict(environ)
        self._name = f"evaltui-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._socket: Path | None = None

    def open(self, columns: int, rows: int) -> None:
        """Starts the server with a pane in which `cat` waits."""
        size = ("-x", str(columns), "-y", str(rows))
        self.run(*_OPTIONS, "new-session", "-d", *size, "exec cat")
        self._socket = Path(self.ask("#{socket_path}"))

    def close(self) -> None:
        """Ends the server with all that runs in it. tmux itself leaves the socket behind."""
        if self._socket is not None:
            self._call("kill-server")
            self._socket.unlink(missing_ok=True)
            self._socket = None

    def run(self, *arguments: str) -> str:
        """The output of a tmux command; ";" as an argument of its own separates several."""
        done = self._call(*arguments)
        if done.returncode:
            raise AssertionError(f"tmux {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
        return done.stdout.decode(errors="replace")

    def ask(self, form: str) -> str:
        """What tmux makes of a format such as "#{pane_pid}"."""
        return self.run("display-message", "-p", form).rstrip("\n")

    def _call(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = ("tmux", "-L", self._name, "-f", os.devnull, *arguments)
        return subprocess.run(command, capture_output=True, env=self._environment, check=False)


def literal(text: str) -> str:
    """An argument whose semicolon at the end, if it has one, does not end tmux's command."""
    return text[:-1] + "\\;" if text.endswith(";") else text

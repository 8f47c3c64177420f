"""A private tmux server, and a client of it that starts no process for a command."""

import os
import re
import select
import subprocess
import time
import uuid
from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

_UNWANTED = re.compile(
    r"TMUX|TEXTUAL|LC_|XDG_|SSH_|(NO_COLOR|FORCE_COLOR|COLORTERM|COLORFGBG|COLUMNS|LINES|ESCDELAY|EDITOR|VISUAL)$"
)
_OPTIONS = (
    ("default-terminal", "tmux-256color"),
    ("status", "off"),
    ("automatic-rename", "off"),
    ("destroy-unattached", "on"),
)
_SPECIAL = re.compile(rb'[\x00-\x1f\x7f"$\\]')


def environment(home: Path) -> dict[str, str]:
    """The caller's, with nothing of the caller's terminal, locale or personal settings in it."""
    kept = {name: value for name, value in os.environ.items() if not _UNWANTED.match(name)}
    return kept | folders(home) | {"SHELL": "/bin/sh", "LANG": "C.UTF-8", "TERM": "xterm-256color"}


def folders(home: Path) -> dict[str, str]:
    """The variables that say where a person's files are."""
    kinds = ("CONFIG", "DATA", "STATE", "CACHE")
    return {"HOME": str(home)} | {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in kinds}


class Server:
    """A tmux server with one session, which ends with this object or with this process.

    A client in control mode is attached to it by pipes. It answers commands without another process, and tells what
    each pane writes.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._name = f"evaltui-{os.getpid()}-{uuid.uuid4().hex[:12]}"
        self._unread = b""
        self._block: tuple[bytes, list[bytes]] | None = None
        self._answers: deque[tuple[bool, bytes]] = deque()
        self._written: dict[bytes, bytearray] = {}
        self._client = subprocess.Popen(
            ("tmux", "-C", "-L", self._name, "-f", os.devnull, "new-session", "exec sleep 100000"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ,
        )
        self._answer()  # of new-session
        for option in _OPTIONS:
            self.run("set", "-g", *option)
        self.socket = Path(self.ask("#{socket_path}"))

    @property
    def is_open(self) -> bool:
        """Whether its client lives."""
        return self._client.poll() is None

    def close(self) -> None:
        """Ends the server with all that runs in it. tmux itself leaves the socket behind."""
        assert self._client.stdin
        assert self._client.stdout
        with suppress(OSError):
            self._client.stdin.write(b"kill-server\n")
            self._client.stdin.close()
        self._client.stdout.read()
        self._client.stdout.close()
        self._client.wait()
        self.socket.unlink(missing_ok=True)

    def open_pane(self, columns: int, rows: int) -> str:
        """The id of a pane in a window of its own, in which `cat` waits."""
        pane = self.run("new-window", "-d", "-P", "-F", "#{pane_id}", "exec cat").strip()
        self._written[pane.encode()] = bytearray()
        self.run("resize-window", "-t", pane, "-x", str(columns), "-y", str(rows))
        return pane

    def close_pane(self, pane: str) -> None:
        """Ends the window of a pane with all that runs in it."""
        del self._written[pane.encode()]
        self.run("kill-window", "-t", pane)

    def run(self, *arguments: str) -> str:
        """The output of a tmux command."""
        assert self._client.stdin
        self._client.stdin.write(b" ".join(map(_quoted, arguments)) + b"\n")
        self._client.stdin.flush()
        is_done, answer = self._answer()
        if not is_done:
            raise AssertionError(f"tmux {arguments[0]}: {answer.decode(errors='replace').strip()}")
        return answer.decode(errors="replace")

    def ask(self, form: str) -> str:
        """What tmux makes of a format such as "#{pane_pid}"."""
        return self.run("display-message", "-p", form).rstrip("\n")

    def written(self, pane: str) -> bytearray:
        r"""All that was written in a pane, as tmux tells it: control bytes and backslashes are octal, `\033`."""
        return self._written[pane.encode()]

    def listen(self, seconds: float) -> None:
        """Takes in what tmux tells within so many seconds, or at once if there is something."""
        assert self._client.stdout
        if select.select([self._client.stdout], [], [], max(seconds, 0))[0]:
            news = os.read(self._client.stdout.fileno(), 1 << 20)
            assert news, "tmux has ended"
            *lines, self._unread = (self._unread + news).split(b"\n")
            for line in lines:
                self._take(line)

    def _answer(self) -> tuple[bool, bytes]:
        deadline = time.monotonic() + 60
        while not self._answers:
            self.listen(deadline - time.monotonic())
            assert time.monotonic() < deadline, "tmux does not answer"
        return self._answers.popleft()

    def _take(self, line: bytes) -> None:
        kind, _, rest = line.partition(b" ")
        if self._block is not None:
            number, lines = self._block
            if kind in (b"%end", b"%error") and rest == number:
                self._answers.append((kind == b"%end", b"".join(lines)))
                self._block = None
            else:
                lines.append(line + b"\n")
        elif kind == b"%begin":
            self._block = (rest, [])
        elif kind == b"%output":
            pane, _, data = rest.partition(b" ")
            if pane in self._written:
                self._written[pane] += data


def _quoted(argument: str) -> bytes:
    return b'"%s"' % _SPECIAL.sub(lambda special: b"\\%03o" % special[0][0], argument.encode())

"""The words that run `evaltui` in a process of its own that needs no imports; see `server.py`."""

import atexit
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent


class _Server:
    """The server of this process, which ends with it."""

    process: "subprocess.Popen[bytes] | None" = None
    place = ""

    @classmethod
    def start(cls) -> None:
        """Start it, if it does not run: it is killed with all children where a test takes too long."""
        if cls.process is not None and cls.process.poll() is None:
            return
        cls.end()
        cls.place = f"{tempfile.mkdtemp(prefix='evaltui-warm-', dir='/tmp')}/socket"
        words = [sys.executable, "-P", str(_HERE / "server.py"), cls.place]
        cls.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd="/", start_new_session=True
        )
        assert cls.process.stdout is not None
        assert cls.process.stdout.readline() == b"listening\n"

    @classmethod
    def end(cls) -> None:
        """End it and all commands that still run."""
        if cls.process is not None:
            cls.process.communicate()
            shutil.rmtree(Path(cls.place).parent, ignore_errors=True)


atexit.register(_Server.end)


def warm_evaltui() -> list[str]:
    """What stands in place of `evaltui` at the start of a command line."""
    _Server.start()
    return [sys.executable, "-ISP", str(_HERE / "client.py"), _Server.place]


@contextmanager
def running(words: Sequence[str], **options: Any) -> "Iterator[subprocess.Popen[bytes]]":
    """A process that ends with the context, however that ends."""
    with subprocess.Popen(words, **options) as process:
        try:
            yield process
        finally:
            process.kill()


def write_program(path: Path, words: Sequence[str] = ()) -> None:
    """Write a program for a folder of PATH: `evaltui`, or another with these words at its start."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f'#!/bin/sh\nexec {shlex.join(words or warm_evaltui())} "$@"\n')
    path.chmod(0o755)

"""The program: `evaltui`, and `python -m evaltui`."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself takes milliseconds to import, in which Ctrl-C would print a traceback
    from typing import NoReturn


def run() -> NoReturn:
    """The console script. It first makes Ctrl-C end the process, then imports everything else."""
    try:
        from evaltui.interrupt import end_at_once

        end_at_once()
    except KeyboardInterrupt:
        os._exit(130)
    from evaltui.cli import run as run_command

    run_command()


if __name__ == "__main__":
    run()

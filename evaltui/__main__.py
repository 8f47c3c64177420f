"""The program: `evaltui`, and `python -m evaltui`."""

# Only modules that Python has loaded already: until `run`, Ctrl-C prints a traceback. `signal` takes milliseconds.
import _signal  # type: ignore[import-not-found]
import os
import sys

_HERE = f"{sys.path[0]}{os.sep}evaltui{os.sep}__main__.py"
if __name__ == "__main__" and not sys.flags.safe_path and __file__ != _HERE:
    del sys.path[0]  # `python -m` puts the working directory there, and a json.py in it would run as code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def run() -> "NoReturn":
    """The console script. It first makes Ctrl-C end the process, then imports everything else."""
    if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:
        _signal.signal(_signal.SIGINT, lambda _number, _frame: os._exit(130))
    from evaltui.interrupt import end_at_once

    end_at_once()
    from evaltui.cli import run as run_command

    run_command()


if __name__ == "__main__":
    run()

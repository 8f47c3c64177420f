"""Work for other processes. They import this module, so it imports little."""

import os
import signal

_offset = 0


def begin(offset: int) -> None:
    global _offset  # noqa: PLW0603 - the state of a process
    _offset = offset


def shifted(number: int) -> tuple[int, int]:
    return number + _offset, os.getpid()


def killed(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def divided(number: int) -> float:
    return 1 / number

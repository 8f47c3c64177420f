"""Work for other processes. They import this module, so it imports little."""

import os
import signal


def shifted(number: int) -> tuple[int, int]:
    return number + 100, os.getpid()


def killed(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def divided(number: int) -> float:
    return 1 / number

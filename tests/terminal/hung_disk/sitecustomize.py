"""A program that has this folder in PYTHONPATH hangs when it makes a file in EVALTUI_HUNG, as on a dead mount."""

import os
import sys
import threading

_HUNG = os.environ.get("EVALTUI_HUNG", "")


def _hang(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open":
        return
    path, _, flags = arguments
    if isinstance(flags, int) and flags & os.O_CREAT and str(path).startswith(_HUNG + "/"):
        threading.Event().wait()


if _HUNG:
    sys.addaudithook(_hang)

"""A program that has this folder in PYTHONPATH hangs when it makes a file in EVALTUI_HUNG, as on a dead mount."""

import os
import sys
import threading

_HUNG = os.environ.get("EVALTUI_HUNG", "")


def _hang(event: str, arguments: tuple[object, ...]) -> None:
    if event != "open":
        return
    path, _, flags = arguments
    # A save makes its file in a folder that it holds open, so the event has only the name.
    is_there = str(path).startswith((_HUNG + "/", ".desk.evalset.json."))
    if isinstance(flags, int) and flags & os.O_CREAT and is_there:
        threading.Event().wait()


if _HUNG:
    sys.addaudithook(_hang)

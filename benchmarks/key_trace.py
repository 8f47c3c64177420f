"""`python -m benchmarks.key_trace [--list KEY]`: the functions of ours that one key runs through until its frame.

Each key is pressed twice: the first press loads modules, and only the second is counted.
"""

import argparse
import asyncio
import sys
import threading
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = f"{ROOT / 'evaltui'}/"
SAMPLES = ROOT / "sample_sets"
SIZE = (110, 30)
_FIELD = ("down", "right", "down", "enter", "enter", "end")
_FAULTY = "f9"
"""The key that needs a set with a problem to fix."""
_SAVING = "ctrl+s"
"""The key whose work beside the keys counts: a save is not done before."""
_OF_CHECK = {"CaseChecks.run", "CaseChecks._set_check.<locals>.check_set", "check_cases", "config_diagnostics"}
KEYS = {
    "first letter": (_FIELD, "x", 240, 45),
    "letter": ((*_FIELD, "y"), "x", 180, 38),
    "a": (("down", "right", "down"), "a", 300, 50),
    "ctrl+s": (("down", "c"), "ctrl+s", 200, 45),
    "u": (("down", "c"), "u", 200, 45),
    "f9": (("f8", "f8"), "f9", 320, 55),
    "alt+c": ((), "alt+c", 220, 50),
}
"""Each traced key: the keys that lead to it, the key, and the most functions and files that it should run through."""


def main() -> None:
    """Print a line for each key, or the functions of one key."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.key_trace", description=__doc__)
    parser.add_argument("--list", choices=KEYS, metavar="KEY", help=f"list the functions of one key: {', '.join(KEYS)}")
    options = parser.parse_args()
    for name, (opening, key, most_functions, most_files) in KEYS.items():
        if options.list in (None, name):
            functions = asyncio.run(functions_of(opening, key))
            files = Counter(file for file, _ in functions)
            print(f"{name:12} {len(functions):4} functions, {len(files):3} files (≤ {most_functions}, ≤ {most_files})")
            for file, count in files.most_common() if options.list else ():
                names = sorted(function for path, function in functions if path == file)
                print(f"  {count:3} {file}: {', '.join(names)}")


async def functions_of(opening: tuple[str, ...], key: str) -> set[tuple[str, str]]:
    """The functions that the second press of a key runs through, each with its file."""
    from tests.tui.scenario import scenario  # noqa: PLC0415 - only what is measured needs the tests

    name = "broken.evalset.json" if key == _FAULTY else "trip_planner.evalset.json"
    functions: set[tuple[str, str]] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        code = frame.f_code
        is_ours = event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<")
        if is_ours and not _is_of_check(frame):
            functions.add((code.co_filename.removeprefix(PACKAGE), code.co_qualname))

    async with AsyncExitStack() as stack:
        s = await stack.enter_async_context(scenario(SAMPLES / name, SIZE))
        for is_traced in (False, True):
            await s.start_over()
            await s.press("home", *opening)
            if key != _SAVING:  # what a key starts beside it, such as the check, ends after the frame
                s._wait_for_workers = _nothing  # type: ignore[method-assign]
            for set_profile in (sys.setprofile, threading.setprofile):
                set_profile(note if is_traced else None)
            await s.press(key)
            for set_profile in (sys.setprofile, threading.setprofile):
                set_profile(None)
            vars(s).pop("_wait_for_workers", None)
            await s.settle()
        await s.start_over()
    return functions


def _is_of_check(frame: FrameType | None) -> bool:
    """Whether a function is a part of a check, such as that of the changed case, which begins a pause after the key."""
    while frame is not None:
        if frame.f_code.co_qualname in _OF_CHECK:
            return True
        frame = frame.f_back
    return False


async def _nothing() -> bool:
    return False


if __name__ == "__main__":
    main()

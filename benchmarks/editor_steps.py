"""Steps of two checkouts' editors side by side: each checkout runs a script in a process of its own."""

import asyncio
import difflib
import json
import os
import re
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Coroutine, Iterator, Sequence
from hashlib import md5
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
_DIFFERING_LINES = 14
_TIMES = re.compile(
    r"\b1[78]\d{8}(\.\d+)?|\b20\d\d-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?|\b\d\d:\d\d:\d\d\b|\b[\d.,]+ m?s\b|/tmp/\w+"
)
"""Times of today, durations and folders of a run: they differ between two runs."""

_new_ids: list[uuid.UUID] = []
"""The new ids of a step, of which none is random: a random id differs between two runs."""

Step = dict[str, str]
"""Texts of a step by their names: the file, row and keys, and what the screen answers."""


def steps_of(checkout: Path, module: str, arguments: Sequence[str]) -> Iterator[Step]:
    """The steps that a module of this package prints with the editor of a checkout, as it is asked by `--serve`."""
    command = [sys.executable, "-m", f"benchmarks.{module}", "--serve", str(checkout), *arguments]
    with tempfile.TemporaryDirectory() as home:  # editors of one user share their clipboard
        environment = os.environ | {"PYTHONPATH": str(ROOT), "HOME": home}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            yield from map(json.loads, process.stdout)
    if process.returncode:
        raise SystemExit(f"{checkout}: the editor failed; its error stands above")


def serve(script: Coroutine[Any, Any, None]) -> None:
    """Run a script whose imports of the package come from the checkout that follows `--serve`."""
    # This process has the benchmarks of one checkout, and the package and its tests of another.
    sys.path.insert(0, sys.argv[2])
    uuid.uuid4 = _next_id
    asyncio.run(script)


def _next_id() -> uuid.UUID:
    digest = md5(b"%d" % len(_new_ids), usedforsecurity=False).digest()
    _new_ids.append(uuid.UUID(bytes=digest, version=4))
    return _new_ids[-1]


def compare_editors(module: str, arguments: Sequence[str], old: Path, new: Path) -> int:
    """Print the steps that differ in two checkouts. Returns the exit code: 1 if a step differs, or if there is none."""
    steps, differing = 0, 0
    of_both = (steps_of(checkout.resolve(), module, arguments) for checkout in (old, new))
    for old_step, new_step in zip(*of_both, strict=False):
        steps += 1
        if old_step != new_step:
            differing += 1
            names = [name for name in old_step | new_step if old_step.get(name) != new_step.get(name)]
            print(*(f"{name}: {text}" for name, text in old_step.items() if "\n" not in text), sep="  ")
            for name in names:
                old_lines, new_lines = (step.get(name, "").splitlines() for step in (old_step, new_step))
                lines = [*difflib.unified_diff(old_lines, new_lines, lineterm="", n=0)][2:]
                print(f"  {name}:", *lines[:_DIFFERING_LINES], sep="\n    ", flush=True)
    print(f"{steps} steps, {differing} differ")
    return 1 if differing or not steps else 0


def without_times(text: str) -> str:
    """The text with a word in the place of what differs between two runs of one checkout."""
    return _TIMES.sub("TIME", text)


async def reset(scenario: Any) -> None:
    """Close what is open in the editor, and undo everything. New ids begin anew."""
    _new_ids.clear()
    for _ in range(9):
        if scenario.focused == "tree" and len(scenario.app.screen_stack) == 1:
            break
        await scenario.press("escape")
    while scenario.bytes() != scenario.original:
        await scenario.press("u")
    await scenario.press("escape")

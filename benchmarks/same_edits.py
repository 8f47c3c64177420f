"""`python -m benchmarks.same_edits OLD [NEW]`: whether the keys of two checkouts' editors write the same bytes.

It opens the sample sets and, where EVALTUI_SHARED names them, one public file of each shape. At each row of the tree,
and at each line of the form, it presses the keys that add, clone, copy, paste, move, delete and accept. It prints the
rows and keys after which the bytes, the status line or the selected row differ.
"""

import argparse
import difflib
import json
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from benchmarks.editor_steps import Step, compare_editors, reset, serve, without_times

ROOT = Path(__file__).parents[1]
SHAPES = (
    "013_adk_evalset",
    "016_adk_evalset",
    "019_adk_evalset",
    "021_adk_evalset",
    "083_adk_evalset",
    "127_adk_evalset",
    "172_legacy_v1",
    "176_legacy_v0",
    "193_platform_dataset",
    "207_platform_dataset",
)
"""The beginnings of the names of public files with rows of all kinds, in different spellings."""
TREE_KEYS = (["a"], ["A"], ["i"], ["c"], ["y", "p"], ["y", "P"], ["x", "k", "P"], ["d"], ["alt+up"], ["alt+down"])
LINE_KEYS = (["a"], ["d"], ["D"], ["f"], ["alt+down"], ["t", "down", "enter"])
FIELDS = 9
"""The number of fields in the dialog of `A` that are added, each alone."""
WHY_KEYS = (["a"], ["A"], ["S"])
SIZE = (120, 40)
_MOST_ROWS = 60
_ROWS_OF_A_KIND = 2
"""The number of rows in a file whose forms have the same fields and which are edited."""


def main() -> int:
    """Exit code: 1 if a step differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_edits", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout")
    parser.add_argument("new", type=Path, nargs="?", default=ROOT, help="another one (default: this one)")
    parser.add_argument("--only", default="", metavar="TEXT", help="only files with this text in their names")
    options = parser.parse_args()
    paths = [str(path) for path in files() if options.only in path.name]
    return compare_editors("same_edits", paths, options.old, options.new)


def files() -> Iterator[Path]:
    """The files whose rows are edited."""
    yield from sorted((ROOT / "sample_sets").rglob("*.evalset.json"))
    if shared := os.environ.get("EVALTUI_SHARED"):
        yield from (path for shape in SHAPES for path in sorted(Path(shared, "corpus").glob(f"{shape}*.json")))


async def print_steps(paths: list[Path]) -> None:
    """Edit copies of the files with the editor of the checkout; print each step as a line of JSON."""
    for path in paths:
        recordings = path.parent / "recordings"
        async for step in _steps_of_file(path, [str(recordings)] if recordings.is_dir() else []):
            print(json.dumps({"file": path.name} | step), flush=True)


async def _steps_of_file(path: Path, recordings: list[str]) -> AsyncIterator[Step]:
    from tests.tui.scenario import scenario  # noqa: PLC0415 - of the checkout that `serve` puts first

    kinds: Counter[tuple[str, ...]] = Counter()
    async with AsyncExitStack() as stack:
        s = await stack.enter_async_context(scenario(path, SIZE, recordings=recordings))
        await _open_all(s)
        for row in range(min(len(s.rows()), _MOST_ROWS)):
            await _go_to(s, row)
            label = s.cursor()
            await s.press("enter")
            lines = s.rows() if s.focused == "form" else []
            await reset(s)
            kind = tuple(line.split("  ")[0] for line in map(str.strip, lines) if not line[:1].isdigit())
            kinds[kind] += 1
            if kinds[kind] > _ROWS_OF_A_KIND:
                continue
            steps = list(TREE_KEYS)
            if kinds[kind] == 1:
                steps += [["enter", "home", "A", *["down"] * number, "enter"] for number in range(FIELDS)]
                for line in range(len(lines)):
                    steps += [["enter", "home", *["down"] * line, *keys] for keys in LINE_KEYS]
            for line in range(await _lines_of_scores(s, row)):
                steps += [["w", "home", *["down"] * line, *keys] for keys in WHY_KEYS]
            for keys in steps:
                yield {"row": label} | await _step(s, row, keys)


async def _lines_of_scores(s: Any, row: int) -> int:
    await _go_to(s, row)
    await s.press("w")
    count = len(s.rows()) if s.focused not in ("tree", "form", "field") else 0
    await reset(s)
    return count


async def _open_all(s: Any) -> None:
    """Show the rows inside of all rows."""
    await s.press("home", "equals_sign")
    row = 0
    while row < min(len(s.rows()), _MOST_ROWS):
        await _go_to(s, row)
        before = s.cursor()
        await s.press("right")
        if s.cursor() != before:
            await _go_to(s, row)
        row += 1


async def _go_to(s: Any, row: int) -> None:
    await s.burst("home", *["down"] * row)


async def _step(s: Any, row: int, keys: list[str]) -> Step:
    """Press keys at a row; the outcome. Everything is undone afterwards."""
    await _go_to(s, row)
    await s.press(*keys)
    before, after = (text.decode(errors="backslashreplace").splitlines() for text in (s.original, s.bytes()))
    difference = "\n".join([*difflib.unified_diff(before, after, lineterm="", n=0)][2:])
    answer = {"place": s.focused, "cursor": s.cursor(), "status": s.status, "difference": difference}
    await reset(s)
    return {"keys": " ".join(keys)} | {name: without_times(text) for name, text in answer.items()}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(print_steps([*map(Path, sys.argv[3:])]))
    else:
        sys.exit(main())

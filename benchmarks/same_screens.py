"""`python -m benchmarks.same_screens OLD [NEW]`: whether two checkouts draw the same screens, as text.

At each place of docs/keys.md that it can reach, it presses each key of that place in an editor of its own, in four
sizes. It prints the screens that differ.
"""

import argparse
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

from benchmarks.editor_steps import Step, compare_editors, reset, serve, without_times

ROOT = Path(__file__).parents[1]
SIZES = ("80x24", "100x30", "140x40", "200x60")
SAMPLES = ("trip_planner.evalset.json", "mixed_case.evalset.json")
"""The sample sets that are opened."""
SHAPES = ("207_platform_dataset",)
"""The beginnings of the names of public files that are opened too, where EVALTUI_SHARED names them."""
PLACES = {
    "Everywhere": [[]],
    "In the editor, even while typing in a field": [["right", "down", "enter", "enter"]],
    "In every pane": [[], ["enter"], ["3"], ["4"]],
    "In the tree": [["home"], ["down"], ["down", "right", "down"], ["down", "right", "down", "right", "down"]],
    "In the form": [
        *(["down", "enter", *["down"] * line] for line in (0, 2, 4)),
        *(["down", "right", "down", "enter", *["down"] * line] for line in (1, 3, 5, 8)),
        ["down", "right", "down", "right", "down", "enter", "down"],
    ],
    "In the Why pane, below a form": [["right_square_bracket", "w"]],
    "In the recorded turn beside the form (the keys of the Why pane work there, too)": [
        ["right_square_bracket", "2", "right"]
    ],
    "While typing in a field": [["down", "right", "down", "enter", "enter"]],
    "In the problems": [["3"]],
    "In the scores": [["4"], ["4", "down"]],
    "In the review": [["O"], ["O", "down", "down"]],
    "In the recordings screen": [["H"]],
    "In the list of recordings": [["H"]],
    "In the conversations of a recording": [["H", "enter"]],
    "In the runs of a case": [["B"]],
    "In the screen to add recorded conversations": [["plus"]],
    "In the list of recorded conversations": [["plus"]],
    "In the turns of a recorded conversation": [["plus", "right"]],
    "In the criteria": [["alt+c"], ["alt+c", "down", "down"]],
    "When evaltui offers all safe fixes": [["F"]],
    "In the list of values that a conversion loses": [["E", "enter"], ["E", "down", "enter"]],
    "In the filter line": [["slash"], ["slash", "o"]],
    "When evaltui asks where to go": [["ctrl+g"], ["ctrl+g", "2"]],
    "In the command palette": [["colon"], ["colon", "s", "a"]],
    "In conflicts with the file on disk": [],
    "In find and replace": [["ctrl+r"], ["ctrl+r", "a", "tab", "b"]],
    "In the list of hits to replace": [["ctrl+r", "a", "tab", "b", "enter"]],
    "When evaltui asks before quitting": [["c", "ctrl+q"]],
    "In the unsaved changes": [["c", "C"]],
    "When evaltui asks how to copy": [["down", "Y"]],
    "In a list of choices": [["E"], ["down", "enter", "A"]],
    "When evaltui asks for a name": [["S"], ["W"]],
}
"""The places of docs/keys.md, with the keys that lead there from the first row of the tree."""
_NAMES = {
    **{"esc": "escape", "pgdn": "pagedown", "pgup": "pageup", "del": "delete", "↑": "up", "↓": "down", "←": "left"},
    **{"→": "right", " ": "space"},
}
_LEAVING = {"ctrl+q", "f4", "alt+e", "e", "comma", "f6", "alt+g", "shift+f6", "alt+o", "q"}
"""Keys that end the app or start another program."""


def main() -> int:
    """Exit code: 1 if a screen differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.same_screens", description=__doc__)
    parser.add_argument("old", type=Path, help="a checkout; its docs/keys.md names the keys")
    parser.add_argument("new", type=Path, nargs="?", default=ROOT, help="another one (default: this one)")
    parser.add_argument("--size", choices=SIZES, action="append", help="only this size")
    parser.add_argument("--only", default="", metavar="TEXT", help="only places with this text in their names")
    options = parser.parse_args()
    plan = [str(options.old.resolve() / "docs" / "keys.md"), options.only, *(options.size or SIZES)]
    return compare_editors("same_screens", plan, options.old, options.new)


def keys_of_places(keys_page: Path) -> dict[str, list[str]]:
    """The keys of each place in docs/keys.md, as Textual names them."""
    from textual.keys import _character_to_key  # noqa: PLC0415 - only a served editor needs it

    places: dict[str, list[str]] = {}
    for line in keys_page.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            keys = places.setdefault(line.removeprefix("## "), [])
        elif line.startswith("| `"):
            for name in re.findall(r"`([^`]+)`", line.split(" | ")[0]):
                *modifiers, key = name.replace("^", "ctrl+").split("+") if name not in ("+", "^") else [name]
                key = _NAMES.get(key) or (_character_to_key(key) if len(key) == 1 and not key.isalnum() else key)
                keys.append("+".join([*modifiers, key]))
    return places


def files() -> Iterator[Path]:
    """The files whose screens are drawn."""
    yield from (ROOT / "sample_sets" / name for name in SAMPLES)
    if shared := os.environ.get("EVALTUI_SHARED"):
        yield from (path for shape in SHAPES for path in sorted(Path(shared, "corpus").glob(f"{shape}*.json")))


async def print_steps(keys_page: Path, only: str, sizes: list[str]) -> None:
    """Press all keys in the editor of the checkout; print each step as a line of JSON."""
    keys = keys_of_places(keys_page)
    for path in files():
        for size in sizes:
            for place in (place for place in PLACES if only in place):
                async for step in _steps_of_place(path, size, place, keys[place]):
                    print(json.dumps({"file": path.name, "size": size, "place": place} | step), flush=True)


async def _steps_of_place(path: Path, size: str, place: str, keys: list[str]) -> AsyncIterator[Step]:
    from tests.tui.scenario import scenario  # noqa: PLC0415 - of the checkout that `serve` puts first

    width, height = map(int, size.split("x"))
    recordings = [str(path.parent / "recordings")] if (path.parent / "recordings").is_dir() else []
    async with AsyncExitStack() as stack:
        s = await stack.enter_async_context(scenario(path, (width, height), recordings=recordings))
        for opening in PLACES[place]:
            for key in ["", *(key for key in keys if key not in _LEAVING)]:
                await reset(s)
                await s.press("home", "minus", *opening, *filter(None, [key]))
                screen = "\n".join(s.screen())
                yield {"keys": " ".join([*opening, key]), "focus": s.focused, "screen": without_times(screen)}
        await reset(s)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--serve"]:
        serve(print_steps(Path(sys.argv[3]), sys.argv[4], sys.argv[5:]))
    else:
        sys.exit(main())

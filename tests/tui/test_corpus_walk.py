"""Public files of all kinds open at any size, and a walk of random keys neither ends the app nor loses a byte."""

import os
import random
from pathlib import Path

import pytest

from .scenario import NARROW, WIDE, Scenario, scenario

CHUNKS = 24
KEYS = (
    *(
        ["down"] * 6
        + ["up"] * 3
        + ["right"] * 3
        + ["left", "enter", "enter", "enter", "escape", "escape", "tab", "shift+tab"]
    ),
    *["u", "u", "U", "ctrl+z", "ctrl+y", "a", "A", "d", "delete", "r", "t", "t", "space", "equals_sign", "minus"],
    *["pagedown", "pageup", "home", "end", "g", "G", "j", "k", "h", "l", "J", "K", "1", "2", "3", "ctrl+down", "alt+k"],
    *["ctrl+j", "backspace", "f1", "question_mark", "ctrl+c", "x", "[", '"', "{", "9", "é", "東", "ctrl+u", "ctrl+d"],
)
"""Nothing that saves or quits."""
WALK, BURST = 60, 12
SEED = os.environ.get("EVALTUI_WALK_SEED", "")
"""For a hunt: other walks than those of every day."""


async def walk(s: Scenario, keys: list[str]) -> None:
    """Press keys in bursts, as a slow line delivers them; then go back to the tree."""
    for start in range(0, len(keys), BURST):
        await s.burst(*keys[start : start + BURST])
        assert not s.ended
    s.expect_rows_and_form_of_the_document()
    assert any(s.screen())
    for _ in range(4):
        await s.press("escape")
    s.expect_rows_and_form_of_the_document()
    assert any(s.screen())


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_random_keys_end_in_no_error_and_undo_gives_every_byte_back(chunk: int, shared_folder: Path) -> None:
    files = sorted((shared_folder / "corpus").glob("*.json"))
    assert len(files) > CHUNKS
    for path in files[chunk::CHUNKS]:
        for size in (NARROW, WIDE):
            keys = random.Random(f"{path.name} {size}{SEED}").choices(KEYS, k=WALK)
            try:
                async with scenario(path, size) as s:
                    await walk(s, keys)
                    assert s.file_bytes() == s.original
            except BaseException as error:
                error.add_note(f"{path.name} at {size} with {keys}")
                raise

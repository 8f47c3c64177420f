"""Public files of all kinds, random keys and two sizes: no walk ends the app or loses a byte."""

import os
import random
from pathlib import Path

import pytest

from tests.tui.scenario import NARROW, WIDE, scenario

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
WALK, BURST, RESIZED = 36, 12, 12
SEED = os.environ.get("EVALTUI_WALK_SEED", "")
"""For a hunt: other walks than those of every day."""


async def assert_walk_is_harmless(file: Path | bytes | str, name: str) -> None:
    """Open a file, press keys in bursts, as a slow line delivers them, change the size on the way, go back to the tree.

    The name decides on the keys.
    """
    chance = random.Random(f"{name}{SEED}")
    size, other = chance.sample((NARROW, WIDE), 2)
    keys = chance.choices(KEYS, k=WALK)
    try:
        async with scenario(file, size) as s:
            for start in range(0, WALK, BURST):
                await s.burst(*keys[start : start + BURST])
                assert not s.ended
                if start == RESIZED:
                    s.expect_rows_and_form_of_the_document()
                    assert any(s.screen())
                    await s.resize(*other)
            await s.press(*["escape"] * 4)
            s.expect_rows_and_form_of_the_document()
            assert any(s.screen())
            assert s.file_bytes() == s.original
    except BaseException as error:
        error.add_note(f"{name} at {size}, then {other}, with {keys}")
        raise


@pytest.mark.parametrize("chunk", range(CHUNKS))
async def test_random_keys_end_in_no_error_and_undo_gives_every_byte_back(chunk: int, shared_folder: Path) -> None:
    files = sorted((shared_folder / "corpus").glob("*.json"))
    assert len(files) > CHUNKS
    for path in files[chunk::CHUNKS]:
        await assert_walk_is_harmless(path, path.name)

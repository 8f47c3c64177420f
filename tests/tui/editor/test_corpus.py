"""Public files, edited and saved, and walked through by random keys: only the edit differs, and nothing is lost."""

import json
import os
import random
from pathlib import Path

import pytest

from tests.sampling import Extent, sampled
from tests.tui.scenario import NARROW, WIDE, scenario


def style_of(data: bytes) -> tuple[object, ...]:
    """What tells the layout of one file from another's."""
    lines = data.split(b"\n")
    indent = len(lines[1]) - len(lines[1].lstrip()) if len(lines) > 1 else -1
    reproducible = any(
        json.dumps(json.loads(data), indent=indent, ensure_ascii=ascii_only).encode() == data.rstrip()
        for ascii_only in (True, False)
    )
    return (indent, b"\r\n" in data, data.isascii(), data.endswith(b"\n"), b'parts": [{"' in data, reproducible,
            b"userContent" in data, b"invocation_events" in data, b'": null' in data)  # fmt: skip


def first_turn_can_be_edited(data: bytes) -> bool:
    cases = json.loads(data).get("eval_cases") if data.lstrip().startswith(b"{") else None
    if not cases or len(cases) > 40 or len(data) > 200_000:
        return False
    turns = cases[0].get("conversation") or [{}]
    content = turns[0].get("user_content") or turns[0].get("userContent") or {}
    return bool(content.get("parts")) and bool(content["parts"][0].get("text"))


def one_of_each_style(folder: Path) -> list[Path]:
    found: dict[tuple[object, ...], Path] = {}
    for path in sorted(folder.glob("*.json")):
        data = path.read_bytes()
        if path.name != "MANIFEST.json" and first_turn_can_be_edited(data):
            found.setdefault(style_of(data), path)
    return list(found.values())


async def test_sets_of_ten_styles_and_more_keep_every_byte_but_the_edit(shared_folder: Path) -> None:
    chosen = one_of_each_style(shared_folder / "corpus")
    assert len(chosen) >= 10
    for path in sampled(chosen, 6):
        async with scenario(path) as s:
            await s.press("down", "enter", "enter")
            assert s.focused == "field", path.name
            await s.type("Z")
            saved = await s.saved()
            at = next(n for n, (new, old) in enumerate(zip(saved, s.original, strict=False)) if new != old)
            assert (saved[:at], saved[at : at + 1], saved[at + 1 :]) == (s.original[:at], b"Z", s.original[at:]), (
                path.name
            )


CHUNKS = 12
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


@pytest.mark.parametrize("chunk", sampled(range(CHUNKS), most=1))
async def test_random_keys_end_in_no_error_and_undo_gives_every_byte_back(chunk: int, shared_folder: Path) -> None:
    files = sorted((shared_folder / "corpus").glob("*.json"))
    assert len(files) > CHUNKS
    for path in files[chunk :: CHUNKS if SEED or Extent.is_thorough else 4 * CHUNKS]:
        await assert_walk_is_harmless(path, path.name)

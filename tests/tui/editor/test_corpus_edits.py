"""Public eval sets of different styles, edited through the screen and saved: only the edit differs."""

import json
from pathlib import Path

from tests.tui.scenario import scenario


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
    for path in chosen:
        async with scenario(path) as s:
            await s.press("down", "enter", "enter")
            assert s.focused == "field", path.name
            await s.type("Z")
            saved = await s.saved()
            at = next(n for n, (new, old) in enumerate(zip(saved, s.original, strict=False)) if new != old)
            assert (saved[:at], saved[at : at + 1], saved[at + 1 :]) == (s.original[:at], b"Z", s.original[at:]), (
                path.name
            )

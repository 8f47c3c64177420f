"""Writes what the documents show of the app itself: docs/keys.md, docs/rules.md and the picture in README.md.

Run by `make docs`; a test fails where the result is not what is in the repository.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from evaltui.document import Document
from evaltui.report.rule_text import rules_document
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.commands import PLACES, commands_at, key_name
from evaltui.tui.session import Session

PROJECT = Path(__file__).resolve().parent.parent
PICTURED = PROJECT / "sample_sets" / "trip_planner.evalset.json"
_PICTURE = re.compile(r"(<!-- picture -->\n```text\n).*?(```\n<!-- end of picture -->)", re.DOTALL)


def keys_document() -> str:
    """docs/keys.md: all keys by place, from the registry of commands."""
    origin = "Made by `make docs` from `evaltui/tui/commands.py`."
    lines = ["# Keys", "", f"{origin} Letters act on panes, never while typing."]
    for place, heading in PLACES.items():
        lines += ["", f"## {heading}", "", "| keys | what they do | command |", "|---|---|---|"]
        for command in commands_at(place):
            keys = " ".join(f"`{key_name(key)}`" for key in command.keys.split(","))
            lines.append(f"| {keys} | {command.help} | `{command.id}` |")
    return "\n".join(lines) + "\n"


def readme_with(picture: str) -> str:
    """README.md with another picture in its place."""
    readme = (PROJECT / "README.md").read_text("utf-8")
    return _PICTURE.sub(lambda found: found[1] + picture + found[2], readme)


async def picture() -> str:
    """The first turn of the pictured set in a terminal of 80×24, as text."""
    app = EvaltuiApp(Session(Document.open(PICTURED)))
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("down")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        return "".join("".join(segment.text for segment in strip).rstrip() + "\n" for strip in strips)


def main() -> None:
    """Write all generated documents."""
    (PROJECT / "docs" / "keys.md").write_text(keys_document(), "utf-8")
    (PROJECT / "docs" / "rules.md").write_text(rules_document(), "utf-8")
    (PROJECT / "README.md").write_text(readme_with(asyncio.run(picture())), "utf-8")


if __name__ == "__main__":
    main()

"""Writes what the documents show of the app itself: docs/keys.md, docs/rules.md and the pictures in README.md.

Run by `make docs`; a test fails where the result is not what is in the repository.
"""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from evaltui.commands.scored_sets import score_sets
from evaltui.commands.set_arguments import set_arguments
from evaltui.document.document import Document
from evaltui.report.rule_text import rules_document
from evaltui.report.run_reports import report_text
from evaltui.runs.set_run import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.commands import PLACES, commands_at, key_name
from evaltui.tui.session.session import Session

PROJECT = Path(__file__).resolve().parent.parent
PICTURED = PROJECT / "sample_sets" / "trip_planner.evalset.json"
RECORDED = PROJECT / "sample_sets" / "recordings"


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


def readme_with(**pictures: str) -> str:
    """README.md with other pictures in their places, each by its name."""
    readme = (PROJECT / "README.md").read_text("utf-8")
    for name, shown in pictures.items():
        place = rf"(<!-- {name} -->\n```text\n).*?(```\n<!-- end of {name} -->)"
        readme = re.sub(place, lambda found, shown=shown: found[1] + shown + found[2], readme, flags=re.DOTALL)
    return readme


def scores() -> str:
    """What `evaltui run` says of the pictured set: its cases, and what they come to."""
    os.chdir(PROJECT)
    names = [str(path.relative_to(PROJECT)) for path in (PICTURED, RECORDED)]
    text = report_text(score_sets(set_arguments(names[:1]), RunOptions(recordings=names[1:])).runs, "table")
    lines = text.splitlines()
    counted = next(number for number, line in enumerate(lines) if line.startswith("6 cases"))
    return "\n".join([f"$ evaltui run {names[0]} -r {names[1]}", *lines[: counted + 1]]) + "\n"


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
    (PROJECT / "README.md").write_text(readme_with(picture=asyncio.run(picture()), scores=scores()), "utf-8")


if __name__ == "__main__":
    main()

"""Writes what documents show of the app itself: docs/keys.md, docs/rules.md, pictures and tables in other documents.

Run by `make docs`; a test fails where the result is not what is in the repository.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch

os.environ["TEXTUAL_ANIMATIONS"] = "none"

from docs.pictures import readme_pictures
from evaltui.commands.scored_sets import score_sets
from evaltui.commands.set_arguments import set_arguments
from evaltui.document.document import Document
from evaltui.interop.conversion import convert
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET
from evaltui.interop.evaluation_datasets.dataset_format import EVALUATION_DATASET
from evaltui.interop.fields import SetField
from evaltui.interop.format_type import FormatType, WriteOptions
from evaltui.interop.formats import FORMATS
from evaltui.interop.legacy.legacy_formats import LEGACY_TURNS
from evaltui.report.conversion_json import ConvertedFile
from evaltui.report.conversion_text import conversion_lines
from evaltui.report.rule_text import rules_document
from evaltui.report.run_reports import report_text
from evaltui.runs.set_run import RunOptions
from evaltui.tui.app import EvaltuiApp
from evaltui.tui.command import PLACES
from evaltui.tui.commands import commands_at, key_name
from evaltui.tui.session.review_start import ReviewStart
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.session import Session

PROJECT = Path(__file__).resolve().parent.parent
PICTURED = PROJECT / "sample_sets" / "trip_planner.evalset.json"
RECORDED = PROJECT / "sample_sets" / "recordings"
CHATTED = PROJECT / "sample_sets" / "travel_desk" / "travel_desk.evalset.json"
MIGRATED = PROJECT / "sample_sets" / "migration" / "flight_desk.evalset.json"
LOOKED_AT = 1_795_420_000
"""When the chats of the sample agent are looked at, some hours after the last of them."""


def keys_document() -> str:
    """docs/keys.md: all keys by place, from the registry of commands."""
    origin = "Made by `make docs` from the commands in `evaltui/tui/`."
    lines = ["# Keys", "", f"{origin} Letters act on panes, never while typing."]
    for place, heading in PLACES.items():
        lines += ["", f"## {heading}", "", "| keys | what they do | command |", "|---|---|---|"]
        for command in commands_at(place):
            keys = " ".join(f"`{key_name(key)}`" for key in command.keys.split(","))
            lines.append(f"| {keys} | {command.help} | `{command.id}` |")
    return "\n".join(lines) + "\n"


def with_pictures(document: str, pictures: Mapping[str, str]) -> str:
    """The text of a document with other pictures in their places, each by its name."""
    text = (PROJECT / document).read_text("utf-8")
    for name, shown in pictures.items():
        place = rf"(<!-- {name} -->\n```text\n).*?(```\n<!-- end of {name} -->)"
        text = re.sub(place, lambda found, shown=shown: found[1] + shown + found[2], text, flags=re.DOTALL)
    return text


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
        return _screen_of(app)


def _screen_of(app: EvaltuiApp) -> str:
    strips = app.screen._compositor.render_strips()
    return "".join("".join(segment.text for segment in strip).rstrip() + "\n" for strip in strips)


async def review_picture(width: int, height: int) -> str:
    """The review of the pictured set in a terminal of this size, at the first turn that fails, as text."""
    recording = RECORDED / "trip_planner_first.evalset_result.json"
    session = Session(Document.open(PICTURED))
    app = EvaltuiApp(session, review=ReviewStart(is_first=True), scored_with=ScoredWith((str(recording),)))
    async with app.run_test(size=(width, height)) as pilot:
        await app.workers.wait_for_complete()
        await pilot.pause()
        return _screen_of(app)


async def chats_picture() -> str:
    """The chats of the sample agent in a terminal of 80×24, at the one with a booking, as text."""
    app = EvaltuiApp(Session(Document.open(CHATTED)))
    clock = SimpleNamespace(time=lambda: LOOKED_AT)
    with patch("evaltui.tui.conversations.found_lines.time", clock):
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("plus")
            await app.workers.wait_for_complete()
            await pilot.press("down", "down", "down", "down", "down")
            await pilot.pause()
            await pilot.pause()
            return _screen_of(app)


# --- conversions ---------------------------------------------------------------------------------------------------

_MOST_FIELDS = 6
"""So many fields stand with a reason; the table has all."""
_MARKS = {"held": "●", "changed": "◐", "no_place": "·"}


def conversion_tables() -> dict[str, str]:
    """The tables of docs/converting.md by name: which format holds which field, and why it does not."""
    shown = [each for each in FORMATS if each is not LEGACY_TURNS]  # its holdings are those of the list of cases
    rows = [["", *(each.option or f"{each.source_word} (read)" for each in shown)], ["---", *(":-:" for _ in shown)]]
    rows += [[field.value, *(_MARKS[each.holdings[field].extent] for each in shown)] for field in SetField]
    reasons = [line for each in shown if each.write is not None for line in _reasons(each)]
    return {
        "fields": "\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows) + "\n",
        "reasons": "\n" + "\n".join(reasons) + "\n",
    }


def _reasons(form: FormatType) -> list[str]:
    """The reasons of one format, each with its fields."""
    fields: dict[tuple[str, str], list[str]] = {}
    for field in SetField:
        holding = form.holdings[field]
        if holding.extent != "held":
            fields.setdefault((holding.reason, holding.advice), []).append(field.value)
    lines = [f"**{form.option}**", ""]
    for (reason, advice), names in fields.items():
        more = [f"{len(names) - _MOST_FIELDS} others"] if len(names) > _MOST_FIELDS else []
        lines.append(
            f"- {', '.join([*names[:_MOST_FIELDS], *more])}: {reason or 'no place'}.{' ' + advice if advice else ''}"
        )
    return [*lines, ""]


def migration() -> str:
    """What `evaltui convert` says of the migrated sample."""
    name = str(MIGRATED.relative_to(PROJECT))
    out = name.replace(EVAL_SET.ending, EVALUATION_DATASET.ending)
    root = Document.open(MIGRATED).root
    assert root is not None
    conversion = convert(root, EVAL_SET, EVALUATION_DATASET, WriteOptions("flight_desk"))
    lines = conversion_lines([ConvertedFile(name, root, conversion, [out])], 100, is_written=True)
    return "\n".join([f"$ evaltui convert {name} --to evaluation-dataset", *lines]) + "\n"


def with_tables(document: str, tables: Mapping[str, str]) -> str:
    """A text with other tables in their places, each by its name."""
    for name, table in tables.items():
        place = rf"(<!-- {name} -->\n).*?(<!-- end of {name} -->)"
        document = re.sub(place, lambda found, table=table: found[1] + table + found[2], document, flags=re.DOTALL)
    return document


async def documents() -> dict[str, str]:
    """The text of each document and picture that is made here, by its path in the project."""
    narrow, wide = await review_picture(80, 24), await review_picture(100, 24)
    pictures = {
        "picture": await picture(),
        "scores": scores(),
        "review": wide,
        "review at 80 columns": narrow,
        "chats": await chats_picture(),
    }
    return {
        "docs/keys.md": keys_document(),
        "docs/rules.md": rules_document(),
        "docs/converting.md": with_tables(
            with_pictures("docs/converting.md", {"migration": migration()}), conversion_tables()
        ),
        **{name: with_pictures(name, pictures) for name in ("README.md", "docs/reviewing.md", "docs/recording.md")},
        **await readme_pictures(),
    }


def main() -> None:
    """Write all generated documents."""
    for name, text in asyncio.run(documents()).items():
        (PROJECT / name).parent.mkdir(exist_ok=True)
        (PROJECT / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

"""The app in the review, on a set with a recording of what its agent did."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import NARROW, Scenario, scenario


@asynccontextmanager
async def review(
    size: tuple[int, int] = NARROW, set_: str = SET, recording: str = RECORDING, *, at: str = ""
) -> AsyncIterator[Scenario]:
    """The review of a set, begun in the tree at the row that holds `at`; left at the end."""
    async with scenario(set_, size, beside={"actual.json": recording}, recordings=["actual.json"]) as s:
        if at:
            await s.press("equals_sign")
            await s.to(at)
        await s.press("o")
        yield s
        for _ in range(3):
            if s.screen()[0].lstrip().startswith("Review"):
                await s.press("escape")


async def others_write(s: Scenario, content: bytes) -> None:
    """Another program writes the set, and evaltui looks at it."""
    s.path.write_bytes(content)
    s.app.file.disk.look()
    await s.settle()


async def others_delete(s: Scenario, eval_id: str) -> None:
    """Another program deletes a case of the set, and evaltui looks at it."""
    cases = [case for case in json.loads(s.original)["eval_cases"] if case["eval_id"] != eval_id]
    await others_write(s, json.dumps({"eval_set_id": "set", "eval_cases": cases}).encode())


def head(s: Scenario) -> str:
    """The first line: position, turn and counts."""
    return " ".join(s.screen()[0].split())


def at_cursor(s: Scenario) -> str:
    """The selected row."""
    return " ".join(s.cursor().split())


def sidecar(s: Scenario) -> list[dict[str, Any]]:
    """The lines of decisions beside the set."""
    path = s.path.with_name(f"{s.path.name}.review.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def standing(s: Scenario) -> list[dict[str, Any]]:
    """The lines of decisions and notes that were not taken back."""
    lines = sidecar(s)
    gone = {line.get("takes_back") for line in lines}
    return [line for line in lines if "takes_back" not in line and line["id"] not in gone]

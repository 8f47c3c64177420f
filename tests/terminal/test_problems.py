"""Finding and fixing what is wrong in a real terminal, by keys alone."""

import json
import re
from pathlib import Path

import pytest

from tests.terminal.terminal import EVALTUI, Terminal

BROKEN = Path(__file__).parents[2] / "sample_sets" / "broken.evalset.json"


@pytest.mark.thorough
def test_the_broken_set_is_fixed_by_keys_alone_as_far_as_fixes_go(terminal: Terminal) -> None:
    file = terminal.work / "broken.evalset.json"
    file.write_bytes(BROKEN.read_bytes())
    terminal.start([*EVALTUI, "edit", file.name])
    terminal.until("errors")
    terminal.keys("F8")
    terminal.until("1 of ")
    terminal.keys("S-F8")
    terminal.until(re.compile(r" (\d+) of \1:"))
    terminal.keys("F")
    terminal.until("safe fixes as one step?")
    terminal.keys("F")
    terminal.until("fixed ")
    terminal.keys("3")
    terminal.until("─ Problems")
    for _ in range(10):
        rows = [line for line in terminal.screen()[2:-2] if line.strip()]
        number = next((number for number, row in enumerate(rows) if row.endswith("fix?")), None)
        if number is None:
            break
        terminal.keys("Home", *["Down"] * number, "f")
        terminal.until("press again to fix")
        terminal.keys("f")
        terminal.until("u: undo")
    assert not [row for row in terminal.screen() if row.endswith(("fix", "fix?"))]
    terminal.keys("C-s")
    terminal.until("Saved broken.evalset.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    fixed = json.loads(file.read_bytes())
    assert len({case["eval_id"] for case in fixed["eval_cases"]}) == len(fixed["eval_cases"])
    assert "user_contents" not in file.read_text("utf-8")

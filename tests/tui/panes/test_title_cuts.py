"""Titles that are too long keep what says most."""

import json
import re

from tests.scored_sets import EXPECTED, RECORDING, a_set
from tests.tui.scenario import SAMPLES, scenario


async def test_the_mark_of_a_trial_is_not_cut_for_the_name_of_the_set() -> None:
    content = json.dumps({**json.loads(a_set(EXPECTED)), "name": "Trips of spring"})
    beside = {"actual.json": RECORDING}
    async with scenario(content, beside=beside, recordings=["actual.json"]) as s:
        await s.press("O", "m", "E")
        for width in range(60, 90):
            await s.resize(width, 24)
            if "trial cri" in s.title:
                break
        assert "trial criteria" in s.title


async def test_a_long_title_of_a_form_keeps_its_end() -> None:
    async with scenario(SAMPLES / "support_desk.evalset.json") as s:
        await s.press("down", "enter", *["down"] * 4, "enter")
        assert re.search(r"…ta › invocation_events › triage_agent ─$", s.screen()[1]), s.screen()[1]

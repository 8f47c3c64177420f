"""Random chains of the keys that act where they are pressed, through all screens of the editor.

No chain ends in an error, and undoing every step of a chain gives the bytes of the file again.
"""

import random
from pathlib import Path

import pytest

from evaltui.tui.commands import commands_at, places_beside
from tests.sampling import sampled
from tests.scored_sets import RECORDING, SET
from tests.tui.scenario import NARROW, NORMAL, SAMPLES, WIDE, Scenario, scenario

LENGTH = 60
_OUT = 12
"""Presses of esc that lead from anywhere back to the tree."""
_ENDING = ("quit", "list.quit", "open")
"""Commands that end the app: a chain would be short with them."""
_TEXTS = ("field", "filter", "jump", "palette", "replace", "name", "choice", "value")
"""Places where letters are typed as well."""
_LETTERS = [*"aeiou149", "space", "enter", "tab", "backspace", "escape"]
_FILES = {
    "scored": SET,
    "trip planner": SAMPLES / "trip_planner.evalset.json",
    "mixed case": SAMPLES / "mixed_case.evalset.json",
    "broken": SAMPLES / "broken.evalset.json",
    "not JSON": SET.replace('"eval_id"', "'eval_id'"),
}


def keys_here(s: Scenario) -> list[str]:
    """The keys that act now, those of the place itself twice as often."""
    place = s.app.place_of()
    own = commands_at(place)
    commands = [*own, *own, *commands_at(*places_beside(place))]
    keys = [key for command in commands if command.id not in _ENDING for key in command.keys.split(",")]
    keys += _LETTERS if place in _TEXTS else []
    # Dialogs have keys enough to keep a chain for ever: a third of the presses leaves them.
    return (
        keys
        if "list" in places_beside(place) and len(s.app.screen_stack) == 1
        else [*keys, *["escape"] * (len(keys) // 2)]
    )


async def press_chain(s: Scenario, chance: random.Random, pressed: list[str]) -> None:
    """Press random keys until the app ends or the chain is long enough; note them."""
    while len(pressed) < LENGTH and not s.ended:
        pressed.append(chance.choice(keys_here(s)))
        await s.press(pressed[-1])


@pytest.mark.parametrize("seed", sampled(range(24), most=1))
@pytest.mark.parametrize("size", [NARROW, NORMAL, WIDE])
@pytest.mark.parametrize("name", _FILES)
async def test_no_chain_of_keys_fails_or_loses_a_byte(
    name: str, size: tuple[int, int], seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # a chain may save under a name of its letters
    file: Path | str = _FILES[name]
    chance, pressed = random.Random(f"{name} {size} {seed}"), list[str]()
    beside = {"actual.json": RECORDING} if isinstance(file, str) else {}
    recordings = [*beside] or [str(SAMPLES / "recordings")]
    try:
        async with scenario(file, size, beside=beside, recordings=recordings) as s:
            await press_chain(s, chance, pressed)
            for _ in range(_OUT):
                if not s.ended:
                    await s.press("escape")
            assert s.ended or len(pressed) == LENGTH
    except BaseException as error:
        error.add_note(f"{name} at {size}: {' '.join(pressed)}")
        raise

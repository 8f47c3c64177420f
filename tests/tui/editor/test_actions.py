"""The table of commands and the controllers that do them."""

import pytest

from evaltui.tui.commands import COMMANDS
from evaltui.tui.panes.requests import adopt_actions
from evaltui.tui.screens.command_screen import CommandScreen
from tests.tui.scenario import SAMPLES, scenario

_OF_THE_EDITOR = ("everywhere", "list", "tree", "form", "field", "problems", "run", "filter")


async def test_each_command_of_the_editor_is_done_by_its_screen() -> None:
    async with scenario(SAMPLES / "trip_planner.evalset.json") as s:
        wanted = {c.action.partition("(")[0] for c in COMMANDS if c.place in _OF_THE_EDITOR}
        names = {action.removeprefix("screen.") for action in wanted if action.startswith("screen.")}
        assert {name for name in names if not callable(getattr(s.app.screen, f"action_{name}", None))} == set()


class Saves:
    def action_save(self) -> None:
        pass


class SavesToo:
    def action_save(self) -> None:
        pass


def test_no_action_is_done_by_two() -> None:
    with pytest.raises(ValueError, match="action_save of SavesToo"):
        adopt_actions(CommandScreen(), Saves(), SavesToo())

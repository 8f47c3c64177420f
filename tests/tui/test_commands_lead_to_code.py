"""Each command leads to the code that does it, on each screen where its keys act."""

from collections.abc import Callable
from functools import reduce
from itertools import chain
from typing import Any

import pytest
from textual.actions import SkipAction
from textual.screen import Screen

from evaltui.tui.command import Command
from evaltui.tui.commands import all_commands, bindings, command_of
from evaltui.tui.screens.command_screen import CommandScreen
from evaltui.tui.screens.recovery_screen import RecoveryScreen
from evaltui.tui.screens.repair_screen import RepairScreen
from evaltui.tui.screens.sets_screen import SetsScreen
from evaltui.tui.watch.watch_screen import WatchScreen
from tests.tui.scenario import Scenario, scenario
from tests.tui.sets import SNAKE
from tests.tui.test_keys_of_everywhere import IN_FRONT, in_front

NOT_IN_FRONT = {
    "RepairScreen": {"repair"},
    "RecoveryScreen": {"recovery"},
    "ReadingScreen": {"reading"},
    "SetsScreen": {"sets"},
    "WatchScreen": {"watch", "watching"},
    "quit question": {"quit"},
}
"""Places of the screens that are never in front of an editor: their rows are checked by their types alone."""


def names_in(code: Callable[..., object]) -> tuple[str, ...]:
    """The attributes that a row reads one after another, from its screen on: `navigator`, `step_case`."""
    of_list = [cell.cell_contents.__code__.co_names for cell in code.__closure__ or ()]  # the list that a row moves in
    return (*chain.from_iterable(of_list), *code.__code__.co_names)


def leads(screen: Screen[Any], code: Callable[[Any], object]) -> bool:
    """Whether the code of a row is there on this screen. A widget that has no focus now cannot be asked."""
    try:
        return callable(reduce(getattr, names_in(code), screen))
    except SkipAction:
        return True


def commands_on(s: Scenario) -> set[str]:
    """The ids of the commands whose keys act on the front screen."""
    nodes = [s.app.screen, *s.app.screen.walk_children()]
    bound = {binding.id for node in nodes for keys in node._bindings.key_to_bindings.values() for binding in keys}
    return {command.id for command in all_commands() if command.id in bound and s.app.does(command)}


async def test_each_key_leads_to_code_on_each_screen() -> None:
    reached: set[str] = set()
    async with scenario(SNAKE) as s:
        for kind in ["", *IN_FRONT]:
            if kind:
                async with in_front(s, kind):
                    reached |= checked(s)
            else:
                reached |= checked(s)
    elsewhere = set().union(*NOT_IN_FRONT.values())
    hidden = {"why", "recorded", "filter", "anywhere", "copy"}
    assert {c.place for c in all_commands() if c.id not in reached} <= elsewhere | hidden


def checked(s: Scenario) -> set[str]:
    """The commands of the front screen, each of which has its code."""
    screen, found = s.app.screen, commands_on(s)
    for command_id in found:
        command = command_of(command_id)
        own = screen.OWN_WAYS.get(command.does) if isinstance(screen, CommandScreen) else None
        assert leads(screen, own or code_of(command)), f"{command_id} on {type(screen).__name__}"
    return found


@pytest.mark.parametrize("screen", [RepairScreen, SetsScreen, WatchScreen, RecoveryScreen])
def test_a_screen_has_the_code_of_its_own_ways(screen: type[CommandScreen[Any]]) -> None:
    made = {name for base in screen.__mro__ for name in (*vars(base), *names_in_constructor(base))}
    own = [command for command in all_commands() if command.place == getattr(screen, "PLACE", "")]
    rows = [screen.OWN_WAYS.get(command.does) or code_of(command) for command in own]
    for code in [*screen.OWN_WAYS.values(), *rows]:
        assert names_in(code)[0] in made


def code_of(command: Command) -> Callable[[Any], object]:
    return code_of(command_of(command.run)) if isinstance(command.run, str) else command.run


def names_in_constructor(cls: type) -> tuple[str, ...]:
    """The attributes that a constructor sets or reads."""
    constructor = vars(cls).get("__init__")
    return constructor.__code__.co_names if hasattr(constructor, "__code__") else ()


def test_a_command_without_code_of_its_own_names_one_that_has() -> None:
    for command in all_commands():
        assert command_of(command.does).does == command.does, command.id


def test_each_binding_runs_its_command() -> None:
    for place in {command.place for command in all_commands()}:
        for binding in bindings(place):
            assert not isinstance(binding, tuple)
            assert binding.action == f"app.run_command({binding.id!r})"

"""The actions of a screen that its controllers do."""

from __future__ import annotations

from collections.abc import Iterable

from textual.screen import Screen

_PREFIX = "action_"


def adopt_actions(screen: Screen[str], controllers: Iterable[object]) -> None:
    """Make the `action_…` methods of the controllers those of a screen, where Textual looks for them.

    `commands.py` names an action (`screen.save`); the one controller with `action_save` does it. Raises `ValueError`
    where two have it, or the screen and a controller.
    """
    for controller in controllers:
        for name in (name for name in dir(controller) if name.startswith(_PREFIX)):
            if hasattr(screen, name):
                raise ValueError(f"{name} of {type(controller).__name__} is an action of the screen already")
            setattr(screen, name, getattr(controller, name))

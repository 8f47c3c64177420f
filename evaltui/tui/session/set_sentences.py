"""Messages for commands that work only with eval sets, with the next step for a dataset."""

from __future__ import annotations

from evaltui.printable import as_argument
from evaltui.tui.commands import key_of
from evaltui.tui.session.session import Session

NOT_SCORED = "Only cases of eval sets are scored."
NO_AGENT = "Agents run only for eval sets and datasets"
"""Without its full stop."""


def only_for_sets(session: Session, what: str, of_dataset: str) -> str:
    """The message `what`; for a dataset, a message that joins `of_dataset` with the command that converts it."""
    if session.dataset is None:
        return what
    return f"A dataset {of_dataset}: evaltui convert {as_argument(session.file_name)} --to evalset makes a set."


def no_command(session: Session, *, in_editor: bool) -> str:
    """Where to set the command of the agent; the key that opens the settings works `in_editor` only."""
    settings, leave = key_of("list.settings"), key_of("review.leave")
    pressed = f"press {settings}" if in_editor else f"{leave}, then {settings}"
    if session.dataset is not None:
        return f'No agent command. Set run = "agents-cli eval run --dataset {{set}}" in evaltui.toml ({pressed}).'
    return f"No agent command. Set `run` in evaltui.toml or in the settings ({pressed})."

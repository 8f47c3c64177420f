"""Messages for commands that work only with eval sets, with the next step for a dataset."""

from __future__ import annotations

from evaltui.printable import as_argument
from evaltui.tui.commands import key_of
from evaltui.tui.session.session import Session

NOT_SCORED = "Only cases of eval sets are scored."
NO_AGENT = "Agents run only for eval sets and datasets"
"""Without its full stop."""


def why_no_conversations(session: Session) -> str:
    """Why conversations cannot be added here; for a dataset, the command that adds them."""
    if session.dataset is None:
        return "Conversations can be added only to eval sets."
    return f"Add conversations to a dataset with: evaltui record SOURCE --into {as_argument(session.file_name)}"


def no_command(session: Session, *, in_editor: bool) -> str:
    """Where to set the command of the agent; the key that opens the settings works `in_editor` only."""
    settings, leave = key_of("list.settings"), key_of("review.leave")
    pressed = f"press {settings}" if in_editor else f"{leave}, then {settings}"
    if session.dataset is not None:
        return f'No agent command. Set run = "agents-cli eval run --dataset {{set}}" in evaltui.toml ({pressed}).'
    return f"No agent command. Set `run` in evaltui.toml or in the settings ({pressed})."

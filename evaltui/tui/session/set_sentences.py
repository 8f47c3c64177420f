"""Sentences for what works with eval sets only, with the next step for those who have a dataset open."""

from __future__ import annotations

from evaltui.tui.session.session import Session

NOT_SCORED = "Only cases of eval sets are scored."


def only_for_sets(session: Session, what: str, of_dataset: str) -> str:
    """The sentence `what` about eval sets; for a dataset, what it is not good for and the command that helps."""
    if session.dataset is None:
        return what
    return f"A dataset {of_dataset}: evaltui convert {session.file_name} --to evalset makes a set."


def why_no_agent(session: Session) -> str:
    """Why no agent runs for the file."""
    if session.dataset is None:
        return "Agents run only for eval sets."
    return f"Run the agent with: agents-cli eval generate --dataset {session.file_name}"

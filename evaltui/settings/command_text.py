"""The text of the command that runs the agent, as settings of a person or a project may have it."""

from __future__ import annotations

from typing import Any

LONGEST = 2_000
"""Characters of a command: a person reads all of it before it runs."""


def why_no_command(value: Any) -> str:
    """Why a value cannot be the command, a clause to follow the name of the setting; "" if it can."""
    if not isinstance(value, str) or not value.strip():
        return 'must be a command, such as "adk eval {agent} {set}:{cases}"'
    if len(value) > LONGEST:
        return f"has more than {LONGEST:,} characters; put it into a script"
    return "contains a null character" if "\0" in value else ""

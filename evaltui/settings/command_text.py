"""The check of the setting `run`: the command that runs the agent."""

from __future__ import annotations

from typing import Any

LONGEST = 2_000
"""The most characters of a command: the user must read all of it before it runs."""


def why_no_command(value: Any) -> str:
    """The reason why a value cannot be the command, as a clause after the name of the setting; "" if it can."""
    if not isinstance(value, str) or not value.strip():
        return 'must be a command, such as "adk eval {agent} {set}:{cases}"'
    if len(value) > LONGEST:
        return f"has more than {LONGEST:,} characters; put it into a script"
    return "contains a null character" if "\0" in value else ""

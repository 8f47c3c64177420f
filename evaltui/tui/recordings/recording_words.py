"""Words for recordings: formats, origins, and how long ago something was recorded."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.report.changes_text import age_text

FORMATS: Mapping[str, str] = {
    "adk_result": "adk result",
    "jaeger": "Jaeger",
    "otlp": "OTLP",
    "tempo": "Tempo",
    "evaluation_dataset": "dataset",
    "eval_set": "eval set",
    "adk_session": "session",
    "adk_session_db": "sessions",
}
"""Short names of the formats, for a column."""
ORIGINS: Mapping[str, str] = {
    "named": "-r",
    "history": "history",
    "artifacts": "project",
    "settings": "settings",
    "added": "added",
    "own": "itself",
}
"""Short names of the origins of a file, for a column of 8 cells."""
ORIGINS_IN_FULL: Mapping[str, str] = {
    "named": "named with -r",
    "own": "the open dataset itself, because it has responses of an agent",
    "history": "found in .adk/eval_history",
    "artifacts": "found in artifacts/ of the agents-cli project",
    "settings": "named in the project settings",
    "added": "added here, for this session",
}


def ago_text(at: float | None, now: float) -> str:
    """The time since `at`: `3 min ago`, `now`; – if it is unknown. Both times are in seconds since 1970."""
    text = age_text(now - at if at is not None else None)
    return f"{text} ago" if text[0].isdigit() else text


def counted(count: int, noun: str) -> str:
    """`1 conversation`, `1,200 conversations`."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def run_text(number: int, of: int) -> str:
    """`run 2 of 5`."""
    return f"run {number:,} of {of:,}"

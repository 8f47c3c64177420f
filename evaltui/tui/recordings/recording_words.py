"""Words for recordings: formats, origins, and how long ago something was recorded."""

from __future__ import annotations

from collections.abc import Mapping

from evaltui.report.scores_text import date_text

FORMATS: Mapping[str, str] = {
    "adk_result": "adk result",
    "jaeger": "Jaeger",
    "otlp": "OTLP",
    "tempo": "Tempo",
    "evaluation_dataset": "dataset",
    "eval_set": "eval set",
}
"""The formats of recordings, in a column."""
ORIGINS: Mapping[str, str] = {"named": "-r", "history": "history", "settings": "settings", "added": "added"}
"""Where a file comes from, in a column."""
ORIGINS_IN_FULL: Mapping[str, str] = {
    "named": "named with -r",
    "history": "found in .adk/eval_history",
    "settings": "named by the project's settings",
    "added": "added here, for this session",
}
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_OLD = 60 * _DAY
"""Seconds from which on the date says more than the number of days."""


def age_text(at: float | None, now: float) -> str:
    """How long ago something was, in seconds since 1970: `3 min ago`, `2 d ago`; – if nobody knows."""
    if at is None:
        return "–"
    age = now - at
    if not -_MINUTE < age < _OLD:
        return date_text(at)[: len("2026-02-23")]
    for size, unit in ((_DAY, "d"), (_HOUR, "h"), (_MINUTE, "min")):
        if age >= size:
            return f"{int(age // size)} {unit} ago"
    return "just now"


def counted(count: int, noun: str) -> str:
    """`1 conversation`, `1,200 conversations`."""
    return f"{count:,} {noun}{'s' * (count != 1)}"


def run_text(number: int, of: int) -> str:
    """`run 2 of 5`."""
    return f"run {number:,} of {of:,}"

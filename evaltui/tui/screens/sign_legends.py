"""Meanings of the signs on some places, for the help."""

from __future__ import annotations

from collections.abc import Mapping

_OF_CASES = (
    ("✓ ✗ –", "A passed, failed or not evaluated case or metric."),
    ("~", "An outdated case: it was edited after it was scored."),
)
_OF_CHANGES = (
    ("▲ ▼", "A higher or lower score than in the previous run, or in the baseline. Above the cases: how many."),
    ("new", "A case without an earlier verdict."),
    ("changed", "No score changed, but the named part did: the case, a text, arguments or tools."),
    ("last runs ▂▄█", "The share of cases that passed in the last runs, the latest at the right. █ is all of them."),
)
_OF_COLUMNS = (
    (
        "4 more",
        "Metrics without room for a column. In this pane, the status line shows their scores for the selected case.",
    ),
    ("1/3 run 2 of 3", "One of three runs passed; the second of three runs is scored."),
    ("scored 10:42:07", "The time of the last scoring. Without more words, it scored the text of the file."),
)
_OF_TURNS = (
    ("= ~", "The actual value equals the expected one, or it differs."),
    ("- +", "Expected but not called, or called but not expected. Also for arguments and turns."),
    ("↕", "A tool call in another place than expected: call 2 instead of 1."),
)

LEGENDS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "run": (*_OF_CASES, *_OF_CHANGES, *_OF_COLUMNS),
    "watch": (*_OF_CASES, *_OF_CHANGES),
    "why": _OF_TURNS,
    "review": _OF_TURNS,
}
"""Signs with their meanings, by the place where they appear."""

"""The places of losses in a text report: `"book_flight" (turns 1–3), "refund" and 2 other cases`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from evaltui.interop.source_places import THE_SET, SourcePlace
from evaltui.printable import one_line

_MOST_CASES = 3
_MOST_RANGES = 4
_LONGEST_NAME = 60
_RUN = 3
"""The least consecutive turns that are written as a range."""


def places_text(places: Iterable[SourcePlace]) -> str:
    """The first cases, each once with its turns, and the number of the others. Ids of cases are in quotes."""
    turns: dict[str, dict[int, None]] = {}
    for place in places:
        turns.setdefault(_name_of(place), {})[place.turn] = None
    return first_few([_with_turns(name, sorted(found)) for name, found in turns.items()], "case")


def first_few(names: Sequence[str], what: str) -> str:
    """The first names, and the number of the others."""
    more = len(names) - _MOST_CASES
    return ", ".join(names[:_MOST_CASES]) + (f" and {more} other {what}{'s' * (more != 1)}" if more > 0 else "")


def cut_name(name: str) -> str:
    """A name that fits a line; letters may be two cells wide. Safe to show."""
    shown = Text(one_line(name))
    shown.truncate(_LONGEST_NAME, overflow="ellipsis")
    return shown.plain


def _name_of(place: SourcePlace) -> str:
    return f'"{cut_name(place.case)}"' if place.has_id else place.case


def _with_turns(name: str, turns: Sequence[int]) -> str:
    """A case with its turns. Turn 0 is the case itself, which is named only beside turns."""
    if not any(turns):
        return name or THE_SET
    if not name:  # a list of turns has no case
        return _turns_text(turns) if turns[0] else f"{THE_SET}, {_turns_text(turns[1:])}"
    return f"{name} ({_turns_text(turns) if turns[0] else f'case, {_turns_text(turns[1:])}'})"


def _turns_text(turns: Sequence[int]) -> str:
    """Ascending numbers of turns: "turn 2"; "turns 1–3, 5"; the last of many are counted."""
    if len(turns) == 1:
        return f"turn {turns[0]}"
    ranges = _ranges(turns)
    shown = ", ".join(_range_text(each) for each in ranges[:_MOST_RANGES])
    more = sum(map(len, ranges[_MOST_RANGES:]))
    return f"turns {shown}" + (f" and {more} more" if more else "")


def _ranges(turns: Sequence[int]) -> list[list[int]]:
    """Runs of consecutive numbers; a short run becomes single numbers."""
    runs: list[list[int]] = []
    for turn in turns:
        if runs and turn == runs[-1][-1] + 1:
            runs[-1].append(turn)
        else:
            runs.append([turn])
    return [part for run in runs for part in ([run] if len(run) >= _RUN else [[turn] for turn in run])]


def _range_text(turns: Sequence[int]) -> str:
    return f"{turns[0]}–{turns[-1]}" if len(turns) > 1 else str(turns[0])

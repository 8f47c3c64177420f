"""Title and head of the Scores pane: pass rate, changes, scored text, order and filter of the rows."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from evaltui.printable import printable
from evaltui.report.changes_text import FALLEN, RISEN, rate_bar, rate_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import Line
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.panes.form_layout import wrapped

if TYPE_CHECKING:
    from evaltui.runs.run_comparison import RunTotals
    from evaltui.scoring.score_change import ScoreChange

_LAST = 12
"""Most runs in the bar."""
_LEAST = 2
"""Fewest runs for a bar: a single run adds nothing to its number."""
_BETWEEN = " · "
_MARGIN = 2
"""Cells before the line, and between its end and the bar."""
_WITHOUT_BLOCKS = ("linux", "dumb", "vt100", "vt220")
"""Terminals whose fonts lack some of the block characters."""
_NONE = {"failing": "No case fails.", "changed": "No case changed."}


_MOST_SAID = 5
"""Most lines of a message that replaces the cases."""


class HeadPart(NamedTuple):
    """A part of the line of totals."""

    text: str
    role: str
    rank: int
    """If room is short, parts with the highest rank are dropped first."""


def run_title(scores: Scores) -> str:
    """`Scores 9 ✓ 2 ✗ 1 – · paused · live · test_config.json`, `Trial scores 9 ✓ 2 ✗ 1 – · alt+c: write or drop`."""
    facts = scores.facts
    is_trial = scores.trial.criteria is not None
    config = printable(facts.config) if facts is not None and scores.has_any and not is_trial else ""
    config += " · all runs" if facts is not None and facts.all_runs and scores.has_any else ""
    running = scores.progress or ("scoring …" if scores.is_running else "")
    name = "Trial scores" if is_trial else "Scores"
    counted = f"{name} {scores.counted(names_trial=False)}".rstrip()
    end = f"{key_of('criteria')}: write or drop" if scores.trial.is_unwritten else ""
    only = f"only {scores.shown_cases}" if scores.shown_cases != "all" and scores.has_any else ""
    modes = [only, "paused" if scores.is_paused else "", "live" if scores.is_live else ""]
    return " · ".join(filter(None, [counted, running, *modes, end, config]))


def head_lines(scores: Scores, columns: Line, width: int) -> list[Line]:
    """Totals and column names; or a wrapped message if nothing was scored."""
    facts = scores.facts
    if scores.has_any:
        if facts is not None and facts.outdated:
            return [[("  outdated: ", "error"), (printable(facts.outdated), "prose")], columns]
        is_empty = not scores.rows and scores.shown_cases != "all"
        return [totals_line(scores, width), [("  ", ""), (nothing_shown(scores), "prose")] if is_empty else columns]
    role = "error" if facts is not None and facts.trouble else "dim"
    return [[(line, role)] for line in wrapped(why_none(scores), width - 2, _MOST_SAID)]


def totals_line(scores: Scores, width: int, environment: Mapping[str, str] = os.environ) -> Line:
    """`9 of 12 pass (75 %) · ▲2 ▼1 · scored 10:42:07 · sorted: failing first · took 0.12 s`, with the bar of rates."""
    totals = scores.totals()
    parts = [
        HeadPart(rate_text(totals.passed, totals.scored), "name", 0),
        HeadPart(changes_said(totals), "", 1),
        HeadPart(_baseline_said(scores), "accent", 2),
        HeadPart(text_said(scores), "", 3),
        HeadPart(f"sorted: {scores.order}", "dim", 4),
        HeadPart(f"took {scores.took:.2f} s" if scores.took else "", "dim", 5),
    ]
    return parts_line(parts, history_bar(scores, environment), width)


def parts_line(parts: Sequence[HeadPart], bar: str, width: int) -> Line:
    """As many parts as fit into a line, with the bar behind them if it fits."""
    parts = [part for part in parts if part.text]
    room = width - 2 * _MARGIN
    while sum(cell_len(part.text) + len(_BETWEEN) for part in parts) - len(_BETWEEN) > room and len(parts) > 1:
        parts.remove(max(parts, key=lambda part: part.rank))
    line: Line = [("  ", "")]
    for number, part in enumerate(parts):
        line += [(_BETWEEN, "dim")] * (number > 0) + [(part.text, part.role)]
    room = width - sum(cell_len(text) for text, _ in line) - _MARGIN
    said = next((each for each in (f"  last runs {bar}", f"  {bar}") if len(each) <= room), "") if bar else ""
    if said:
        line.append((f"{said} ", "dim"))
    return line


def text_said(scores: Scores) -> str:
    """`scored 10:42:07`, `scored 10:42:07 with unsaved changes` or `live`; "" before the first run."""
    if scores.is_live:
        return "live"
    if scores.text is None:
        return ""
    at = time.strftime("%H:%M:%S", time.localtime(scores.text.time))
    return f"scored {at}{'' if scores.text.is_saved else ' with unsaved changes'}"


def changes_said(totals: RunTotals) -> str:
    """`▲2 ▼1 1 new`; "" without changes."""
    signs = ((RISEN, totals.risen), (FALLEN, totals.fallen))
    words: tuple[ScoreChange, ...] = ("new", "edited")
    counted = [f"{sign}{count:,}" for sign, count in signs if count]
    counted += [f"{count:,} {word}" for word in words if (count := totals.changes.get(word, 0))]
    if same := totals.changes.get("same", 0):
        counted.append(f"{same:,} changed with the same result")
    if lost := totals.changes.get("not_evaluated", 0):
        counted.append(f"{lost:,} not evaluated now")
    return " ".join(filter(None, counted))


def _baseline_said(scores: Scores) -> str:
    past = scores.past
    if past is None or past.baseline_at is None:
        return ""
    is_other = scores.baseline_criteria not in (None, scores.criteria)
    at = time.strftime("%H:%M", time.localtime(past.baseline_at))
    return f"against baseline {at}{', criteria changed' if is_other else ''}"


def history_bar(scores: Scores, environment: Mapping[str, str] = os.environ) -> str:
    """The pass rates of the last runs as a bar; "" after the first run."""
    return bar_of_rates([*scores.past.rates] if scores.past is not None else [], environment)


def bar_of_rates(rates: Sequence[float], environment: Mapping[str, str] = os.environ) -> str:
    """The last pass rates as a bar; "" for a single one."""
    rates = rates[-_LAST:]
    is_plain = environment.get("TERM", "").partition("-")[0] in _WITHOUT_BLOCKS
    return rate_bar(rates, is_plain=is_plain) if len(rates) >= _LEAST else ""


def nothing_shown(scores: Scores) -> str:
    """Why no case passes the filter, and the key that shows all."""
    return none_shown(scores.shown_cases, "run.all")


def none_shown(shown: str, show_all: str) -> str:
    """Why no case passes a filter, and the key of the command that shows all."""
    return f"{_NONE.get(shown, 'No case.')} Press {key_of(show_all)} to show all cases."

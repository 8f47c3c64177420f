"""Title and head of the Scores pane: pass rate, changes, scored text, order and filter of the rows."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.printable import printable
from evaltui.report.scores_text import FALLEN, RISEN, rate_bar, rate_text
from evaltui.tui.commands import key_of
from evaltui.tui.lines import Line, cells_of
from evaltui.tui.open_file.score_sentences import why_none
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.panes.form_layout import wrapped

if TYPE_CHECKING:
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
_CHANGES: Mapping[ScoreChange, str] = {
    "new": "new",
    "edited": "edited",
    "same": "changed with the same result",
    "not_evaluated": "not evaluated now",
}
"""Words for changes without a sign, in the order in which they are counted."""
_LONGEST_MESSAGE = 5
"""Most lines of a message that replaces the cases."""

HeadPart = tuple[str, str, int]
"""A text of the line of totals, its role, and its rank: if room is short, the highest rank is dropped first."""


def head_lines(scores: Scores, columns: Line, width: int) -> list[Line]:
    """Totals and column names; or a wrapped message if nothing was scored."""
    facts = scores.facts
    if not scores.has_any:
        role = "error" if facts is not None and facts.trouble else "dim"
        return [[(line, role)] for line in wrapped(why_none(scores), width - 2, _LONGEST_MESSAGE)]
    if facts is not None and facts.outdated:
        return [[("  outdated: ", "error"), (printable(facts.outdated), "prose")], columns]
    is_empty = not scores.rows and scores.shown_cases != "all"
    nothing: Line = [("  ", ""), (none_shown(scores.shown_cases, "run.all"), "prose")]
    return [_totals_line(scores, width), nothing if is_empty else columns]


def _totals_line(scores: Scores, width: int) -> Line:
    """`9 of 12 pass (75 %) · ▲2 ▼1 · scored 10:42:07 · sorted: failing first · took 0.12 s`, with the bar of rates."""
    past, text = scores.past, scores.text
    baseline = scored = ""
    if past is not None and past.baseline_at is not None:
        is_other = scores.baseline_criteria not in (None, scores.criteria)
        clock = time.strftime("%H:%M", time.localtime(past.baseline_at))
        baseline = f"against baseline {clock}{', criteria changed' if is_other else ''}"
    if scores.is_live:
        scored = "live"
    elif text is not None:
        scored_at, is_saved = text
        clock = time.strftime("%H:%M:%S", time.localtime(scored_at))
        scored = f"scored {clock}{'' if is_saved else ' with unsaved changes'}"
    parts = [
        (rate_text(scores.counts["passed"], scores.counts.total()), "name", 0),
        (counted_changes(scores.changed_counts), "", 1),
        (baseline, "accent", 2),
        (scored, "", 3),
        (f"sorted: {scores.order}", "dim", 4),
        (f"took {scores.took:.2f} s" if scores.took else "", "dim", 5),
    ]
    return parts_line(parts, bar_of_rates([*past.rates] if past is not None else []), width)


def parts_line(parts: Sequence[HeadPart], bar: str, width: int) -> Line:
    """As many parts as fit into a line, with the bar behind them if it fits."""
    fitting = [part for part in parts if part[0]]
    room = width - 2 * _MARGIN
    while sum(cell_len(text) + len(_BETWEEN) for text, _, _ in fitting) - len(_BETWEEN) > room and len(fitting) > 1:
        fitting.remove(max(fitting, key=lambda part: part[2]))
    line: Line = [("  ", "")]
    for number, (text, role, _) in enumerate(fitting):
        line += [(_BETWEEN, "dim")] * (number > 0) + [(text, role)]
    room = width - cells_of(line) - _MARGIN
    if bar and (labels := [label for label in ("  last runs ", "  ") if len(label) + len(bar) <= room]):
        line.append((f"{labels[0]}{bar} ", "dim"))
    return line


def counted_changes(changed: Counter[ScoreChange]) -> str:
    """`▲2 ▼1 1 new`; "" without changes. Cases that pass now have risen, as those with a higher score."""
    signs = ((RISEN, changed["improved"] + changed["higher"]), (FALLEN, changed["regressed"] + changed["lower"]))
    texts = [f"{sign}{count:,}" for sign, count in signs if count]
    counts = ((changed[change], words) for change, words in _CHANGES.items())
    return " ".join([*texts, *(f"{count:,} {words}" for count, words in counts if count)])


def bar_of_rates(rates: Sequence[float], environment: Mapping[str, str] = os.environ) -> str:
    """The last pass rates as a bar; "" for a single one."""
    is_plain = environment.get("TERM", "").partition("-")[0] in _WITHOUT_BLOCKS
    return rate_bar(rates[-_LAST:], is_plain=is_plain) if len(rates) >= _LEAST else ""


def none_shown(selection: str, show_all: str) -> str:
    """Why no case passes a filter, and the key of the command that shows all."""
    return f"{_NONE.get(selection, 'No case.')} Press {key_of(show_all)} to show all cases."

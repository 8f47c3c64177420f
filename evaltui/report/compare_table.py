"""A comparison of two results as a text table: regressions first, with reasons. Ids are never cut."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len
from rich.text import Text

from evaltui.comparison.result_changes import ComparedCase, ComparedResults
from evaltui.printable import printable
from evaltui.report.baseline_changes_text import CHANGE_MARKS, change_word
from evaltui.report.compare_why import why_changed
from evaltui.report.compared_text import is_told, moved, summary_text
from evaltui.report.run_table import wrapped
from evaltui.report.scores_text import short_name
from evaltui.scoring.score_change import ScoreChange

_STYLES: dict[ScoreChange, str] = {
    "regressed": "bold red",
    "not_evaluated": "yellow",
    "lower": "yellow",
    "improved": "green",
    "higher": "green",
}
_INDENT = "    "


def comparison_lines(compared: ComparedResults, width: int) -> Iterator[Text]:
    """The styled lines of a comparison. A line is longer than `width` cells only if an id or a word is."""
    names = [compared.candidate.eval_set_id or compared.base.eval_set_id or ""]
    names += [f"{compared.base.name} → {compared.candidate.name}"]
    yield Text(printable(" · ".join(filter(None, names))), "bold")
    for case in compared.cases:
        yield from _case(case, width)
    yield Text("")
    yield Text(summary_text(compared), "bold")


def _case(case: ComparedCase, width: int) -> Iterator[Text]:
    word = change_word(case.change)
    yield Text(f"{CHANGE_MARKS[case.change]} {printable(case.eval_id)}  {word}", _STYLES.get(case.change, ""))
    if not is_told(case):
        return
    names = [short_name(each.name) for each in case.metrics]
    longest = max(map(cell_len, names), default=0)
    for name, each in zip(names, case.metrics, strict=True):
        before, now = moved(each.base, each.candidate)
        line = Text(f"{_INDENT}{name}{' ' * (longest - cell_len(name))}  {before} → {now}  ")
        yield line + Text(change_word(each.change), _STYLES.get(each.change, ""))
    for sentence in why_changed(case):
        yield from wrapped(sentence, width)

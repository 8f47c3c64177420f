"""The texts of a watch around its table: title, head, the line after a change, and the pages about a case or a set."""

from __future__ import annotations

import time
from collections.abc import Sequence

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, change_texts, rate_text
from evaltui.report.why_text import why_lines
from evaltui.runs.agent_run import duration
from evaltui.runs.watched_runs import CaseKey, ComparedRun
from evaltui.scoring.scored_set import ScoredSet
from evaltui.tui.lines import (
    ERROR,
    FILL,
    OUTDATED,
    STATUS_MARKS,
    WARNING,
    Line,
    cells_of,
    counted,
    cut_in_the_middle,
    sign,
)
from evaltui.tui.panes.form_layout import wrapped
from evaltui.tui.panes.score_head import bar_of_rates, counted_changes, none_shown, parts_line
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.watch.watch_table import WatchState

_MOST_TROUBLES, _MOST_LINES = 3, 3
"""The most sentences about broken sources, and the most lines of each."""
_SOURCE = 40
"""Cells for the path of a source."""
_SHORT = 0.15
"""Seconds of scoring after which the title says so: most runs end before, and the words would only flicker."""
_MOST_WHY = 200
"""The most sentences about one case."""


def title_line(state: WatchState, width: int, clock_time: float) -> Line:
    """Sets and trigger of the run; at the right the work at a monotonic `clock_time`, else time and duration."""
    run, command, seconds = state.run, state.command, clock_time - state.work_began
    name = printable(run.sets[0].subject.name) if len(run.sets) == 1 else f"{len(run.sets):,} eval sets"
    trigger: Line = [(f"  after {sources_text(run)}", "dim")] if run.trigger else []
    clock = time.strftime("%H:%M:%S", time.localtime(run.ended_at))
    work: Line = [(f"{clock}, {run.seconds:.2f} s ", "dim")]
    if command:
        work = [(f"running: {one_line(command, max(10, width // 3))} · {duration(seconds)} ", "accent")]
    elif command is not None and seconds >= _SHORT:
        work = [("scoring … ", "accent")]
    paused: Line = [("paused · ", "accent")] if state.is_paused else []
    right_end: Line = [("  ", ""), *paused, *work]
    room = width - 3 - cells_of([*trigger, *right_end])
    return [(f"  {cut_in_the_middle(name, max(10, width // 2, room))}", "heading"), *trigger, ("", FILL), *right_end]


def sources_text(run: ComparedRun) -> str:
    """The sources whose change started a run: the first, and the number of others."""
    first = cut_in_the_middle(printable(run.trigger[0]), _SOURCE)
    return f"{first} and {len(run.trigger) - 1:,} more" if len(run.trigger) > 1 else first


def head_of_table(state: WatchState, columns: Line, width: int) -> list[Line]:
    """The totals, or sentences about broken sources instead; then the names of the columns."""
    lines: list[Line] = []
    mark = ("outdated: ", "error") if state.is_outdated else WARNING
    for sentence in state.troubles[:_MOST_TROUBLES]:
        first, *rest = wrapped(sentence, width - 3 - len(mark[0]), _MOST_LINES)
        lines.append([("  ", ""), mark, (first, "")])
        lines += [[(f"  {' ' * len(mark[0])}{line}", "")] for line in rest]
    if (more := len(state.troubles) - _MOST_TROUBLES) > 0:
        lines.append([(f"  … {more:,} more sources cannot be used", "dim")])
    # Totals of outdated scores would pass for those of the sources on disk.
    if not state.is_outdated:
        lines.append(_totals_line(state, width))
    if state.row_count:
        return [*lines, columns]
    has_cases = bool(state.results)
    no_cases = "No cases to score. Add a case in the editor: evaltui FILE"
    return [*lines, [(f"  {none_shown(state.shown, 'watch.all') if has_cases else no_cases}", "")]]


def _totals_line(state: WatchState, width: int) -> Line:
    run = state.run
    changes = " ".join(filter(None, [counted_changes(run.changed), f"against {run.baseline}" if run.baseline else ""]))
    config = run.sets[0].criteria.path if len(run.sets) == 1 else None
    parts = [
        (rate_text(run.counts["passed"], run.counts.total()), "name", 0),
        (printable(changes), "", 1),
        (f"only {state.shown}: {state.row_count:,}" if state.shown != "all" else "", "accent", 2),
        (printable(config.name) if config is not None else "", "dim", 4),
        (f"sorted: {state.order}", "dim", 3),
    ]
    return parts_line(parts, bar_of_rates(run.rates), width)


def heading_text(scored_set: ScoredSet) -> str:
    """Sentences about a set as a whole."""
    criteria, files = scored_set.criteria, len(scored_set.recordings)
    config = str(criteria.path) if criteria.path is not None else "google-adk's defaults"
    metrics = "\n".join(f"  {metric.name} ≥ {metric.threshold}" for metric in criteria.judged)
    recordings = counted(files, "file")
    return f"Cases: {len(scored_set.cases):,}\nConfig: {config}\n{metrics}\nRecordings: {recordings}\n"


def outcome_text(run: ComparedRun) -> str:
    """The outcome of a change: `run.json changed: 1 case fails now, 2 cases pass now.`"""
    if run.baseline:
        # The changes are relative to the baseline: this change need not have caused them.
        return f"{sources_text(run)} changed."
    counts = run.changed
    failing, passing = counts.get("regressed", 0), counts.get("improved", 0)
    rest, noun = sum(counts.values()) - failing - passing, "other case" if failing or passing else "case"
    outcomes = [
        f"{counted(failing, 'case')} fail{'s' * (failing == 1)} now" if failing else "",
        f"{counted(passing, 'case')} pass{'es' * (passing == 1)} now" if passing else "",
        f"{counted(rest, noun)} changed" if rest else "",
    ]
    return f"{sources_text(run)} changed: {', '.join(filter(None, outcomes)) or 'no score changed'}."


def why_text(state: WatchState, key: CaseKey, seconds: float) -> str:
    """The page about a case at a time, in seconds since 1970: verdict, scores, change, recording, and all reasons."""
    (set_name, *_), row, result = key, state.facts_of(key, seconds), state.results[key]
    mark = OUTDATED if row.is_outdated else STATUS_MARKS[result.status]
    facts = [f"{sign(mark)} {result.status.replace('_', ' ')}{', outdated' * row.is_outdated}"]
    facts += [f"{metric.name} {against_text(metric)}" for metric in result.metrics if metric.score is not None]
    if row.change is not None and not row.is_outdated:
        facts.append(change_texts(row.change)[0])
    if result.run is not None:
        facts.append(f"Recording: {recording_name(result.run.conversation, 200)}")
    reasons = why_lines(result, state.sets[set_name].criteria, _MOST_WHY) or ["All metrics pass."]
    return "\n".join([*facts, "", *reasons]) + "\n"


def failure_lines(failure: Sequence[str], most: int) -> list[Line]:
    """How the person's command failed, and its last lines; at most `most` lines."""
    if not failure or most < 1:
        return []
    end, *output = failure
    # The reason of a failure mostly stands in the last lines of the output.
    last_lines = output[max(0, len(output) - (most - 1)) :]
    return [[ERROR, (printable(end), "error")], *([(f"  {printable(line)}", "")] for line in last_lines)]

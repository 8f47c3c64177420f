"""The table of a watch: a line for each case, headings of several sets, and notes on the run; the texts around it."""

from __future__ import annotations

import time
from collections.abc import Sequence

from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, case_name, change_texts, rate_text
from evaltui.report.why_text import why_lines
from evaltui.runs.agent_run import duration
from evaltui.runs.run_comparison import RowOrder, ShownCases, select_rows
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
from evaltui.tui.panes.score_columns import Columns, RowFacts, lengths_of
from evaltui.tui.panes.score_head import bar_of_rates, counted_changes, none_shown, parts_line
from evaltui.tui.panes.score_lines import recording_name

TableLine = ScoredSet | CaseKey | str
"""A line of the table: the heading of a set, a case, or a note on the run."""
_MEASURED = 200
"""The number of first rows that are measured for the widths of the columns."""
_MOST_TROUBLES, _MOST_LINES = 3, 3
"""The most sentences about broken sources, and the most lines of each."""
_SOURCE = 40
"""Cells for the path of a source."""
_SHORT = 0.15
"""Seconds of scoring after which the title says so: most runs end before, and the words would only flicker."""
_MOST_WHY = 200
"""The most sentences about one case."""


class WatchState:
    """All that the screen shows, with the lines of its table. Keys and the news of the watch change it."""

    def __init__(self, first: ComparedRun) -> None:
        self.is_paused = False
        self.command: str | None = None
        """The person's command that runs; "" while sets are scored; None between two changes."""
        self.work_began = 0.0
        """When the command or the scoring began, by `time.monotonic`."""
        self.failure: Sequence[str] = ()
        """How the person's command failed, with its last lines."""
        self.is_failure_old = False
        """Whether the look after the failed command is over. The next change then removes the failure."""
        self.shown: ShownCases = "all"
        self.order: RowOrder = "failing first"
        self.lines: list[TableLine] = []
        self.row_count = 0
        """The number of cases among the lines."""
        self.now = time.time()
        """The time for which ages are shown, in seconds since 1970."""
        self.run = first
        self.show_run(first, ())
        self.lay_out(80)

    def show_run(self, run: ComparedRun, troubles: Sequence[str]) -> None:
        """All sources were scored as they are. `troubles` are sentences about deleted ones."""
        if self.is_failure_old and run.trigger and run.ended_at != self.run.ended_at:
            self.failure = ()
        self.run = run
        self.troubles, self.is_outdated = troubles, False
        self.sets = {scored_set.subject.name: scored_set for scored_set in run.sets}
        self.results = {key: result for cases in run.cases.values() for key, result in cases.items()}

    def lay_out(self, width: int) -> None:
        """Choose and sort the lines (cases below the heading of a set, then notes), for a table of `width` cells."""
        self.lines, self.row_count = [], 0
        for name, scored_set in self.sets.items():
            rows = select_rows(self.run.cases[name], self.run.changes, self.shown, self.order)
            # Below a filter, a heading without cases would only take room.
            if len(self.run.sets) > 1 and (rows or self.shown == "all"):
                self.lines.append(scored_set)
            self.lines += rows
            self.row_count += len(rows)
        self.lines += self.run.notes
        # Lines are drawn for the time for which the columns are measured: an age may get one more digit.
        self.now = time.time()
        keys = [line for line in self.lines[:_MEASURED] if isinstance(line, tuple)]
        measured = [self.facts_of(key, self.now) for key in keys]
        longest = lengths_of(measured, has_changes=bool(self.run.changes) and not self.is_outdated)
        criteria = [scored_set.criteria for scored_set in self.run.sets]
        judged = dict.fromkeys(metric.name for part in criteria for metric in part.judged)
        informational = dict.fromkeys(name for part in criteria for name in part.informational)
        self.columns = Columns(width, list(judged), list(informational), longest)

    def facts_of(self, key: CaseKey, time_shown: float) -> RowFacts:
        """All that the line of a case shows at a time, in seconds since 1970."""
        result, recorded_at = self.results[key], None
        if result.run is not None:
            conversation = result.run.conversation
            recorded_at = conversation.recorded_at
            if recorded_at is None:  # formats without times: then the recording is as old as its file
                recorded_at = self.run.written.get(conversation.path)
        age = time_shown - recorded_at if recorded_at is not None else None
        return RowFacts(case_name(result), result, self.is_outdated, self.run.changes.get(key), age)

    def count_of(self, selection: ShownCases) -> int:
        """The number of cases that a filter shows."""
        if selection == "failing":
            return self.run.counts["failed"]
        return self.run.changed.total() if selection == "changed" else len(self.results)

    def identity(self, entry: TableLine) -> object:
        """The case, the note, or the name of the set: its cases and totals may be others."""
        return ("set", entry.subject.name) if isinstance(entry, ScoredSet) else entry

    def line(self, entry: TableLine, width: int) -> Line:
        """A heading, a case or a note."""
        if isinstance(entry, ScoredSet):
            totals = entry.totals
            rate = "outdated" if self.is_outdated else rate_text(totals.counts["passed"], totals.cases)
            return [(printable(entry.subject.name), "heading"), ("", FILL), (f"  {rate} ", "dim")]
        if isinstance(entry, tuple):
            return self.columns.case(self.facts_of(entry, self.now))
        return [WARNING, (printable(entry), "prose")]

    def left_out(self, entry: TableLine | None, width: int) -> str:
        """The facts of a line that do not fit into it."""
        if not isinstance(entry, tuple):
            return ""
        is_cut = cells_of(self.line(entry, width)) > width - 2
        return self.columns.left_out(self.facts_of(entry, self.now), is_cut=is_cut)


# --- the texts around the table ---------------------------------------------------------------------------------------


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

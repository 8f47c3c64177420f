"""Texts of the table of a watch: title, head, headings, effects of a change, and reasons of a verdict."""

from __future__ import annotations

import time

from rich.cells import cell_len

from evaltui.printable import one_line, printable
from evaltui.report.changes_text import change_text, rate_text
from evaltui.report.scores_text import against_text, case_name
from evaltui.report.why_text import why_lines
from evaltui.runs.agent_run import duration
from evaltui.tui.lines import ERROR, FILL, OUTDATED, STATUS_MARKS, WARNING, Line, cut_in_the_middle, sign
from evaltui.tui.panes.form_layout import wrapped
from evaltui.tui.panes.score_head import bar_of_rates, counted_changes, none_shown, parts_line
from evaltui.tui.panes.score_lines import recording_name
from evaltui.tui.watch.shown_run import CaseKey, ShownRun, ShownSet
from evaltui.tui.watch.watch_state import WatchState

_MOST_TROUBLES, _MOST_LINES = 3, 3
"""The most sentences about broken sources, and the most lines of each."""
_SOURCE = 40
"""Cells for the path of a source."""
_SHORT = 0.15
"""Seconds of scoring after which the title says so."""
_MOST_WHY = 200
"""The most sentences about one case."""


def title_line(state: WatchState, width: int, now: float) -> Line:
    """The sets and the trigger of the run; at the right the present work, else the time and duration of the run.

    `now` is by `time.monotonic`.
    """
    run = state.run
    name = printable(run.sets[0].name) if len(run.sets) == 1 else f"{len(run.sets):,} eval sets"
    trigger: Line = [(f"  after {sources_said(run)}", "dim")] if run.trigger else []
    modes: Line = [("paused · ", "accent")] if state.is_paused else []
    behind: Line = [("  ", ""), *modes, *_work_said(state, width, now)]
    left = width - 3 - sum(cell_len(text) for text, _ in [*trigger, *behind])
    shown = cut_in_the_middle(name, max(10, width // 2, left))
    return [(f"  {shown}", "heading"), *trigger, ("", FILL), *behind]


def _work_said(state: WatchState, width: int, now: float) -> Line:
    work, run = state.work, state.run
    if work is not None and work.command:
        return [(f"running: {one_line(work.command, max(10, width // 3))} · {duration(now - work.since)} ", "accent")]
    if work is not None and now - work.since >= _SHORT:
        return [("scoring … ", "accent")]
    at = time.strftime("%H:%M:%S", time.localtime(run.at))
    return [(f"{at}, {run.seconds:.2f} s ", "dim")]


def sources_said(run: ShownRun) -> str:
    """The sources whose change started a run: the first, and the number of others."""
    first = cut_in_the_middle(printable(run.trigger[0]), _SOURCE)
    return f"{first} and {len(run.trigger) - 1:,} more" if len(run.trigger) > 1 else first


def head_of_table(state: WatchState, columns: Line, width: int) -> list[Line]:
    """The totals, or sentences about broken sources instead; then the names of the columns."""
    lines = list(_trouble_lines(state, width))
    if not state.is_outdated:
        lines.append(_totals(state, width))
    if not state.row_count:
        cases = sum(len(each.cases) for each in state.run.sets)
        said = (
            none_shown(state.shown, "watch.all")
            if cases
            else "No cases to score. Add a case in the editor: evaltui FILE"
        )
        return [*lines, [(f"  {said}", "")]]
    return [*lines, columns]


def _trouble_lines(state: WatchState, width: int) -> list[Line]:
    lines: list[Line] = []
    mark = ("outdated: ", "error") if state.is_outdated else (WARNING[0], WARNING[1])
    for sentence in state.troubles[:_MOST_TROUBLES]:
        first, *rest = wrapped(sentence, width - 3 - len(mark[0]), _MOST_LINES)
        lines.append([("  ", ""), mark, (first, "")])
        lines += [[(f"  {' ' * len(mark[0])}{line}", "")] for line in rest]
    if more := len(state.troubles) - _MOST_TROUBLES:
        lines += [[(f"  … {more:,} more sources cannot be used", "dim")]] if more > 0 else []
    return lines


def _totals(state: WatchState, width: int) -> Line:
    run, totals = state.run, state.run.totals
    changes = " ".join(filter(None, [counted_changes(totals), f"against {run.baseline}" if run.baseline else ""]))
    config = run.sets[0].criteria.path if len(run.sets) == 1 else None
    parts = [
        (rate_text(totals.passed, totals.scored), "name", 0),
        (printable(changes), "", 1),
        (f"only {state.shown}: {state.row_count:,}" if state.shown != "all" else "", "accent", 2),
        (printable(config.name) if config is not None else "", "dim", 4),
        (f"sorted: {state.order}", "dim", 3),
    ]
    return parts_line(parts, bar_of_rates(run.rates), width)


def heading_line(each: ShownSet, *, is_outdated: bool) -> Line:
    """The heading of a set: its file, and how many of its cases pass."""
    rate = "outdated" if is_outdated else rate_text(each.totals.passed, each.totals.scored)
    return [(printable(each.name), "heading"), ("", FILL), (f"  {rate} ", "dim")]


def heading_text(each: ShownSet) -> str:
    """Sentences about a set as a whole."""
    config = str(each.criteria.path) if each.criteria.path is not None else "google-adk's defaults"
    files = f"{each.recordings:,} file{'s' * (each.recordings != 1)}"
    criteria = "\n".join(f"  {asked.name} ≥ {asked.threshold}" for asked in each.criteria.judged)
    return f"Cases: {len(each.cases):,}\nConfig: {config}\n{criteria}\nRecordings: {files}\n"


def note_line(sentence: str) -> Line:
    """A note on the run."""
    return [WARNING, (printable(sentence), "prose")]


def run_said(run: ShownRun) -> str:
    """The outcome of a change: `run.json changed: 1 case fails now, 2 cases pass now.`

    With a baseline, the changes are relative to that file, not to this change, so only the sources are named.
    """
    if run.baseline:
        return f"{sources_said(run)} changed."
    counts = run.totals.changes
    said = [_counted(counts.get("regressed", 0), "fail"), _counted(counts.get("improved", 0), "pass")]
    others = sum(counts.values()) - counts.get("regressed", 0) - counts.get("improved", 0)
    found = [each for each in said if each]
    if others:
        found.append(
            f"{others:,} other case{'s' * (others != 1)} changed"
            if found
            else f"{others:,} case{'s' * (others != 1)} changed"
        )
    return f"{sources_said(run)} changed: {', '.join(found) or 'no score changed'}."


def _counted(count: int, verb: str) -> str:
    word = f"{verb}{'es' if verb == 'pass' else 's'}" if count == 1 else verb
    return f"{count:,} case{'s' * (count != 1)} {word} now" if count else ""


def why_text(state: WatchState, key: CaseKey, now: float) -> str:
    """The page about a case: its verdict, scores, change and recording, then all reasons."""
    row = state.facts_of(key, now)
    result = row.result
    if result is None:
        return "This case is not scored yet.\n"
    mark = OUTDATED if row.is_outdated else STATUS_MARKS[result.status]
    head = [f"{sign(mark)} {result.status.replace('_', ' ')}{', outdated' * row.is_outdated}"]
    head += [f"{each.name} {against_text(each)}" for each in result.metrics if each.score is not None]
    if row.change is not None and not row.is_outdated:
        head.append(change_text(row.change).whole)
    if result.run is not None:
        head.append(f"Recording: {recording_name(result.run.conversation, 200)}")
    why = why_lines(result, state.set_of(key).criteria, _MOST_WHY)
    return "\n".join([*head, "", *(why or ["All metrics pass."])]) + "\n"


def why_title(state: WatchState, key: CaseKey) -> str:
    """The title of the page: the case, and the time of the run."""
    at = time.strftime("%H:%M:%S", time.localtime(state.run.at))
    result = state.facts_of(key, state.run.at).result
    name = case_name(result) if result is not None else key.eval_id
    return f"{one_line(name, 60)} · {at}"


def failure_lines(state: WatchState, most: int) -> list[Line]:
    """How the person's command failed, and its last lines; at most `most` lines."""
    if not state.failure or most < 1:
        return []
    first, *output = state.failure
    kept = output[len(output) - (most - 1) :] if len(output) > most - 1 else output
    return [[ERROR, (printable(first), "error")], *([(f"  {printable(line)}", "")] for line in kept)]

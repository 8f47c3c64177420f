"""The explanation of the scores of a turn or case (Why), as lines above and below its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len

from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import turns_of
from evaltui.evalset.keys import text_of as text_of_member
from evaltui.evalset.turn import NOT_RECORDED
from evaltui.printable import one_line, printable
from evaltui.recordings.matching import MATCHED_BY, NO_RECORDING
from evaltui.report.scores_text import against_text, date_text, failing_first, mean_text, short_name
from evaltui.report.why_text import reasons_of_turn
from evaltui.review.compared_rows import ComparedRow, rows_of_turn
from evaltui.scoring.call_alignment import common_subsequence
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.metrics.metric import NOTHING_STATED
from evaltui.scoring.metrics.tool_trajectory import CallsExplained
from evaltui.scoring.words import WordsCompared
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.row_drawing import first_name, one_line_of
from evaltui.tui.forms.form import WhyLine
from evaltui.tui.lines import (
    COUNTING,
    ERROR,
    FILL,
    NO_MARK,
    OUTDATED,
    STATE_MARKS,
    STATUS_MARKS,
    Line,
    behind_start,
    cells_of,
    folded,
)
from evaltui.tui.open_file.score_places import is_unscored
from evaltui.tui.open_file.score_sentences import not_scored_yet
from evaltui.tui.panes.score_lines import cell_text, metric_text, recording_name, runs_said
from evaltui.tui.recordings.conversation_facts import runs_of

if TYPE_CHECKING:
    from evaltui.review.review_items import ComparedTurn
    from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, TurnScores
    from evaltui.tui.open_file.set_scores import Scores

_MOST_ROWS, _MOST_WORDS, _MOST_TEXT, _MOST_RUNS = 100, 60, 4_000, 12
"""Most calls, words, characters and (newest) runs that are shown; the rest is counted."""
_UNITS = {"invocation_duration_v1": " s", "token_usage_v1": " tokens"}


def why(scores: Scores, node: Node, width: int) -> tuple[Sequence[Line], Sequence[WhyLine]]:
    """The lines above and below the form of a turn or case that explain its last scores; none for other values.

    A turn without scores has the reason of its case, such as a missing recording.
    """
    lines = _WhyLines(width)
    if is_unscored(scores, node):
        lines.add([("Why", "heading")], gap=1)
        lines.wrap([STATUS_MARKS["not_evaluated"]], not_scored_yet(scores), "dim")
        return (), lines.lines
    case = scores.case_around(node)
    result = scores.of(case) if case is not None else None
    if case is None or result is None:
        return (), ()
    turn = scores.turn(node)
    if turn is None and node is not case and not (result.reason and node in turns_of(case)):
        return (), ()
    is_stale = case in scores.stale
    outdated = scores.why_outdated(case) if is_stale else ""
    runs = f"{runs_said(result, is_turn=turn is not None)} · ".removeprefix(" · ")
    room = width - len(" Why   ") - len(runs)
    source = "" if result.run is None and result.reason else recording_text(result.run, room)
    lines.add([("Why", "heading"), (f"  {runs}{source}", "dim")], gap=1)
    if is_stale:
        advice = f"Outdated: {printable(outdated)}. Press {key_of('run.again')} to score again."
        lines.add([OUTDATED, (advice, "dim")])
    if turn is not None:
        item = scores.compared_turns.item(case, turn.number)
        if item is not None and item.compared is not None:
            means = {metric.name: mean_text(metric) for metric in result.metrics}
            calls = scored_calls(node, turn)
            lines.add_turn(item.compared, calls, means if turn.metrics != result.metrics else {})
        if node is case:  # a dataset has one turn to score
            lines.add_grades(result.metrics)
    elif node is not case:
        lines.add_reason(result)
    else:
        lines.add_case(result, turns_of(case) if not is_stale else [])
    if node is case:
        for line in _run_lines(scores, case, result):
            lines.add(line)
    metrics = turn.metrics if turn is not None else result.metrics
    return [_verdicts(metrics, result, outdated, width)], lines.lines


def scored_calls(turn: Node, scores: TurnScores) -> list[Node | None]:
    """The nodes of the calls that were expected when the turn was scored; None for deleted ones.

    Calls are matched by name, in order: calls may have been added or deleted since.
    """
    expected = scores.expected.calls
    # If a turn has calls in both shapes of intermediate_data, google-adk reads only those of the second.
    nodes = [use.node for use in expected_uses(turn)][-len(expected) :] if expected else []
    numbers: dict[str, int] = {}
    names = [numbers.setdefault(text_of_member(node, "name"), len(numbers)) for node in nodes]
    scored_names = [numbers.setdefault(call.name or "", len(numbers)) for call in expected]
    pairs = dict(common_subsequence(scored_names, names))
    return [nodes[pairs[index]] if index in pairs else None for index in range(len(expected))]


def recording_text(run: CaseRun | None, width: int) -> str:
    """The name of a recording, with its time if that fits into `width` cells."""
    if run is None:
        return "no recording"
    conversation = run.conversation
    time = f", {date_text(conversation.recorded_at)}" if conversation.recorded_at is not None else ""
    name = recording_name(conversation)
    return f"{name}{time}" if cell_len(name) + len(time) <= width else recording_name(conversation, max(8, width))


def _verdicts(metrics: Sequence[MetricScore], result: CaseResult, outdated: str, width: int) -> Line:
    """All verdicts on one line; if they are outdated, the reason `outdated` instead."""
    if outdated:
        return [OUTDATED, (f"outdated: {printable(outdated)}", "dim")]
    if result.reason:
        return [STATUS_MARKS[result.status], (printable(result.reason), "prose")]
    line: Line = []
    for metric in failing_first(metrics):
        if metric.status != "informational":
            line += [("   ", "")] * bool(line)
            line += [STATUS_MARKS[metric.status], (f"{short_name(metric.name)} {against_text(metric)}", "prose")]
    hint = "    why: below "
    return [*line, ("", FILL), (hint, "dim")] if cells_of(line) + len(hint) <= width else line


class _WhyLines:
    """Collects lines, wrapped to a width."""

    def __init__(self, width: int) -> None:
        self._width = max(20, width - 1)
        self.lines: list[WhyLine] = []

    def add(
        self,
        *lines: Line,
        gap: int = 0,
        row: ComparedRow | None = None,
        target: Node | None = None,
        value: Node | None = None,
    ) -> None:
        """Add lines that are selected together, with a `gap` of empty lines above; a long line is cut later."""
        self.lines.append(WhyLine(("why", len(self.lines)), lines, gap, row, target, value))

    def wrap(self, start: Line, text: str, role: str = "", row: ComparedRow | None = None) -> None:
        """Add a wrapped text, indented below its start."""
        lines = folded(text, max(10, self._width - cells_of(start))) or [""]
        self.add(*behind_start(start, [[(line, role)] for line in lines]), row=row)

    # --- a case ------------------------------------------------------------------------------------------------

    def add_reason(self, result: CaseResult) -> None:
        """The reason that holds for the whole case, and the keys that give it a recording."""
        self.wrap([STATUS_MARKS[result.status]], result.reason or "")
        if result.run is None and result.reason in (NO_RECORDING, NOTHING_STATED):
            keys = key_of("list.recordings"), key_of("agent.run")
            advice = f"Press {keys[0]} to add a recording, or {keys[1]} to run the agent."
            if result.reason == NOTHING_STATED:
                advice = f"Write the expected tool calls or a reference, or accept what is recorded. {advice}"
            self.wrap([("  ", "")], advice, "dim")

    def add_case(self, result: CaseResult, turns: Sequence[Node]) -> None:
        """`turns` are the nodes of the turns; empty if the case was edited after it was scored."""
        if result.reason:
            self.add_reason(result)
        for metric in failing_first(result.metrics):
            # Without a score, most metrics only repeat the reason of the case.
            repeats = bool(result.reason) and metric.score is None and metric.reason in (None, "", result.reason)
            if metric.status != "informational" and not repeats:
                self._add_metric(metric, known_reason=result.reason)
        if (run := result.run) is not None:
            conversation, how = run.conversation, MATCHED_BY[run.matched_by]
            self.wrap([("  recording  ", "dim")], f"{conversation.path} · {conversation.id} · matched {how}")
            for turn in run.turns:
                if failed := [metric for metric in turn.metrics if metric.status == "failed"]:
                    scores = ", ".join(f"{short_name(metric.name)} {against_text(metric)}" for metric in failed)
                    node = turns[turn.number - 1] if turn.number <= len(turns) else None
                    row = ComparedRow(f"turn {turn.number}", "turn") if node is not None else None
                    self.add([ERROR, (f"turn {turn.number}  ", ""), (scores, "dim")], row=row, target=node)
        self._add_informational(result.metrics, "  means per turn")
        self.add_grades(result.metrics)

    def _add_metric(
        self, metric: MetricScore, mean: str = "", row: ComparedRow | None = None, known_reason: str | None = None
    ) -> None:
        score = "" if metric.score is None else cell_text(metric).removeprefix(STATUS_MARKS[metric.status][0])
        is_asked = metric.score is None and metric.threshold is not None
        texts = (
            f"{score or metric.status.replace('_', ' ')}{mean}",
            f"threshold {metric.threshold:g}" if is_asked else "",
            metric.reason if metric.reason and metric.reason != known_reason else "",
            f"recorded {date_text(metric.recorded_at)}" if metric.recorded_at is not None else "",
        )
        start: Line = [STATUS_MARKS[metric.status], (f"{printable(metric.name)} ", "name")]
        self.wrap(start, " · ".join(filter(None, texts)), row=row)

    def _add_informational(self, metrics: Sequence[MetricScore], remark: str = "") -> None:
        scored = [
            metric
            for metric in metrics
            if metric.status == "informational" and not metric.is_grade and metric.score is not None
        ]
        if scored:
            texts = (f"{short_name(metric.name)} {cell_text(metric)}{_UNITS.get(metric.name, '')}" for metric in scored)
            self.add([("Informational", "heading"), (remark, "dim")], gap=1)
            self.wrap([("  ", "")], " · ".join(texts), "dim")

    def add_grades(self, metrics: Sequence[MetricScore]) -> None:
        """The scores of graders in the recording, and why a grader has none."""
        informational = [metric for metric in metrics if metric.status == "informational"]
        if grades := [metric for metric in informational if metric.is_grade or metric.recorded_at is not None]:
            self.add([("Recorded", "heading"), ("  scores of graders, without a verdict", "dim")], gap=1)
            for metric in grades:
                time = f" · {date_text(metric.recorded_at)}" if metric.recorded_at is not None else ""
                reason = f" · {metric.reason}" if metric.score is None else ""
                self.wrap([(f"  {printable(metric.name)} ", "name")], f"{cell_text(metric)}{time}{reason}")

    # --- a turn ------------------------------------------------------------------------------------------------

    def add_turn(self, turn: ComparedTurn, calls: Sequence[Node | None], means: Mapping[str, str]) -> None:
        """`calls` are the nodes of the expected calls; `means` says if a metric that fails here passes in the case."""
        rows = rows_of_turn(turn)
        response = next(row for row in rows if row.key == "response")
        # A line that tells of words accepts the response, but has neither text to copy.
        words_row = response._replace(expected=ABSENT, actual=ABSENT)
        has_calls = False
        for metric, explanation, sentences, hint in reasons_of_turn(turn):
            row = words_row if isinstance(explanation, WordsCompared) else None
            self._add_metric(metric, means.get(metric.name, "") if metric.status == "failed" else "", row)
            for sentence in (*sentences, *([f"{hint} (press {key_of('criteria')} to try)"] if hint else [])):
                self.wrap([("    ", "")], sentence, row=row)
            if isinstance(explanation, CallsExplained) and not has_calls:
                self._add_calls(rows, calls)
                has_calls = True
            elif isinstance(explanation, WordsCompared):
                self._add_words(explanation, words_row)
        # No metric compares the calls. Those that nothing is recorded about are in the form already.
        if not has_calls and any(row.kind == "call" and (row.state != "unmarked" or row.changes) for row in rows):
            self.add([("Tool calls", "heading")], gap=1)
            self._add_calls(rows, calls)
        text = turn.scores.actual.response
        row = response if text else words_row
        self.add([("Actual response", "heading")], gap=1, row=row)
        if text:
            more = f"\n… {len(text):,} characters in all" if len(text) > _MOST_TEXT else ""
            self.wrap([("  ", "")], text[:_MOST_TEXT] + more, row=row)
        else:
            is_recorded = "response" not in turn.scores.actual.unrecorded
            self.add([("  no text" if is_recorded else f"  {NOT_RECORDED}", "dim")], row=row)
        self._add_informational(turn.scores.metrics)

    def _add_calls(self, rows: Sequence[ComparedRow], calls: Sequence[Node | None]) -> None:
        call: Node | None = None
        number = 0
        for row in rows:
            if row.kind == "call":
                number += 1
                index = row.place.call if row.place is not None else None
                call = calls[index] if index is not None else None
            if number > _MOST_ROWS or (row.expected is row.actual and not row.changes):
                continue  # the metric says that calls are not recorded
            if row.kind == "call":
                self.add(one_line_of(row), row=row, target=call)
            elif row.kind == "argument" and row.state not in ("matched", "unmarked"):
                args = call.member("args") if call is not None else None
                value = args.member(first_name(row)) if args is not None and args.kind == "object" else None
                self.add(one_line_of(row), row=row, target=call, value=value)
        if number > _MOST_ROWS:
            self.add([(f"    … {number - _MOST_ROWS} more calls", "dim")])

    def _add_words(self, words: WordsCompared, row: ComparedRow) -> None:
        counts = f"precision {words.precision:.2f} · recall {words.recall:.2f}"
        self.add([("    ", ""), (counts, "dim")], row=row)
        for state, name, texts in (("missing", "missing", words.missing), ("extra", "added", words.added)):
            if texts:
                shown = [one_line(text, 40) for text in texts[:_MOST_WORDS]]
                more = [f"… {len(texts) - _MOST_WORDS} more"] if len(texts) > _MOST_WORDS else []
                self.wrap([("    ", ""), STATE_MARKS[state], (f"{name}  ", "dim")], " ".join([*shown, *more]), row=row)


# --- the runs of a case ----------------------------------------------------------------------------------------------


def _run_lines(scores: Scores, case: Node, result: CaseResult) -> Iterator[Line]:
    """The lines of the runs of a case, newest last, after a heading; none if there is only one run."""
    matches = runs_of(scores, case)
    if len(matches) < 2:
        return
    texts = (
        f"passed {result.passed_runs} of {len(result.runs)} runs" if result.runs is not None else "",
        f"the score is from run {result.run_number:,} of {len(matches):,}",
        f"{key_of('list.runs')}: choose another run",
    )
    yield [("  runs  ", "dim"), (" · ".join(filter(None, texts)), "")]
    scored = result.runs if result.runs is not None and len(result.runs) == len(matches) else None
    first = max(0, len(matches) - _MOST_RUNS)
    if first:
        yield [(f"    … {first:,} earlier runs", "dim")]
    for number, match in enumerate(matches[first:], first + 1):
        is_counting = number == result.run_number
        run = scored[number - 1] if scored is not None else result.run if is_counting else None
        recorded_at = match.conversation.recorded_at
        time = date_text(recorded_at) if recorded_at is not None else "time unknown"
        mark = COUNTING if is_counting else NO_MARK
        name = recording_name(match.conversation)
        line: Line = [("    ", ""), mark, (f"{number:>3}  {time}  ", "dim"), (name, "")]
        if run is not None:  # its verdict, with its lowest score
            deciding = [metric for metric in run.metrics if metric.status == run.status and metric.score is not None]
            lowest = min(deciding, key=lambda metric: metric.score or 0.0, default=None)
            text = metric_text(lowest) if lowest is not None else run.status.replace("_", " ")
            line += [("  ", ""), STATUS_MARKS[run.status], (text, "dim")]
        yield line

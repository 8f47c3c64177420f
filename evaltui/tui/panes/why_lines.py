"""The explanation of the scores of a turn or case (Why), as lines above and below its form."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len

from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.evalset.case_file import turns_of
from evaltui.evalset.keys import text_of as text_of_member
from evaltui.evalset.turn import NOT_RECORDED
from evaltui.printable import one_line, printable
from evaltui.report.scores_text import against_text, date_text, failing_first, mean_text, short_name
from evaltui.tui.commands import key_of
from evaltui.tui.comparison.row_drawing import recorded_call_line
from evaltui.tui.forms.form import Why, WhyLine, WhySubject
from evaltui.tui.lines import (
    ERROR,
    FILL,
    OUTDATED,
    STATE_MARKS,
    STATUS_MARKS,
    Line,
    behind_start,
    cells_of,
    folded,
    text_of,
    value_text,
)
from evaltui.tui.open_file.score_places import is_unscored
from evaltui.tui.open_file.score_sentences import not_scored_yet
from evaltui.tui.panes.case_run_lines import run_lines
from evaltui.tui.panes.score_lines import cell_text, recording_name, runs_said
from evaltui.tui.recordings.conversation_facts import MATCHED_BY

if TYPE_CHECKING:
    from evaltui.scoring.call_alignment import Row
    from evaltui.scoring.call_equality import ArgumentDifference
    from evaltui.scoring.metrics.metric import Explanation
    from evaltui.scoring.metrics.response_match import ResponseExplained
    from evaltui.scoring.metrics.tool_trajectory import CallsExplained
    from evaltui.scoring.results import CaseResult, CaseRun, MetricScore, TurnScores
    from evaltui.tui.open_file.set_scores import Scores

_DIFFERS = {"value_differs": "", "type_differs": "type differs", "missing": "is missing", "extra": "not expected"}
_SIDES = ("expected", "actual")
_MOST_ROWS, _MOST_WORDS, _MOST_TEXT = 100, 60, 4_000
"""Most rows, words and characters that are shown; the rest is counted."""


def why(scores: Scores, node: Node, width: int) -> Why:
    """The explanation of the last scores of a turn or case; empty for other values.

    A turn without scores has the reason of its case, such as a missing recording.
    """
    if is_unscored(scores, node):
        return _why_of_new(scores, width)
    case = scores.case_around(node)
    scored = scores.of(case) if case is not None else None
    if case is None or scored is None:
        return Why()
    turn = scores.turn(node)
    if turn is None and node is not case and not (scored.result.reason and node in turns_of(case)):
        return Why()
    is_stale, run = case in scores.stale, scored.result.run
    outdated = scores.why_outdated(case) if is_stale else ""
    metrics = turn.metrics if turn is not None else scored.result.metrics
    told = _Telling(width)
    runs = f"{runs_said(scored.result, is_turn=turn is not None)} · ".removeprefix(" · ")
    room = width - len(" Why   ") - len(runs)
    said = "" if run is None and scored.result.reason else recording_said(run, room)
    told.say([("Why", "heading"), (f"  {runs}{said}", "dim")], gap=1)
    if is_stale:
        told.say([OUTDATED, (f"Outdated: {printable(outdated)}. Press {key_of('run.again')} to score again.", "dim")])
    if turn is not None:
        means = {each.name: mean_text(each.status, each.score, each.threshold) for each in scored.result.metrics}
        _tell_turn(told, turn, scores, scored_calls(node, turn), means if turn.metrics != scored.result.metrics else {})
        if node is case:  # a dataset has one turn to score
            _tell_grades(told, scored.result.metrics)
            for line in run_lines(scores, case, scored.result):
                told.say(line)
    elif node is not case:
        _tell_reason(told, scored.result)
    else:
        _tell_case(told, scored.result, turns_of(case) if not is_stale else [])
        for line in run_lines(scores, case, scored.result):
            told.say(line)
    return Why((_verdicts(metrics, scored.result, outdated, width),), tuple(told.told))


def _why_of_new(scores: Scores, width: int) -> Why:
    """The explanation of a case or turn that was added since the run."""
    told = _Telling(width)
    told.say([("Why", "heading")], gap=1)
    told.wrap([STATUS_MARKS["not_evaluated"]], not_scored_yet(scores), "dim")
    return Why(below=tuple(told.told))


class _Place(NamedTuple):
    """The target of a line and the value it is about, as in `Explanation`."""

    target: Node | None = None
    at: Node | None = None
    nowhere: str = ""
    value: Callable[[], bytes] | None = None
    side: str = ""
    subject: WhySubject | None = None

    def about(self, value: Any, side: str) -> _Place:
        """The same place, for a line about an expected or actual value."""
        return self._replace(value=lambda: _json(value), side=side)


_NOWHERE = _Place()
_RESPONSE = _Place(subject=WhySubject(is_response=True))
_ONLY_RECORDED = _Place(nowhere="Only the recording has this tool call, so there is no form for it.")


def scored_calls(turn: Node, scores: TurnScores) -> list[Node | None]:
    """The nodes of the calls that were expected when the turn was scored; None for deleted ones.

    Calls are matched by name, in order: calls may have been added or deleted since.
    """
    from evaltui.scoring.call_alignment import common_subsequence

    expected = scores.expected.calls
    # If a turn has calls in both shapes of intermediate_data, google-adk reads only those of the second.
    nodes = [use.node for use in expected_uses(turn).calls][-len(expected) :] if expected else []
    numbers: dict[str, int] = {}
    now = [numbers.setdefault(text_of_member(node, "name"), len(numbers)) for node in nodes]
    before = [numbers.setdefault(call.name or "", len(numbers)) for call in expected]
    found = dict(common_subsequence(before, now))
    return [nodes[found[at]] if at in found else None for at in range(len(expected))]


def _place_of(call: Node | None) -> _Place:
    return _Place(call) if call is not None else _Place(nowhere="This tool call is no longer in the set.")


class _Telling:
    """Collects lines, wrapped to a width."""

    def __init__(self, width: int) -> None:
        self._width = max(20, width - 1)
        self.told: list[WhyLine] = []

    def say(self, line: Line, *, gap: int = 0, to: _Place = _NOWHERE) -> None:
        """Add a line, cut to the width, with a `gap` of empty lines above."""
        self._add([line], text_of(line).strip(), gap, to)

    def wrap(self, start: Line, text: str, role: str = "", to: _Place = _NOWHERE) -> None:
        """Add a wrapped text, indented below its start."""
        lines = folded(text, max(10, self._width - cells_of(start))) or [""]
        self._add(behind_start(start, [[(line, role)] for line in lines]), text, to=to)

    def _add(self, lines: Sequence[Line], text: str, gap: int = 0, to: _Place = _NOWHERE) -> None:
        self.told.append(WhyLine(("why", len(self.told)), tuple(lines), text, gap, *to))


def recording_said(run: CaseRun | None, width: int) -> str:
    """The name of a recording, with its time if that fits into `width` cells."""
    if run is None:
        return "no recording"
    at = f", {date_text(run.conversation.recorded_at)}" if run.conversation.recorded_at is not None else ""
    name = recording_name(run.conversation)
    return f"{name}{at}" if cell_len(name) + len(at) <= width else recording_name(run.conversation, max(8, width))


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
    where = "    why: below "
    return [*line, ("", FILL), (where, "dim")] if cell_len(text_of(line)) + len(where) <= width else line


# --- a case ----------------------------------------------------------------------------------------------------


def _tell_reason(told: _Telling, result: CaseResult) -> None:
    """The reason that holds for the whole case, and the keys that give it a recording."""
    from evaltui.recordings.matching import NO_RECORDING
    from evaltui.scoring.metrics.metric import NOTHING_STATED

    told.wrap([STATUS_MARKS[result.status]], result.reason or "")
    if result.run is None and result.reason in (NO_RECORDING, NOTHING_STATED):
        adds, runs = key_of("list.recordings"), key_of("agent.run")
        advice = f"Press {adds} to add a recording, or {runs} to run the agent."
        if result.reason == NOTHING_STATED:
            advice = f"Write the expected tool calls or a reference, or accept what is recorded. {advice}"
        told.wrap([("  ", "")], advice, "dim")


def _tell_case(told: _Telling, result: CaseResult, turns: Sequence[Node]) -> None:
    """`turns` are the nodes of the turns; empty if the case was edited after it was scored."""
    if result.reason:
        _tell_reason(told, result)
    for metric in failing_first(result.metrics):
        # Without a score, most metrics only repeat the reason of the case.
        is_told = bool(result.reason) and metric.score is None and metric.reason in (None, "", result.reason)
        if metric.status != "informational" and not is_told:
            _tell_metric(told, metric, known=result.reason)
    run = result.run
    if run is not None:
        how = MATCHED_BY[run.matched_by]
        told.wrap([("  recording  ", "dim")], f"{run.conversation.path} · {run.conversation.id} · matched {how}")
        for turn in run.turns:
            failed = [each for each in turn.metrics if each.status == "failed"]
            if failed:
                scores = ", ".join(f"{short_name(each.name)} {against_text(each)}" for each in failed)
                node = turns[turn.number - 1] if turn.number <= len(turns) else None
                to = _Place(node, subject=WhySubject(turn=node) if node is not None else None)
                told.say([ERROR, (f"turn {turn.number}  ", ""), (scores, "dim")], to=to)
    _tell_informational(told, result.metrics, "  means per turn")
    _tell_grades(told, result.metrics)


def _tell_metric(
    told: _Telling, metric: MetricScore, known: str | None = None, to: _Place = _NOWHERE, mean: str = ""
) -> None:
    start: Line = [STATUS_MARKS[metric.status], (f"{printable(metric.name)} ", "name")]
    score = "" if metric.score is None else cell_text(metric).removeprefix(STATUS_MARKS[metric.status][0])
    asked = f"threshold {metric.threshold:g}" if metric.score is None and metric.threshold is not None else ""
    at = f"recorded {date_text(metric.recorded_at)}" if metric.recorded_at is not None else ""
    reason = metric.reason if metric.reason and metric.reason != known else ""
    said = f"{score or metric.status.replace('_', ' ')}{mean}"
    told.wrap(start, " · ".join(filter(None, [said, asked, reason, at])), to=to)


# --- a turn ----------------------------------------------------------------------------------------------------


def _tell_turn(
    told: _Telling, turn: TurnScores, scores: Scores, calls: Sequence[Node | None], means: Mapping[str, str]
) -> None:
    """`means` says of a metric that fails in the turn whether it passes in the case."""
    from evaltui.scoring.case_scores import explain
    from evaltui.scoring.metrics.response_match import ResponseExplained
    from evaltui.scoring.metrics.tool_trajectory import CallsExplained

    criteria = scores.criteria
    for metric in failing_first([each for each in turn.metrics if each.status != "informational"]):
        explained = explain(turn, metric.name, criteria) if criteria is not None else None
        to = _RESPONSE if isinstance(explained, ResponseExplained) else _NOWHERE
        _tell_metric(told, metric, to=to, mean=means.get(metric.name, "") if metric.status == "failed" else "")
        for sentence in _faults(explained):
            told.wrap([("    ", "")], sentence, to=to)
        if isinstance(explained, CallsExplained):
            _tell_calls(told, explained, turn, calls)
        elif isinstance(explained, ResponseExplained):
            _tell_words(told, explained)
    _tell_actual(told, turn)
    _tell_informational(told, turn.metrics)


def _faults(explained: Explanation | None) -> tuple[str, ...]:
    """The sentences on a score. The words of a response that differ have lines of their own."""
    from evaltui.scoring.metrics.response_match import ResponseExplained

    if isinstance(explained, ResponseExplained):
        return explained.counted_sentences
    tries = f" (press {key_of('criteria')} to try)"
    sentences = explained.sentences if explained is not None else ()
    return tuple(f"{each}{tries * each.startswith('the tool calls would pass')}" for each in sentences)


_UNITS = {"invocation_duration_v1": " s", "token_usage_v1": " tokens"}


def _tell_informational(told: _Telling, metrics: Sequence[MetricScore], remark: str = "") -> None:
    informational = [each for each in metrics if each.status == "informational" and not each.is_grade]
    known = [each for each in informational if each.score is not None]
    if known:
        shown = (f"{short_name(each.name)} {cell_text(each)}{_UNITS.get(each.name, '')}" for each in known)
        told.say([("Informational", "heading"), (remark, "dim")], gap=1)
        told.wrap([("  ", "")], " · ".join(shown), "dim")


def _tell_grades(told: _Telling, metrics: Sequence[MetricScore]) -> None:
    """The scores of graders in the recording, and why a grader has none."""
    known = [each for each in metrics if each.status == "informational"]
    if grades := [each for each in known if each.is_grade or each.recorded_at is not None]:
        told.say([("Recorded", "heading"), ("  scores of graders, without a verdict", "dim")], gap=1)
        for each in grades:
            at = f" · {date_text(each.recorded_at)}" if each.recorded_at is not None else ""
            why = f" · {each.reason}" if each.score is None else ""
            told.wrap([(f"  {printable(each.name)} ", "name")], f"{cell_text(each)}{at}{why}")


def _tell_calls(told: _Telling, explained: CallsExplained, turn: TurnScores, calls: Sequence[Node | None]) -> None:
    for row in explained.rows[:_MOST_ROWS]:
        call = calls[row.expected] if row.expected is not None else None
        to = _place_of(call) if row.expected is not None else _ONLY_RECORDED
        told.say(_row(row, turn), to=_about_call(to, row, turn))
        for difference in row.arguments or ():
            if difference.state != "equal":
                at = _argument(call, difference.pointer) if call is not None else None
                subject = WhySubject(actual_call=row.actual, pointer=difference.pointer)
                told.say(_difference(difference), to=_about_argument(to._replace(at=at, subject=subject), difference))
    if len(explained.rows) > _MOST_ROWS:
        told.say([(f"    … {len(explained.rows) - _MOST_ROWS} more calls", "dim")])


def _about_call(to: _Place, row: Row, turn: TurnScores) -> _Place:
    """The place of an actual call, which is not in the set; without one, of the expected call."""
    is_actual = row.actual is not None
    calls, at = (turn.actual.calls, row.actual) if is_actual else (turn.expected.calls, row.expected)
    assert at is not None
    call: dict[str, Any] = {"name": calls[at].name, "args": calls[at].args if calls[at].has_args else None}
    about = to.about({name: value for name, value in call.items() if value is not None}, _SIDES[is_actual])
    gone = None if is_actual else turn.expected.calls[at]
    return about._replace(subject=WhySubject(actual_call=row.actual, expected_call=row.expected, call=gone))


def _about_argument(to: _Place, difference: ArgumentDifference) -> _Place:
    is_actual = difference.state != "missing"
    return to.about(difference.actual if is_actual else difference.expected, _SIDES[is_actual])


def _row(row: Row, turn: TurnScores) -> Line:
    place = row.expected if row.expected is not None else row.actual
    calls = turn.expected.calls if row.expected is not None else turn.actual.calls
    assert place is not None
    said = row.remark
    line: Line = [("    ", ""), STATE_MARKS[row.state], *recorded_call_line(calls[place], 30)]
    return [*line, ("", FILL), (f"  {said} ", "dim")] if said else line


def _argument(call: Node, pointer: str) -> Node | None:
    """The argument around the value at a pointer; None if the call does not have it."""
    args = call.member("args")
    name = pointer.removeprefix("/").partition("/")[0].replace("~1", "/").replace("~0", "~")
    return args.member(name) if args is not None and args.kind == "object" else None


def _difference(difference: ArgumentDifference) -> Line:
    name = one_line(difference.pointer.removeprefix("/"), 40) or "args"
    line: Line = [("        ", ""), (f"{name}  ", "dim")]
    if difference.state != "extra":
        line += [(_typed(difference.expected), "")]
    if difference.state not in ("missing", "extra"):
        line += [(" → ", "dim")]
    if difference.state != "missing":
        line += [(_typed(difference.actual), "")]
    said = _DIFFERS[difference.state]
    return [*line, ("", FILL), (f"  {said} ", "dim")] if said else line


def _json(value: Any) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # lone surrogates, which JSON can escape and UTF-8 cannot encode
        return json.dumps(value).encode()


_KINDS = {str: "string", bool: "boolean", int: "number", float: "number", list: "list", dict: "object"}


def _typed(value: Any) -> str:
    """A value and its JSON type: a string and a number can look alike."""
    return "null" if value is None else f"{value_text(value, 60)} ({_KINDS.get(type(value), 'value')})"


def _tell_words(told: _Telling, explained: ResponseExplained) -> None:
    words = explained.words
    told.say([("    ", ""), (f"precision {words.precision:.2f} · recall {words.recall:.2f}", "dim")], to=_RESPONSE)
    for state, name, texts in (("missing", "missing", words.missing), ("extra", "added", words.added)):
        if texts:
            told.wrap([("    ", ""), STATE_MARKS[state], (f"{name}  ", "dim")], " ".join(_some(texts)), to=_RESPONSE)


def _some(texts: Sequence[str]) -> Iterator[str]:
    yield from (one_line(text, 40) for text in texts[:_MOST_WORDS])
    if len(texts) > _MOST_WORDS:
        yield f"… {len(texts) - _MOST_WORDS} more"


def _tell_actual(told: _Telling, turn: TurnScores) -> None:
    text = turn.actual.response
    about = _RESPONSE.about(text, "actual") if text else _RESPONSE
    told.say([("Actual response", "heading")], gap=1, to=about)
    if not text:
        is_recorded = "response" not in turn.actual.unrecorded
        told.say([("  no text" if is_recorded else f"  {NOT_RECORDED}", "dim")], to=about)
        return
    more = f"\n… {len(text):,} characters in all" if len(text) > _MOST_TEXT else ""
    told.wrap([("  ", "")], text[:_MOST_TEXT] + more, to=about)

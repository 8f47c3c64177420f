"""The reports of `evaltui compare`: JSON, Markdown, and a text table, each with the reasons for the changes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from evaltui.evalset.turn import Turn
from evaltui.printable import one_line, printable
from evaltui.report.json_text import json_text
from evaltui.report.markdown import code, prose
from evaltui.report.scores_text import (
    CHANGE_MARKS,
    against_text,
    change_word,
    counts_of_changes,
    gone_text,
    mean_text,
    move_text,
    short_name,
)
from evaltui.report.terminal_output import print_bytes, print_lines
from evaltui.result_files.compared_results import ComparedCase, ComparedResults, JudgedCase
from evaltui.scoring.call_equality import ABSENT
from evaltui.scoring.case_scores import explain
from evaltui.scoring.criteria import Criteria
from evaltui.scoring.score_change import ActualChange, ScoreChange

if TYPE_CHECKING:
    from rich.text import Text

# A GitHub comment has at most 65,536 characters.
_MOST_CASES = 50
"""The most cases in Markdown. The others are counted."""
_MOST_SENTENCES = 8
"""The most sentences on one case."""
_LONGEST_QUOTE = 120
"""The most characters of the words of a judge."""
_LONGEST_TEXT = 60
"""The most characters of a response, and of names."""
_STYLES: dict[ScoreChange, str] = {
    "regressed": "bold red",
    "not_evaluated": "yellow",
    "lower": "yellow",
    "improved": "green",
    "higher": "green",
}
_ACTUAL_SIDE: Mapping[ActualChange, str] = {
    "tools changed": "tool calls",
    "args changed": "arguments",
    "text changed": "responses",
}
_WITHOUT_REASON = ("same", "new")


def print_comparison(compared: ComparedResults, form: str, colour: str = "auto") -> None:
    """Write the comparison to stdout: JSON and Markdown in UTF-8, a table in the encoding of the terminal."""
    if form == "table":
        print_lines(lambda width: comparison_lines(compared, width), colour)
    else:
        text = json_text(comparison_as_data(compared)) if form == "json" else comparison_markdown(compared)
        print_bytes(f"{text}\n".encode())


def comparison_as_data(compared: ComparedResults) -> dict[str, Any]:
    """The JSON document of `evaltui compare --format json`."""
    cases = []
    for case in compared.cases:
        metrics = []
        for name, change in case.metrics.items():
            base, candidate = _numbers(case, name)
            metrics.append({"name": name, "base": base, "candidate": candidate, "change": change})
        cases.append(
            {"eval_id": case.eval_id, "change": case.change, "metrics": metrics, "why": reasons_of_change(case)}
        )
    names = {"base": compared.base.name, "candidate": compared.candidate.name}
    return {"version": 1, **names, "cases": cases, "gone": list(compared.gone), "counts": compared.counts}


def _numbers(case: ComparedCase, name: str) -> tuple[float | None, float | None]:
    base, candidate = case.scores(name)
    return base.score if base is not None else None, candidate.score if candidate is not None else None


def _is_reported(case: ComparedCase) -> bool:
    if case.change == "not_evaluated":
        return case.is_lost  # a case that was never evaluated has nothing to lose
    return case.change != "same" or any(change != "same" for change in case.metrics.values())


# --- text: regressions first, ids never cut ---------------------------------------------------------------------------


def comparison_lines(compared: ComparedResults, width: int) -> Iterator[Text]:
    """The styled lines of a comparison. A line is longer than `width` cells only if an id or a word is."""
    from rich.cells import cell_len
    from rich.text import Text

    from evaltui.report.run_table import wrapped

    files = f"{compared.base.name} → {compared.candidate.name}"
    eval_set_id = compared.candidate.eval_set_id or compared.base.eval_set_id
    yield Text(printable(" · ".join(filter(None, [eval_set_id, files]))), "bold")
    for case in compared.cases:
        headline = f"{CHANGE_MARKS[case.change]} {printable(case.eval_id)}  {change_word(case.change)}"
        yield Text(headline, _STYLES.get(case.change, ""))
        if not _is_reported(case):
            continue
        # Not a table of rich: it is ten times slower, cuts long names, and puts style on the gaps.
        longest = max((cell_len(short_name(name)) for name in case.metrics), default=0)
        for name, change in case.metrics.items():
            gap = " " * (longest - cell_len(short_name(name)))
            scores = Text(f"    {short_name(name)}{gap}  {move_text(*_numbers(case, name))}  ")
            yield scores + Text(change_word(change), _STYLES.get(change, ""))
        for sentence in reasons_of_change(case):
            yield from wrapped(sentence, width)
    yield Text("")
    totals = filter(None, [counts_of_changes(compared.counts), gone_text(compared.gone)])
    yield Text(", ".join(totals) or "no cases", "bold")


# --- Markdown for a comment on a pull request: regressions first, text of files is never markup -----------------------


def comparison_markdown(compared: ComparedResults) -> str:
    """The comparison as Markdown, without a line break at the end."""
    return "\n".join(_markdown_lines(compared)).rstrip()


def _markdown_lines(compared: ComparedResults) -> Iterator[str]:
    worst = compared.cases[0].change if compared.cases else "same"
    eval_set_id = compared.candidate.eval_set_id or compared.base.eval_set_id
    yield from (f"## {CHANGE_MARKS[worst]} {code(eval_set_id) if eval_set_id else 'Results compared'}", "")
    yield from (f"{code(compared.base.name)} → {code(compared.candidate.name)}", "")
    yield from (counts_of_changes(compared.counts) or "no cases", "")
    changed = [case for case in compared.cases if _is_reported(case)]
    if changed:
        yield from ("| case | metric | base | candidate | change |", "| --- | --- | ---: | ---: | --- |")
        for case in changed[:_MOST_CASES]:
            yield from _table_rows(case)
        if len(changed) > _MOST_CASES:
            yield f"| … {len(changed) - _MOST_CASES} more | | | | |"
        yield ""
    for case in changed[:_MOST_CASES]:
        if sentences := reasons_of_change(case):
            yield from (f"### {_marked_change(case.change)} {code(case.eval_id)}", "")
            yield from (f"- {prose(sentence)}" for sentence in sentences)
            yield ""
    if compared.gone:
        more = f" and {len(compared.gone) - _MOST_CASES} more" if len(compared.gone) > _MOST_CASES else ""
        yield f"Only in the base: {', '.join(map(code, compared.gone[:_MOST_CASES]))}{more}"


def _table_rows(case: ComparedCase) -> Iterator[str]:
    eval_id = code(case.eval_id, in_table=True)
    if not case.metrics:
        yield f"| {eval_id} | | | | {_marked_change(case.change)} |"
    for name, change in case.metrics.items():
        # The text of both scores at once: each has as many digits as they need to look different.
        base, _, candidate = move_text(*_numbers(case, name)).partition(" → ")
        scores = f"{prose(base, in_table=True)} | {prose(candidate, in_table=True)}"
        yield f"| {eval_id} | {code(name, in_table=True)} | {scores} | {_marked_change(change)} |"


def _marked_change(change: ScoreChange) -> str:
    return f"{CHANGE_MARKS[change]} {change_word(change)}"


# --- why a case changed: what the agent did differently, and what fails in the candidate ------------------------------


def reasons_of_change(case: ComparedCase) -> list[str]:
    """The sentences for a changed case; none for a case that is the same or new, or has no turns in the file."""
    if case.change in _WITHOUT_REASON and all(change in _WITHOUT_REASON for change in case.metrics.values()):
        return []
    sentences = list(_reasons(case))
    if len(sentences) <= _MOST_SENTENCES:
        return sentences
    return [*sentences[: _MOST_SENTENCES - 1], f"… {len(sentences) - _MOST_SENTENCES + 1} more"]


def _reasons(case: ComparedCase) -> Iterator[str]:
    if case.change == "edited":
        yield "the case expects something else now, so the scores cannot be compared"
    if case.candidate.runs > 1 or (case.base is not None and case.base.runs > 1):
        runs = case.base.runs if case.base is not None else 0
        yield f"scores are means of {runs} and {case.candidate.runs} runs; turns are from the last run"
    if case.actual_changes:
        yield f"{' and '.join(_ACTUAL_SIDE[change] for change in case.actual_changes)} of the agent changed"
    if case.candidate.reason:
        yield one_line(case.candidate.reason, _LONGEST_QUOTE)
    failed_turns = list(_failed_turns(case.candidate))
    # Files without the expected side say nothing about turns: then both recordings are compared with each other.
    yield from failed_turns or _recorded_differences(case)
    for name, change in case.metrics.items():
        candidate = case.candidate.metric(name)
        if candidate is not None and candidate.reason and change in ("regressed", "lower", "not_evaluated"):
            yield f"{short_name(name)}: {one_line(candidate.reason, _LONGEST_QUOTE)}"


def _failed_turns(case: JudgedCase) -> Iterator[str]:
    failing = {metric.name for metric in case.metrics if metric.status == "failed"}
    failed = [(turn, metric) for turn in case.turns for metric in turn.metrics if metric.status == "failed"]
    # A turn may fail in a metric whose mean over the case passes: that did not fail the case.
    for turn, metric in sorted(failed, key=lambda row: row[1].name not in failing):
        judged = case.metric(metric.name)
        threshold = metric.threshold if metric.threshold is not None or judged is None else judged.threshold
        score = f"{against_text(metric._replace(threshold=threshold))}{mean_text(judged)}"
        text = f"turn {turn.number} · {short_name(metric.name)} {score}"
        # The sentences of the file, else those that follow from both sides of the turn.
        sentences = printable(metric.reason or "")
        if not sentences and (explained := explain(turn, metric.name, case.criteria or Criteria(()))) is not None:
            sentences = "; ".join(explained.sentences)
        yield f"{text}: {sentences}" if sentences else text


def _recorded_differences(case: ComparedCase) -> Iterator[str]:
    if not case.actual_changes or case.base is None:
        return
    base_turns, turns = case.base.turns, case.candidate.turns
    if len(base_turns) != len(turns):
        yield f"{len(base_turns)} turns before, {len(turns)} now"
    for number, (base, candidate) in enumerate(zip(base_turns, turns, strict=False), 1):
        for sentence in _turn_differences(base.actual, candidate.actual):
            yield f"turn {number} · {sentence}"


def _turn_differences(base: Turn, candidate: Turn) -> Iterator[str]:
    unrecorded = base.unrecorded | candidate.unrecorded
    base_tools, tools = ([str(call.name) for call in turn.calls] for turn in (base, candidate))
    # A part that is not recorded may have been the same.
    if base_tools != tools and "calls" not in unrecorded:
        texts = (one_line(" · ".join(names) or "no tools", _LONGEST_TEXT) for names in (base_tools, tools))
        yield f"tools: {' → '.join(texts)}"
    elif not unrecorded & {"calls", "arguments"}:
        for base_call, call in zip(base.calls, candidate.calls, strict=True):
            if base_call.args != call.args:
                old, new = base_call.args or {}, call.args or {}
                # null is a value, so it is no sign of an absent argument
                keys = [key for key in {**old, **new} if old.get(key, ABSENT) != new.get(key, ABSENT)]
                names = one_line(", ".join(keys), _LONGEST_TEXT) or "args is missing on one side and {} on the other"
                yield f"{one_line(str(call.name), _LONGEST_TEXT)}: arguments differ: {names}"
    if base.response != candidate.response and "response" not in unrecorded:
        quotes = (
            f'"{one_line(text, _LONGEST_TEXT)}"' if text else "none" for text in (base.response, candidate.response)
        )
        yield f"response: {' → '.join(quotes)}"

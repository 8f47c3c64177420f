"""Markdown for a pull request comment: text of unknown origin as sentences, code and fenced blocks, and whole runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from evaltui.printable import one_line, printable
from evaltui.report.run_notes import open_metric_lines
from evaltui.report.scores_text import (
    MARKS,
    against_text,
    baseline_change_text,
    case_name,
    counts_of_changes,
    counts_text,
    failing_first,
    passed_of,
    score_moves,
    score_text,
)
from evaltui.report.why_text import why_in
from evaltui.scoring.results import CaseResult, mean_of
from evaltui.scoring.scored_set import ScoredSet

# GitHub turns far more into links than Markdown has: `#123`, `GH-1`, ids of commits, `:smile:`, `@names`, addresses;
# and `$x$` into formulas. It does so in the finished page, where no backslash and no entity is left. Only code is
# spared.
_PLAIN = re.compile(
    r"""
    (?! .* \b [0-9a-f]{7,40} \b )  # the id of a commit
    ["'“(]*
    (?: [^\W\d_]+ (?: ['’-] [^\W\d_]+ )*  # letters
      | [+-]? \d+ (?: [.,] \d+ )* %?
    )
    [)"'”,;:.?!…]*
    | [<>=→≥≤·–—…×✓✗▼▲]
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""A word in which nothing is a mark of Markdown or a link of GitHub, whatever stands before and after it."""
_BLOCK_START = re.compile(r"[<>=+-]|\d+[.)]$")
"""A word that would begin a block of Markdown: a list, a quote, or the underline of a heading."""


def prose(text: str, *, in_table: bool = False) -> str:
    """A sentence: its plain words as they are, all others as code. No markup, no HTML, no mention, no link."""
    if not text:
        return ""
    pieces: list[str] = []
    code_words: list[str] = []
    depth = 0  # of brackets: the arguments of a tool call are one piece of code with its name
    for word in one_line(text).split(" "):
        is_first = not (pieces or code_words)
        is_plain = depth <= 0 and _PLAIN.fullmatch(word) and not (is_first and _BLOCK_START.match(word))
        if code_words and depth <= 0 and (is_plain or code_words[-1].endswith((",", ";", ":"))):
            pieces.append(_code_in_sentence(code_words, in_table=in_table))
            code_words, depth = [], 0
        if is_plain:
            pieces.append(word)
        else:
            code_words.append(word)
            depth += word.count("(") - word.count(")")
    return " ".join([*pieces, *([_code_in_sentence(code_words, in_table=in_table)] if code_words else [])])


def _code_in_sentence(words: Sequence[str], *, in_table: bool) -> str:
    """Words as code, with the punctuation after them outside, and a bracket that a word before them opens."""
    text = " ".join(words)
    inner = text.rstrip(",;:.?!…") or text
    if inner.endswith(")") and len(inner) > 1 and inner.count("(") < inner.count(")"):
        inner = inner[:-1]
    return f"{code(inner, in_table=in_table)}{text[len(inner) :]}"


def code(text: str, *, in_table: bool = False) -> str:
    """`text` as Markdown code, between more backticks than it has in a row; "" as a blank."""
    # GitHub splits a row at its bars before it looks for code.
    safe = one_line(text).replace("|", "¦") if in_table else one_line(text)
    # Code ends at a run of backticks as long as its first one, so no text can end it earlier.
    fence = "`" * (_longest_run(safe) + 1)
    blank = " " if not safe or safe.startswith("`") or safe.endswith("`") else ""
    return f"{fence}{blank}{safe}{blank if safe else ''}{fence}"


def fenced(lines: Sequence[str], language: str) -> Iterator[str]:
    """A fenced code block. The fence is longer than any run of backticks in the lines."""
    safe = [printable(line) for line in lines]
    fence = "`" * max(3, *(_longest_run(line) + 1 for line in safe), 3)
    yield from (f"{fence}{language}", *safe, fence)


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


# --- runs: text of files is never markup, and never mentions anybody --------------------------------------------------

# A GitHub comment has at most 65,536 characters.
_MOST_CASES = 50
"""The most cases with details. The others are counted."""


def markdown_lines(run: ScoredSet) -> Iterator[str]:
    """The lines of the section for a run."""
    counts = run.totals.counts
    open_cases = sum(count for status, count in counts.items() if status != "passed")
    mark = next((MARKS[status] for status in MARKS if status != "passed" and counts[status]), MARKS["passed"])
    yield from (
        f"## {mark} {code(run.subject.eval_set_id or run.subject.name)}",
        "",
        prose(counts_text(run.totals)),
        "",
    )
    yield from _changes(run)
    yield from _metrics(run)
    if run.totals.open_cases["passed"]:  # only cases that did not pass have a section with their reasons
        passed = (case for case in run.cases if case.status == "passed")
        lines = open_metric_lines(passed, run.criteria.profile)
        yield from (f"- {prose(line)}" for line in islice(lines, _MOST_CASES))
        yield ""
    for case in islice(run.worst_first(), min(open_cases, _MOST_CASES)):
        yield from _case(case, run)
    if open_cases > _MOST_CASES:
        more = open_cases - _MOST_CASES
        yield from (f"… {more} more case{'s' * (more != 1)} did not pass", "")


def _changes(run: ScoredSet) -> Iterator[str]:
    if run.changes is None:
        return
    yield from (f"{prose(counts_of_changes(run.changes.counts) or 'no cases')} since {code(run.changes.name)}", "")
    changed = sum(bool(baseline_change_text(case, run.changes)) for case in run.cases)
    if changed:
        yield from ("| change | case | score |", "| --- | --- | --- |")
    changed_cases = (case for case in run.worst_first(by_change=True) if baseline_change_text(case, run.changes))
    for case in islice(changed_cases, _MOST_CASES):
        moves = prose(" · ".join(score_moves(case, run.changes)), in_table=True)
        yield f"| {baseline_change_text(case, run.changes)} | {code(case_name(case), in_table=True)} | {moves} |"
    if changed > _MOST_CASES:
        yield f"| … | {changed - _MOST_CASES} more | |"
    if changed:
        yield ""
    if gone := run.changes.gone:
        more = f" and {len(gone) - _MOST_CASES} more" if len(gone) > _MOST_CASES else ""
        yield from (f"Gone from the set: {', '.join(map(code, gone[:_MOST_CASES]))}{more}", "")


def _metrics(run: ScoredSet) -> Iterator[str]:
    judged = {name: totals for name, totals in run.totals.by_metric.items() if not totals[1]["informational"]}
    if not judged:
        return
    yield from ("| metric | mean | passed | failed | not evaluated |", "| --- | ---: | ---: | ---: | ---: |")
    for name, (scores, counts) in judged.items():
        verdicts = " | ".join(str(counts[status]) for status in ("passed", "failed", "not_evaluated"))
        yield f"| {code(name, in_table=True)} | {score_text(mean_of(scores))} | {verdicts} |"
    yield ""


def _case(case: CaseResult, run: ScoredSet) -> Iterator[str]:
    several = f" ({passed_of(case)})" if case.runs is not None else ""
    change = f" {baseline_change_text(case, run.changes)}".rstrip()
    yield f"### {MARKS[case.status]} {code(case_name(case))}{several}{change}"
    yield ""
    scores = [
        f"{code(metric.name)} {prose(against_text(metric))}{' (recorded)' * metric.is_grade}"
        for metric in failing_first(case.metrics)
        if metric.status != "informational" or metric.is_grade
    ]
    if scores:
        yield from (f"{' · '.join(scores)}", "")
    for line in why_in(run, case):
        yield f"- {prose(line)}"
    yield ""

"""The report of `evaltui review --format …`. All sets are read and scored before anything is printed."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from evaltui.commands.set_options import refuse_all_runs, run_options, set_arguments
from evaltui.garbage import without_collecting
from evaltui.printable import say
from evaltui.report.json_text import json_text
from evaltui.report.output import progress
from evaltui.report.reviewed_set import ReviewedSet
from evaltui.report.run_notes import note_lines
from evaltui.review.decisions import ReviewDecisions
from evaltui.review.set_review import SetReview
from evaltui.review.sidecar import Sidecar
from evaltui.runs.run_options import RunOptions
from evaltui.runs.score_sets import Execution, RefusedInput, ScoredRun, score_sets
from evaltui.runs.set_reader import STDIN
from evaltui.scoring.scored_set import ScoredSet

_READ_BY_PEOPLE = 100
"""The most items for which JSON is indented."""


def report_review(given: Namespace, form: str) -> int:
    """Print a review. Returns 0 (nothing to review), 1 (something), 2 (with a sentence) or 3 (not evaluated)."""
    try:
        refuse_all_runs(given)
        options = run_options(given)
        scored = score_sets(set_arguments(given.sets), options, Execution(keeps_documents=True, progress=progress))
        reviewed = [_reviewed(run, scored, options, passing=given.all) for run in scored.runs]
        with without_collecting():
            text = None if form == "text" else _report(reviewed, form)
    except RefusedInput as error:
        say(error)
        return 2
    for line in scored.notes:
        say(line)
    if text is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.buffer.flush()
    elif reviewed:
        _print_text(reviewed, given.color)
    for line in note_lines(scored.runs, "review", are_named=bool(given.recording)):
        say(line)
    if any(each.review.items for each in reviewed):
        return 1
    return scored.exit_code(allow_not_evaluated=given.allow_not_evaluated)


def _reviewed(run: ScoredSet, scored: ScoredRun, options: RunOptions, *, passing: bool) -> ReviewedSet:
    path, decisions = run.subject.path, ReviewDecisions()
    if path is not None:
        sidecar = Sidecar(path)
        decisions = sidecar.read()
        for number in decisions.unread[:5]:
            scored.notes[f"{sidecar.path}: line {number} is not a decision; skipped"] = None
    review = SetReview(run, passing=passing)
    return ReviewedSet(review, scored.documents[run.subject.name], decisions, accept_words(path, options))


def accept_words(path: Path | None, options: RunOptions) -> tuple[str, ...] | None:
    """The words of the command that accepts changes of a set; None where standard input is read."""
    if path is None or STDIN in (*options.recordings, options.config):
        return None
    words = ["evaltui", "accept", f"./{path}" if str(path).startswith("-") else str(path)]
    for option, values in (
        ("-r", options.recordings),
        ("--config", [options.config] if options.config is not None else []),
        ("--metric", options.metrics),
        ("--match-type", [options.match_type] if options.match_type is not None else []),
        ("--profile", [options.profile] if options.profile != "adk" else []),
    ):
        words += [word for value in values for word in (option, value)]
    return (*words, *(["--ignore-args"] if options.ignore_args else []))


def _report(reviewed: list[ReviewedSet], form: str) -> str:
    if form == "markdown":
        from evaltui.report.review_markdown import review_markdown

        return review_markdown(reviewed)
    from evaltui.report.review_json import reviews_as_data

    is_small = sum(len(each.review.items) for each in reviewed) <= _READ_BY_PEOPLE
    return json_text(reviews_as_data(reviewed), indent=2 if is_small else None) + "\n"


def _print_text(reviewed: list[ReviewedSet], colour: str) -> None:
    from evaltui.report.output import print_lines
    from evaltui.report.review_text import review_lines

    print_lines(lambda width: review_lines(reviewed, width), colour)

"""`evaltui review`: the turns that a person should look at, in the app or, with a format, as a report."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from evaltui.commands import set_options
from evaltui.commands.parser import CommandParser
from evaltui.printable import say

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.review.set_review import SetReview
    from evaltui.runs.run_options import RunOptions
    from evaltui.runs.score_sets import ScoredRun

USAGE = "review [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Open the review of failing turns in the app. With --format, print the list of changes."
EXAMPLE = "evaltui review trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui review`."""
    set_options.add_sets(parser)
    set_options.add_recordings(parser, takes_all=False)
    set_options.add_criteria(parser)
    passing = "Also show turns that pass but differ from the recording."
    parser.add_argument_group("Choice of turns").add_argument("--all", action="store_true", help=passing)
    formats = "Print the review in place of the app: text, json or markdown."
    set_options.add_color(set_options.add_format(parser, ("text", "json", "markdown"), formats, None))
    set_options.add_exit_code(parser, can_regress=False)


def run(options: Namespace) -> int:
    """Open the review screen, or print a report.

    The exit code of a report is 0 (nothing to review), 1 (something) or 3 (not evaluated).
    """
    if options.format is not None:
        return _print_report(options)
    from evaltui.tui.terminal.early_keys import kept_terminal

    # The imports of the app take 0.2 s. Keys that are typed meanwhile are kept for it.
    with kept_terminal():
        return _open_screen(options)


def _open_screen(options: Namespace) -> int:
    from evaltui.commands.edit import import_asyncio_without_tls

    import_asyncio_without_tls()
    from pathlib import Path

    from evaltui.document.errors import DocumentError
    from evaltui.file_access import exists, is_folder

    set_options.refuse_all_runs(options)
    (name, ids), *more_sets = set_options.set_arguments(options.sets)
    if more_sets or name == "-" or is_folder(Path(name)):
        advice = "give one, or use --format for several"
        raise DocumentError(f"{name}: the review screen shows only one eval set; {advice}")
    # The editor creates a file that is missing. There is nothing to review in a new one.
    if not exists(Path(name)):
        raise DocumentError(f"{name}: there is no such file")
    from evaltui.tui.launch import launch
    from evaltui.tui.review.review_queue import ReviewStart

    scored_with = set_options.run_options(options)
    return launch(name, scored_with=scored_with, review=ReviewStart(ids, is_first=True, passing=options.all))


def _print_report(options: Namespace) -> int:
    from evaltui.garbage_collection import without_collecting
    from evaltui.report.review_reports import review_json, review_lines, review_markdown
    from evaltui.report.run_notes import note_lines
    from evaltui.report.terminal_output import print_bytes, print_lines, progress
    from evaltui.runs.score_sets import score_sets

    # All sets are read, scored and rendered before anything is printed: a refusal leaves stdout empty.
    set_options.refuse_all_runs(options)
    choices = set_options.run_options(options)
    scored = score_sets(set_options.set_arguments(options.sets), choices, keeps_documents=True, progress=progress)
    reviews = _review_sets(scored, choices, passing=options.all)
    document = ""
    if options.format != "text":
        with without_collecting():
            is_json = options.format == "json"
            document = review_json(reviews, scored.documents) if is_json else review_markdown(reviews)
    for line in scored.notes:
        say(line)
    if options.format != "text":
        print_bytes(document.encode("utf-8", "backslashreplace"))  # values of a set may have lone surrogates
    elif reviews:
        # Text depends on the width of the terminal, so it is made while it is printed.
        print_lines(lambda width: review_lines(reviews, width), options.color)
    for line in note_lines(scored.runs, "review", are_named=bool(options.recording)):
        say(line)
    if any(review.items for review in reviews):
        return 1
    return scored.exit_code(allow_not_evaluated=options.allow_not_evaluated)


def _review_sets(scored: ScoredRun, choices: RunOptions, *, passing: bool) -> list[SetReview]:
    from evaltui.review.decisions import ReviewDecisions, Sidecar
    from evaltui.review.set_review import SetReview

    reviews = []
    for result in scored.runs:
        path, decisions = result.subject.path, ReviewDecisions()
        if path is not None:
            sidecar = Sidecar(path)
            decisions = sidecar.read()
            # A file that is no sidecar at all would give a sentence for each of its lines.
            for number in decisions.unread[:5]:
                scored.notes[f"{sidecar.path}: line {number} is not a decision; skipped"] = None
        reviews.append(SetReview(result, decisions, _spell_accept(path, choices), passing=passing))
    return reviews


def _spell_accept(path: Path | None, choices: RunOptions) -> tuple[str, ...] | None:
    from evaltui.runs.set_reader import STDIN

    # Standard input is at its end: a second command cannot read the same bytes from it.
    if path is None or STDIN in (*choices.recordings, choices.config):
        return None
    words = ["evaltui", "accept", f"./{path}" if str(path).startswith("-") else str(path)]
    for option, values in (
        ("-r", choices.recordings),
        ("--config", [choices.config] if choices.config is not None else []),
        ("--metric", choices.metrics),
        ("--match-type", [choices.match_type] if choices.match_type is not None else []),
        ("--profile", [choices.profile] if choices.profile != "adk" else []),
    ):
        words += [word for value in values for word in (option, value)]
    return (*words, *(["--ignore-args"] if choices.ignore_args else []))

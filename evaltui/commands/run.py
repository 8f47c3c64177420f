"""`evaltui run`: sets scored against recordings, printed and written as reports.

All files are read and scored before anything is printed or written. So stdout stays empty if a file is unreadable.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import TYPE_CHECKING

from evaltui.commands import set_options
from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import say

if TYPE_CHECKING:
    from evaltui.runs.score_sets import Preparation, ScoredRun

USAGE = "run [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Score eval sets against recordings of the agent, exactly as google-adk does."
EXAMPLE = "evaltui run trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui run`."""
    set_options.add_sets(parser)
    set_options.add_recordings(parser)
    set_options.add_criteria(parser)
    formats = "Format of standard output: table, json, junit, markdown or github. Default: table."
    output = set_options.add_format(parser, ("table", "json", "junit", "markdown", "github"), formats, "table")
    set_options.add_reports(output, "Also write a report to FILE.")
    set_options.add_color(output)
    baselines = parser.add_argument_group("Baselines")
    baselines.add_argument("--baseline", metavar="FILE", help=set_options.BASELINE)
    baselines.add_argument("--save-baseline", metavar="FILE", help="Save the verdicts and scores of this run.")
    set_options.add_exit_code(parser, can_regress=True)
    speed = set_options.add_jobs(parser)
    engine = (
        "Score on this machine (local) or on a Ray cluster (ray). Needs pip install 'evaltui[ray]'. Default: local."
    )
    speed.add_argument("--engine", metavar="NAME", choices=("local", "ray"), default="local", help=engine)
    address = "Address of the Ray cluster. Default: RAY_ADDRESS, a cluster on this machine, or a new one."
    speed.add_argument("--address", metavar="ADDRESS", help=address)


def run(options: Namespace) -> int:
    """Score, print and write. Returns 0, 1 (a case failed) or 3 (something is not evaluated)."""
    if options.engine != "ray" and options.address is not None:
        raise DocumentError("--address is the address of a Ray cluster; add --engine ray")
    if options.address == "":
        raise DocumentError("--address is empty; give the address of a Ray cluster, or leave the option out")
    if options.engine == "ray" and options.jobs is not None:
        raise DocumentError("--jobs is for this machine; with --engine ray, all processors of the cluster work")
    if options.engine == "local":
        return _run(options)
    from evaltui.report.terminal_output import clear_progress
    from evaltui.runs.ray.driver_process import run_in_driver

    return run_in_driver(partial(_run, options), clear_progress)


def _score_on_cluster(options: Namespace, preparation: Preparation) -> ScoredRun:
    from evaltui.report.terminal_output import progress, progress_on
    from evaltui.runs.ray.connection import connected, load_ray
    from evaltui.runs.ray.driver_process import terminal, waiting

    load_ray()
    from evaltui.runs.ray.ray_run import score_on_cluster

    return score_on_cluster(
        set_options.set_arguments(options.sets),
        set_options.run_options(options),
        preparation,
        connected=lambda: connected(
            options.address, lambda: progress_on(terminal(), None, "connecting to Ray", waiting)
        ),
        reading=progress,
        scoring=lambda total: progress_on(terminal(), total, "scoring", waiting),
    )


def _run(options: Namespace) -> int:
    from evaltui.commands.run_outputs import RunOutputs
    from evaltui.report.run_notes import note_lines
    from evaltui.report.run_reports import preparation_of, print_report
    from evaltui.report.terminal_output import progress
    from evaltui.runs.score_sets import score_sets

    outputs = RunOutputs(options)
    preparation = partial(preparation_of, "json" in (options.format, *outputs.formats.values()))
    if options.engine == "ray":
        scored = _score_on_cluster(options, preparation)
    else:
        scored = score_sets(
            set_options.set_arguments(options.sets),
            set_options.run_options(options),
            jobs=options.jobs,
            preparation=preparation,
            keeps_turns=False,
            progress=progress,
        )
    # Files come before stdout: if one cannot be written, a program that reads stdout gets no half-true report.
    outputs.finish(scored)
    for sentence in scored.notes:
        say(sentence)
    print_report(scored.runs, options.format, options.color, allow_not_evaluated=options.allow_not_evaluated)
    if options.format == "github":
        from evaltui.report.ci_reports import summary_line

        for scored_set in scored.runs:  # each line begins with a word of evaltui, so no name is a command to a runner
            say(summary_line(scored_set))
    for sentence in note_lines(scored.runs, are_named=bool(options.recording)):
        say(sentence)
    return outputs.exit_code(scored)

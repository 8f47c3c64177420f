"""`evaltui run`: sets scored against recordings, printed and written as reports.

All files are read and scored before anything is printed or written. So stdout stays empty if a file is unreadable.
"""

from __future__ import annotations

from argparse import Namespace
from functools import partial
from typing import TYPE_CHECKING

from evaltui.command_line.parser import CommandParser
from evaltui.commands.set_options import (
    BASELINE,
    add_color,
    add_criteria,
    add_exit_code,
    add_format,
    add_jobs,
    add_recordings,
    add_reports,
    add_sets,
)
from evaltui.printable import say

if TYPE_CHECKING:
    from evaltui.commands.batch_sets import Engine
    from evaltui.runs.batch.work_folder import WorkFolder

USAGE = "run [OPTIONS] SET[:ID,ID…]…"
DESCRIPTION = "Score eval sets against recordings of the agent, exactly as google-adk does."
EXAMPLE = "evaltui run trip_planner.evalset.json -r recordings"


def add_options(parser: CommandParser) -> None:
    """Add the options of `evaltui run`."""
    add_sets(parser)
    add_recordings(parser)
    add_criteria(parser)
    forms = "Format of standard output: table, json, junit, markdown or github. Default: table."
    output = add_format(parser, ("table", "json", "junit", "markdown", "github"), forms, "table")
    add_reports(output, "Also write a report to FILE.")
    add_color(output)
    baselines = parser.add_argument_group("Baselines")
    baselines.add_argument("--baseline", metavar="FILE", help=BASELINE)
    baselines.add_argument("--save-baseline", metavar="FILE", help="Save the verdicts and scores of this run.")
    add_exit_code(parser, can_regress=True)
    speed = add_jobs(parser)
    engine = (
        "Score on this machine (local) or on a Ray cluster (ray). Needs pip install 'evaltui[ray]'. Default: local."
    )
    speed.add_argument("--engine", metavar="NAME", choices=("local", "ray"), default="local", help=engine)
    address = "Address of the Ray cluster. Default: RAY_ADDRESS, a cluster on this machine, or a new one."
    speed.add_argument("--address", metavar="ADDRESS", help=address)


def run(given: Namespace) -> int:
    """Score, print and write. Returns 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    from evaltui.commands.batch_sets import engine_of
    from evaltui.commands.scored_sets import RefusedInput
    from evaltui.report.output import clear_progress
    from evaltui.runs.batch.work_folder import work_folder

    try:
        engine = engine_of(given)
        with work_folder() as folder:
            if engine.name == "local":
                return _run(given, folder, engine)
            from evaltui.runs.cluster.driver_process import run_in_driver

            return run_in_driver(lambda: _run(given, folder, engine), folder.path, clear_progress)
    except RefusedInput as error:
        say(error)
        return 2


def _run(given: Namespace, folder: WorkFolder, engine: Engine) -> int:
    from evaltui.commands.batch_sets import score_in_batch
    from evaltui.commands.report_files import Reports
    from evaltui.commands.run_baselines import RunBaselines
    from evaltui.commands.scored_sets import run_options
    from evaltui.commands.set_arguments import set_arguments
    from evaltui.report.run_annotations import summary_line
    from evaltui.report.run_notes import note_lines
    from evaltui.report.run_reports import preparation_of, print_report

    options, allow = run_options(given), given.allow_not_evaluated
    baselines = RunBaselines(given)
    reports = Reports(given.output, baselines.outputs, force=given.force)
    has_json = given.format == "json" or reports.has("json")
    made = partial(preparation_of, has_json)
    scored = score_in_batch(set_arguments(given.sets), options, folder, made, engine)
    reports.spare_inputs(scored, baselines.inputs)
    baselines.compare(scored)
    reports.write(scored, allow_not_evaluated=allow)
    baselines.save(scored, reports.outputs)
    for line in scored.said:
        say(line)
    print_report(scored.runs, given.format, given.color, allow_not_evaluated=allow)
    for run in scored.runs if given.format == "github" else ():
        say(summary_line(run))  # begins with a word of evaltui, so that no name in it is a command to a runner
    for line in note_lines(scored.runs, are_named=bool(given.recording)):
        say(line)
    return baselines.exit_code(scored, allow_not_evaluated=allow)

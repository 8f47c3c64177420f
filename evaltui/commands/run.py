"""`evaltui run`: sets scored against recordings, printed and written as reports.

All files are read and scored before anything is printed or written. So stdout stays empty if a file is unreadable.
"""

from __future__ import annotations

from argparse import Namespace

from evaltui.commands.report_files import Reports
from evaltui.commands.run_baselines import RunBaselines
from evaltui.commands.scored_sets import RefusedInput, run_options, score_sets
from evaltui.commands.set_arguments import set_arguments
from evaltui.printable import say
from evaltui.report.run_notes import note_lines
from evaltui.report.run_reports import print_report


def run(given: Namespace) -> int:
    """Score, print and write. Returns 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    options = run_options(given)
    allow: bool = given.allow_not_evaluated
    try:
        baselines = RunBaselines(given)
        reports = Reports(given.output, baselines.outputs)
        scored = score_sets(set_arguments(given.sets), options)
        reports.spare_inputs(scored, baselines.inputs)
        baselines.compare(scored)
        reports.write(scored, allow_not_evaluated=allow)
        baselines.save(scored)
    except RefusedInput as error:
        say(error)
        return 2
    for line in scored.said:
        say(line)
    print_report(scored.runs, given.format, given.color, allow_not_evaluated=allow)
    for line in note_lines(scored.runs):
        say(line)
    return baselines.exit_code(scored, allow_not_evaluated=allow)

"""`evaltui run`: sets scored against recordings, printed and written as reports.

All is read and scored before anything is printed or written: where something cannot be read, nothing is on stdout.
"""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from evaltui.commands.output_files import Outputs
from evaltui.commands.run_baselines import RunBaselines
from evaltui.commands.scored_sets import RefusedInput, run_options, score_sets
from evaltui.commands.set_arguments import set_arguments
from evaltui.document.disk.file_replacement import write_file
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.interrupt import deferred
from evaltui.printable import say
from evaltui.report.run_notes import note_lines
from evaltui.report.run_reports import ENDINGS, print_report, report_text


def run(given: Namespace) -> int:
    """Score, print and write; exit code 0, 1 (a case failed), 2 (with a sentence) or 3 (something is not evaluated)."""
    options = run_options(given)
    allow: bool = given.allow_not_evaluated
    try:
        forms = [_format_of(name) for name in given.output]
        baselines = RunBaselines(given)
        reports = [Path(name) for name in given.output]
        outputs = Outputs([*reports, *baselines.outputs])
        scored = score_sets(set_arguments(given.sets), options)
        outputs.spare([*scored.inputs, *baselines.inputs], scored.recordings)
        baselines.compare(scored)
        texts = [report_text(scored.runs, form, allow_not_evaluated=allow) for form in forms]
        for path, text in zip(reports, texts, strict=True):
            with deferred():
                write_file(path, text.encode("utf-8", "backslashreplace"))
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


def _format_of(name: str) -> str:
    real = os.path.realpath(name)
    if any(each.lower().endswith(ENDINGS_OF_SETS) for each in (name, real)):
        raise DocumentError(f"{name}: a report would take the place of an eval set; name another file")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS or Path(real).suffix.lower() not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise DocumentError(f"{name}: its ending does not tell which report to write; there are {known}")
    return ENDINGS[ending]

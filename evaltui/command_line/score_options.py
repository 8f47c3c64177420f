"""Options of the commands that show scores: `run`, `watch` and `compare`."""

from __future__ import annotations

import argparse

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import (
    SETS,
    add_color,
    add_criteria,
    add_exit_code,
    add_force,
    add_format,
    add_jobs,
    add_recordings,
    add_sets,
)

_BASELINE = "Compare the run with this saved baseline."
_ENDINGS = "The ending gives the format: .json, .xml (JUnit), .md or .txt. Repeatable."


def add_run(parser: CommandParser) -> None:
    """Add the options of `evaltui run`."""
    add_sets(parser)
    add_recordings(parser)
    add_criteria(parser)
    forms = "Format of standard output: table, json, junit, markdown or github. Default: table."
    output = add_format(parser, ("table", "json", "junit", "markdown", "github"), forms, "table")
    _add_reports(output, "Also write a report to FILE.")
    add_color(output)
    baselines = parser.add_argument_group("Baselines")
    baselines.add_argument("--baseline", metavar="FILE", help=_BASELINE)
    baselines.add_argument("--save-baseline", metavar="FILE", help="Save the verdicts and scores of this run.")
    add_exit_code(parser, can_regress=True)
    _add_engine(add_jobs(parser))


def _add_engine(speed: argparse._ArgumentGroup) -> None:
    engine = (
        "Score on this machine (local) or on a Ray cluster (ray). Needs pip install 'evaltui[ray]'. Default: local."
    )
    speed.add_argument("--engine", metavar="NAME", choices=("local", "ray"), default="local", help=engine)
    address = "Address of the Ray cluster. Default: RAY_ADDRESS, a cluster on this machine, or a new one."
    speed.add_argument("--address", metavar="ADDRESS", help=address)


def add_watch(parser: CommandParser) -> None:
    """Add the options of `evaltui watch`."""
    add_sets(parser, SETS.replace(" Use - for standard input.", ""))
    add_recordings(parser)
    add_criteria(parser)
    agent = parser.add_argument_group("Agent")
    command = "A shell command that makes new recordings. It runs after a change of a file that matches --on."
    agent.add_argument("--exec", metavar="CMD", help=command)
    on = "Files to watch for --exec, such as 'agent/**/*.py'. Repeatable."
    agent.add_argument("--on", metavar="GLOB", action="append", default=[], help=on)
    forms = (
        "Format of standard output: table, or jsonl with one document a line. Default: table on a terminal, else jsonl."
    )
    output = add_format(parser, ("table", "jsonl", "json"), forms, None)
    _add_reports(output, "Also write a report to FILE after each run.")
    parser.add_argument_group("Baselines").add_argument("--baseline", metavar="FILE", help=_BASELINE)
    add_exit_code(parser, can_regress=True)
    parser.set_defaults(save_baseline=None)


def add_compare(parser: CommandParser) -> None:
    """Add the options of `evaltui compare`."""
    files = parser.add_argument_group("Arguments")
    files.add_argument("base", metavar="BASE", help="The earlier result. Use - for standard input.")
    files.add_argument("candidate", metavar="CANDIDATE", help="The later result. Use - for standard input.")
    forms = "Format of standard output: table, json or markdown. Default: table."
    add_color(add_format(parser, ("table", "json", "markdown"), forms, "table"))
    fail = "When to exit with 1: regression, any (a case fails or has a lower score) or never. Default: regression."
    parser.add_argument_group("Exit code").add_argument(
        "--fail-on", metavar="WHEN", choices=("regression", "any", "never"), default="regression", help=fail
    )


def _add_reports(group: argparse._ArgumentGroup, text: str) -> None:
    group.add_argument("-o", "--output", metavar="FILE", action="append", default=[], help=f"{text} {_ENDINGS}")
    add_force(group)

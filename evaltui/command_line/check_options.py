"""Options of the commands about problems and their rules: `validate`, `rule` and `schema`."""

from __future__ import annotations

from evaltui.command_line.parser import CommandParser
from evaltui.command_line.shared_options import CONFIG, add_color, add_format, add_jobs


def add_validate(parser: CommandParser) -> None:
    """Add the options of `evaltui validate`."""
    what = "A file, or a folder to search. Use - for standard input."
    parser.add_argument_group("Arguments").add_argument("paths", metavar="PATH", nargs="+", help=what)
    checks = parser.add_argument_group("Rules")
    checks.add_argument("--config", metavar="FILE", help=CONFIG)
    select = "Check only these rules or groups, separated by commas. Repeatable."
    checks.add_argument("--select", metavar="CODES", action="append", default=[], help=select)
    ignore = "Skip these rules or groups, separated by commas. Repeatable."
    checks.add_argument("--ignore", metavar="CODES", action="append", default=[], help=ignore)
    fixes = parser.add_argument_group("Fixes")
    fixes.add_argument("--fix", action="store_true", help="Apply the safe fixes and save.")
    fixes.add_argument("--diff", action="store_true", help="Show the safe fixes as a diff and write nothing.")
    forms = "Format of standard output: text, json or github. Default: text."
    add_color(add_format(parser, ("text", "json", "github"), forms, "text"))
    add_jobs(parser)
    strict = "Exit with 1 for warnings, too."
    parser.add_argument_group("Exit code").add_argument("--strict", action="store_true", help=strict)


def add_rule(parser: CommandParser) -> None:
    """Add the argument of `evaltui rule`."""
    what = "The code of the rule, such as missing-field. Default: a list of all rules."
    parser.add_argument_group("Arguments").add_argument("code", metavar="CODE", nargs="?", help=what)


def add_schema(parser: CommandParser) -> None:
    """Add the argument of `evaltui schema`."""
    kind = "The kind of file: evalset or config. Default: evalset."
    parser.add_argument_group("Arguments").add_argument(
        "kind", metavar="KIND", choices=("evalset", "config"), nargs="?", default="evalset", help=kind
    )

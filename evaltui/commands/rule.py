"""`evaltui rule`: a rule explained, or all of them in a list."""

from __future__ import annotations

from argparse import Namespace

from evaltui.command_line.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import quoted, write_line

USAGE = "rule [CODE]"
DESCRIPTION = "Explain a rule of validate: the reason, a bad and a good example, and the fix."
EXAMPLE = "evaltui rule duplicate-eval-id"


def add_options(parser: CommandParser) -> None:
    """Add the argument of `evaltui rule`."""
    code = "The code of the rule, such as missing-field. Default: a list of all rules."
    parser.add_argument_group("Arguments").add_argument("code", metavar="CODE", nargs="?", help=code)


def run(options: Namespace) -> int:
    """Print one rule, or a line for each rule. Raises `DocumentError` for an unknown rule."""
    from evaltui.validation.misspellings import nearest
    from evaltui.validation.rule_text import as_text
    from evaltui.validation.rules.rule_registry import RULES

    code: str | None = options.code
    if code is None:
        for rule in RULES.values():
            write_line("stdout", f"{rule.code:<26} {rule.severity:<8} {rule.summary}")
        return 0
    # Codes are no `choices` of the parser: its help would need all rules, and its error would list them.
    if code not in RULES:
        near = nearest(code.lower(), RULES)
        hint = f"did you mean {near}?" if near else "`evaltui rule` lists them"
        raise DocumentError(f"there is no rule {quoted(code, 60)}; {hint}")
    write_line("stdout", as_text(RULES[code]))
    return 0

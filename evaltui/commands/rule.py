"""`evaltui rule`: a rule explained, or all of them in a list."""

from __future__ import annotations

import re
import textwrap
from argparse import Namespace
from typing import TYPE_CHECKING

from evaltui.commands.parser import CommandParser
from evaltui.document.errors import DocumentError
from evaltui.printable import quoted, write_line

if TYPE_CHECKING:
    from evaltui.validation.rule_types import Rule

USAGE = "rule [CODE]"
DESCRIPTION = "Explain a rule of validate: the reason, a bad and a good example, and the fix."
EXAMPLE = "evaltui rule duplicate-eval-id"
_WIDTH = 78
_code_or_emphasis = re.compile(r"`([^`]*)`|(?<!\w)\*([^*\n]+)\*")


def add_options(parser: CommandParser) -> None:
    """Add the argument of `evaltui rule`."""
    code = "The code of the rule, such as missing-field. Default: a list of all rules."
    parser.add_argument_group("Arguments").add_argument("code", metavar="CODE", nargs="?", help=code)


def run(options: Namespace) -> int:
    """Print one rule, or a line for each rule. Raises `DocumentError` for an unknown rule."""
    from evaltui.validation.misspellings import nearest
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
    write_line("stdout", _text_of(RULES[code]))
    return 0


def _text_of(rule: Rule) -> str:
    blocks = [f"{rule.code} · {rule.severity} · {rule.group}", _wrapped(rule.summary), _wrapped(rule.why)]
    for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
        if example.text:
            blocks.append(f"{title}{example.caption}:\n{textwrap.indent(example.shown, '  ')}")
    if rule.fix:
        blocks.append(_wrapped(f"Fix: {rule.fix}"))
    return "\n\n".join(blocks)


def _wrapped(text: str) -> str:
    # The words of a rule are Markdown for docs/rules.md; a terminal shows them without its marks.
    return textwrap.fill(_code_or_emphasis.sub(lambda match: match[1] or match[2], text), _WIDTH)

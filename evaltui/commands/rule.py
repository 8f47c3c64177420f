"""`evaltui rule`: a rule explained, or all of them in a list."""

from __future__ import annotations

from argparse import Namespace

from evaltui.printable import quoted, write_line
from evaltui.report.rule_text import as_text
from evaltui.validation.misspellings import nearest
from evaltui.validation.rules.registry import RULES


def run(options: Namespace) -> int:
    """Print one rule, or a line for each rule. Returns 2, with a sentence, for an unknown rule."""
    code: str | None = options.code
    if code is None:
        for rule in RULES.values():
            write_line("stdout", f"{rule.code:<26} {rule.severity:<8} {rule.summary}")
        return 0
    if code not in RULES:
        near = nearest(code.lower(), RULES)
        hint = f"did you mean {near}?" if near else "`evaltui rule` lists them"
        write_line("stderr", f"evaltui: there is no rule {quoted(code, 60)}; {hint}")
        return 2
    write_line("stdout", as_text(RULES[code]))
    return 0

"""A rule in full: what it finds, why that matters, and an example."""

from __future__ import annotations

from textual.content import Content

from evaltui.printable import printable
from evaltui.tui.screens.page_screen import PageScreen
from evaltui.tui.session.problem import Problem
from evaltui.validation.rule import Diagnostic


class RuleScreen(PageScreen):
    """The problem, then the rule that found it."""

    def __init__(self, problem: Problem | Diagnostic) -> None:
        super().__init__(f"{problem.severity}: {problem.code}")
        self._problem = problem

    def content(self, width: int) -> Content:
        """Problem, fix and rule."""
        return rule_content(self._problem)


def rule_content(problem: Problem | Diagnostic) -> Content:
    """All there is to say of a problem."""
    from evaltui.validation.rules.registry import RULES

    parts = [Content(f"{printable(problem.message)}\n")]
    if problem.fix is not None:
        safe = "safe" if problem.fix.safe else "not safe: look whether it is what you mean"
        parts.append(Content.styled(f"Fix: {printable(problem.fix.title)} ({safe})\n", "$text-accent"))
    rule = RULES.get(problem.code)
    if rule is not None:
        sections = [("What", rule.summary), ("Why", rule.why), ("The fix", rule.fix)]
        examples = [("Instead of", rule.bad.text), ("write", rule.good.text)]
        for heading, text in [*sections, *examples]:
            if text:
                shown = printable(text, keep_lines=True)
                parts.append(Content.assemble((f"\n{heading}\n", "bold"), f"{shown}\n"))
    return Content.assemble(*parts)

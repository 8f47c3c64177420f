"""The explanation of a rule, for a terminal and as a section of docs/rules.md."""

from __future__ import annotations

import re
import textwrap

from evaltui.printable import printable
from evaltui.validation.rule_types import Example, Rule
from evaltui.validation.rules.rule_registry import TOPICS

_WIDTH = 78
_CAPTIONS = {
    "set": "",
    "case": " (a case of a set)",
    "turn": " (a turn of a case)",
    "dataset": " (a dataset)",
    "dataset_case": " (a case of a dataset)",
    "config": " (a config)",
    "text": "",
}
_code_or_emphasis = re.compile(r"`([^`]*)`|(?<!\w)\*([^*\n]+)\*")


def as_text(rule: Rule) -> str:
    """The text that `evaltui rule CODE` prints."""
    blocks = [f"{rule.code} · {rule.severity} · {rule.group}", _wrapped(rule.summary), _wrapped(rule.why)]
    for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
        if example.text:
            blocks.append(f"{title}{_CAPTIONS[example.kind]}:\n{textwrap.indent(_shown(example), '  ')}")
    if rule.fix:
        blocks.append(_wrapped(f"Fix: {rule.fix}"))
    return "\n\n".join(blocks)


def rules_document() -> str:
    """docs/rules.md: all rules by topic."""
    lines = [
        "# Rules",
        "",
        "Made by `make docs` from `evaltui/validation/rules`. `evaltui rule CODE` prints one rule.",
        "",
        "- *error*: google-adk rejects the file. For a dataset: agentplatform rejects the file.",
        "- *warning*: google-adk accepts the file, but a run fails or gives misleading results.",
        "- *info*: nothing fails, but you may not expect the effect.",
        "",
        "Tests check all examples. The wrong example breaks only this rule. The right example breaks no rule "
        "(for a syntax rule: no other syntax rule).",
    ]
    for heading, rules in TOPICS.items():
        lines += ["", f"## {heading}", "", "| code | severity | problem | fix |", "|---|---|---|---|"]
        for rule in rules:
            lines.append(
                f"| [{rule.code}](#{rule.code}) | {rule.severity} | {rule.summary} | {'yes' if rule.fix else ''} |"
            )
    for rule in (rule for rules in TOPICS.values() for rule in rules):
        lines += ["", f"## {rule.code}", "", f"*{rule.severity}, group {rule.group}.* {rule.summary}", "", rule.why]
        for title, example in (("Wrong", rule.bad), ("Right", rule.good)):
            if example.text:
                language = "text" if example.kind == "text" else "json"
                lines += ["", f"{title}{_CAPTIONS[example.kind]}:", "", f"```{language}", _shown(example), "```"]
            if example.text and example.config:
                lines += ["", "with the config", "", "```json", example.config, "```"]
        lines += ["", f"Fix: {rule.fix}"] if rule.fix else []
    return "\n".join(lines) + "\n"


def _shown(example: Example) -> str:
    # The wrong example of a byte that is not UTF-8 has a lone surrogate.
    return printable(example.text, keep_lines=True)


def _wrapped(text: str) -> str:
    # The words of a rule are Markdown for docs/rules.md; a terminal shows them without its marks.
    return textwrap.fill(_code_or_emphasis.sub(lambda match: match[1] or match[2], text), _WIDTH)

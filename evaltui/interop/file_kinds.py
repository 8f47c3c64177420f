"""The kind of a file: its format, with eval sets of trpc-agent-go told apart from those of google-adk."""

from __future__ import annotations

from pathlib import Path

from evaltui.document.node import Node
from evaltui.evalset.file_formats import format_of_document, has_cases_of_trpc, has_scenarios_of_trpc, is_camel_set


def kind_of(root: Node | None, name: str) -> str:
    """The format whose rules apply; `not_json` without a root."""
    if root is None:
        return "not_json"
    kind = format_of_document(root, Path(name).name)
    # An eval set of trpc-agent-go has google-adk's outline, but none of its rules. google-adk reads sets in camelCase,
    # too, so only members that it lacks tell the two apart.
    if kind == "eval_set" and is_camel_set(root) and (has_scenarios_of_trpc(root) or has_cases_of_trpc(root)):
        return "trpc_eval_set"
    return kind

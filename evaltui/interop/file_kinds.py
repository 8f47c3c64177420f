"""The kind of a file: its format, with eval sets of trpc-agent-go told apart from those of google-adk."""

from __future__ import annotations

from pathlib import Path

from evaltui.document.node import Node
from evaltui.evalset.file_formats import format_of_document, is_camel_set


def kind_of(root: Node | None, name: str) -> str:
    """The format whose rules apply; `not_json` without a root.

    An eval set of trpc-agent-go has google-adk's outline, but none of its rules.
    """
    if root is None:
        return "not_json"
    kind = format_of_document(root, Path(name).name)
    if kind == "eval_set" and is_camel_set(root):
        # Few sets are in camelCase. Only they need the many readers of other formats.
        from evaltui.interop.conversion_formats import is_set_of_trpc  # noqa: PLC0415

        return "trpc_eval_set" if is_set_of_trpc(root) else kind
    return kind

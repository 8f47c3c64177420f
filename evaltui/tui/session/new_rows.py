"""Cases and turns that were added since the run, so that they have no score yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.case_file import list_of_cases, turns_of

if TYPE_CHECKING:
    from evaltui.tui.session.scores import Scores


def unscored_case(scores: Scores, node: Node) -> Node | None:
    """The case around a value, if it was added since the run; None without scores, and during a run."""
    root = scores.document_now().root
    cases = list_of_cases(root) if root is not None and scores.has_any and not scores.is_running else None
    if cases is None:
        return None
    case = next((at for at in (node, *node.ancestors()) if at.parent is cases), None)
    return case if case is not None and scores.by_config(case) is None else None


def is_unscored(scores: Scores, node: Node) -> bool:
    """Whether a case, or a turn of a case, was added since the run."""
    case = unscored_case(scores, node)
    if case is not None:
        return node is case or node in turns_of(case)
    case = scores.case_around(node)
    if scores.is_running or case is None or case not in scores.stale or node is case:
        return False
    scored = scores.by_config(case)
    has_reason = scored is not None and bool(scored.result.reason)
    return not has_reason and node in turns_of(case) and scores.turn(node) is None

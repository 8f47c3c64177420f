"""Rows of the tree as lines: fold mark, verdict, label, and the marks at the right end."""

from __future__ import annotations

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.tui.lines import (
    DRAFT,
    FILL,
    MARKED,
    NO_MARK,
    NOT_EVALUATED,
    SEVERITY_MARKS,
    UNSAVED,
    Line,
    behind_text,
    preview,
)
from evaltui.tui.open_file.drafts import AS_JSON
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.outlines.case_outline import Outline
from evaltui.tui.widgets.row_tree import RowTree


class TreeLines:
    """Makes the lines of rows, and caches labels while they are valid."""

    def __init__(self, session: EditedDocument, outline: Outline) -> None:
        self._session, self._outline = session, outline
        self._labels: dict[Node, Line] = {}
        self._folds: dict[Node, bool] = {}
        """Whether a node has rows below it; only a structural change makes it another."""

    def line(self, rows: RowTree, index: int) -> Line:
        """The line of a row."""
        node, depth, session = rows.nodes[index], rows.depths[index], self._session
        label = self._labels.get(node)
        if label is None:
            label = self._labels[node] = self._outline.label(node)
        can_fold = self._folds.get(node)
        if can_fold is None:  # to pair the tool calls of a turn takes longer than to draw its row
            can_fold = self._folds[node] = self._outline.has_children(node)
        fold = ("▾ " if node in rows.open_nodes else "▸ ") if can_fold else "  "
        marked: Line = [MARKED] if node in session.marked else []
        front, score = self._verdict(node, depth)
        behind: Line = []
        line: Line = [("  " * max(0, depth - 1), ""), (fold if depth else "", "dim"), *front, *marked, *label]
        if (severity := session.problems.mark(node)) and depth:
            behind.append(behind_text(SEVERITY_MARKS[severity]))
        drafts = session.drafts
        if drafts.kept and (depth or (node, AS_JSON) in drafts.kept) and drafts.has(node):
            draft = drafts.of_value(node)
            behind.append(behind_text(DRAFT))
            behind += [(f" {preview(draft.text, 30)}", "warning")] if draft is not None else []
        elif depth and (
            session.document.is_changed(node)
            or ((holder := self._outline.holder(node)) is not None and session.document.is_changed(holder))
        ):
            behind.append(behind_text(UNSAVED))
        return [*line, ("", FILL), *behind, *score] if behind or score else line

    # --- scores --------------------------------------------------------------------------------------------

    def _is_scored(self, depth: int) -> bool:
        """Whether the rows at a depth are cases or turns of an outline that was scored."""
        return depth in (1, 2) and self._session.scores.has_any and self._outline.root is self._session.document.root

    def _verdict(self, node: Node, depth: int) -> tuple[Line, Line]:
        """The mark before the label of a scored case or turn, and the score at the right end."""
        if not self._is_scored(depth):
            return [], []
        verdict = self._session.scores.verdict(node)
        if verdict is not None:
            from evaltui.tui.panes.score_lines import verdict_runs  # nothing is scored before the first frame

            return verdict_runs(verdict)
        from evaltui.tui.open_file.score_places import unscored_case

        is_new_case = depth == 1 and unscored_case(self._session.scores, node) is node
        return [NOT_EVALUATED if is_new_case else NO_MARK], []

    def score_named(self, node: Node, depth: int) -> tuple[str, str]:
        """The metric whose score is beside a row: with its threshold, and without; "" for none."""
        verdict = self._session.scores.verdict(node) if self._is_scored(depth) else None
        if verdict is None or verdict.metric is None:
            return "", ""
        from evaltui.tui.panes.score_lines import metric_name, metric_text

        return metric_text(verdict.metric), f"score: {metric_name(verdict.metric)}"

    # --- changes -------------------------------------------------------------------------------------------

    def forget(self, nodes: set[Node]) -> None:
        """Make the labels of some nodes again when they are drawn."""
        for node in nodes:
            self._labels.pop(node, None)

    def forget_structure(self, change: Change) -> None:
        """Look again which nodes have rows below, and number rows again after those that were added or deleted."""
        self._folds.clear()
        for node in change.nodes:
            if self._outline.numbers_its_rows(node):
                self.forget({item for item in self._labels if item.parent is node})

    def forget_all(self) -> None:
        """Make all labels again when they are drawn."""
        self._labels.clear()
        self._folds.clear()

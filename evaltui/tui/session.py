"""An open file and what all panes share of it. Knows no widget."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from evaltui.document import Change, Document, EditError, Node
from evaltui.document.inspection import Finding
from evaltui.evalset.eval_set import EvalSet, is_eval_set
from evaltui.evalset.revision import Revision
from evaltui.printable import printable
from evaltui.tui.outlines import EvalOutline, JsonOutline, Outline


@dataclass(slots=True)
class Draft:
    """Text in a field that is no valid value yet; the document keeps the last valid one."""

    text: str
    problem: str


@dataclass(slots=True)
class Session:
    """The document, what opening it found, and the drafts that are not in it yet."""

    document: Document
    findings: list[Finding] = field(default_factory=list)
    drafts: dict[tuple[Node, Hashable], Draft] = field(default_factory=dict)
    """By the node of the form and the key of the field."""
    saving: bool = False

    @property
    def file_name(self) -> str:
        """The name of the file, safe to show."""
        return printable(self.document.path.name) if self.document.path else "unnamed"

    @property
    def eval_set(self) -> EvalSet | None:
        """The document as an eval set; None where it is something else."""
        root = self.document.root
        return EvalSet(root) if root is not None and is_eval_set(root) else None

    def outline(self) -> Outline | None:
        """The outline that fits the document; None where it is not JSON."""
        root = self.document.root
        if root is None:
            return None
        eval_set = self.eval_set
        return EvalOutline(eval_set) if eval_set else JsonOutline(root, self.file_name)

    def revise(self, revision: Revision, merge_key: Hashable = None) -> Change | None:
        """Do a revision as one undo step; None where it changes nothing. Raises `EditError`, `PointerError`."""
        if not revision.edits:
            return None
        return self.document.apply(revision.edits, revision.label, merge_key)

    def draft(self, node: Node, key: Hashable, text: str, error: EditError) -> None:
        """Keep text that is no valid value beside the document."""
        self.drafts[node, key] = Draft(text, str(error))

    def live_drafts(self) -> list[Draft]:
        """The drafts of fields that are still there."""
        root = self.document.root
        return [draft for (node, _), draft in self.drafts.items() if root is not None and node.is_in(root)]

    def forget_draft(self, node: Node, key: Hashable) -> None:
        """The field holds a valid value again."""
        self.drafts.pop((node, key), None)

"""An open file and what all panes share of it. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaltui.document import Change, Document, EditError, Node
from evaltui.evalset.case_text import CaseTexts
from evaltui.evalset.eval_set import EvalSet, is_eval_set
from evaltui.evalset.places import item_name
from evaltui.evalset.placing import Copy
from evaltui.evalset.revision import Revision
from evaltui.evalset.titles import STEP, title
from evaltui.printable import printable
from evaltui.tui.lines import preview
from evaltui.tui.live_scores import Scores
from evaltui.tui.live_validation import Problems
from evaltui.tui.outlines import EvalOutline, JsonOutline, Outline

if TYPE_CHECKING:
    from evaltui.document.inspection import Finding


@dataclass(slots=True)
class Draft:
    """Text in a field that is no valid value yet; the document keeps the last valid one."""

    text: str
    problem: str
    where: str
    """What its field is called, for people."""


@dataclass(slots=True)
class Disk:
    """What is known of the file on disk where that is not what was read or saved last."""

    trouble: str = ""
    """A few words for the title; "" where all is well."""
    is_lost: bool = False
    """Whether the text is in memory only: the file is gone, broken or cannot be read."""
    reading: bool = False
    waits: bool = False
    """Whether to look again as soon as nothing is being typed or asked."""


READ_ONLY = "Read-only: evaltui was started with --readonly, so nothing is changed."


@dataclass(slots=True)
class Session:
    """The document, what opening it found, and the drafts that are not in it yet."""

    document: Document
    findings: list[Finding] = field(default_factory=list)
    drafts: dict[tuple[Node, Hashable], Draft] = field(default_factory=dict)
    """By the node of the form and the key of the field."""
    saving: bool = False
    marked: dict[Node, None] = field(default_factory=dict)
    """The rows that commands act on together, in the order in which they were marked."""
    register: tuple[str, list[Copy]] | None = None
    """The text that was copied here last, and the rows it stands for."""
    before_save: Callable[[bytes], Callable[[], object]] = lambda _: lambda: None
    """Hears what is about to be written to the file; what it gives is called in the thread that then writes."""
    texts: CaseTexts = field(default_factory=CaseTexts)
    """The words of the cases, for finding and for suggestions."""
    after_move: Callable[[], object] = lambda: None
    """Hears that the document stands in another file from now on."""
    readonly: bool = False
    """Whether the person only looks: every change is refused."""
    disk: Disk = field(default_factory=Disk)
    journal_trouble: str = ""
    """Why what is unsaved is not journalled at present; "" where it is."""
    problems: Problems = field(init=False)
    """All that is wrong with the document, kept up to date."""
    scores: Scores = field(init=False)
    """What the last run says of its cases, and which were edited since."""

    def __post_init__(self) -> None:
        self.scores = Scores(lambda: self.document)
        self.problems = Problems(lambda: self.document, self.findings)

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

    def toggle_mark(self, node: Node) -> None:
        """Mark a row, or take its mark away."""
        if node in self.marked:
            del self.marked[node]
        else:
            self.marked[node] = None

    def path_to(self, node: Node) -> str:
        """Where a value stands, for people: its case and turn, then the keys: `refund › session_input › state`."""
        steps: list[str] = []
        for at in (node, *node.ancestors()):
            if self.eval_set is not None and self.eval_set.kind(at) != "value":
                return STEP.join([title(self.eval_set, at), *reversed(steps)])
            if at.parent is not None:
                steps.append(preview(at.name, 40) if at.key else item_name(at) if self.eval_set else str(at.index()))
        return STEP.join(reversed(steps))

    def problems_called(self, owner: Node) -> str:
        """What that is called which has problems: the title of a case, or the name of the file."""
        eval_set = self.eval_set
        return self.file_name if owner is self.document.root or eval_set is None else title(eval_set, owner)

    def revise(self, revision: Revision, merge_key: Hashable = None) -> Change | None:
        """Do a revision as one undo step; None where it changes nothing. Raises `EditError`, `PointerError`."""
        if self.readonly:
            raise EditError(READ_ONLY)
        if not revision.edits:
            return None
        return self.document.apply(revision.edits, revision.label, merge_key)

    def draft(self, node: Node, key: Hashable, draft: Draft) -> Change | None:
        """Keep text that is no valid value beside the document, which goes back to what it was before it was typed in.

        What was valid on the way there (the 6 of 600 being deleted) was nobody's value.
        """
        self.drafts[node, key] = draft
        return self.document.retract((node, key))

    def live_drafts(self) -> dict[Node, list[Draft]]:
        """The drafts of fields that are still there, by the node of their form."""
        found: dict[Node, list[Draft]] = {}
        for (node, _), draft in self.drafts.items():
            if self.document.root is not None and node.is_in(self.document.root):
                found.setdefault(node, []).append(draft)
        return found

    @property
    def has_unsaved(self) -> bool:
        """Whether quitting would lose something."""
        return self.document.is_dirty or self.disk.is_lost or bool(self.live_drafts())

    def has_draft(self, node: Node) -> bool:
        """Whether a field of `node` or of something in it holds a draft."""
        return any(node is at or node in at.ancestors() for at, _ in self.drafts)

    def drafts_said(self) -> str:
        """What there is to know of drafts where the file is written, as a clause; "" without any."""
        drafts = [draft for drafts in self.live_drafts().values() for draft in drafts]
        if not drafts:
            return ""
        if len(drafts) == 1:
            return f"1 draft not in the file: {drafts[0].where}, not valid yet"
        return f"{len(drafts)} drafts not in the file: {drafts[0].where} and others, not valid yet"

    def forget_draft(self, node: Node, key: Hashable) -> None:
        """The field holds a valid value again."""
        self.drafts.pop((node, key), None)

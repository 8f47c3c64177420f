"""An open file and what all panes share of it. Knows no widget."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from evaltui.document import Change, Document, EditError, Node
from evaltui.document.history import Step
from evaltui.evalset.editing.call_copies import Copy
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.eval_set import EvalSet
from evaltui.evalset.formats import is_eval_set
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.evalset.titles import STEP, item_name, title
from evaltui.printable import printable
from evaltui.tui.drafts import Draft, DraftPlace, Drafts
from evaltui.tui.lines import preview
from evaltui.tui.live_scores import Scores
from evaltui.tui.live_validation import Problems
from evaltui.tui.outlines import EvalOutline, JsonOutline, Outline

if TYPE_CHECKING:
    from evaltui.document.inspection import Finding


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


READ_ONLY = "Read-only: evaltui was started with --readonly, so nothing changes."


@dataclass(slots=True)
class Session:
    """The document, what opening it found, and the drafts that are not in it yet."""

    document: Document
    findings: list[Finding] = field(default_factory=list)
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
    keeps_drafts: bool = False
    """Whether the drafts outlive the session in its journal, to be offered when the file is opened again."""
    disk: Disk = field(default_factory=Disk)
    journal_trouble: str = ""
    """Why what is unsaved is not journalled at present; "" where it is."""
    drafts: Drafts = field(init=False)
    problems: Problems = field(init=False)
    """All that is wrong with the document, kept up to date."""
    scores: Scores = field(init=False)
    """What the last run says of its cases, and which were edited since."""

    def __post_init__(self) -> None:
        self.drafts = Drafts(lambda: self.document)
        self.scores = Scores(lambda: self.document)
        self.problems = Problems(lambda: self.document, self.findings, self.drafts)

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

    def revise(
        self, revision: Revision, merge_key: Hashable = None, instead_of: DraftPlace | None = None
    ) -> Change | None:
        """Do a revision as one undo step; None where it changes nothing. Raises `EditError`, `PointerError`.

        `instead_of` is the place of the draft that becomes the value.
        """
        if self.readonly:
            raise EditError(READ_ONLY)
        aside = self.drafts.dropping([instead_of])
        if not revision.edits and not aside:
            return None
        return self.document.apply(revision.edits, revision.label, merge_key, aside)

    def draft(self, at: DraftPlace, draft: Draft, since: Step | None) -> Change:
        """Keep text that is no valid value as a draft, one undo step together with what was typed on the way there.

        The document goes back to the value from before the typing that began after the step `since`: what was valid
        on the way (the 6 of 600 being deleted) was nobody's value. A value that was saved meanwhile stays.
        """
        label = f"draft of {draft.where}"
        return self.document.set_aside([self.drafts.keeping(at, draft)], label, merge_key=at, since=since)

    def drop_drafts(self, places: Sequence[DraftPlace], called: str) -> Change | None:
        """Drop drafts as one undo step; None where there are none."""
        aside = self.drafts.dropping(places)
        if not aside:
            return None
        self.document.history.seal()
        return self.document.set_aside(aside, f"drop {called}")

    @property
    def has_unsaved(self) -> bool:
        """Whether quitting would lose something."""
        return self.document.is_dirty or self.disk.is_lost or bool(self.drafts.live())

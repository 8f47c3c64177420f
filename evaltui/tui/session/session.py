"""The session: the open file and the state that all panes share."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Change, Document
from evaltui.document.edits import Edit, Set
from evaltui.document.errors import EditError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import DATASET, EVAL_SET
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.file_formats import is_dataset, is_eval_set
from evaltui.evalset.keys import member
from evaltui.evalset.search.case_text import CaseTexts
from evaltui.evalset.titles import STEP, item_name, title
from evaltui.printable import printable
from evaltui.tui.lines import preview
from evaltui.tui.outlines.case_outline import CaseOutline, Outline
from evaltui.tui.session.decision_history import DecisionHistory
from evaltui.tui.session.drafts import DraftPlace, Drafts, FieldDraft
from evaltui.tui.session.problems import Problems
from evaltui.tui.session.scores import Scores

if TYPE_CHECKING:
    from evaltui.document.swaps import AsideSwap
    from evaltui.tui.session.criteria_trial import UnsavedTrial
    from evaltui.tui.session.queue_entry import Order, QueueEntry
    from evaltui.tui.session.reading_view import Reading
    from evaltui.validation.odd_json import Oddity


@dataclass(slots=True, eq=False, repr=False)
class Disk:
    """The state of the file on disk, compared with the text last read or saved."""

    trouble: str = ""
    """A few words for the title; "" if all is well."""
    is_lost: bool = False
    """Whether the text is in memory only: the file is gone, invalid or cannot be read."""
    reading: bool = False
    waits: bool = False
    """Whether to look again when no field is edited and no question is open."""


READ_ONLY = "Read-only: evaltui was started with --readonly. To edit, start without it."


@dataclass(slots=True, eq=False, repr=False)
class Session:
    """The document, its findings, drafts, problems and scores."""

    document: Document
    findings: list[Oddity] = field(default_factory=list)
    saving: bool = False
    marked: dict[Node, None] = field(default_factory=dict)
    """The marked rows, in the order in which they were marked."""
    register: tuple[str, list[Copy]] | None = None
    """The last copied text, and the rows it came from."""
    before_save: Callable[[bytes], Callable[[], object]] = lambda _: lambda: None
    """Called with the bytes to save; the saving thread first calls the returned function."""
    texts: CaseTexts = field(default_factory=CaseTexts)
    """The words of the cases, for finding and for suggestions."""
    after_move: Callable[[], object] = lambda: None
    """Called after the document moved to another file."""
    readonly: bool = False
    """Whether the file is read-only: every edit is refused."""
    refusal: str = READ_ONLY
    """The message for an edit of a read-only file."""
    reading: Reading | None = None
    """The file of another format that the document was converted from; the document is then read-only."""
    keeps_drafts: bool = False
    """Whether the journal keeps drafts after the session, to offer them when the file is opened again."""
    disk: Disk = field(default_factory=Disk)
    agent: str = ""
    """A few words for the title while the agent runs."""
    has_journal: bool = False
    """Whether the session has a journal of unsaved work."""
    journal_trouble: str = ""
    """Why the journal cannot be written now; "" if it can."""
    is_json_of_reading: bool = False
    """Whether the document is shown as JSON but could be shown as an eval set."""
    drafts: Drafts = field(init=False)
    problems: Problems = field(init=False)
    """The problems of the document."""
    scores: Scores = field(init=False)
    """The scores of the last run, and the outdated cases."""
    trial: UnsavedTrial | None = None
    """The criteria on trial; None where no app shows the file."""
    decisions: DecisionHistory = field(init=False)
    """What was decided in the review and in the editor."""
    earlier_recordings: tuple[str, ...] = ()
    """The recordings that were named or added when the file was open before."""
    reviewed: Sequence[QueueEntry] = ()
    """The entries of the last review, with their decisions."""
    review_order: Order = "file"
    """The order of the queue of the last review."""
    _was_dataset: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self.drafts = Drafts(lambda: self.document)
        self.decisions = DecisionHistory(lambda: self.document)
        self.scores = Scores(lambda: self.document)
        self.scores.accepts_edits = lambda: not self.readonly
        self.problems = Problems(lambda: self.document, self.findings, self.drafts)

    @property
    def file_name(self) -> str:
        """The name of the file, safe to show."""
        return printable(self.document.path.name) if self.document.path else "unnamed"

    @property
    def eval_set(self) -> CaseFile | None:
        """The document as an eval set; None if it is something else."""
        root = self.document.root
        is_other = root is None or not is_eval_set(root) or self._is_emptied_dataset(root)
        return CaseFile(root, EVAL_SET, self._rubric_ids_of_config) if root is not None and not is_other else None

    def _rubric_ids_of_config(self) -> set[str]:
        """The ids of the rubrics of the config on disk and of the criteria that are tried."""
        from evaltui.scoring.eval_config import config_of

        config, tried = self.problems.config, self.scores.criteria
        ids = set(config.rubric_ids) if config is not None else set()
        if tried is not None and tried.config is not None:
            ids |= config_of(tried.config, tried.path or Path()).rubric_ids
        return ids

    @property
    def dataset(self) -> CaseFile | None:
        """The document as an EvaluationDataset; None if it is something else."""
        root = self.document.root
        if root is None or not (is_dataset(root) or self._is_emptied_dataset(root)):
            return None
        self._was_dataset = True
        return CaseFile(root, DATASET)

    def _is_emptied_dataset(self, root: Node) -> bool:
        """Whether the file is a dataset without cases: without cases, only the history tells it from an eval set."""
        cases = member(root, "eval_cases") if self._was_dataset else None
        return cases is not None and not cases.items and root.member("eval_set_id") is None

    @property
    def case_file(self) -> CaseFile | None:
        """The document as an eval set or a dataset; None for other JSON."""
        return self.eval_set or self.dataset

    @property
    def scored_rows(self) -> str:
        """The kind of rows that have scores: the turns of an eval set, the cases of a dataset."""
        return "case" if self.dataset is not None else "turn"

    def outline(self) -> Outline | None:
        """The outline (rows and forms) of the document; None if it is not JSON."""
        root = self.document.root
        if root is None:
            return None
        if (case_file := self.case_file) is not None:
            return CaseOutline(case_file)
        from evaltui.tui.outlines.json_outline import JsonOutline

        return JsonOutline(root, self.file_name)

    def toggle_mark(self, node: Node) -> None:
        """Mark or unmark a row."""
        if node in self.marked:
            del self.marked[node]
        else:
            self.marked[node] = None

    def path_to(self, node: Node) -> str:
        """The place of a value for people: its case and turn, then the keys: `refund › session_input › state`."""
        steps: list[str] = []
        case_file = self.case_file
        for at in (node, *node.ancestors()):
            if case_file is not None and case_file.kind(at) != "value":
                return STEP.join([title(case_file, at), *reversed(steps)])
            if at.parent is not None:
                steps.append(preview(at.name, 40) if at.key else item_name(at) if case_file else str(at.index()))
        return STEP.join(reversed(steps))

    def problems_called(self, owner: Node) -> str:
        """The title of the case with problems; the name of the file for the root."""
        case_file = self.case_file
        return self.file_name if owner is self.document.root or case_file is None else title(case_file, owner)

    def revise(
        self, revision: Revision, merge_key: Hashable = None, instead_of: DraftPlace | None = None
    ) -> Change | None:
        """Apply a revision as one undo step; None if it changes nothing. Raises `EditError`, `PointerError`.

        `instead_of` is the place of a draft that the revision replaces.
        """
        if self.readonly:
            raise EditError(self.refusal)
        aside = self.drafts.dropping([instead_of])
        edits = [] if self._is_there_already(revision.edits) else revision.edits
        if not edits and not aside:
            return None
        return self.document.apply(edits, revision.label, merge_key, aside)

    def _is_there_already(self, edits: list[Edit]) -> bool:
        """Whether the edits are a list of values that the document has already. Raises `PointerError`."""
        root = self.document.root
        return root is not None and all(
            isinstance(edit, Set) and root.at(edit.pointer).source() == edit.source for edit in edits
        )

    def draft(self, at: DraftPlace, draft: FieldDraft, since: UndoStep | None, now: Callable[[], str]) -> Change:
        """Keep invalid text as a draft, as one undo step together with the typing before it.

        The document returns to the value before that typing, which began after the step `since`: valid values on the
        way (the 6 of a half-deleted 600) were never meant. A value that was saved meanwhile stays. `now` gives the
        text of the value that the document returns to, from which a new draft begins.
        """

        def keeping() -> Iterator[AsideSwap]:
            before = self.drafts.get(*at)
            yield self.drafts.keeping(at, draft._replace(began=before.began if before is not None else now()))

        return self.document.set_aside(keeping(), f"draft of {draft.where}", merge_key=at, since=since)

    def drop_drafts(self, places: Sequence[DraftPlace], called: str) -> Change | None:
        """Drop drafts as one undo step; None where there are none."""
        aside = self.drafts.dropping(places)
        if not aside:
            return None
        self.document.history.seal()
        return self.document.set_aside(aside, f"drop {called}")

    @property
    def is_journalled(self) -> bool:
        """Whether unsaved work survives the end of this process."""
        return self.has_journal and not self.journal_trouble

    def said_trial(self, *, names_criteria: bool = False) -> str:
        """A clause about trial criteria that are not written; "" without any."""
        return self.trial.said_unsaved(names_criteria=names_criteria) if self.trial is not None else ""

    @property
    def has_unsaved(self) -> bool:
        """Whether quitting would lose something."""
        return self.document.is_dirty or self.disk.is_lost or bool(self.drafts.live()) or bool(self.said_trial())

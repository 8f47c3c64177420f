"""The edited document: the text of a file with its drafts, problems and scores. Knows no app."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Change, Document
from evaltui.document.edits import Set
from evaltui.document.errors import EditError
from evaltui.document.history import UndoStep
from evaltui.document.node import Node
from evaltui.document.swaps import AsideSwap
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import DATASET, EVAL_SET
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.file_formats import format_of_document, is_dataset, is_eval_set
from evaltui.evalset.keys import list_of_cases, member
from evaltui.evalset.titles import STEP, item_name, title
from evaltui.printable import printable
from evaltui.tui.lines import preview
from evaltui.tui.open_file.drafts import DraftPlace, Drafts, FieldDraft
from evaltui.tui.open_file.problem_list import Problems
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.outlines.case_outline import CaseOutline, Outline

if TYPE_CHECKING:
    from evaltui.evalset.search.case_text import CaseTexts
    from evaltui.tui.open_file.criteria_trial import CriteriaTrial
    from evaltui.tui.open_file.foreign_file import Reading
    from evaltui.tui.open_file.journal_keeper import JournalKeeper
    from evaltui.tui.open_file.saver import SaveJob

READ_ONLY = "Read-only: evaltui was started with --readonly. To edit, start without it."


@dataclass(slots=True, eq=False, repr=False)
class DiskState:
    """The state of the file on disk, compared with the text last read or saved."""

    trouble: str = ""
    """A few words for the title; "" if all is well."""
    is_lost: bool = False
    """Whether the text is in memory only: the file is gone, invalid or cannot be read."""
    reading: bool = False
    waits: bool = False
    """Whether to look again when no field is edited and no question is open."""

    def settle(self) -> None:
        """The disk agrees with the document again."""
        self.trouble, self.is_lost, self.waits = "", False, False


class EditedDocument:
    """A document with the state that all its panes share."""

    journal: JournalKeeper | None = None
    """The journal of unsaved work; None without one."""
    trial_in_use: CriteriaTrial | None = None
    """The criteria on trial; None until a person has opened the criteria or tried others."""
    words_in_use: CaseTexts | None = None

    def __init__(self, document: Document, *, readonly: bool = False) -> None:
        """With `readonly`, every edit is refused with the sentence `refusal`."""
        self.document = document
        """A restore from a journal replaces it, so nobody else keeps it."""
        self.readonly, self.refusal = readonly, READ_ONLY
        self.reading: Reading | None = None
        """The file of another format that the document was converted from; the document is then read-only."""
        self.is_json_of_reading = False
        """Whether the document is shown as JSON but could be shown as an eval set."""
        self.drafts = Drafts(self)
        self.scores = Scores(self)
        self.problems = Problems(self)
        self.marked: dict[Node, None] = {}
        """The marked rows, in the order in which they were marked."""
        self.copied: tuple[str, list[Copy]] | None = None
        """The last copied text, and the rows it came from."""
        self.saving: SaveJob | None = None
        self.disk_state = DiskState()
        self.keeps_drafts = False
        """Whether the journal keeps drafts after the session, to offer them when the file is opened again."""
        self.is_agent_running = False
        self.earlier_recordings: tuple[str, ...] = ()
        """The recordings that were named or added when the file was open before."""
        self._was_dataset = False
        self._case_file: CaseFile | None = None
        self._format = ""
        self._judged_at: tuple[Document, int, Path | None] | None = None
        """The document, its move and its path for which `_format` and `_case_file` hold."""

    @cached_property
    def words(self) -> CaseTexts:
        """The words of the cases, for finding and for suggestions."""
        from evaltui.evalset.search.case_text import CaseTexts

        self.words_in_use = CaseTexts()
        return self.words_in_use

    # --- what it is ------------------------------------------------------------------------------------------

    @property
    def file_name(self) -> str:
        """The name of the file, safe to show."""
        return printable(self.document.path.name) if self.document.path else "unnamed"

    @property
    def format(self) -> str:
        """The format of the document; "" if it is not JSON."""
        _ = self.case_file
        return self._format

    @property
    def case_file(self) -> CaseFile | None:
        """The document as an eval set or a dataset; None for other JSON."""
        # An edit can make the document something else; between edits each row and key asks.
        state = (self.document, self.document.history.moves, self.document.path)
        if self._judged_at == state:
            return self._case_file
        self._judged_at, root, previous = state, self.document.root, self._case_file
        name = self.document.path.name if self.document.path else ""
        self._format = kind = format_of_document(root, name) if root is not None else ""
        # Without cases, only the history tells a dataset from an eval set.
        cases = member(root, "eval_cases") if self._was_dataset else None
        has_none = cases is not None and not cases.items
        is_emptied = has_none and root is not None and root.member("eval_set_id") is None
        case_format = EVAL_SET if is_eval_set(root, kind) and not is_emptied else None
        if case_format is None and (is_emptied or is_dataset(root, kind)):
            self._was_dataset, case_format = True, DATASET
        if root is None or case_format is None:
            self._case_file = None
        elif previous is None or previous.root is not root or previous.format is not case_format:
            of_config = [self._rubric_ids_of_config] if case_format is EVAL_SET else []
            self._case_file = CaseFile(root, case_format, *of_config)
        return self._case_file

    @property
    def eval_set(self) -> CaseFile | None:
        """The document as an eval set; None if it is something else."""
        case_file = self.case_file
        return case_file if case_file is not None and not case_file.is_dataset else None

    def _rubric_ids_of_config(self) -> set[str]:
        from evaltui.scoring.eval_config import config_of

        config, tried = self.problems.config, self.scores.criteria
        ids = set(config.rubric_ids) if config is not None else set()
        if tried is not None and tried.config is not None:
            ids |= config_of(tried.config, tried.path or Path()).rubric_ids
        return ids

    def case_around(self, node: Node) -> Node | None:
        """The case around a value; None outside of cases."""
        cases = list_of_cases(self.document.root)
        around = (outer for outer in (node, *node.ancestors()) if outer.parent is cases)
        return next(around, None) if cases is not None else None

    def outline(self) -> Outline | None:
        """The outline (rows and forms) of the document; None if it is not JSON."""
        root = self.document.root
        if root is None:
            return None
        if (case_file := self.case_file) is not None:
            return CaseOutline(case_file)
        # Rarer than sets, so its rows are loaded late.
        from evaltui.tui.outlines.json_outline import JsonOutline

        return JsonOutline(root, self.file_name)

    def path_to(self, node: Node) -> str:
        """The place of a value for people: its case and turn, then the keys: `refund › session_input › state`."""
        steps: list[str] = []
        case_file = self.case_file
        for value in (node, *node.ancestors()):
            if case_file is not None and case_file.kind(value) != "value":
                return STEP.join([title(case_file, value), *reversed(steps)])
            if value.parent is not None:
                name = item_name(value) if case_file else str(value.index())
                steps.append(preview(value.name, 40) if value.key else name)
        return STEP.join(reversed(steps))

    def problems_called(self, owner: Node) -> str:
        """The title of the case with problems; the name of the file for the root."""
        case_file = self.case_file
        return self.file_name if owner is self.document.root or case_file is None else title(case_file, owner)

    # --- edits -----------------------------------------------------------------------------------------------

    def apply(
        self, revision: Revision, merge_key: Hashable = None, instead_of: DraftPlace | None = None
    ) -> Change | None:
        """Apply a revision as one undo step; None if it changes nothing. Raises `EditError`, `PointerError`.

        `instead_of` is the place of a draft that the revision replaces.
        """
        if self.readonly:
            raise EditError(self.refusal)
        aside = self.drafts.dropping([instead_of]) if self.drafts.kept else []
        root = self.document.root
        is_there = root is not None and all(
            isinstance(edit, Set) and root.at(edit.pointer).source() == edit.source for edit in revision.edits
        )
        # An undo step that changes nothing would be one key too many for whoever undoes.
        edits = [] if is_there else revision.edits
        if not edits and not aside:
            return None
        return self.document.apply(edits, revision.label, merge_key, aside)

    def keep_draft(
        self, place: DraftPlace, draft: FieldDraft, since: UndoStep | None, text_now: Callable[[], str]
    ) -> Change:
        """Keep invalid text as a draft, as one undo step together with the typing before it.

        The document returns to the value before that typing, which began after the step `since`: valid values on the
        way (the 6 of a half-deleted 600) were never meant. A value that was saved meanwhile stays. `text_now` gives
        the text of the value that the document returns to, from which a new draft begins.
        """

        def keeping() -> Iterator[AsideSwap]:
            previous = self.drafts.kept.get(place)
            began = previous.began if previous is not None else text_now()
            yield AsideSwap(*place, self.drafts.kept, draft._replace(began=began))

        return self.document.set_aside(keeping(), f"draft of {draft.where}", merge_key=place, since=since)

    def drop_drafts(self, places: Sequence[DraftPlace], called: str) -> Change | None:
        """Drop drafts as one undo step; None where there are none."""
        aside = self.drafts.dropping(places)
        if not aside:
            return None
        self.document.history.seal()  # else it would join the step of the typing before it
        return self.document.set_aside(aside, f"drop {called}")

    # --- unsaved work ----------------------------------------------------------------------------------------

    def said_trial(self, *, names_criteria: bool = False) -> str:
        """A clause about trial criteria that are not written; "" without any."""
        return self.trial_in_use.said_unsaved(names_criteria=names_criteria) if self.trial_in_use is not None else ""

    @property
    def has_unsaved(self) -> bool:
        """Whether quitting would lose something."""
        trial, drafts = self.trial_in_use, self.drafts
        has_trial = trial is not None and trial.has_unsaved
        return self.document.is_dirty or self.disk_state.is_lost or has_trial or bool(drafts.kept and drafts.live())

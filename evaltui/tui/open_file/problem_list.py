"""The problems of the open file, worst first, kept up to date while it is edited. Checks nothing itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.document import Change
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.evalset.file_formats import is_of_dialect
from evaltui.evalset.keys import list_of_cases
from evaltui.tui.lines import preview
from evaltui.tui.open_file.drafts import DraftPlace

if TYPE_CHECKING:
    from evaltui.scoring.eval_config import LoadedConfig
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.validation.case_checks import CaseFindings
    from evaltui.validation.rule_types import Diagnostic, Fix
    from evaltui.validation.rules.odd_values import Oddity

SEVERITIES = ("error", "warning", "info")
"""Worst first."""
DRAFT = "draft"
"""The severity of a draft, which no rule found."""
NO_PROBLEMS = "No problems"
"""The beginning of the sentences that no problem is listed."""
FORMATS_OF_RULES = ("eval_set", "evaluation_dataset")
"""The formats that have rules and are checked case by case."""

_FEW = 50
"""If at most so many cases change at once, they are checked first."""


class Problem(NamedTuple):
    """A problem in the case or document `owner`. Its pointer is relative to `owner`."""

    severity: str
    message: str
    owner: Node | None = None
    code: str = ""
    """The code of the rule; "" for a problem found while opening the file."""
    pointer: str = ""
    at_key: bool = False
    fix: Fix | None = None
    draft: DraftPlace | None = None
    """The place of the draft, if `severity` is `DRAFT`."""
    line: int = 0
    """The line number in the file as opened; 0 for a problem found by a rule."""

    @classmethod
    def of(cls, diagnostic: Diagnostic, owner: Node) -> Problem:
        """The problem that a rule found in `owner`."""
        code, pointer, at_key, fix = diagnostic.code, diagnostic.pointer, diagnostic.at_key, diagnostic.fix
        return cls(diagnostic.severity, diagnostic.message, owner, code, pointer, at_key, fix)

    def locate(self) -> tuple[Node | None, str]:
        """The value with the problem and "". For a missing key: the nearest value around it, and the key."""
        if self.owner is None:
            return None, ""
        node, missing = self.owner.nearest(parse_pointer(self.pointer))
        return node, missing or ""


@dataclass(eq=False, repr=False)
class Problems:
    """All problems of a document, worst first. Problems of a changed case stay until it is checked again.

    Call `changed` after each edit, check the cases that wait, and pass the results to `put`.
    """

    owner: EditedDocument
    inspected: list[Oddity] = field(default_factory=list)
    """Problems found while opening the file. They are shown only for formats without rules; the rules say more."""
    ignored: frozenset[str] = frozenset()
    """The codes of the rules that the user ignores."""
    of_project: frozenset[str] | None = None
    """The codes of the rules that the project selects; None for all."""
    config: LoadedConfig | None = None
    """The config that the set was checked with."""
    all: list[Problem] = field(default_factory=list)
    """Errors, then warnings, then infos, each in the order of the document."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    rows: list[Problem] = field(default_factory=list)
    """The drafts, then the problems that pass the filters."""
    version: int = 0
    """Grows whenever `rows` changes."""
    least: str = "info"
    case: Node | None = None
    """The case whose problems are shown; None for all cases."""
    gone_to: tuple[Problem, int] | None = None
    """The problem that the user last went to, and its row at that time."""
    edited: dict[Node, None] = field(default_factory=dict)
    """The cases that wait for a check until their present text was checked: those to check first."""
    unedited: dict[Node, None] = field(default_factory=dict)
    """The other cases that wait for a check."""
    set_is_stale: bool = False
    """Whether the checks of the set as a whole must run again."""
    _cases: list[Node] = field(default_factory=list)
    _drafts: list[Problem] = field(default_factory=list)
    _findings: dict[Node, CaseFindings] = field(default_factory=dict)
    _of_set: list[tuple[Node, Diagnostic]] = field(default_factory=list)
    _shown: dict[Node, tuple[Problem, ...]] = field(default_factory=dict)
    """The problems of each case that has any, and of the root."""
    _places: dict[Node, dict[Node, list[tuple[Problem, Node, str]]]] = field(default_factory=dict)
    """By case, or root, and by value in it: the problems that are in the value, as `within` gives them.

    They stay with their values until the case is checked again: its pointers may lead to other values meanwhile.
    """
    _checked_as: str = ""
    """The format by whose rules the cases are checked."""

    # --- what is to be checked -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Let all cases wait: anything may have changed."""
        self._checked_as = self.owner.format
        self._places.clear()
        self._follow_cases()
        self.edited, self.unedited = {}, dict.fromkeys(self._cases)

    @property
    def is_of_rules(self) -> bool:
        """Whether the document has a format that the rules are for: an eval set or an EvaluationDataset."""
        return self.owner.format in FORMATS_OF_RULES

    def changed(self, change: Change) -> None:
        """Queue the changed cases for a check, and update the listed drafts."""
        # A draft comes and goes without a check, so its row must not wait for one.
        if (self._drafts or self.owner.drafts.kept) and self._listed_drafts() != self._drafts:
            self.choose(self.least, self.case)
        is_other_format = self.owner.format != self._checked_as  # an edit can make a dataset an eval set
        for results in (self._findings, self._shown, self._places, self._of_set) if is_other_format else ():
            results.clear()
        if change.everywhere or is_other_format:
            self.begin()
            return
        edited = {self.owner.case_around(node) for node in change.nodes}
        cases = [case for case in edited if case is not None]
        # After a replacement in all cases, one key must not wait for all of them.
        (self.edited if len(cases) <= _FEW else self.unedited).update(dict.fromkeys(cases))
        values = set(change.nodes)  # what was found in them while opening the file may be mended
        oddities = [
            (diagnostic, node)
            for diagnostic, node in self.inspected
            if node is None or values.isdisjoint((node, *node.ancestors()))
        ]
        if len(oddities) < len(self.inspected):
            self.inspected[:] = oddities
            self.arrange()
        if None in edited:  # an edit outside of cases, such as an added or moved case
            self._follow_cases()

    def _follow_cases(self) -> None:
        """Update the lists after cases were added, deleted or moved."""
        cases = list_of_cases(self.owner.document.root) if self.is_of_rules else None
        self._cases = list(cases.items) if cases is not None else []
        present = {self.owner.document.root, *self._cases}
        if self.case not in present:
            self.case = None
        new = [case for case in self._cases if case not in self._findings and not self.waits(case)]
        (self.edited if len(new) <= _FEW else self.unedited).update(dict.fromkeys(new))
        for by_case in (self._findings, self._shown, self._places, self.edited, self.unedited):
            for gone in by_case.keys() - present:
                del by_case[gone]
        self._of_set = [(owner, diagnostic) for owner, diagnostic in self._of_set if owner in present]
        self.set_is_stale = self.is_of_rules
        self.arrange()

    @property
    def has_any(self) -> bool:
        """Whether there are problems or drafts, shown or not."""
        return bool(self.all or self.owner.drafts.live())

    @property
    def is_checking(self) -> bool:
        """Whether cases or the set wait to be checked."""
        return bool(self.edited or self.unedited or self.set_is_stale)

    def waits(self, case: Node) -> bool:
        """Whether a case waits to be checked."""
        return case in self.edited or case in self.unedited

    @property
    def progress(self) -> str:
        """The progress of the first check: `checking 3,400 of 10,000`; "" if only edited cases wait."""
        count, waiting = len(self._cases), len(self.unedited)
        return f"checking {count - waiting:,} of {count:,}" if waiting else ""

    @property
    def none_shown(self) -> str:
        """A sentence about why no problem is listed."""
        if self.all:
            return f"{NO_PROBLEMS} shown: the list is filtered."
        return f"{NO_PROBLEMS} yet: {self.progress}." if self.progress else f"{NO_PROBLEMS}."

    # --- what was found --------------------------------------------------------------------------------------

    def put(self, cases: Sequence[Node], sources: Sequence[bytes], results: Sequence[CaseFindings]) -> bool:
        """Store the findings of cases with these texts; returns whether the list must be arranged again."""
        has_changed = False
        for case, source, findings in zip(cases, sources, results, strict=True):
            if not self.waits(case) or case.source() != source:  # it changed or was deleted meanwhile
                continue
            for waiting in (self.edited, self.unedited):
                waiting.pop(case, None)
            (diagnostics, facts), (old_diagnostics, old_facts) = findings, self._findings.get(case, (None, None))
            self._findings[case] = findings
            self._places.pop(case, None)  # the same findings may be in other values than before
            # The checks of the set read only these facts of a case, so most edits need no new check of the set.
            self.set_is_stale |= old_facts != facts
            if old_diagnostics != diagnostics:
                has_changed = self._show_case(case) or has_changed
        return has_changed

    def facts(self) -> tuple[list[Node], list[CaseFindings]]:
        """All cases in order, each with its findings, for the checks of the set."""
        return list(self._cases), [self._findings[case] for case in self._cases if case in self._findings]

    def rubric_ids(self) -> set[str]:
        """The ids of all rubrics of the cases and turns, as far as they are checked."""
        return {rubric for _, facts in self._findings.values() for rubric, _, _ in facts.rubric_ids}

    def known(self) -> dict[bytes, CaseFindings]:
        """The findings of the cases that are up to date, by their text."""
        return {case.source(): findings for case, findings in self._findings.items() if not self.waits(case)}

    def put_set(
        self, cases: Sequence[Node], numbered: Sequence[tuple[int | None, Diagnostic]], config: LoadedConfig | None
    ) -> None:
        """Store the findings of the set as a whole, made for these cases and this config."""
        root = self.owner.document.root
        if root is None or cases != self._cases:  # cases came or went during the check
            self.set_is_stale = True
            return
        owners = {owner for owner, _ in self._of_set}
        self._of_set = [(root if number is None else cases[number], diagnostic) for number, diagnostic in numbered]
        has_other_config, self.config = config != self.config, config
        for owner in owners.union((owner for owner, _ in self._of_set), self._findings if has_other_config else ()):
            self._show_case(owner)
        self.arrange()

    def count_ignored(self) -> int:
        """The number of problems hidden because their rule is ignored."""
        of_cases = (diagnostic for diagnostics, _ in self._findings.values() for diagnostic in diagnostics)
        diagnostics = (*of_cases, *(diagnostic for _, diagnostic in self._of_set))
        return sum(diagnostic.code in self.ignored for diagnostic in diagnostics)

    def shows(self, code: str) -> bool:
        """Whether the findings of a rule are shown."""
        return code not in self.ignored and (self.of_project is None or code in self.of_project)

    def show_rules(self) -> None:
        """Show the findings of the selected rules only: others are selected or ignored now."""
        for owner in [*self._findings, *{owner for owner, _ in self._of_set}]:
            self._show_case(owner)
        self.arrange()

    def _show_case(self, owner: Node) -> bool:
        """Rebuild the problems of a case or of the root; returns whether they changed."""
        own: Iterable[Diagnostic]
        own, facts = self._findings.get(owner, ((), None))
        if self.config is not None and own:  # a config can make a finding worse, or its fix better
            from evaltui.validation.rules.with_config import under

            own = [under(self.config, diagnostic, facts) for diagnostic in own]
        if own and self.owner.document.root is not None and is_of_dialect(self.owner.document.root):
            from evaltui.validation.case_checks import as_of_dialect, in_command

            own = as_of_dialect(own, self.owner.document.root, in_command(self.owner.document))
        of_set = [diagnostic for case, diagnostic in self._of_set if case is owner]
        problems = tuple(Problem.of(finding, owner) for finding in (*of_set, *own) if self.shows(finding.code))
        previous = self._shown.pop(owner, ())
        self._places.pop(owner, None)  # made again when its row is drawn
        if problems:
            self._shown[owner] = problems
        return problems != previous

    def arrange(self) -> None:
        """Bring the list up to date with the findings."""
        by_severity: dict[str, list[Problem]] = {severity: [] for severity in SEVERITIES}
        for problem in self._in_order():
            by_severity[problem.severity].append(problem)
        previous, self.all = self.all, [problem for problems in by_severity.values() for problem in problems]
        if (root := self.owner.document.root) is not None:
            self._places.pop(root, None)
            if not self.is_of_rules:
                self._shown = {root: tuple(self.all)}
        if self.all == previous:  # then nothing is drawn again
            return
        self.counts = {severity: len(problems) for severity, problems in by_severity.items()}
        self.choose(self.least, self.case)

    def choose(self, least: str, case: Node | None) -> None:
        """Show problems of this severity or worse only, of one case or (None) of all."""
        self.least, self.case = least, case
        worse = SEVERITIES[: SEVERITIES.index(least) + 1]
        rows = self.all[: sum(self.counts[severity] for severity in worse)]
        rows = rows if case is None else [problem for problem in rows if problem.owner is case]
        self._drafts = self._listed_drafts() if self.owner.drafts.kept else []
        self.rows = [*self._drafts, *rows]  # drafts first: a save leaves them out
        self.version += 1

    def _listed_drafts(self) -> list[Problem]:
        """The drafts as entries of the list; if one case is shown, only its drafts."""
        listed = []
        for place, draft in self.owner.drafts.live():
            if self.case is None or self.owner_of(place.node) is self.case:
                words = f"{preview(draft.text, 40) or 'nothing'}: {draft.problem}; a save leaves the draft out"
                listed.append(Problem(DRAFT, f"{draft.where}  {words}", place.node, draft=place))
        return listed

    def next_row(self, row: int, step: int) -> int:
        """The row of the next (1) or previous (-1) problem, wrapping around; before the first visit, `row` itself."""
        if self.gone_to is None:
            return row if step > 0 else len(self.rows) - 1
        problem, row = self.gone_to
        if problem in self.rows:
            return (self.rows.index(problem) + step) % len(self.rows)
        return (row if step > 0 else row - 1) % len(self.rows)

    # The criteria have problems of another origin.
    def _in_order(self) -> Iterator[Problem]:
        root = self.owner.document.root
        if root is None or not self.is_of_rules:
            for diagnostic, node in self.inspected:
                yield Problem(diagnostic.severity, diagnostic.message, node, line=diagnostic.place.line)
            return
        for owner in (root, *self._cases):
            yield from self._shown.get(owner, ())

    # --- questions -------------------------------------------------------------------------------------------

    def owner_of(self, node: Node) -> Node | None:
        """The case around a value; the root for values outside of cases."""
        case = self.owner.case_around(node) if self._cases else None
        return case or self.owner.document.root

    def within(self, node: Node) -> list[tuple[Problem, Node, str]]:
        """The problems of a value and of the values in it, worst first, each with its place and the missing name."""
        owner = self.owner_of(node) if self.all else None
        if owner is None or not (problems := self._shown.get(owner)):
            return []
        if (places := self._places.get(owner)) is None:  # each visible row asks
            places = self._places[owner] = defaultdict(list)
            for problem in sorted(problems, key=lambda problem: SEVERITIES.index(problem.severity)):
                place, missing = problem.locate()
                if place is not None:
                    for outer in (place, *place.ancestors()):
                        places[outer].append((problem, place, missing))
        return places.get(node, [])

    def mark(self, node: Node) -> str:
        """The worst severity, error or warning, in a value or below it; "" without any."""
        if node is self.owner.document.root:
            return next((severity for severity in SEVERITIES[:2] if self.counts[severity]), "")
        return next((problem.severity for problem, _, _ in self.within(node)[:1] if problem.severity != "info"), "")

    def of_case(self, case: Node) -> Sequence[Problem]:
        """The problems of a case, or of the root."""
        return self._shown.get(case, ())

    def counted(self) -> str:
        """The number of problems of each severity: `1 error 2 warnings 1 info`."""
        counts = ((severity, self.counts[severity]) for severity in SEVERITIES)
        return " ".join(f"{count:,} {severity}{'s' * (count > 1)}" for severity, count in counts if count)

    def titled(self) -> str:
        """The title of a list of problems: `Problems 2 of 5`; "" without any."""
        count = len(self.rows) - len(self._drafts)
        part = f"{count:,} of " if count < len(self.all) else ""
        return f"Problems {part}{len(self.all):,}" if self.all else ""

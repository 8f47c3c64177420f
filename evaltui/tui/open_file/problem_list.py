"""A problem of the open file, as the screens show it."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.document.pointer import parse_pointer
from evaltui.evalset.case_file import list_of_cases
from evaltui.evalset.file_formats import format_of_document, is_of_dialect
from evaltui.tui.lines import preview
from evaltui.tui.open_file.drafts import DraftPlace, FieldDraft
from evaltui.tui.open_file.pending_checks import PendingCases

if TYPE_CHECKING:
    from pathlib import Path

    from evaltui.scoring.eval_config import LoadedConfig
    from evaltui.tui.open_file.edited_document import EditedDocument
    from evaltui.validation.case_checks import CaseFindings
    from evaltui.validation.odd_json import Oddity
    from evaltui.validation.rule_types import Diagnostic, Fix

SEVERITIES = ("error", "warning", "info")
"""Worst first."""

DRAFT = "draft"
"""The severity of a draft, which no rule found."""


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
    def of(cls, found: Diagnostic, owner: Node) -> Problem:
        """The problem that a rule found in `owner`."""
        return cls(found.severity, found.message, owner, found.code, found.pointer, found.at_key, found.fix)

    @classmethod
    def of_draft(cls, at: DraftPlace, draft: FieldDraft) -> Problem:
        """The problem of a draft: a typed text that is not a valid value yet."""
        message = f"{preview(draft.text, 40) or 'nothing'}: {draft.problem}; a save leaves the draft out"
        return cls(DRAFT, f"{draft.where}  {message}", at.node, draft=at)

    def locate(self) -> tuple[Node | None, str]:
        """The value with the problem and "". For a missing key: the nearest value around it, and the key."""
        at = self.owner
        for token in parse_pointer(self.pointer) if at is not None else ():
            below = _step(at, token) if at is not None else None
            if below is None:
                return at, token
            at = below
        return at, ""


def _step(node: Node, token: str) -> Node | None:
    if node.kind == "array":
        return node.items[int(token)] if token.isdecimal() and int(token) < len(node.items) else None
    return node.member(token)


def marks_in(owner: Node, problems: Iterable[Problem]) -> dict[Node, str]:
    """The worst severity (error or warning) of each value of a case, including the values inside it."""
    found: dict[Node, str] = {}
    for problem in problems:
        at, _ = problem.locate()
        if problem.severity == "info" or at is None:
            continue
        for node in (at, *at.ancestors()):
            if found.get(node) != "error":
                found[node] = problem.severity
            if node is owner:
                break
    return found


NO_PROBLEMS = "No problems"
"""The beginning of the sentences that no problem is listed."""
FORMATS_OF_RULES = ("eval_set", "evaluation_dataset")
"""The formats that have rules and are checked case by case."""


@dataclass(frozen=True, slots=True)
class ShownRules:
    """The set of rule codes whose problems are shown: those of the project, without the ones that the user ignores."""

    ignored: frozenset[str] = frozenset()
    of_project: Container[str] | None = None
    """None for all."""

    def __contains__(self, code: object) -> bool:
        return code not in self.ignored and (self.of_project is None or code in self.of_project)


@dataclass(eq=False, repr=False)
class Problems:
    """All problems of a document, worst first. Problems of a changed case stay until it is checked again.

    Call `changed` after each edit, check the cases of `pending`, and pass the results to `put`.
    """

    owner: EditedDocument
    inspected: list[Oddity] = field(default_factory=list)
    """Problems found while opening the file. They are shown only for formats without rules; the rules say more."""
    wanted: ShownRules = ShownRules()
    config_path: Path | None = None
    """The config that the user named; None for the one beside the set."""
    all: list[Problem] = field(default_factory=list)
    """Errors, then warnings, then infos, each in the order of the document."""
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(SEVERITIES, 0))
    rows: list[Problem] = field(default_factory=list)
    """The drafts, then the problems that pass the filters."""
    version: int = 0
    """Grows whenever `rows` changes."""
    least: str = "info"
    """The least severity that is shown."""
    case: Node | None = None
    """The case whose problems are shown; None for all cases."""
    gone_to: tuple[Problem, int] | None = None
    """The problem that the user last went to, and its row at that time."""
    pending: PendingCases = field(default_factory=PendingCases)
    """The cases that wait for a check."""
    set_is_stale: bool = False
    """Whether the checks of the set as a whole must run again."""
    _cases: list[Node] = field(default_factory=list)
    _found: dict[Node, CaseFindings] = field(default_factory=dict)
    _of_set: list[tuple[Node, Diagnostic]] = field(default_factory=list)
    _shown: dict[Node, tuple[Problem, ...]] = field(default_factory=dict)
    """The problems of each case that has any, and of the root."""
    _config: LoadedConfig | None = None
    """The config that the set was checked with."""
    _marks: dict[Node, dict[Node, str]] = field(default_factory=dict)
    _told: tuple[tuple[Document, int, Path | None] | None, str] = (None, "")
    """The format, and the document state for which it was determined."""
    _checked_as: str = ""
    """The format by whose rules the cases are checked."""

    @property
    def document(self) -> Document:
        """The document whose problems these are."""
        return self.owner.document

    # --- what is to be checked -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Check all cases that have no result for their current text: anything may have changed."""
        self._checked_as = self.format
        self.pending.begin(self._list_cases())
        self._follow_cases()
        self.set_is_stale = self.is_of_rules
        self.arrange()

    @property
    def is_of_rules(self) -> bool:
        """Whether the document has a format that the rules are for: an eval set or an EvaluationDataset."""
        return self.format in FORMATS_OF_RULES

    @property
    def format(self) -> str:
        """The format of the document; "" if it is not JSON. Cached between changes, because each row asks for it."""
        document = self.document
        state = (document, document.history.moves, document.path)
        if self._told[0] != state:
            root, name = document.root, document.path.name if document.path else ""
            self._told = (state, format_of_document(root, name) if root is not None else "")
        return self._told[1]

    def changed(self, change: Change) -> None:
        """Queue the changed cases for a check, and update the listed drafts."""
        if self._listed_drafts() != list(takewhile(lambda problem: problem.draft is not None, self.rows)):
            self.choose(self.least, self.case)
        if self.format != self._checked_as:  # an edit can make a dataset an eval set
            self._found.clear()
            self._shown.clear()
            self._marks.clear()
            self._of_set.clear()
            self.begin()
            return
        if change.everywhere:
            self.begin()
            return
        root = self.document.root
        cases = list_of_cases(root) if root is not None else None
        touched = {_case_around(node, cases) for node in change.nodes}
        self.pending.add([case for case in touched if case is not None])
        self._forget_inspected(change.nodes)
        if None in touched:  # an edit outside of cases, such as an added or moved case
            self._follow_cases()
            self.set_is_stale = self.is_of_rules
            self.arrange()

    def _list_cases(self) -> list[Node]:
        root = self.document.root
        cases = list_of_cases(root) if root is not None and self.is_of_rules else None
        return cases.items if cases is not None else []

    def _follow_cases(self) -> None:
        """Update the lists after cases were added, deleted or moved."""
        self._cases = list(self._list_cases())
        there = set(self._cases)
        if self.case not in there:
            self.case = None
        self.pending.add([case for case in self._cases if case not in self._found and case not in self.pending])
        for gone in [case for case in self._found if case not in there]:
            del self._found[gone]
            self._shown.pop(gone, None)
            self._marks.pop(gone, None)
        self.pending.keep(there)
        self._of_set = [(owner, found) for owner, found in self._of_set if owner in there or owner.parent is None]

    def _forget_inspected(self, nodes: Iterable[Node]) -> None:
        """Drop problems found while opening the file in values that changed since."""
        if self.inspected:
            changed = set(nodes)
            kept = [each for each in self.inspected if each.node is None or not _is_in(changed, each.node)]
            if len(kept) < len(self.inspected):
                self.inspected[:] = kept
                self.arrange()

    @property
    def has_any(self) -> bool:
        """Whether there are problems or drafts, shown or not."""
        return bool(self.all or self.owner.drafts.live())

    @property
    def is_checking(self) -> bool:
        """Whether cases or the set wait to be checked."""
        return bool(self.pending or self.set_is_stale)

    @property
    def progress(self) -> str:
        """The progress of the first check: `checking 3,400 of 10,000`; "" if only edited cases wait."""
        count, left = len(self._cases), self.pending.left
        return f"checking {count - left:,} of {count:,}" if left else ""

    @property
    def none_shown(self) -> str:
        """A sentence about why no problem is listed."""
        if self.all:
            return f"{NO_PROBLEMS} shown: the list is filtered."
        return f"{NO_PROBLEMS} yet: {self.progress}." if self.progress else f"{NO_PROBLEMS}."

    # --- what was found --------------------------------------------------------------------------------------

    def put(self, cases: Sequence[Node], found: Sequence[CaseFindings]) -> bool:
        """Store the findings of cases; returns whether the list must be arranged again."""
        other = False
        for case, findings in zip(cases, found, strict=True):
            if not self.pending.accept(case):
                continue
            before = self._found.get(case)
            self._found[case] = findings
            # The checks of the set read only these facts of a case, so most edits need no new check of the set.
            self.set_is_stale |= before is None or before.facts != findings.facts
            if before is None or before.diagnostics != findings.diagnostics:
                other = self._show_case(case) or other
        return other

    def facts(self) -> tuple[list[Node], list[CaseFindings]]:
        """All cases in order, each with its findings, for the checks of the set."""
        return list(self._cases), [self._found[case] for case in self._cases if case in self._found]

    def rubric_ids(self) -> set[str]:
        """The ids of all rubrics of the cases and turns, as far as they are checked."""
        return {identifier for found in self._found.values() for identifier, _, _ in found.facts.rubric_ids}

    @property
    def config(self) -> LoadedConfig | None:
        """The config that the set was checked with."""
        return self._config

    def known(self) -> dict[bytes, CaseFindings]:
        """The findings of the cases that are up to date, by their text."""
        return {case.source(): found for case, found in self._found.items() if case not in self.pending}

    def put_set(
        self, cases: Sequence[Node], found: Sequence[tuple[int | None, Diagnostic]], config: LoadedConfig | None
    ) -> None:
        """Store the findings of the set as a whole, made for these cases and this config."""
        root = self.document.root
        if root is None or cases != self._cases:
            self.set_is_stale = True
            return
        before = {owner for owner, _ in self._of_set}
        self._of_set = [(root if number is None else cases[number], each) for number, each in found]
        has_other_config, self._config = config != self._config, config
        for owner in before.union((owner for owner, _ in self._of_set), self._found if has_other_config else ()):
            self._show_case(owner)
        self.arrange()

    def count_ignored(self) -> int:
        """The number of problems hidden because their rule is ignored."""
        ignored = self.wanted.ignored
        if not ignored:
            return 0
        of_cases = (each for found in self._found.values() for each in found.diagnostics)
        return sum(each.code in ignored for each in (*of_cases, *(each for _, each in self._of_set)))

    def want(self, wanted: ShownRules) -> None:
        """Show the findings of these rules only."""
        self.wanted = wanted
        for owner in [*self._found, *{owner for owner, _ in self._of_set}]:
            self._show_case(owner)
        self.arrange()

    def _show_case(self, owner: Node) -> bool:
        """Rebuild the problems of a case or of the root; returns whether they changed."""
        own: Iterable[Diagnostic] = self._found[owner].diagnostics if owner in self._found else ()
        if self._config is not None and own:
            from evaltui.validation.rules.with_config import under

            own = [under(self._config, each, self._found[owner].facts) for each in own]
        if own and self.document.root is not None and is_of_dialect(self.document.root):
            from evaltui.validation.case_checks import as_of_dialect, in_command

            own = as_of_dialect(own, self.document.root, in_command(self.document))
        of_set = [found for at, found in self._of_set if at is owner]
        shown = tuple(Problem.of(each, owner) for each in (*of_set, *own) if each.code in self.wanted)
        had = self._shown.pop(owner, ())
        self._marks.pop(owner, None)
        if shown:
            self._shown[owner] = shown
        return shown != had

    def arrange(self) -> None:
        """Bring the list up to date with the findings."""
        buckets: dict[str, list[Problem]] = {severity: [] for severity in SEVERITIES}
        for problem in self._in_order():
            buckets[problem.severity].append(problem)
        before, self.all = self.all, [problem for severity in SEVERITIES for problem in buckets[severity]]
        if self.all == before:
            return
        self.counts = {severity: len(found) for severity, found in buckets.items()}
        if self.document.root is not None:
            self._marks.pop(self.document.root, None)
        self.choose(self.least, self.case)

    def choose(self, least: str, case: Node | None) -> None:
        """Show problems of this severity or worse only, of one case or (None) of all."""
        self.least, self.case = least, case
        self.rows = self.all[: sum(self.counts[each] for each in SEVERITIES[: SEVERITIES.index(least) + 1])]
        if case is not None:
            self.rows = [problem for problem in self.rows if problem.owner is case]
        self.rows = [*self._listed_drafts(), *self.rows]
        self.version += 1

    def _listed_drafts(self) -> list[Problem]:
        """The drafts as entries of the list; if one case is shown, only its drafts."""
        drafts = [Problem.of_draft(at, draft) for at, draft in self.owner.drafts.live()]
        if self.case is None:
            return drafts
        return [each for each in drafts if each.owner is not None and self.owner_of(each.owner) is self.case]

    def next_row(self, at: int, step: int) -> int:
        """The row of the next (1) or previous (-1) problem, wrapping around; before the first visit, `at` itself."""
        if self.gone_to is None:
            return at if step > 0 else len(self.rows) - 1
        problem, row = self.gone_to
        if problem in self.rows:
            return (self.rows.index(problem) + step) % len(self.rows)
        return (row if step > 0 else row - 1) % len(self.rows)

    def _in_order(self) -> Iterator[Problem]:
        root = self.document.root
        if root is None or not self.is_of_rules:
            for each in self.inspected:
                yield Problem(each.severity, each.message, each.node, line=each.line)
            return
        for owner in (root, *self._cases):
            yield from self._shown.get(owner, ())

    # --- questions -------------------------------------------------------------------------------------------

    def owner_of(self, node: Node) -> Node | None:
        """The case around a value; the root for values outside of cases."""
        cases = self._cases[0].parent if self._cases else None
        return _case_around(node, cases) or self.document.root

    def of(self, owner: Node | None) -> Sequence[Problem]:
        """The problems of one case; for the root, the problems outside of cases."""
        if owner is None:
            return ()
        if self.is_of_rules:
            return self._shown.get(owner, ())
        return self.all if owner is self.document.root else ()

    def within(self, node: Node) -> list[tuple[Problem, Node, str]]:
        """The problems of a value and of the values in it, worst first, each with its place and the missing name."""
        found = []
        for problem in sorted(self.of(self.owner_of(node)), key=lambda each: SEVERITIES.index(each.severity)):
            at, missing = problem.locate()
            if at is not None and (at is node or node in at.ancestors()):
                found.append((problem, at, missing))
        return found

    def mark(self, node: Node) -> str:
        """The worst severity, error or warning, in a value or below it; "" without any."""
        root = self.document.root
        if node is root:
            return next((severity for severity in SEVERITIES[:2] if self.counts[severity]), "")
        owner = self.owner_of(node)
        if owner is None or not self.of(owner):
            return ""
        if owner not in self._marks:
            self._marks[owner] = marks_in(owner, self.of(owner))
        return self._marks[owner].get(node, "")

    def has(self, case: Node, severity: str) -> bool:
        """Whether a case has a problem of this severity."""
        return any(problem.severity == severity for problem in self._shown.get(case, ()))

    def has_fix(self, case: Node) -> bool:
        """Whether a case has a problem with a fix."""
        return any(problem.fix is not None for problem in self._shown.get(case, ()))

    def counted(self) -> str:
        """The number of problems of each severity: `1 error 2 warnings 1 info`."""
        said = ((severity, self.counts[severity]) for severity in SEVERITIES)
        return " ".join(f"{count:,} {severity}{'s' * (count > 1)}" for severity, count in said if count)

    def titled(self) -> str:
        """The title of a list of problems: `Problems 2 of 5`; "" without any."""
        count = len(self.rows) - len(self._listed_drafts())
        shown = f"{count:,} of " if count < len(self.all) else ""
        return f"Problems {shown}{len(self.all):,}" if self.all else ""


def _case_around(node: Node, cases: Node | None) -> Node | None:
    if cases is None:
        return None
    return next((at for at in (node, *node.ancestors()) if at.parent is cases), None)


def _is_in(nodes: set[Node], node: Node) -> bool:
    return any(at in nodes for at in (node, *node.ancestors()))


@dataclass(eq=False, repr=False)
class ConfigProblems(Problems):
    """All problems of a config. It is small, so every edit checks it completely."""

    findings: list[Diagnostic] = field(default_factory=list)

    def look(self) -> None:
        """Check the current text of the config."""
        from evaltui.validation.case_checks import config_diagnostics

        self.findings = [*config_diagnostics(self.document)] if self.document.root is not None else []
        self.arrange()

    def _in_order(self) -> Iterator[Problem]:
        root = self.document.root
        if root is not None:
            for each in self.findings:
                yield Problem.of(each, root)

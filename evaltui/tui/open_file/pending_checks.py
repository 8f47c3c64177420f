"""Checks the open file while it is edited: in a thread, in slices between key presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.evalset.keys import without_cases
from evaltui.garbage_collection import seldom_collected, without_collecting

if TYPE_CHECKING:
    from evaltui.scoring.eval_config import LoadedConfig
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.validation.case_checks import CaseFindings
    from evaltui.validation.checked_case import CaseFacts
    from evaltui.validation.rule_types import NumberedDiagnostic
    from evaltui.validation.rules.rule_registry import Selection

    SetFindings = tuple[list[NumberedDiagnostic], LoadedConfig | None]

_SLICE = 20
"""Nodes to inspect before other tasks run."""
PAUSE = 0.15
"""Seconds without typing before the edited case is checked."""
_CASES, _BYTES = 3, 8_000
"""The most cases and bytes per slice of the first check: about a millisecond, in which no key can be drawn."""
_QUIET = 0.03
"""Seconds after a key press in which only edited cases are checked."""
_TYPES, _REST = 1.0, 0.005
"""Seconds after a key press in which more keys are likely, and the pause before each slice then."""
_FRAMES = 0.5
"""Seconds between two frames that show the progress of a long check."""
_FEW, _MANY = 50, 500
"""If at most `_FEW` cases change at once, they are checked first. More than `_MANY` take a while."""


class CaseChecks:
    """Checks the cases that wait in the problems of a file, and shows the problems on all screens."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self._due = 0.0
        """When typing has paused for long enough, by `time.monotonic`."""
        self._sooner = asyncio.Event()
        self._drawn = 0.0

    def begin(self) -> None:
        """Check everything that is unchecked."""
        self._file.app.run_alone("inspect", self._inspect)
        self._file.problems.begin()
        self._wake()

    def note_change(self, change: Change, *, is_typing: bool) -> None:
        """Check again what changed; during typing, wait for a pause."""
        if is_typing:
            self._due = time.monotonic() + PAUSE
        self._file.problems.changed(change)
        self._wake()

    def hurry(self) -> None:
        """Check now: a field was left."""
        self._due = 0.0
        self._sooner.set()

    def config_may_differ(self) -> None:
        """The config or the settings changed on disk: check the set again with them."""
        self._file.problems.set_is_stale = True
        self._wake()

    def catch_up(self) -> None:
        """Check the edited cases at once, because the next command acts on the problems."""
        problems = self._file.problems
        edited = problems.pending.take_edited()
        if edited and problems.put(edited, check_cases([case.source() for case in edited], problems.format)):
            problems.arrange()
        if problems.set_is_stale and (set_check := self._set_check()) is not None:
            problems.set_is_stale = False
            cases, check = set_check
            problems.put_set(cases, *check())

    def _wake(self) -> None:
        self._file.app.run_once("check", self._check_all)

    async def _check_all(self) -> None:
        try:
            await self.run()
        except Exception as error:  # a bug of ours must not end the session
            self._file.app.note_fault(error)
            self._file.say(f"The checks failed ({type(error).__name__}). You can still edit and save.")

    async def run(self) -> None:
        """Check all waiting cases; returns when none is left."""
        problems = self._file.problems
        self._drawn = time.monotonic()
        with seldom_collected(problems.pending.is_long):
            of_project = await asyncio.to_thread(load_rules, self._file.document.path)
            if of_project != problems.shown_rules.of_project:  # a settings file may have changed
                problems.show_rules(replace(problems.shown_rules, of_project=of_project))
            while problems.is_checking:
                is_typing = time.monotonic() < self._due
                if not is_typing and (edited := problems.pending.take_edited()):
                    await self._check(edited, at_once=True)
                elif problems.progress:  # while a person types, the rest of the set can be checked
                    await self._check_some()
                elif is_typing:
                    self._sooner.clear()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._sooner.wait(), max(0.0, self._due - time.monotonic()))
                else:
                    await self._check_set()
            self._show()

    async def _check_some(self) -> None:
        """Wait, or check a slice, so that a key press gets the interpreter at once."""
        since = time.monotonic() - self._file.app.input_order.last_input
        if since < _QUIET:
            await asyncio.sleep(_QUIET - since)
            return
        if since < _TYPES:
            await asyncio.sleep(_REST)
        view = self._file.front
        node = view.panes.form.node if view is not None and view.is_mounted else None
        await self._check(self._file.problems.pending.take_stale(node, _CASES, _BYTES))

    async def _check(self, cases: list[Node], *, at_once: bool = False) -> None:
        problems = self._file.problems
        try:
            findings = await asyncio.to_thread(check_cases, [case.source() for case in cases], problems.format)
        except BaseException:  # also a cancelled task: another one must find these cases waiting
            problems.pending.give_back(cases)
            raise
        has_changed = problems.put(cases, findings)
        is_due = has_changed and (at_once or not problems.progress)
        if is_due or time.monotonic() - self._drawn > _FRAMES:
            problems.arrange()
            self._show()

    async def _check_set(self) -> None:
        problems = self._file.problems
        problems.set_is_stale = False
        if problems.is_of_rules and (set_check := self._set_check()) is not None:
            cases, check = set_check
            problems.put_set(cases, *await asyncio.to_thread(check))
            self._show()

    def _set_check(self) -> tuple[list[Node], Callable[[], SetFindings]] | None:
        """The cases, and the check of their set as it is now; None as long as a case has no findings."""
        problems, root = self._file.problems, self._file.document.root
        cases, findings = problems.facts()
        if root is None or len(findings) < len(cases):
            return None
        facts = [case_findings.facts for case_findings in findings]
        document, config_path, kind = self._file.document, problems.config_path, problems.format
        return cases, partial(check_set, document, without_cases(root), facts, config_path, kind)

    def _show(self) -> None:
        self._drawn = time.monotonic()
        self._file.show_problems()

    async def _inspect(self) -> None:
        """Find oddities of a file without rules, in slices so that keys are never delayed."""
        from evaltui.validation.odd_json import find_oddities

        problems = self._file.problems
        had_some = bool(problems.inspected)
        problems.inspected.clear()
        # With rules, oddities are among the problems already.
        for number, finding in enumerate(() if problems.is_of_rules else find_oddities(self._file.document)):
            if finding is not None:
                problems.inspected.append(finding)
            elif number % _SLICE == 0:
                await asyncio.sleep(0)
        problems.inspected.sort(key=lambda oddity: (oddity.line, oddity.column))
        if problems.inspected or had_some:
            problems.arrange()
            self._file.show_problems()


@dataclass(eq=False, repr=False)
class PendingCases:
    """Hands out cases to check and takes them back. A case that changes in between is handed out again."""

    _edited: dict[Node, None] = field(default_factory=dict)
    _stale: dict[Node, None] = field(default_factory=dict)
    _out: set[Node] = field(default_factory=set)
    """The cases that were handed out and not returned yet."""

    def begin(self, cases: Iterable[Node]) -> None:
        """Make exactly these cases wait."""
        self._edited, self._stale = {}, dict.fromkeys(cases)
        self._out.clear()

    def add(self, cases: Collection[Node]) -> None:
        """Add changed or new cases."""
        # After a replacement in all cases, one key must not wait for all of them.
        (self._edited if len(cases) <= _FEW else self._stale).update(dict.fromkeys(cases))
        self._out.difference_update(cases)

    def keep(self, there: Container[Node]) -> None:
        """Forget all cases except these: the others were deleted."""
        self._edited, self._stale = (
            {case: None for case in waiting if case in there} for waiting in (self._edited, self._stale)
        )
        self._out = {case for case in self._out if case in there}

    def __bool__(self) -> bool:
        return bool(self._edited or self._stale or self._out)

    def __contains__(self, case: object) -> bool:
        return case in self._edited or case in self._stale or case in self._out

    @property
    def left(self) -> int:
        """The number of waiting cases that were not edited."""
        return len(self._stale)

    @property
    def is_long(self) -> bool:
        """Whether checking the waiting cases takes a while."""
        return len(self._stale) > _MANY

    def take_edited(self) -> list[Node]:
        """Hand out the edited cases, to be checked now."""
        return self._give(list(self._edited))

    def take_stale(self, node: Node | None, most: int, size: int) -> list[Node]:
        """Hand out at most `most` other cases of about `size` bytes together; first the case around `node`."""
        for outer in (node, *node.ancestors()) if node is not None else ():
            if outer in self._stale:
                return self._give([outer])
        chosen: list[Node] = []
        for case in self._stale:
            if chosen and (len(chosen) >= most or size < 0):
                break
            size -= len(case.source())  # may go below 0: a case larger than `size` must be checked too
            chosen.append(case)
        return self._give(chosen)

    def _give(self, cases: list[Node]) -> list[Node]:
        for case in cases:
            self._edited.pop(case, None)
            self._stale.pop(case, None)
        self._out.update(cases)
        return cases

    def give_back(self, cases: Iterable[Node]) -> None:
        """Take back cases that were handed out and not checked; they wait again."""
        self._stale.update(dict.fromkeys(case for case in cases if case in self._out))
        self._out.difference_update(cases)

    def accept(self, case: Node) -> bool:
        """Take back a checked case; False if it changed or was deleted meanwhile."""
        is_out = case in self._out
        self._out.discard(case)
        return is_out


def check_cases(sources: Sequence[bytes], kind: str = "eval_set") -> list[CaseFindings]:
    """The problems of cases of a format, in the order of their text."""
    from evaltui.validation.case_checks import checks_of
    from evaltui.validation.locations import in_text_order

    with without_collecting():  # findings stay, so a collection would only walk over them
        check = checks_of(kind).check_case
        checked = [(source, check(source)) for source in sources]
        return [
            replace(findings, diagnostics=in_text_order(source, findings.diagnostics)) for source, findings in checked
        ]


def check_set(
    document: Document,
    rest: bytes,
    facts: Sequence[CaseFacts],
    config_path: Path | None,
    kind: str,
) -> SetFindings:
    """The problems of a file outside its cases and across its cases; and the config of an eval set."""
    from evaltui.validation import case_checks
    from evaltui.validation.rules.json_syntax import encoding_diagnostics

    config = config_of(document, config_path) if kind == "eval_set" else None
    with without_collecting():
        of_set = case_checks.check_set(rest, facts, kind, config, document.path)
        of_encoding = encoding_diagnostics(document, case_checks.checks_of(kind).reader)
        return [*((None, diagnostic) for diagnostic in of_encoding), *of_set], config


def config_of(document: Document, named: Path | None = None) -> LoadedConfig | None:
    """The named config, else the one that google-adk finds; None if none can be read."""
    from evaltui.scoring.eval_config import UnreadableConfigError, find_config, load_config

    path = named or (find_config(document.path) if document.path is not None else None)
    try:
        return load_config(path) if path is not None else None
    except UnreadableConfigError:
        return None


def load_rules(path: Path | None) -> Selection | None:
    """Import the checks, which takes a quarter of a second once; returns the rules selected by the project.

    None selects all rules, also if the project's settings are invalid, which `evaltui validate` reports.
    """
    import_module("evaltui.validation.case_checks")
    from evaltui.document.errors import DocumentError
    from evaltui.settings.project_settings import project_settings
    from evaltui.validation.rules.rule_registry import Selection

    try:
        settings = project_settings(path.parent) if path is not None else None
        return Selection.of(settings.select, settings.ignore) if settings is not None else None
    except DocumentError:
        return None

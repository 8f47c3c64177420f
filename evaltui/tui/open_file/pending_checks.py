"""Checks the open file while it is edited: in a thread, in slices between key presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.keys import without_cases
from evaltui.garbage_collection import seldom_collected, without_collecting

if TYPE_CHECKING:
    from evaltui.scoring.eval_config import LoadedConfig
    from evaltui.tui.base_app import BaseApp
    from evaltui.tui.open_file.open_file import OpenFile
    from evaltui.validation.case_checks import CaseFindings
    from evaltui.validation.rule_types import NumberedDiagnostic

    SetFindings = tuple[list[Node], list[NumberedDiagnostic], LoadedConfig | None]

_SLICE = 20
"""Nodes to inspect before other tasks run."""
PAUSE = 0.15
"""Seconds without typing before the edited case is checked."""
_CASES, _BYTES = 3, 8_000
"""The most cases and bytes per slice of the first check: about a millisecond, in which no key can be drawn."""
QUIET = 0.03
"""Seconds after a key press in which only edited cases are checked, and nothing is scored."""
TYPES, REST = 1.0, 0.005
"""Seconds after a key press in which more keys are likely, and the pause before each slice then."""
_FRAMES = 0.5
"""Seconds between two frames that show the progress of a long check."""


class CaseChecks:
    """Checks the cases that wait in the problems of a file, and shows the problems on all screens."""

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        self.typed_at = -inf
        """When a person last typed into a field, by `time.monotonic`: the checks of its case wait for a pause."""
        self._sooner = asyncio.Event()
        self._drawn = 0.0

    def begin(self) -> None:
        """Check everything that is unchecked."""
        self._file.app.run_alone("inspect", self._inspect)
        self._file.problems.begin()
        self._file.app.run_once("check", self.run)

    def hurry(self) -> None:
        """Check now: a field was left."""
        self.typed_at = -inf
        self._sooner.set()

    def config_may_differ(self) -> None:
        """The config or the settings changed on disk: check the set again with them."""
        self._file.problems.set_is_stale = True
        self._file.app.run_once("check", self.run)

    def catch_up(self) -> None:
        """Check the edited cases at once and show the problems, because the next command acts on them."""
        problems = self._file.problems
        version, edited = problems.version, [*problems.edited]
        sources = [case.source() for case in edited]
        if edited and problems.put(edited, sources, check_cases(sources, self._file.format)):
            problems.arrange()
        if problems.set_is_stale and (check := self._set_check()) is not None:
            problems.set_is_stale = False
            problems.put_set(*check())
        if problems.version != version:
            self._show()

    async def run(self) -> None:
        """Check all waiting cases; returns when none is left."""
        problems = self._file.problems
        self._drawn = time.monotonic()
        try:
            with seldom_collected(len(problems.unedited)):
                of_project = await asyncio.to_thread(load_rules, self._file.document.path)
                if of_project != problems.of_project:  # a settings file may have changed
                    problems.of_project = of_project
                    problems.show_rules()
                while problems.is_checking:
                    rest = self.typed_at + PAUSE - time.monotonic()
                    is_typing = rest > 0
                    if not is_typing and (edited := [*problems.edited]):
                        await self._check(edited, at_once=True)
                    elif problems.progress:  # while a person types, the rest of the set can be checked
                        if not await leave_to_keys(self._file.app):  # a key press gets the interpreter at once
                            await self._check(self._some_unedited())
                    elif is_typing:
                        self._sooner.clear()
                        with suppress(TimeoutError):
                            await asyncio.wait_for(self._sooner.wait(), rest)
                    else:
                        problems.set_is_stale = False
                        if problems.is_of_rules and (check := self._set_check()) is not None:
                            problems.put_set(*await asyncio.to_thread(check))
                            self._show()
                self._show()
        except Exception as error:  # a bug of ours must not end the session
            self._file.app.note_fault(error)
            self._file.say(f"The checks failed ({type(error).__name__}). You can still edit and save.")

    def _some_unedited(self) -> list[Node]:
        """A few cases that were not edited; the case of the form in front comes first."""
        unedited, view = self._file.problems.unedited, self._file.front
        node = view.panes.form.node if view is not None and view.is_mounted else None
        for outer in (node, *node.ancestors()) if node is not None else ():
            if outer in unedited:
                return [outer]
        chosen, size = list[Node](), _BYTES
        for case in unedited:
            if chosen and (len(chosen) >= _CASES or size < 0):
                break
            size -= len(case.source())  # may go below 0: a case larger than that must be checked too
            chosen.append(case)
        return chosen

    async def _check(self, cases: list[Node], *, at_once: bool = False) -> None:
        problems, sources = self._file.problems, [case.source() for case in cases]
        findings = await asyncio.to_thread(check_cases, sources, kind := self._file.format)
        if self._file.format != kind:  # an edit made a dataset an eval set, which has other rules
            return
        has_changed = problems.put(cases, sources, findings)
        is_due = has_changed and (at_once or not problems.progress)
        if is_due or time.monotonic() - self._drawn > _FRAMES:
            problems.arrange()
            self._show()

    def _set_check(self) -> Callable[[], SetFindings] | None:
        """The check of the set as it is now; None as long as a case has no findings.

        It returns the cases, the problems outside of cases and across them, and the config of an eval set.
        """
        problems, document = self._file.problems, self._file.document
        cases, findings = problems.facts()
        if document.root is None or len(findings) < len(cases):
            return None
        facts, rest = [case_facts for _, case_facts in findings], without_cases(document.root)
        named, kind = self._file.options.config, self._file.format

        def check_set() -> SetFindings:
            from evaltui.validation import case_checks
            from evaltui.validation.rules.json_syntax import encoding_diagnostics

            config = config_of(document, named) if kind == "eval_set" else None
            with without_collecting():
                of_set = case_checks.check_set(rest, facts, kind, config, document.path)
                of_encoding = encoding_diagnostics(document, case_checks.reader_of(kind))
                return cases, [*((None, diagnostic) for diagnostic in of_encoding), *of_set], config

        return check_set

    def _show(self) -> None:
        self._drawn = time.monotonic()
        self._file.show_problems()

    async def _inspect(self) -> None:
        """Find oddities of a file without rules, in slices so that keys are never delayed."""
        problems = self._file.problems
        had_some = bool(problems.inspected)
        problems.inspected.clear()
        if not problems.is_of_rules:  # with rules, oddities are among the problems already
            from evaltui.validation.rules.odd_values import find_oddities

            for number, finding in enumerate(find_oddities(self._file.document)):
                if finding is not None:
                    problems.inspected.append(finding)
                elif number % _SLICE == 0:
                    await asyncio.sleep(0)
        problems.inspected.sort(key=lambda oddity: oddity[0].place)
        if problems.inspected or had_some:
            problems.arrange()
            self._file.show_problems()


async def leave_to_keys(app: BaseApp) -> bool:
    """Leave the interpreter to a key that was just pressed; returns whether there was one."""
    since = time.monotonic() - app.input_order.last_input
    if since < TYPES:
        await asyncio.sleep(QUIET - since if since < QUIET else REST)
    return since < QUIET


def check_cases(sources: Sequence[bytes], kind: str = "eval_set") -> list[CaseFindings]:
    """The problems of cases of a format, in the order of their text."""
    from evaltui.validation.case_checks import check_case
    from evaltui.validation.file_check import in_text_order

    with without_collecting():  # findings stay, so a collection would only walk over them
        checked = ((source, *check_case(source, kind)) for source in sources)
        return [(in_text_order(source, diagnostics), facts) for source, diagnostics, facts in checked]


def config_of(document: Document, named: str | None) -> LoadedConfig | None:
    """The named config, else the one that google-adk finds; None if none can be read."""
    from evaltui.scoring.eval_config import UnreadableConfigError, find_config, load_config

    path = Path(named) if named is not None else find_config(document.path) if document.path is not None else None
    try:
        return load_config(path) if path is not None else None
    except UnreadableConfigError:
        return None


def load_rules(path: Path | None) -> frozenset[str] | None:
    """Import the checks, which takes a quarter of a second once; returns the codes of the rules of the project.

    None selects all rules, also if the project's settings are invalid, which `evaltui validate` reports.
    """
    import_module("evaltui.validation.case_checks")
    from evaltui.document.errors import DocumentError
    from evaltui.settings.project_settings import project_settings
    from evaltui.validation.rules.rule_registry import selected_codes

    try:
        settings = project_settings(path.parent) if path is not None else None
        return selected_codes(settings.select, settings.ignore) if settings is not None else None
    except DocumentError:
        return None

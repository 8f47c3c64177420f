"""Checks the open file while it is edited: in a thread, in slices between key presses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.document import Change, Document
from evaltui.document.node import Node
from evaltui.evalset.case_file import without_cases
from evaltui.garbage_collection import seldom_collected, without_collecting
from evaltui.tui.editor.stage import Stage
from evaltui.tui.session.problems import Problems
from evaltui.tui.session.session import Session

if TYPE_CHECKING:
    from evaltui.scoring.eval_config import LoadedConfig
    from evaltui.validation.case_checks import CaseFindings
    from evaltui.validation.checked_case import CaseFacts
    from evaltui.validation.rule_types import NumberedDiagnostic
    from evaltui.validation.rules.rule_registry import Selection

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


class Checker:
    """Keeps the problems of a session current, and shows them on all screens."""

    def __init__(self, session: Session, stage: Stage) -> None:
        self._session = session
        self._stage = stage
        self._runs = CheckRuns(session.problems, stage.show_problems, self._value_on_screen, lambda: stage.last_input)
        session.problems.wake = lambda: stage.run_once("check", self._check)

    def begin(self) -> None:
        """Check everything that is unchecked."""
        self._stage.run("inspect", self._inspect)
        self._session.problems.begin()

    def note_change(self, change: Change, *, is_typing: bool) -> None:
        """Check again what changed; during typing, wait for a pause."""
        if is_typing:
            self._runs.typed()
        self._session.problems.changed(change)

    def hurry(self) -> None:
        """Check now: a field was left."""
        self._runs.hurry()

    def catch_up(self) -> None:
        """Check edited cases now, for a command that acts on the problems."""
        self._runs.catch_up()

    def config_may_differ(self) -> None:
        """The config or the settings changed on disk: check the set again with them."""
        problems = self._session.problems
        problems.set_is_stale = True
        problems.wake()

    def _value_on_screen(self) -> Node | None:
        view = self._stage.front
        return view.panes.form.node if view is not None and view.is_mounted else None

    async def _check(self) -> None:
        try:
            await self._runs.run()
        except Exception as error:  # a bug of ours must not end the session
            self._stage.note_fault(error)
            name = type(error).__name__
            self._stage.say(f"The checks failed ({name}). You can still edit and save.")

    async def _inspect(self) -> None:
        """Find oddities of a file without rules, in slices so that keys are never delayed."""
        from evaltui.validation.odd_json import find_oddities

        problems, document = self._session.problems, self._session.document
        had_some = bool(problems.inspected)
        problems.inspected.clear()
        # With rules, oddities are among the problems already.
        for number, finding in enumerate(() if problems.is_of_rules else find_oddities(document)):
            if finding is not None:
                problems.inspected.append(finding)
            elif number % _SLICE == 0:
                await asyncio.sleep(0)
        problems.inspected.sort(key=lambda each: (each.line, each.column))
        if problems.inspected or had_some:
            problems.arrange()
            self._stage.show_problems()


class CheckRuns:
    """Checks the waiting cases in `problems` until none is left."""

    def __init__(
        self,
        problems: Problems,
        show: Callable[[], object],
        shown: Callable[[], Node | None],
        last_key: Callable[[], float],
    ) -> None:
        """`show` is called after changes; `shown` gives the value on screen, `last_key` the last key's time."""
        self._problems = problems
        self._show = show
        self._shown = shown
        self._last_key = last_key
        self._due = 0.0
        self._sooner = asyncio.Event()
        self._drawn = 0.0

    def typed(self) -> None:
        """A key changed a text: check after a pause."""
        self._due = time.monotonic() + PAUSE

    def hurry(self) -> None:
        """Check now."""
        self._due = 0.0
        self._sooner.set()

    async def run(self) -> None:
        """Check all waiting cases; returns when none is left."""
        problems = self._problems
        self._drawn = time.monotonic()
        with seldom_collected(problems.pending.is_long):
            of_project = await asyncio.to_thread(load_rules, problems.document.path)
            if of_project != problems.wanted.of_project:
                problems.want(replace(problems.wanted, of_project=of_project))
            await self._run()

    async def _run(self) -> None:
        problems = self._problems
        while problems.is_checking:
            is_typing = time.monotonic() < self._due
            if problems.pending.has_edited and not is_typing:
                await self._check(problems.pending.take_edited(), at_once=True)
            elif problems.progress:
                await self._check_some()
            elif is_typing:
                await self._wait_for_pause()
            else:
                await self._check_set()
        self._say()

    async def _wait_for_pause(self) -> None:
        self._sooner.clear()
        try:
            await asyncio.wait_for(self._sooner.wait(), max(0.0, self._due - time.monotonic()))
        except TimeoutError:
            return

    async def _check_some(self) -> None:
        """Wait, or check a slice, so that a key press gets the interpreter at once."""
        since = time.monotonic() - self._last_key()
        if since < _QUIET:
            await asyncio.sleep(_QUIET - since)
            return
        if since < _TYPES:
            await asyncio.sleep(_REST)
        await self._check(self._problems.pending.take_stale(self._shown(), _CASES, _BYTES))

    async def _check(self, cases: list[Node], *, at_once: bool = False) -> None:
        try:
            kind = self._problems.format
            found = await asyncio.to_thread(check_cases, [case.source() for case in cases], kind)
        except BaseException:
            self._problems.pending.give_back(cases)
            raise
        other = self._problems.put(cases, found)
        if (other and (at_once or not self._problems.progress)) or time.monotonic() - self._drawn > _FRAMES:
            self._problems.arrange()
            self._say()

    async def _check_set(self) -> None:
        problems, root = self._problems, self._problems.document.root
        problems.set_is_stale = False
        if root is None or not problems.is_of_rules:
            return
        cases, found = problems.facts()
        if len(found) == len(cases):
            rest, facts = without_cases(root), [each.facts for each in found]
            config, kind = problems.config_path, problems.format
            problems.put_set(cases, *await asyncio.to_thread(check_set, problems.document, rest, facts, config, kind))
            self._say()

    def _say(self) -> None:
        self._drawn = time.monotonic()
        self._show()

    def catch_up(self) -> None:
        """Check the edited cases at once, because the next command acts on the problems."""
        problems = self._problems
        edited = problems.pending.take_edited()
        if edited and problems.put(edited, check_cases([case.source() for case in edited], problems.format)):
            problems.arrange()
        root = problems.document.root
        cases, found = problems.facts()
        if problems.set_is_stale and root is not None and len(found) == len(cases):
            problems.set_is_stale = False
            facts = [each.facts for each in found]
            rest = without_cases(root)
            found_in_set = check_set(problems.document, rest, facts, problems.config_path, problems.format)
            problems.put_set(cases, *found_in_set)


def check_cases(sources: Sequence[bytes], kind: str = "eval_set") -> list[CaseFindings]:
    """The problems of cases of a format, in the order of their text."""
    from evaltui.validation.case_checks import checks_of
    from evaltui.validation.locations import in_text_order

    with without_collecting():
        check = checks_of(kind).check_case
        found = [check(source) for source in sources]
        return [
            replace(each, diagnostics=in_text_order(source, each.diagnostics))
            for source, each in zip(sources, found, strict=True)
        ]


def check_set(
    document: Document,
    rest: bytes,
    facts: Sequence[CaseFacts],
    config_path: Path | None = None,
    kind: str = "eval_set",
) -> tuple[list[NumberedDiagnostic], LoadedConfig | None]:
    """The problems of a file outside its cases and across its cases; and the config of an eval set."""
    from evaltui.validation import case_checks
    from evaltui.validation.rules.json_syntax import encoding_diagnostics

    config = config_of(document, config_path) if kind == "eval_set" else None
    with without_collecting():
        found = case_checks.check_set(rest, facts, kind, config, document.path)
        reader = case_checks.checks_of(kind).reader
        return [*((None, each) for each in encoding_diagnostics(document, reader)), *found], config


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

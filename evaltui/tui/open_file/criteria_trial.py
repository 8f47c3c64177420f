"""Tries criteria of the open set: edits are scored at once, then written into the config or dropped."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evaltui.document.document import Document
from evaltui.document.errors import DocumentError
from evaltui.document.journals.journal import bytes_of
from evaltui.evalset.merge.paired_items import paired
from evaltui.garbage_collection import seldom_collected
from evaltui.printable import printable
from evaltui.report.scores_text import short_name
from evaltui.runs.tried_config import TriedConfig, open_config
from evaltui.scoring.criteria import Criteria, CriteriaError, criteria_of
from evaltui.tui.commands import key_of
from evaltui.tui.key_guards import SecondPress
from evaltui.tui.open_file.drafts import bring_back_drafts, drafts_as_data
from evaltui.tui.open_file.edited_document import EditedDocument
from evaltui.tui.open_file.problem_list import Problem, Problems
from evaltui.tui.screens.command_screen import CommandScreen

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_SLICE, _REST = 0.002, 0.001
"""Seconds of scoring per slice, and the pause between slices."""
NO_TRIAL = "Nothing to drop: there are no trial criteria."
CHANGED = "The config changed on disk."


class ConfigProblems(Problems):
    """All problems of a config. It is small, so every edit checks it completely."""

    def _in_order(self) -> Iterator[Problem]:
        from evaltui.validation.case_checks import config_diagnostics

        if (root := self.owner.document.root) is not None:
            yield from (Problem.of(diagnostic, root) for diagnostic in config_diagnostics(self.owner.document))


class CriteriaTrial:
    """Holds the config on trial, and shows the scores with it on all screens.

    The trial ends when the config is written or dropped. If the config changes on disk, its edits stay.
    """

    def __init__(self, file: OpenFile) -> None:
        self._file = file
        file.trial_in_use = self
        self.opened: TriedConfig | None = None
        self._found_for: Path | None = None
        """The folder of the set when the config was found; after saving elsewhere another config may apply."""
        self.form: EditedDocument | None = None
        """The document of the config's form, with its own drafts and undo steps."""
        self.waits = False
        """Whether the config has changed, and the form has not asked for it yet."""
        self.trouble = ""
        """A sentence about why the edited config gives no criteria; "" if it does."""
        self._second_press = SecondPress(file.app)

    # --- what there is ---------------------------------------------------------------------------------------

    @property
    def in_force(self) -> Criteria | None:
        """The criteria in force; None before the first run, and if the config cannot be used."""
        facts = self._file.scores.facts
        return facts.criteria if facts is not None else None

    @property
    def has_drafts(self) -> bool:
        """Whether a field of the config has a draft."""
        return self.form is not None and bool(self.form.drafts.live())

    @property
    def has_unsaved(self) -> bool:
        """Whether there are edits or drafts that are not in the config."""
        return (self.opened is not None and self.opened.is_changed) or self.has_drafts

    @property
    def can_write(self) -> bool:
        """Whether there are criteria to write, and a file to write them into."""
        config = self.opened
        return config is not None and config.is_changed and not config.unwritable and not self._file.readonly

    def has_written(self, paths: Collection[Path]) -> bool:
        """Whether these files are only the config, as it was written here."""
        config = self.opened
        return config is not None and set(paths) == {config.document.path} and config.is_own_write

    def config(self) -> TriedConfig:
        """The config on trial, opened when first needed. Raises `DocumentError` if it cannot be read."""
        if self.opened is None:
            self._open(config := self._read())
            self._criteria(config)
        assert self.opened is not None
        return self.opened

    def _read(self) -> TriedConfig:
        """The config that applies now. Raises `DocumentError`."""
        options = self._file.options
        return open_config(self._file.document.path, options.config, options.profile, self.in_force)

    def _open(self, config: TriedConfig) -> EditedDocument:
        """Put a config on trial; returns the document of its form."""
        self.opened, self._found_for = config, self._folder
        form = self.form = EditedDocument(config.document)
        form.problems = ConfigProblems(form)
        return form

    def _forget(self) -> None:
        self.opened = self.form = None
        self._file.scores.trial.begin(self.in_force, None, is_unwritten=False)

    def reopen_unless_tried(self) -> None:
        """Forget the config if nothing is tried and the file changed, so that it is read again."""
        if self.opened is not None and not self.has_unsaved and self.opened.is_outdated():
            self._forget()

    # --- trying ----------------------------------------------------------------------------------------------

    def try_options(self, tried: Callable[[Criteria], Criteria], counted: Callable[[], object]) -> None:
        """Try other options of metrics that evaltui computes; `counted` is called after all cases are scored.

        `tried` changes the criteria that are shown. Raises `CriteriaError` for options that cannot be tried, and
        `DocumentError` if the config changed on disk.
        """
        config, in_force, shown_criteria = self.config(), self.in_force, self._file.scores.criteria
        if in_force is None or shown_criteria is None:
            return
        config.refuse_other(in_force)
        edits = config.edits_to(in_force, shown_criteria, tried(shown_criteria))
        if edits:
            config.document.apply(edits, "try other criteria")
            config.document.history.seal()  # each try is a step of its own
        self.changed(counted)

    def changed(self, counted: Callable[[], object] = lambda: None) -> None:
        """Show scores with the edited config: on the front screen first, then for all cases."""
        if self.opened is None:
            return
        scores = self._file.scores
        scores.trial.begin(self.in_force, self._criteria(self.opened), is_unwritten=self.opened.is_changed)
        scores.version += 1
        screen = self._file.app.screen
        if isinstance(screen, CommandScreen) and screen.is_mounted:
            screen.show_scores()  # computes only what is visible, so the key answers at once
        self._file.app.run_alone("trial", partial(self._count, counted))

    def _criteria(self, config: TriedConfig) -> Criteria | None:
        """The criteria on trial; None if the config gives none. Without a run, google-adk's defaults are the others."""
        self.trouble = ""
        try:
            return config.criteria(self.in_force or criteria_of(None, self._file.options.profile))
        except (DocumentError, CriteriaError) as error:
            self.trouble = self.without_folder(str(error))
            return None

    async def _count(self, counted: Callable[[], object] = lambda: None) -> None:
        """Make the scores of all cases in slices between key presses, then update counts and order."""
        scores = self._file.scores
        end = time.monotonic() + _SLICE
        with seldom_collected(len(scores.rows)):
            scored_cases = [(case, scored) for case in scores.cases if (scored := scores.by_config(case)) is not None]
            for _ in scores.trial.score(scored_cases):
                if time.monotonic() > end:
                    await asyncio.sleep(_REST)
                    end = time.monotonic() + _SLICE
        scores.arrange()
        self._file.show_scores()
        counted()

    # --- a run, or a change on disk --------------------------------------------------------------------------

    def take_up_run(self) -> None:
        """After a run, continue the trial with the config that applies now."""
        config, in_force = self.opened, self.in_force
        if config is None or (in_force is None and self.has_unsaved):  # an unusable config may be repaired by edits
            return
        is_of_set = self._folder == self._found_for and (in_force is None or config.holds(in_force))
        stays = is_of_set and not config.is_outdated()
        is_shown = any(getattr(screen, "PLACE", "") == "criteria" for screen in self._file.app.screen_stack)
        if not stays and not is_shown:
            self.follow()  # the form of the config asks itself, when no field is edited
            return
        if not stays and not self.waits:
            # After the messages of the run.
            self._file.app.call_later(self._file.tell, f"{CHANGED} evaltui reads it again when you leave the field.")
        self.waits = not stays
        self._go_on()

    def reopen(self) -> None:
        """Another program edited the config: read it again. Drafts stay."""
        if self.has_unsaved:
            self.follow()
        else:
            self._forget()
        self._file.scorer.score(anew=True)

    def follow(self) -> None:
        """Take over the config that applies now. What is edited and not written stays."""
        self.waits, previous = False, self.opened
        if previous is None:
            return
        is_unsaved = self.has_unsaved
        why = CHANGED if self._folder == self._found_for else "The set is in another folder now."
        drafts = drafts_as_data(self.form.drafts) if self.form is not None else []
        try:
            config = self._read()
        except DocumentError:
            config = None
        if config is not None and previous.is_same_file(config) and previous.reload(config.document.saved_bytes):
            pass  # the form stays, and what is typed into it
        elif not is_unsaved:
            self._forget()
        elif config is not None and config.document.root is not None:
            config.take_edits_of(previous)
            bring_back_drafts(self._open(config).drafts, drafts)

        def tell_what_stays() -> None:
            is_unwritten = self._file.scores.trial.is_unwritten
            stays = f"Your trial stays: {self.said()}." if is_unwritten else "It has your trial criteria now."
            self._file.tell(f"{why} {'Your draft stays.' if self.has_drafts else stays}")

        if is_unsaved:
            self._file.app.call_later(tell_what_stays)  # after the messages of the run
        self._go_on()

    def _go_on(self) -> None:
        """Show the scores with the criteria on trial."""
        config, in_force = self.opened, self.in_force
        if config is not None and in_force is not None:
            tried = self._criteria(config) if config.is_changed else None
            self._file.scores.trial.begin(in_force, tried, is_unwritten=config.is_changed)
            if config.is_changed:
                self._file.app.run_alone("trial", self._count)

    @property
    def _folder(self) -> Path | None:
        path = self._file.document.path
        return path.absolute().parent if path is not None else None

    # --- ending ----------------------------------------------------------------------------------------------

    def drop(self) -> str:
        """Return to the config on disk as one undo step. Returns a sentence; "" if nothing was tried."""
        document = self.opened.document if self.opened is not None and self.opened.is_changed else None
        saved = Document(document.saved_bytes).root if document is not None else None
        if document is None or document.root is None or saved is None:
            return ""
        document.restore(document.root, saved.source(), paired, "drop the trial criteria")
        self.changed()
        return f"Trial dropped: scores use {self.in_force_called} again. Your edits stay."

    def write(self, command: str) -> tuple[str, bool]:
        """Write the tried criteria into the config at the second press of the key of a command, and score all cases.

        Returns a sentence and whether it was written: then the sentence has no full stop, so that more can follow.
        """
        if self._file.readonly:
            return self._file.refusal, False
        if not self._file.scores.trial.is_unwritten or self.opened is None:
            return "Nothing to write: there are no trial criteria.", False
        if self.opened.unwritable:
            return f"Not written: {self.opened.unwritable}.", False
        if self.opened.document.lacks_theirs:
            redo = key_of("list.redo")
            return f"Not written: the undo took back what another program wrote. Press {redo} first.", False
        if self.trouble:
            return f"Not written: {self.trouble}", False
        # Two presses, because the file is not the one in the editor.
        if not self._second_press.is_second(self.said()):
            return f"Press {key_of(command)} again to write {self.called}: {self.said()}", False
        config, criteria, name = self.config(), self.said(), self._name
        try:
            config.refuse_other(self.in_force)
            config.write()
        except DocumentError as error:
            return f"Not written: {error}", False
        self._file.scores.trial.is_unwritten = False  # the tried scores stay until new ones are made
        self._file.scorer.score(anew=True)
        return f"Wrote into {name}: {criteria}", True

    # --- the journal -----------------------------------------------------------------------------------------

    def as_data(self) -> dict[str, Any]:
        """The trial as a record of the journal: the config before and after, and drafts; empty without unsaved work."""
        config, form = self.opened, self.form
        if config is None or form is None or not self.has_unsaved:
            return {}
        return {
            "before": config.document.saved_bytes,
            "after": config.document.to_bytes(),
            "drafts": drafts_as_data(form.drafts),
            "said": self.said_unsaved(names_criteria=True),
        }

    def restore(self, record: dict[str, Any]) -> None:
        """Try the criteria of a record again. If it raises `DocumentError`, nothing has changed."""
        config = self.config()
        document, tried = config.document, Document(bytes_of(record["after"])).root
        if document.root is None or tried is None or document.saved_bytes != bytes_of(record["before"]):
            raise DocumentError(f"The trial criteria cannot be restored: {self._name} has changed since then.")
        document.restore(document.root, tried.source(), paired, "restore the trial criteria")
        assert self.form is not None
        bring_back_drafts(self.form.drafts, record["drafts"])
        self._file.scores.trial.begin(self.in_force, self._criteria(config), is_unwritten=config.is_changed)

    # --- words -----------------------------------------------------------------------------------------------

    @property
    def _name(self) -> str:
        config = self.opened
        return printable(config.file_name) if config is not None and config.file_name else "the config"

    @property
    def called(self) -> str:
        """The name of the config in sentences: `test_config.json`, `a new test_config.json`."""
        return f"a new {self._name}" if self.opened is not None and self.opened.is_new else self._name

    @property
    def in_force_called(self) -> str:
        """The criteria that are in force without a trial: `test_config.json`, `google-adk's defaults`."""
        facts = self._file.scores.facts
        return printable(facts.config) if facts is not None and facts.config else "the config"

    def without_folder(self, sentence: str) -> str:
        """A sentence without the folder of the config at its start, so that the rest fits on the screen."""
        path = self.opened.document.path if self.opened is not None else None
        return sentence.removeprefix(f"{path.parent}{os.sep}") if path is not None else sentence

    @property
    def said_left(self) -> str:
        """A sentence for a person who leaves the criteria or the review during a trial; "" without one."""
        if not self._file.scores.trial.is_unwritten:
            return ""
        opens, writes, drops = key_of("criteria"), key_of("criteria.write"), key_of("criteria.drop")
        subject = "scores" if self._file.scores.has_any else "criteria"
        write = f"{writes} to write or " if self.can_write else ""
        return f"These are trial {subject}. Press {opens}, then {write}{drops} to drop the trial."

    def said_unsaved(self, *, names_criteria: bool = False) -> str:
        """A clause about trial criteria and drafts that are not in the config; "" without any."""
        config, form = self.opened, self.form
        if config is None or form is None or not self.has_unsaved:
            return ""
        names = ""
        if names_criteria:
            criteria = self.said() if config.is_changed and None not in self._compared() else ""
            names = ", ".join(filter(None, [criteria, form.drafts.counted()]))
        return f"trial criteria not in {self._name}{f': {names}' if names else ''}"

    def _compared(self) -> tuple[Criteria | None, Criteria | None]:
        """The criteria in force and on trial; without a run, those of the config, and None if it has none."""
        in_force, config = self.in_force, self.opened
        if in_force is not None:
            return in_force, self._file.scores.trial.criteria
        if config is None or not config.is_changed:
            return None, None
        try:
            in_force = config.criteria_before()
            return in_force, config.criteria(in_force)
        except (DocumentError, CriteriaError):
            return None, None

    def said(self) -> str:
        """The criteria that differ from those in force: `response_match ≥ 0.5, + safety, − tool_trajectory`."""
        in_force, tried = self._compared()
        if in_force is None or tried is None:
            return "unsaved edits" if self._file.scores.trial.is_unwritten else ""
        words = []
        for metric in tried.judged:
            if metric == in_force.of(metric.name):
                continue
            sign = "" if in_force.of(metric.name) is not None else "+ "
            threshold = f" ≥ {metric.threshold:g}" if metric.threshold is not None else ""
            words.append(f"{sign}{printable(short_name(metric.name))}{threshold}{metric.options_text()}")
        gone = (metric for metric in in_force.judged if tried.of(metric.name) is None)
        words += [f"− {printable(short_name(metric.name))}" for metric in gone]
        return ", ".join(words) or "new order"

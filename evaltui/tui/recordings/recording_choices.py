"""Changes to recordings for this session: files, matches by hand, and the run that counts for a case."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.file_access import is_file
from evaltui.files.session_source import session_source
from evaltui.files.typed_paths import PathError, expanded, file_or_folder
from evaltui.printable import printable
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import CaseMatch
from evaltui.recordings.recording_copies import copies_among
from evaltui.recordings.recording_search import SESSIONS
from evaltui.runs.run_choices import RunChoices
from evaltui.tui.commands import key_of
from evaltui.tui.open_file.scorer import Scorer
from evaltui.tui.open_file.set_scores import Scores
from evaltui.tui.recordings.conversation_facts import RecordingFile
from evaltui.tui.screens.text_dialogs import NameDialog

if TYPE_CHECKING:
    from evaltui.tui.open_file.open_file import OpenFile

_DATABASES = (SESSIONS, Path(SESSIONS.name))
"""The session database of `adk web` in a folder of agents, or in its `.adk` folder."""


class RecordingChoices:
    """Changes the choices in force, and has the cases scored. Each method returns the sentence to show."""

    def __init__(self, scorer: Scorer, scores: Scores) -> None:
        self._scorer, self._scores = scorer, scores
        self._dropped: list[Path] = []
        """Dropped files, the latest at the end."""

    @property
    def choices(self) -> RunChoices:
        """The choices in force."""
        return self._scorer.choices

    def _use(self, choices: RunChoices, message: str) -> str:
        self._scorer.use(choices, message)
        return message

    # --- files -------------------------------------------------------------------------------------------------

    def path_to_add(self, text: str, folder: Path | None) -> Path:
        """The file or folder that a text names. Raises `PathError` if it cannot be added."""
        path = Path(os.path.abspath(named_path(text, folder)))  # noqa: PTH100 - a link keeps its name
        real = os.path.realpath(path)
        facts = self._scores.facts
        files = [file.path for file in facts.files] if facts is not None else []
        is_loaded = real in map(os.path.realpath, files)
        if is_loaded and real not in self.choices.dropped:
            raise PathError(f"{path.name} is loaded already; press {key_of('picker.run_again')} to read the file again")
        # Results and their traces are often the same run twice; both would count as runs of a case.
        original = copies_among([*files, path]).get(len(files)) if not is_loaded else None
        if original is not None:
            raise PathError(f"{path.name} is a copy of {files[original].name}, which is loaded already")
        return path

    def add(self, path: Path) -> str:
        """Add a file or folder to scoring."""
        message = f"Added {printable(path.name)} for this session."
        database = next((database for database in _DATABASES if is_file(path / database)), None)
        if database is not None:  # a folder adds recording files only: a database may have thousands of sessions
            message = f"Added {printable(path.name)}, but not {database} inside. Add that file by its path."
        return self._use(self.choices.adding(str(path)), message)

    def drop(self, file: RecordingFile) -> str:
        """Drop a file from scoring."""
        # A dropped file stays in the list, so that it can be restored.
        path, restore = file.source.path, key_of("recordings.restore")
        if file.is_dropped:
            return f"{file.name} is dropped already. Press {restore} to restore the file."
        # The order is needed: without a selected file, the key restores the one that was dropped last.
        self._dropped = [*(dropped for dropped in self._dropped if dropped != path), path]
        return self._use(self.choices.dropping(path), f"Dropped {file.name} from scoring. Press {restore} to restore.")

    def restore(self, file: RecordingFile | None) -> str:
        """Bring back a dropped file: this one, else the one that was dropped last."""
        dropped = [path for path in self._dropped if self.choices.drops(path)]
        # The selected file comes first: the person sees it.
        if file is not None and file.is_dropped:
            path = file.source.path
        elif dropped:
            path = dropped[-1]
        else:
            return "There is no dropped recording to restore."
        return self._use(self.choices.restoring(path), f"{printable(path.name)} is used again.")

    # --- matches by hand -----------------------------------------------------------------------------------------

    def match(self, conversation: Conversation, eval_id: str) -> str:
        """Match a conversation with the case of an id."""
        name = printable(eval_id)
        choices = self.choices.matching(conversation.key, eval_id)
        return self._use(
            choices, f"Matched with {name} by hand. Press {key_of('conversations.unmatch')} to undo the match."
        )

    def unmatch(self, conversation: Conversation) -> str:
        """Undo a match by hand: the conversation is matched by its own data again."""
        if conversation.key not in self.choices.by_hand:
            return "This conversation was not matched by hand."
        return self._use(self.choices.unmatching(conversation.key), "Match by hand undone.")

    # --- runs ------------------------------------------------------------------------------------------------------

    def count(self, case: Node, runs: Iterable[CaseMatch], number: int) -> str:
        """Make run `number` (from 1, the newest last) count for its case."""
        keys = [match.conversation.key for match in runs]
        title = case_title(case)
        choices = self.choices.counting_on(keys[number - 1], keys, title)
        latest = f" ({key_of('runs.latest')}: latest run)" if number < len(keys) else ""
        return self._use(choices, f"{title}: run {number:,} of {len(keys):,} is used{latest}.")

    def count_latest(self, case: Node, runs: Iterable[CaseMatch]) -> str:
        """Make the latest run count for a case."""
        keys = [match.conversation.key for match in runs]
        return self._use(self.choices.latest_of(keys), f"{case_title(case)}: the latest run is used.")

    def toggle_all_runs(self) -> str:
        """Score each run of a case, or only the one that counts."""
        choices = self.choices._replace(all_runs=not self.choices.all_runs)
        every_run, one_run = "All runs are scored. A case shows how many passed.", "One run per case is scored."
        return self._use(choices, every_run if choices.all_runs else one_run)


def path_question(
    file: OpenFile,
    question: str,
    check: Callable[[str, Path | None], Path],
    chosen: Callable[[Path], None],
    proposed: str = "",
) -> tuple[NameDialog, Callable[[str | None], None]]:
    """The dialog that asks for a path, and what takes its answer. Typed paths are relative to the folder of the set.

    `check` gives the path that a text names in a folder, and raises `PathError`.
    """
    folder = folder_of(file)

    def answered(text: str | None) -> None:
        if text is not None:
            chosen(check(text, folder))

    dialog = NameDialog(question, proposed, lambda text: check(text, folder), is_path=True, folder=folder)
    return dialog, answered


def folder_of(file: OpenFile) -> Path | None:
    """The folder of the open set; None if it has no path yet."""
    path = file.document.path
    return path.absolute().parent if path is not None else None


def named_path(text: str, folder: Path | None) -> Path:
    """The file or folder that a text names; a session of a database as `session.db#ID`. Raises `PathError`."""
    # A database may have thousands of sessions, of which one is meant.
    if "#" in text and session_source(path := expanded(text, folder)).session_id is not None:
        return path
    return file_or_folder(text, folder)

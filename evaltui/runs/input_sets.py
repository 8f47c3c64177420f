"""The sets that a run scores: files and folders of a command line, each set once, with the chosen cases."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from evaltui.document.disk.file_content import read_file, read_stdin
from evaltui.document.errors import DocumentError
from evaltui.document.node import Node, root_of_file
from evaltui.evalset.expected_set import ExpectedSet
from evaltui.evalset.file_formats import is_sought, kind_of
from evaltui.file_access import is_folder
from evaltui.printable import quoted
from evaltui.recordings.user_messages import match_facts
from evaltui.runs.input_recordings import Say, files_text
from evaltui.runs.run_options import SetArgument
from evaltui.runs.set_reader import STDIN, ReadCase, SetToScore, Tick, read_large_set, set_of

if TYPE_CHECKING:
    from evaltui.document.document import Document


@dataclass(slots=True)
class InputSets:
    """Reads the sets of a command line, each file once."""

    recordings: Sequence[str]
    """The recordings that the command line names: files in such a folder are no sets."""
    say: Say
    tick: Tick = lambda _: None
    read_cases: Callable[[str], ReadCase] | None = None
    """Gives another reader for the cases of a set, by the name of the set."""
    is_whole: bool = False
    """Whether large sets are whole in memory."""
    inputs: set[Path] = field(default_factory=set)
    """In a folder, all files that were read, except earlier reports of `evaltui run`."""
    documents: dict[str, Document] | None = None
    """The documents of the sets by their name, as a review needs them; None if nobody does."""
    broken: int = 0
    """The number of files in a folder that look like sets but cannot be scored."""
    _seen: set[str] = field(default_factory=set)

    def read(self, arguments: Iterable[SetArgument]) -> Iterator[SetToScore]:
        """The sets of these arguments. From a folder, only sets with a chosen case. Raises `DocumentError`."""
        for argument in arguments:
            if argument.name != STDIN and os.path.isdir(argument.name):  # noqa: PTH112 - a long name is no folder
                yield from self._of_folder(argument)
                continue
            path = None if argument.name == STDIN else Path(argument.name)
            to_score = read_large_set(path, self.tick) if path is not None and not self.is_whole else None
            if to_score is None:
                data = read_stdin() if path is None else read_file(path)
                to_score = self._of_parsed(argument.name, path, data, root_of_file(data))
            if self._is_new(to_score.subject):
                yield to_score.choose(_chosen(argument, to_score.subject.eval_ids)) if argument.ids else to_score

    def _is_new(self, subject: ExpectedSet) -> bool:
        real = STDIN if subject.path is None else os.path.realpath(subject.path)
        is_new = real not in self._seen
        self._seen.add(real)
        return is_new

    def _of_parsed(self, name: str, path: Path | None, data: bytes, root: Node | None) -> SetToScore:
        read = self.read_cases(name) if self.read_cases is not None else None
        subject = set_of(root, data, path, name, self.tick, read)
        if self.documents is not None:
            from evaltui.document.document import Document  # noqa: PLC0415 - only a review changes sets

            self.documents[name] = Document(data, path)  # of its own, because a review edits it
        return SetToScore(subject, [match_facts(case) for case in subject.cases])

    # --- folders ---------------------------------------------------------------------------------------------------

    def _of_folder(self, argument: SetArgument) -> Iterator[SetToScore]:
        sets = [to_score for to_score in self._sets_in(argument.name) if self._is_new(to_score.subject)]
        if not argument.ids:
            yield from sets
            return
        ids = _chosen(argument, (eval_id for to_score in sets for eval_id in to_score.subject.eval_ids))
        for to_score in sets:
            if (chosen := to_score.choose(ids)).numbers:
                yield chosen

    def _sets_in(self, folder: str) -> Iterator[SetToScore]:
        """The sets in a folder, in the order of their paths. Raises `SearchLimitError`.

        Unreadable sets are reported, files of other formats are counted.
        """
        from evaltui.evalset.set_files import candidates  # noqa: PLC0415 - a named file needs no rules of git

        other_files = sets = recorded = 0
        real = Path(os.path.realpath(folder))
        named = (Path(os.path.realpath(name)) for name in self.recordings if is_folder(Path(name)))
        folders = {path for path in named if real in path.parents}
        for path in candidates(Path(folder), lambda path, reason: self.say(f"{path}: {reason}")):
            if folders and not folders.isdisjoint(Path(os.path.realpath(path)).parents):
                recorded += 1
                self.inputs.add(path)
                continue
            try:
                to_score = self._set_at(path)
            except DocumentError as error:
                self.broken += 1
                self.say(f"{error}; skipped")
                continue
            if to_score is None:
                other_files += 1
            else:
                sets += 1
                yield to_score
        if other_files:
            what = "not in the eval set format of google-adk, and no dataset"
            self.say(f"{files_text(other_files)} in {folder} skipped: {what}")
        if recorded:
            self.say(f"{files_text(recorded)} in {folder} skipped: in a folder of recordings (-r)")
        if not sets:
            self.say(f"{folder}: there is no eval set or dataset in this folder")

    def _set_at(self, path: Path) -> SetToScore | None:
        """The set in a file of a folder; None for a file of another format. Raises `DocumentError`."""
        self.inputs.add(path)
        # A dataset may be only a recording, which its cases tell.
        large = read_large_set(path, self.tick) if not self.is_whole else None
        if large is not None and not large.subject.is_dataset:
            return large
        root = root_of_file(data := read_file(path))
        if not is_sought(kind_of(root, str(path)), root):
            if _is_report(root):
                self.inputs.discard(path)
            return None
        to_score = self._of_parsed(str(path), path, data, root)
        if _is_recording(to_score.subject):
            if self.documents is not None:
                del self.documents[str(path)]
            return None
        return to_score


def _chosen(argument: SetArgument, eval_ids: Iterable[str]) -> frozenset[str]:
    """The ids that an argument chooses. Raises `DocumentError` for a pattern that matches none."""
    all_ids = frozenset(eval_ids)
    chosen: set[str] = set()
    for pattern in argument.ids:
        # An id that is also a glob, such as "cost[1]", means the case with this id.
        matching = {pattern} & all_ids or {eval_id for eval_id in all_ids if fnmatchcase(eval_id, pattern)}
        if not matching:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelt id

            near = get_close_matches(pattern, sorted(all_ids), 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise DocumentError(f"{argument.name}: no case has the eval_id {quoted(pattern)}{hint}")
        chosen |= matching
    return frozenset(chosen)


def _is_recording(subject: ExpectedSet) -> bool:
    """Whether a dataset records responses to all its cases and states no expectation, as agents-cli writes it."""
    cases = [case for case in subject.cases if case.is_of_dataset]
    return bool(cases) and all(
        case.is_answered and all(len(turn.unstated) > 1 for turn in case.turns) for case in cases
    )


def _is_report(root: Node | None) -> bool:
    """Whether a JSON value is a report of `evaltui run`, by its keys."""
    if root is None or root.kind != "object" or root.member("version") is None or root.member("summary") is None:
        return False
    return any(root.member(name) is not None for name in ("set", "runs"))

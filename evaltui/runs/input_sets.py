"""The sets that a run scores: files and folders of a command line, each set once, with the chosen cases."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from functools import partial
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
from evaltui.runs.input_recordings import files_text
from evaltui.runs.run_options import SetArgument
from evaltui.runs.set_reader import STDIN, SetToScore, Tick, read_large_set, set_of

if TYPE_CHECKING:
    from evaltui.runs.run_cache import RunCache
    from evaltui.runs.score_sets import ScoredRun


def read_sets(
    arguments: Iterable[SetArgument],
    recordings: Sequence[str],
    run: ScoredRun,
    tick: Tick = lambda _: None,
    *,
    cache: RunCache | None = None,
    keeps_documents: bool = False,
) -> Iterator[SetToScore]:
    """The sets of these arguments, each file once. From a folder, only sets with a chosen case. Raises `DocumentError`.

    `recordings` are those of the command line: files in such a folder are no sets. `run` gets sentences about skipped
    files, the files that were read in folders, and the documents if they are kept.
    """
    seen: set[str] = set()
    read = partial(_read_set, run, tick, cache, keeps_documents)
    for name, ids in arguments:
        is_folder_of_sets = name != STDIN and os.path.isdir(name)  # noqa: PTH112 - a long name is no folder
        if is_folder_of_sets:
            sets = [*_sets_in(name, recordings, run, partial(read, is_named=False))]
        else:
            sets = [*filter(None, [read(name, None if name == STDIN else Path(name))])]
        new: list[SetToScore] = []
        for to_score in sets:
            path = to_score[0].path
            if (real := STDIN if path is None else os.path.realpath(path)) not in seen:
                seen.add(real)
                new.append(to_score)
        if not ids or not (new or is_folder_of_sets):
            yield from new
            continue
        chosen = _chosen(name, ids, (eval_id for subject, *_ in new for eval_id in subject.eval_ids))
        for subject, facts, _ in new:
            own = array("I", (number for number, eval_id in enumerate(subject.eval_ids) if eval_id in chosen))
            if own:
                yield subject, facts, own


def _read_set(
    run: ScoredRun,
    tick: Tick,
    cache: RunCache | None,
    keeps_documents: bool,
    name: str,
    path: Path | None,
    *,
    is_named: bool = True,
) -> SetToScore | None:
    """The set in a file; None for a file of another format in a folder. Raises `DocumentError`."""
    # The cache has cases by their texts, so a large set is whole in memory, too.
    is_whole = keeps_documents or cache is not None
    large = read_large_set(path, tick) if path is not None and not is_whole else None
    # A dataset in a folder may be only a recording, which its cases tell.
    if large is not None and (is_named or not large[0].is_dataset):
        return large
    root = root_of_file(data := read_stdin() if path is None else read_file(path))
    if not is_named and not is_sought(kind_of(root, name), root):
        if path is not None and _is_report(root):
            run.inputs.discard(path)
        return None
    subject = set_of(root, data, path, name, tick, cache.of_set(name).case if cache is not None else None)
    if not is_named and _is_recording(subject):
        return None
    if keeps_documents:
        from evaltui.document.document import Document  # noqa: PLC0415 - only a review changes sets

        run.documents[name] = Document(data, path)  # of its own, because a review edits it
    return subject, [match_facts(case) for case in subject.cases], range(len(subject.cases))


def _sets_in(
    folder: str, recordings: Sequence[str], run: ScoredRun, read: Callable[[str, Path], SetToScore | None]
) -> Iterator[SetToScore]:
    """The sets in a folder, in the order of their paths. Raises `SearchLimitError`.

    Unreadable sets are reported, files of other formats are counted.
    """
    from evaltui.evalset.set_files import candidates  # noqa: PLC0415 - a named file needs no rules of git

    other_files = sets = recorded = 0
    real = Path(os.path.realpath(folder))
    named = (Path(os.path.realpath(name)) for name in recordings if is_folder(Path(name)))
    folders = {path for path in named if real in path.parents}
    for path in candidates(Path(folder), lambda path, reason: run.say(f"{path}: {reason}")):
        run.inputs.add(path)
        if folders and not folders.isdisjoint(Path(os.path.realpath(path)).parents):
            recorded += 1
            continue
        try:
            to_score = read(str(path), path)
        except DocumentError as error:
            run.broken += 1
            run.say(f"{error}; skipped")
            continue
        if to_score is None:
            other_files += 1
        else:
            sets += 1
            yield to_score
    if other_files:
        what = "not in the eval set format of google-adk, and no dataset"
        run.say(f"{files_text(other_files)} in {folder} skipped: {what}")
    if recorded:
        run.say(f"{files_text(recorded)} in {folder} skipped: in a folder of recordings (-r)")
    if not sets:
        run.say(f"{folder}: there is no eval set or dataset in this folder")


def _chosen(name: str, ids: Iterable[str], eval_ids: Iterable[str]) -> set[str]:
    """The ids that an argument chooses. Raises `DocumentError` for a pattern that matches none."""
    all_ids = frozenset(eval_ids)
    chosen: set[str] = set()
    for pattern in ids:
        # An id that is also a glob, such as "cost[1]", means the case with this id.
        matching = {pattern} & all_ids or {eval_id for eval_id in all_ids if fnmatchcase(eval_id, pattern)}
        if not matching:
            from difflib import get_close_matches  # noqa: PLC0415 - only for a misspelt id

            near = get_close_matches(pattern, sorted(all_ids), 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise DocumentError(f"{name}: no case has the eval_id {quoted(pattern)}{hint}")
        chosen |= matching
    return chosen


def _is_recording(subject: ExpectedSet) -> bool:
    """Whether a dataset records responses to all its cases and states no expectation, as agents-cli writes it."""
    cases = [case for case in subject.cases if case.is_of_dataset]
    return bool(cases) and all(
        case.is_answered and all(len(turn.unstated) > 1 for turn in case.turns) for case in cases
    )


def _is_report(root: Node | None) -> bool:
    if root is None or root.kind != "object" or root.member("version") is None or root.member("summary") is None:
        return False
    return any(root.member(name) is not None for name in ("set", "runs"))

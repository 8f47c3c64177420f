"""Output of `evaltui record`: cases added to a set in place, written to a new one, or shown as a diff."""

from __future__ import annotations

import os
import re
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from evaltui.commands.output_files import Outputs, is_null, print_diff, save_in_place, say_remarks
from evaltui.document.disk.file_replacement import save_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError, EditError, PointerError
from evaltui.evalset.datasets.dataset_views import EvaluationDatasetView
from evaltui.evalset.editing.recorded_cases import RecordedCase, add_recorded_cases, new_recorded_set
from evaltui.evalset.formats import ENDING_OF_DATASETS, ENDINGS_OF_SETS, is_dataset
from evaltui.evalset.set_views import EvalSetView
from evaltui.interrupt import deferred
from evaltui.printable import as_argument, quoted, say
from evaltui.recordings.recorded_choice import ChosenConversation, RecordedChoice
from evaltui.report.record_reports import AddedCase, print_added_cases


def refuse_output(path: Path, *, force: bool) -> None:
    """Raise `DocumentError` for a new file that exists, has the name of a dataset, or cannot be written."""
    if os.path.lexists(path) and not is_null(path):
        raise DocumentError(f"{path}: this file already exists; give another file name, or add to this one with --into")
    if path.name.endswith(ENDING_OF_DATASETS):
        raise DocumentError(
            f"{path}: -o writes an eval set, and this is the name of a dataset; {steps_to_dataset(path)}"
        )
    Outputs([path], force=force)


def steps_to_dataset(path: Path) -> str:
    """The commands that record into a new dataset."""
    name = as_argument(str(path))
    return f"make the dataset with evaltui edit {name}, then use --into {name}"


def write_cases(document: Document | None, choice: RecordedChoice, said: Sequence[str], given: Namespace) -> int:
    """Add the chosen cases to the document and save it; without a document, write a new set. `--diff` only shows it.

    The exit code is 0, or 3 if there is nothing to add. Raises `DocumentError` before anything is written.
    """
    cases = [_recorded_case(each, given.eval_id) for each in choice.chosen]
    name = str(given.into if document is not None else given.output)
    ids: list[str] = []
    if cases and document is not None:
        ids = _add_in_place(document, cases, name, given)
    elif cases:
        ids = _write_new(cases, _set_id(choice.chosen, Path(name)), name, given)
    for sentence in said:
        say(sentence)
    added = [
        AddedCase(eval_id, each.conversation.id, len(each.turns))
        for eval_id, each in zip(ids, choice.chosen, strict=True)
    ]
    print_added_cases(name, added, choice, given.format, is_written=not given.diff)
    return 0 if added else 3


def _recorded_case(chosen: ChosenConversation, eval_id: str | None) -> RecordedCase:
    details = chosen.details
    invocations = [turn.invocation for _, turn in chosen.turns]
    return RecordedCase(invocations, details.app_name, details.user_id, eval_id or details.eval_id)


def _add_in_place(document: Document, cases: Sequence[RecordedCase], name: str, given: Namespace) -> list[str]:
    """The ids of the cases that were added to the set."""
    assert document.root is not None
    before, own = document.body(), _ids_of(document)
    if given.eval_id is not None and given.eval_id in own:
        raise DocumentError(f"{name}: another case has the eval_id {quoted(given.eval_id, 60)}; choose another id")
    try:
        if is_dataset(document.root):
            from evaltui.interop.recorded_dataset_cases import add_recorded_cases_to_dataset

            revision = add_recorded_cases_to_dataset(EvaluationDatasetView(document.root), cases)
        else:
            revision = add_recorded_cases(EvalSetView(document.root), None, cases, given.shape)
        document.apply(revision.edits, revision.label)
    except (EditError, PointerError) as error:
        raise DocumentError(f"{name}: {error}; nothing was written") from error
    except RecursionError as error:
        raise DocumentError(f"{name}: a recorded value is nested too deeply; nothing was written") from error
    if given.diff:
        _print_diff(document, before, name, given)
    else:
        save_in_place(document, name)
    return _ids_of(document)[len(own) :]


def _write_new(cases: Sequence[RecordedCase], eval_set_id: str, name: str, given: Namespace) -> list[str]:
    """The ids of the cases of the new set."""
    document = Document(new_recorded_set(eval_set_id, cases, given.shape or "tool_uses"))
    if given.diff:
        _print_diff(document, b"", name, given)
    elif not is_null(Path(name)):
        with deferred():
            saved = save_file(Path(name), document.to_bytes(), None, leaves=given.force)
        say_remarks(name, saved)
    return _ids_of(document)


def _print_diff(document: Document, before: bytes, name: str, given: Namespace) -> None:
    if given.format == "text":  # with JSON, stdout has the report alone
        print_diff(document, before, name)


def _ids_of(document: Document) -> list[str]:
    assert document.root is not None
    case_file = EvaluationDatasetView(document.root) if is_dataset(document.root) else EvalSetView(document.root)
    return [case_file.case_id(case) for case in case_file.cases]


def _set_id(chosen: Sequence[ChosenConversation], path: Path) -> str:
    """The id of the new set: the set that all conversations were recorded for, else an id made from the file name.

    `evaltui run` uses results only for the set that they name, so another id would make the recordings useless.
    """
    named = {each.conversation.eval_set_id for each in chosen}
    wanted = next(iter(named)) if len(named) == 1 else None
    if wanted:
        return wanted
    name = path.name
    for ending in (*ENDINGS_OF_SETS, ".json"):
        name = name.removesuffix(ending)
    return re.sub(r"[^a-zA-Z0-9]+", "_", name).strip("_") or "eval_set"

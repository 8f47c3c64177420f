"""Recorded conversations as cases of a dataset. They become cases of an eval set, which are converted."""

from __future__ import annotations

from collections.abc import Sequence

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_data import get
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.recorded_cases import RecordedCase, new_recorded_set
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.editing.row_copies import put_copies
from evaltui.interop.conversion import convert, json_text_of
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET
from evaltui.interop.evaluation_datasets.dataset_format import EVALUATION_DATASET
from evaltui.interop.evaluation_datasets.dataset_names import TURN_DETAILS
from evaltui.interop.format_type import ConversionError, WriteOptions


def add_recorded_cases_to_dataset(dataset: CaseFile, cases: Sequence[RecordedCase]) -> Revision:
    """New cases at the end of the dataset, as one step, in the spelling of its cases. Raises `EditError`.

    The last turn of a case is the one that it expects: its calls become `intermediate_events`, its response becomes
    `reference`. Events keep the agents that are their authors.
    """
    recorded = Node(new_recorded_set("recorded", cases, "events"))
    try:
        conversion = convert(recorded, EVAL_SET, EVALUATION_DATASET, WriteOptions(name=""))
        made = [case for document in conversion.documents for case in document.value["eval_cases"]]
        for case, recorded_case in zip(made, cases, strict=True):
            case.pop(TURN_DETAILS, None)  # only a conversion back reads it
            if get(recorded_case.invocations[-1], "intermediate_data") is None:
                case.pop("intermediate_events", None)  # nobody recorded the calls, so the case states none
            if events := case.get("intermediate_events"):  # google-adk names the final author in an empty event
                case["intermediate_events"] = [event for event in events if "content" in event]
        copies = [Copy("case", json_text_of(case).strip().encode()) for case in made]
    except ConversionError as error:
        raise EditError(str(error)) from error
    last = next(reversed(dataset.cases), dataset.root)
    return put_copies(dataset, copies, last, is_before=False, from_elsewhere=True)

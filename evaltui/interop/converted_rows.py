"""Rows of the open file made by a conversion: of a pasted text in another format, and of recorded conversations."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.evalset.case_data import get
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.pasted_rows import put_copies, read_pasted, recognise_rows
from evaltui.evalset.editing.recorded_cases import RecordedCase, new_recorded_set
from evaltui.evalset.editing.revision import Copy, Revision
from evaltui.evalset.file_formats import has_cases_of_trpc
from evaltui.evalset.keys import items_of
from evaltui.interop.adk_rs_set import ADK_RS
from evaltui.interop.conversion import Conversion, convert
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.document_texts import json_text_of
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.kept_details import TURN_DETAILS
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError
from evaltui.interop.legacy_lists import LEGACY_TURNS
from evaltui.interop.loss_counts import losses_in_short
from evaltui.interop.portable_set import FormatType
from evaltui.interop.trpc_agent_go import TRPC_AGENT_GO

_NAME = "pasted"
"""The name of a case without a name. If it is taken, a fresh id replaces it."""


def rows_in_text(text: str, *, of_dataset: bool = False) -> tuple[list[Copy], str]:
    """The rows in a text that is pasted into an eval set or a dataset, and a clause about their conversion.

    Raises `EditError` about unusable text.
    """
    target = EVALUATION_DATASET if of_dataset else EVAL_SET
    source = _source_in(read_pasted(text))
    if source is None or source[1] is target:
        return recognise_rows(text, of_dataset=of_dataset)
    root, form = source
    try:
        conversion = convert(root, form, target, _NAME)
        copies = list(_copies_of(conversion))
    except ConversionError as error:
        raise EditError(f"{form.title} cannot be converted: {error}") from error
    if not copies:
        raise EditError(f"nothing to paste: {form.title} has no cases")
    losses = losses_in_short(conversion.losses) or "nothing is lost"
    notes = "".join(f" · {note.removesuffix('.')}" for note in conversion.notes)
    return copies, f"{losses}{notes} · converted from {form.title}"


def _source_in(root: Node) -> tuple[Node, FormatType] | None:
    """The text as a document of some format: as it is, or as the cases of one; None for all other texts."""
    if root.kind not in ("object", "array"):
        return None
    if root.kind == "object" and (form := _format_of(root)) is not None:
        return root, form
    # Lists of cases are wrapped in a set, which shows whether they are google-adk's or another project's.
    cases = root.source() if root.kind == "array" else b"[" + root.source() + b"]"
    in_set, in_list = parse_value(b'{"eval_set_id": "", "eval_cases": ' + cases + b"}"), parse_value(cases)
    if (form := _format_of(in_set)) in (TRPC_AGENT_GO, ADK_RS) and form is not None:
        return in_set, form
    form = _format_of(in_list)
    return (in_list, form) if form is not None else None


def _format_of(source: Node) -> FormatType | None:
    # Sets that google-adk also reads count as google-adk's: their rows are pasted unchanged.
    form = format_of_source(source)
    if form is TRPC_AGENT_GO and not has_cases_of_trpc(source):
        return EVAL_SET
    cases = items_of(source, "eval_cases")
    has_own_ids = any(case.member("id") and not case.member("eval_id") for case in cases)
    return EVAL_SET if form is ADK_RS and not has_own_ids else form


def _copies_of(conversion: Conversion) -> Iterator[Copy]:
    """The cases; of a legacy list of turns, the turns."""
    for case in (case for document in conversion.documents for case in document.get("eval_cases", [])):
        new_ids: list[str] = []
        turns = case.get("conversation") or [] if conversion.target is EVAL_SET else []
        for index, turn in enumerate(turns):
            if not turn.get("invocation_id"):  # google-adk gives one to each legacy turn
                new_ids.append(str(uuid.uuid4()))
                turns[index] = {"invocation_id": new_ids[-1], **turn}
        if conversion.target is EVAL_SET and conversion.source is LEGACY_TURNS:
            for turn in turns:
                turn_ids = frozenset([turn["invocation_id"]]).intersection(new_ids)
                yield Copy("turn", _json_of(turn), made_ids=turn_ids)
        else:
            yield Copy("case", _json_of(case), made_ids=frozenset(new_ids))


def _json_of(value: Any) -> bytes:
    return json_text_of(value).strip().encode()


def add_recorded_cases_to_dataset(dataset: CaseFile, cases: Sequence[RecordedCase]) -> Revision:
    """New cases at the end of the dataset, as one step, in the spelling of its cases. Raises `EditError`.

    The last turn of a case is the one that it expects: its calls become `intermediate_events`, its response becomes
    `reference`. Events keep the agents that are their authors.
    """
    recorded_set = Node(new_recorded_set("recorded", cases, "events"))
    try:
        conversion = convert(recorded_set, EVAL_SET, EVALUATION_DATASET, name="")
        new_cases = [case for document in conversion.documents for case in document["eval_cases"]]
        for case, recorded_case in zip(new_cases, cases, strict=True):
            case.pop(TURN_DETAILS, None)  # only a conversion back reads it
            if get(recorded_case.invocations[-1], "intermediate_data") is None:
                case.pop("intermediate_events", None)  # nobody recorded the calls, so the case states none
            if events := case.get("intermediate_events"):  # google-adk names the final author in an empty event
                case["intermediate_events"] = [event for event in events if "content" in event]
        copies = [Copy("case", _json_of(case)) for case in new_cases]
    except ConversionError as error:
        raise EditError(str(error)) from error
    last = next(reversed(dataset.cases), dataset.root)
    return put_copies(dataset, copies, last, is_before=False, from_elsewhere=True)

"""Pasted text in another format than the open file, converted to its rows, with a summary of the losses."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.evalset.editing.pasted_rows import PastedRows, read_pasted, recognise_dataset_rows, recognise_rows
from evaltui.evalset.editing.revision import Copy
from evaltui.evalset.file_formats import has_cases_of_trpc
from evaltui.evalset.keys import items_of
from evaltui.interop.adk_rs.adk_rs_format import ADK_RS
from evaltui.interop.conversion import Conversion, convert, json_text_of
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET
from evaltui.interop.evaluation_datasets.dataset_format import EVALUATION_DATASET
from evaltui.interop.format_type import ConversionError, FormatType, WriteOptions
from evaltui.interop.legacy.legacy_formats import LEGACY_TURNS
from evaltui.interop.loss_groups import losses_in_short
from evaltui.interop.source_formats import format_of_source
from evaltui.interop.trpc.trpc_format import TRPC_AGENT_GO

_NAME = "pasted"
"""The name of a case without a name. If it is taken, a fresh id replaces it."""


def rows_for_eval_set(text: str) -> PastedRows:
    """The rows in a text that is pasted into an eval set. Raises `EditError` that says what cannot be used."""
    return _converted(text, EVAL_SET) or recognise_rows(text)


def rows_for_dataset(text: str) -> PastedRows:
    """The rows in a text that is pasted into an EvaluationDataset. Raises `EditError`."""
    return _converted(text, EVALUATION_DATASET) or recognise_dataset_rows(text)


def _converted(text: str, target: FormatType) -> PastedRows | None:
    """The rows of a text that is of another format than `target`; None for all other texts."""
    found = _source_in(read_pasted(text))
    if found is None or found[1] is target:
        return None
    source, format_type = found
    try:
        conversion = convert(source, format_type, target, WriteOptions(name=_NAME))
        copies = list(_copies(conversion))
    except ConversionError as error:
        raise EditError(f"{format_type.title} cannot be converted: {error}") from error
    if not copies:
        raise EditError(f"nothing to paste: {format_type.title} has no cases")
    return PastedRows(copies, _remark(conversion))


def _source_in(root: Node) -> tuple[Node, FormatType] | None:
    """The text as a document of some format: as it is, or as the cases of one; None for all other texts."""
    if root.kind not in ("object", "array"):
        return None
    if root.kind == "object" and (found := _format_of(root)) is not None:
        return root, found
    # Lists of cases are wrapped in a set, which shows whether they are google-adk's or another project's.
    listed = root.source() if root.kind == "array" else b"[" + root.source() + b"]"
    in_set, in_list = parse_value(b'{"eval_set_id": "", "eval_cases": ' + listed + b"}"), parse_value(listed)
    if (found := _format_of(in_set)) in (TRPC_AGENT_GO, ADK_RS) and found is not None:
        return in_set, found
    found = _format_of(in_list)
    return (in_list, found) if found is not None else None


def _format_of(source: Node) -> FormatType | None:
    """The format of a document. Sets that google-adk also reads count as google-adk's."""
    found = format_of_source(source)
    if found is TRPC_AGENT_GO and not has_cases_of_trpc(source):
        return EVAL_SET
    return EVAL_SET if found is ADK_RS and not _has_only_ids_of_adk_rs(source) else found


def _has_only_ids_of_adk_rs(source: Node) -> bool:
    return any(case.member("id") and not case.member("eval_id") for case in items_of(source, "eval_cases"))


def _copies(conversion: Conversion) -> Iterator[Copy]:
    """The cases; of a legacy list of turns, the turns."""
    for case in (case for document in conversion.documents for case in document.value.get("eval_cases", [])):
        if conversion.source is LEGACY_TURNS and conversion.target is EVAL_SET:
            made = [_with_id(turn) for turn in case.get("conversation", [])]
            yield from (Copy("turn", _json(turn), made_ids=ids) for turn, ids in made)
            continue
        made_ids: frozenset[str] = frozenset()
        if conversion.target is EVAL_SET and case.get("conversation"):
            made = [_with_id(turn) for turn in case["conversation"]]
            case["conversation"] = [turn for turn, _ in made]
            made_ids = made_ids.union(*(ids for _, ids in made))
        yield Copy("case", _json(case), made_ids=made_ids)


def _with_id(turn: dict[str, Any]) -> tuple[dict[str, Any], frozenset[str]]:
    """The turn with an invocation_id, as google-adk gives one to each legacy turn, and the id if it is new."""
    if turn.get("invocation_id"):
        return turn, frozenset()
    identifier = str(uuid.uuid4())
    return {"invocation_id": identifier, **turn}, frozenset([identifier])


def _json(value: Any) -> bytes:
    return json_text_of(value).strip().encode()


def _remark(conversion: Conversion) -> str:
    lost = losses_in_short(conversion.losses) or "nothing is lost"
    noted = "".join(f" · {note.removesuffix('.')}" for note in conversion.notes)
    return f"{lost}{noted} · converted from {conversion.source.title}"

"""Pasted text in the format of another project, converted to rows of an eval set, with a word on what was lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evaltui.document.errors import EditError
from evaltui.document.node import Node, parse_value
from evaltui.evalset.editing.pasted_values import PastedRows, read_pasted, rows_in
from evaltui.evalset.editing.row_copies import Copy
from evaltui.interop.adk_rs.adk_rs_format import ADK_RS
from evaltui.interop.conversion import Conversion, convert, json_text_of
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET
from evaltui.interop.format_type import ConversionError, FormatType, WriteOptions
from evaltui.interop.legacy.legacy_formats import LEGACY_TURNS
from evaltui.interop.loss_groups import losses_in_short
from evaltui.interop.source_formats import format_of_source, has_cases_of_trpc
from evaltui.interop.trpc.trpc_format import TRPC_AGENT_GO

_NAME = "pasted"
"""The name of a case whose source has none; a fresh id takes its place where it is taken."""


def pasted_rows(text: str) -> PastedRows:
    """The rows in a pasted text, of an eval set or converted. Raises `EditError` that says what cannot be used."""
    root = read_pasted(text)
    found = next(_sources_in(root), None)
    if found is None:
        return rows_in(root)
    source, format_type = found
    try:
        conversion = convert(source, format_type, EVAL_SET, WriteOptions(name=_NAME))
    except ConversionError as error:
        raise EditError(f"{format_type.title} cannot be converted: {error}") from error
    copies = list(_copies(conversion))
    if not copies:
        raise EditError(f"{format_type.title} without a case: there is nothing to paste")
    return PastedRows(copies, _remark(conversion))


def _sources_in(root: Node) -> Iterator[tuple[Node, FormatType]]:
    """The text as a source, and as the case or the cases of one: whole sets, lists, single cases."""
    candidates = [root]
    if root.kind in ("object", "array"):
        listed = root.source() if root.kind == "array" else b"[" + root.source() + b"]"
        candidates += [parse_value(listed)] if root.kind == "object" else []
        candidates.append(parse_value(b'{"eval_set_id": "pasted", "eval_cases": ' + listed + b"}"))
    for each in candidates:
        found = format_of_source(each)
        if found is not None and _needs_conversion(each, found):
            yield each, found


def _needs_conversion(source: Node, found: FormatType) -> bool:
    """Whether an eval set cannot take the cases as they are, as it can those of adk-rs with an eval_id."""
    if found is TRPC_AGENT_GO:
        return has_cases_of_trpc(source)
    if found is ADK_RS:
        cases = source.member("eval_cases")
        return cases is not None and any(case.member("id") and not case.member("eval_id") for case in cases.items)
    return found is not EVAL_SET


def _copies(conversion: Conversion) -> Iterator[Copy]:
    """The cases; of a legacy list of turns, the turns."""
    for case in (case for document in conversion.documents for case in document.value.get("eval_cases", [])):
        if conversion.source is LEGACY_TURNS:
            yield from (Copy("turn", _json(turn)) for turn in case.get("conversation", []))
        else:
            yield Copy("case", _json(case))


def _json(value: Any) -> bytes:
    return json_text_of(value).strip().encode()


def _remark(conversion: Conversion) -> str:
    lost = losses_in_short(conversion.losses) or "nothing is lost"
    return f"converted from {conversion.source.title}, {lost}"

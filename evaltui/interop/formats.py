"""All formats of conversion, by their names."""

from __future__ import annotations

from evaltui.interop.adk_rs.adk_rs_format import ADK_RS
from evaltui.interop.ces.ces_format import CES
from evaltui.interop.cxas.cxas_format import CXAS
from evaltui.interop.eval_sets.eval_set_format import EVAL_SET, SCENARIOS
from evaltui.interop.evaluation_datasets.dataset_format import EVALUATION_DATASET
from evaltui.interop.format_type import FormatType
from evaltui.interop.legacy.legacy_formats import LEGACY_CASES, LEGACY_TURNS
from evaltui.interop.trpc.trpc_format import TRPC_AGENT_GO

FORMATS: tuple[FormatType, ...] = (
    EVAL_SET,
    EVALUATION_DATASET,
    CES,
    LEGACY_CASES,
    LEGACY_TURNS,
    ADK_RS,
    CXAS,
    TRPC_AGENT_GO,
    SCENARIOS,
)
"""In the order in which tables and help list them."""


def format_to_write(option: str) -> FormatType | None:
    """The format that `--to` names; None for an unknown word."""
    return next((each for each in FORMATS if each.option == option and each.write is not None), None)


def format_called(source_word: str) -> FormatType | None:
    """The format with this word in reports; None for an unknown word."""
    return next((each for each in FORMATS if each.source_word == source_word), None)

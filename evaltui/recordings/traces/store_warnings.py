"""Warnings of a store of traces: whether one says that spans may be missing."""

from __future__ import annotations

import re
from typing import Any

from evaltui.recordings.traces.attribute_values import TRACE_ID, identifier, members, parsed_or_same
from evaltui.recordings.traces.doubts import PARTIAL, Doubts

JAEGER_WARNINGS = "@jaeger@warnings"
"""The attribute in which Jaeger keeps the warnings of a span (`jptrace.WarningsAttribute`)."""
_HARMLESS = re.compile("clock skew|span reference|span link|unique span ID", re.IGNORECASE)
"""What Jaeger's adjusters warn of: the times and ids that they changed or kept. No span is missing because of them."""


def check_warnings(warnings: Any, trace_id: str | None, doubts: Doubts) -> None:
    """Count the warnings of a trace or span, a list or its JSON text. Jaeger writes one if it cuts a trace off."""
    listed = parsed_or_same(warnings, Doubts())
    for warning in listed if isinstance(listed, list) else [listed]:
        if warning and not (isinstance(warning, str) and _HARMLESS.search(warning)):
            doubts.skip(PARTIAL, trace_id, "warnings")


def check_errors(errors: Any, doubts: Doubts) -> None:
    """Count the errors of a query of Jaeger: spans of the trace that an error names may be missing, else of any."""
    for error in errors if isinstance(errors, list) else [errors]:
        if error:
            doubts.skip(PARTIAL, identifier(members(error).get("traceID"), TRACE_ID), "errors")

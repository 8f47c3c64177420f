"""Attributes of spans: their names in each convention, and their values: ids, numbers, texts, JSON in texts.

No function raises, whatever the value: a recorder may write anything, and the rest of the trace stays readable.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from evaltui.document.scanner import read_json
from evaltui.recordings.traces.trace_warnings import Doubt, Doubts

Attributes = Mapping[str, Any]


class Attribute:
    """Names of attributes that several places read: OpenTelemetry's for GenAI, google-adk's and OpenLLMetry's."""

    INPUT = "gen_ai.input.messages"
    OUTPUT = "gen_ai.output.messages"
    FINISH_REASONS = "gen_ai.response.finish_reasons"
    INPUT_TOKENS = "gen_ai.usage.input_tokens"
    OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
    SESSION = "session.id"
    SERVICE = "service.name"
    TOOL_NAME = "gen_ai.tool.name"
    ERROR = "error.type"
    MCP_METHOD = "mcp.method.name"
    OPENINFERENCE_KIND = "openinference.span.kind"
    OPENLLMETRY_KIND = "traceloop.span.kind"
    JAEGER_WARNINGS = "@jaeger@warnings"
    """The warnings of a span that Jaeger keeps (`jptrace.WarningsAttribute`)."""
    PROMPTS = "gen_ai.prompt."
    COMPLETIONS = "gen_ai.completion."
    """The beginning of OpenLLMetry's messages, one attribute for each value: `gen_ai.prompt.0.role`."""
    ADK = "gcp.vertex.agent"
    ADK_RESPONSE = "gcp.vertex.agent.llm_response"
    ADK_RESULT = "gcp.vertex.agent.tool_response"


EARLIER_NAMES = {
    Attribute.INPUT_TOKENS: "gen_ai.usage.prompt_tokens",
    Attribute.OUTPUT_TOKENS: "gen_ai.usage.completion_tokens",
    Attribute.FINISH_REASONS: "gen_ai.response.finish_reason",
}
"""The names that attributes had in earlier versions of the conventions."""
TRACE_ID, SPAN_ID = 16, 8
"""Lengths of ids in bytes."""
_DEEPEST = 200
_LATEST = 2**64
_HEX = re.compile("[0-9a-f]+")


def read_id(value: Any, length: int) -> str | None:
    """An id of `length` bytes as lowercase hex digits; another text unchanged; None if there is no id."""
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    if len(text) == 2 * length and _HEX.fullmatch(text):
        # OpenTelemetry defines an id of zeros only as invalid.
        return text if text.strip("0") else None
    # protobuf's JSON writes bytes in base64. OTLP's JSON demands hex, but some exporters keep to protobuf.
    data = b""
    with suppress(ValueError):
        data = base64.b64decode(value, validate=True)
    return data.hex() if len(data) == length and any(data) else text or None


def read_integer(value: Any) -> int | None:
    """A number, or a number in a text, without its fraction; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    for convert in (int, float):
        with suppress(ValueError, OverflowError):
            return int(convert(value))
    return None


def read_decimal(value: Any) -> float | None:
    """A number with a fraction, or such a number in a text; None for anything else."""
    with suppress(ValueError, OverflowError):
        return float(value) if isinstance(value, int | float | str) else None
    return None


def read_time(value: Any, unit: int = 1) -> int:
    """A time in nanoseconds, from a number and its unit in nanoseconds; 0 for an impossible time."""
    number = read_integer(value) or 0
    return number * unit if abs(number) < _LATEST else 0


def read_count(value: Any) -> int | None:
    """A number of tokens: a whole number, or the text of one."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        return None
    with suppress(TypeError, ValueError):
        number = int(value)
        return max(0, number) if number < _LATEST else None
    return None


def scalar_text(value: Any) -> str | None:
    """A text, number or truth value as text; None for anything else."""
    # Python refuses to print a number of thousands of digits.
    with suppress(ValueError):
        return str(value) if isinstance(value, str | int | float) else None
    return None


def key_text(value: Any) -> str | None:
    """A value that may name a conversation or case: a short printable text or number."""
    text = "" if isinstance(value, bool) else (scalar_text(value) or "").strip()
    return text if text and len(text) <= 256 and text.isprintable() else None


def parse_json(value: Any, doubts: Doubts) -> Any:
    """The JSON value in a text; other values unchanged; None for invalid JSON and for values that nest too deeply."""
    may_be_deep = True
    if isinstance(value, str):
        may_be_deep = value.count("[") + value.count("{") > _DEEPEST
        try:
            value = read_json(value)
        except RecursionError:
            doubts.note(Doubt.TOO_DEEP)
            return None
        except ValueError:
            return None
    # Level by level, not recursive: the value may nest deeper than Python can call.
    parents, depth = [value] if may_be_deep else [], 0
    while parents := [parent for parent in parents if isinstance(parent, dict | list)]:
        if depth == _DEEPEST:
            doubts.note(Doubt.TOO_DEEP)
            return None
        depth += 1
        parents = [child for parent in parents for child in (parent.values() if isinstance(parent, dict) else parent)]
    return value


def parse_json_text(value: Any, doubts: Doubts) -> Any:
    """The JSON value in a text, or the text itself if it is not JSON; other values as `parse_json`."""
    parsed = parse_json(value, doubts)
    return value if parsed is None and isinstance(value, str) else parsed

"""What a span is a step of."""

from __future__ import annotations

from enum import Enum, auto

from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import scalar_text
from evaltui.recordings.traces.spans import TraceSpan


class Kind(Enum):
    """What turns are made of; everything else is only passed on the way down the tree."""

    INFERENCE = auto()
    AGENT = auto()
    """An agent or a workflow."""
    TOOL = auto()
    OTHER = auto()


_OPERATIONS = {
    "chat": Kind.INFERENCE,
    "generate_content": Kind.INFERENCE,
    "text_completion": Kind.INFERENCE,
    "invoke_agent": Kind.AGENT,
    "invoke_workflow": Kind.AGENT,
    "execute_tool": Kind.TOOL,
}
_NAMES_OF_ADK = {"call_llm": Kind.INFERENCE, "invocation": Kind.AGENT}
_MERGED_SPAN, _MERGED_TOOL = "execute_tool (merged)", "(merged tools)"
_MADE_BY_A_CALL = (
    "gen_ai.usage.",
    attribute_names.PROMPTS,
    attribute_names.COMPLETIONS,
    attribute_names.INPUT,
    attribute_names.OUTPUT,
)


def kind_of(span: TraceSpan) -> Kind:
    """The kind of a span, told by its operation; by its name only if google-adk recorded it."""
    if span.name == _MERGED_SPAN or span.attributes.get(attribute_names.TOOL_NAME) == _MERGED_TOOL:
        return Kind.OTHER
    operation = scalar_text(span.attributes.get(attribute_names.OPERATION))
    if operation:
        return _OPERATIONS.get(operation, Kind.OTHER)
    if span.name in _NAMES_OF_ADK and is_of_adk(span):
        return _NAMES_OF_ADK[span.name]
    return Kind.INFERENCE if _is_call_of_a_model(span) else Kind.OTHER


def is_of_adk(span: TraceSpan) -> bool:
    """Whether google-adk recorded it."""
    return span.scope == attribute_names.ADK or any(
        key.startswith(attribute_names.ADK + ".") for key in span.attributes
    )


def _is_call_of_a_model(span: TraceSpan) -> bool:
    # Model and provider alone prove nothing: some recorders write them on every span.
    named = span.attributes.get(attribute_names.REQUEST_MODEL)
    by = span.attributes.get(attribute_names.SYSTEM) or span.attributes.get(attribute_names.PROVIDER)
    return bool(named and by) and any(key.startswith(_MADE_BY_A_CALL) for key in span.attributes)

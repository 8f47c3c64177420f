"""What google-adk writes on its spans beside the semantic conventions (`gcp.vertex.agent.*`)."""

from __future__ import annotations

from typing import Any

from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import items, members, parsed, parsed_or_same
from evaltui.recordings.traces.doubts import Doubts
from evaltui.recordings.traces.messages import Message, Messages, google_message, with_content
from evaltui.recordings.traces.spans import TraceSpan

_NOT_RECORDED = "N/A"
_NOT_SPECIFIED = "<not specified>"
_TOKENS = {
    attribute_names.INPUT_TOKENS: "prompt_token_count",
    attribute_names.OUTPUT_TOKENS: "candidates_token_count",
    attribute_names.CACHED_TOKENS: "cached_content_token_count",
    attribute_names.REASONING_TOKENS: "thoughts_token_count",
}


class AdkCall:
    """The request to a model and its response, which google-adk records as JSON."""

    def __init__(self, span: TraceSpan, doubts: Doubts) -> None:
        request = members(parsed(span.attributes.get(attribute_names.ADK_REQUEST), doubts))
        response = members(parsed(span.attributes.get(attribute_names.ADK_RESPONSE), doubts))
        asked = (google_message(content, "user", doubts) for content in items(request.get("contents")))
        answered = google_message(response.get("content"), "assistant", doubts)
        self.input: Messages | None = _filled(asked)
        self.output: Messages | None = _filled([answered])
        self.values: dict[str, Any] = dict(_values(request, response))


def tool_arguments(span: TraceSpan, doubts: Doubts) -> Any:
    """What a tool is called with; None for nothing recorded."""
    value = span.attributes.get(attribute_names.ADK_ARGUMENTS)
    return None if value == _NOT_RECORDED else parsed_or_same(value, doubts)


def tool_result(span: TraceSpan, doubts: Doubts) -> Any:
    """What a tool gives back; None for nothing recorded."""
    value = parsed_or_same(span.attributes.get(attribute_names.ADK_RESULT), doubts)
    return None if value in (_NOT_SPECIFIED, {"result": _NOT_SPECIFIED}) else value


def _filled(messages: Any) -> Messages | None:
    return with_content(message for message in messages if isinstance(message, Message) and message.parts)


def _values(request: dict[str, Any], response: dict[str, Any]) -> Any:
    if isinstance(model := request.get("model"), str):
        yield attribute_names.REQUEST_MODEL, model
    if isinstance(model := response.get("model_version"), str):
        yield attribute_names.RESPONSE_MODEL, model
    if isinstance(reason := response.get("finish_reason"), str):
        yield attribute_names.FINISH_REASONS, [reason.lower()]
    usage = members(response.get("usage_metadata"))
    for key, name in _TOKENS.items():
        if isinstance(usage.get(name), int):
            yield key, usage[name]

"""A span under the names of today's conventions, whichever dialect recorded it.

Sources in order of precedence: the span's own attributes, deprecated names, the event with the details of a call,
events of single messages, google-adk's own attributes, OpenLLMetry's attributes. Messages come from one source only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal

from evaltui.evalset.case_data import as_bool, get
from evaltui.evalset.keys import camel
from evaltui.evalset.unread_members import unread_in
from evaltui.recordings.traces import attribute_names
from evaltui.recordings.traces.attribute_values import items, members, parsed, parsed_or_same, scalar_text
from evaltui.recordings.traces.doubts import MIXED_ANSWER, Doubts
from evaltui.recordings.traces.messages import (
    EventMessages,
    Message,
    Messages,
    Unread,
    answer_of,
    first_read,
    google_message,
    indexed_messages,
    is_error,
    messages_of,
    not_recorded,
    told_by,
    with_choices,
    with_content,
)
from evaltui.recordings.traces.spans import DETAILS, Event, TraceSpan

_NOTHING: tuple[Any, ...] = (None, "", [])
_CALLS_TOOL = "tools/call"
_NOT_RECORDED = "N/A"
_NOT_SPECIFIED = "<not specified>"
_WITHOUT_CONTENT = "{}"
_TOKENS = {
    attribute_names.INPUT_TOKENS: "prompt_token_count",
    attribute_names.OUTPUT_TOKENS: "candidates_token_count",
    attribute_names.CACHED_TOKENS: "cached_content_token_count",
    attribute_names.REASONING_TOKENS: "thoughts_token_count",
}


class SpanView:
    """A span and the log records about it."""

    def __init__(self, span: TraceSpan, logs: Sequence[Event], doubts: Doubts) -> None:
        self.span = span
        self._logs = logs
        self._doubts = doubts
        self._details = [event.attributes for event in (*span.events, *logs) if event.name == DETAILS]

    @cached_property
    def input(self) -> Messages | None:
        """The messages to the agent or model."""
        return first_read(self._sources("input", attribute_names.INPUT, attribute_names.PROMPTS, self._doubts))

    @cached_property
    def output(self) -> Messages | None:
        """The messages that it answers."""
        found = first_read(self._outputs(self._doubts))
        if found and answer_of(found) is None:
            self._doubts.note(MIXED_ANSWER, f"span {self.span.id}")
        return found and with_choices(found)

    @property
    def every_output(self) -> Iterator[Messages]:
        """The messages of each source: two recorders, or a call that was repeated, may write different ones."""
        return (messages for messages in self._outputs(Doubts()) if messages)

    @property
    def has_unread_output(self) -> bool:
        """Whether its answer is recorded, but cannot be read: a limit may have cut it off."""
        if self.output is not None:
            return False
        found = [each.get(attribute_names.OUTPUT) for each in (self.span.attributes, *self._details)]
        found.append(self.span.attributes.get(attribute_names.ADK_RESPONSE))
        values = (each for each in found if each is not None and not not_recorded(each))
        return any(not isinstance(parsed(each, self._doubts), list | dict) for each in values)

    def value(self, key: str) -> Any:
        """An attribute; None for none."""
        own = self.span.attributes
        found = own.get(key)
        if found in _NOTHING:
            found = own.get(attribute_names.DEPRECATED.get(key, ""))
        for details in self._details:
            found = details.get(key) if found in _NOTHING else found
        return self._adk.values.get(key) if found in _NOTHING else found

    @cached_property
    def finish_reasons(self) -> frozenset[str]:
        """Why a model stopped."""
        found = self.value(attribute_names.FINISH_REASONS)
        listed = [found] if isinstance(found, str) else found if isinstance(found, list) else self._told.reasons
        return frozenset(each for each in listed if isinstance(each, str))

    @cached_property
    def has_failed(self) -> bool:
        """Whether it ended with an error, so that its text is only a beginning."""
        is_told = any(map(is_error, self.finish_reasons)) or any(each.has_failed for each in self.output or ())
        has_error = self.span.failed or bool(self.span.attributes.get(attribute_names.ERROR))
        return has_error or is_told or self._adk.has_failed

    @property
    def tool_name(self) -> str | None:
        """The name of a tool."""
        return _specified(self.span.attributes.get(attribute_names.TOOL_NAME))

    @property
    def calls_server(self) -> bool:
        """Whether it is the call of a tool on a server of the Model Context Protocol."""
        return bool(self.span.attributes.get(attribute_names.MCP_METHOD) == _CALLS_TOOL)

    @property
    def tool_call_id(self) -> str | None:
        """The id of the call of a tool."""
        return _specified(self.span.attributes.get(attribute_names.TOOL_CALL_ID))

    @property
    def tool_arguments(self) -> Any:
        """The arguments of a tool; None for nothing recorded."""
        own = self.span.attributes.get(attribute_names.TOOL_ARGUMENTS)
        if own in _NOTHING and self._is_without_content:
            return None
        return _adk_arguments(self.span, self._doubts, own) if own in _NOTHING else own

    @property
    def tool_result(self) -> Any:
        """The result of a tool; None for nothing recorded."""
        own = self.span.attributes.get(attribute_names.TOOL_RESULT)
        return _adk_result(self.span, self._doubts, own) if own in _NOTHING else own

    @property
    def _is_without_content(self) -> bool:
        """Whether google-adk recorded a tool without content: it writes {} for the arguments and for the result.

        A call without arguments has a result that is not {}, at least `{"result": null}`.
        """
        own = self.span.attributes
        return own.get(attribute_names.ADK_ARGUMENTS) == own.get(attribute_names.ADK_RESULT) == _WITHOUT_CONTENT

    def _outputs(self, doubts: Doubts) -> Iterator[Messages | None]:
        return self._sources("output", attribute_names.OUTPUT, attribute_names.COMPLETIONS, doubts)

    def _sources(
        self, way: Literal["input", "output"], key: str, prefix: str, doubts: Doubts
    ) -> Iterator[Messages | None]:
        role = "user" if way == "input" else "assistant"
        for attributes in (self.span.attributes, *self._details):
            yield messages_of(attributes.get(key), doubts, role)
        yield getattr(self._told, way)
        yield getattr(self._adk, way)
        yield indexed_messages(self.span, prefix, doubts, role)

    @cached_property
    def _told(self) -> EventMessages:
        return told_by(self.span.events, self._logs, self._doubts)

    @cached_property
    def _adk(self) -> AdkCall:
        return AdkCall(self.span, self._doubts)


def _specified(value: Any) -> str | None:
    found = scalar_text(value)
    return None if found == _NOT_SPECIFIED else found


# --- what google-adk writes beside the semantic conventions (`gcp.vertex.agent.*`) ------------------------------

_RESPONSE = (
    *("model_version", "content", "grounding_metadata", "partial", "turn_complete", "turn_complete_reason"),
    *("finish_reason", "error_code", "error_message", "interrupted", "interaction_status", "interaction_id"),
    *("custom_metadata", "usage_metadata", "cache_metadata", "citation_metadata", "environment_id"),
    *("live_session_resumption_update", "live_session_id", "go_away", "voice_activity", "input_transcription"),
    *("avg_logprobs", "logprobs_result"),
)
_OF_A_RESPONSE = frozenset({*_RESPONSE, *map(camel, _RESPONSE)})
"""The members of `LlmResponse`, besides a transcription of its text."""
_CUT_OFF = ("partial", "interrupted")
"""The members that are true if the response goes on, but not here: its text and its calls are not whole."""

_ERRORS = ("error_code", "error_message")


class AdkCall:
    """The request to a model and its response, which google-adk records as JSON; empty for other recorders."""

    def __init__(self, span: TraceSpan, doubts: Doubts) -> None:
        request = members(parsed(span.attributes.get(attribute_names.ADK_REQUEST), doubts))
        response = members(parsed(span.attributes.get(attribute_names.ADK_RESPONSE), doubts))
        asked = (google_message(content, "user", doubts) for content in items(request.get("contents")))
        answered = google_message(response.get("content"), "assistant", doubts)
        unread = [*unread_in(response, _OF_A_RESPONSE), *(key for key in _CUT_OFF if as_bool(get(response, key)))]
        self.input: Messages | None = _filled(asked)
        self.output: Messages | None = _filled([answered, Message("assistant", tuple(map(Unread, unread)))])
        self.has_failed = any(get(response, key) for key in _ERRORS)
        self.values: dict[str, Any] = dict(_values(request, response))


def _adk_arguments(span: TraceSpan, doubts: Doubts, absent: Any) -> Any:
    value = span.attributes.get(attribute_names.ADK_ARGUMENTS)
    found = None if value == _NOT_RECORDED else parsed_or_same(value, doubts)
    return absent if found is None else found


def _adk_result(span: TraceSpan, doubts: Doubts, absent: Any) -> Any:
    found = parsed_or_same(span.attributes.get(attribute_names.ADK_RESULT), doubts)
    return absent if found in (None, _NOT_SPECIFIED, {"result": _NOT_SPECIFIED}) else found


def _filled(messages: Any) -> Messages | None:
    return with_content(message for message in messages if isinstance(message, Message) and message.parts)


def _values(request: dict[str, Any], response: dict[str, Any]) -> Any:
    if isinstance(model := request.get("model"), str):
        yield attribute_names.REQUEST_MODEL, model
    if isinstance(model := get(response, "model_version"), str):
        yield attribute_names.RESPONSE_MODEL, model
    if isinstance(reason := get(response, "finish_reason"), str):
        yield attribute_names.FINISH_REASONS, [reason]
    usage = get(response, "usage_metadata")
    for key, name in _TOKENS.items():
        if isinstance(number := get(usage, name), int):
            yield key, number

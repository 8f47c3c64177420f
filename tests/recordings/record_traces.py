"""Makes tests/data/traces anew: `python -m tests.recordings.record_traces`, with google-adk and OpenTelemetry's SDK.

Needs `google-adk` and `opentelemetry-exporter-otlp-json-file`; no model is asked, a scripted one answers.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "data" / "traces"
LATEST = {
    "OTEL_SEMCONV_STABILITY_OPT_IN": "gen_ai_latest_experimental",
    "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS": "false",
}
ADK_WAYS = {
    "adk": {"ADK_TELEMETRY_SCHEMA_VERSION_OPT_IN": "1"},
    "adk_spans": {**LATEST, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "SPAN_ONLY"},
    "adk_events": {**LATEST, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "EVENT_ONLY"},
    "adk_message_events": {
        "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT": "true",
        "ADK_CAPTURE_MESSAGE_CONTENT_IN_SPANS": "false",
    },
    "adk_without_content": {},
}


def main() -> None:
    """Record each way in a process of its own, since environments are read once."""
    if len(sys.argv) > 1:
        _record(sys.argv[1])
        return
    for name in (*ADK_WAYS, *SDK_WAYS):
        (FOLDER / f"{name}.jsonl").unlink(missing_ok=True)
        environment = {**os.environ, **ADK_WAYS.get(name, {})}
        subprocess.run([sys.executable, "-m", "tests.recordings.record_traces", name], env=environment, check=True)


def _record(name: str) -> None:
    from opentelemetry import _logs, trace
    from opentelemetry.exporter.otlp.json.file import FileSpanExporter
    from opentelemetry.exporter.otlp.json.file._log_exporter import FileLogExporter
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import SimpleLogRecordProcessor
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor

    path = FOLDER / f"{name}.jsonl"
    resource = Resource.create({"service.name": name, **RESOURCES.get(name, {})})
    spans, logs = TracerProvider(resource=resource), LoggerProvider(resource=resource)
    spans.add_span_processor(SimpleSpanProcessor(FileSpanExporter(path)))
    logs.add_log_record_processor(SimpleLogRecordProcessor(FileLogExporter(path)))
    trace.set_tracer_provider(spans)
    _logs.set_logger_provider(logs)
    if name in ADK_WAYS:
        asyncio.run(_adk())
    else:
        SDK_WAYS[name]()
    spans.shutdown()
    logs.shutdown()


async def _adk() -> None:
    """Two turns with an agent that calls a tool, two at once, another agent as a tool, and then says so."""
    from google.adk.agents import LlmAgent
    from google.adk.models import BaseLlm, LlmResponse
    from google.adk.runners import InMemoryRunner
    from google.adk.tools.agent_tool import AgentTool
    from google.genai import types

    def call(name: str, **args: object) -> types.Part:
        return types.Part(function_call=types.FunctionCall(name=name, args=args))

    def usage(count: int) -> types.GenerateContentResponseUsageMetadata:
        return types.GenerateContentResponseUsageMetadata(
            prompt_token_count=100 * count, candidates_token_count=10 * count, total_token_count=110 * count
        )

    class Scripted(BaseLlm):
        script: list[list[types.Part]]

        async def generate_content_async(self, llm_request, stream=False):
            parts = self.script.pop(0)
            yield LlmResponse(
                content=types.Content(role="model", parts=parts), usage_metadata=usage(len(self.script) + 1)
            )

    def find_flights(city: str, day: int = 1) -> dict:
        """Find flights."""
        return {"flights": [{"id": f"{city}-{day}", "price": 99.5}]}

    def weather(city: str) -> str:
        """Say the weather."""
        return f"sunny in {city}"

    poet = LlmAgent(
        name="poet",
        model=Scripted(model="scripted-poet", script=[[types.Part(text="Roses are red.")]]),
        description="Writes poems",
    )
    script = [
        [types.Part(text="Let me look."), call("find_flights", city="Zürich", day=3)],
        [call("weather", city="Zürich"), call("weather", city="Rome"), call("find_flights", city="Rome")],
        [types.Part(text="There is a flight.\n"), types.Part(text="It is sunny — 晴れ.")],
        [call("poet", request="a poem")],
        [types.Part(text="Roses are red, as the poet says.")],
    ]
    agent = LlmAgent(
        name="desk",
        model=Scripted(model="scripted-desk", script=script),
        instruction="Help.",
        tools=[find_flights, weather, AgentTool(poet)],
    )
    runner = InMemoryRunner(agent=agent, app_name="desk")
    session = await runner.session_service.create_session(app_name="desk", user_id="user")
    for said in ("Find a flight to Zürich", "Now a poem, please"):
        content = types.Content(role="user", parts=[types.Part(text=said)])
        async for _ in runner.run_async(user_id="user", session_id=session.id, new_message=content):
            pass


@contextmanager
def _span(name: str, **attributes: object) -> Iterator:
    from opentelemetry import trace

    dotted = {key.replace("__", "."): value for key, value in attributes.items()}
    with trace.get_tracer("recorder").start_as_current_span(name, attributes=dotted) as span:
        yield span


def _said(role: str, *parts: object) -> dict:
    return {"role": role, "parts": list(parts)}


def _text(text: str) -> dict:
    return {"type": "text", "content": text}


ASKS = {"type": "tool_call", "id": "call_1", "name": "weather", "arguments": {"city": "Rome"}}
TELLS = {"type": "tool_call_response", "id": "call_1", "response": {"weather": "sunny"}}
USER = _said("user", _text("What is the "), _text("weather in Rome?"))


def _conventions() -> None:
    """Current conventions: an agent, its model and its tool, messages as JSON; then a second turn of the session."""
    with _span("invoke_agent guide", gen_ai__operation__name="invoke_agent", gen_ai__conversation__id="talk-1"):
        with _chat([USER], [_said("assistant", ASKS)], tokens=(12, 3)):
            pass
        with _tool("weather", id="call_1", arguments='{"city": "Rome"}', result='{"weather": "sunny"}'):
            pass
        told = [USER, _said("assistant", ASKS), _said("tool", TELLS)]
        with _chat(told, [_said("assistant", _text("It is sunny."))], tokens=(30, 4)):
            pass
    with _span("invoke_agent guide", gen_ai__operation__name="invoke_agent", gen_ai__conversation__id="talk-1") as span:
        span.set_attribute("gen_ai.input.messages", json.dumps([_said("user", _text("Thanks"))]))
        span.set_attribute("gen_ai.output.messages", json.dumps([_said("assistant", _text("You are welcome."))]))
        span.set_attribute("agentevals.eval.case.id", "weather_case")


def _chat(told: list, said: list, tokens: tuple[int, int]):
    return _span(
        "chat m-1",
        gen_ai__operation__name="chat",
        gen_ai__provider__name="acme",
        gen_ai__request__model="m-1",
        gen_ai__input__messages=json.dumps(told),
        gen_ai__output__messages=json.dumps(said),
        gen_ai__usage__input_tokens=tokens[0],
        gen_ai__usage__output_tokens=tokens[1],
    )


def _tool(name: str, id: str, arguments: str, result: str):
    return _span(
        f"execute_tool {name}",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name=name,
        gen_ai__tool__call__id=id,
        gen_ai__tool__call__arguments=arguments,
        gen_ai__tool__call__result=result,
    )


def _without_tool_spans() -> None:
    """Tools are known from messages alone; a framework's span stands around a provider's."""
    with _span("invoke_agent guide", gen_ai__operation__name="invoke_agent"):
        with _span("framework", gen_ai__operation__name="chat"), _chat([USER], [_said("assistant", ASKS)], (1, 1)):
            pass
        with _chat(
            [USER, _said("assistant", ASKS), _said("tool", TELLS)], [_said("assistant", _text("Sunny."))], (2, 2)
        ):
            pass


def _provider_only() -> None:
    """Each call of a model is a trace of its own; the second and third go on with the first."""
    told = [USER]
    for said in (
        _said("assistant", ASKS),
        _said("assistant", {**ASKS, "id": "call_2"}),
        _said("assistant", _text("Sun.")),
    ):
        with _chat(told, [said], (5, 5)):
            pass
        told = [*told, said, _said("tool", {**TELLS, "id": said["parts"][0].get("id")})]
    with _chat([_said("user", _text("Another thing"))], [_said("assistant", _text("Yes?"))], (5, 5)):
        pass


def _events() -> None:
    """Deprecated: an event of the span for each message."""
    with _span("chat m-1", gen_ai__operation__name="chat", gen_ai__system="acme", gen_ai__request__model="m-1") as span:
        span.set_attribute("gen_ai.usage.prompt_tokens", 7)
        span.set_attribute("gen_ai.usage.completion_tokens", 8)
        span.add_event("gen_ai.system.message", {"content": "Be kind."})
        span.add_event("gen_ai.user.message", {"content": "Hello there"})
        choice = {"role": "assistant", "content": "Hello yourself"}
        span.add_event("gen_ai.choice", {"index": 0, "content": choice["content"], "finish_reason": "stop"})


def _log_records() -> None:
    """Deprecated: a log record for each message, with the calls of tools as OpenAI has them."""
    function = {"name": "weather", "arguments": '{"city": "Rome"}'}
    calls = [{"id": "call_1", "type": "function", "function": function}]
    with _span("invoke_agent guide", gen_ai__operation__name="invoke_agent"):
        with _span("chat m-1", gen_ai__operation__name="chat"):
            _log("gen_ai.user.message", {"content": "What is the weather?"})
            _log("gen_ai.choice", {"index": 0, "finish_reason": "tool_calls", "message": {"tool_calls": calls}})
        with _span("chat m-1", gen_ai__operation__name="chat"):
            _log("gen_ai.user.message", {"content": "What is the weather?"})
            _log("gen_ai.assistant.message", {"tool_calls": calls})
            _log("gen_ai.tool.message", {"id": "call_1", "content": "sunny"})
            _log("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"content": "It is sunny."}})


def _log(name: str, body: dict) -> None:
    from opentelemetry._logs import LogRecord, get_logger

    get_logger("recorder").emit(LogRecord(event_name=name, body=body))


def _openllmetry() -> None:
    """OpenLLMetry before 0.53: an attribute for each member of a message; no operation."""
    named = {"gen_ai.system": "OpenAI", "gen_ai.request.model": "gpt", "gen_ai.usage.input_tokens": 4}
    with _span("openai.chat") as span:
        span.set_attributes(named)
        span.set_attributes({"gen_ai.prompt.0.role": "system", "gen_ai.prompt.0.content": "Be kind."})
        span.set_attributes({"gen_ai.prompt.1.role": "user", "gen_ai.prompt.1.content": "What is the weather?"})
        span.set_attributes(
            {"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.finish_reason": "tool_calls"}
        )
        span.set_attributes({f"gen_ai.completion.0.tool_calls.0.{key}": value for key, value in CALL.items()})
    with _span("openai.chat") as span:
        span.set_attributes(named)
        span.set_attributes({"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "What is the weather?"})
        span.set_attributes({f"gen_ai.prompt.1.tool_calls.0.{key}": value for key, value in CALL.items()})
        span.set_attributes({"gen_ai.prompt.1.role": "assistant", "gen_ai.prompt.2.role": "tool"})
        span.set_attributes({"gen_ai.prompt.2.content": '{"w": 1}', "gen_ai.prompt.2.tool_call_id": "call_1"})
        span.set_attributes({"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Sunny."})


CALL = {"id": "call_1", "name": "weather", "arguments": '{"city": "Rome"}'}
RESOURCES = {"provider_only": {"agentevals.session_name": "night run"}, "openllmetry": {"session.id": "s-1"}}
SDK_WAYS: dict[str, Callable[[], None]] = {
    "conventions": _conventions,
    "without_tool_spans": _without_tool_spans,
    "provider_only": _provider_only,
    "events": _events,
    "log_records": _log_records,
    "openllmetry": _openllmetry,
}

if __name__ == "__main__":
    main()

"""Small recordings of each kind, and files of them."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def content(text: str, role: str = "user") -> Json:
    return {"role": role, "parts": [{"text": text}]}


def call(name: str, identifier: str = "c1", **args: Any) -> Json:
    return {"id": identifier, "name": name, "args": args}


def event(author: str, *parts: Json, role: str = "model") -> Json:
    return {"author": author, "content": {"role": role, "parts": list(parts)}}


def invocation(text: str = "Hi", answer: str = "Hello", *calls: Json) -> Json:
    data = {"tool_uses": list(calls), "tool_responses": []}
    return {"user_content": content(text), "final_response": content(answer, "model"), "intermediate_data": data}


def metric(name: str = "response_match_score", score: float | None = 0.5, status: int = 2) -> Json:
    return {"metric_name": name, "score": score, "eval_status": status, "criterion": {"threshold": 0.8}}


def case_result(eval_id: str = "greeting", *actual: Json, **members: Any) -> Json:
    turns = [
        {"actual_invocation": each, "expected_invocation": invocation(), "eval_metric_results": [metric()]}
        for each in actual
    ]
    return {
        "eval_set_id": "desk",
        "eval_id": eval_id,
        "final_eval_status": 2,
        "overall_eval_metric_results": [metric()] if turns else [],
        "eval_metric_result_per_invocation": turns,
        "session_id": f"session of {eval_id}",
    } | members


def result(*cases: Json, **members: Any) -> Json:
    return {
        "eval_set_result_id": "app_desk_1791797400.5",
        "eval_set_id": "desk",
        "eval_case_results": list(cases or (case_result("greeting", invocation()),)),
        "creation_timestamp": 1791797400.5,
    } | members


def eval_set(*turns: Json, eval_id: str = "greeting") -> Json:
    return {"eval_set_id": "desk", "eval_cases": [{"eval_id": eval_id, "conversation": list(turns or (invocation(),))}]}


def dataset(**case: Any) -> Json:
    return {"eval_cases": [{"eval_case_id": "greeting", "prompt": content("Hi")} | case]}


def agent_data(*turns: list[Json]) -> Json:
    return {"turns": [{"turn_index": index, "events": events} for index, events in enumerate(turns)]}


def span(number: int = 1, trace: int = 1, text: str = "Hi") -> Json:
    """An agent's span, as OTLP writes it."""
    told = {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.input.messages": json.dumps([{"role": "user", "parts": [{"type": "text", "content": text}]}]),
        "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": "Hello"}]}]),
    }
    return {
        "traceId": f"{trace:032x}",
        "spanId": f"{number:016x}",
        "name": "invoke_agent desk",
        "startTimeUnixNano": str(1791797400_000000000 + number),
        "endTimeUnixNano": str(1791797401_000000000 + number),
        "attributes": [{"key": key, "value": {"stringValue": value}} for key, value in told.items()],
    }


def otlp(*spans: Json) -> Json:
    return {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": list(spans)}]}]}


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def write(path: Path, value: Any, *, packed: bool = False) -> Path:
    """A file that holds bytes as they are, and any other value as JSON."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if packed else data)
    return path

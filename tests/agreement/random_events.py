"""Random lists of events with everything that a turn may be made of, in both spellings."""

from __future__ import annotations

import random
from typing import Any

from evaltui.evalset.keys import camel

Json = dict[str, Any]
_AUTHORS = ["user", "User", "trip", "hotel", "", None]
_TEXTS = ["hi", "", "Booked", "é 東京", "line\nline", "\x1b[2J", " "]
_FREE = {"a_b": 1, "aB": None, "x": [None, {"snake_case": "camelCase"}], "n": 1.5, "t": "true", "big": 2**60}
_BASE64 = ["aGk=", "-_-_", "AAAA", ""]


def random_events(chance: random.Random) -> list[Json]:
    """A list of events, some of them in camelCase."""
    ids = [f"e{number}" for number in range(chance.randint(1, 4))]
    spelt = camelled if chance.random() < 0.5 else dict
    return [spelt(_event(chance, ids, number)) for number in range(chance.randint(0, 9))]


def camelled(value: Any) -> Any:
    """The value with the names of google-adk's members in camelCase; free-form values stay as they are."""
    if isinstance(value, list):
        return [camelled(each) for each in value]
    if not isinstance(value, dict):
        return value
    free = ("args", "response", "state_delta")
    return {camel(key): each if key in free else camelled(each) for key, each in value.items()}


def _event(chance: random.Random, ids: list[str], number: int) -> Json:
    event: Json = {"id": f"i{number}", "timestamp": chance.choice([1.5, 1795311063.8172224, 7, "12"])}
    if chance.random() < 0.95:
        event["invocation_id"] = chance.choice(ids)
    if (author := chance.choice(_AUTHORS)) is not None:
        event["author"] = author
    if chance.random() < 0.9:
        event["content"] = _content(chance)
    for name, values in _MEMBERS.items():
        if chance.random() < 0.12:
            event[name] = chance.choice(values)
    return event


_MEMBERS: dict[str, list[Any]] = {
    "partial": [True, False, None, "true", 0],
    "error_code": ["STOPPED", "", None],
    "error_message": ["it \x07failed", None],
    "long_running_tool_ids": [["c1"], [], None],
    "actions": [{}, {"skip_summarization": True}, {"skip_summarization": False}, {"state_delta": {"a_b": None}}],
    "grounding_metadata": [{}, {"web_search_queries": ["a"]}, None],
    "usage_metadata": [
        {"prompt_token_count": 3, "candidates_token_count": "4"},
        {"prompt_tokens_details": [{"modality": "TEXT", "token_count": 3}], "traffic_type": "ON_DEMAND"},
        {},
    ],
    "model_version": ["gemini-2.5", "", None],
    "turn_complete": [True],
    "unknown_member": [{"x": 1}],
}


def _content(chance: random.Random) -> Json | None:
    if chance.random() < 0.05:
        return None
    content: Json = {"role": chance.choice(["user", "model", None])}
    if chance.random() < 0.93:
        content["parts"] = [_part(chance) for _ in range(chance.choice([0, 1, 1, 1, 2, 3]))]
    return content


def _part(chance: random.Random) -> Json:
    kind = chance.choice(["text", "text", "call", "response", "blob", "code", "result", "file", "empty", "request"])
    part: Json = {
        "text": {"text": chance.choice(_TEXTS)},
        "call": {"function_call": _act(chance, "args")},
        "response": {"function_response": _act(chance, "response")},
        "blob": {"inline_data": {"mime_type": "image/png", "data": chance.choice(_BASE64), "display_name": None}},
        "code": {"executable_code": {"code": "1", "language": "PYTHON"}},
        "result": {"code_execution_result": {"outcome": "OUTCOME_OK", "output": "1"}},
        "file": {"file_data": {"file_uri": "gs://a", "mime_type": "a/b"}},
        "empty": {},
        "request": {"function_call": {"id": "r1", "name": "adk_request_confirmation", "args": {"hint": None}}},
    }[kind]
    if chance.random() < 0.1:
        part["thought"] = chance.choice([True, False, "yes"])
    if chance.random() < 0.15:
        part["thought_signature"] = chance.choice(_BASE64)
    if chance.random() < 0.05:
        part["video_metadata"] = {"fps": 1, "start_offset": "3s"}
    return part


def _act(chance: random.Random, values: str) -> Json:
    act: Json = {}
    if chance.random() < 0.9:
        act["name"] = chance.choice(["book", "find_all"])
    if chance.random() < 0.8:
        act["id"] = chance.choice(["c1", "c2"])
    if chance.random() < 0.9:
        act[values] = chance.choice([_FREE, {}, None, {"snake_case": {"camelCase": [1, None]}}])
    return act

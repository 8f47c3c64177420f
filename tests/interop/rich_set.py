"""An eval set with every field that google-adk has, and more than one shape of each."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from typing import Any

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

_RUBRIC = {"rubric_id": "polite", "rubric_content": {"text_property": "The answer is polite."}}
_CALL = {"id": "c1", "name": "find_flights", "args": {"to": "LIS", "adults": 2, "tags": ["a", {"deep": None}]}}
_ANSWER = {"id": "c1", "name": "find_flights", "response": {"flights": [{"no": "TP1"}], "ok": True}}


def _says(*texts: str, role: str = "model") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text} for text in texts]}


_WITH_LISTS = {
    "invocation_id": "i-1",
    "user_content": {
        "role": "user",
        "parts": [
            {"text": "Find a flight."},
            {"text": "Here is a map."},
            {"inline_data": {"mime_type": "image/png", "data": PIXEL, "display_name": "map.png"}},
            {"inline_data": {"mime_type": "audio/wav", "data": "UklGRg=="}},
            {"inline_data": {"mime_type": "application/pdf", "data": "JVBERi0="}},
            {"file_data": {"file_uri": "gs://bucket/map.png", "mime_type": "image/png"}},
            {"function_response": {"id": "u1", "name": "ask_user", "response": {"answer": "yes"}}},
        ],
    },
    "final_response": _says("TP1 leaves at 8.", "Shall I book it?"),
    "intermediate_data": {
        "tool_uses": [_CALL, {"name": "check_visa", "args": {}}],
        "tool_responses": [_ANSWER, {"name": "check_visa", "response": {"needed": False}}],
        "intermediate_responses": [["root", [{"text": "Let me look."}]]],
    },
    "creation_timestamp": 1760000000.5,
    "duration": 1.5,
    "rubrics": [{**_RUBRIC, "rubric_id": "turn_rubric"}],
    "app_details": {
        "agent_details": {
            "root": {
                "name": "root",
                "instructions": "Help.",
                "tool_declarations": [{"function_declarations": [{"name": "find_flights"}]}],
            }
        }
    },
}
_WITH_EVENTS = {
    "invocation_id": "i-2",
    "user_content": _says("Change it.", role="user"),
    "final_response": {
        "role": "model",
        "parts": [{"text": "Done."}, {"inline_data": {"mime_type": "image/png", "data": PIXEL}}],
    },
    "intermediate_data": {
        "invocation_events": [
            {"author": "root", "content": {"role": "model", "parts": [{"text": "Hm.", "thought": True}]}},
            {
                "author": "root",
                "content": {
                    "role": "model",
                    "parts": [
                        {"text": "One moment."},
                        {
                            "function_call": {
                                "id": "t1",
                                "name": "transfer_to_agent",
                                "args": {"agent_name": "billing"},
                            },
                            "thought_signature": "c2ln",
                        },
                    ],
                },
                "usage_metadata": {"total_token_count": 12},
            },
            {
                "author": "root",
                "content": {
                    "role": "user",
                    "parts": [
                        {"function_response": {"id": "t1", "name": "transfer_to_agent", "response": {"result": 1}}}
                    ],
                },
            },
            {"author": "billing", "content": {"role": "model", "parts": [{"function_call": {**_CALL, "id": "c2"}}]}},
            {
                "author": "billing",
                "content": {"role": "user", "parts": [{"function_response": {**_ANSWER, "id": "c2"}}]},
            },
        ]
    },
}
RICH_SET: dict[str, Any] = {
    "eval_set_id": "trips",
    "name": "Trips",
    "description": "All about trips.",
    "owner": "the travel team",
    "eval_cases": [
        {
            "eval_id": "book",
            "conversation": [_WITH_LISTS, _WITH_EVENTS],
            "session_input": {
                "app_name": "trip_app",
                "user_id": "ann",
                "session_id": "s-1",
                "state": {"currency": "EUR", "limits": {"max": 100.5, "user:none": None}, "vip": True},
            },
            "creation_timestamp": 1760000001.0,
            "rubrics": [
                {**_RUBRIC, "description": "Manners", "type": "FINAL_RESPONSE_QUALITY"},
                {"rubric_id": "short", "rubric_content": {"text_property": "The answer is short."}},
            ],
            "final_session_state": {"booked": "TP1"},
            "metadata": {"ticket": 7},
        },
        {
            "eval_id": "greet",
            "description": "A greeting calls nothing.",
            "tags": ["smoke", "p0"],
            "conversation": [
                {
                    "user_content": _says("Hello", role="user"),
                    "final_response": _says("Good day"),
                    "intermediate_data": {"tool_uses": []},
                }
            ],
        },
        {
            "eval_id": "wander",
            "conversation_scenario": {
                "starting_prompt": "I need a holiday.",
                "conversation_plan": "Ask for a beach, then for its price.",
                "user_persona": {
                    "id": "hasty",
                    "description": "Has no time.",
                    "behaviors": [
                        {
                            "name": "interrupts",
                            "description": "Cuts answers short.",
                            "behavior_instructions": ["Answer in three words."],
                            "violation_rubrics": ["The user writes essays."],
                        }
                    ],
                },
            },
            "session_input": {"app_name": "trip_app", "user_id": "bob", "state": {"city": "Porto"}},
            "rubrics": [_RUBRIC],
        },
    ],
    "creation_timestamp": 1760000000.0,
}


def varied_sets(count: int, seed: int = 20) -> list[dict[str, Any]]:
    """Copies of the set, in each of which some values are gone, doubled, or others of JSON's kinds."""
    return list(varied(RICH_SET, count, seed))


def varied(document: Any, count: int, seed: int = 20) -> Iterator[Any]:
    """Copies of a document, in each of which some values are gone, doubled, or others of JSON's kinds."""
    source = random.Random(seed)
    for _ in range(count):
        yield _varied(copy.deepcopy(document), source)


def _varied(value: Any, source: random.Random) -> Any:
    for _ in range(source.randint(1, 8)):
        places = [each for each in _places(value) if each[1] not in ("eval_cases", "conversations", "evals")]
        container, key = source.choice(places or [({"": None}, "")])
        match source.randint(0, 3):
            case 0:
                del container[key]
            case 1 if isinstance(container, list):
                container.append(copy.deepcopy(container[key]))
            case 2:
                container[key] = source.choice([None, "", [], {}, "another text", 12, {"a": [{"b": "c"}]}])
            case _:
                container[key] = container[key]
    return value


def _places(value: Any) -> list[tuple[Any, Any]]:
    """All containers with their keys and positions."""
    if isinstance(value, dict):
        own = [(value, key) for key in value]
        return own + [place for item in value.values() for place in _places(item)]
    if isinstance(value, list):
        own = [(value, index) for index in range(len(value))]
        return own + [place for item in value for place in _places(item)]
    return []

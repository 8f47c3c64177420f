"""A small dataset with responses of an agent: a conversation, a prompt without expectations, and an open case."""

import json
from typing import Any


def said(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def event(author: str, *parts: dict[str, Any], role: str = "model") -> dict[str, Any]:
    return {"author": author, "content": {"role": role, "parts": list(parts)}}


def calls(name: str, **args: Any) -> dict[str, Any]:
    return event("desk", {"function_call": {"name": name, "args": args}})


_ASKED = [
    {"turn_index": 0, "events": [event("user", {"text": "Hello"}, role="user"), event("desk", {"text": "Hi!"})]},
    {"turn_index": 1, "events": [event("user", {"text": "Refund order 7"}, role="user")]},
]
_ANSWER = [calls("refund", order=7), calls("mail", to="a@b.c"), event("desk", {"text": "Refunded in full."})]
_EXPECTED = {
    "intermediate_events": [calls("refund", order="7")],
    "reference": {"response": said("Your money is on its way.", "model")},
}


def _dataset(*cases: dict[str, Any]) -> str:
    return json.dumps({"eval_cases": list(cases)}, indent=2) + "\n"


_REFUND = {"eval_case_id": "refund", "agent_data": {"turns": _ASKED}, **_EXPECTED}
_OPEN = {"eval_case_id": "open", "prompt": said("Are you open?")}
_NOBODY = {"eval_case_id": "nobody", "prompt": said("Anyone there?")}

DATASET = _dataset(_REFUND, _OPEN, _NOBODY)
"""The dataset as the input of `agents-cli eval generate`: no responses yet."""
ANSWERED = _dataset(
    _REFUND
    | {
        "agent_data": {"turns": [_ASKED[0], {"turn_index": 1, "events": [*_ASKED[1]["events"], *_ANSWER]}]},
        "responses": [{"response": said("Refunded in full.", "model")}],
    },
    _OPEN | {"responses": [{"response": said("Yes, until six.", "model")}]},
    _NOBODY,
)
"""The same dataset with the responses of an agent."""

"""A small set with a recording of its agent: another eval set as the actual side."""

import json
from typing import Any

Call = tuple[str, dict[str, Any]]


def said(text: str) -> dict[str, Any]:
    return {"parts": [{"text": text}], "role": "user"}


def turn(number: int, user: str, response: str, *calls: Call) -> dict[str, Any]:
    uses = [{"id": f"c{place}", "name": name, "args": args} for place, (name, args) in enumerate(calls)]
    return {
        "invocation_id": f"t{number}",
        "user_content": said(user),
        "final_response": said(response),
        "intermediate_data": {"tool_uses": uses, "tool_responses": []},
    }


def a_set(cases: dict[str, list[dict[str, Any]]]) -> str:
    listed = [{"eval_id": eval_id, "conversation": turns} for eval_id, turns in cases.items()]
    return json.dumps({"eval_set_id": "trips", "eval_cases": listed}, indent=2) + "\n"


_SEARCH = turn(1, "Find me a flight", "There are two flights to Oslo.", ("search_flights", {"to": "OSL"}))

EXPECTED = {
    "greeting": [turn(1, "Hello", "Hi, how can I help you today?")],
    "book_flight": [
        _SEARCH,
        turn(2, "Book the first", "Booking confirmed, your code is ABC.", ("book_flight", {"flight_id": "1"})),
    ],
    "escalate": [turn(1, "Get me a human", "I hand you over.", ("handover", {}))],
    "too_long": [turn(1, "Long", "One."), turn(2, "Longer", "Two.")],
}
ACTUAL = {
    "greeting": [turn(1, "Hello", "Hi, how can I help you?")],
    "book_flight": [
        _SEARCH,
        turn(
            2,
            "Book the first",
            "It is confirmed. [bold]Enjoy[/bold] \x1b[31mred",
            ("book_flight", {"flight_id": 1}),
            ("send_email", {"to": "a@b.c"}),
        ),
    ],
    "too_long": [turn(1, "Long", "One.")],
    "nobody": [turn(1, "Strange", "Thing")],
}

SET, RECORDING = a_set(EXPECTED), a_set(ACTUAL)


def history(cases: dict[str, list[dict[str, Any]]]) -> dict[str, str]:
    """A result file by its name, beside a set as google-adk stores it."""
    results = [
        {
            "eval_id": eval_id,
            "eval_set_id": "trips",
            "session_id": f"session-{eval_id}",
            "eval_metric_result_per_invocation": [
                {"actual_invocation": each, "expected_invocation": each, "eval_metric_results": []} for each in turns
            ],
        }
        for eval_id, turns in cases.items()
    ]
    result = {
        "eval_set_result_id": "app_trips_1760000000.5",
        "eval_set_id": "trips",
        "eval_case_results": results,
        "creation_timestamp": 1760000000.5,
    }
    return {".adk/eval_history/app_trips_1760000000.5.evalset_result.json": json.dumps(result)}


def recording_with(eval_id: str, *turns: dict[str, Any]) -> str:
    """The recording with other turns for one case."""
    return a_set({**ACTUAL, eval_id: list(turns)})

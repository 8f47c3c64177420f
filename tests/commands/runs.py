"""Sets and recordings for the tests of `evaltui run`: plain data, as small as can be."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Call = tuple[str, dict[str, Any]]


def turn(user: str, response: str = "", calls: Sequence[Call] = ()) -> dict[str, Any]:
    return {
        "user_content": {"role": "user", "parts": [{"text": user}]},
        "final_response": {"role": "model", "parts": [{"text": response}]},
        "intermediate_data": {"tool_uses": [{"name": name, "args": args} for name, args in calls]},
    }


def case(eval_id: str, *turns: dict[str, Any], **members: Any) -> dict[str, Any]:
    return {"eval_id": eval_id, "conversation": list(turns), **members}


def eval_set(*cases: dict[str, Any], name: str = "trips") -> dict[str, Any]:
    return {"eval_set_id": name, "eval_cases": list(cases)}


def result(*cases: dict[str, Any], name: str = "trips", at: float = 1_700_000_000.0) -> dict[str, Any]:
    """A result file of google-adk: what it says the agent did in each case."""
    return {
        "eval_set_result_id": f"app_{name}_{at}",
        "eval_set_id": name,
        "creation_timestamp": at,
        "eval_case_results": [
            {
                "eval_set_id": name,
                "eval_id": each["eval_id"],
                "final_eval_status": 1,
                "overall_eval_metric_results": [],
                "session_id": "s",
                "eval_metric_result_per_invocation": [
                    {"actual_invocation": one, "expected_invocation": None, "eval_metric_results": []}
                    for one in each["conversation"]
                ],
            }
            for each in cases
        ],
    }


def write(path: Path, value: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value))
    return path


ASK = "Book the first flight"
BOOKED = "The first flight is booked for you"
EXPECTED = case("book_flight", turn(ASK, BOOKED, [("search", {"to": "YUL"}), ("book", {"flight_id": "1"})]))
GREETING = case("greeting", turn("Hi there", "Hello, how can I help?"))
ACTUAL = case(
    "book_flight",
    turn(ASK, "Your flight is booked", [("search", {"to": "YUL"}), ("book", {"flight_id": 1}), ("mail", {})]),
)

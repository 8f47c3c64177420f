"""The recordings kept for the sample sets say what their script says."""

import json
from pathlib import Path

import pytest

from evaltui.recordings.conversation import Conversation
from evaltui.recordings.recording_file import open_recording
from tests.recordings.matched import case_to_match, match

SETS = Path(__file__).parents[2] / "sample_sets"
EXPECTED = {
    "support_desk_first.evalset_result.json": {
        "service_status_stays_with_triage": ("eval_id", ["get_service_status"]),
        "unclear_request_is_asked_back": ("eval_id", ["transfer_to_agent", "email_invoice", "report_problem"]),
    },
    "support_desk_traced.otlp.jsonl": {
        "duplicate_charge_refunded": (
            "user_text",
            ["transfer_to_agent", "list_charges", "refund_charge", "send_email", "get_subscriptions"],
        ),
        "service_status_stays_with_triage": ("user_text", ["get_service_status"]),
    },
    "trip_planner_first.evalset_result.json": {
        "book_flight_lisbon_montreal": ("eval_id", ["search_flights", "book_flight", "add_baggage", "get_fare_rules"])
    },
    "trip_planner_second.evalset_result.json": {
        "greeting_without_tools": ("eval_id", []),
        "tokyo_day_trip_by_train": ("eval_id", ["get_weather", "find_trains", "reserve_seats"]),
    },
    "trip_planner_traced.otlp.jsonl": {
        "greeting_without_tools": ("user_text", []),
        "tokyo_day_trip_by_train": ("user_text", ["find_trains", "get_weather", "reserve_seats"]),
        "cancel_one_of_two_hotels": ("user_text", ["list_bookings", "list_bookings", "cancel_booking"]),
    },
}


def calls(conversation: Conversation) -> list[str | None]:
    return [call.name for turn in conversation.turns for call in turn.calls]


def test_all_samples_are_looked_at() -> None:
    assert {path.name for path in (SETS / "recordings").glob("*.json*")} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_samples_belong_to_their_cases(name: str) -> None:
    set_name = name.rsplit("_", 1)[0].removesuffix("_first.evalset").removesuffix("_second.evalset")
    data = json.loads((SETS / f"{set_name}.evalset.json").read_text("utf-8"))
    cases = [
        case_to_match(
            case["eval_id"], case["conversation"][0]["user_content"]["parts"][0]["text"], len(case["conversation"])
        )
        for case in data["eval_cases"]
    ]
    path = SETS / "recordings" / name
    recording = open_recording(path, multi_turn=True)
    assert recording.warnings == ()
    matching = match(cases, recording.conversations, data["eval_set_id"])
    assert not matching.unmatched and not matching.warnings
    found = {
        case.eval_id: (each.matched_by, calls(each.conversation))
        for case, matches in zip(cases, matching.cases, strict=True)
        for each in matches
    }
    assert found == EXPECTED[name]
    assert path.stat().st_size < 150_000

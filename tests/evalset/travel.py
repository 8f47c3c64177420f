"""A small dataset with every kind of case: turns with calls, a scenario, a prompt with recorded answers, bare texts."""

import json
from typing import Any

from evaltui.evalset.keys import camel

BOOKING: Any = {
    "eval_case_id": "book_flight",
    "agent_data": {
        "agents": {"planner": {"agent_id": "planner", "agent_type": "LlmAgent", "instruction": "Plan trips."}},
        "turns": [
            {
                "turn_index": 0,
                "turn_id": "turn_0",
                "events": [
                    {"author": "user", "content": {"role": "user", "parts": [{"text": "A flight to Oslo"}]}},
                    {
                        "author": "planner",
                        "content": {
                            "role": "model",
                            "parts": [{"function_call": {"id": "c1", "name": "search_flights", "args": {"to": "OSL"}}}],
                        },
                    },
                    {
                        "author": "planner",
                        "content": {
                            "role": "user",
                            "parts": [
                                {
                                    "function_response": {
                                        "id": "c1",
                                        "name": "search_flights",
                                        "response": {"flight": "SK 12"},
                                    }
                                }
                            ],
                        },
                        "state_delta": {"last_search": "OSL"},
                    },
                    {"author": "planner", "content": {"role": "model", "parts": [{"text": "SK 12 leaves at nine."}]}},
                ],
            },
            {
                "turn_index": 1,
                "turn_id": "turn_1",
                "events": [{"author": "user", "content": {"role": "user", "parts": [{"text": "Book it"}]}}],
            },
        ],
    },
    "rubric_groups": {
        "tone": {"rubrics": [{"rubric_id": "polite", "content": {"property": {"description": "It is polite."}}}]}
    },
    "budget": 400,
}
MUSEUMS: Any = {
    "eval_case_id": "museum_day",
    "user_scenario": {"starting_prompt": "What can we see?", "conversation_plan": "Ask for museums."},
}
REFUND: Any = {
    "eval_case_id": "refund",
    "prompt": "I want my money back",
    "responses": [
        {"response": {"role": "model", "parts": [{"text": "I refund it."}]}},
        {"response": {"parts": [{"text": "No."}, {"inline_data": {"mime_type": "image/png", "data": "iVBORw0K"}}]}},
    ],
    "conversation_history": [{"author": "user", "content": {"parts": [{"text": "Hello"}]}}],
    "intermediate_events": [
        {"author": "desk", "content": {"parts": [{"function_call": {"name": "find_order", "args": {"id": 7}}}]}}
    ],
    "system_instruction": {"parts": [{"text": "Be kind."}]},
}
LUNCH: Any = {
    "eval_case_id": "lunch_1",
    "prompt": {"role": "user", "parts": [{"text": "Where is lunch?"}]},
    "reference": {"response": {"role": "model", "parts": [{"text": "In the hall."}]}},
}
CASES = [BOOKING, MUSEUMS, REFUND, LUNCH]


def dataset_of(*cases: Any, indent: int | None = 2, **members: Any) -> str:
    """The text of a dataset of these cases."""
    return json.dumps({"eval_cases": [*cases], **members}, indent=indent, ensure_ascii=False)


def in_camel_case(value: Any) -> Any:
    """The same value with keys in camelCase, those aside that are names of the author."""
    if isinstance(value, list):
        return [in_camel_case(item) for item in value]
    if not isinstance(value, dict):
        return value
    free = ("args", "response", "state_delta")
    is_call = "name" in value
    return {
        camel(key): item if key in free and (is_call or key == "state_delta") else in_camel_case(item)
        for key, item in value.items()
    }


TRAVEL = dataset_of(*CASES)
CAMEL_TRAVEL = json.dumps(in_camel_case(json.loads(TRAVEL)), indent=2)

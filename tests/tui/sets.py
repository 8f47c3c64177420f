"""Small eval sets in both key cases and both shapes of intermediate data, laid out by hand."""

import re

from evaltui.evalset.keys import camel

_KEYS = [
    "eval_id",
    "conversation",
    "session_input",
    "app_name",
    "user_id",
    "creation_timestamp",
    "invocation_id",
    "user_content",
    "final_response",
    "intermediate_data",
    "tool_uses",
    "tool_responses",
    "invocation_events",
    "function_call",
    "function_response",
]

_HEAD = """{
  "eval_set_id": "weather_desk",
  "name": "Weather",
  "description": "Two short talks",
  "eval_cases": [
    {
      "eval_id": "rain_in_bergen",
      "conversation": [
        {
          "invocation_id": "turn-1",
          "user_content": {"parts": [{"text": "Is it raining in Bergen?"}], "role": "user"},
"""

_TAIL = """
          "final_response": {"parts": [{"text": "Yes, bring an umbrella."}], "role": "model"}
        },
        {
          "invocation_id": "turn-2",
          "user_content": {"parts": [{"text": "Thanks"}], "role": "user"},
          "final_response": {"parts": [{"text": "You are welcome."}], "role": "model"}
        }
      ],
      "session_input": {"app_name": "weather", "user_id": "ann", "state": {"unit": "mm", "days": 3}}
    },
    {
      "eval_id": "greeting",
      "conversation": [
        {
          "invocation_id": "turn-1",
          "user_content": {"parts": [{"text": "Good morning"}], "role": "user"},
          "final_response": {"parts": [{"text": "Good morning to you."}], "role": "model"}
        }
      ]
    }
  ]
}
"""

CALLS = (
    """{"id": "call-1", "name": "get_weather", "args": {"city": "Bergen", "days": 3, "metric": true, "note": null, \
"hours": [6, 12], "area": {"lat": 60.39, "lon": 5.32}}}""",
    """{"id": "call-2", "name": "find_umbrella", "args": {}}""",
)
ANSWER = """{"id": "call-1", "name": "get_weather", "response": {"rain_mm": 12.50, "wind": "strong"}}"""

_USES = f"""          "intermediate_data": {{
            "tool_uses": [
              {CALLS[0]},
              {CALLS[1]}
            ],
            "tool_responses": [{ANSWER}]
          }},"""

_EVENTS = f"""          "intermediate_data": {{
            "invocation_events": [
              {{"author": "agent", "content": {{"parts": [{{"function_call": {CALLS[0]}}}], "role": "model"}}}},
              {{"author": "agent", "content": {{"parts": [{{"function_response": {ANSWER}}}], "role": "user"}}}},
              {{"author": "agent", "content": {{"parts": [{{"function_call": {CALLS[1]}}}], "role": "model"}}}}
            ]
          }},"""


def in_camel_case(text: str) -> str:
    """A set, or a piece of one, with the keys below its root in camelCase."""
    return re.sub(rf'"({"|".join(_KEYS)})"(?=:)', lambda found: f'"{camel(found[1])}"', text)


SNAKE = _HEAD + _USES + _TAIL
SNAKE_EVENTS = _HEAD + _EVENTS + _TAIL
CAMEL = in_camel_case(SNAKE)
CAMEL_EVENTS = in_camel_case(SNAKE_EVENTS)

SETS = {"snake": SNAKE, "camel": CAMEL, "snake_events": SNAKE_EVENTS, "camel_events": CAMEL_EVENTS}
"""All four, by name."""

FIRST_CALL = ("Is it raining", "get_weather")
"""The rows and lines to enter, one after the other, for the form of the first tool call of each of the four."""

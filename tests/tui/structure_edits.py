"""Cases, turns and calls that are added and deleted in the tree of the small sets."""

from collections.abc import Awaitable, Callable

from tests.tui.editing import Editing
from tests.tui.scenario import Scenario
from tests.tui.sets import ANSWER, CALLS

_CASE = """,
    {
      "eval_id": "case_3",
      "conversation": [
        {
          "invocation_id": "turn-1",
          "user_content": {"parts": [{"text": ""}], "role": "user"},
          "final_response": {"parts": [{"text": ""}], "role": "model"}
        }
      ]
    }"""
_TURN = """,
        {
          "invocation_id": "turn-%d",
          "user_content": {"parts": [{"text": ""}], "role": "user"},
          "final_response": {"parts": [{"text": ""}], "role": "model"}
        }"""
_NEW = '{"id": "call-3", "name": "", "args": {}}'
_END_OF_CASES = "\n      ]\n    }\n  ]\n}\n"
_SECOND_TURN = """,
        {
          "invocation_id": "turn-2",
          "user_content": {"parts": [{"text": "Thanks"}], "role": "user"},
          "final_response": {"parts": [{"text": "You are welcome."}], "role": "model"}
        }"""
_SECOND_CASE = """,
    {
      "eval_id": "greeting",
      "conversation": [
        {
          "invocation_id": "turn-1",
          "user_content": {"parts": [{"text": "Good morning"}], "role": "user"},
          "final_response": {"parts": [{"text": "Good morning to you."}], "role": "model"}
        }
      ]
    }"""


def at(row: str, key: str) -> Callable[[Scenario], Awaitable[None]]:
    """Unfold the first turn and press a key on a row; what is added waits for its first text."""

    async def keys(s: Scenario) -> None:
        await s.to("Is it raining")
        await s.press("right")
        await s.to(row)
        await s.press(key)
        if s.focused == "field":
            await s.press("escape", "escape")

    return keys


def _with_data(name: str, call: str) -> str:
    """The user's content of the second turn, with the first of its intermediate data behind it."""
    data = f'"{name}": [\n              {call.strip()}\n            ]'
    return f'"Thanks"}}], "role": "user"}},\n          "intermediate_data": {{\n            {data}\n          }},'


def _event(part: str, role: str = "model") -> str:
    return f'              {{"author": "agent", "content": {{"parts": [{{{part}}}], "role": "{role}"}}}}'


CASES_AND_TURNS = {
    "case added": Editing(at("greeting", "a"), _END_OF_CASES, "\n      ]\n    }" + _CASE + "\n  ]\n}\n"),
    "turn added": Editing(at("Thanks", "a"), _SECOND_TURN, _SECOND_TURN + _TURN % 3),
    "turn added inside": Editing(
        at("greeting", "A"),
        '"Good morning to you."}], "role": "model"}\n        }',
        '"Good morning to you."}], "role": "model"}\n        }' + _TURN % 2,
    ),
    "case deleted": Editing(at("greeting", "d"), _SECOND_CASE, ""),
    "turn deleted": Editing(at("Thanks", "delete"), _SECOND_TURN, ""),
}

_LINES = [f"              {call}" for call in CALLS]
IN_LISTS = {
    "call added behind": Editing(at("get_weather", "a"), _LINES[0], f"{_LINES[0]},\n              {_NEW}"),
    "call added inside": Editing(at("Is it", "A"), _LINES[1], f"{_LINES[1]},\n              {_NEW}"),
    "call with a response deleted": Editing(
        at("get_weather", "d"),
        f'{_LINES[0]},\n{_LINES[1]}\n            ],\n            "tool_responses": [{ANSWER}]',
        f'{_LINES[1]}\n            ],\n            "tool_responses": []',
    ),
    "call without one deleted": Editing(at("find_umbrella", "d"), f",\n{_LINES[1]}", ""),
    "first call of a turn added": Editing(
        at("Thanks", "A"),
        '"Thanks"}], "role": "user"},',
        _with_data("tool_uses", _NEW),
    ),
}

_EVENTS = [
    _event(f'"function_call": {CALLS[0]}'),
    _event(f'"function_response": {ANSWER}', "user"),
    _event(f'"function_call": {CALLS[1]}'),
]
_NEW_EVENT = _event(f'"function_call": {_NEW}')
IN_EVENTS = {
    "call added behind": Editing(at("get_weather", "a"), _EVENTS[1], f"{_EVENTS[1]},\n{_NEW_EVENT}"),
    "call added inside": Editing(at("Is it", "A"), _EVENTS[2], f"{_EVENTS[2]},\n{_NEW_EVENT}"),
    "call with a response deleted": Editing(at("get_weather", "d"), f"{_EVENTS[0]},\n{_EVENTS[1]},\n", ""),
    "call without one deleted": Editing(at("find_umbrella", "d"), f",\n{_EVENTS[2]}", ""),
    "first call of a turn added": Editing(
        at("Thanks", "A"),
        '"Thanks"}], "role": "user"},',
        _with_data("invocation_events", _NEW_EVENT),
    ),
}

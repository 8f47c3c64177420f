"""Files with the keys of two formats: documents that are merged at every level, with values that occur once."""

from __future__ import annotations

import copy
import random
from typing import Any

from evaltui.evalset.keys import camel, snake
from tests.interop.full_sets import FULL_DIALECT, FULL_LIST, FULL_SCENARIOS, FULL_SET
from tests.interop.random_datasets import random_dataset
from tests.interop.random_sets import random_set
from tests.interop.rich_evaluations import RICH_CXAS, RICH_EVALUATIONS
from tests.interop.rich_set import RICH_SET

_CASES = ("eval_cases", "evalCases", "scenarios")
_SPEAKERS = ("", "user", "agent", "model", "assistant")
_OWN_CONTENT = (
    *("conversation", "conversation_scenario", "prompt", "agent_data", "conversation_history", "user_scenario"),
    *("responses", "reference", "reference_trajectory", "intermediate_events", "golden", "scenario", "turns", "steps"),
)
_SAID = {"parts": [{"text": "foreign"}]}
_TOOL = {"tool_name": "tool", "tool_input": {"to": "there"}}
FOREIGN: list[tuple[str, Any]] = [
    ("turns", [{"user": "foreign", "agent": "answer"}]),
    ("steps", [{"goal": "foreign"}]),
    ("golden", {"turns": [{"steps": [{"userInput": {"text": "foreign"}}]}]}),
    ("scenario", {"task": "foreign"}),
    ("task", "foreign"),
    ("data", [{"query": "foreign", "reference": "answer"}]),
    ("query", "foreign"),
    ("expected_tool_use", [_TOOL]),
    ("messages", [{"role": "user", "content": "foreign"}]),
    ("conversation", [{"user_content": _SAID}]),
    ("conversation_scenario", {"starting_prompt": "foreign", "conversation_plan": "plan"}),
    ("prompt", _SAID),
    ("reference", {"response": _SAID}),
    ("reference_trajectory", [_TOOL, {"name": "tool", "args": {"to": "there"}}, {"tool_input": {"to": "there"}}]),
    ("conversation_history", [{"content": _SAID}]),
    ("agent_data", {"turns": [{"events": [{"author": "user", "content": _SAID}]}]}),
    ("user_scenario", {"starting_prompt": "foreign", "conversation_plan": "plan"}),
    ("eval_id", "id"),
    ("eval_case_id", "id"),
]
"""Keys with content of every format, and of none, as cases have them."""
_AS_THEY_ARE = (
    *("role", "data", "audio", "mime_type", "thought_signature", "language", "user_persona", "importance"),
    *("create_time", "event_time", "creation_timestamp", "comparison_type", "$match_type", "user_goal_behavior"),
    "scenario_execution_mode",
)
"""Keys whose values are words of a format, numbers of time, or bytes."""


def mixed_source(seed: int) -> Any:
    """A document of one format whose cases also have keys of another."""
    dice = random.Random(f"mixed {seed}")
    every = [FULL_SET, RICH_SET, random_set(seed), random_dataset(seed), FULL_DIALECT, FULL_LIST, FULL_SCENARIOS]
    first, second = dice.sample([*every, RICH_EVALUATIONS, RICH_CXAS], 2)
    cases = [_merged(one, other, dice) for one, other in zip(_cases(first), _cases(second), strict=False)]
    outer = next((item for item in (first, second) if isinstance(item, dict)), None)
    if outer is None:
        return numbered(cases)
    if "conversations" in outer:
        return numbered({**outer, "conversations": cases[:1], "evals": cases[1:]})
    key = next(item for item in _CASES if item in outer)
    return numbered({**outer, key: cases})


def foreign_source(seed: int) -> Any:
    """A document of one format whose cases have content under keys of other formats or of none, or only there.

    Tool calls in it have the keys of any format.
    """
    dice = random.Random(f"foreign {seed}")
    every = [FULL_SET, RICH_SET, random_set(seed), random_dataset(seed), FULL_DIALECT, FULL_SCENARIOS]
    found = copy.deepcopy(dice.choice([*every, RICH_EVALUATIONS, RICH_CXAS]))
    for case in _cases(found):
        if dice.random() < 0.4:
            for name in [name for name in case if snake(name) in _OWN_CONTENT]:
                if dice.random() < 0.3:
                    case[name] = [] if isinstance(case[name], list) else {}
                else:
                    del case[name]
        for name, value in dice.sample(FOREIGN, dice.randrange(1, 4)):
            case.setdefault(name if dice.random() < 0.7 else camel(name), copy.deepcopy(value))
    return numbered(_respelt(found, dice))


def _respelt(value: Any, dice: random.Random) -> Any:
    """The document with some calls in another spelling. Values of arguments stay."""
    if isinstance(value, list):
        return [_respelt(item, dice) for item in value]
    if not isinstance(value, dict):
        return value
    found = {
        name: item if snake(name) in ("args", "tool_input") else _respelt(item, dice) for name, item in value.items()
    }
    if dice.random() < 0.3 and isinstance(found.get("args"), dict) and "name" in found:
        found["arguments"] = found.pop("args")
    if dice.random() < 0.4 and {"tool_name", "tool_input"} <= set(found):
        call = {"name": found.pop("tool_name"), "args": found.pop("tool_input")}
        return dice.choice([{**found, **call}, {**found, "function_call": call}, {**found, "tool_input": call["args"]}])
    return found


def _cases(document: Any) -> list[Any]:
    if isinstance(document, list):
        return document
    found = next((document[key] for key in _CASES if key in document), None)
    return list(found if found is not None else [*document["conversations"], *document["evals"]])


def _merged(one: Any, other: Any, dice: random.Random) -> Any:
    """Both values where they have different keys, merged where they have the same; else one of them."""
    if isinstance(one, dict) and isinstance(other, dict):
        found = copy.deepcopy(one)
        spelled = {snake(name): name for name in found}
        for name, value in other.items():
            own = spelled.get(snake(name))
            if own is None or (own != name and dice.random() < 0.15):  # seldom in both spellings
                if dice.random() < 0.6:
                    found[name] = copy.deepcopy(value)
            else:
                found[own] = _merged(found[own], value, dice)
        return found
    if isinstance(one, list) and isinstance(other, list):
        found = [_merged(*pair, dice) for pair in zip(one, other, strict=False)]
        return found + copy.deepcopy(one[len(found) :] or other[len(found) :])
    return copy.deepcopy(one if dice.random() < 0.5 else other)


def numbered(value: Any) -> Any:
    """A copy in which every text and every number occurs once."""
    return _Numbering().of(value)


class _Numbering:
    def __init__(self) -> None:
        self._count = 0

    def of(self, value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {name: self.of(item, name) for name, item in value.items()}
        if isinstance(value, list):
            return [self.of(item, key) for item in value]
        if value is None or isinstance(value, bool) or value in _SPEAKERS or snake(key) in _AS_THEY_ARE:
            return value
        self._count += 1
        if isinstance(value, str):
            is_address = value.startswith(("projects/", "gs:"))
            return f"{value}-{self._count}" if is_address else f"{value} n{self._count}"
        return 70_000 + self._count + (0.25 if isinstance(value, float) else 0)

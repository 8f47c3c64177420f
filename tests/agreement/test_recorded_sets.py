"""Sets that are made of sessions: google-adk accepts them, and reads the same in them as in its own conversion."""

from __future__ import annotations

import random
from typing import Any

import pytest

from evaltui.evalset.editing.recorded_cases import RecordedCase, new_recorded_set
from evaltui.evalset.editing.recorded_turns import Shape
from tests.agreement.random_events import random_events
from tests.agreement.score_oracle import answers
from tests.agreement.test_session_turns import COUNT, SEED, invocations_of_events

_READ = """
import json, sys, warnings, logging
warnings.simplefilter("ignore"); logging.disable(logging.CRITICAL)
from google.adk.evaluation.eval_case import get_all_tool_calls, get_all_tool_responses
from google.adk.evaluation.eval_set import EvalSet
from google.adk.evaluation.evaluation_generator import EvaluationGenerator
from google.adk.evaluation.llm_as_judge_utils import get_text_from_content
from google.adk.events.event import Event
def told(turn):
    dumped = turn.model_dump(mode="json", exclude_none=True)
    return {
        "calls": [each.model_dump(mode="json") for each in get_all_tool_calls(turn.intermediate_data)],
        "responses": [each.model_dump(mode="json") for each in get_all_tool_responses(turn.intermediate_data)],
        "user": dumped["user_content"], "answer": dumped.get("final_response"), "time": turn.creation_timestamp,
        "id": turn.invocation_id, "data": dumped.get("intermediate_data"),
        "texts": get_text_from_content(turn, include_intermediate_responses_in_final=True),
    }
for line in sys.stdin:
    kind, value = json.loads(line)
    try:
        if kind == "set":
            turns = EvalSet.model_validate_json(value).eval_cases[0].conversation
        else:
            events = [Event.model_validate_json(json.dumps(each)) for each in value]
            turns = EvaluationGenerator.convert_events_to_eval_invocations(events)
        said = json.dumps([told(turn) for turn in turns])
    except Exception as error:
        said = json.dumps({"error": f"{type(error).__name__}: {error}"[:500]})
    print(said, flush=True)
"""


@pytest.mark.parametrize("shape", ["tool_uses", "events"])
def test_google_adk_reads_in_a_recorded_set_what_it_makes_of_the_session(adk_python: str, shape: Shape) -> None:
    chance = random.Random("recorded" + SEED)
    lists = [events for _ in range(COUNT) if (events := random_events(chance))]
    theirs = answers(adk_python, _READ, [["events", events] for events in lists])
    kept = [(events, turns) for events, turns in zip(lists, theirs, strict=True) if turns and isinstance(turns, list)]
    sets = [new_recorded_set("s", [RecordedCase(invocations_of_events(events))], shape) for events, _ in kept]
    ours = answers(adk_python, _READ, [["set", text.decode()] for text in sets])
    assert len(kept) > COUNT / 2
    for (events, converted), read in zip(kept, ours, strict=True):
        assert isinstance(read, list), (read, events)
        for one, other in zip(read, converted, strict=True):
            assert _compared(one, shape, other) == _compared(other, shape, other), events


def _compared(turn: dict[str, Any], shape: Shape, converted: dict[str, Any]) -> dict[str, Any]:
    """What both have in common: in lists, a final response that holds calls has its text once."""
    if shape == "events":
        return turn
    events = converted["data"]["invocation_events"]
    is_twice = any(event.get("content") == converted["answer"] for event in events if converted["answer"] is not None)
    return {name: value for name, value in turn.items() if name != "data" and (name != "texts" or not is_twice)}

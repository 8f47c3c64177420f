"""Places in sources of all formats, as reports name them."""

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.loss_words import place_in

SET: Any = {"eval_cases": [{"eval_id": "a", "conversation": [{}, {"rubrics": []}]}, {}]}
LIST: Any = [{"name": "a", "data": [{"query": "x"}]}]
EVALUATION: Any = {"displayName": "b", "golden": {"turns": [{}, {}]}}
DATASET: Any = {"eval_cases": [{"eval_case_id": "c", "agent_data": {"turns": [{"events": [{}]}]}}]}


@pytest.mark.parametrize(
    ("value", "pointer", "place"),
    [
        (SET, "/eval_cases/0/conversation/1/rubrics/0", "a › turn 2"),
        (SET, "/eval_cases/1/eval_id", "case 2"),
        (SET, "/name", "the set"),
        (SET, "", "the set"),
        (LIST, "/0/data/0/query", "a › turn 1"),
        (LIST[0]["data"], "/0/query", "turn 1"),
        (EVALUATION, "/golden/turns/1/steps/0", "b › turn 2"),
        ([EVALUATION], "/0/golden/turns/0", "b › turn 1"),
        (SET, "/eval_cases/0/conversation/0/intermediate_data/tool_uses/0/args/data/0", "a › turn 1"),
        (DATASET, "/eval_cases/0/agent_data/turns/0/events/0", "c › turn 1"),
        ({"conversations": [{"conversation": "d", "turns": [{}]}]}, "/conversations/0/turns/0", "d › turn 1"),
    ],
)
def test_a_place_is_named_by_its_case_and_turn(value: Any, pointer: str, place: str) -> None:
    assert str(place_in(read_document(json.dumps(value).encode()), pointer)) == place

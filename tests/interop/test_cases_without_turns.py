"""Cases in which evaltui finds no turns: refused if they are all of another tool, else reported."""

from typing import Any

import pytest

from evaltui.interop.conversion import Conversion
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError
from evaltui.interop.portable_set import FormatType
from evaltui.interop.trpc_agent_go import TRPC_AGENT_GO
from tests.interop.completeness import converted

ASKED = {"role": "user", "content": "Will it rain?"}
TURN = {"user_content": {"role": "user", "parts": [{"text": "hi"}]}}


@pytest.mark.parametrize(
    ("source", "value", "keys"),
    [
        (EVAL_SET, [{"id": "rain", "session_input": {"messages": [ASKED]}}], "id, session_input"),
        (EVAL_SET, {"eval_cases": [{"name": "rain", "messages": [ASKED]}]}, "name, messages"),
        (EVAL_SET, {"eval_cases": [{"input": "a", "expected_output": "b"}] * 2}, "input, expected_output"),
        (TRPC_AGENT_GO, {"evalCases": [{"name": "a", "userMessage": "b", "expectedToolCalls": ["c"]}]}, "name, userMe"),
        (
            EVALUATION_DATASET,
            {"eval_cases": [{"question": "a", "ground_truth": "b\x1b[31m"}]},
            "question, ground_truth",
        ),
    ],
)
@pytest.mark.parametrize("target", [EVAL_SET, EVALUATION_DATASET], ids=lambda item: item.option)
def test_cases_of_another_tool_are_refused_with_their_keys(
    source: FormatType, value: Any, keys: str, target: FormatType
) -> None:
    with pytest.raises(ConversionError, match=f"^no case has a conversation.*The keys of the first case: {keys}"):
        converted(value, source, target)


def lost(conversion: Conversion) -> list[str]:
    return [item.pointer for item in conversion.losses if item.kind == "no_place"]


@pytest.mark.parametrize("target", [EVAL_SET, EVALUATION_DATASET], ids=lambda item: item.option)
def test_single_cases_without_turns_are_lost_with_the_reason(target: FormatType) -> None:
    cases = [{"eval_id": "a", "conversation": [TURN]}, {"eval_id": "b", "messages": [ASKED]}]
    made = converted({"eval_set_id": "s", "eval_cases": cases}, EVAL_SET, target)
    (loss,) = [item for item in made.losses if item.pointer.startswith("/eval_cases/1")]
    assert (loss.pointer, loss.kind) == ("/eval_cases/1", "no_place")
    assert loss.reason.endswith("so evaltui finds no turns in it")


def test_a_set_whose_cases_have_ids_is_converted_and_its_cases_are_reported() -> None:
    cases = [{"eval_id": "a", "messages": [ASKED]}]
    assert lost(converted({"eval_set_id": "s", "eval_cases": cases}, EVAL_SET, EVAL_SET)) == ["/eval_cases/0"]


@pytest.mark.parametrize(
    "case", [{"eval_id": "a"}, {"eval_id": "a", "conversation": [], "note": "n"}, {"conversation": []}]
)
def test_cases_with_an_id_alone_or_an_empty_conversation_are_as_they_are(case: dict[str, Any]) -> None:
    made = converted({"eval_set_id": "s", "eval_cases": [case]}, EVAL_SET, EVAL_SET)
    assert lost(made) == []


def test_a_key_with_a_value_of_another_kind_is_a_loss_of_its_own() -> None:
    value = {"eval_set_id": "s", "eval_cases": [{"conversation": "some text", "note": "n"}]}
    assert lost(converted(value, EVAL_SET, EVAL_SET)) == ["/eval_cases/0/conversation"]

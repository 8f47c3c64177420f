"""What is said to a file that is no eval set."""

import json
from pathlib import Path
from typing import get_args

import pytest

from evaltui.document.document import Document
from evaltui.evalset.file_formats import Format, kind_of
from evaltui.scoring.eval_config import config_in
from evaltui.validation.file_check import check_format, check_yaml
from evaltui.validation.rule_types import Rule
from evaltui.validation.rules.other_formats import check_as_set
from evaltui.validation.rules.rule_registry import TOPICS


@pytest.mark.parametrize("rule", TOPICS["Other formats"], ids=lambda rule: rule.code)
def test_the_bad_example_raises_just_that_rule_and_the_good_one_none(rule: Rule) -> None:
    bad, good = Document(rule.bad.text.encode()), Document(rule.good.text.encode())
    (found,) = check_yaml(bad, "-") or check_as_set(kind_of(bad.root, "-"))
    assert (found.code, found.severity, found.pointer) == (rule.code, _severity(kind_of(bad.root, "-")), "")
    assert found.message.startswith("google-adk rejects this: ")
    assert check_as_set(kind_of(good.root, "-")) == []


@pytest.mark.parametrize("found", [found for found in get_args(Format) if found != "eval_set"])
def test_no_format_but_an_eval_set_passes_for_one(found: Format) -> None:
    assert [each.severity for each in check_as_set(found)] == [_severity(found)]


def _severity(found: str) -> str:
    """A dataset has readers of its own, which accept it."""
    return "warning" if found == "evaluation_dataset" else "error"


def test_a_format_that_has_no_sentence_of_its_own_is_no_eval_set() -> None:
    assert [each.code for each in check_as_set("runs of tomorrow")] == ["no-eval-set"]


TURN = {"query": "Hi", "expected_tool_use": [], "reference": "Hello"}
CALL = {"tool_name": "book", "tool_input": {}}
CASE = {"name": "a", "data": [TURN]}


def said_of(value: object, config: str = "") -> str:
    """The words about the programs that read a file, given the config beside it."""
    document = Document(json.dumps(value).encode())
    loaded = config_in(config.encode(), Path("test_config.json")) if config else None
    (found,) = check_format(document, kind_of(document.root, "old.test.json"), loaded)
    return found.message.rpartition("; ")[2]


@pytest.mark.parametrize(
    "turns",
    [
        [TURN],
        [TURN, {"query": None}],
        [{**TURN, "expected_tool_use": [CALL, {"tool_name": None, "tool_input": None, "mock_tool_output": 1}]}],
        [{**TURN, "reference": None, "expected_intermediate_agent_responses": [{"author": "a", "text": "b"}]}],
    ],
)
def test_agent_evaluator_reads_a_list_of_turns(turns: object) -> None:
    assert said_of(turns) == "only AgentEvaluator reads it"


@pytest.mark.parametrize(
    ("turns", "fault"),
    [
        ([{"query": "Hi", "expected_keywords": ["x"]}], "the first turn has no expected_tool_use and no reference"),
        ([{"query": "Hi", "expected_tool_use": []}], "the first turn has no reference"),
        ([{"reference": "x", "expected_tool_use": []}, TURN], "the first turn has no query"),
        ([TURN, {"reference": "x"}], "turn 2 has no query"),
        ([TURN, "Hi"], "an item of the list is not an object"),
        ([{**TURN, "query": 5}], "query of turn 1 is not a string"),
        ([{**TURN, "reference": ["a"]}], "reference of turn 1 is not a string"),
        ([{**TURN, "expected_tool_use": None}], "expected_tool_use of turn 1 is not a list"),
        ([{**TURN, "expected_tool_use": ["book"]}], "an item of expected_tool_use in turn 1 has no valid tool_name"),
        (
            [{**TURN, "expected_tool_use": [{"tool_name": "book"}]}],
            "an item of expected_tool_use in turn 1 has no valid tool_input",
        ),
        (
            [TURN, {**TURN, "expected_intermediate_agent_responses": ["Wait"]}],
            "an item of expected_intermediate_agent_responses in turn 2 has no valid author",
        ),
    ],
)
def test_agent_evaluator_refuses_other_lists_of_turns(turns: object, fault: str) -> None:
    assert said_of(turns) == f"AgentEvaluator refuses it, too: {fault}"


def test_what_agent_evaluator_needs_depends_on_the_config() -> None:
    query = [{"query": "Hi"}]
    assert said_of(query, '{"criteria": {"safety_v1": 0.8}}') == "only AgentEvaluator reads it"
    fault = said_of(query, '{"criteria": {"response_match_score": 0.8}}')
    assert fault == "AgentEvaluator refuses it, too: the first turn has no reference"
    fault = said_of([TURN], '{"criteria": {"final_response_match_v2": 0.8}}')
    assert fault == "AgentEvaluator refuses it, too: for such a list, it allows no metric final_response_match_v2"


@pytest.mark.parametrize(
    ("cases", "said"),
    [
        ([CASE], "only adk eval still converts it"),
        ([{**CASE, "initial_session": {}}], "only adk eval still converts it"),
        ([{"data": [TURN]}], "adk eval refuses it, too: case 1 has no name"),
        ([CASE, {"name": 5, "data": [TURN]}], "adk eval refuses it, too: the name of case 2 is not a string"),
        ([CASE, {"name": "b", "data": {}}], "adk eval refuses it, too: data of case 2 is not a list"),
        ([{**CASE, "data": [{}]}], "adk eval refuses it, too: turn 1 has no query (case 1)"),
        ([{**CASE, "data": ["Hi"]}], "adk eval refuses it, too: a turn of case 1 is not an object"),
        ([CASE, "b"], "adk eval refuses it, too: case 2 is not an object"),
        ([{**CASE, "initial_session": None}], "adk eval refuses it, too: initial_session of case 1 is not an object"),
    ],
)
def test_adk_eval_converts_a_list_of_cases_or_the_reason_is_said(cases: object, said: str) -> None:
    assert said_of(cases) == said

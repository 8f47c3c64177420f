"""Legacy lists that the programs for them refuse: what google-adk 2.13 needs before it converts such a list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from evaltui.document.node import Node
from evaltui.printable import one_line

_NEEDED = {
    "tool_trajectory_avg_score": ("query", "expected_tool_use"),
    "response_evaluation_score": ("query",),
    "response_match_score": ("query", "reference"),
    "safety_v1": (),
}
"""The metrics that AgentEvaluator allows for a list of turns, and the keys that each needs in the first turn."""
DEFAULT_METRICS = ("tool_trajectory_avg_score", "response_match_score")
"""The metrics without a config (`get_evaluation_criteria_or_default` of google.adk.evaluation.eval_config)."""
_TEXT, _OBJECT = ("string", "null"), ("object", "null")


def fault_of_turns(root: Node, metrics: Sequence[str] = DEFAULT_METRICS) -> str:
    """Why AgentEvaluator refuses a list of turns with a config of these metrics, as a clause; "" if it reads the list.

    `_load_dataset` and `_validate_input` (google.adk.evaluation.agent_evaluator), then the conversion.
    """
    turns = root.items
    if any(turn.kind != "object" for turn in turns):
        return "an item of the list is not an object"
    if foreign := next((name for name in metrics if name not in _NEEDED), None):
        return f"for such a list, it allows no metric {one_line(foreign, 40)}"
    needed = dict.fromkeys(chain.from_iterable(_NEEDED[name] for name in metrics))
    if absent := [key for key in needed if turns and turns[0].member(key) is None]:
        return f"the first turn has no {' and no '.join(absent)}"
    return next(_faults_of_turns(turns), "")


def fault_of_cases(root: Node) -> str:
    """Why adk eval refuses a list of cases, as a clause; "" if it converts the list.

    `convert_eval_set_to_pydantic_schema` (google.adk.evaluation.local_eval_sets_manager).
    """
    return next(_faults_of_cases(root.items), "")


def _faults_of_cases(cases: Iterable[Node]) -> Iterator[str]:
    for number, case in enumerate(cases, 1):
        name, data, session = (case.member(key) for key in ("name", "data", "initial_session"))
        if case.kind != "object" or name is None or data is None:
            absent = " and no ".join(key for key, value in (("name", name), ("data", data)) if value is None)
            yield f"case {number} is not an object" if case.kind != "object" else f"case {number} has no {absent}"
            continue
        if name.kind != "string":
            yield f"the name of case {number} is not a string"
        if data.kind != "array":
            yield f"data of case {number} is not a list"
        elif any(turn.kind != "object" for turn in data.items):
            yield f"a turn of case {number} is not an object"
        if session is not None and session.kind != "object":
            yield f"initial_session of case {number} is not an object"
        yield from (f"{fault} (case {number})" for fault in _faults_of_turns(data.items))


def _faults_of_turns(turns: Iterable[Node]) -> Iterator[str]:
    """The faults for which the conversion refuses a turn (`_convert_invocation_to_pydantic_schema`)."""
    for number, turn in enumerate((turn for turn in turns if turn.kind == "object"), 1):
        query, reference = turn.member("query"), turn.member("reference")
        if query is None:
            yield f"turn {number} has no query"
        for key, value in (("query", query), ("reference", reference)):
            if value is not None and value.kind not in _TEXT:
                yield f"{key} of turn {number} is not a string"
        yield from _faults_of_list(turn, number, "expected_tool_use", {"tool_name": _TEXT, "tool_input": _OBJECT})
        texts = {"author": ("string",), "text": _TEXT}
        yield from _faults_of_list(turn, number, "expected_intermediate_agent_responses", texts)


def _faults_of_list(turn: Node, number: int, name: str, members: dict[str, tuple[str, ...]]) -> Iterator[str]:
    listed = turn.member(name)
    if listed is None:
        return
    if listed.kind != "array":
        yield f"{name} of turn {number} is not a list"
    for item in listed.items if listed.kind == "array" else ():
        for key, kinds in members.items():
            value = item.member(key)
            if value is None or value.kind not in kinds:
                yield f"an item of {name} in turn {number} has no valid {key}"

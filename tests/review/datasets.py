"""Datasets for tests of the review, made of what is said and done (see `reviews.py`)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.evalset import case_format
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.keys import camel
from evaltui.recordings.recording_file import open_recording
from evaltui.review.acceptance import Accepted, acceptance
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.scored_set import ScoredSet
from tests.read_sets import score_set
from tests.review.reviews import turns

DATASET = "desk.json"

styles = st.fixed_dictionaries(
    {"camel_keys": st.booleans(), "ids": st.booleans(), "indent": st.sampled_from([None, 1, 2]), "told": st.booleans()}
)
exchanges = st.tuples(st.none() | turns, turns)
"""What is expected, nothing for None, and what the agent did."""


def dataset(
    cases: Sequence[tuple[dict[str, Any] | None, dict[str, Any]]],
    *,
    camel_keys: bool = False,
    ids: bool = True,
    indent: int | None = 2,
    told: bool = True,
) -> bytes:
    """The text of a dataset that is its own recording; with `told`, behind turns that are given to the agent."""

    def key(name: str) -> str:
        return camel(name) if camel_keys else name

    def event(author: str, name: str, payload: Any, role: str) -> dict[str, Any]:
        return {"author": author, "content": {"parts": [{key(name): payload}], "role": role}}

    def events(turn: dict[str, Any]) -> list[dict[str, Any]]:
        found = []
        for number, call in enumerate(turn["calls"]):
            named = {"name": call["name"], **({"id": f"c{number}"} if ids else {})}
            args = {"args": call["args"]} if call["args"] is not None else {}
            found.append(event("desk", "function_call", named | args, "model"))
            if call["response"] is not None:
                found.append(event("desk", "function_response", named | {"response": call["response"]}, "user"))
        return found

    def case_of(number: int, expected: dict[str, Any] | None, actual: dict[str, Any]) -> dict[str, Any]:
        answer = {"parts": [{"text": actual["response"]}], "role": "model"}
        did = [*events(actual), event("desk", "text", actual["response"], "model")]
        case: dict[str, Any] = {key("eval_case_id"): f"case_{number}"}
        if told:
            asked = [event("user", "text", text, "user") for text in ("Hello", actual["user"])]
            given = {key("turn_index"): 0, "events": [asked[0], event("desk", "text", "Hi!", "model")]}
            case[key("agent_data")] = {"turns": [given, {key("turn_index"): 1, "events": [asked[1], *did]}]}
        else:
            case["prompt"] = {"parts": [{"text": actual["user"]}], "role": "user"}
            case[key("agent_data")] = {"turns": [{"events": did}]}
        case["responses"] = [{"response": answer}]
        if expected is not None:
            case[key("intermediate_events")] = events(expected)
            case["reference"] = {"response": {"parts": [{"text": expected["response"]}], "role": "model"}}
        return case

    listed = [case_of(number, *case) for number, case in enumerate(cases, 1)]
    return json.dumps({"eval_cases": listed}, indent=indent).encode() + b"\n"


def scored(data: bytes) -> ScoredSet:
    """A dataset scored against its own answers, with both offline metrics at threshold 1.0."""
    criteria = criteria_of(None, metrics=["tool_trajectory_avg_score=1.0", "response_match_score=1.0"])
    recording = open_recording(Path(DATASET), multi_turn=True, data=data)
    return score_set(set_of(root_of_file(data), data, Path(DATASET), DATASET), criteria, [recording])


def accepted(data: bytes, chosen: Iterable[Accepted]) -> bytes:
    """The dataset once these changes are accepted, as one step whose undo gives the dataset again."""
    document = Document(data, Path(DATASET))
    assert document.root is not None
    document.apply(acceptance(CaseFile(document.root, case_format.DATASET), chosen), "accept")
    changed = document.to_bytes()
    document.undo()
    assert document.to_bytes() == data
    return changed

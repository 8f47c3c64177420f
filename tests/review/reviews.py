"""Sets and recordings for tests of the review: in both shapes and key cases, scored, and changed by accepting."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.keys import camel
from evaltui.recordings.recording_file import open_recording
from evaltui.review.acceptance import Accepted, acceptance
from evaltui.review.review_items import Passing, ReviewItem, items_of_case
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from evaltui.scoring.scored_set import ScoredSet
from tests.read_sets import score_set

SET = "trips.evalset.json"

# --- what is said and done, in a form that both shapes are made from ---------------------------------------------

names = st.sampled_from(["search", "book", "send_email"])
keys = st.sampled_from(["to", "flight_id", "userId", "user_id", "X-Header", "a/b"])
scalars = st.one_of(
    st.integers(-5, 5), st.sampled_from([1.0, 1.5, True, None, "1", "", "née ☂", "line\nline"]), st.text(max_size=3)
)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=2)),
    max_leaves=4,
)
arguments = st.one_of(st.none(), st.dictionaries(keys, values, max_size=3))
calls = st.fixed_dictionaries({"name": names, "args": arguments, "response": st.sampled_from([None, {"ok": 1}])})
words = st.lists(st.sampled_from(["Booking", "confirmed", "for", "you", "東京", "ok."]), min_size=1, max_size=6)
texts = words.map(" ".join)
turns = st.fixed_dictionaries(
    {"user": st.sampled_from(["Hello", "Book it", "And back"]), "calls": st.lists(calls, max_size=5), "response": texts}
)


def eval_set(
    cases: Sequence[Sequence[dict[str, Any]]],
    *,
    events: bool = False,
    camel_keys: bool = False,
    ids: bool = True,
    indent: int | None = 2,
    lists_nothing: bool = True,
) -> bytes:
    """The text of a set. Without `lists_nothing`, a turn without calls has no intermediate data."""

    def part_of(name: str, call: dict[str, Any], number: int, value: dict[str, Any]) -> dict[str, Any]:
        found = {"name": call["name"], **({"id": f"c{number}"} if ids else {}), **value}
        return {key(name): found} if events else found

    def key(name: str) -> str:
        return camel(name) if camel_keys else name

    def data_of(turn: dict[str, Any]) -> dict[str, Any]:
        uses, responses, listed = [], [], []
        for number, call in enumerate(turn["calls"]):
            args = {"args": call["args"]} if call["args"] is not None else {}
            uses.append(part_of("function_call", call, number, args))
            listed.append({"author": "agent", "content": {"parts": [uses[-1]], "role": "model"}})
            if call["response"] is not None:
                responses.append(part_of("function_response", call, number, {"response": call["response"]}))
                listed.append({"author": "agent", "content": {"parts": [responses[-1]], "role": "user"}})
        if events:
            return {key("invocation_events"): listed}
        return {key("tool_uses"): uses, key("tool_responses"): responses}

    def turn_of(number: int, turn: dict[str, Any]) -> dict[str, Any]:
        made = {
            key("invocation_id"): f"t{number}",
            key("user_content"): {"parts": [{"text": turn["user"]}], "role": "user"},
        }
        if turn["response"] is not None:
            made[key("final_response")] = {"parts": [{"text": turn["response"]}], "role": "model"}
        if turn["calls"] or lists_nothing:
            made[key("intermediate_data")] = data_of(turn)
        return made

    listed = [
        {key("eval_id"): f"case_{number}", "conversation": [turn_of(at, turn) for at, turn in enumerate(case, 1)]}
        for number, case in enumerate(cases, 1)
    ]
    return json.dumps({"eval_set_id": "trips", "eval_cases": listed}, indent=indent).encode() + b"\n"


# --- scored and accepted -------------------------------------------------------------------------------------------


def scored(expected: bytes, actual: bytes) -> ScoredSet:
    """A set scored against another set, with both offline metrics at threshold 1.0."""
    criteria = criteria_of(None, metrics=["tool_trajectory_avg_score=1.0", "response_match_score=1.0"])
    recording = open_recording(Path("actual.evalset.json"), multi_turn=True, data=actual)
    return score_set(set_of(root_of_file(expected), expected, Path(SET), SET), criteria, [recording])


def items(expected: bytes, actual: bytes, *, passing: bool = False) -> list[ReviewItem]:
    """The items of a review of one set against another."""
    return items_of(scored(expected, actual), "differing" if passing else "left out")


def items_of(run: ScoredSet, passing: Passing = "left out") -> list[ReviewItem]:
    """The items of a scored set, in its order."""
    cases = {case.number: case for case in run.subject.cases}
    return [item for result in run.cases for item in items_of_case(cases[result.number], result, run.criteria, passing)]


def accepted(expected: bytes, chosen: Iterable[Accepted]) -> bytes:
    """The set once these changes are accepted, as one step whose undo gives the set again."""
    document = Document(expected, Path(SET))
    assert document.root is not None
    document.apply(acceptance(CaseFile(document.root, EVAL_SET), chosen), "accept")
    data = document.to_bytes()
    document.undo()
    assert document.to_bytes() == expected
    return data


def all_of(found: Iterable[ReviewItem]) -> list[Accepted]:
    """All changes of these items."""
    return [(item, item.changes) for item in found]

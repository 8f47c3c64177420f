"""Turns, conversations and criteria for tests, and values of JSON for hypothesis."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from evaltui.evalset.turn import Turn, TurnCall
from evaltui.recordings.conversation import Conversation
from evaltui.scoring.case_scores import explain, score_case
from evaltui.scoring.criteria import Criteria, criteria_of
from evaltui.scoring.eval_config import config_of
from evaltui.scoring.results import CaseRun

DATA = Path(__file__).parent.parent / "data"
VECTORS: list[dict[str, Any]] = json.loads((DATA / "score_vectors.json").read_bytes())["vectors"]


def call(name: str, **args: Any) -> TurnCall:
    return TurnCall(name, args)


def turn(*calls: TurnCall, response: str = "ok") -> Turn:
    return Turn("What do you do?", calls, response)


def conversation(*turns: Turn, **members: Any) -> Conversation:
    return Conversation(Path("trace.json"), "3f2a", turns, **members)


def criteria(given: dict[str, Any] | None = None, **overrides: Any) -> Criteria:
    """The criteria of a config with these criteria, or google-adk's where there are none."""
    config = None if given is None else config_of({"criteria": given}, Path("test_config.json"))
    return criteria_of(config, **overrides)


def scored(expected: Turn | list[Turn], actual: Turn | list[Turn], asked: Criteria | None = None) -> CaseRun:
    ours, theirs = ([each] if isinstance(each, Turn) else each for each in (expected, actual))
    return score_case(ours, conversation(*theirs), "only_one", asked or criteria())


def sentences(run: CaseRun, asked: Criteria) -> str:
    """The sentences on the failing turn with the least score."""
    failing = [(metric, each) for each in run.turns for metric in each.metrics if metric.status == "failed"]
    metric, found = min(failing, key=lambda each: each[0].score or 0.0)
    explained = explain(found, metric.name, asked)
    assert explained is not None
    return "; ".join(explained.sentences)


numbers = st.sampled_from([0, 1, 2, True, False, 0.0, 1.0, -1, 0.1, float("nan"), float("inf"), 2**60, 2.0**60])
scalars = st.one_of(st.none(), numbers, st.sampled_from(["", "1", "a", "true", "é"]))
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "/~"]), inner, max_size=3),
    max_leaves=5,
)
arguments = st.none() | st.dictionaries(st.sampled_from(["x", "y", ""]), values, max_size=2)


def called(name: str | None, args: dict[str, Any] | None) -> TurnCall:
    return TurnCall(name, args)


calls = st.builds(called, st.sampled_from(["find", "book", None]), arguments)
similar_calls = st.builds(
    called, st.sampled_from(["find", "book"]), st.none() | st.fixed_dictionaries({"x": st.sampled_from([0, 1, True])})
)
call_lists = st.lists(st.one_of(calls, similar_calls), max_size=6)

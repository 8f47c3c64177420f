"""Values of a wrong type, or that are wrong themselves: each public parameter refuses them by its name."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evaltui.api import (
    EvaltuiError,
    criteria,
    read_eval_set,
    read_recordings,
    review,
    score,
    validate,
    validate_files,
)

TRIPS, RUN = "trips.evalset.json", "run.json"
pytestmark = pytest.mark.usefixtures("trips")

Call = Callable[[Any], object]
PATHS: dict[str, Call] = {
    "read_eval_set path": read_eval_set,
    "read_recordings paths": read_recordings,
    "criteria config": criteria,
    "score eval_set": score,
    "score recordings": lambda value: score(TRIPS, value),
    "review eval_set": review,
    "review recordings": lambda value: review(TRIPS, value),
    "validate path": validate,
    "validate config": lambda value: validate(TRIPS, config=value),
    "validate_files path": validate_files,
    "validate_files config": lambda value: validate_files(TRIPS, config=value),
}
OTHERS: dict[str, Call] = {
    "criteria metrics": lambda value: criteria(None, value),
    "criteria match_type": lambda value: criteria(match_type=value),
    "criteria ignore_args": lambda value: criteria(ignore_args=value),
    "criteria profile": lambda value: criteria(profile=value),
    "criteria safety_v1": lambda value: criteria(safety_v1=value),
    "score criteria": lambda value: score(TRIPS, RUN, value),
    "score runs": lambda value: score(TRIPS, RUN, runs=value),
    "review criteria": lambda value: review(TRIPS, RUN, value),
    "review passing": lambda value: review(TRIPS, RUN, passing=value),
    "validate select": lambda value: validate(TRIPS, select=value),
    "validate ignore": lambda value: validate(TRIPS, ignore=value),
}


class OtherPath:
    """A path that is no text."""

    def __fspath__(self) -> bytes:
        return b"trips.evalset.json"


class NewPath(type(Path())):  # type: ignore[misc]
    """A subclass of `Path`."""


WRONG: list[Any] = [
    *(3, 1.5, object(), b"run.json", bytearray(b"run.json"), OtherPath(), [3], [None], [b"run.json"], [["run.json"]]),
    *("", "-", "a\0b", "\ud800", ["a\0b"], ["\ud800"], [""], "x" * 100_000, ["x" * 100_000]),
]
WRONG_OTHERS: list[Any] = [3j, object(), b"EXACT", "a\0b", "\ud800", "x" * 100_000, 10**400, {3: 1}, [3]]


@pytest.mark.parametrize("name", PATHS)
def test_a_wrong_path_is_refused_with_the_name_of_its_parameter(name: str) -> None:
    for value in WRONG:
        refuses(PATHS[name], value, name.split()[1])


@pytest.mark.parametrize("name", OTHERS)
def test_another_wrong_value_is_refused_with_the_name_of_its_parameter(name: str) -> None:
    for value in WRONG_OTHERS:
        refuses(OTHERS[name], value, name.split()[1])


def refuses(call: Call, value: object, parameter: str) -> None:
    with pytest.raises((EvaltuiError, TypeError)) as refused:
        call(value)
    said = str(refused.value)
    assert parameter in said
    assert said.isprintable() and len(said) < 1000


@pytest.mark.parametrize("call", [read_eval_set, read_recordings, score, validate])
def test_any_path_is_taken(call: Call) -> None:
    call(NewPath(TRIPS))
    call(os.fspath(Path(TRIPS).absolute()))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: criteria(tool=1.0), "metric tool: there is no such metric; did you mean tool_trajectory_avg_score?"),
        (lambda: criteria(safety_v1="x"), "safety_v1 must be a number or None, not str"),
        (lambda: criteria(safety_v1=True), "safety_v1 must be a number or None, not bool"),
        (lambda: criteria(safety_v1=float("inf")), "safety_v1: the threshold inf is not a finite number"),
        (lambda: criteria(None, {"a=b": 1}), "metrics: a=b is not the name of a metric"),
        (
            lambda: criteria(match_type="any"),
            "match_type any: there is no such match type; use EXACT, IN_ORDER, ANY_ORDER",
        ),
        (lambda: criteria(profile="adk_rs"), "profile adk_rs: there is no such profile; did you mean adk-rs?"),
        (lambda: criteria(profile=None), "profile None: there is no such profile; use adk or adk-rs"),
        (
            lambda: criteria(profile="adk-rs", ignore_args=True),
            "match_type and ignore_args do not work with profile adk-rs, which always compares call by call",
        ),
        (lambda: criteria(ignore_args=1), "ignore_args must be True or False, not int"),
        (lambda: score(TRIPS, RUN, {"safety_v1": 1}), "criteria must be the result of criteria(), or None, not dict"),
        (lambda: score(TRIPS, RUN, runs="first"), "runs first: there is no such choice; use latest or all"),
        (lambda: score(TRIPS, 3), "recordings must be a path or several paths (str or os.PathLike[str]), not int"),
        (lambda: validate(TRIPS, select=["spell"]), 'select: there is no rule or group "spell"; `evaltui rule` lists'),
        (lambda: validate(TRIPS, ignore=3), "ignore must be a str or a list of str, not int"),
    ],
)
def test_messages_name_parameters_and_what_they_take(call: Callable[[], object], said: str) -> None:
    with pytest.raises((EvaltuiError, TypeError)) as refused:
        call()
    assert str(refused.value).startswith(said)

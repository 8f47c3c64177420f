"""Finds values of a dataset case that cannot be read. They count as absent, so they must be reported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from evaltui.evalset.case_data import get
from evaltui.evalset.turn import UnreadError, check_content, check_object, list_items


def unread_in_answers(case: Any) -> str | None:
    """A sentence about the first unreadable value that tells what an agent did; None if there is none."""
    return _said(_check_answers, case)


def unread_in_expectations(case: Any) -> str | None:
    """A sentence about the first unreadable value that tells what is asked or expected; None if there is none."""
    return _said(_check_expectations, case)


def _said(check: Callable[[Any], object], case: Any) -> str | None:
    try:
        check(case)
    except UnreadError as error:
        return str(error)
    return None


def _check_answers(case: Any) -> None:
    _check_turns(case)
    for name in ("conversation_history", "intermediate_events"):
        _check_contents(get(case, name), name, "content")
    _check_contents(get(case, "responses"), "responses", "response")


def _check_expectations(case: Any) -> None:
    _check_text_or_content(get(case, "prompt"), "prompt")
    for name in ("conversation_history", "intermediate_events"):
        _check_contents(get(case, name), name, "content")
    if (data := get(case, "agent_data")) is not None:
        check_object(data, "agent_data")
        _check_turns(case)
    if (reference := get(case, "reference")) is not None:
        check_object(reference, "reference")
        _check_text_or_content(get(reference, "response"), "reference/response")


def _check_turns(case: Any) -> None:
    for at, turn in list_items(get(get(case, "agent_data"), "turns"), "agent_data/turns"):
        check_object(turn, at)
        _check_contents(get(turn, "events"), f"{at}/events", "content")


def _check_contents(values: Any, place: str, name: str) -> None:
    for at, value in list_items(values, place):
        check_object(value, at)
        _check_text_or_content(get(value, name), f"{at}/{name}")


def _check_text_or_content(content: Any, place: str) -> None:
    if not isinstance(content, str):
        check_content(content, place)

"""Losses in groups and places in sources, and the words for them on screen and in reports."""

from __future__ import annotations

import json
from typing import Any

import pytest

from evaltui.document.node import read_document
from evaltui.interop.fields import LossKind, SetField
from evaltui.interop.loss_counts import (
    counted_losses,
    counted_subject,
    grouped,
    key_of_loss,
    losses_in_short,
    place_text,
    subject_of,
)
from evaltui.interop.losses import Loss

SET: Any = {"eval_cases": [{"eval_id": "a", "conversation": [{}, {"rubrics": []}]}, {}]}
LIST: Any = [{"name": "a", "data": [{"query": "x"}]}]
EVALUATION: Any = {"displayName": "b", "golden": {"turns": [{}, {}]}}
DATASET: Any = {"eval_cases": [{"eval_case_id": "c", "agent_data": {"turns": [{"events": [{}]}]}}]}


def loss(pointer: str, kind: LossKind = "no_place", reason: str = "why", field: SetField | None = None) -> Loss:
    return Loss(pointer, kind, 1, reason, "do this", field)


def test_losses_of_one_kind_and_reason_are_one_group() -> None:
    losses = [loss("/a/x"), loss("/b", "changed"), loss("/c/x"), loss("/d", reason="other"), loss("/a/y/0")]
    groups = grouped(losses)
    assert [(group[0].kind, group[0].reason, len(group)) for group in groups] == [
        ("no_place", "why", 3),
        ("changed", "why", 1),
        ("no_place", "other", 1),
    ]
    assert subject_of(groups[0]) == "x, y"
    assert [counted_subject(group) for group in groups] == ["x, y (3 values)", "b", "d"]


def test_a_group_names_its_first_fields() -> None:
    losses = [loss("/0", field=field) for field in list(SetField)[:5]]
    (group,) = grouped(losses)
    assert subject_of(group) == ", ".join(field.value for field in list(SetField)[:3]) + " …"
    assert counted_subject(group) == f"{subject_of(group)} (5 values)"


def test_the_key_of_a_loss_is_the_nearest_one_and_safe_to_show() -> None:
    assert key_of_loss(loss("/eval_cases/0/rubrics/3")) == "rubrics"
    assert key_of_loss(loss("")) == ""
    assert "\x1b" not in key_of_loss(loss("/\x1b[2J"))


def test_a_case_or_turn_that_is_lost_as_a_whole_is_said_to_be_one() -> None:
    cases = [loss("/eval_cases/0"), loss("/eval_cases/11")]
    assert [counted_subject(group) for group in grouped(cases)] == ["2 whole cases"]
    assert [counted_subject(group) for group in grouped(cases[:1])] == ["a whole case"]
    assert [counted_subject(group) for group in grouped([loss("/evals/0/turns/3")])] == ["a whole turn"]
    assert losses_in_short(cases) == "2 lost: a whole case"
    assert key_of_loss(cases[0]) == ""
    (mixed,) = grouped([*cases, loss("/eval_cases/2/rubrics")])
    assert counted_subject(mixed) == "a whole case, rubrics (3 values)"


def test_a_rubric_and_a_tool_response_are_one_each_whatever_is_lost_of_them() -> None:
    rubrics = [
        loss(f"/eval_cases/0/rubrics/{number}/{key}", field=SetField.CASE_RUBRICS)
        for number in range(2)
        for key in ("rubric_id", "type")
    ]
    (group,) = grouped(rubrics)
    assert counted_subject(group) == "2 rubrics of cases"
    assert counted_subject(grouped(rubrics[:2])[0]) == "rubrics of a case"
    call = "/eval_cases/0/conversation/0/intermediate_data/tool_responses/3"
    responses = [loss(f"{call}/{key}", "changed", field=SetField.TOOL_RESPONSE) for key in ("name", "response")]
    assert counted_losses([*rubrics, *responses, loss("/name")]) == "3 lost, 1 changed"
    (both,) = grouped([*rubrics, loss("/eval_cases/1/conversation/0/rubrics/0", field=SetField.TURN_RUBRICS)])
    assert counted_subject(both) == "rubrics of a case, rubrics of a turn (3 rubrics)"
    (mixed,) = grouped([*rubrics, loss("/name"), loss("/name")])
    assert counted_subject(mixed) == "rubrics of a case, name (4 values)"  # the names are of two files


def test_losses_are_counted_by_kind_and_added_values_are_none() -> None:
    assert counted_losses([]) == "nothing is lost"
    assert counted_losses([loss("/a", "invented")]) == "nothing is lost, 1 added"
    both = [loss("/a", "invented"), loss("/b"), loss("/c"), loss("/d", "changed")]
    assert counted_losses(both) == "2 lost, 1 changed, 1 added"


def test_in_short_the_first_fields_are_named() -> None:
    assert losses_in_short([loss("/a", "invented")]) == ""
    losses = [loss("/a"), loss("/b", field=SetField.RECORDED), loss("/c"), loss("/d"), loss("/e")]
    assert losses_in_short(losses) == "5 lost: a, recorded responses, c, 2 more"


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
    assert place_text(read_document(json.dumps(value).encode()), pointer) == place

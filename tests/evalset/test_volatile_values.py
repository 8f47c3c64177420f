"""Values in arguments that will be others next time."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltui.evalset.volatile_values import volatile_values, without_values

UUID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427"
AT = 1_790_000_000.0


def turn(text: str, *calls: tuple[dict[str, Any], dict[str, Any]], at: float = AT) -> dict[str, Any]:
    uses = [{"name": f"f{n}", "id": f"c{n}", "args": args} for n, (args, _) in enumerate(calls)]
    responses = [{"name": f"f{n}", "id": f"c{n}", "response": response} for n, (_, response) in enumerate(calls)]
    data = {"tool_uses": uses, "tool_responses": responses}
    return {"user_content": {"parts": [{"text": text}]}, "intermediate_data": data, "creation_timestamp": at}


def kinds(*invocations: dict[str, Any]) -> list[tuple[int, int, tuple[str | int, ...], str]]:
    return [(each.turn, each.call, each.path, each.kind) for each in volatile_values(invocations)]


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("2026-11-20", "date"),
        ("2026-11-20T13:06:00Z", "date"),
        ("2026-11-20 13:06:00.25+02:00", "date"),
        (int(AT) + 3600, "date"),
        (AT * 1000, "date"),
        (UUID, "uuid"),
        (f"adk-{UUID}", "uuid"),
        (UUID.replace("-", ""), "uuid"),
        ("2026-13-40", None),
        ("on 2026-11-20", None),
        ("13:06", None),
        (20261120, None),
        (AT + 1e9, None),
        (True, None),
        ("Lisbon", None),
        ("LH404", None),
        (None, None),
    ],
)
def test_dates_and_uuids_are_volatile(value: object, kind: str | None) -> None:
    found = kinds(turn("tomorrow", ({"a": [{"b": value}]}, {})))
    assert found == ([(0, 0, ("a", 0, "b"), kind)] if kind else [])


def test_nothing_that_the_user_said_is_volatile() -> None:
    asked = turn(f"On 2026-11-20, order {UUID.upper()}", ({"date": "2026-11-20", "order": UUID}, {}))
    assert kinds(asked, turn("Again", ({"date": "2026-11-20"}, {}))) == []


def test_an_id_that_an_earlier_response_brought_is_volatile() -> None:
    first = turn("Find", ({"to": "YUL4"}, {"flights": [{"id": "LH-404", "to": "Montreal", "n": "12"}]}))
    then = turn("Book", ({"flight": "LH-404", "to": "Montreal", "n": "12", "other": "LH-405"}, {}))
    assert kinds(first, then) == [(1, 0, ("flight",), "from_response")]
    assert kinds(then, first) == []


def test_within_a_turn_only_responses_before_the_call_count() -> None:
    found, used = {"ref": "K7-99"}, {"ref": "K7-99"}
    assert kinds(turn("x", ({}, found), (used, {}))) == [(0, 1, ("ref",), "from_response")]
    assert kinds(turn("x", (used, found))) == []
    call = {"function_call": {"name": "f", "args": used}}
    response = {"function_response": {"name": "g", "response": found}}
    for parts, expected in (([response, call], 1), ([call, response], 0)):
        events = [{"author": "a", "content": {"parts": parts}}]
        value = {"userContent": {"parts": []}, "intermediateData": {"invocationEvents": events}}
        assert len(kinds(value)) == expected


def test_values_are_left_out_of_copies() -> None:
    value = turn("x", ({"days": ["2026-11-20", "keep", "2026-11-21"], "when": "2026-11-22", "n": 1}, {}))
    (made,) = without_values([value], volatile_values([value]))
    assert made["intermediate_data"]["tool_uses"][0]["args"] == {"days": ["keep"], "n": 1}
    assert value["intermediate_data"]["tool_uses"][0]["args"]["when"] == "2026-11-22"


_LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.sampled_from(["2026-11-20", UUID, "K7-99", AT])
)
_VALUES = st.recursive(
    _LEAVES, lambda inner: st.lists(inner, max_size=15) | st.dictionaries(st.text(), inner, max_size=4)
)
_CALLS = st.lists(st.tuples(st.dictionaries(st.text(), _VALUES, max_size=4), st.just({"ref": "K7-99"})), max_size=3)


@given(st.lists(_CALLS, max_size=3))
def test_each_value_stands_at_its_path_and_nothing_else_goes(calls: list[Any]) -> None:
    invocations = [turn("Hello", *each) for each in calls]
    found = volatile_values(invocations)
    for each in found:
        at: Any = invocations[each.turn]["intermediate_data"]["tool_uses"][each.call]["args"]
        for step in each.path:
            at = at[step]
        assert str(at) == each.text
    assert len(set(found)) == len(found)
    made = without_values(invocations, found)
    assert volatile_values(made) == []
    assert without_values(invocations, []) == invocations

    def leaves(value: Any) -> int:
        if isinstance(value, dict | list):
            return sum(map(leaves, value.values() if isinstance(value, dict) else value))
        return 1

    assert leaves(made) == leaves(invocations) - len(found)


@given(_VALUES)
def test_values_of_any_kind_are_read(value: Any) -> None:
    assert volatile_values([{"user_content": value, "intermediate_data": value, "creation_timestamp": value}]) == []

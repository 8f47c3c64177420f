"""Whatever is expected and recorded: all changes together make the metrics 1.0, and any of them does only its own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.evalset.call_views import expected_uses
from evaltui.scoring.results import CaseResult
from tests.review.reviews import accepted, all_of, eval_set, items, scored, turns

cases = st.lists(turns, min_size=1, max_size=3)
styles = st.fixed_dictionaries(
    {
        "events": st.booleans(),
        "camel_keys": st.booleans(),
        "ids": st.booleans(),
        "indent": st.sampled_from([None, 2]),
        "lists_nothing": st.booleans(),
    }
)
whole = styles.map(lambda style: style | {"lists_nothing": True})
"""Styles of sets that state the calls of each turn, as a recording needs it."""


def _is_right(case: CaseResult) -> bool:
    return case.status == "passed" and all(each.score == 1.0 for each in case.metrics if each.threshold is not None)


@given(cases, cases, styles, whole)
def test_all_changes_make_both_offline_metrics_one(
    expected: list[dict[str, Any]], actual: list[dict[str, Any]], style: dict[str, Any], other: dict[str, Any]
) -> None:
    ours, theirs = eval_set([expected], **style), eval_set([actual], **other)
    after = accepted(ours, all_of(items(ours, theirs, passing=True)))
    assert all(map(_is_right, scored(after, theirs).cases))
    assert items(after, theirs) == []


@given(turns, turns, styles, whole, st.randoms())
def test_changes_one_by_one_in_any_order_lead_to_the_recorded_turn(
    expected: dict[str, Any], actual: dict[str, Any], style: dict[str, Any], other: dict[str, Any], random: Any
) -> None:
    ours, theirs = eval_set([[expected]], **style), eval_set([[actual]], **other)
    while found := items(ours, theirs, passing=True):
        ours = accepted(ours, [(found[0], [random.choice(found[0].changes)])])
    assert all(map(_is_right, scored(ours, theirs).cases))


@given(turns, turns, styles, whole, st.randoms())
def test_a_subset_gives_the_same_whatever_its_order_and_leaves_the_other_changes(
    expected: dict[str, Any], actual: dict[str, Any], style: dict[str, Any], other: dict[str, Any], random: Any
) -> None:
    ours, theirs = eval_set([[expected]], **style), eval_set([[actual]], **other)
    found = items(ours, theirs, passing=True)
    if not found:
        return
    item = found[0]
    chosen = [change for change in item.changes if random.random() < 0.5]
    shuffled = random.sample(chosen, len(chosen))
    after = accepted(ours, [(item, chosen)])
    assert accepted(ours, [(item, shuffled)]) == after


@given(turns, turns, styles, whole, st.randoms())
def test_a_subset_does_just_that_and_the_ids_of_all_others_stay(
    expected: dict[str, Any], actual: dict[str, Any], style: dict[str, Any], other: dict[str, Any], random: Any
) -> None:
    """Of tools that are called once: several calls of one tool may be paired otherwise once one of them is another.

    Of calls in another order, others can be those that move once some of them are equal.
    """
    expected, actual = ({**turn, "calls": _once(turn["calls"])} for turn in (expected, actual))
    ours, theirs = eval_set([[expected]], **style), eval_set([[actual]], **other)
    before = {change.id: (item, change) for item in items(ours, theirs, passing=True) for change in item.changes}
    chosen = {identifier for identifier in before if random.random() < 0.5}
    if not chosen:
        return
    (item, _), *_ = before.values()
    after = accepted(ours, [(item, [before[identifier][1] for identifier in chosen])])
    left = items(after, theirs, passing=True)
    assert _in_place(change.id for item in left for change in item.changes) == _in_place(before.keys() - chosen)
    finished = accepted(after, [(item, item.changes) for item in left])
    assert not any(item.changes for item in items(finished, theirs, passing=True))


def _once(calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({call["name"]: call for call in calls}.values())


def _in_place(ids: Iterable[str]) -> set[str]:
    return {identifier for identifier in ids if "/order@" not in identifier}


@given(st.lists(turns, min_size=2, max_size=2), st.lists(turns, min_size=2, max_size=2), whole, st.randoms())
def test_a_change_touches_no_byte_outside_its_own_turn_and_value(
    expected: list[dict[str, Any]], actual: list[dict[str, Any]], style: dict[str, Any], random: Any
) -> None:
    ours, theirs = eval_set([[expected[0]], [expected[1]]], **style), eval_set([[actual[0]], [actual[1]]], **style)
    found = items(ours, theirs, passing=True)
    if not found:
        return
    item = random.choice(found)
    change = random.choice(item.changes)
    before, after = Document(ours).root, Document(accepted(ours, [(item, [change])])).root
    assert before is not None
    assert after is not None
    at = item.case.number
    _same_texts(before.at("/eval_cases").items, after.at("/eval_cases").items, at)
    one, other = (root.at(f"/eval_cases/{at}/conversation/0") for root in (before, after))
    if change.kind == "text":
        key = next(each.name for each in one.items if each.name.startswith("final"))
        assert [each.source() for each in one.items if each.name != key] == [
            each.source() for each in other.items if each.name != key
        ]
    elif change.kind == "args":
        calls, others = (expected_uses(turn) for turn in (one, other))
        place = change.place.call
        assert place is not None
        assert len(calls) == len(others)
        _same_texts([use.node for use in calls], [use.node for use in others], place)


def _same_texts(before: Sequence[Node], after: Sequence[Node], place: int) -> None:
    """All items but the one at a place have the same bytes."""
    assert [each.source() for n, each in enumerate(before) if n != place] == [
        each.source() for n, each in enumerate(after) if n != place
    ]

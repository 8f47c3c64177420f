"""Decisions hold while both sides are as they were seen, or as accepting left them; people can contradict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.review.decisions import Decision, DecisionKind, ReviewDecisions, contradict, decision_on
from evaltui.review.review_items import ReviewItem, hash_after
from evaltui.review.set_review import SetReview
from tests.review.reviews import accepted, eval_set, items, items_of, scored

Set = list[list[dict[str, Any]]]


def turn(response: str, *names: str) -> dict[str, Any]:
    return {
        "user": "Hello",
        "calls": [{"name": name, "args": {}, "response": None} for name in names],
        "response": response,
    }


OURS, THEIRS = eval_set([[turn("One", "search")]]), eval_set([[turn("Two", "book")]])


def an_item(ours: bytes = OURS, theirs: bytes = THEIRS) -> ReviewItem:
    (item,) = items(ours, theirs, passing=True)
    return item


def by(author: str, item: ReviewItem, verdict: DecisionKind | None, **members: Any) -> Decision:
    return decision_on(item, Path.cwd(), verdict, **members)._replace(author=author)


def lines(*decisions: Decision | dict[str, Any]) -> list[str]:
    return [json.dumps(each if isinstance(each, dict) else each.to_json()) for each in decisions]


@pytest.mark.parametrize("verdict", ["agent is wrong", "skipped", None])
def test_a_decision_lapses_when_either_side_changes(verdict: DecisionKind | None) -> None:
    found = ReviewDecisions(lines(by("Ana", an_item(), verdict, note="because")))
    assert [each.note for each in found.about(an_item())] == ["because"]
    assert found.about(an_item(ours=eval_set([[turn("Three", "search")]]))) == []
    assert found.about(an_item(theirs=eval_set([[turn("Three", "book")]]))) == []


def test_a_decision_is_about_its_case_and_holds_in_another_place_of_the_set() -> None:
    found = ReviewDecisions(lines(by("Ana", an_item(), "skipped")))
    other, same = [turn("One", "search")], [turn("Two", "book")]
    moved = items(eval_set([other, other]), eval_set([same, same]))
    assert [len(found.about(each)) for each in moved] == [1, 0]


def test_an_acceptance_holds_once_the_set_has_what_was_accepted() -> None:
    item = an_item()
    chosen = item.changes[:1]
    after = accepted(OURS, [(item, chosen)])
    source = scored(after, THEIRS).subject.cases[0].source
    decision = by("Ana", item, "accepted", changes=[chosen[0].id], became=hash_after(item, source))
    found = ReviewDecisions(lines(decision))
    assert found.about(item) == []
    assert found.about(an_item(ours=after)) == [decision]
    assert SetReview(scored(after, THEIRS), found).acceptances == [decision]
    assert SetReview(scored(OURS, THEIRS), found).acceptances == []


def test_a_note_applies_after_changes_of_its_turn_are_accepted() -> None:
    item = an_item()
    first = accepted(OURS, [(item, item.changes[:1])])
    half = an_item(ours=first)
    both = accepted(first, [(half, half.changes)])
    notes = [by("Ana", item, None, note="why?"), by("Bo", item, "agent is wrong", note="ids are texts")]
    steps = [
        by("Ana", item, "accepted", became=half.seen, note="ids are numbers"),
        by("Ana", half, "accepted", became=hash_after(half, scored(both, THEIRS).subject.cases[0].source)),
    ]
    found = ReviewDecisions(lines(*notes, *steps))
    assert found.about(half) == [notes[0], steps[0]]
    (done,) = items_of(scored(both, THEIRS), "all")
    assert found.about(done) == [notes[0], *steps]
    assert found.about(item) == notes


def test_an_acceptance_of_all_stands_for_a_turn_that_is_no_item_any_more() -> None:
    item = an_item()
    after = accepted(OURS, [(item, item.changes)])
    run = scored(after, THEIRS)
    became = hash_after(item, run.subject.cases[0].source)
    first, second = (by("Ana", item, "accepted", became=became, note=note) for note in ("first", "second"))
    other = by("Bo", item, "accepted", became=became)
    assert items(after, THEIRS, passing=True) == []
    assert SetReview(run, ReviewDecisions(lines(first, second, other))).acceptances == [second, other]


def test_an_acceptance_of_turns_that_come_stands_for_the_conversation() -> None:
    ours, theirs = eval_set([[turn("One")]]), eval_set([[turn("One"), turn("Two", "book")]])
    (item,) = items(ours, theirs)
    after = accepted(ours, [(item, item.changes)])
    run = scored(after, theirs)
    decision = by("Ana", item, "accepted", became=hash_after(item, run.subject.cases[0].source))
    assert SetReview(run, ReviewDecisions(lines(decision))).acceptances == [decision]


def test_of_each_person_the_last_verdict_counts_and_people_can_contradict() -> None:
    item = an_item()
    became = item.seen
    said = [
        by("Ana", item, "skipped"),
        by("Bo", item, "accepted", became=became),
        by("Ana", item, "agent is wrong"),
        by("Cy", item, "skipped"),
    ]
    verdicts = ReviewDecisions(lines(*said)).verdicts(item)
    assert {name: each.verdict for name, each in verdicts.items()} == {
        "Ana": "agent is wrong",
        "Bo": "accepted",
        "Cy": "skipped",
    }
    assert contradict(verdicts.values())
    assert not contradict([verdicts["Ana"], verdicts["Cy"]])


def test_a_decision_that_is_taken_back_counts_no_more() -> None:
    item = an_item()
    first, second = by("Ana", item, "skipped"), by("Ana", item, "agent is wrong")
    assert ReviewDecisions(lines(first, second, {"takes_back": second.id})).about(item) == [first]
    assert ReviewDecisions(lines({"takes_back": first.id}, first)).about(item) == []


@pytest.mark.parametrize(
    "line",
    [
        *("{", "[]", "null", '{"id": 1}', "\x1b[31m", '{"takes_back": 1}', "[" * 100_000),
        '{"id": "a", "time": "", "author": "", "eval_id": "", "turn": "1", "seen": ""}',
        '{"id": "a", "time": "", "author": "", "eval_id": "", "seen": "", "decision": "maybe"}',
    ],
)
def test_a_line_that_is_no_decision_is_counted_and_harms_no_other(line: str) -> None:
    item = an_item()
    good = by("Ana", item, "skipped")
    found = ReviewDecisions([*lines(good), line, "", *lines(good)])
    assert (found.about(item), found.unread) == ([good], [2])

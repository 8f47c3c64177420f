"""Which case a conversation belongs to."""

from pathlib import Path

import pytest

from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation
from evaltui.recordings.matching import Matching
from tests.recordings.matched import case_to_match, match

CASES = [case_to_match("greet", "Hello there", 1), case_to_match("book", "Book a flight", 2)]


def said(text: str = "", turns: int = 1, **members: object) -> Conversation:
    spoken = tuple(Turn(text if not index else "then") for index in range(turns))
    return Conversation(Path("r.json"), "t1", spoken, **members)  # type: ignore[arg-type]


def ways(matching: Matching) -> list[list[str]]:
    return [[each.matched_by for each in found] for found in matching.cases]


@pytest.mark.parametrize(
    ("conversation", "expected"),
    [
        (said("Book a flight", case_id="greet", eval_id="book"), [["attribute"], []]),
        (said("Book a flight", eval_id="greet"), [["eval_id"], []]),
        (said("  hello\n THERE "), [["user_text"], []]),
        (said("Book a flight", turns=7), [[], ["user_text"]]),
    ],
)
def test_the_ways_are_tried_in_order(conversation: Conversation, expected: list[list[str]]) -> None:
    matching = match(CASES, [conversation], "desk")
    assert (ways(matching), [*matching.unmatched], [*matching.warnings]) == (expected, [], [])
    assert matching.reasons == tuple(None if each else "there is no recording of this case" for each in expected)


def test_the_only_one_belongs_to_the_only_one() -> None:
    assert ways(match(CASES[:1], [said("Something else")], None)) == [["only_one"]]
    assert ways(match(CASES[:1], [said(turns=0)], None)) == [["only_one"]]
    assert ways(match(CASES[:1], [said("Something else"), said("x", eval_set_id="other")], "desk")) == [["only_one"]]
    two = match(CASES[:1], [said("One"), said("Two")], None)
    assert ways(two) == [[]]
    assert [each.reason for each in two.unmatched] == ["no case has the same first user message"] * 2
    assert match(CASES, [said()], None).unmatched[0].reason == "there is no user message, so no case matches"


def test_an_unknown_id_is_said_and_the_next_way_tried() -> None:
    named = match(CASES, [said("Hello there", case_id="gone", eval_id="book")], None)
    assert ways(named) == [[], ["eval_id"]]
    assert [*named.warnings] == ['r.json: t1: case "gone" is not in this eval set; matched by its eval_id']
    by_text = match(CASES, [said("Hello there", eval_id="gone")], None)
    assert by_text.warnings[0].endswith("matched by its first user message")
    alone = match(CASES[:1], [said("Other", eval_id="gone")], None)
    assert alone.warnings[0].endswith("matched because it is the only conversation")
    lost = match(CASES, [said("Other", eval_id="gone")], None)
    assert not lost.warnings
    assert lost.unmatched[0].reason == ('case "gone" is not in this eval set; no case has the same first user message')


def test_of_cases_that_begin_alike_the_number_of_turns_decides() -> None:
    cases = [case_to_match("one", "Hi", 1), case_to_match("two", "hi", 2), case_to_match("deux", "HI", 2)]
    matching = match(cases, [said("Hi", 1), said("Hi", 2), said("Hi", 3)], None)
    assert ways(matching) == [["user_text"], [], []]
    assert [each.reason for each in matching.unmatched] == [
        "3 cases begin with this user message, and 2 of them have 2 turns",
        "3 cases begin with this user message, and none of them has 3 turns",
    ]
    assert matching.reasons[0] is None
    assert matching.reasons[1] == matching.reasons[2]
    assert str(matching.reasons[1]).startswith("r.json: t1 fits this case and others: 3 cases begin")


def test_an_id_that_stands_twice_is_not_guessed() -> None:
    cases = [case_to_match("a", "Hi", 1), case_to_match("a", "Ho", 1)]
    matching = match(cases, [said("Hi", eval_id="a"), said("Ho")], None)
    assert ways(matching) == [[], ["user_text"]]
    assert matching.unmatched[0].reason == '2 cases have the eval_id "a"'
    assert '2 cases have the eval_id "a"' in str(matching.reasons[0])


def test_results_of_another_set_are_left_out() -> None:
    matching = match(CASES, [said("Hello there", eval_id="greet", eval_set_id="other")], "desk")
    assert ways(matching) == [[], []]
    assert matching.unmatched[0].reason == 'recorded for eval set "other"'
    assert ways(match(CASES, [said(eval_id="greet", eval_set_id="other")], None)) == [["eval_id"], []]


def test_the_last_recorded_stands_last() -> None:
    recorded = [said("Hello there", recorded_at=time) for time in (3.0, None, 1.0, None, 2.0)]
    ((*found,), _) = match(CASES, recorded, None).cases
    assert [each.conversation.recorded_at for each in found] == [None, None, 1.0, 2.0, 3.0]
    given = [said("Hello there"), said("hello there")]
    assert [each.conversation for each in match(CASES, given, None).cases[0]] == given


def test_texts_without_words_match_nothing() -> None:
    assert ways(match([case_to_match("a", " ", 1), CASES[0]], [said("\n")], None)) == [[], []]


def test_many_that_are_alike_do_not_meet_one_by_one() -> None:
    cases = [case_to_match(str(number), "Hi", number % 2) for number in range(3_000)]
    matching = match(cases, [said("Hi", eval_id=str(number)) for number in range(3_000)], None)
    assert all(len(each) == 1 for each in matching.cases)
    ambiguous = match(cases, [said("Hi")] * 3_000, None)
    assert len(ambiguous.unmatched) == 3_000
    assert None not in ambiguous.reasons


@pytest.mark.parametrize(("turns", "compared"), [(3, 1), (1, 1), (2, 2), (4, 4)])
def test_turns_that_the_agent_was_given_are_not_compared(turns: int, compared: int) -> None:
    case = case_to_match("greet", "Hello", 3, given=2)
    ((found,),) = match([case], [said("Hello", turns, eval_id="greet")], None).cases
    assert len(found.conversation.turns) == compared
    assert found.conversation.turns == said("Hello", turns).turns[-compared:]

"""Cases made of a session, or of some of its turns, find their turns in it again; other formats are as before."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.recordings.matching import Matching
from evaltui.recordings.user_messages import MatchFacts
from tests.recordings.matched import case_to_match, match

A = tuple(Turn(text, invocation_id=f"a{n}") for n, text in enumerate(["hi", "book", "no", "thanks"]))
B = (Turn("hi", invocation_id="b0"), Turn("bye", invocation_id="b1"))


def of_session(name: str, turns: tuple[Turn, ...], at: float = 1.0, counting: tuple[int, ...] = ()) -> Conversation:
    counted = tuple(turns[n] for n in counting) if counting else turns
    return Conversation(
        Path("session.db"),
        name,
        counted,
        recorded_at=at,
        recorded_turns=tuple(RecordedTurn(turn, {}) for turn in turns),
    )


def case(name: str, *turns: Turn) -> MatchFacts:
    return case_to_match(name, turns[0].user_text, len(turns), tuple(turn.invocation_id for turn in turns))


def found(matching: Matching) -> list[list[tuple[str, str, list[str]]]]:
    return [
        [
            (each.conversation.id, each.matched_by, [turn.invocation_id for turn in each.conversation.turns])
            for each in of
        ]
        for of in matching.cases
    ]


def test_a_case_of_some_turns_gets_just_these() -> None:
    cases = [case("whole", *A), case("last", A[3]), case("two", A[1], A[3])]
    matching = match(cases, [of_session("A", A)], None)
    assert found(matching) == [
        [("A", "user_text", ["a0", "a1", "a2", "a3"])],
        [("A", "invocation_id", ["a3"])],
        [("A", "invocation_id", ["a1", "a3"])],
    ]
    assert not matching.unmatched
    assert matching.reasons == (None, None, None)


def test_a_case_of_turns_that_were_taken_back_finds_them() -> None:
    session = of_session("A", A, counting=(0, 3))
    assert found(match([case("counting", A[0], A[3]), case("back", A[1], A[2])], [session], None)) == [
        [("A", "user_text", ["a0", "a3"])],
        [("A", "invocation_id", ["a1", "a2"])],
    ]


def test_the_first_turns_of_a_session_are_a_case_of_these_turns() -> None:
    assert found(match([case("first", A[0])], [of_session("A", A)], None)) == [[("A", "invocation_id", ["a0"])]]


def test_a_session_that_was_added_twice_is_the_recording_of_both() -> None:
    matching = match([case("one", *B), case("two", *B)], [of_session("B", B)], None)
    assert found(matching) == [[("B", "invocation_id", ["b0", "b1"])]] * 2
    assert not matching.unmatched


def test_sessions_that_begin_alike_are_told_by_their_ids() -> None:
    other = tuple(Turn(turn.user_text, invocation_id=f"c{n}") for n, turn in enumerate(B))
    matching = match([case("b", *B), case("c", *other)], [of_session("C", other), of_session("B", B)], None)
    assert found(matching) == [[("B", "invocation_id", ["b0", "b1"])], [("C", "invocation_id", ["c0", "c1"])]]


def test_a_newer_session_with_the_same_first_words_does_not_take_the_place_of_the_own_one() -> None:
    newer = of_session("A", A, at=9.0)
    matching = match([case("b", *B)], [of_session("B", B), newer], None)
    assert [each.conversation.id for each in matching.cases[0]] == ["A", "B"]


def test_a_newer_session_with_all_the_same_words_counts_as_of_any_case() -> None:
    again = of_session(
        "again", tuple(Turn(f" {turn.user_text.upper()}", invocation_id=turn.user_text) for turn in B), at=9.0
    )
    matching = match([case("b", *B)], [again, of_session("B", B)], None)
    assert [each.conversation.id for each in matching.cases[0]] == ["B", "again"]


def test_turns_in_another_order_or_with_one_that_is_not_there_are_no_match() -> None:
    for turns in ((A[3], A[1]), (A[1], B[1]), (A[1], A[1])):
        matching = match([case("x", *turns), case("other", B[1])], [of_session("A", A)], None)
        assert found(matching) == [[], []]
        assert len(matching.unmatched) == 1


def test_a_case_with_another_user_text_has_no_recording_in_its_session() -> None:
    edited = case_to_match("last", "Goodbye", 1, ("a3",))
    matching = match([edited, case("b", *B)], [of_session("A", A)], None)
    assert matching.cases[0] == ()
    assert matching.reasons[0] == "there is no recording of this case"


def test_turns_without_ids_are_matched_by_text_alone() -> None:
    matching = match([case_to_match("x", "book", 1, ("",)), case_to_match("y", "hi", 4)], [of_session("A", A)], None)
    assert [[each.matched_by for each in of] for of in matching.cases] == [[], ["user_text"]]


def test_a_session_that_was_matched_by_hand_stays_there() -> None:
    session = of_session("A", A)
    matching = match([case("last", A[3]), case("b", *B)], [session], None, by_hand={session.key: "b"})
    assert [[each.matched_by for each in of] for of in matching.cases] == [[], ["by_hand"]]


@pytest.mark.parametrize("ids", [("a0",), ("a3",), ()])
def test_other_formats_are_not_matched_by_the_ids_of_turns(ids: tuple[str, ...]) -> None:
    trace = Conversation(Path("trace.json"), "t", A)
    matching = match([case_to_match("one", "thanks", 1, ids), case_to_match("two", "no", 1)], [trace], None)
    assert found(matching) == [[], []]
    assert [each.reason for each in matching.unmatched] == ["no case has the same first user message"]


def test_many_cases_of_many_sessions_are_matched() -> None:
    sessions = [of_session(str(n), tuple(Turn("hi", invocation_id=f"{n}.{m}") for m in range(3))) for n in range(3_000)]
    cases = [case(each.id, *(recorded.turn for recorded in each.recorded_turns[1:])) for each in sessions]
    matching = match(cases, sessions, None)
    assert [[each.conversation.id for each in of] for of in matching.cases] == [[each.eval_id] for each in cases]

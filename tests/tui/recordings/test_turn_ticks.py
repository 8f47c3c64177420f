"""Ticks of conversations and turns, and decisions about values, without a screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from evaltui.evalset.turn import Turn
from evaltui.recordings.agent_names import AgentNames
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.tui.recordings.conversations_to_add import FoundConversation, FoundConversations


def turn(text: str, *, rewound: bool = False, **args: object) -> RecordedTurn:
    calls = [{"name": "look", "args": args}] if args else []
    content = {"parts": [{"text": text}]} if text else {"parts": []}
    data = {"user_content": content, "intermediate_data": {"tool_uses": calls}}
    return RecordedTurn(Turn(text), data, is_rewound=rewound)


def found(name: str, *turns: RecordedTurn, started: float | None = None, known: str | None = None) -> FoundConversation:
    conversation = Conversation(Path("x.db"), name, (), recorded_turns=turns, user_id="user", started=started)
    return FoundConversation(replace(conversation, agent_names=AgentNames("app")), known)


MIXED = found("mixed", turn("one"), turn("two", rewound=True), turn(""), turn("four"))


def test_a_conversation_is_ticked_without_turns_that_do_not_count() -> None:
    ticks = FoundConversations()
    assert ticks.toggle(MIXED) == ""
    assert ticks.ticked[MIXED] == [0, 3]
    assert ticks.tick_state(MIXED) == "all"
    assert ticks.toggle(MIXED) == ""
    assert not ticks.ticked


def test_a_turn_makes_its_conversation_partly_ticked() -> None:
    ticks = FoundConversations()
    assert ticks.toggle_turn(MIXED, 3) == ""
    assert ticks.tick_state(MIXED) == "some"
    assert ticks.ticked_text() == "1 turn ticked"
    ticks.toggle_turn(MIXED, 0)
    assert ticks.tick_state(MIXED) == "all"
    assert ticks.ticked_text() == "1 conversation ticked"


def test_a_rewound_turn_may_be_ticked_and_one_without_words_may_not() -> None:
    ticks = FoundConversations()
    assert ticks.toggle_turn(MIXED, 1) == ""
    assert "no user message" in ticks.toggle_turn(MIXED, 2)
    assert ticks.ticked[MIXED] == [1]


def test_what_cannot_be_read_as_a_whole_is_not_ticked() -> None:
    broken = Conversation(Path("x.db"), "x", (), unread="event 2: not JSON", recorded_turns=(turn("a"),))
    ticks, listed = FoundConversations(), FoundConversation(broken, None)
    assert "so it cannot become a case: event 2: not JSON" in ticks.toggle(listed)
    assert "event 2" in ticks.toggle_turn(listed, 0)
    assert not ticks.ticked
    assert listed.has_failed


def test_where_the_agent_failed_throughout_nothing_is_ticked() -> None:
    failed = found("failed", RecordedTurn(Turn(""), {"user_content": {"parts": [{"text": "sing"}]}}, error="quota"))
    ticks = FoundConversations()
    assert "The agent failed in this conversation" in ticks.toggle(failed)
    assert ticks.toggle_turn(failed, 0) == ""
    assert ticks.ticked[failed] == [0]


def test_an_empty_conversation_cannot_be_ticked() -> None:
    ticks = FoundConversations()
    assert "cannot become a case" in ticks.toggle(found("none"))
    assert ticks.tick_state(found("none")) == "none"


def test_conversations_stand_in_the_order_of_their_ticks() -> None:
    ticks, one, two = FoundConversations(), found("one", turn("a")), found("two", turn("b"))
    ticks.toggle(two)
    ticks.toggle(one)
    assert [entry.conversation.id for entry in ticks.ticked] == ["two", "one"]


# --- what is found ------------------------------------------------------------------------------------------------


def test_batches_of_several_sources_stand_newest_first() -> None:
    every = FoundConversations()
    every.add([found(str(at), turn("x"), started=float(at)) for at in range(0, 400, 2)])
    every.add([found("odd", turn("x"), started=7.0), found("nobody knows", turn("x"))])
    names = [each.conversation.id for each in every.shown]
    assert names.index("8") + 1 == names.index("odd") == names.index("6") - 1
    assert names[-1] == "nobody knows"


def test_one_that_is_known_already_is_not_listed_twice() -> None:
    every = FoundConversations()
    assert every.add([found("a", turn("x")), found("a", turn("y"))]) == 1
    assert every.add([found("a", turn("x"))]) == 0


@pytest.mark.parametrize(
    ("query", "names"),
    [("train", ["a"]), ("BERN", ["b", "a"]), ("bern bus", ["b"]), ("look", ["b"]), ("case_7", ["a"]), ("zzz", [])],
)
def test_a_filter_searches_all_that_is_shown(query: str, names: list[str]) -> None:
    every = FoundConversations()
    every.add([found("a", turn("a train to Bern"), started=1.0, known="case_7")])
    every.add([found("b", turn("a bus to Bern", city="Bern"), started=2.0)])
    for typed in (query[:1], query):  # letter by letter: what is typed narrows what is shown
        every.filter(typed)
    assert [each.conversation.id for each in every.shown] == names
    every.filter("")
    assert len(every.shown) == 2


def test_what_is_read_later_is_filtered_too() -> None:
    every = FoundConversations()
    every.filter("bus")
    every.add([found("a", turn("a train")), found("b", turn("a bus"))])
    assert [each.conversation.id for each in every.shown] == ["b"]


# --- values -------------------------------------------------------------------------------------------------------


def dated() -> FoundConversation:
    return found("dated", turn("book", day="2026-11-24", seats=2), turn("again", day="2026-12-24"))


def test_values_are_written_as_found_until_somebody_decides() -> None:
    entry = dated()
    assert len(entry.decided([0, 1], "undecided")) == 2
    assert len(entry.decided([1], "undecided")) == 1
    assert entry.invocations([0]) == [entry.turns[0].invocation]


def test_a_key_drops_keeps_and_comes_back() -> None:
    entry = dated()
    assert [entry.decide([entry.values_of(0, 0)]) for _ in range(3)] == ["dropped", "kept", "undecided"]
    entry.decide([*entry.values.values()])
    assert entry.decided([0, 1], "undecided") == []
    uses = [each["intermediate_data"]["tool_uses"][0]["args"] for each in entry.invocations([1, 0])]
    assert uses == [{}, {"seats": 2}]
    assert entry.turns[0].invocation["intermediate_data"]["tool_uses"][0]["args"]["day"] == "2026-11-24"


def test_a_call_without_such_values_has_nothing_to_decide() -> None:
    assert dated().values_of(0, 1) == {}
    assert MIXED.values == {}

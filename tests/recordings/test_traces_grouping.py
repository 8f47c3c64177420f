"""Which traces are one conversation, which case it says it is of, and when it was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evaltui.recordings.conversation import Recording
from evaltui.recordings.traces.trace_file import read_traces
from evaltui.runs.recording_reader import JoinedTraces
from tests.recordings.spans import Json, agent, assistant, chat, export, read, tool, user


def said(number: int, more: Json | None = None) -> Json:
    """A turn in a trace of its own."""
    return chat([user(f"question {number}")], [assistant(f"answer {number}")], more, trace=number)


def ids(*documents: Json, multi_turn: bool) -> list[tuple[str, int]]:
    return [(each.id, len(each.turns)) for each in read(*documents, multi_turn=multi_turn)]


def test_each_trace_is_a_conversation_where_the_set_has_no_case_of_several_turns() -> None:
    spans = [said(1, {"gen_ai.conversation.id": "talk"}), said(2, {"gen_ai.conversation.id": "talk"})]
    assert ids(spans, multi_turn=False) == [(f"{1:032x}", 1), (f"{2:032x}", 1)]
    assert ids(spans, multi_turn=True) == [("talk", 2)]


def test_a_named_session_is_a_conversation_whatever_the_set_holds() -> None:
    named = export([said(1), said(2)], {"agentevals.session_name": "night"})
    assert ids(named, export([said(3)]), multi_turn=False) == [("night", 2), (f"{3:032x}", 1)]


@pytest.mark.parametrize(
    ("span", "resource", "key"),
    [
        ({"gen_ai.conversation.id": "c"}, {"agentevals.session_name": "n", "session.id": "s"}, "n"),
        ({"gen_ai.conversation.id": "c"}, {"gen_ai.conversation.id": "r"}, "c"),
        ({"session.id": "s"}, {"gen_ai.conversation.id": "r"}, "r"),
        ({"session.id": "s"}, {"session.id": "r"}, "s"),
        ({"session.id": 7}, {}, "7"),
        ({"session.id": True, "gen_ai.conversation.id": "\n"}, {}, f"{1:032x}"),
        ({"gen_ai.conversation.id": "x" * 257}, {}, f"{1:032x}"),
    ],
)
def test_the_most_telling_attribute_is_the_key(span: Json, resource: Json, key: str) -> None:
    assert ids(export([said(1, span)], resource), multi_turn=True) == [(key, 1)]


def test_turns_come_in_the_order_of_their_beginnings() -> None:
    spans = [said(number, {"session.id": "s"}) for number in (1, 2, 3)]
    (conversation,) = read(spans[::-1], multi_turn=True)
    assert [turn.user_text for turn in conversation.turns] == ["question 1", "question 2", "question 3"]


def test_a_case_is_named_on_a_span_or_its_resource() -> None:
    on_span, on_resource = read(
        export([said(1, {"agentevals.eval.case.id": "one"})]),
        export([said(2)], {"agentevals.eval.case.id": "two"}),
    )
    assert (on_span.case_id, on_resource.case_id) == ("one", "two")


def test_a_conversation_was_recorded_when_its_last_span_ended() -> None:
    outer = agent(startTimeUnixNano="1700000000000000000", endTimeUnixNano="1700000002500000000")
    inner = chat([user("go")], within=outer, startTimeUnixNano="1700000001000000000", endTimeUnixNano=None)
    assert read([outer, inner])[0].recorded_at == 1700000002.5


def test_nobody_knows_when_a_conversation_without_times_was() -> None:
    (conversation,) = read([chat([user("go")], startTimeUnixNano=None, endTimeUnixNano=None)])
    assert conversation.recorded_at is None
    assert conversation.turns[0].seconds is None


def in_files(*documents: Json, multi_turn: bool) -> list[list[tuple[str, list[str]]]]:
    """Of each file its conversations: their ids, and what the user says."""
    read_alone = [
        read_traces([each], Path(f"{number}.json"), "otlp", multi_turn=multi_turn)
        for number, each in enumerate(documents)
    ]
    result = Recording(Path("result.json"), "adk_result", ())
    found = JoinedTraces().across_files([*read_alone, result], multi_turn=multi_turn)
    assert found[-1].format == "adk_result"
    return [[(one.id, [turn.user_text for turn in one.turns]) for one in each.conversations] for each in found[:-1]]


def test_a_conversation_of_several_files_is_in_that_of_its_first_trace() -> None:
    talk = {"gen_ai.conversation.id": "talk"}
    first, second, other = said(1, talk), said(2, talk), said(3)
    assert in_files([second, other], [first], multi_turn=True) == [
        [(f"{3:032x}", ["question 3"])],
        [("talk", ["question 1", "question 2"])],
    ]
    assert in_files([second], [first], multi_turn=False) == [
        [(f"{2:032x}", ["question 2"])],
        [(f"{1:032x}", ["question 1"])],
    ]


def test_a_named_session_in_one_file_groups_the_traces_of_all() -> None:
    talk = [said(number, {"session.id": "talk"}) for number in (1, 2)]
    assert in_files(talk, export([said(3)], {"agentevals.session_name": "night"}), multi_turn=False) == [
        [("talk", ["question 1", "question 2"])],
        [("night", ["question 3"])],
    ]


def test_a_trace_in_two_files_is_one_conversation() -> None:
    outer = [said(1), said(1)]
    assert in_files([outer[0]], [outer[1]], multi_turn=False) == [
        [(f"{1:032x}", ["question 1", "question 1"])],
        [],
    ]
    assert in_files([outer[0]], [outer[0]], multi_turn=False) == [[(f"{1:032x}", ["question 1"])], []], "a copy"


@pytest.mark.parametrize("multi_turn", [False, True])
@pytest.mark.parametrize("has_own", [False, True])
def test_the_calls_of_a_trace_in_several_files_are_not_recorded(multi_turn: bool, has_own: bool) -> None:
    messages = [user("question")], [assistant("answer")]
    written = {
        f"gen_ai.{way}.messages": json.dumps(each) for way, each in zip(("input", "output"), messages, strict=True)
    }
    outer = agent({"gen_ai.conversation.id": "talk", **(written if has_own else {})})
    inner, price, stock = (
        chat(*messages, within=outer),
        tool("price", {}, within=outer),
        tool("stock", {}, within=outer),
    )

    def read_files(*documents: Json) -> list[Recording]:
        files = [
            read_traces([export([*each])], Path(f"{at}.json"), "otlp", multi_turn=multi_turn)
            for at, each in enumerate(documents)
        ]
        return JoinedTraces().across_files(files, multi_turn=multi_turn)

    for documents in (
        [[outer, inner, price], [stock]],
        [[price], [outer, inner, stock]],
        [[price, stock], [outer, inner]],
    ):
        recordings = read_files(*documents)
        ((conversation),) = [each for recording in recordings for each in recording.conversations]
        assert conversation.lacks_turns
        assert [turn.unrecorded for turn in conversation.turns] == [{"calls"} if has_own else {"calls", "response"}]
    whole, _ = read_files([outer, inner, price, stock], [said(2)])
    assert [turn.unrecorded for turn in whole.conversations[0].turns] == [set()]
    first, second = read_files([inner, price], [outer, stock])
    assert [each.unread for each in (*first.conversations, *second.conversations)] == (
        ["its turns are unknown, because spans of one trace are in several files"] if not multi_turn else [None, None]
    )


# --- turns that are missing between those that are recorded ---------------------------------------------------


def asked_after(*history: Json, text: str, trace: int, within: Json | None = None) -> Json:
    return chat([*history, user(text)], [assistant("Yes.")], trace=trace, within=within)


def lacks_turns(*spans: Json) -> bool:
    (conversation,) = read(export([*spans], {"agentevals.session_name": "talk"}))
    return conversation.lacks_turns


PRICE, RED, BLUE = user("Price?"), user("And red?"), user("And blue?")
YES = assistant("Yes.")


@pytest.mark.parametrize(
    ("history", "is_missing"),
    [
        ([PRICE, YES, RED, YES], True),
        ([RED, YES], True),
        ([user("Summary: ?"), YES, RED, YES], True),
        ([PRICE, YES], False),
        ([], False),
        ([user("Summary of what was said"), YES, PRICE, YES], False),
        ([user(" Price?\n"), YES], False),
        ([{"role": "user", "parts": [{"type": "blob"}]}, YES], False),
    ],
)
def test_a_turn_in_the_history_that_is_not_recorded_is_missing(history: list[Json], is_missing: bool) -> None:
    first = asked_after(text="Price?", trace=1)
    assert lacks_turns(first, asked_after(*history, text="And blue?", trace=2)) is is_missing
    around = agent({"gen_ai.input.messages": json.dumps([*history, BLUE])}, trace=2)
    assert lacks_turns(first, around, asked_after(text="And blue?", trace=2, within=around)) is is_missing


def test_a_history_has_the_turns_before_it_however_these_were_told() -> None:
    first = asked_after(text="Price?", trace=1)
    red = asked_after(PRICE, YES, text="And red?", trace=2)
    blue = asked_after(PRICE, YES, RED, YES, text="And blue?", trace=3)
    assert not lacks_turns(first, red, blue)
    assert not lacks_turns(first, red, blue, asked_after(RED, YES, BLUE, YES, text="And green?", trace=4))
    assert not lacks_turns(first, red, blue, asked_after(PRICE, YES, text="And red?", trace=4)), "asked again"
    with_context = asked_after(text="Answer briefly.\nQuestion: Price?", trace=5)
    assert not lacks_turns(with_context, asked_after(user("Question: Price?"), YES, text="And red?", trace=6))
    around = agent({"gen_ai.input.messages": json.dumps([PRICE])}, trace=7)
    inner = [asked_after(text="Price?", trace=7, within=around)]
    inner.append(chat([PRICE, YES, user("Here is the picture.")], [YES], within=around))
    picture = [PRICE, YES, user("Here is the picture."), YES]
    assert not lacks_turns(around, *inner, asked_after(*picture, text="And red?", trace=8))
    unknown = chat([{"role": "user", "parts": [{"text": "no type"}]}], [YES], trace=9)
    assert not lacks_turns(unknown, asked_after(PRICE, YES, text="And red?", trace=10))

"""Why a score is what it is, in sentences."""

import json

import pytest

from evaltui.evalset.turn import TurnCall
from evaltui.scoring.case_scores import explain
from tests.scoring.helpers import call, criteria, scored, sentences, turn

TRAJECTORY, RESPONSE = "tool_trajectory_avg_score", "response_match_score"
NAN = float("nan")


@pytest.mark.parametrize(
    ("expected", "actual", "options", "said"),
    [
        (
            [call("a")],
            [call("a"), call("mail")],
            {},
            "mail is called but not expected; the tool calls would pass if the config had match_type IN_ORDER",
        ),
        (
            [],
            [call("a")],
            {},
            "the case expects no tool calls in this turn, but the agent calls a; "
            "the tool calls would pass if the config had match_type IN_ORDER",
        ),
        ([call("a"), call("a")], [], {}, "the agent calls no tool; expected: a (2 times)"),
        ([call("a"), call("b")], [call("a")], {}, "b is expected but not called"),
        (
            [call("book", flight="1")],
            [call("book", flight=1)],
            {},
            'book: flight is the string "1" in the set and the number 1 in the recording; '
            "the tool calls would pass if the config had ignore_args",
        ),
        (
            [call("a", x=None, y="s", z={"k": [1, 2]})],
            [call("a", x=0, y="t", z={"k": [1, 3]}, new=True)],
            {},
            'a: x is null in the set and the number 0 in the recording, y is "s" in the set and "t" in the recording, '
            "z/k/1 is 2 in the set and 3 in the recording and 1 more; "
            "the tool calls would pass if the config had ignore_args",
        ),
        (
            [TurnCall("a")],
            [call("a")],
            {},
            "a has no args in the set and args {} in the recording; google-adk treats these as different; "
            "the tool calls would pass if the config had ignore_args",
        ),
        (
            [call("find"), call("book"), call("mail")],
            [call("find"), call("mail"), call("book")],
            {"match_type": "IN_ORDER"},
            "mail is called before book, expected after; "
            "the tool calls would pass if the config had match_type ANY_ORDER",
        ),
        (
            [call("a", x=1), call("b")],
            [call("b"), call("a", x=2), call("c")],
            {"match_type": "ANY_ORDER"},
            "a: x is 1 in the set and 2 in the recording; the tool calls would pass if the config had ignore_args",
        ),
        (
            [call("a", x=1), call("b")],
            [call("b"), call("a", x=2)],
            {"ignore_args": True},
            "b is called before a, expected after; the tool calls would pass if the config had match_type ANY_ORDER",
        ),
        (
            [call("a", x=1)],
            [call("b"), call("a", x=2)],
            {},
            "a: x is 1 in the set and 2 in the recording; b is called but not expected; "
            "the tool calls would pass if the config had match_type IN_ORDER and ignore_args",
        ),
        (
            [call("google_search", q=1), call("a")],
            [call("a")],
            {},
            "google_search is expected but not called; "
            "google_search runs inside the model and is never in a recording: delete this call from the set",
        ),
        (
            [call("a", x=NAN)],
            [call("a", x=NAN)],
            {},
            "a: x is NaN on both sides, but NaN never equals NaN; "
            "the tool calls would pass if the config had ignore_args",
        ),
        (
            [call("a", x="é")],
            [call("a", x="e\u0301")],
            {},
            'a: x is "é" on both sides, but with different characters that look the same; the tool calls would pass',
        ),
        (
            [call("a", x="-" * 500 + "end")],
            [call("a", x="-" * 500)],
            {},
            'a: x differs from character 501: "end" in the set and "" in the recording; the tool calls would pass',
        ),
        (
            [call("a", x="b  c")],
            [call("a", x="b c")],
            {},
            'a: x differs from character 3: " c" in the set and "c" in the recording; the tool calls would pass',
        ),
        (
            [call("a", x="b\u00a0c")],
            [call("a", x="b c")],
            {},
            'a: x is "b c" on both sides, but with different characters',
        ),
        (
            [call("a", x=2**200)],
            [call("a", x=2**200 + 1)],
            {},
            "a: x differs in a part that is too long to show; the tool calls would pass",
        ),
        ([call("a")] * 3, [call("a")], {}, "a is called once, expected 3 times"),
        (
            [call("a")],
            [call("a"), call("b"), call("a")],
            {},
            "b is called but not expected; a is called 2 times, expected once",
        ),
        (
            [call("a", x=1), call("a", x=2)],
            [call("a", x=2), call("a", x=1)],
            {},
            "the calls of a are in another order than expected; "
            "the tool calls would pass if the config had match_type ANY_ORDER",
        ),
        (
            [call("a", x=1), call("b"), call("a", x=2)],
            [call("a", x=2), call("b"), call("a", x=1)],
            {},
            "b is called before a, expected after; the calls of a are in another order than expected; "
            "the tool calls would pass if the config had match_type ANY_ORDER",
        ),
        ([call("a ")], [call("a")], {}, '"a " is expected but not called; a is called but not expected'),
        ([TurnCall(None)], [call("b")], {}, "a tool without a name is expected but not called; b is called but"),
    ],
)
def test_calls(expected: list[TurnCall], actual: list[TurnCall], options: dict[str, str], said: str) -> None:
    asked = criteria(None, metrics=[TRAJECTORY], **options)
    run = scored(turn(*expected), turn(*actual), asked)
    assert run.status == "failed"
    assert sentences(run, asked).startswith(said)


@pytest.mark.parametrize(
    ("expected", "actual", "said"),
    [
        (
            "Book the first flight to Rome, please.",
            "I book the first flight to Paris",
            "2 of 7 expected words are missing: rome, please; 2 words are added: i, paris; 0.71 is 0.09 below 0.80",
        ),
        (
            "",
            "x",
            "the turn has no expected response, so its score is 0.0: write one",
        ),
        ("", "", "the turn has no expected response"),
        ("🙂", "🙂", "the expected response has no words, only punctuation or symbols"),
        ("a", "", "the recording has no response"),
        ("17", "seventeen", "the expected word is missing: 17; 1 word is added: seventeen; 0.00 is 0.80 below 0.80"),
    ],
)
def test_responses(expected: str, actual: str, said: str) -> None:
    asked = criteria(None, metrics=[RESPONSE])
    assert sentences(scored(turn(response=expected), turn(response=actual), asked), asked).startswith(said)


def test_what_passes_needs_no_reason() -> None:
    asked = criteria()
    run = scored(turn(call("a")), turn(call("a")), asked)
    for name in (TRAJECTORY, RESPONSE):
        explained = explain(run.turns[0], name, asked)
        assert explained is not None
        assert explained.sentences == ()


def test_what_is_not_evaluated_says_why() -> None:
    asked = criteria({"safety_v1": 0.5})
    run = scored(turn(), turn(), asked)
    assert run.reason == "safety_v1: it needs Vertex AI, which evaltui never calls"
    assert explain(run.turns[0], "safety_v1", asked) is None
    assert explain(run.turns[0], "token_usage_v1", asked) is None
    nothing = criteria({})
    assert scored(turn(), turn(), nothing).reason == "there are no criteria"


def test_the_form_of_the_contract() -> None:
    asked = criteria()
    expected = turn(call("search"), call("book_flight", flight_id="1"), response="book the first flight")
    actual = turn(call("search"), call("book_flight", flight_id=1), call("send_email"), response="The first trip!")
    run = scored(expected, actual, asked)
    calls, response = (explain(run.turns[0], name, asked) for name in (TRAJECTORY, RESPONSE))
    assert calls is not None
    assert response is not None
    shown = calls.to_json()
    assert [row["state"] for row in shown["rows"]] == ["matched", "arguments_differ", "extra"]
    assert shown["passes"] == {"EXACT": False, "IN_ORDER": False, "ANY_ORDER": False}
    assert shown["passes_ignoring_args"] == {"EXACT": False, "IN_ORDER": True, "ANY_ORDER": True}
    assert response.to_json() == {
        "precision": 2 / 3,
        "recall": 0.5,
        "shared": ["the", "first"],
        "missing": ["book", "flight"],
        "added": ["trip"],
        "distance": pytest.approx(0.5714285714285715 - 0.8),
        "sentences": [
            "2 of 4 expected words are missing: book, flight",
            "1 word is added: trip",
            "0.57 is 0.23 below 0.80",
        ],
    }
    assert json.dumps([shown, response.to_json()], allow_nan=False)


def test_nothing_of_a_file_reaches_the_terminal_as_it_is() -> None:
    evil = "\x1b[2J\u202e\n" * 50
    asked = criteria()
    run = scored(turn(call(evil, **{evil: evil}), response=evil), turn(call(evil, **{evil: 1}), call(evil)), asked)
    said = sentences(run, asked)
    assert said.isprintable()
    assert "\u202e" not in said
    assert len(said) < 600


def test_deep_and_large_arguments_are_shown_in_short() -> None:
    deep: object = "x" * 100_000
    for _ in range(5000):
        deep = [deep]
    asked = criteria()
    run = scored(turn(call("a", x=deep)), turn(call("a", x="y" * 100_000)), asked)
    assert sentences(run, asked).startswith("a: x is the list [[[")
    assert len(sentences(run, asked)) < 300


def test_of_many_faults_a_few_are_told_and_the_others_counted() -> None:
    expected = [call(f"find{number}", x=0) for number in range(2000)]
    actual = [call(f"find{number}", x=number % 2, y=0) for number in reversed(range(1, 2001))]
    asked = criteria()
    said = sentences(scored(turn(*expected), turn(*actual), asked), asked)
    assert said.startswith("find0 is expected but not called; find")
    assert "; 1996 more calls are made with other arguments; " in said
    assert "; 1995 more calls are out of order; find2000 is called but not expected" in said


def test_calls_with_large_arguments_are_told_apart_in_time() -> None:
    large = {"rows": [{"name": f"row {number}", "value": number} for number in range(500)]}
    expected = [call("write", **large, at=number) for number in range(30)]
    actual = [call("write", **large, at=-number) for number in range(1, 31)]
    asked = criteria()
    run = scored(turn(*expected), turn(*actual), asked)
    assert sentences(run, asked).startswith("write: at is 0 in the set and -1 in the recording; ")

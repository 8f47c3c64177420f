"""Conversations that a set has already."""

import json
from dataclasses import replace
from pathlib import Path

from evaltui.document.document import Document
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.case_format import EVAL_SET
from evaltui.evalset.turn import Turn
from evaltui.recordings.conversation import Conversation, RecordedTurn
from evaltui.recordings.user_messages import KnownCases
from tests.commands.runs import case, eval_set, turn


def known(*cases: object) -> KnownCases:
    root = Document(json.dumps(eval_set(*cases)).encode()).root  # type: ignore[arg-type]
    assert root is not None
    return KnownCases(CaseFile(root, EVAL_SET).cases)


def conversation(*texts: str) -> Conversation:
    return Conversation(Path("x"), "1", tuple(map(Turn, texts)))


def test_a_conversation_is_known_by_all_its_user_texts() -> None:
    cases = known(case("one", turn("Hi")), case("two", turn("Hi"), turn("Bye")), case("later", turn("Hi")))
    assert cases.known_as(conversation("Hi")) == "one"
    assert cases.known_as(conversation("  hI\n", "BYE")) == "two"
    assert cases.known_as(conversation("Hi", "Bye", "Hi")) is None
    assert cases.known_as(conversation("Bye")) is None


def test_a_case_without_the_turns_in_which_the_agent_failed_is_known() -> None:
    said = [{"user_content": {"parts": [{"text": text}]}} for text in ("Hi", "Bye")]
    first, second = (RecordedTurn(Turn(""), invocation) for invocation in said)
    cases = known(case("one", turn("Hi")))
    failed = replace(conversation("Hi", "Bye"), recorded_turns=(first, replace(second, error="overloaded")))
    assert cases.known_as(failed) == "one"
    assert cases.known_as(replace(failed, recorded_turns=(first, second))) is None


def test_nothing_is_known_by_no_text() -> None:
    cases = known(case("silent", turn("")), case("none"), 7, {"evalId": "camel", "conversation": [{"userContent": 1}]})
    assert cases.known_as(conversation("")) is None
    assert cases.known_as(conversation()) is None


def test_cases_can_be_added() -> None:
    cases = KnownCases()
    cases.add("one", ["Hi"])
    cases.add("two", ["hi"])
    assert cases.with_texts(["HI"]) == "one"

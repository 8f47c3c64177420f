"""Recorded turns without response or arguments: added with a remark, never put in place of a golden turn."""

from pathlib import Path

import pytest

from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile, turns_of
from evaltui.evalset.case_format import EVAL_SET
from evaltui.recordings.recording_file import open_recording
from evaltui.tui.recordings.conversations_to_add import AddTarget, FoundConversation, addition_of, replacement_of
from tests.recordings.files import content, dataset, write
from tests.recordings.spans import agent, chat, export, tool, user

GOLDEN = (
    b'{"eval_set_id": "shop", "eval_cases": [{"eval_id": "price", "conversation": [{"user_content": '
    b'{"parts": [{"text": "Price?"}]}, "final_response": {"parts": [{"text": "500"}]}}]}]}'
)


def found(tmp_path: Path, value: object) -> FoundConversation:
    recording = open_recording(write(tmp_path / "recording.json", value), for_cases=True)
    return FoundConversation(recording.conversations[0], None)


def traced(tmp_path: Path) -> FoundConversation:
    outer = agent()
    return found(tmp_path, export([outer, chat([user("Price?")], within=outer), tool("get_price", within=outer)]))


def test_a_recorded_turn_without_response_replaces_no_golden_turn(tmp_path: Path) -> None:
    eval_set = CaseFile(Node(GOLDEN), EVAL_SET)
    (golden,) = turns_of(eval_set.cases[0])
    reason = r"price › turn 1: the response and the arguments of tool calls are not recorded\. Edit the turn instead\."
    with pytest.raises(EditError, match=reason):
        replacement_of(eval_set, golden, traced(tmp_path), 0)
    answered = found(tmp_path, dataset(responses=[{"response": content("500")}]))
    with pytest.raises(EditError, match="the tool calls are not recorded"):
        replacement_of(eval_set, golden, answered, 0)


def test_a_case_made_of_it_says_what_it_lacks(tmp_path: Path) -> None:
    eval_set = CaseFile(Node(GOLDEN), EVAL_SET)
    addition = addition_of(eval_set, AddTarget(), {traced(tmp_path): [0]})
    assert addition.remark == "1 turn without response or arguments, which are not recorded"

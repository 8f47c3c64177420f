"""A dataset in a real terminal: opened, scored against its own responses, reviewed, accepted into and saved."""

import json

import pytest

from tests.answered_dataset import ANSWERED
from tests.terminal.conftest import OpenTerminal
from tests.terminal.terminal import EVALTUI


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(80, 24), (140, 40)])
def test_a_dataset_is_reviewed_and_saved_by_keys(open_terminal: OpenTerminal, size: tuple[int, int]) -> None:
    terminal = open_terminal(*size)
    path = terminal.work / "desk.json"
    path.write_text(ANSWERED)
    terminal.start([*EVALTUI, "edit", "desk.json"])
    terminal.until("1 ✗ 2 –")
    terminal.keys("O")
    terminal.until("Review [1/2]")
    terminal.keys("S")
    terminal.until("Accepted: add call mail")
    terminal.keys("A")
    terminal.until("Review [2/2]")
    terminal.until("no expected value yet")
    terminal.keys("a")
    terminal.until("Summary")
    terminal.keys("Escape")
    terminal.until("2 ✓ 1 –")
    terminal.keys("C-s")
    terminal.until("Saved desk.json")
    terminal.keys("C-q")
    assert terminal.until_exit() == 0
    refund, opening, nobody = json.loads(path.read_text())["eval_cases"]
    assert [event["content"]["parts"][0]["function_call"]["name"] for event in refund["intermediate_events"]] == [
        "refund",
        "mail",
    ]
    assert refund["reference"]["response"]["parts"] == [{"text": "Refunded in full."}]
    assert opening["reference"]["response"]["parts"] == [{"text": "Yes, until six."}]
    assert nobody == json.loads(ANSWERED)["eval_cases"][2]

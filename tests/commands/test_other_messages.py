"""Recordings with another user message than the case: google-adk scores them, and evaltui says so."""

from pathlib import Path

import pytest

from tests.commands.conftest import Evaltui
from tests.commands.runs import case, eval_set, result, turn, write

SET, RECORDING = "shop.evalset.json", "recording.json"
SENTENCE = "the recording has another user message"


def test_run_and_accept_name_the_turns(tmp_path: Path, evaltui: Evaltui) -> None:
    write(tmp_path / SET, eval_set(case("price", turn("Price?", "500."), turn("Sure?", "Yes."))))
    write(tmp_path / RECORDING, result(case("price", turn("A joke!", "A joke."), turn(" sure? ", "Yes."))))
    ended = evaltui("run", SET, "-r", RECORDING)
    assert ended.code == 1
    assert ended.err == f"evaltui: {SET}: price, turn 1: {SENTENCE}\n"
    ended = evaltui("accept", SET, "-r", RECORDING, "--case", "price")
    assert ended.code == 0
    assert ended.err == f"evaltui: {SET}: price › turn 1: {SENTENCE}\n"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_first_cases_are_named_and_the_others_counted(tmp_path: Path, evaltui: Evaltui, jobs: str) -> None:
    asked = [case(f"c{number}", turn(f"Price {number}?", "500.")) for number in range(8)]
    told = [case(f"c{number}", turn(f"Stock {number}?", "500.")) for number in range(8)]
    write(tmp_path / SET, eval_set(*asked))
    write(tmp_path / RECORDING, result(*told))
    ended = evaltui("run", SET, "-r", RECORDING, "--jobs", jobs)
    named = [f"evaltui: {SET}: c{number}, turn 1: {SENTENCE}" for number in range(5)]
    assert ended.err.splitlines() == [*named, f"evaltui: {SET}: 3 more cases: {SENTENCE}"]

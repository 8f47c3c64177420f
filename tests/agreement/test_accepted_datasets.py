"""agents-cli reads a dataset into which changes were accepted, and keeps what was accepted when it generates."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.recordings.recording_file import open_recording
from evaltui.review.set_review import SetPatches, SetReview
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from tests.answered_dataset import ANSWERED, DATASET
from tests.read_sets import score_set
from tests.review.datasets import dataset, exchanges, styles

_PROGRAM = """
import json, sys
from google.agents.cli._agent_platform_types import types
from google.agents.cli.eval.cmd_generate import merge_events_into_case, split_case_history

event = {"author": "desk", "content": {"role": "model", "parts": [{"text": "Done"}]}}
shown = []
for data in json.load(sys.stdin):
    for case in types.EvaluationDataset.model_validate(data).eval_cases:
        told = {}
        turns = case.agent_data.turns if case.agent_data else []
        if not turns or turns[-1].events[-1].author == "user":
            before, message = split_case_history(case)
            told = {"given": len(before), "message": message.parts[0].text}
            case = merge_events_into_case(case, [types.evals.AgentEvent.model_validate(event)], agents_map={})
        told |= json.loads(case.model_dump_json(include={"reference", "intermediate_events"}, exclude_none=True))
        shown.append(told)
print(json.dumps(shown))
"""


@pytest.fixture(scope="module")
def python() -> str:
    """A Python that has agents-cli; EVALTUI_AGENTS_CLI_PYTHON names it."""
    found = os.environ.get("EVALTUI_AGENTS_CLI_PYTHON", "")
    if not found:
        pytest.skip("EVALTUI_AGENTS_CLI_PYTHON names no Python with google-agents-cli")
    return found


def read_by_agents_cli(python: str, *texts: bytes) -> list[dict[str, Any]]:
    """The cases of datasets as agents-cli has them once it has generated an answer to each."""
    values = json.dumps([json.loads(text) for text in texts])
    done = subprocess.run([python, "-c", _PROGRAM], input=values, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def all_accepted(expected: bytes, actual: bytes) -> bytes:
    """The dataset with all changes accepted."""
    document = Document(expected, Path("desk.json"))
    recording = open_recording(Path("trace.json"), multi_turn=True, data=actual)
    criteria = criteria_of(None, metrics=["tool_trajectory_avg_score=1.0", "response_match_score=1.0"])
    run = score_set(set_of(root_of_file(expected), expected, document.path, "desk.json"), criteria, [recording])
    items = SetReview(run, passing=True).items
    document.apply(SetPatches(document).edits([(item, item.changes) for item in items]), "accept")
    return document.to_bytes()


def test_agents_cli_gives_the_history_and_keeps_what_was_accepted(python: str) -> None:
    refund, opening, nobody = read_by_agents_cli(python, all_accepted(DATASET.encode(), ANSWERED.encode()))
    assert (refund["given"], refund["message"]) == (2, "Refund order 7")
    calls = [event["content"]["parts"][0]["function_call"] for event in refund["intermediate_events"]]
    assert calls == [{"name": "refund", "args": {"order": 7}}, {"name": "mail", "args": {"to": "a@b.c"}}]
    assert refund["reference"]["response"]["parts"] == [{"text": "Refunded in full."}]
    assert opening["reference"]["response"] == {"role": "model", "parts": [{"text": "Yes, until six."}]}
    assert nobody == {"given": 0, "message": "Anyone there?"}


def test_agents_cli_reads_whatever_was_accepted(python: str) -> None:
    texts: list[bytes] = []

    @settings(max_examples=40)
    @given(st.lists(exchanges, min_size=1, max_size=3), styles)
    def collect(made: list[Any], style: dict[str, Any]) -> None:
        data = dataset(made, **style)
        texts.append(all_accepted(data, data))

    collect()
    found = read_by_agents_cli(python, *texts)
    assert all(case["reference"]["response"]["parts"][0]["text"] for case in found)


def test_agents_cli_keeps_the_statement_that_no_tool_is_called(python: str) -> None:
    case = {"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}, "intermediate_events": []}
    (kept,) = read_by_agents_cli(python, json.dumps({"eval_cases": [case]}).encode())
    assert kept["intermediate_events"] == []

"""google-adk accepts a set after changes were accepted, and scores what was recorded 1.0 against it."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.node import root_of_file
from evaltui.recordings.recording_file import open_recording
from evaltui.review.set_review import SetPatches, SetReview
from evaltui.runs.set_reader import set_of
from evaltui.scoring.criteria import criteria_of
from tests.agreement.conversations import changed, invocation
from tests.agreement.oracle import objections
from tests.agreement.score_oracle import EVALUATORS, answers
from tests.agreement.test_agreement import EACH, SEED
from tests.read_sets import score_set

METRICS = ("tool_trajectory_avg_score", "response_match_score")
HELM = [
    ("eval_set_helm.json", "helm.json"),
    ("evalset_helm_3_2026-02-23.json", "helm_3.json"),
    ("evalset_k8s_2026-02-20.json", "k8s.json"),
]


def all_accepted(expected: bytes, recording: Path, data: bytes | None = None) -> tuple[bytes, list[Any]]:
    """The set with all changes of its recorded cases accepted, and these cases with what was recorded of each."""
    document = Document(expected, Path("a.evalset.json"))
    read = open_recording(recording, multi_turn=True, data=data)
    criteria = criteria_of(None, metrics=[f"{name}=1.0" for name in METRICS])
    run = score_set(set_of(root_of_file(expected), expected, document.path, "a.evalset.json"), criteria, [read])
    items = SetReview(run, passing=True).items
    document.apply(SetPatches(document).edits([(item, item.changes) for item in items]), "accept")
    return document.to_bytes(), [each for each in run.cases if each.run is not None]


def random_sets(dice: random.Random) -> tuple[bytes, bytes]:
    """A set, and another one with the same ids in which turns were changed."""
    expected = {f"case_{number}": [invocation(dice) for _ in range(dice.choice([1, 2]))] for number in range(5)}
    actual = {name: [changed(dice, each) for each in turns] for name, turns in expected.items()}
    ours, theirs = (
        json.dumps(
            {
                "eval_set_id": "s",
                "eval_cases": [{"eval_id": name, "conversation": turns} for name, turns in side.items()],
            },
            indent=2,
        )
        for side in (expected, actual)
    )
    return _without_constants(ours), _without_constants(theirs)


def _without_constants(text: str) -> bytes:
    return text.replace("-Infinity", "9").replace("NaN", "7").replace("Infinity", "8").encode()


def judged_as_recorded(python: str, before: bytes, after: bytes, actual: dict[str, list[Any]]) -> int:
    """Let google-adk read the set and score each case against what was recorded; the number of scores.

    Calls give 1.0. A response gives what it gives against itself, which is 1.0 unless it has no word to compare.
    """
    assert objections(python, "set", [before, after]) == ["", ""]
    expected = {each["eval_id"]: each["conversation"] for each in json.loads(after)["eval_cases"]}
    criterion = {"threshold": 1.0}
    asked = [(name, expected[each], turns) for each, turns in actual.items() for name in METRICS]
    told = answers(python, EVALUATORS, [[name, criterion, ours, theirs] for name, ours, theirs in asked])
    itself = answers(python, EVALUATORS, [[name, criterion, theirs, theirs] for name, _, theirs in asked])
    assert told == itself
    assert {each["score"] for (name, *_), each in zip(asked, told, strict=True) if name == METRICS[0]} == {1.0}
    return len(told)


def test_google_adk_scores_what_was_accepted_as_equal(adk_python: str) -> None:
    dice = random.Random(f"accepted{SEED}")
    draws, judged = max(2, EACH // 5), 0
    for _ in range(draws):
        ours, theirs = random_sets(dice)
        after, cases = all_accepted(ours, Path("b.evalset.json"), theirs)
        recorded = {each["eval_id"]: each["conversation"] for each in json.loads(theirs)["eval_cases"]}
        # What is not recorded is not accepted, so google-adk may score it as different.
        whole = {
            each.eval_id: recorded[each.eval_id]
            for each in cases
            if not any(turn.unrecorded for turn in each.run.conversation.turns)
        }
        if whole:
            scores = judged_as_recorded(adk_python, ours, after, whole)
            assert scores >= 2
            judged += scores
    assert judged >= draws


@pytest.mark.parametrize(("name", "recording"), HELM)
def test_google_adk_accepts_sets_of_other_people_with_accepted_changes(
    adk_python: str, shared_folder: Path, name: str, recording: str
) -> None:
    before = (shared_folder / "recordings" / name).read_bytes()
    after, cases = all_accepted(before, shared_folder / "recordings" / recording)
    recorded = {
        each.eval_id: [
            {
                "user_content": {"parts": [{"text": turn.user_text}]},
                "final_response": {"parts": [{"text": turn.response}]},
                "intermediate_data": {"tool_uses": [{"name": call.name, "args": call.args} for call in turn.calls]},
            }
            for turn in each.run.conversation.turns
        ]
        for each in cases
        if each.run is not None
    }
    assert judged_as_recorded(adk_python, before, after, recorded)

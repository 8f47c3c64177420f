"""Real recordings, and expectations that were altered: brought back to passing by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.case_file import turns_of
from evaltui.evalset.keys import items_of
from tests.sampling import Extent, sampled
from tests.tui.review.reviewed import head
from tests.tui.scenario import SAMPLES, Scenario, scenario

SAMPLE = (SAMPLES / "trip_planner.evalset.json", SAMPLES / "recordings" / "trip_planner_first.evalset_result.json")
OF_OTHERS = {
    "helm": ("eval_set_helm.json", "helm.json"),
    "helm 3": ("evalset_helm_3_2026-02-23.json", "helm_3.json"),
    "Tempo": ("eval_set_helm.json", "tempo_export_with_batches.json"),
    "k8s": ("evalset_k8s_2026-02-20.json", "k8s.json"),
}

RESULTS = ("sample.evalset_result.json", "sample_legacy_double_encoded.evalset_result.json")


def _calls(turn: dict[str, Any]) -> list[dict[str, Any]]:
    data = turn.get("intermediate_data") or {}
    return data.get("tool_uses") or []


def _other_arguments(turn: dict[str, Any]) -> None:
    for call in _calls(turn):
        call["args"] = {"altered": [1, {"deep": None}], **(call.get("args") or {})}


def _fewer_calls(turn: dict[str, Any]) -> None:
    _calls(turn)[:1] = []


def _other_order(turn: dict[str, Any]) -> None:
    _calls(turn).reverse()


def _more_calls(turn: dict[str, Any]) -> None:
    if "tool_uses" in (turn.get("intermediate_data") or {}):
        turn["intermediate_data"]["tool_uses"] = [{"name": "never_called", "args": {"a": 1}}, *_calls(turn)]


def _other_response(turn: dict[str, Any]) -> None:
    turn["final_response"] = {"parts": [{"text": "Another answer."}], "role": "model"}


def _no_expectation(turn: dict[str, Any]) -> None:
    turn.pop("final_response", None)
    turn.pop("intermediate_data", None)


Alteration = Callable[[dict[str, Any]], None]
ALTERATIONS: list[Alteration] = [
    _other_arguments,
    _fewer_calls,
    _other_order,
    _more_calls,
    _other_response,
    _no_expectation,
]


def one_of_each(names: Iterable[str], alterations: Sequence[Alteration]) -> list[tuple[str, Alteration]]:
    """All names with all alterations in a thorough run, else each name with one alteration, another one each."""
    names = list(names)
    if Extent.is_thorough:
        return [*product(names, alterations)]
    return [(name, alterations[(2 * number + 1) % len(alterations)]) for number, name in enumerate(names)]


def _text_of(path: Path) -> str:
    return path.read_text("utf-8")


def altered(data: dict[str, Any], alteration: Callable[[dict[str, Any]], None]) -> str:
    for case in data["eval_cases"]:
        for turn in case.get("conversation") or []:
            alteration(turn)
    return json.dumps(data, indent=2)


def result_of(text: str) -> dict[str, Any]:
    """A result of google-adk; older ones are JSON within a text."""
    result = json.loads(text)
    return json.loads(result) if isinstance(result, str) else result


def set_of_result(text: str) -> dict[str, Any]:
    """The set that a result file of google-adk was made from, as far as the file tells."""
    result = result_of(text)
    cases = [
        {"eval_id": each["eval_id"], "conversation": [turn["expected_invocation"] for turn in turns]}
        for each in result["eval_case_results"]
        if (turns := each["eval_metric_result_per_invocation"])
    ]
    return {"eval_set_id": result["eval_set_id"], "eval_cases": cases}


def sources_of_turns(s: Scenario) -> dict[str, bytes]:
    """The text of each turn, by its pointer."""
    assert s.document.root is not None
    turns = [turn for case in items_of(s.document.root, "eval_cases") for turn in turns_of(case)]
    return {turn.pointer(): turn.source() for turn in turns}


async def _brought_back(text: str, recording: Path, unanswered: int = 0) -> None:
    """Accept one change after the other: each key changes one turn, and in the end all pass.

    In `unanswered` cases the agent did not answer a turn, which can never pass.
    """
    beside = {recording.name: _text_of(recording)}
    async with scenario(text, (100, 30), beside=beside, recordings=[recording.name]) as s:
        await s.press("o")
        for _ in range(200):
            before, turns = head(s), sources_of_turns(s)
            if "/" not in before:
                break
            for key in ("a", "S", "A", "s"):
                await s.press(key)
                now = sources_of_turns(s)
                if now != turns or head(s) != before:
                    break
            if len(now) == len(turns):
                assert sum(now[pointer] != source for pointer, source in turns.items()) <= 1
        await s.press("ctrl+s", "escape", "escape")
        counts = s.app.file.scores.counts
        assert counts["failed"] <= unanswered, [row for row in s.rows() if "✗" in row]
        assert counts["passed"]
        # Nobody knows what the agent responded there, but a turn without an expected response fails.
        assert counts["not_evaluated"] + counts["failed"] >= unanswered
        assert s.file_bytes() == s.bytes()


@pytest.mark.parametrize("alteration", sampled(ALTERATIONS, 2))
async def test_the_sample_set_passes_once_all_is_accepted(alteration: Callable[[dict[str, Any]], None]) -> None:
    path, recording = SAMPLE
    await _brought_back(altered(json.loads(_text_of(path)), alteration), recording)


@pytest.mark.parametrize(("whose", "alteration"), one_of_each(OF_OTHERS, ALTERATIONS))
async def test_recordings_of_others(
    whose: str, alteration: Callable[[dict[str, Any]], None], shared_folder: Path
) -> None:
    names, folder = OF_OTHERS[whose], shared_folder / "recordings"
    await _brought_back(altered(json.loads(_text_of(folder / names[0])), alteration), folder / names[1])


@pytest.mark.parametrize(("name", "alteration"), one_of_each(RESULTS, [*ALTERATIONS, lambda turn: None]))
async def test_results_of_google_adk(
    name: str, alteration: Callable[[dict[str, Any]], None], shared_folder: Path
) -> None:
    path = shared_folder / "recordings" / name
    text = _text_of(path)
    cases = result_of(text)["eval_case_results"]
    answers = [
        [turn["actual_invocation"]["final_response"] for turn in case["eval_metric_result_per_invocation"]]
        for case in cases
    ]
    unanswered = sum(not all(each and each["parts"] for each in answered) for answered in answers)
    await _brought_back(altered(set_of_result(text), alteration), path, unanswered)

"""Real recordings, and expectations that were altered: brought back to passing by keyboard alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tui.review.reviewed import head
from tests.tui.scenario import SAMPLES, scenario

SAMPLE = (SAMPLES / "trip_planner.evalset.json", SAMPLES / "recordings" / "trip_planner_first.evalset_result.json")
OF_OTHERS = {
    "helm": ("eval_set_helm.json", "helm.json"),
    "helm 3": ("evalset_helm_3_2026-02-23.json", "helm_3.json"),
    "Tempo": ("eval_set_helm.json", "tempo_export_with_batches.json"),
    "k8s": ("evalset_k8s_2026-02-20.json", "k8s.json"),
}


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


ALTERATIONS: list[Callable[[dict[str, Any]], None]] = [
    _other_arguments,
    _fewer_calls,
    _other_order,
    _more_calls,
    _other_response,
    _no_expectation,
]


def _text_of(path: Path) -> str:
    return path.read_text("utf-8")


def altered(path: Path, alteration: Callable[[dict[str, Any]], None]) -> str:
    data = json.loads(_text_of(path))
    for case in data["eval_cases"]:
        for turn in case.get("conversation") or []:
            alteration(turn)
    return json.dumps(data, indent=2)


async def _brought_back(path: Path, recording: Path, alteration: Callable[[dict[str, Any]], None]) -> None:
    text, beside = altered(path, alteration), {recording.name: _text_of(recording)}
    async with scenario(text, (100, 30), beside=beside, recordings=[recording.name]) as s:
        await s.press("o")
        for _ in range(40):
            before = head(s)
            if "/" not in before:
                break
            await s.press("S")
            if head(s) == before:
                await s.press("A")
            if head(s) == before:
                await s.press("s")
        await s.press("ctrl+s", "escape", "escape")
        assert not s.app.session.scores.counts["failed"], [row for row in s.rows() if "✗" in row]
        assert s.app.session.scores.counts["passed"]
        assert s.file_bytes() == s.bytes()


@pytest.mark.parametrize("alteration", ALTERATIONS)
async def test_the_sample_set_passes_once_all_is_accepted(alteration: Callable[[dict[str, Any]], None]) -> None:
    await _brought_back(*SAMPLE, alteration)


@pytest.mark.parametrize("alteration", ALTERATIONS)
@pytest.mark.parametrize("names", OF_OTHERS.values(), ids=OF_OTHERS)
async def test_recordings_of_others(
    names: tuple[str, str], alteration: Callable[[dict[str, Any]], None], shared_folder: Path
) -> None:
    folder = shared_folder / "recordings"
    await _brought_back(folder / names[0], folder / names[1], alteration)

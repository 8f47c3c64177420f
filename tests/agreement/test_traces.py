"""The turns of traces are those that agentevals finds: as written down, and in thousands of traces where it is."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

import pytest

from evaltui.evalset.turn import Turn
from evaltui.recordings.traces.trace_file import read_traces, trace_format
from tests.agreement.trace_mutator import mutated, plain, random_spans, written
from tests.agreement.trace_oracle import PUBLIC, TRACES, conversations_of

TURNS = json.loads((TRACES / "turns.json").read_bytes())
RECORDED = sorted(TRACES.glob("*.jsonl"))
SEED = os.environ.get("EVALTUI_MUTATION_SEED", "")
COUNT = 100 * int(os.environ.get("EVALTUI_MUTATIONS", "10"))


@pytest.mark.parametrize("path", RECORDED, ids=[path.stem for path in RECORDED])
def test_the_turns_of_what_real_recorders_wrote_are_those_of_agentevals(path: Path) -> None:
    assert_as_written_down(path)


@pytest.mark.parametrize("name", PUBLIC)
def test_the_turns_of_public_traces_are_those_of_agentevals(name: str, shared_folder: Path) -> None:
    assert_as_written_down(shared_folder / "recordings" / name)


def test_the_turns_of_random_traces_are_those_of_agentevals(agentevals_python: str) -> None:
    chance = random.Random("random" + SEED)
    assert_agreement(agentevals_python, [(random_spans(chance), chance.random() < 0.3) for _ in range(COUNT)], chance)


def test_the_turns_of_changed_traces_are_those_of_agentevals(agentevals_python: str) -> None:
    chance = random.Random("changed" + SEED)
    recorded = [spans_of(path) for path in RECORDED]
    changed = ((mutated(chance.choice(recorded), chance), chance.random() < 0.3) for _ in range(COUNT))
    assert_agreement(agentevals_python, [each for each in changed if each[0]], chance)


def test_the_turns_of_changed_public_traces_are_those_of_agentevals(
    agentevals_python: str, shared_folder: Path
) -> None:
    chance = random.Random("public" + SEED)
    public = [spans_of(shared_folder / "recordings" / name) for name in PUBLIC]
    changed = ((mutated(chance.choice(public), chance), chance.random() < 0.3) for _ in range(COUNT // 5))
    assert_agreement(agentevals_python, [each for each in changed if each[0]], chance)


def assert_as_written_down(path: Path) -> None:
    text = path.read_text()
    for name, multi_turn in (("each", False), ("grouped", True)):
        ours = found(text, multi_turn=multi_turn)
        assert _as_recorded(TURNS[path.name][name], ours) == ours


def assert_agreement(python: str, traces: list[tuple[Any, bool]], chance: random.Random) -> None:
    """Each trace gives the same turns, unless agentevals itself fails at it, which it seldom does."""
    files = [(written(spans, chance, as_jaeger), chance.random() < 0.5) for spans, as_jaeger in traces]
    failed = 0
    for (text, multi_turn), theirs in zip(files, conversations_of(python, files), strict=True):
        ours = found(text, multi_turn)
        failed += "error" in theirs
        assert _as_recorded(theirs.get("found", ours), ours) == ours, text
    assert failed < len(files) / 50


def spans_of(path: Path) -> list[dict[str, Any]]:
    documents = documents_of(path.read_text())
    format = trace_format(documents[0])
    assert format
    spans = [span for document in documents for span in plain(document, format)]
    return [span for number, span in enumerate(spans) if span["attributes"] or number < 10]


def found(text: str, multi_turn: bool) -> Any:
    """What we find in a file, in the words of the oracle."""
    documents = documents_of(text)
    format = trace_format(documents[0])
    assert format
    conversations = read_traces(documents, Path("x.json"), format, multi_turn=multi_turn).conversations
    said = [
        {"key": each.id, "case": each.case_id, "turns": [_turn(turn) for turn in each.turns]} for each in conversations
    ]
    return json.loads(json.dumps(said))


def _as_recorded(theirs: Any, ours: Any) -> Any:
    """What agentevals finds, without the parts that are not recorded here.

    For arguments it has {} or a value that was cut off; for texts an earlier text, or the JSON of something else.
    """
    if len(theirs) != len(ours):
        return theirs
    for one, other in zip(theirs, ours, strict=True):
        for turn, same in zip(one["turns"], other["turns"], strict=False):
            for part in ("user", "final"):
                if same[part] is None:
                    turn[part] = None
            for call, mine in zip(turn["calls"], same["calls"], strict=False):
                if mine[1] is None:
                    assert not call[1] or list(call[1]) == ["value"], "agentevals knows arguments"
                    call[1] = None
    return theirs


def documents_of(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.split("\n") if line.strip()]


def _turn(turn: Turn) -> dict[str, Any]:
    return {
        "id": turn.invocation_id,
        "user": None if "user_text" in turn.unrecorded else turn.user_text,
        "final": None if "response" in turn.unrecorded else turn.response,
        "calls": [[call.name, call.args if call.has_args else None, call.id, call.response] for call in turn.calls],
        "inference": turn.inference_calls,
        "tokens": turn.tokens,
    }

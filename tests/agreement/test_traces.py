"""The turns of traces are those that agentevals finds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from evaltui.evalset.turn import Turn
from evaltui.recordings.traces import read_traces, trace_format


def ours(text: str, multi_turn: bool) -> list[dict[str, Any]]:
    """What we find in a file, in the words of the oracle."""
    documents = documents_of(text)
    format = trace_format(documents[0])
    assert format
    found, _ = read_traces(documents, Path("x.json"), format, multi_turn=multi_turn)
    said = [{"key": each.id, "case": each.case_id, "turns": [_turn(turn) for turn in each.turns]} for each in found]
    return json.loads(json.dumps(said))


def documents_of(text: str) -> list[Any]:
    try:
        return [json.loads(text)]
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]


def _turn(turn: Turn) -> dict[str, Any]:
    tokens = turn.tokens
    return {
        "id": turn.invocation_id,
        "user": turn.user_text,
        "final": turn.response,
        "calls": [[call.name, call.args, call.id, call.response] for call in turn.calls],
        "inference": turn.inference_calls,
        "tokens": [tokens and tokens.input, tokens and tokens.output, tokens and tokens.cached],
    }

"""Asks agentevals, in a Python of its own, which turns it finds in traces."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

TRACES = Path(__file__).parent.parent / "data" / "traces"
PUBLIC = ("helm.json", "helm_2.json", "helm_3.json", "k8s.json", "tempo_export_with_batches.json")

_PROGRAM = """
import json, logging, sys
logging.disable(logging.CRITICAL)
from agentevals.loader import load_telemetry_text
from agentevals.genai.extract import extract_conversation
from agentevals.genai.grouping import group_traces, has_session_name
from agentevals.genai.matching import EVAL_CASE_ID
from agentevals.genai.messages import text_of
from agentevals.otel.identity import coerce_key

def wrapped(value, key):
    return value if isinstance(value, dict) else {} if value is None else {key: value}

def call(each):
    result = None if each.result is None else wrapped(each.result, "result")
    return [each.name, wrapped(each.arguments, "value"), each.call_id, result]

def turn(each):
    counts = [count for count in (each.usage.input_tokens, each.usage.output_tokens) if count is not None]
    return {
        "id": each.ref.span_id,
        "user": text_of(each.user_input) or "",
        "final": text_of(each.final_output) or "",
        "calls": [call(tool) for tool in each.tool_calls],
        "inference": len(each.llm_calls),
        "tokens": sum(counts) if counts else None,
    }

def case(traces):
    for trace in traces:
        for span in trace.spans.values():
            for attributes in (span.attributes, span.resource.attributes):
                found = coerce_key(attributes.get(EVAL_CASE_ID))
                if found:
                    return found

def conversations(text, multi_turn):
    traces = load_telemetry_text(text).traces
    groups = group_traces(traces, has_session_name(traces) or multi_turn)
    said = [
        {"key": key, "case": case(members), "turns": [turn(each) for each in extract_conversation(members, key).turns]}
        for key, members in groups
    ]
    return [each for each in said if each["turns"]]

for line in sys.stdin:
    text, multi_turn = json.loads(line)
    try:
        said = {"found": conversations(text, multi_turn)}
        data = json.dumps(said)
    except Exception as error:
        data = json.dumps({"error": f"{type(error).__name__}: {error}"[:500]})
    print(data, flush=True)
"""


def conversations_of(python: str, files: Sequence[tuple[str, bool]]) -> list[dict[str, Any]]:
    """For each text of a file, and whether the set has a case of several turns: `found` or `error`."""
    asked = "".join(json.dumps(each) + "\n" for each in files)
    run = subprocess.run([python, "-c", _PROGRAM], input=asked, capture_output=True, text=True, check=True)
    sys.stderr.write(run.stderr[-2000:])
    return [json.loads(line) for line in run.stdout.splitlines()]


def main() -> None:
    """Write down what agentevals finds in the recorded traces and in the public ones: `… PYTHON SHARED_FOLDER`."""
    python, shared = sys.argv[1:]
    paths = [*sorted(TRACES.glob("*.jsonl")), *(Path(shared) / "recordings" / name for name in PUBLIC)]
    files = [(path.read_text(), multi_turn) for path in paths for multi_turn in (False, True)]
    found = iter(conversations_of(python, files))
    turns = {path.name: {"each": next(found)["found"], "grouped": next(found)["found"]} for path in paths}
    (TRACES / "turns.json").write_text(json.dumps(turns, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()

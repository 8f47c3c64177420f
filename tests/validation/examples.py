"""The examples of the rules as files."""

import json
from collections.abc import Container, Sequence
from typing import Any

from evaltui.validation.rule import Example

GOOD_TURN = '{"user_content": {"parts": [{"text": "Hi"}]}, "final_response": {"parts": [{"text": "Hello"}]}}'


def file_of(example: Example) -> bytes:
    """The whole file that an example stands for."""
    text = example.text
    if example.kind == "turn":
        text = f'{{"eval_id": "a", "conversation": [{text}]}}'
    if example.kind in ("turn", "case"):
        text = f'{{"eval_set_id": "s", "eval_cases": [{text}]}}'
    return text.encode("utf-8", "surrogatepass")


def json_of(probes: Sequence[dict[str, Any]], beyond: Container[str]) -> list[tuple[str, Any, bool]]:
    """Name, data and google-adk's verdict of each probe that is about what is in the JSON; not of those `beyond`."""
    found = []
    for probe in probes:
        try:
            data = json.loads(probe.get("text", ""))
        except (ValueError, RecursionError):
            continue
        if probe["name"] not in beyond:
            found.append((probe["name"], data, probe["accepted"]))
    return found

"""agents-cli and agentplatform read in converted datasets what the eval sets say; google-adk reads the way back."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.evalset.file_formats import format_of_document, is_eval_set
from evaltui.evalset.keys import snake
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from evaltui.interop.fields import ConversionError
from tests.agreement.dataset_oracle import told
from tests.agreement.oracle import objections
from tests.interop.completeness import converted, leaves
from tests.interop.plain_sets import accepted_set
from tests.interop.random_datasets import random_dataset
from tests.interop.random_sets import random_set

COUNT = int(os.environ.get("EVALTUI_MUTATIONS", "10")) * 5
SEED = os.environ.get("EVALTUI_MUTATION_SEED", "")
RANDOM_SETS = [random_set(f"agreement {SEED} {number}") for number in range(COUNT)]


def public_sets(shared_folder: Path) -> list[Any]:
    """The eval sets of the corpus as plain data."""
    files = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*.json"))]
    return [json.loads(data) for data in files if is_eval_set(Document(data).root)]


def dataset_of(document: Any) -> Any:
    return converted(document, EVAL_SET, EVALUATION_DATASET).documents[0]


def said_in(parts: list[Any]) -> tuple[list[str], list[Any], list[Any]]:
    """The texts and calls of parts in their order, and the responses in any order."""
    seen = [{snake(name): each for name, each in part.items()} for part in parts]
    calls = [part["function_call"] for part in seen if part.get("function_call")]
    responses = [part["function_response"] for part in seen if part.get("function_response")]
    texts = [part["text"] for part in seen if part.get("text")]
    return (
        texts,
        [(each["name"], each.get("args") or {}) for each in calls],
        sorted(json.dumps([each["name"], each.get("response") or {}], sort_keys=True) for each in responses),
    )


def parts_of_turn(turn: dict[str, Any]) -> Iterator[Any]:
    """All that is said and called in a turn, as google-adk's model has it."""
    yield from turn["user_content"]["parts"] or []
    data = turn["intermediate_data"] or {}
    for event in data.get("invocation_events") or []:
        yield from (event["content"] or {}).get("parts") or []
    for _, parts in data.get("intermediate_responses") or []:
        yield from parts
    yield from ({"function_call": each} for each in data.get("tool_uses") or [])
    yield from ({"function_response": each} for each in data.get("tool_responses") or [])
    yield from (turn["final_response"] or {}).get("parts") or []


def assert_read_as_meant(python: str, documents: list[Any]) -> int:
    """Each case gives the session and the message of its source; the number of cases with a conversation."""
    datasets = [dataset_of(each) for each in documents]
    assert set(told(python, "objection", datasets)) == {""}
    seen = 0
    for document, sessions in zip(documents, told(python, "sessions", datasets), strict=True):
        for case, session in zip(accepted_set(document)["eval_cases"], sessions, strict=True):
            if not case["conversation"]:
                assert "refused" in session
                continue
            seen += 1
            assert_session(case, session)
    return seen


def assert_session(case: dict[str, Any], session: dict[str, Any]) -> None:
    *earlier, last = case["conversation"]
    state = (case["session_input"] or {}).get("state") or {}
    seeded = list(session["prior"])
    if state:
        assert seeded.pop(0) == {"author": "user", "actions": {"stateDelta": state}}
    assert all("actions" not in event for event in seeded)
    prior = [part for event in seeded for part in (event.get("content") or {}).get("parts") or []]
    assert said_in(prior) == said_in([part for turn in earlier for part in parts_of_turn(turn)])
    assert said_in(session["message"]["parts"]) == said_in(last["user_content"]["parts"] or [])


def test_agents_cli_generates_from_what_random_sets_become(agents_cli_python: str) -> None:
    assert assert_read_as_meant(agents_cli_python, RANDOM_SETS) > COUNT / 2


def test_agents_cli_generates_from_what_public_sets_become(agents_cli_python: str, shared_folder: Path) -> None:
    documents = [each for each in public_sets(shared_folder) if accepted_set(each) is not None]
    assert assert_read_as_meant(agents_cli_python, documents) > 200


def test_agentplatform_accepts_what_any_public_file_becomes(agents_cli_python: str, shared_folder: Path) -> None:
    datasets = [dataset_of(each) for each in public_sets(shared_folder)]
    assert len(datasets) > 90
    assert set(told(agents_cli_python, "objection", datasets)) == {""}


def test_agents_cli_optimizes_with_prompts_references_and_rubrics(agents_cli_python: str) -> None:
    """`eval optimize` looks at prompts, not at agent_data, so one turn without state is what it can use."""
    compared = 0
    for document, made in zip(
        RANDOM_SETS, told(agents_cli_python, "optimized", [dataset_of(each) for each in RANDOM_SETS]), strict=True
    ):
        for case, other in zip(accepted_set(document)["eval_cases"], made["eval_cases"], strict=True):
            texts = [each["rubric_content"]["text_property"] or "" for each in case["rubrics"] or []]
            found = [each["rubric_content"]["text_property"] for each in other.get("rubrics") or []]
            assert set(texts) <= set(found)
            turns, state = case["conversation"] or [], (case["session_input"] or {}).get("state")
            if len(turns) == 1 and not state:
                compared += 1
                (turn,) = other["conversation"]
                assert said_in(turn["user_content"]["parts"]) == said_in(turns[0]["user_content"]["parts"] or [])
                given = (turns[0]["final_response"] or {}).get("parts") or []
                assert said_in((turn.get("final_response") or {}).get("parts") or []) == said_in(given)
    assert compared > COUNT / 5


def test_the_official_migration_loses_what_evaltui_keeps(agents_cli_python: str, shared_folder: Path) -> None:
    """Values of the cases of public sets that stand in the dataset of evaltui, and in that of agents-cli."""
    documents = [each for each in public_sets(shared_folder) if accepted_set(each) is not None]
    kept_of, kept = 0, 0
    for document, official in zip(documents, told(agents_cli_python, "migrated", documents), strict=True):
        ours = [leaf for _, leaf in leaves(dataset_of(document))]
        theirs = [leaf for _, leaf in leaves(official)]
        cases = [leaf for _, leaf in leaves(document["eval_cases"])]
        kept_of += sum(leaf in theirs for leaf in cases)
        kept += sum(leaf in ours for leaf in cases)
    assert kept > kept_of * 1.5


@pytest.mark.parametrize("kind", ["random", "back"])
def test_google_adk_accepts_what_datasets_become(adk_python: str, kind: str) -> None:
    datasets = [random_dataset(f"{SEED} {number}") for number in range(COUNT)]
    sources = datasets if kind == "random" else [dataset_of(each) for each in RANDOM_SETS]
    sets = []
    for source in sources:
        with suppress(ConversionError):  # a dataset without a conversation, a scenario or a prompt is refused
            sets.append(converted(source, EVALUATION_DATASET, EVAL_SET).documents[0])
    assert len(sets) > len(sources) * 0.8
    assert set(objections(adk_python, "set", [json.dumps(each).encode() for each in sets])) == {""}


def test_google_adk_accepts_what_public_datasets_become(adk_python: str, shared_folder: Path) -> None:
    files = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*platform_dataset*.json"))]
    assert {format_of_document(Document(data).root) for data in files} == {"evaluation_dataset"}
    sets = [converted(data, EVALUATION_DATASET, EVAL_SET).documents[0] for data in files]
    assert set(objections(adk_python, "set", [json.dumps(each).encode() for each in sets])) == {""}

"""Rules of datasets find nothing in written datasets but faults of the source's own content."""

import json
from pathlib import Path
from typing import Any

import pytest

from evaltui.document.document import Document
from evaltui.document.node import Node, read_document
from evaltui.interop.conversion import convert, text_of
from evaltui.interop.conversion_formats import format_of_source
from evaltui.interop.eval_sets.writer import EVAL_SET
from evaltui.interop.evaluation_datasets.writer import EVALUATION_DATASET
from tests.interop.completeness import converted
from tests.interop.evaluation_datasets.test_writing import case_of, turn
from tests.interop.random_sets import random_set
from tests.sampling import sampled
from tests.validation.datasets import check_dataset

OF_THE_CONTENT = {
    *("no-user-text", "empty-rubric", "empty-reference", "empty-dataset", "empty-dataset-case"),
    *("duplicate-eval-case-id", "case-not-generated"),
}
"""Rules about texts that the source lacks too, about ids that it has twice, and about its scenarios."""


def findings_of(root: Node) -> list[tuple[str, str]]:
    """The codes and sentences of warnings and errors in the dataset that is written of a set."""
    written = convert(root, EVAL_SET, EVALUATION_DATASET, "the_set")
    found = check_dataset(Document(text_of(written)))
    return [(each.code, each.message) for each in found if each.severity != "info" and each.code not in OF_THE_CONTENT]


def test_datasets_of_the_corpus_have_no_findings(shared_folder: Path) -> None:
    count = 0
    for path in sorted((shared_folder / "corpus").glob("*.json")):
        root = Document(path.read_bytes()).root
        if root is not None and format_of_source(root, path.name) is EVAL_SET:
            count += 1
            assert findings_of(root) == [], path.name
    assert count >= 60


@pytest.mark.parametrize("seed", sampled(range(10)))
def test_datasets_of_random_sets_have_no_findings(seed: int) -> None:
    for number in range(15):
        assert findings_of(read_document(json.dumps(random_set(f"{seed} {number}")).encode())) == []


def authored(*authors: str) -> dict[str, Any]:
    call = {"role": "model", "parts": [{"function_call": {"name": "book", "args": {}}}]}
    return {"invocation_events": [{"author": author, "content": call} for author in authors]}


def test_the_map_of_agents_has_the_invented_author_too() -> None:
    first = turn("Paris", "When?", intermediate_data=authored("desk", "model", "user"))
    data = case_of({"conversation": [first, turn("Monday")]})["agent_data"]
    assert data["agents"] == {"desk": {"agent_id": "desk"}, "agent": {"agent_id": "agent"}}
    assert [event["author"] for event in data["turns"][0]["events"]] == ["user", "desk", "model", "user", "agent"]


def test_where_no_author_has_a_name_there_is_no_map_of_agents() -> None:
    assert "agents" not in case_of({"conversation": [turn("Paris", "When?"), turn("Monday")]})["agent_data"]


def test_the_invented_author_becomes_no_agent_on_the_way_back() -> None:
    first = turn("Paris", "When?", intermediate_data=authored("desk"))
    source = {"eval_set_id": "trips", "eval_cases": [{"eval_id": "paris", "conversation": [first, turn("Monday")]}]}
    (written,) = converted(source, EVAL_SET, EVALUATION_DATASET).documents
    back = converted(written, EVALUATION_DATASET, EVAL_SET, "trips")
    assert back.documents[0]["eval_cases"] == source["eval_cases"]
    assert [(loss.kind, loss.pointer) for loss in back.losses] == [("invented", "/eval_set_id")]

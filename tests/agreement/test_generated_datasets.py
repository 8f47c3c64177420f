"""A dataset of which `agents-cli eval generate` does not run all cases has a finding that says so, and no other has."""

import json
import random
from pathlib import Path

from evaltui.document.document import Document
from evaltui.evalset.case_format import DATASET
from evaltui.validation.checked_case import CheckedCase
from tests.agreement.dataset_words import OF_DATASETS
from tests.agreement.generate_oracle import refusals
from tests.agreement.mutator import mutations
from tests.agreement.test_agreement import EACH, SEED
from tests.agreement.test_datasets import PROBES, objection
from tests.validation.datasets import check_dataset

SAYING = {
    *("prompt-and-agent-data", "no-user-message-last", "empty-dataset-case", "case-not-generated", "empty-dataset"),
    *("camel-case-key",),
}
CASES = [
    json.dumps({"eval_cases": [case]})
    for case in (
        {"eval_case_id": "a", "prompt": {"role": "user", "parts": [{"text": "Hi"}]}},
        {
            "eval_case_id": "b",
            "agent_data": {
                "agents": {"desk": {"agent_id": "desk"}},
                "turns": [
                    {"events": [{"author": "user", "content": {"parts": [{"text": "Hi"}]}}]},
                    {"events": [{"author": "desk", "content": {"parts": [{"text": "Hello"}]}}]},
                    {"events": [{"author": "user", "content": {"parts": [{"text": "Bye"}]}, "state_delta": {"a": 1}}]},
                ],
            },
        },
    )
]


def says_so(data: bytes) -> bool:
    """Whether evaltui says that a case is not run; keys that only `eval optimize` does not find are an info."""
    found = list(check_dataset(Document(data)))
    return any(each.code in SAYING and (each.code, each.severity) != ("camel-case-key", "info") for each in found)


def is_compared(data: bytes) -> bool:
    """Whether agentplatform accepts the dataset, and it has no finished trace, no other source and no misspelt key."""
    if objection(data) or not isinstance(value := json.loads(data), dict):
        return False
    cases = value.get("evalCases", value.get("eval_cases")) or []
    is_misspelt = any(each.code == "misspelt-key-ignored" for each in check_dataset(Document(data)))
    others = {"eval_dataset_df", "evalDatasetDf", "bigquery_source", "bigquerySource", "gcs_source", "gcsSource"}
    has_others = is_misspelt or any(value.get(name) is not None for name in others)
    return not has_others and not any(CheckedCase(case, DATASET).is_recorded for case in cases)


def assert_agreement(python: str, files: list[bytes]) -> None:
    compared = [data for data in files if is_compared(data)]
    theirs = refusals(python, compared)
    differing = [
        f"agents-cli: {said or 'runs all'}\n{data[:1500]!r}"
        for data, said in zip(compared, theirs, strict=True)
        if bool(said) != says_so(data)
    ]
    assert not differing, "\n\n".join(differing[:5])
    assert any(theirs)
    assert not all(theirs)


def test_what_is_said_of_the_probes_is_what_eval_generate_does(agents_cli_python: str) -> None:
    assert_agreement(agents_cli_python, [probe["text"].encode("utf-8", "surrogatepass") for probe in PROBES])


def test_what_is_said_of_changed_cases_is_what_eval_generate_does(agents_cli_python: str) -> None:
    texts = [*CASES, *(probe["text"] for probe in PROBES if probe["accepted"])]
    files = [data for text in texts for data in mutations(text, random.Random(text + SEED), 3 * EACH, OF_DATASETS)]
    files += [data for text in CASES for data in mutations(text, random.Random(SEED), 40 * EACH, OF_DATASETS)]
    assert_agreement(agents_cli_python, files)


def test_what_is_said_of_public_datasets_is_what_eval_generate_does(
    agents_cli_python: str, shared_folder: Path
) -> None:
    paths = sorted((shared_folder / "corpus").glob("*platform_dataset*.json"))
    assert_agreement(agents_cli_python, [path.read_bytes() for path in paths])

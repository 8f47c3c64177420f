"""The models accept what google-adk accepts: its recorded verdicts, and, where it is installed, thousands of files."""

import base64
import json
import os
import random
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError

from evaltui.document.document import Document
from evaltui.evalset.schema.eval_case import EvalSet
from evaltui.validation.file_check import check_file
from tests.agreement.mutator import mutations
from tests.agreement.oracle import objections

PROBES = json.loads((Path(__file__).parent.parent / "data" / "validation_probes.json").read_bytes())["probes"]
SAMPLES = Path(__file__).parent.parent.parent / "sample_sets"
EACH = int(os.environ.get("EVALTUI_MUTATIONS", "10"))
"""Files made of each one; `make agreement` makes more."""
SEED = os.environ.get("EVALTUI_MUTATION_SEED", "")
LARGEST = 60_000


def objection(data: bytes) -> str:
    """What our models have against a file."""
    try:
        EvalSet.model_validate_json(data)
    except ValidationError as error:
        return str(error)
    return ""


def bytes_of(probe: dict[str, str]) -> bytes:
    return base64.b64decode(probe["base64"]) if "base64" in probe else probe["text"].encode("utf-8", "surrogatepass")


def refused_as(name: str) -> Callable[[bytes], str]:
    """What `evaltui validate` says of a file of that name: "" where google-adk is said to accept it."""
    return lambda data: "" if check_file(Document(data), name).accepted_by_adk else "refused"


def test_the_verdict_on_each_probe_is_that_of_google_adk() -> None:
    assert [probe["name"] for probe in PROBES if (not objection(bytes_of(probe))) != probe["accepted"]] == []


def test_the_verdicts_on_public_files_are_those_of_google_adk(adk_python: str, shared_folder: Path) -> None:
    files = [path.read_bytes() for path in sorted((shared_folder / "corpus").glob("*.json"))]
    assert_agreement(adk_python, files)


def test_the_verdicts_on_changed_files_are_those_of_google_adk(adk_python: str, shared_folder: Path) -> None:
    files = []
    for path in [*sorted((shared_folder / "corpus").glob("*.json")), *sorted(SAMPLES.glob("*.json"))]:
        try:
            text = path.read_bytes().decode("utf-8-sig")
            json.loads(text)
        except ValueError:
            continue
        if len(text) <= LARGEST:
            files += mutations(text, random.Random(path.name + SEED), EACH)
    assert len(files) >= 100 * EACH
    assert_agreement(adk_python, files)
    name = "set.evalset.json"
    sets = [data for data in files if check_file(Document(data), name).format in ("eval_set", "not_json")]
    assert_agreement(adk_python, sets, ask=refused_as(name))


def assert_agreement(
    adk_python: str, files: list[bytes], kind: str = "set", ask: Callable[[bytes], str] = objection
) -> None:
    theirs = objections(adk_python, kind, files)
    assert not any("No module named" in their for their in theirs), "google-adk lacks its extra: google-adk[eval]"
    ours = [ask(data) for data in files]
    differing = [
        f"google-adk: {their[:300] or 'accepted'}\nours: {our[:300] or 'accepted'}\n{data[:2000]!r}"
        for data, our, their in zip(files, ours, theirs, strict=True)
        if bool(our) != bool(their)
    ]
    assert not differing, "\n\n".join(differing[:5])
    assert any(not their for their in theirs)
    assert any(theirs)

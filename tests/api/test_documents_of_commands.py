"""The API gives the values of the JSON that the commands print: on the samples, and on public files."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evaltui.api import EvaltuiError, Scores, review, score, validate_files
from tests.api.conftest import Document
from tests.commands.conftest import Evaltui
from tests.sampling import Extent, sampled

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sets"
SAMPLED = 9 if Extent.is_thorough else 27
"""Every so many files of the corpus; all files take half a minute."""


def as_json(values: Any) -> Any:
    return json.loads(json.dumps(values, allow_nan=False))


def run_document(scores: Scores) -> dict[str, Any]:
    """The document of `evaltui run`, as far as the API has it."""
    return {
        "set": scores.eval_set.as_dict(),
        "config": scores.criteria.as_dict(),
        "recordings": [each.as_dict() for each in scores.recordings],
        "cases": [each.as_dict() for each in scores],
        "unmatched_recordings": [each.as_dict() for each in scores.unmatched_recordings],
    }


@pytest.fixture
def samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the samples, in the current folder."""
    shutil.copytree(SAMPLES, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_scores_and_reviews_of_the_samples(samples: Path, document: Document) -> None:
    for path in sampled(sorted(each.name for each in samples.glob("*.evalset.json")), 3):
        for runs in ("latest", "all"):
            said = document("run", path, "-r", "recordings", "--runs", runs)
            mine = run_document(score(path, "recordings", runs=runs))
            assert as_json(mine) == {name: said[name] for name in mine}, path
        for passing in (False, True):
            said = document("review", path, "-r", "recordings", *(["--all"] if passing else []))
            assert as_json([each.as_dict() for each in review(path, "recordings", passing=passing)]) == said["items"]


@pytest.mark.usefixtures("samples")
def test_problems_of_the_samples(document: Document) -> None:
    reports = validate_files(".")
    assert as_json([each.as_dict() for each in reports]) == document("validate", ".")["files"]
    assert sum(len(each.diagnostics) for each in reports) > 10


def recorded(shared: Path) -> Iterator[tuple[str, str | None]]:
    """Public files, each with its recordings: another folder, itself, or none."""
    files = sorted((shared / "corpus").glob("*.json"))[::SAMPLED]
    for path in map(str, files):
        yield from ((path, recordings) for recordings in (path, None))
    for path in sorted((shared / "recordings").glob("eval*set*.json")):
        yield str(path), str(shared / "recordings")


def test_scores_of_public_files(shared_folder: Path, evaltui: Evaltui) -> None:
    scored = 0
    for path, recordings in recorded(shared_folder):
        done = evaltui("run", path, *(["-r", recordings] if recordings else []), "--format", "json")
        if done.code == 2:
            with pytest.raises(EvaltuiError) as refused:
                score(path, recordings)
            assert str(refused.value) in done.err
            continue
        said = json.loads(done.out)
        mine = run_document(score(path, recordings))
        assert as_json(mine) == {name: said[name] for name in mine}, path
        scored += 1
    assert scored > 5


def test_problems_of_public_files(shared_folder: Path, document: Document) -> None:
    files = sorted((shared_folder / "corpus").glob("*.json"))[::SAMPLED]
    reports = validate_files(files)
    assert as_json([each.as_dict() for each in reports]) == document("validate", *files)["files"]

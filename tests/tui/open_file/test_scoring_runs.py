"""Runs of the scores: cancelled, paused, and again while an input is half written."""

import asyncio
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.runs.run_options import RunOptions
from evaltui.tui.open_file.open_file import OpenFile
from tests.scored_sets import RECORDING, SET
from tests.tui.headless import HeadlessApp


@pytest.fixture
def file(tmp_path: Path) -> OpenFile:
    """An open set with a recording beside it."""
    (tmp_path / "set.evalset.json").write_text(SET)
    (tmp_path / "actual.json").write_text(RECORDING)
    options = RunOptions((str(tmp_path / "actual.json"),))
    return OpenFile(Document.open(tmp_path / "set.evalset.json"), HeadlessApp(), options)


def score(file: OpenFile, *, anew: bool = False, cancels: bool = False) -> None:
    async def run() -> None:
        file.scorer.runs.want(anew=anew)
        running = asyncio.create_task(file.scorer.runs.run())
        await asyncio.sleep(0)
        if cancels:
            file.scorer.runs.cancel()
        await running

    asyncio.run(run())


def test_a_cancelled_run_leaves_the_last_scores_outdated_and_the_next_one_scores_all(file: OpenFile) -> None:
    scores = file.scores
    score(file)
    assert scores.counted() == "1 ✓ 2 ✗ 1 –"
    score(file, anew=True, cancels=True)
    assert scores.counted() == "4 outdated"
    assert scores.facts is not None
    assert scores.facts.outdated == "the run was cancelled"
    score(file, anew=True)
    assert scores.counted() == "1 ✓ 2 ✗ 1 –"


def test_a_half_written_recording_is_waited_for(file: OpenFile, tmp_path: Path) -> None:
    seen = []

    def shown() -> None:
        if seen:
            seen.append(file.scores.counted())
            (tmp_path / "actual.json").write_text(RECORDING)

    assert isinstance(file.app, HeadlessApp)
    file.app.told.when_scored = shown
    score(file)
    seen.append(file.scores.counted())
    (tmp_path / "actual.json").write_text(RECORDING[:100])
    score(file, anew=True)
    assert seen[:2] == ["1 ✓ 2 ✗ 1 –", "1 – 3 outdated"]
    assert file.scores.counted() == "1 ✓ 2 ✗ 1 –"

"""Runs of the scores: cancelled, paused, and again while an input is half written."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.tui.editor.scoring_runs import ScoringRuns
from evaltui.tui.session.scored_with import ScoredWith
from evaltui.tui.session.scores import Scores
from tests.scored_sets import RECORDING, SET


@pytest.fixture
def scores(tmp_path: Path) -> Scores:
    """The scores of a set with a recording beside it."""
    (tmp_path / "set.evalset.json").write_text(SET)
    (tmp_path / "actual.json").write_text(RECORDING)
    document = Document.open(tmp_path / "set.evalset.json")
    return Scores(lambda: document)


def runs_of(
    scores: Scores,
    folder: Path,
    show: Callable[[], object] = lambda: None,
    last_key: Callable[[], float] = lambda: 0.0,
) -> ScoringRuns:
    return ScoringRuns(scores, ScoredWith((str(folder / "actual.json"),)), show, last_key)


def score(runs: ScoringRuns, *, anew: bool = False) -> None:
    runs.want(anew=anew)
    asyncio.run(runs.run())


def test_a_cancelled_run_leaves_the_last_scores_outdated_and_the_next_one_scores_all(
    scores: Scores, tmp_path: Path
) -> None:
    runs = runs_of(scores, tmp_path)
    score(runs)
    assert scores.counted() == "1 ✓ 2 ✗ 1 –"

    def cancel() -> float:
        cancelling.cancel()
        return 0.0

    cancelling = runs_of(scores, tmp_path, last_key=cancel)
    score(cancelling, anew=True)
    assert scores.counted() == "4 outdated"
    assert scores.facts is not None
    assert scores.facts.outdated == "the run was cancelled"
    score(runs, anew=True)
    assert scores.counted() == "1 ✓ 2 ✗ 1 –"


def test_a_half_written_recording_is_waited_for(scores: Scores, tmp_path: Path) -> None:
    seen = []

    def shown() -> None:
        if seen:
            seen.append(scores.counted())
            (tmp_path / "actual.json").write_text(RECORDING)

    runs = runs_of(scores, tmp_path, shown)
    score(runs)
    seen.append(scores.counted())
    (tmp_path / "actual.json").write_text(RECORDING[:100])
    score(runs, anew=True)
    assert seen[:2] == ["1 ✓ 2 ✗ 1 –", "1 – 3 outdated"]
    assert scores.counted() == "1 ✓ 2 ✗ 1 –"

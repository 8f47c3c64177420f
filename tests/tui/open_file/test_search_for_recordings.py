"""The search for recordings, and the reading of them: quitting does not wait for either."""

import asyncio
import threading
from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.files.folder_search import Bounds, SearchCancelledError
from evaltui.recordings.conversation import Recording
from evaltui.runs.recording_reader import read_recordings
from evaltui.tui.open_file.open_file import OpenFile
from evaltui.tui.open_file.scoring_runs import ScoringRuns
from tests.scored_sets import SET
from tests.tui.headless import HeadlessApp


async def test_a_search_ends_with_the_editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    began, ended = threading.Event(), threading.Event()

    def endless(folder: Path, pattern: str, bounds: Bounds) -> list[Path]:
        began.set()
        try:
            while True:
                bounds.count(folder)
        finally:
            ended.set()

    monkeypatch.setattr("evaltui.files.folder_search.MOST_ENTRIES", 10**12)
    monkeypatch.setattr("evaltui.recordings.default_recordings.matching", endless)
    (tmp_path / "evaltui.toml").write_text('recordings = ["**/*.json"]\n')
    document = Document(SET.encode(), tmp_path / "set.evalset.json")
    runs = ScoringRuns(OpenFile(document, HeadlessApp()))
    runs.want(anew=True)
    running = asyncio.create_task(runs.run())
    assert await asyncio.to_thread(began.wait, 30)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert await asyncio.to_thread(ended.wait, 30)


def test_no_more_recordings_are_read_once_nobody_waits(tmp_path: Path) -> None:
    files = {tmp_path / f"{number}.json": True for number in range(9)}
    read: list[Path] = []

    def opened(path: Path) -> Recording:
        read.append(path)
        return Recording(path, "adk_result", ())

    with pytest.raises(SearchCancelledError):
        read_recordings(files, opened, lambda _: None, cancelled=lambda: len(read) == 3)
    assert len(read) == 3

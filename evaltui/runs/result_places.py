"""Places where the command of an agent writes recordings, and the new recordings after a run."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from evaltui.document.errors import DocumentError
from evaltui.file_access import is_folder
from evaltui.files.file_signature import Signature, signature
from evaltui.files.folder_search import Bounds, SearchLimitError
from evaltui.recordings.default_recordings import DefaultFolder, files_in, without_repeated_traces
from evaltui.recordings.recording_search import recordings_in

_MOST_KEPT = 20
"""The number of output folders that are kept, of all sets together."""
_DAYS_KEPT = 7
"""Output folders of the last days are kept, too: a running evaltui may score with them."""
_PREFIX = "run-"
_TIME = "%Y%m%d-%H%M%S"


class ResultPlaces:
    """The folders in which tools write results, and the output folder of one run."""

    def __init__(self, folders: Iterable[DefaultFolder], output: Path | None) -> None:
        """Note the results before the run."""
        once: dict[str, DefaultFolder] = {}
        for folder in folders:
            once.setdefault(os.path.realpath(folder.path), folder)
        self._folders = once.values()
        self._output = output
        self._before = self._results()

    def new_recordings(self) -> list[Path]:
        """Results that were written or changed since, then the recordings in the output folder, the oldest first."""
        found = [path for path, state in self._results().items() if self._before.get(path) != state]
        with suppress(DocumentError, OSError):  # too many files: use none rather than a random part
            found = without_repeated_traces(found, Bounds()).paths
            if self._output is not None and is_folder(self._output):
                found += recordings_in(self._output).paths
        return sorted(found, key=_time_of)

    def _results(self) -> dict[Path, Signature]:
        try:
            return {path: signature(path) for folder in self._folders for path in files_in(folder, Bounds())}
        except SearchLimitError:
            return {}


def new_output_folder() -> Path:
    """A new folder in the user's state folder, readable by the user only. Raises `OSError`."""
    above = user_state_path("evaltui") / "agent_runs"
    above.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(OSError):
        _forget_oldest(above)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{time.strftime(_TIME)}-", dir=above))


def _forget_oldest(above: Path) -> None:
    # The name begins with the time, so names sort by age.
    kept = sorted(name for name in os.listdir(above) if name.startswith(_PREFIX))  # noqa: PTH208 (names, no paths)
    since = _PREFIX + time.strftime(_TIME, time.localtime(time.time() - _DAYS_KEPT * 86_400))
    for name in kept[: 1 - _MOST_KEPT]:
        if name < since:
            shutil.rmtree(above / name, ignore_errors=True)


def _time_of(path: Path) -> tuple[float, str]:
    try:
        return path.stat().st_mtime, path.name
    except OSError:
        return 0.0, path.name

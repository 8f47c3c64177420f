"""Places where the command of an agent writes recordings, and the new recordings after a run."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from platformdirs import user_state_path

from evaltui.document.errors import DocumentError
from evaltui.evalset.set_files import TRACES
from evaltui.file_access import is_folder
from evaltui.recordings.recording_search import HISTORY, recordings_in

_OF_TOOLS = ((HISTORY, ".evalset_result.json"), (TRACES, ".json"))
"""The folders in which google-adk and agents-cli write, and the ends of the names there."""
_MOST_KEPT = 20
"""The number of output folders that are kept, of all sets together."""
_DAYS_KEPT = 7
"""Output folders of the last days are kept, too: a running evaltui may score with them."""
_PREFIX = "run-"
_TIME = "%Y%m%d-%H%M%S"


class ResultPlaces:
    """The folders in which tools write results, and the output folder of one run."""

    def __init__(self, folders: Sequence[Path], output: Path | None) -> None:
        """Note the results before the run. `folders` are those of agents and projects."""
        self._folders = tuple(dict.fromkeys((each / name, end) for each in folders for name, end in _OF_TOOLS))
        self._output = output
        self._before = dict(self._results())

    def new_recordings(self) -> list[Path]:
        """Results that were written or changed since, then the recordings in the output folder, the oldest first."""
        found = [path for path, state in self._results() if self._before.get(path) != state]
        if self._output is not None and is_folder(self._output):
            with suppress(DocumentError, OSError):  # too many files: use none rather than a random part
                found += recordings_in(self._output).paths
        return sorted(found, key=_time_of)

    def _results(self) -> Iterator[tuple[Path, tuple[int, ...]]]:
        for folder, end in self._folders:
            with suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(end) and entry.is_file():
                        status = entry.stat()
                        yield folder / entry.name, (status.st_ino, status.st_size, status.st_mtime_ns)


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

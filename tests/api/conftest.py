"""Commands run in this process, in the folder of the test."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.commands.conftest import Evaltui, evaltui  # noqa: F401 - a fixture
from tests.scored_sets import RECORDING, SET

Document = Callable[..., dict[str, Any]]


@pytest.fixture
def document(evaltui: Evaltui) -> Document:  # noqa: F811 - the fixture
    """The JSON of a command: `document("run", "trips.evalset.json")`."""
    return lambda *words: json.loads(evaltui(*words, "--format", "json").out)


@pytest.fixture
def trips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A set of four cases and a recording of three of them, in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "trips.evalset.json").write_text(SET)
    (tmp_path / "run.json").write_text(RECORDING)

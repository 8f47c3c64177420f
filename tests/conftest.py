"""Fixtures of all tests: folders and Pythons that variables name, how much is tried, and how long a test may take."""

import gc
import os
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests.limits import (
    heed_signals,
    keep_console,
    pytest_exception_interact,
    pytest_timeout_cancel_timer,
    pytest_timeout_set_timer,
)
from tests.sampling import Extent

__all__ = ["pytest_exception_interact", "pytest_timeout_cancel_timer", "pytest_timeout_set_timer"]

_common = {"deadline": None, "database": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("repeatable", derandomize=True, max_examples=25, **_common)
settings.register_profile("hunt", max_examples=2000, print_blob=True, **_common)

heed_signals()
sys.dont_write_bytecode = False  # pytest rewrites assert statements: that takes 5 s, and is kept for the next run


def pytest_addoption(parser: pytest.Parser) -> None:
    """`pytest --thorough` runs everything; without it, samples of what is alike."""
    parser.addoption("--thorough", action="store_true", help="all samples, all of the corpus, many examples")


def pytest_configure(config: pytest.Config) -> None:
    """Say how much is tried before test modules are imported."""
    keep_console()
    Extent.is_thorough = config.getoption("--thorough")
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "hunt" if Extent.is_thorough else "repeatable"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a thorough run takes."""
    if Extent.is_thorough:
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [item for item in items if not item.get_closest_marker("thorough")]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Name the order of the tests if one failed, which -q does not."""
    if terminalreporter.stats.get("failed") and hasattr(config.option, "randomly_seed"):
        terminalreporter.line(f"The same order again: pytest --randomly-seed={config.option.randomly_seed}")


gc.disable()  # until the tests are found: nearly all that is made meanwhile stays


def pytest_collection_finish() -> None:
    """Begin to collect garbage, but never look at modules and tests, which live as long as the run."""
    gc.freeze()
    gc.enable()


def pytest_xdist_auto_num_workers() -> int:
    """One and a half workers for each processor, because many tests wait for a terminal or a file event."""
    return (os.cpu_count() or 1) * 3 // 2 or 1


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder with nothing beside it: evaltui searches for agents beside the folder of a set."""
    inner = tmp_path / "alone"
    inner.mkdir()
    return inner


@pytest.fixture(scope="session")
def shared_folder() -> Path:
    """The folder with public files for tests; EVALTUI_SHARED names it."""
    folder = os.environ.get("EVALTUI_SHARED")
    if not folder:
        pytest.skip("EVALTUI_SHARED names no folder with a corpus")
    return Path(folder)


@pytest.fixture(scope="session")
def adk_python() -> str:
    """A Python that has google-adk; EVALTUI_ADK_PYTHON names it."""
    python = os.environ.get("EVALTUI_ADK_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_ADK_PYTHON names no Python with google-adk")
    return python


@pytest.fixture(scope="session")
def ces_python() -> str:
    """A Python that has google-cloud-ces; EVALTUI_CES_PYTHON names it."""
    python = os.environ.get("EVALTUI_CES_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_CES_PYTHON names no Python with google-cloud-ces")
    return python


@pytest.fixture(scope="session")
def agentevals_python() -> str:
    """A Python that has agentevals-cli; EVALTUI_AGENTEVALS_PYTHON names it."""
    python = os.environ.get("EVALTUI_AGENTEVALS_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_AGENTEVALS_PYTHON names no Python with agentevals-cli")
    return python


@pytest.fixture(scope="session")
def agentplatform_python() -> str:
    """A Python that has google-cloud-aiplatform and pandas; EVALTUI_AGENTPLATFORM_PYTHON names it."""
    python = os.environ.get("EVALTUI_AGENTPLATFORM_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_AGENTPLATFORM_PYTHON names no Python with agentplatform")
    return python


@pytest.fixture(scope="session")
def agents_cli_python() -> str:
    """A Python that has google-agents-cli; EVALTUI_AGENTS_CLI_PYTHON names it."""
    python = os.environ.get("EVALTUI_AGENTS_CLI_PYTHON", "")
    if not python:
        pytest.skip("EVALTUI_AGENTS_CLI_PYTHON names no Python with google-agents-cli")
    return python

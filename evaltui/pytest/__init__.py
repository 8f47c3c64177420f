"""A plug-in of pytest that collects eval sets: each case is a test. `pytest -p evaltui.pytest` loads it.

docs/python.md describes its options. A run of pytest that finds no eval set imports no other room of evaltui.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from evaltui.pytest.collected_sets import STATUS, CaseItem, EvalSetFile, is_collected, notes_of, safe_name
from evaltui.pytest.options import FOR_WORKERS, MARKER, check_options, options_of
from evaltui.pytest.options import pytest_addoption as pytest_addoption  # pytest finds its hooks by their names

_NOTES = "evaltui_notes"
"""The key of the notes in the output of a worker of pytest-xdist."""
_NONE_EVALUATED = "no case is evaluated, so this run fails. -rs shows the reasons."


class _Verdicts:
    """The verdicts of the cases that ran, also those of workers of pytest-xdist."""

    def __init__(self) -> None:
        self.seen: set[object] = set()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note the verdict of a case."""
        self.seen.update(value for name, value in report.user_properties if name == STATUS)


_VERDICTS = pytest.StashKey[_Verdicts]()


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker. Refuse options that cannot be used before anything is collected."""
    config.addinivalue_line("markers", f"{MARKER}: the test is a case of an eval set")
    check_options(config)
    config.pluginmanager.register(config.stash.setdefault(_VERDICTS, _Verdicts()))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give the options to a worker of pytest-xdist."""
    # Paths of this machine mean nothing to a worker on another one, which reads its own options.
    if node.gateway.spec.popen and not node.gateway.spec.chdir:
        node.workerinput[FOR_WORKERS] = asdict(options_of(node.config))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> EvalSetFile | None:
    """Collect `*.evalset.json`, `*.test.json` and datasets with cases, and any JSON file with cases that is named."""
    if not is_collected(file_path, is_named=parent.session.isinitpath(file_path)):
        return None
    file: EvalSetFile = EvalSetFile.from_parent(parent, path=file_path)
    # pytest prints the name and the node id at the start of lines, where a CI runner reads commands.
    name, nodeid = safe_name(file.name), safe_name(file.nodeid)
    is_safe = (name, nodeid) == (file.name, file.nodeid)
    return file if is_safe else EvalSetFile.from_parent(parent, path=file_path, name=name, nodeid=nodeid)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Report a skipped case at its line in the eval set."""
    report = yield
    # pytest names the line of `pytest.skip`, which is in this plug-in.
    if isinstance(item, CaseItem) and report.skipped and isinstance(report.longrepr, tuple):
        report.longrepr = (str(item.shown_path), item.line, report.longrepr[2])
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run without an evaluated case. A worker of pytest-xdist gives its notes to the run that started it."""
    if (output := getattr(session.config, "workeroutput", None)) is not None:
        output[_NOTES] = list(notes_of(session.config))
        return
    verdicts = session.config.stash[_VERDICTS].seen
    # A run in which nothing was evaluated proves nothing, but pytest ends with 0 if all is skipped.
    if session.exitstatus == pytest.ExitCode.OK and verdicts and not verdicts & {"passed", "failed"}:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        notes_of(session.config)[_NONE_EVALUATED] = None


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the notes of a worker."""
    output = getattr(node, "workeroutput", {})  # a worker that crashed has none
    notes_of(node.config).update(dict.fromkeys(output.get(_NOTES, ())))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say once which files are skipped, and how cases that are not evaluated are allowed."""
    for sentence in notes_of(terminalreporter.config):
        terminalreporter.write_line(f"evaltui: {sentence}")
    failed = (dict(report.user_properties).get(STATUS) for report in terminalreporter.stats.get("failed", ()))
    if count := sum(status not in (None, "failed") for status in failed):
        tests = "1 test fails" if count == 1 else f"{count} tests fail"
        terminalreporter.write_line(
            f"evaltui: {tests} because something is not evaluated. --evaltui-allow-not-evaluated allows this."
        )

"""Files of other people: what google-adk accepts has no error and little noise."""

from pathlib import Path

import pytest

from evaltui.document.document import Document
from evaltui.validation.file_check import FileReport, check_file
from tests.agreement.test_agreement import objection


def has(report: FileReport, severity: str) -> bool:
    return any(each.severity == severity for each in report.diagnostics)


def read(shared_folder: Path) -> list[tuple[bytes, FileReport]]:
    found = []
    for path in sorted((shared_folder / "corpus").glob("*__*.json")):
        data = path.read_bytes()
        found.append((data, check_file(Document(data), path.name)))
    return found


@pytest.fixture(scope="module")
def reports(shared_folder: Path) -> list[tuple[bytes, FileReport]]:
    return read(shared_folder)


def test_what_google_adk_accepts_has_no_error_and_the_rest_has_one(
    reports: list[tuple[bytes, FileReport]],
) -> None:
    sets = [(data, report) for data, report in reports if report.format == "eval_set"]
    for data, report in sets:
        assert report.accepted_by_adk == (not has(report, "error")) == (not objection(data)), report.path


def test_warnings_are_few_where_google_adk_accepts(reports: list[tuple[bytes, FileReport]]) -> None:
    accepted = [report for _, report in reports if report.accepted_by_adk and report.format == "eval_set"]
    with_cases = [report for report in accepted if report.cases]
    noisy = [report for report in with_cases if has(report, "warning")]
    assert noisy
    assert len(noisy) <= len(with_cases) // 5

import os
from pathlib import Path

import pytest

from evaltui.crash import write_crash_report
from evaltui.document.document import Document
from evaltui.document.edits import Set


def failure() -> BaseException:
    try:
        return ZeroDivisionError(str(1 // 0))
    except ZeroDivisionError as error:
        return error


def test_a_crash_keeps_the_unsaved_text_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_bytes(b'{"a": 1}')
    document = Document.open(path)
    document.apply([Set("/a", b"2")], "edit a")
    said = write_crash_report(failure(), document, tmp_path / "crashes")
    (rescued,) = (tmp_path / "crashes").glob("*-set.json")
    assert rescued.read_bytes() == b'{"a": 2}'
    assert path.read_bytes() == b'{"a": 1}'
    assert str(rescued) in said
    assert rescued.stat().st_mode & 0o077 == 0


def test_the_report_names_the_fault_and_not_the_values(tmp_path: Path) -> None:
    said = write_crash_report(failure(), Document(b'{"secret": "s3cr3t"}'), tmp_path)
    (report,) = tmp_path.glob("*.txt")
    assert "ZeroDivisionError: " in report.read_text()
    assert "s3cr3t" not in report.read_text()
    assert "There were no unsaved changes." in said


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "could not be written" in write_crash_report(failure(), None, tmp_path / "file" / "crashes")


def test_the_unsaved_text_of_a_file_with_a_long_name_is_kept(tmp_path: Path) -> None:
    path = tmp_path / ("😀" * 60 + ".json")
    path.write_bytes(b"1")
    document = Document.open(path)
    document.apply([Set("", b"2")], "edit")
    write_crash_report(failure(), document, tmp_path / "crashes")
    (rescued,) = (tmp_path / "crashes").glob("*.json")
    assert rescued.read_bytes() == b"2"


def test_a_report_never_follows_a_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of reports can be guessed."""
    mine = tmp_path / "mine"
    mine.write_text("mine")

    write = os.open

    def linked_before(name: Path, *arguments: int) -> int:
        Path(name).symlink_to(mine)
        return write(name, *arguments)

    monkeypatch.setattr(os, "open", linked_before)
    assert "could not be written" in write_crash_report(failure(), None, tmp_path / "crashes")
    assert mine.read_text() == "mine"

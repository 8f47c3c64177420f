"""The one table of marks."""

from evaltui.report.scores_text import MARKS
from evaltui.tui import marks
from evaltui.tui.lines import ROLES


def test_a_status_has_the_sign_that_reports_print() -> None:
    assert {status: marks.sign(mark) for status, mark in marks.OF_STATUS.items()} == MARKS


def test_every_mark_has_a_role_of_the_stylesheet_and_the_same_width() -> None:
    tables = (marks.OF_SEVERITY, marks.OF_STATUS, marks.OF_STATE)
    for text, role in [mark for table in tables for mark in table.values()]:
        assert role in ("", *ROLES)
        assert len(text) == 2


def test_behind_a_text_the_blank_stands_first() -> None:
    assert marks.behind(marks.ERROR) == (" ✗", "error")

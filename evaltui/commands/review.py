"""`evaltui review`: the turns that a person should look at, in the app or, with a format, as a report."""

from __future__ import annotations

from argparse import Namespace


def run(given: Namespace) -> int:
    """Open the review screen or print a report; for exit codes see `report_review` and `open_review`."""
    if given.format is None:
        from evaltui.commands.review_screen import open_review

        return open_review(given)
    from evaltui.commands.review_report import report_review

    return report_review(given, given.format)

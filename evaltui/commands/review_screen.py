"""The review screen, opened from the command line."""

from __future__ import annotations

import sys
from argparse import Namespace

from evaltui.printable import say


def open_review(given: Namespace) -> int:
    """Open the review of the given sets; the exit code is 2, with a sentence on stderr, without a terminal."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        say("review needs a terminal; without one, use: evaltui review SET --format text, accept SET --change ID")
        return 2
    from evaltui.commands.review_report import report_review

    return report_review(given, "text")

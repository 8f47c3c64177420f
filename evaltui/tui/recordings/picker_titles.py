"""Titles of the three lists of the recordings picker, with counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from evaltui.document.node import Node
from evaltui.evalset.titles import case_title
from evaltui.printable import printable
from evaltui.report.scores_text import passed_of
from evaltui.tui.recordings.recording_files import RecordingFile
from evaltui.tui.recordings.recording_words import counted, run_text

if TYPE_CHECKING:
    from evaltui.scoring.results import CaseResult

Title = tuple[str, str]
"""The texts at the left and right end of the title."""


def title_of_files(name: str, files: Sequence[RecordingFile], *, all_runs: bool) -> Title:
    """`Recordings of trips.json`, `2 files · 12 conversations, 10 matched`."""
    used = [each for each in files if not each.is_dropped]
    total, matched = sum(len(each.conversations) for each in used), sum(each.matched for each in used)
    dropped = f" and {len(files) - len(used):,} dropped" if len(used) < len(files) else ""
    said = [f"{counted(len(used), 'file')}{dropped}", f"{counted(total, 'conversation')}, {matched:,} matched"]
    said += ["all runs"] if all_runs else []
    return f"Recordings of {printable(name)}", " · ".join(said)


def title_of_file(file: RecordingFile, *, is_unmatched_only: bool) -> Title:
    """`Recordings › first_run`, `6 conversations, 5 matched`."""
    only = "unmatched only · " if is_unmatched_only else ""
    total = counted(len(file.conversations), "conversation")
    return f"Recordings › {file.name}", f"{only}{total}, {file.matched:,} matched"


def title_of_runs(case: Node, result: CaseResult | None) -> Title:
    """`Runs of greeting`, `passed 2 of 3 · run 3 of 3 counts`."""
    if result is None or not result.recordings:
        return f"Runs of {case_title(case)}", ""
    counts = f"{run_text(result.run_number, result.recordings)} is used"
    return f"Runs of {case_title(case)}", " · ".join(filter(None, [passed_of(result), counts]))

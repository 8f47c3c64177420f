"""Unified diffs for `patch` and `git apply`; fast for texts of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evaltui.document.diff.sequence_diff import DifferingRun, differing_runs

_CONTEXT = 3
_NO_NEWLINE = b"\n\\ No newline at end of file"


def unified_diff(old: bytes, new: bytes, name: str) -> Iterator[str]:
    """The diff of two UTF-8 texts of the file `name`, a line each and without line ends; none where both are equal.

    Only `\\n` ends a line. What is not UTF-8 is shown as �.
    """
    before, after = _lines(old), _lines(new)
    hunks = _hunks(differing_runs(before, after))
    if hunks:
        yield from (f"--- a/{name}", f"+++ b/{name}")
    for hunk in hunks:
        for line in _hunk_lines(hunk, before, after):
            yield from line.decode("utf-8", "replace").split("\n")


def _lines(text: bytes) -> list[bytes]:
    """The lines without their line ends. A last line without one gets the remark of `diff -u`."""
    lines = text.split(b"\n")
    last = lines.pop()
    return [*lines, last + _NO_NEWLINE] if last else lines


def _hunks(runs: Sequence[DifferingRun]) -> list[list[DifferingRun]]:
    """The runs that are shown together, because the lines between them are context of both."""
    hunks: list[list[DifferingRun]] = []
    for run in runs:
        if hunks and run.start - hunks[-1][-1].stop <= 2 * _CONTEXT:
            hunks[-1].append(run)
        else:
            hunks.append([run])
    return hunks


def _hunk_lines(hunk: list[DifferingRun], before: list[bytes], after: list[bytes]) -> Iterator[bytes]:
    first, last = hunk[0], hunk[-1]
    lead = min(_CONTEXT, first.start)
    trail = min(_CONTEXT, len(before) - last.stop)
    start, stop = first.start - lead, last.stop + trail
    old_range = _range(start, stop)
    new_range = _range(first.new_start - lead, last.new_stop + trail)
    yield f"@@ -{old_range} +{new_range} @@".encode()
    for run in hunk:
        yield from (b" " + line for line in before[start : run.start])
        yield from (b"-" + line for line in before[run.start : run.stop])
        yield from (b"+" + line for line in after[run.new_start : run.new_stop])
        start = run.stop
    yield from (b" " + line for line in before[start:stop])


def _range(start: int, stop: int) -> str:
    """Lines as a hunk's head has them: counted from 1, an empty range by the line before it, a length of 1 left out."""
    length = stop - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"

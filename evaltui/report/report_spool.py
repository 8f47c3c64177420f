"""Reports of files, kept until all files were checked: if one cannot be read, nothing is printed."""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from tempfile import SpooledTemporaryFile

from evaltui.printable import printable, write_line
from evaltui.report.diagnostics_json import file_text, head_text, tail_text
from evaltui.report.diagnostics_text import github_line, summary, text_line
from evaltui.runner_words import commanding
from evaltui.validation.file_report import FileReport
from evaltui.validation.locations import Located

_IN_MEMORY = 4 << 20
"""Bytes that stay in memory."""


class ReportSpool:
    """The output of `evaltui validate`. More than a few MB wait in a temporary file, until the context ends."""

    def __init__(self, form: str, *, colour: bool) -> None:
        """`form` is text, json or github."""
        self._form = form
        self._colour = colour
        self._diffs, self._reports = SpooledTemporaryFile(_IN_MEMORY), SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._counts: Counter[str] = Counter()
        self._files = self._safe = self._fixed = 0
        if form == "json":
            self._write(head_text())

    def __enter__(self) -> ReportSpool:
        return self

    def __exit__(self, *_: object) -> None:
        self._diffs.close()
        self._reports.close()

    def add_diff(self, lines: Iterable[str]) -> None:
        """Add the lines of a diff; the diffs of all files are in front of the problems."""
        for line in lines if self._form == "text" else ():
            self._diffs.write(_bytes(printable(line, keep_lines=True)))

    def add(self, report: FileReport) -> Counter[str]:
        """Add the problems of a file; returns their number by severity."""
        counts: Counter[str] = Counter()
        if self._form == "json":
            for text in file_text(report, self._counted(report, counts), is_first=not self._files):
                self._write(text)
        else:
            for each in self._counted(report, counts):
                line = text_line(report.path, each, colour=self._colour) if self._form == "text" else ""
                self._reports.write(_bytes(line or github_line(report.path, each)))
        self._files += 1
        self._fixed += len(report.fixed or ())
        self._counts.update(counts)
        return counts

    def _counted(self, report: FileReport, counts: Counter[str]) -> Iterator[Located]:
        for each in report.diagnostics:
            found = each.diagnostic
            counts[found.severity] += 1
            self._safe += found.fix is not None and found.fix.safe
            yield each

    def _write(self, text: str) -> None:
        self._reports.write(text.encode())

    def print(self) -> None:
        """Write all to stdout. Raises `OSError`."""
        if self._form == "json":
            self._write(tail_text(self._files, self._counts))
            self._reports.seek(0)
            sys.stdout.flush()
            shutil.copyfileobj(self._reports, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            return
        with commanding(sys.stdout) if self._form == "github" else nullcontext():
            for spool in (self._diffs, self._reports):
                spool.seek(0)
                for line in spool:
                    write_line("stdout", line[:-1].decode("utf-8", "surrogatepass"), is_safe=True)

    def summary(self, *, is_preview: bool) -> str:
        """A sentence about all files."""
        return summary(self._files, self._counts, self._safe, self._fixed, is_preview=is_preview)


def _bytes(line: str) -> bytes:
    return line.encode("utf-8", "surrogatepass") + b"\n"

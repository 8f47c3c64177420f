"""The report of `evaltui convert` as JSON."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, NamedTuple

from evaltui.document.node import Node
from evaltui.interop.conversion import Conversion
from evaltui.report.output import print_json


class ConvertedFile(NamedTuple):
    """A source and its conversion."""

    path: str
    root: Node
    conversion: Conversion
    outs: Sequence[str]
    """The files written for it; "-" is standard output."""

    @property
    def out(self) -> str:
        """The only output, or the folder of several."""
        return self.outs[0] if len(self.outs) == 1 else os.path.commonpath(self.outs) if self.outs else ""


def print_conversions_json(files: Sequence[ConvertedFile], *, is_written: bool) -> None:
    """Print the document to stdout. Its `written` is false for a dry run, and for losses with `--strict`."""
    print_json({"version": 1, "written": is_written, "files": [file_as_data(each) for each in files]})


def file_as_data(file: ConvertedFile) -> dict[str, Any]:
    """One file of the report."""
    conversion = file.conversion
    return {
        "path": file.path,
        "from": conversion.source.source_word,
        "to": conversion.target.option,
        "out": file.out,
        "outs": list(file.outs),
        "losses": [
            {
                "pointer": loss.pointer,
                "kind": loss.kind,
                "value": loss.value,
                "reason": loss.reason,
                "advice": loss.advice,
            }
            for loss in conversion.losses
        ],
        "notes": list(conversion.notes),
        "counts": conversion.counts,
    }

"""Reports that a command writes with `-o`, each in the form that the ending of its file tells."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from evaltui.commands.output_files import Outputs
from evaltui.commands.scored_sets import ScoredSets
from evaltui.document.disk.file_replacement import write_file
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.interrupt import deferred
from evaltui.report.run_reports import ENDINGS, report_text


class Reports:
    """The files named with `-o`; raises `DocumentError` for one that cannot be written."""

    def __init__(self, names: Sequence[str]) -> None:
        self._forms = [_format_of(name) for name in names]
        self._outputs = Outputs([Path(name) for name in names])

    def write(self, scored: ScoredSets, *, allow_not_evaluated: bool) -> None:
        """Write all of them. Raises `DocumentError` if one is an input of the scores; then none is written."""
        self._outputs.spare(scored.inputs, scored.recordings)
        texts = [report_text(scored.runs, form, allow_not_evaluated=allow_not_evaluated) for form in self._forms]
        for path, text in zip(self._outputs.paths, texts, strict=True):
            with deferred():
                write_file(path, text.encode("utf-8", "backslashreplace"))


def _format_of(name: str) -> str:
    real = os.path.realpath(name)
    if any(each.lower().endswith(ENDINGS_OF_SETS) for each in (name, real)):
        raise DocumentError(f"{name}: a report would take the place of an eval set; name another file")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS or Path(real).suffix.lower() not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise DocumentError(f"{name}: its ending does not tell which report to write; there are {known}")
    return ENDINGS[ending]

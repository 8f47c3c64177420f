"""Reports that a command writes with `-o`. The file ending selects the format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from evaltui.commands.output_files import Outputs, is_null
from evaltui.document.errors import DocumentError
from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.report.run_reports import ENDINGS, report_pieces
from evaltui.runs.score_sets import ScoredRun


class Reports:
    """The files named with `-o`. Raises `DocumentError` for a file that cannot be written."""

    def __init__(self, names: Sequence[str], others: Iterable[Path] = (), *, force: bool) -> None:
        """`others` are other files that the command writes. `force` is the option `--force`."""
        self.outputs = Outputs([*map(Path, names), *others], force=force)
        """These files and the others."""
        self._forms = {Path(name): _format_of(name, force=force) for name in names if not is_null(Path(name))}

    def has(self, form: str) -> bool:
        """Whether a file has this format."""
        return form in self._forms.values()

    def spare_inputs(self, scored: ScoredRun, others: Iterable[Path] = ()) -> None:
        """Raise `DocumentError` if an output is an input of the scores, or one of the `others`."""
        self.outputs.spare([*scored.inputs, *others], scored.recordings)

    def write(self, scored: ScoredRun, *, allow_not_evaluated: bool) -> None:
        """Write all of them; raises `DocumentError`."""
        for path, form in self._forms.items():
            pieces = report_pieces(scored.runs, form, allow_not_evaluated=allow_not_evaluated)
            self.outputs.write(path, (piece.encode("utf-8", "backslashreplace") for piece in pieces))


def _format_of(name: str, *, force: bool) -> str:
    """The format of a report, by the ending of the name that was given. Raises `DocumentError`.

    Somebody else may have made a link with the name of a report. So a file that it leads to stays if it has another
    ending and content.
    """
    real = os.path.realpath(name)
    if any(each.lower().endswith(ENDINGS_OF_SETS) for each in (name, real)):
        raise DocumentError(f"{name}: a report cannot be written to the file of an eval set; give another file name")
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        known = ", ".join(ENDINGS)
        raise DocumentError(f"{name}: no report has this file ending; use one of {known}")
    if Path(real).suffix.lower() not in ENDINGS and not force and _has_content(Path(real)):
        where = f"this link leads to {real}, which does not have the name of a report"
        raise DocumentError(f"{name}: {where}; give another file name, or use --force")
    return ENDINGS[ending]


def _has_content(path: Path) -> bool:
    with suppress(OSError, ValueError):
        return path.stat().st_size > 0
    return False

"""Files of baselines."""

from __future__ import annotations

from pathlib import Path

from evaltui.document.disk.file_content import read_file
from evaltui.document.document import Document
from evaltui.document.errors import DocumentError, MissingFileError
from evaltui.interop.document_texts import what_yaml
from evaltui.printable import as_argument
from evaltui.scoring.baseline_file import Baseline, BaselineError, read_baseline


def open_baseline(name: str, data: bytes | None = None) -> Baseline:
    """The baseline in the file `name`, or in `data` if that is given. Raises `DocumentError`."""
    try:
        content = read_file(Path(name)) if data is None else data
    except MissingFileError:
        command = f"evaltui run --save-baseline {as_argument(name)}"
        raise MissingFileError(f"{name}: there is no such file; {command} writes it") from None
    try:
        return read_baseline(content)
    except BaselineError as error:
        yaml = what_yaml(Document(content), name)
        raise DocumentError(f"{name}: {f'this is {yaml}' if yaml else error}") from error

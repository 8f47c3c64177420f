"""Names of the files that conversions write, in the folders of agents-cli if the source is in them."""

from __future__ import annotations

import os
from pathlib import Path

from evaltui.interop.format_type import FormatType
from evaltui.interop.formats import FORMATS

_LAYOUT = ("tests", "eval")
"""The parent folders of `evalsets` and `datasets` in projects of agents-cli."""
_FOLDERS = {"evalset": ("datasets", "evalsets"), "evaluation-dataset": ("evalsets", "datasets")}
"""By the target: the folder of its sources, and its own (agents-cli's migration)."""
_ENDINGS = (
    ".evalset.json",
    ".test.json",
    "-dataset.json",
    *(each.ending for each in FORMATS),
    ".json",
    ".yaml",
    ".yml",
)


def stem_of(name: str) -> str:
    """The name of a file without its folder and the ending of its format: "trips" of sets/trips.evalset.json."""
    file_name = Path(name).name
    for ending in _ENDINGS:
        if file_name.endswith(ending) and file_name != ending:
            return file_name.removesuffix(ending)
    return file_name


def file_beside(source: Path, target: FormatType) -> Path:
    """The file of a conversion beside its source; in the layout of agents-cli in the folder of the target.

    Lists and eval sets of other projects are often called `NAME.evalset.json`, too. Then NAME gets `.converted`.
    """
    stem = stem_of(source.name)
    found = folder_for(source.parent, target.option) / f"{stem}{target.ending}"
    return found.with_name(f"{stem}.converted{target.ending}") if found.name == source.name else found


def folder_for(folder: Path, option: str) -> Path:
    """The folder for the target: `tests/eval/datasets` for a source in `tests/eval/evalsets`, else the same."""
    if option not in _FOLDERS:
        return folder
    before, after = _FOLDERS[option]
    whole = Path(os.path.abspath(folder))  # noqa: PTH100 - links stay as they are named
    parts = whole.parts
    for index in range(len(parts) - 3, -1, -1):
        if parts[index : index + 3] == (*_LAYOUT, before):
            found = Path(*parts[: index + 2], after, *parts[index + 3 :])
            return found if folder.is_absolute() else Path(os.path.relpath(found))
    return folder

"""The file that a conversion writes: its proposed name and its bytes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evaltui.evalset.formats import ENDINGS_OF_SETS
from evaltui.interop.conversion import json_text_of
from evaltui.interop.format_type import FormatType


def stem_of(path: Path | None) -> str:
    """The name of a file without its ending; both parts of `.evalset.json` and `.test.json` go."""
    if path is None:
        return "eval_set"
    ending = next((each for each in ENDINGS_OF_SETS if path.name.endswith(each)), path.suffix)
    return path.name.removesuffix(ending) or "eval_set"


def bytes_of_documents(values: Sequence[Any]) -> bytes:
    """The JSON text of one document, or of several as a list; letters that UTF-8 cannot hold are escaped."""
    value = values[0] if len(values) == 1 else list(values)
    try:
        return json_text_of(value).encode()
    except UnicodeEncodeError:  # half of a pair of surrogates
        return (json.dumps(value, indent=2) + "\n").encode()


def proposed_file(source: Path, target: FormatType) -> Path:
    """The path beside the source that a conversion is written to, unless the person names another."""
    stem = stem_of(source)
    path = source.with_name(stem + target.ending)
    return path if path != source else source.with_name(f"{stem}-converted{target.ending}")

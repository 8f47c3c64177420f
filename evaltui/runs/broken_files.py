"""Files in a folder of recordings whose text is broken, so that nobody can tell what they are."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from evaltui.document.document import Document
from evaltui.document.plain_values import plain_value
from evaltui.interop.source_documents import why_not_json
from evaltui.recordings.conversation import RecordingError
from evaltui.recordings.recording_bytes import RecordingBytes

_LARGEST = 1 << 18
"""Bytes of a file that is looked at. A larger one has a key of recordings at its beginning, if it is one."""
_MOST = 200
"""The most files that are looked at, because each set of a run looks again."""


def broken_among(paths: Iterable[Path]) -> dict[Path, str]:
    """The `.json` files whose text is not JSON, each with a sentence. An empty one may be a recording that was lost."""
    looked_at = islice((path for path in paths if path.suffix.lower() == ".json"), _MOST)
    return {path: sentence for path in looked_at if (sentence := _why_broken(path))}


def _why_broken(path: Path) -> str:
    try:
        data = RecordingBytes(path).head(_LARGEST + 1)
    except RecordingError as error:
        return str(error)
    if len(data) > _LARGEST or _is_json(data):
        return ""
    document = Document(data, path)
    return why_not_json(document, str(path)) if document.fault is not None else ""


def _is_json(data: bytes) -> bool:
    try:
        plain_value(data.decode(json.detect_encoding(data)))
    except (ValueError, RecursionError):
        return False
    return True

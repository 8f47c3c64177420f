"""Fingerprints of files, computed again only if the signature of a file changed."""

from __future__ import annotations

from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, fingerprint, fingerprint_of_nothing
from evaltui.file_access import open_regular
from evaltui.files.file_rest import was_written_within
from evaltui.files.file_signature import Signature, signature
from evaltui.files.session_source import database_signature, is_database, session_source

_PIECE = 1 << 20
_FRESH = 0.1
"""Seconds in which a second write may not change time and size of a file."""


class FileContents:
    """A cache of the fingerprints of files."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Signature, Fingerprint]] = {}

    def of(self, path: Path) -> Fingerprint | None:
        """The fingerprint of a regular file; None if it cannot be read. For a session database, of its signature."""
        sign = signature(path)
        known = self._known.get(path)
        if known is not None and known[0] == sign:
            return known[1]
        if is_database(file := session_source(path).file):
            return fingerprint(repr(database_signature(file)).encode())
        content = _read(path)
        if content is None or sign != signature(path) or was_written_within(_FRESH, sign):
            self._known.pop(path, None)
        else:
            self._known[path] = sign, content
        return content


def _read(path: Path) -> Fingerprint | None:
    seen = fingerprint_of_nothing()
    try:
        with open_regular(path) as file:
            while piece := file.read(_PIECE):
                seen.update(piece)
    except (OSError, ValueError):
        return None
    return seen.digest()

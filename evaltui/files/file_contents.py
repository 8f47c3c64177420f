"""Fingerprints of files, computed again only if the signature of a file changed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from evaltui.document.disk.file_content import Fingerprint, fingerprint, fingerprint_of_file
from evaltui.file_access import open_regular
from evaltui.files.file_signatures import Signature, signature, was_written_within
from evaltui.files.session_source import database_signature, is_database, session_file

_FRESH = 0.1
"""Seconds in which a second write may not change time and size of a file."""


class FileContents:
    """A cache of the fingerprints of files."""

    def __init__(self) -> None:
        self._cache: dict[Path, tuple[Signature, Fingerprint]] = {}

    def of(self, path: Path) -> Fingerprint | None:
        """The fingerprint of a regular file; None if it cannot be read. For a session database, of its signature."""
        sign = signature(path)
        cached = self._cache.get(path)
        if cached is not None and cached[0] == sign:
            return cached[1]
        if is_database(file := session_file(path)):
            return fingerprint(repr(database_signature(file)).encode())
        content = None
        with suppress(OSError, ValueError), open_regular(path) as opened:
            content = fingerprint_of_file(opened.fileno())
        # Not cached if the file may have changed while it was read, or may change within the step of its time.
        if content is None or sign != signature(path) or was_written_within(_FRESH, sign):
            self._cache.pop(path, None)
        else:
            self._cache[path] = sign, content
        return content

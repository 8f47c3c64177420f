"""Names of files in a store such as S3: `s3://bucket/traces/a.jsonl`."""

from __future__ import annotations

import re
from pathlib import Path, PosixPath

_scheme = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://").match


def is_remote(name: str) -> bool:
    """Whether a name has a scheme, as in `s3://bucket/key`."""
    return _scheme(name) is not None


class RemotePath(PosixPath):
    """A path that keeps the two slashes of its scheme. It only names a file: no local file has such a path."""

    def __str__(self) -> str:
        return super().__str__().replace(":/", "://", 1)

    def __reduce__(self) -> tuple[type[RemotePath], tuple[str]]:
        return RemotePath, (str(self),)


def named_path(name: str) -> Path:
    """The path with this name, local or remote."""
    return RemotePath(name) if is_remote(name) else Path(name)

"""Files in a store such as S3 or GCS, listed and read through the filesystems of Arrow, as Ray Data does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pyarrow import ArrowException
from pyarrow.fs import FileSystem, FileType

from evaltui.evalset.formats import ENDING_OF_SIDECARS
from evaltui.printable import one_line
from evaltui.recordings.conversation import RecordingError

_parts = re.compile(r"(?P<scheme>[^:/?]+)://(?:(?P<user>[^/@]*)@)?(?P<key>.*?)(?P<query>\?\w+=.*)?$", re.DOTALL).match
_MAGIC = re.compile(r"[*?\[]")
_SCHEMES = ("s3", "gs")
"""Schemes whose paths in Arrow begin with the bucket."""
_LONGEST = 200


class RemoteFile(NamedTuple):
    """A file in a store."""

    name: str
    """Without credentials, so that reports may show it."""
    size: int
    """In bytes."""
    is_listed: bool
    """Whether a folder or glob gave its name."""


class RemoteStorage:
    """A store. Its address may have credentials and options, as `s3://bucket/key?region=eu-west-1`."""

    def __init__(self, name: str) -> None:
        """`name` is the address of a file, folder or glob in it. Raises `RecordingError` for any other text."""
        found = _parts(name)
        if found is None or found["scheme"] not in _SCHEMES or not found["key"].strip("/ "):
            raise RecordingError(f"{_without_secrets(name)}: give an address like s3://bucket/key or gs://bucket/key")
        if ":" in found["key"].partition("/")[0]:  # the name of no bucket; do not show it
            raise RecordingError(
                f"{found['scheme']}://…: this address has credentials that are not escaped; "
                "put them into environment variables, or write / as %2F"
            )
        self.scheme, self._key = found["scheme"], found["key"]
        user = f"{found['user']}@" if found["user"] else ""
        bucket = self._key.partition("/")[0]
        self._root = f"{self.scheme}://{user}{bucket}{found['query'] or ''}"

    def __getstate__(self) -> dict[str, str]:
        return {"scheme": self.scheme, "_key": self._key, "_root": self._root}

    @property
    def name(self) -> str:
        """The address without credentials and options."""
        return f"{self.scheme}://{self._key}"

    @property
    def prefix(self) -> str:
        """The beginning of the names of all files in the store."""
        return prefix_of(self.name)

    @cached_property
    def _filesystem(self) -> Any:
        try:
            return FileSystem.from_uri(self._root)[0]
        except (OSError, ValueError, ArrowException) as error:
            raise RecordingError(f"{self.name}: {_reason(error)}") from error

    def files(self) -> list[RemoteFile]:
        """The file with the name of this storage, or the files in this folder, or those that match this glob.

        As in a local folder, names that begin with a dot are skipped, and the order is by path. Raises
        `RecordingError`.
        """
        try:
            found = sorted(self._found(), key=lambda each: PurePosixPath(each.name))
        except (OSError, ValueError, ArrowException) as error:
            raise RecordingError(f"{self.name}: {_reason(error)}") from error
        if not found:
            what = "no file matches" if _MAGIC.search(self._key) else "there is no such file or folder"
            raise RecordingError(f"{self.name}: {what}")
        return found

    def _found(self) -> Iterator[RemoteFile]:
        if not _MAGIC.search(self._key):
            info = self._filesystem.get_file_info(self._key.rstrip("/"))
            if info.type == FileType.File:
                yield RemoteFile(f"{self.scheme}://{info.path}", info.size, is_listed=False)
                return
        from fsspec.implementations.arrow import ArrowFSWrapper  # noqa: PLC0415 - it knows globs

        listing = ArrowFSWrapper(self._filesystem)
        search = listing.glob if _MAGIC.search(self._key) else listing.find
        for key, facts in search(self._key.rstrip("/"), detail=True).items():
            if facts["type"] == "file" and not _is_left_out(key, self._key):
                yield RemoteFile(f"{self.scheme}://{key}", facts["size"] or 0, is_listed=True)

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises `RecordingError`."""
        try:
            # Without compression=None, Arrow unpacks by the name, and has no limit for a small file with much in it.
            with self._filesystem.open_input_stream(name.partition("://")[2], compression=None) as file:
                data: bytes = file.read()
                return data
        except (OSError, ValueError, ArrowException) as error:
            raise RecordingError(f"{name}: cannot be read: {_reason(error)}") from error


def prefix_of(name: str) -> str:
    """The scheme and bucket of a name: `s3://bucket`."""
    return "/".join(name.split("/", 3)[:3])


def _without_secrets(name: str) -> str:
    """The address without the parts that may hold credentials."""
    return one_line(re.sub(r"://[^/@]*@", "://", name).partition("?")[0], _LONGEST)


def _is_left_out(key: str, asked: str) -> bool:
    """Whether a file is no recording by its name: hidden, or the sidecar of a set."""
    start = _MAGIC.split(asked, maxsplit=1)[0]
    own = key[len(start) :] if key.startswith(start) else key
    names = own.split("/")
    return key.endswith(ENDING_OF_SIDECARS) or any(name.startswith(".") and name != ".adk" for name in names)


def _reason(error: BaseException) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    lines = str(error).splitlines() or [type(error).__name__]
    return one_line(lines[0], _LONGEST)

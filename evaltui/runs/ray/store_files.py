"""Files in a store such as S3 or GCS, listed and read through the filesystems of Arrow, as Ray Data does."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import unquote

from pyarrow import ArrowException
from pyarrow.fs import FileSelector, FileSystem, FileType

from evaltui.evalset.file_formats import ENDING_OF_SIDECARS
from evaltui.files.session_source import named_path
from evaltui.printable import one_line
from evaltui.recordings.conversation import LostSpans, RecordingError, RecordingFormat

_parts = re.compile(r"([^:/?]+)://([^/?]*)(.*?)(\?[^/=?*\[]+=.*)?$", re.DOTALL).match
"""Scheme; bucket, perhaps behind credentials; key; options."""
_MAGIC = re.compile(r"[*?\[]")
_ANY_FOLDERS = "**"
_SCHEMES = ("s3", "gs")
"""Schemes whose paths in Arrow begin with the bucket."""
_AT_ONCE = 16
"""The number of folders that are listed at the same time."""
_LONGEST = 200
_REASONS = {
    "NETWORK_CONNECTION": "the store cannot be reached; check the network, and endpoint_override if the address has it",
    "ACCESS_DENIED": "the store refuses access; check the credentials (docs/scale.md names the places for them)",
}
"""Sentences for errors of Arrow, by a word in them."""


class ClusterFile(NamedTuple):
    """A file of recordings, in a store or on this machine: what the command knows, then what a task has read in it."""

    name: str
    """Without credentials, so that reports may show it."""
    size: int
    """In bytes; 0 if unknown."""
    is_named: bool
    """Whether the user named it, so that it must be a recording."""
    storage: int | None = None
    """The number of its store; None for a local file."""
    number: int = 0
    """Its number among the recordings of the set."""
    error: str | None = None
    """The sentence why it cannot be used."""
    is_other: bool = False
    """Whether it is no recording, in a remote folder."""
    format: RecordingFormat = "adk_result"
    warnings: tuple[str, ...] = ()
    is_of_traces: bool = False
    has_names: bool = False
    """Whether a trace of it is named, so that traces are grouped by conversation."""
    lost: tuple[LostSpans, ...] = ()
    """Spans that may belong to traces of other files."""
    digest: bytes | None = None
    """The digest of a file of a store, by which copies are found; None for a local file."""

    @property
    def path(self) -> Path:
        """The path, as reports name it."""
        return named_path(self.name)


class RemoteStorage:
    """A store. Its address may have credentials and options, as `s3://bucket/key?region=eu-west-1`."""

    def __init__(self, address: str) -> None:
        """`address` is the one of a file, folder or glob in it. Raises `RecordingError` for any other text."""
        address_parts = _parts(address)
        scheme, place, key, options = address_parts.groups() if address_parts is not None else ("", "", "", None)
        user, _, bucket = place.rpartition("@")
        # Neither message shows the address: what looks like a bucket may be a part of a secret.
        if scheme not in _SCHEMES or not bucket.strip():
            raise RecordingError("-r: this is not an address of a store, such as s3://bucket/key or gs://bucket/key")
        if ":" in bucket or _MAGIC.search(bucket):
            raise RecordingError(
                f"-r {scheme}://…: the name of the bucket is not valid. "
                "Put credentials into environment variables, or write / in them as %2F"
            )
        self._scheme, self._user, self._key = scheme, user, f"{bucket}{key}".rstrip("/")
        self.root = f"{scheme}://{user}{'@' * bool(user)}{bucket}{options or ''}"
        """The address of the bucket, with credentials and options."""

    def __getstate__(self) -> dict[str, str]:
        return {"_scheme": self._scheme, "_user": self._user, "_key": self._key, "root": self.root}

    @property
    def name(self) -> str:
        """The address without credentials and options."""
        return f"{self._scheme}://{self._key}"

    @cached_property
    def _filesystem(self) -> Any:
        try:
            return FileSystem.from_uri(self.root)[0]
        except (OSError, ValueError, ArrowException) as error:
            if isinstance(error, ValueError):  # Arrow quotes the whole address
                raise RecordingError(f"{self.name}: the credentials or options of this address are not valid") from None
            raise RecordingError(f"{self.name}: {self._reason(error)}") from None

    def files(self) -> list[ClusterFile]:
        """The file with the name of this storage, or the files in this folder, or those that match this glob.

        As in a local folder, names that begin with a dot are skipped, and the order is by path. Raises
        `RecordingError`.
        """
        is_glob = _MAGIC.search(self._key) is not None
        try:
            files = sorted(self._matching() if is_glob else self._named(), key=lambda file: PurePosixPath(file.name))
        except (OSError, ValueError, ArrowException) as error:
            raise RecordingError(f"{self.name}: {self._reason(error)}") from None
        if not files:
            raise RecordingError(f"{self.name}: {'no file matches' if is_glob else 'there is no such file or folder'}")
        return files

    def read(self, name: str) -> bytes:
        """The bytes of a file. Raises `RecordingError`."""
        try:
            # Without compression=None, Arrow unpacks by the name, and has no limit for a small file with much in it.
            with self._filesystem.open_input_stream(name.partition("://")[2], compression=None) as file:
                data: bytes = file.read()
                return data
        except (OSError, ValueError, ArrowException) as error:
            raise RecordingError(f"{name}: cannot be read: {self._reason(error)}") from None

    def _named(self) -> Iterator[ClusterFile]:
        info = self._filesystem.get_file_info(self._key)
        if info.type == FileType.File:
            yield self._file(info, is_named=True)
        elif info.type == FileType.Directory:
            for entry in self._entries(self._key, recursive=True):
                hidden = (part.startswith(".") and part != ".adk" for part in _below(entry.path, self._key))
                if entry.type == FileType.File and not any(hidden):
                    yield self._file(entry)

    def _matching(self) -> Iterator[ClusterFile]:
        """The files that match the glob. Only folders that match are listed."""
        steps = self._key.split("/")
        first = next(number for number, step in enumerate(steps) if _MAGIC.search(step))
        folders, rest = ["/".join(steps[:first])], steps[first:]
        with ThreadPoolExecutor(_AT_ONCE) as threads:
            while len(rest) > 1 and rest[0] != _ANY_FOLDERS:
                below = threads.map(self._entries, folders)
                step = rest.pop(0)
                folders = [
                    entry.path
                    for entries in below
                    for entry in entries
                    if entry.type == FileType.Directory and _fits([entry.base_name], [step])
                ]
            is_deep = _ANY_FOLDERS in rest
            for folder, entries in zip(
                folders, threads.map(lambda parent: self._entries(parent, is_deep), folders), strict=True
            ):
                for entry in entries:
                    if entry.type == FileType.File and _fits(_below(entry.path, folder), rest):
                        yield self._file(entry)

    def _entries(self, folder: str, recursive: bool = False) -> Iterable[Any]:
        """The files and folders in a folder, without sidecars of sets. Raises the errors of Arrow."""
        entries = self._filesystem.get_file_info(FileSelector(folder, recursive=recursive, allow_not_found=True))
        return [entry for entry in entries if not entry.path.endswith(ENDING_OF_SIDECARS)]

    def _file(self, info: Any, *, is_named: bool = False) -> ClusterFile:
        return ClusterFile(f"{self._scheme}://{info.path}", info.size or 0, is_named)

    def _reason(self, error: BaseException) -> str:
        if isinstance(error, FileNotFoundError):
            return "there is no such file"
        for sign, reason in _REASONS.items():
            if sign in str(error):
                return reason
        text = (str(error).splitlines() or [type(error).__name__])[0]
        secrets = [self.root, self._user, *self._user.split(":")]
        for secret in sorted({*secrets, *map(unquote, secrets)} - {""}, key=len, reverse=True):
            text = text.replace(secret, "…")
        return one_line(text, _LONGEST)


def _below(path: str, folder: str) -> list[str]:
    return path[len(folder) :].strip("/").split("/")


def _fits(names: Sequence[str], steps: Sequence[str]) -> bool:
    """Whether names match the steps of a glob, as `files.folder_search.matching` matches local paths."""
    if not steps:
        return not names
    if steps[0] == _ANY_FOLDERS:
        if len(steps) == 1:
            return not any(name.startswith(".") for name in names)
        return _fits(names, steps[1:]) or (bool(names) and not names[0].startswith(".") and _fits(names[1:], steps))
    if not names or (names[0].startswith(".") and not steps[0].startswith(".")):
        return False
    return fnmatchcase(names[0], steps[0]) and _fits(names[1:], steps[1:])

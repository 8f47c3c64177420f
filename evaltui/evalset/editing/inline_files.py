"""Files inside an eval set: bytes as base64 with their MIME type (google.genai `Blob`)."""

from __future__ import annotations

import base64
import binascii
import mimetypes
from pathlib import Path
from typing import Any

from evaltui.document.disk.file_replacement import save_file
from evaltui.document.errors import ChangedOnDiskError, EditError, SaveError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import sized
from evaltui.evalset.editing.revision import Revision, put
from evaltui.evalset.keys import text_of
from evaltui.evalset.titles import title
from evaltui.file_access import read_regular
from evaltui.files.typed_paths import file_to_read

_limit = [5_000_000]


def allow_files_of(size: int) -> None:
    """Set the largest allowed file in bytes, from the setting `inline_data_limit`."""
    _limit[0] = size


def blob_of(path: str) -> dict[str, Any]:
    """The file at `path` as a blob with keys in snake_case; its name decides the MIME type.

    Raises `PathError` if there is no such file, `EditError` if it cannot be read or is too large.
    """
    try:
        file = file_to_read(path)
        try:
            data = read_regular(file, _limit[0])
        except ValueError as error:
            size, most = sized(file.stat().st_size), sized(_limit[0])
            raise EditError(f"file has {size}; the setting inline_data_limit allows {most}") from error
    except OSError as error:
        raise EditError(f"{path}: {error.strerror or error}") from error
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return {"mime_type": kind, "data": base64.b64encode(data).decode("ascii")}


def replace_blob(case_file: CaseFile, blob: Node, path: str) -> Revision:
    """Replace the data of a blob with the file at `path`; other keys stay. Raises like `blob_of`."""
    value = blob_of(path)
    owner = case_file.enclosing(blob, "turn") or case_file.root
    label = f"replace file of {title(case_file, owner)}"
    return Revision(label, [put(blob, "mime_type", value["mime_type"]), put(blob, "data", value["data"])])


def bytes_of(blob: Node) -> bytes:
    """The bytes of a blob; base64 of either alphabet, padded or not. Raises `EditError` for invalid base64."""
    data = text_of(blob, "data").translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(data + "=" * (-len(data) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise EditError(f"invalid base64: {error}") from error


def save_blob(blob: Node, path: Path) -> str:
    """Write the bytes of a blob to a new file, and return a sentence. Raises `EditError` if that fails."""
    data = bytes_of(blob)
    try:
        save_file(path, data, None)
    except ChangedOnDiskError as error:
        raise EditError(f"{path}: this file already exists") from error
    except SaveError as error:
        raise EditError(str(error)) from error
    return f"Saved {sized(len(data))} to {path}."


def name_for(blob: Node) -> str:
    """A suggested file name for the bytes of a blob."""
    name = Path(text_of(blob, "display_name").replace("\\", "/")).name
    suffix = mimetypes.guess_extension(text_of(blob, "mime_type")) or ".bin"
    return name if name not in ("", ".", "..") else f"part{suffix}"

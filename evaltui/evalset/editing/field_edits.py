"""Edits of contents: their first texts, roles and parts, and files inside of parts."""

from __future__ import annotations

import base64
import binascii
from pathlib import Path
from typing import Any

from evaltui.document.edits import Insert, json_text
from evaltui.document.errors import ChangedOnDiskError, EditError, SaveError
from evaltui.document.layout import model_of
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.content_parts import sized
from evaltui.evalset.editing.revision import Revision, add_item, put
from evaltui.evalset.editing.templates import in_order_near, spelt, text_content
from evaltui.evalset.keys import filled, text_of
from evaltui.evalset.titles import title
from evaltui.file_access import read_regular

ROLES = {
    **{"user_content": "user", "final_response": "model", "content": "model"},
    **{"prompt": "user", "system_instruction": "user", "response": "model"},
}
"""The role of a new content, by the field that holds it."""


def append_part(parts: Node, part: dict[str, Any], what: str, index: int | None = None) -> Revision:
    """A new part in a list of parts, at the end or at an index."""
    pointer = f"{parts.pointer()}/{'-' if index is None else index}"
    return Revision(f"add {what}", [Insert(pointer, json_text(spelt(parts, part)))])


def write_role(case_file: CaseFile, owner: Node, name: str, role: str) -> Revision:
    """Change the role of the content `name` of `owner`."""
    label = f"edit role of {name} of {title(case_file, owner)}"
    content = filled(owner, name)
    if content is None or content.kind != "object":
        members = in_order_near(None, owner, {"parts": [], "role": role}, role_first=case_file.is_dataset)
        return Revision(label, [put(owner, name, members)])
    return Revision(label, [put(content, "role", role)])


def write_first_text(case_file: CaseFile, turn: Node, name: str, text: str, what: str) -> Revision:
    """Write the first text part of the content `name` of a turn; missing objects around it are added."""
    label = f"edit {what} of {title(case_file, turn)}"
    existing = filled(turn, name)
    if existing is None or existing.kind != "object":
        sibling = filled(model_of(turn), name)
        members = text_content(sibling, ROLES[name], text)
        members = in_order_near(sibling, turn, members, role_first=case_file.is_dataset)
        return Revision(label, [put(turn, name, members)])
    return Revision(label, [add_item(existing, "parts", {"text": text})])


# A list, because a setting changes it for the whole process.
_limit = [5_000_000]


def allow_files_of(size: int) -> None:
    """Set the largest allowed file in bytes, from the setting `inline_data_limit`."""
    _limit[0] = size


def blob_of(path: str) -> dict[str, Any]:
    """The file at `path` as a blob with keys in snake_case; its name decides the MIME type.

    Raises `PathError` if there is no such file, `EditError` if it cannot be read or is too large.
    """
    from evaltui.files.typed_paths import file_to_read  # noqa: PLC0415 - few people add files

    try:
        file = file_to_read(path)
        try:
            data = read_regular(file, _limit[0])
        except ValueError as error:
            size, most = sized(file.stat().st_size), sized(_limit[0])
            raise EditError(f"file has {size}; the setting inline_data_limit allows {most}") from error
    except OSError as error:
        raise EditError(f"{path}: {error.strerror or error}") from error
    import mimetypes  # noqa: PLC0415 - its tables take as long to load as all edits of fields

    mime_type = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return {"mime_type": mime_type, "data": base64.b64encode(data).decode("ascii")}


def replace_blob(case_file: CaseFile, blob: Node, path: str) -> Revision:
    """Replace the data of a blob with the file at `path`; other keys stay. Raises like `blob_of`."""
    value = blob_of(path)
    owner = case_file.enclosing(blob, "turn") or case_file.root
    label = f"replace file of {title(case_file, owner)}"
    return Revision(label, [put(blob, "mime_type", value["mime_type"]), put(blob, "data", value["data"])])


def bytes_of(blob: Node) -> bytes:
    """The bytes of a blob. Raises `EditError` for invalid base64."""
    # pydantic reads base64 of either alphabet, padded or not.
    data = text_of(blob, "data").translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(data + "=" * (-len(data) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise EditError(f"invalid base64: {error}") from error


def save_blob(blob: Node, path: Path) -> str:
    """Write the bytes of a blob to a new file, and return a sentence. Raises `EditError` if that fails."""
    from evaltui.document.disk.file_replacement import save_file  # noqa: PLC0415 - few people save a part

    data = bytes_of(blob)
    try:
        save_file(path, [data], None)
    except ChangedOnDiskError as error:
        raise EditError(f"{path}: this file already exists") from error
    except SaveError as error:
        raise EditError(str(error)) from error
    return f"Saved {sized(len(data))} to {path}."


def name_for(blob: Node) -> str:
    """A suggested file name for the bytes of a blob."""
    # Only the last name of a path, because the file may come from anybody.
    name = Path(text_of(blob, "display_name").replace("\\", "/")).name
    import mimetypes  # noqa: PLC0415 - as above

    suffix = mimetypes.guess_extension(text_of(blob, "mime_type")) or ".bin"
    return name if name not in ("", ".", "..") else f"part{suffix}"

"""Parts of a content other than text: images, files, code. A hash identifies them, so their data is not kept."""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any, NamedTuple

from evaltui.evalset.case_data import get, items_in, parts_of, text_of_parts
from evaltui.evalset.part_descriptions import PAYLOADS, describe_payload


class OtherPart(NamedTuple):
    """A part other than text. Thought signatures do not count: they differ in each model call and are unreadable."""

    kind: str
    """The snake_case name of its payload: `inline_data`."""
    description: str
    """The part in a few words: `image/png 1.9 MB`. It may hold any character of the file."""
    size: int
    """The number of bytes: of inline data itself, of other payloads their JSON."""
    digest: str
    """The first eight hex digits of the SHA-256 of these bytes."""


def read_content(content: Any) -> tuple[str, tuple[OtherPart, ...]]:
    """The text of a content, joined as in google-adk, and the other parts."""
    parts = items_in(content, "parts")
    if len(parts) == 1 and isinstance(parts[0], dict) and len(parts[0]) == 1 and isinstance(parts[0].get("text"), str):
        return parts[0]["text"], ()  # shortcut for nearly every content
    found = [_read(part) for part in parts_of(content) if len(part) > 1 or "text" not in part]
    return text_of_parts(content), tuple(part for part in found if part is not None)


def _read(part: dict[str, Any]) -> OtherPart | None:
    kind = next((name for name in PAYLOADS if get(part, name) is not None), None)
    if kind is None:
        return None
    payload = get(part, kind)
    data = _bytes_of(_text_in(payload, "data")) if kind == "inline_data" else _json_of(payload)
    description = describe_payload(kind, lambda name: _text_in(payload, name), len(data))
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL, which takes 4 ms of every short command

    return OtherPart(kind, description, len(data), sha256(data).hexdigest()[:8])


def _text_in(payload: Any, name: str) -> str:
    found = get(payload, name)
    return found if isinstance(found, str) else ""


def _bytes_of(data: str) -> bytes:
    """The bytes of a base64 text in either alphabet; the text itself if it is not base64."""
    try:
        return base64.b64decode(f"{data}==", altchars=b"-_")
    except (binascii.Error, ValueError):
        return data.encode("utf-8", "surrogatepass")


def _json_of(payload: Any) -> bytes:
    try:
        return json.dumps(payload, sort_keys=True).encode()
    except RecursionError:  # google-adk rejects values that deep
        return b""

"""Contents and their parts (google.genai `Content`, `Part`), as nodes and as plain data."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from evaltui.evalset.case_data import get, items_in, objects_in, text, text_of_parts
from evaltui.evalset.keys import filled, items_of, text_of

if TYPE_CHECKING:  # readers of plain data need no nodes
    from evaltui.document.node import Node

PAYLOADS = (
    "function_call", "function_response", "inline_data", "file_data", "executable_code", "code_execution_result",
    "tool_call", "tool_response", "video_metadata", "audio_transcription",
)  # fmt: skip
"""The kinds of payload other than text; a part is named after its first one."""


def describe_payload(kind: str, text_of: Callable[[str], str], size: int = 0) -> str:
    """A payload in a few words.

    `text_of` gives the text of a key in snake_case, "" for none; `size` is the number of bytes of inline data.
    """
    if kind == "inline_data":
        return f"{text_of('mime_type') or 'data'} {sized(size)}"
    if kind == "file_data":
        return f"{text_of('mime_type') or 'file'} at {text_of('file_uri')}"
    if kind in ("function_call", "function_response", "tool_call", "tool_response"):
        name = text_of("name") or text_of("tool_type")
        return f"{kind.replace('_', ' ')} {name}".rstrip()
    if kind == "executable_code":
        language = text_of("language").lower()
        return f"{f'code {language}'.rstrip()}: {text_of('code')}"
    if kind == "code_execution_result":
        return f"code result: {text_of('output')}"
    return kind.replace("_", " ")


def sized(count: int) -> str:
    """A number of bytes with its unit."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"


def part_kind(part: Node) -> str:
    """text, thought, signature, empty, or the snake_case name of the payload of a part."""
    # A payload decides, even beside a text: the text alone is edited as text.
    payload = next((name for name in PAYLOADS if filled(part, name) is not None), None)
    if payload:
        return payload
    if not text_of(part, "text") and filled(part, "thought_signature") is not None:
        return "signature"
    if filled(part, "text") is None:
        return "empty"
    thought = filled(part, "thought")
    return "thought" if thought is not None and thought.source() == b"true" else "text"


def part_payloads(part: Node) -> list[Node]:
    """All payloads of a part, text included. google-genai writes only one."""
    values = (filled(part, name) for name in ("text", *PAYLOADS))
    return [payload for payload in values if payload is not None]


def is_text_part(part: Node) -> bool:
    """Whether a part is edited as text."""
    return part_kind(part) in ("text", "thought")


def holds_text(part: Node) -> bool:
    """Whether a part has a text; a signature may come with an empty one."""
    return part_kind(part) in ("text", "thought", "signature") and filled(part, "text") is not None


def describe_part(part: Node) -> str:
    """A part other than text in a few words: `image/png 1.9 MB`, `function call book_flight`."""
    kind = part_kind(part)
    payload = filled(part, kind)
    if kind == "signature":
        return f"thought signature {sized(len(text_of(part, 'thought_signature')) * 3 // 4)}"
    if kind in ("text", "thought"):
        text = text_of(part, "text")
        return f"{kind} of {sized(len(text.encode('utf-8', 'surrogatepass')))}: {text[:200]}"
    if kind == "empty":
        return "empty part"
    size = _data_length(text_of(payload, "data")) if kind == "inline_data" else 0
    return describe_payload(kind, lambda name: text_of(payload, name), size)


def parts_of(content: Node | None) -> list[Node]:
    """The parts of a content object, in order."""
    return [part for part in items_of(content, "parts") if part.kind == "object"]


def plain_text(content: Node | None) -> str:
    """The texts of a content, joined line by line as in google-adk (`get_text_from_content`)."""
    return "\n".join(text for part in parts_of(content) if (text := text_of(part, "text")))


def words_of(content: Node | None) -> str:
    """The texts of a content, joined line by line; a bare text stands for a content, as in agents-cli."""
    if content is not None and content.kind == "string":
        return content.text()
    return plain_text(content)


def _data_length(data: str) -> int:
    if len(data) > 4096:  # a size in a row of the tree is not worth decoding megabytes
        return len(data) * 3 // 4
    try:
        return len(base64.b64decode(data + "==", altchars=b"-_"))
    except (binascii.Error, ValueError):
        return len(data)


# --- plain data -------------------------------------------------------------------------------------------------------


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
        return parts[0]["text"], ()  # nearly every content; a large set has a million of them
    other_parts = [_read(part) for part in objects_in(parts) if len(part) > 1 or "text" not in part]
    return text_of_parts(content), tuple(part for part in other_parts if part is not None)


def _read(part: dict[str, Any]) -> OtherPart | None:
    kind = next((name for name in PAYLOADS if get(part, name) is not None), None)
    if kind is None:
        return None
    payload = get(part, kind)
    data = _bytes_of(text(payload, "data") or "") if kind == "inline_data" else _json_of(payload)
    description = describe_payload(kind, lambda name: text(payload, name) or "", len(data))
    from hashlib import sha256  # noqa: PLC0415 - it loads OpenSSL, which takes 4 ms of every short command

    # The hash stands for the data: a picture of some megabytes is compared, and not kept in memory.
    return OtherPart(kind, description, len(data), sha256(data).hexdigest()[:8])


def _bytes_of(data: str) -> bytes:
    """The bytes of a base64 text in either alphabet; the text itself if it is not base64."""
    try:  # too much padding is ignored, too little refused
        return base64.b64decode(f"{data}==", altchars=b"-_")
    except (binascii.Error, ValueError):
        return data.encode("utf-8", "surrogatepass")


def _json_of(payload: Any) -> bytes:
    try:
        return json.dumps(payload, sort_keys=True).encode()
    except RecursionError:  # google-adk rejects values that deep
        return b""

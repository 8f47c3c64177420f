"""Contents and their parts (google.genai `Content`, `Part`), told apart by what they carry."""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of

_PAYLOADS = (
    "function_call", "function_response", "inline_data", "file_data", "executable_code", "code_execution_result",
    "tool_call", "tool_response", "video_metadata", "audio_transcription",
)  # fmt: skip
"""The kinds of payload beside text; a part is named after the first it has."""


class PartView(NamedTuple):
    """One part of a content; `node` is its object."""

    node: Node

    @property
    def kind(self) -> str:
        """text, thought, signature, empty, or the snake_case name of its payload."""
        payload = next((name for name in _PAYLOADS if filled(self.node, name) is not None), None)
        if payload:
            return payload
        if filled(self.node, "text") is None:
            return "signature" if filled(self.node, "thought_signature") else "empty"
        if filled(self.node, "thought_signature") and not self.text:
            return "signature"
        thought = filled(self.node, "thought")
        return "thought" if thought is not None and thought.source() == b"true" else "text"

    @property
    def payloads(self) -> list[Node]:
        """All that it carries, texts included; more than one only in parts that google-genai would not make."""
        found = (filled(self.node, name) for name in ("text", *_PAYLOADS))
        return [payload for payload in found if payload is not None]

    @property
    def is_text(self) -> bool:
        """Whether this is edited as text."""
        return self.kind in ("text", "thought")

    @property
    def holds_text(self) -> bool:
        """Whether it is a text, or a signature that stands with an empty one."""
        return self.is_text or (self.kind == "signature" and filled(self.node, "text") is not None)

    @property
    def text(self) -> str:
        """The text of the part, "" without one."""
        return text_of(self.node, "text")

    def describe(self) -> str:
        """A part that is no text in a few words: `image/png 1.9 MB`, `function call book_flight`."""
        kind = self.kind
        payload = filled(self.node, kind)
        if kind == "inline_data":
            return f"{text_of(payload, 'mime_type') or 'data'} {sized(_data_length(payload))}"
        if kind == "file_data":
            return f"{text_of(payload, 'mime_type') or 'file'} at {text_of(payload, 'file_uri')}"
        if kind in ("function_call", "function_response", "tool_call", "tool_response"):
            name = text_of(payload, "name") or text_of(payload, "tool_type")
            return f"{kind.replace('_', ' ')} {name}".rstrip()
        if kind == "executable_code":
            language = text_of(payload, "language").lower()
            return f"{f'code {language}'.rstrip()}: {text_of(payload, 'code')}"
        if kind == "code_execution_result":
            return f"code result: {text_of(payload, 'output')}"
        if kind == "signature":
            return f"thought signature {sized(len(text_of(self.node, 'thought_signature')) * 3 // 4)}"
        if self.is_text:
            return f"{kind} of {sized(len(self.text.encode('utf-8', 'surrogatepass')))}: {self.text[:200]}"
        return {"empty": "a part with nothing in it"}.get(kind, kind.replace("_", " "))


def parts_of(content: Node | None) -> list[PartView]:
    """The parts of a content object, in order."""
    return [PartView(node) for node in items_of(content, "parts") if node.kind == "object"]


def plain_text(content: Node | None) -> str:
    """The texts of a content, a line each, as google-adk joins them (`get_text_from_content`)."""
    return "\n".join(part.text for part in parts_of(content) if part.text)


def _data_length(payload: Node | None) -> int:
    data = text_of(payload, "data")
    if len(data) > 4096:
        return len(data) * 3 // 4
    try:
        return len(base64.b64decode(data + "==", altchars=b"-_"))
    except (binascii.Error, ValueError):
        return len(data)


def sized(count: int) -> str:
    """A number of bytes for people."""
    if count < 1000:
        return f"{count} B"
    return f"{count / 1000:.1f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
